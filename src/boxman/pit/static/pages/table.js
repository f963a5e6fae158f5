// The table: felt, dock, band and side together over one link to the server.
import { clothOf } from "../kit/api.js";
import { button, calm, find, h, keep, put } from "../kit/dom.js";
import { dialog, hush, toast, trouble } from "../kit/dialog.js";
import { Link } from "../kit/link.js";
import { money, signed } from "../kit/money.js";
import { noTable, part } from "../kit/shell.js";
import { has, say } from "../kit/say.js";
import { Band, Head } from "../felt/head.js";
import { Cubes } from "../felt/cubes.js";
import { Dock, habits, rollWords } from "../felt/dock.js";
import { carried } from "../felt/drag.js";
import "../felt/felt.js";
import { brakes, Chair, Hands, keys, leave } from "../felt/hands.js";
import { dim } from "../felt/chips.js";
import { IfItRolls, Ledger, playersPanel, tabs, wagersPanel } from "../felt/panels.js";
import { play } from "../felt/sound.js";
import { givable, Stage } from "../felt/stage.js";
import { views } from "../felt/print.js";
import { DiceProof } from "../table/dice_proof.js";

const table = part(2);
const link = new Link(table);
const stage = new Stage();
const felt = h("craps-felt", { class: "fills" });
const cubes = new Cubes(felt);
const band = new Band(table, link);
const chair = new Chair(table, link);
const hands = new Hands(table, link, stage, felt, cubes);
const speak = (made) => hands.speak(made);
const name = (spot) => hands.name(spot);
const ledger = new Ledger((row, settled) => hands.dispute(row, settled));
const dock = new Dock(stage, felt, {
  place: () => hands.place(), giveBack: (spot) => hands.giveBack(spot), name, call: speak, note: toast,
  laid: () => hands.laid(), land: () => cubes.land(),
  buy: () => hands.buyIn(), auto: () => hands.autoRoll(), rollWords: (to) => rollWords(to, hands),
  keepUp: (on) => {
    keep.set("stays", on);
    if (shown) habits(shown, stage, felt, link);
  },
});
const side = tabs(say("table.at-table"), [
  { id: "bets", name: say("table.tabs.bets") },
  { id: "rolls", name: say("table.tabs.rolls") },
  { id: "coach", name: say("table.tabs.coach"), opened: see },
  { id: "visit", name: say("table.tabs.visit"), opened: see },
  { id: "ledger", name: say("table.tabs.ledger") },
  { id: "players", name: say("table.tabs.players"), opened: drawPlayers },
]);
// Aids are fetched when they are first wanted.
let eyes = null;
async function see(spot) {
  if (!shown?.advice || !shown.me?.seat) return;
  eyes ||= import("../eyes/eyes.js").then(({ Eyes }) => new Eyes({ table, link, felt, side, view: () => shown }));
  // Who has left the cloth meanwhile points at nothing.
  (await eyes).look(spot && !felt.matches(":hover") ? "" : spot);
}
felt.addEventListener("pointerover", ({ pointerType, target }) => pointerType === "mouse" && see(felt.at(target)));
const rolls = new IfItRolls(side.body("rolls"));
band.onrows = (data) => shown && rolls.show(data, shown.currency);
const gone = h("p", { class: "gone", role: "alert", hidden: true });
const clock = h("div", {});
const head = new Head({ fold, dialog, menu: menuItems, notes: () => (shown?.notices || []).map((each) => h("p",
  { class: "faint" }, each.text)) });
let shown = null;

const cloth = h("div", { class: "cloth" }, felt, cubes.element, cubes.total);
const wood = h("section", { class: "wood alone", "aria-label": say("table.layout") }, band.element, views(felt), cloth);
const aside = h("aside", { class: "side", id: "side", "aria-label": say("table.side") }, side.element);
side.body("ledger").append(ledger.element);
put(find("#main"), h("div", { class: "banner" }, gone, clock), wood, aside, chair.element, dock.element);

// On small screens the panel is a sheet over the felt, never over the dock.
function fold() {
  const small = matchMedia("(max-width: 1099px)").matches;
  const open = document.body.classList.toggle(small ? "opened" : "folded") === small;
  head.fold.setAttribute("aria-expanded", String(open));
}

// -- what the server says, in order; a roll is thrown before what follows from it is shown --

const queue = [];
let busy = false;

const rollOf = (row) => row?.decided?.find((each) => each.type === "rolled");
// Rolls that follow one another faster than dice fly are only called.
const quick = () => link.view?.auto?.every < 400;

async function work() {
  if (busy) return;
  busy = true;
  try {
    await null; // what came together is shown together
    while (queue.length) {
      const { row, view, first, then } = queue.shift();
      const rolled = rollOf(row);
      if (rolled) await thrown(rolled, row);
      if (row && shown && !quick()) felt.settle(row.decided || []);
      // Of what came since the last picture only the last is drawn, and what a roll does.
      if (first || then || rolled || !queue.length || rollOf(queue[0].row)) await show(view, first);
      if (row) follow(row, view, rolled);
      then?.();
    }
  } finally {
    busy = false;
  }
}

async function thrown(rolled, row) {
  hush();
  const faces = [rolled.first, rolled.second];
  // Far behind, or not watched: the throw is only a picture and may be left out. One called over again is no throw.
  const still = calm() || quick() || queue.length > 6 || document.hidden;
  if (still || row.call?.type === "overrule") return cubes.rest(faces);
  play("dice");
  band.clear();
  await cubes.throw(faces);
  cubes.call(rolled.first + rolled.second);
}

// Opened in the middle of a hand: the last call still stands.
async function past(number) {
  const old = await ledger.past(link, number, () => shown || link.view);
  const last = old.findLast((row) => row.decided?.some((each) => each.type === "rolled"));
  // Its first picture may still be drawn.
  for (let n = 0; !shown && n < 100; n += 1) await new Promise((done) => { setTimeout(done, 50); });
  if (last && shown && !told) tellRoll(last.decided.find((each) => each.type === "rolled"), last.decided, shown, true);
}

let newest = null;
function push(item) {
  newest = item.view;
  queue.push(item);
  work().catch(trouble);
}

const hear = (name, act) => link.addEventListener(name, ({ detail }) => act(detail));
hear("snapshot", (detail) => {
  push({ view: link.view, first: true });
  unread = detail.number;
});
hear("row", (detail) => push({ row: detail, view: link.view }));
hear("view", () => newest === link.view || push({ view: link.view }));
let unread = 0;
hear("caught", () => {
  gone.hidden = true;
  if (unread) past(unread).catch(() => null);
  link.say({ do: "clock" });
  unread = 0;
  const then = hands.meant;
  hands.meant = null;
  if (then === null) return;
  if (link.turn === then) push({ view: link.view, then: () => hands.place() });
  else toast(say("table.roll-came"), { kind: "bad", seconds: 12 });
});
link.addEventListener("missing", noTable);
hear("gone", () => {
  gone.textContent = say("table.gone");
  gone.hidden = false;
});
hear("error", (detail) => toast(detail.message || detail.code, { kind: "bad" }));
hear("clock", (detail) => {
  brakes(clock, detail, shown?.currency || "");
  const minutes = Math.round((detail.played_today || 0) / 60000);
  if (shown?.me?.seat) head.clock(detail.result_here || 0, minutes, shown.currency);
});
setInterval(() => shown?.me?.seat && link.say({ do: "clock" }), 20000);
// The seconds others still have are counted on the button.
setInterval(() => dock.until && dock.refresh(), 250);

// Who wants the dice thrown, said once.
let wanted = "";

async function show(view, first) {
  if (!view) return;
  if (!felt.cloth || first) felt.cloth = await clothOf(view);
  document.body.dataset.cloth = felt.dataset.cloth;
  if (!shown && view.dice) cubes.rest(view.dice);
  shown = view;
  hands.view = view;
  dropped(stage.look(view));
  dock.until = view.asked?.until > Date.now() && view.phase === "open" ? view.asked.until : 0;
  if (dock.until && view.asked.by !== view.me?.seat
    && wanted !== view.asked.by) band.say(say("table.wants-said", { name: view.asked.by }));
  wanted = dock.until ? view.asked.by : "";
  dock.look(view);
  chair.look(view);
  document.body.classList.toggle("watching", !view.me?.seat);
  // Last: what stands round the cloth says how large it is.
  felt.show(view, stage.shown);
  habits(view, stage, felt, link);
  head.look(view, felt.cloth);
  band.look(view, link.number);
  seated(view);
  drawBets(view);
  drawCalls(view);
  if (side.current() === "players") drawPlayers();
  for (const each of ["rolls", "coach", "visit"]) side.show(each, view.advice && Boolean(view.me?.seat));
  eyes?.then((each) => each.look());
  if (!met && view.me?.seat && view.kind === "practice" && !keep.get("taught", false)) teach().catch(trouble);
  met ||= Boolean(view.me?.seat);
  advise();
}

// The lesson and the coach are read when somebody wants them.
let met = false;
let coach = null;
let best = null;
async function teach() {
  const { Coach } = await import("../felt/coach.js");
  if (!coach) wood.append((coach = new Coach(felt)).box);
  coach.start(shown, stage);
}
const advice = h("details", { class: "panel best", hidden: true, open: keep.get("coached", false) },
  h("summary", {}, say("coach.title")));
advice.addEventListener("toggle", async () => {
  keep.set("coached", advice.open);
  if (!advice.open || best) return;
  const { BestCoach } = await import("../felt/coach.js");
  best ||= new BestCoach(table, advice);
  advise();
});

function advise() {
  coach?.look(shown, stage);
  advice.hidden = !shown.advice || shown.kind !== "practice" || !shown.me?.seat;
  if (!advice.hidden) best?.look(shown, stage);
}

// What is opened now and then.
const opened = (act) => import("../felt/settings.js").then(act).catch(trouble);
const help = () => opened((found) => found.help(Object.values(dock.bets)));

// The seats of friends, their turns and quick calls, once there is a second one.
let friends = null;
function seated(view) {
  if (view.seats.length < 2 && !friends) return;
  friends ||= import("../felt/friends.js").then(({ Friends }) => new Friends(link, felt, wood));
  friends.then((each) => each.look(shown)).catch(trouble);
}

function drawPlayers() {
  if (shown) put(side.body("players"), playersPanel(shown));
}

// What else a player may say now: take or pass the dice, agree to new limits, and the like.
function drawCalls(view) {
  const moves = (view.menu?.moves || []).filter((each) => !["cashes out", "leaves"].includes(each));
  if (dock.calls.dataset.key === moves.join()) return;
  dock.calls.dataset.key = moves.join();
  put(dock.calls, moves.map((each) => button(has(`table.moves.${each}`) ? say(`table.moves.${each}`)
    : `${each[0].toUpperCase()}${each.slice(1)}`,
    () => speak({ line: each }))));
}

function drawBets(view) {
  const { ariaLabel } = document.activeElement;
  put(side.body("bets"), wagersPanel(view, felt, {
    open: (spot) => hands.open(spot), call: speak, giveBack: (spot) => hands.giveBack(spot),
    lay: (spot, amount) => hands.lay(spot, amount), chosen: dock.chosen }));
  // Who works in the list by keyboard stays where he was.
  if (ariaLabel && document.activeElement === document.body) find(
    `#panel-bets [aria-label="${CSS.escape(ariaLabel)}"]`)?.focus();
}

// Chips that were staged and cannot stay, said in one sentence.
function dropped(list) {
  if (!list.length) return;
  const names = list.map(([spot, was, now]) => `${money(was - now, shown.currency)} ${name(spot)}`);
  toast(say("table.came-back", { names }), { seconds: 10 });
}

function follow(row, view, rolled) {
  ledger.add(row, view);
  const decided = row.decided || [];
  const back = decided.some((each) => each.type === "reversed");
  if (rolled) {
    stage.rolled();
    if (view.me?.seat) link.say({ do: "clock" });
    tellRoll(rolled, decided, view);
  } else if (back || decided.some((each) => ["norolled", "handed", "posting"].includes(each.type))) {
    const text = decided.map((each) => each.text).filter(Boolean).join(" ");
    if (back) band.note(text, "bad");
    else band.note(text);
  } else if (row.by !== "player" && view.me?.seat) {
    // What somebody of the crew did to the viewer's own seat is said aloud.
    const own = decided.filter((each) => [each.seat, row.call?.seat].includes(view.me.seat) && each.text);
    if (own.length) band.say(own.map((each) => each.text).join(" "));
  }
}

// What a roll brought. One that was called over again says so: the first call is taken back.
let told = false;
function tellRoll(rolled, decided, view, quiet = false) {
  told = true;
  const back = decided.some((each) => each.type === "reversed");
  const mine = decided.filter((each) => each.type === "settled" && each.seat === view.me?.seat);
  const parts = mine.map((each) => ({ name: name(each.spot), net: each.paid - each.taken, how: each.paid > 0 ? each.how
    : "", said: each.how }));
  // What the roll would have decided, had it worked.
  const slept = rolled.slept.filter((each) => each.seat === view.me?.seat).map((each) => name(each.spot)).join(", ");
  if (slept) parts.push({ name: slept, net: 0, said: say("table.slept"), slept: true });
  const net = parts.reduce((sum, each) => sum + each.net, 0);
  const out = rolled.event === "seven-out";
  const call = back ? say("table.overruled", { call: rolled.call }) : rolled.call;
  band.tell({ total: rolled.first + rolled.second, call, parts, net, kind: out ? "out" : "" });
  dock.result.textContent = [mine.length && signed(net, view.currency), rolled.call].filter(Boolean).join(" · ");
  if (quiet) return;
  if (net) play(net > 0 ? "won" : "lost");
  if (out && mine.length) dim(wood);
}

// Everything that is not play, for the menu.
function menuItems() {
  const view = shown;
  const { seat, reads = [], stations = [] } = view?.me || {};
  const crew = stations.some((each) => !["player", "spectator"].includes(each));
  const at = (path) => `/${path}/${encodeURIComponent(table)}`;
  return [
    view?.advice && seat && { word: say("table.first-hand"), act: () => teach().catch(trouble) },
    { word: say("table.settings"), act: help },
    seat && friends && { word: say("friends.say"), act: async () => (await friends).open() },
    { word: say("table.share"), act: () => opened((found) => found.share(table, shown.seats.length)) },
    view?.advice && seat && { word: say("table.share-hand"),
      act: () => import("../eyes/share.js").then((each) => each.shareHand(table)).catch(trouble) },
    { word: say("table.rulebook"),
      href: `/rulebook/${encodeURIComponent(view?.house || "")}?table=${encodeURIComponent(table)}` },
    reads.includes("rows") && { word: say("table.journal"), href: at("inspect") },
    crew && { word: say("table.console"), href: at("console") },
    seat && { word: say("table.buy-more"), act: () => hands.buyIn() },
    seat && { word: say("table.leave"), act: () => leave(table, () => shown) },
  ];
}

// -- what the player does --

felt.addEventListener("spot", ({ detail: { act, spot, amount } }) => {
  if (!shown) return;
  if (act === "info") return hands.open(spot).catch(trouble);
  if (act === "remove") {
    const may = shown.menu?.choices[spot]?.take_down || stage.wagers.some((each) => each.spot === spot && givable(shown,
      each));
    if (!stage.remove(spot) && may) hands.takeOff(spot);
    return;
  }
  if (shown.me?.seat && shown.phase !== "open") return void toast(say("table.wait"));
  hands.lay(spot, amount || dock.chosen);
});

document.addEventListener("odds", ({ detail: { spot, amount } }) => {
  if (stage.set(spot, stage.most(spot, amount))) hands.laid();
  else hands.open(spot).catch(trouble);
});

carried({ shown: () => shown, felt, stage, dock, hands, link, push });
stage.addEventListener("change", () => {
  if (!shown) return;
  felt.show(shown, stage.shown);
  if (stage.chips.size) band.clear();
  advise();
});

dock.changed = () => shown && drawBets(shown);
aside.append(advice, new DiceProof(table, link).element);
keys({ dock, felt, shown: () => shown, lay: (spot, amount) => hands.lay(spot, amount), help });
