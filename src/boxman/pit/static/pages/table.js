// The table: felt, rail, stick and side together over one link to the server.
import { ask } from "../kit/api.js";
import { button, calm, field, find, h, keep, put, select } from "../kit/dom.js";
import { clothOf } from "../kit/cloth.js";
import { question, toast, trouble } from "../kit/dialog.js";
import { Link } from "../kit/link.js";
import { money, signed } from "../kit/money.js";
import { bar, noTable, part } from "../kit/shell.js";
import { showClauses } from "../kit/clauses.js";
import { chip } from "../felt/chips.js";
import { Coach } from "../felt/coach.js";
import { carry } from "../felt/drag.js";
import "../felt/felt.js";
import { IfItRolls, Ledger, playersPanel, tabs, wagersPanel } from "../felt/panels.js";
import { Rail } from "../felt/rail.js";
import { brakes, Chair, help, keys, leave, share } from "../felt/seat.js";
import { openSheet } from "../felt/sheet.js";
import { play } from "../felt/sound.js";
import { givable, Stage } from "../felt/stage.js";
import { Stick, stickWords } from "../felt/stick.js";

const table = part(2);
const link = new Link(table);
const stage = new Stage();
const felt = h("craps-felt", { "data-below": 136 });
const ledger = new Ledger(dispute);
const stick = new Stick(link, (line) => speak({ line }), felt);
const chair = new Chair(table, link);
const rail = new Rail(stage, { place, giveBack, name, lineAll: (call) => speak({ type: "setworking", spot: "all", call }), note: toast });
const side = tabs("At the table", [
  { id: "bets", name: "Bets" },
  { id: "rolls", name: "If it rolls", opened: () => shown && rolls.look(link.number, shown.currency) },
  { id: "ledger", name: "Events" },
  { id: "players", name: "Players" },
]);
const rolls = new IfItRolls(table, side.body("rolls"));
const title = h("div", { class: "table-name" });
const gone = h("p", { class: "gone", role: "alert", hidden: true });
const clock = h("div", {});
const played = h("span", { class: "played" });
const tools = h("div", { class: "actions tools", id: "tools" });
const folded = button("Table", () => {
  folded.setAttribute("aria-expanded", String(tools.classList.toggle("open")));
}, { class: "small folded", "aria-expanded": "false", "aria-controls": "tools" });
let shown = null;

bar(title, { compact: true });
side.body("ledger").append(ledger.element);
put(find("#main"), h("div", { class: "banner" }, gone, clock, h("div", { class: "tool-row" }, folded, tools, played)), h("section", { class: "felt-holder", "aria-label": "The layout" }, felt), chair.element, rail.element,
  h("div", { class: "side" }, stick.element, h("div", { class: "rest-panels" }, side.element)), stick.thrown);

// On a phone the call, the throw and the lesson are where the thumb is: in the rail, which stays in
// sight. Who only watches has no rail.
const narrow = matchMedia("(max-width: 1100px)");
let thumb = null;
function arrange() {
  const now = narrow.matches && Boolean(shown?.me?.seat);
  if (now === thumb) return;
  thumb = now;
  if (thumb) rail.element.prepend(coach.box, stick.call, stick.moves);
  else {
    stick.state.before(stick.call);
    stick.history.before(stick.moves);
    find(".rest-panels").prepend(coach.box);
  }
}
narrow.addEventListener("change", arrange);

// -- what the server says, in order; a roll is thrown before what follows from it is shown --

const queue = [];
let busy = false;

async function work() {
  if (busy) return;
  busy = true;
  while (queue.length) {
    const { row, view, first, then } = queue.shift();
    const rolled = row?.decided?.find((each) => each.type === "rolled");
    // Far behind, or not watched: the throw is only a picture and may be left out.
    if (rolled && !calm() && queue.length < 40 && !document.hidden) await stick.rolled(rolled);
    else if (rolled) stick.dice.rest([rolled.first, rolled.second]);
    await show(view, first);
    if (row) follow(row, view, rolled);
    then?.();
  }
  busy = false;
}

// What happened before this page was open, or while it was far behind, for those who may read it.
async function past(number) {
  await null; // who one is follows the snapshot in the same frame
  if (!link.view?.me?.reads?.includes("rows")) return;
  const after = Math.max(0, number - 60);
  const { rows } = await ask(`/api/tables/${encodeURIComponent(table)}/rows?after=${after}&limit=60`);
  ledger.before(rows.filter((row) => row.number <= number), () => shown || link.view);
}

function push(item) {
  queue.push(item);
  work().catch(trouble);
}

const hear = (name, act) => link.addEventListener(name, ({ detail }) => act(detail));
hear("snapshot", (detail) => {
  push({ view: link.view, first: true });
  unread = detail.number;
});
hear("row", (detail) => push({ row: detail, view: link.view }));
hear("view", () => push({ view: link.view }));
let unread = 0;
let meant = null;
hear("caught", () => {
  gone.hidden = true;
  if (unread) past(unread).catch(() => null);
  link.say({ do: "clock" });
  unread = 0;
  if (meant === null) return;
  const { rolls } = link.view;
  const now = meant;
  meant = null;
  if (now === rolls) push({ view: link.view, then: place });
  else toast("A roll came while the server was away: your chips are staged, not placed.", { kind: "bad", seconds: 12 });
});
link.addEventListener("missing", noTable);
hear("gone", () => {
  gone.textContent = "The server cannot be reached. Your chips are safe where they lie; this page comes back by itself.";
  gone.hidden = false;
});
hear("error", (detail) => toast(detail.message || detail.code, { kind: "bad" }));
hear("clock", (detail) => {
  brakes(clock, detail, shown?.currency || "");
  const minutes = Math.round((detail.played_today || 0) / 60000);
  played.textContent = shown?.me?.seat ? `${minutes} min · ${signed(detail.result_here || 0, shown.currency)} here` : "";
});
setInterval(() => shown?.me?.seat && link.say({ do: "clock" }), 20000);

async function show(view, first) {
  if (!view) return;
  if (!felt.cloth || first) felt.cloth = await clothOf(view);
  shown = view;
  dropped(stage.look(view));
  felt.show(view, stage.chips);
  stick.look(view);
  rail.look(view);
  chair.look(view);
  arrange();
  stayUp(view);
  drawTitle(view);
  drawTools(view);
  drawBets(view);
  put(side.body("players"), playersPanel(view));
  side.show("rolls", view.advice && Boolean(view.me?.seat));
  if (side.current() === "rolls") rolls.look(link.number, view.currency);
  coach.look(view, stage);
}

function drawBets(view) {
  const { ariaLabel } = document.activeElement;
  put(side.body("bets"), wagersPanel(view, felt, { open, call: speak, giveBack, lay, chosen: rail.chosen }));
  // Who works in the list by keyboard stays where he was.
  if (ariaLabel && document.activeElement === document.body) find(`#panel-bets [aria-label="${CSS.escape(ariaLabel)}"]`)?.focus();
}

// Chips that were staged and cannot stay, said in one sentence.
function dropped(list) {
  if (!list.length) return;
  const words = list.map(([spot, was, now]) => `${money(was - now, shown.currency)} ${name(spot)}`);
  toast(`Back on your rail, it cannot be bet now: ${words.join(", ")}.`, { seconds: 10 });
}

function follow(row, view, rolled) {
  ledger.add(row, view);
  const decided = row.decided || [];
  felt.settle(decided);
  if (rolled) {
    stage.rolled();
    if (view.me?.seat) link.say({ do: "clock" });
    const net = decided.filter((each) => each.type === "settled" && each.seat === view.me?.seat)
      .reduce((sum, each) => sum + each.paid - each.taken, 0);
    if (net) play(net > 0 ? "won" : "lost");
    if (calm() || document.hidden) stick.tell(stickWords(rolled));
  } else if (decided.some((each) => ["norolled", "reversed", "handed", "phased", "posting"].includes(each.type))) {
    stick.tell(decided.map((each) => each.text).filter(Boolean).join(" "));
  } else if (row.by !== "player" && view.me?.seat) {
    // What somebody of the crew did to the viewer's own seat is said aloud.
    const own = decided.filter((each) => [each.seat, row.call?.seat].includes(view.me.seat) && each.text);
    if (own.length) stick.tell(own.map((each) => each.text).join(" "));
  }
}

// A habit of the player: what may stay up when it wins is asked to, once for each wager.
const asked = new Set();
function stayUp(view) {
  const { wagers } = stage;
  const up = new Set(wagers.map((each) => each.spot));
  for (const spot of asked) if (!up.has(spot)) asked.delete(spot);
  if (!keep.get("stays", false) || view.phase !== "open") return;
  for (const { spot } of wagers) {
    if (view.menu?.choices[spot]?.keep !== true || asked.has(spot)) continue;
    asked.add(spot);
    speak({ type: "stayup", spot, stays: true });
  }
}

function drawTitle(view) {
  document.title = `${view.name} · Boxman`;
  put(title, h("h1", {}, view.name), view.title !== view.name && h("span", { class: "hide-small" }, view.title),
    h("span", {}, `${money(view.posted.minimum, view.currency)} to ${money(view.posted.maximum, view.currency)}`,
      view.kind === "practice" ? " · practice" : ""));
}

function drawTools(view) {
  const barred = view.seats.some((seat) => seat.you && seat.barred);
  const { seat, reads = [], stations = [] } = view.me || {};
  const key = JSON.stringify([seat, reads, stations, view.notices, view.closed, barred]);
  if (tools.dataset.key === key) return;
  tools.dataset.key = key;
  const crew = stations.some((each) => !["player", "spectator"].includes(each));
  put(tools,
    seat && button("Leave the table", () => leave(table, () => shown)),
    button("Share", () => share(table, view.seats.length)), h("a", { class: "button", href: `/rulebook/${encodeURIComponent(view.house)}` }, "Rulebook"),
    crew && h("a", { class: "button", href: `/console/${encodeURIComponent(table)}` }, "Crew console"),
    reads.includes("rows") && h("a", { class: "button", href: `/inspect/${encodeURIComponent(table)}` }, "Journal"),
    view.advice && seat && button("First hand", () => coach.start()), button("Keys", help),
    [view.closed && "closed", barred && "you may not bet here"].filter(Boolean).map((each) => h("span", { class: "badge closed" }, each)),
    (view.notices || []).map((each) => h("span", { class: "badge closed" }, each.text)));
}

// -- what the player does --

async function speak(made) {
  const { line, ...call } = made;
  const answer = line ? await link.line(line) : await link.call(call, "player");
  if (answer.refused) refusal(answer.refused);
  return answer;
}

function refusal(refused) {
  const clauses = refused.clauses || refused.cites || [];
  const remedy = refused.remedy ? ` ${refused.remedy[0].toUpperCase()}${refused.remedy.slice(1)}.` : "";
  const text = `${refused.sentence[0].toUpperCase()}${refused.sentence.slice(1)}.${remedy}`;
  toast(text, { kind: "bad", seconds: 12, more: clauses.length
    ? { label: "Why?", action: () => showClauses(shown.house, clauses, "Refused", h("p", {}, text)) } : null });
}

function open(id) {
  const ask = (spot) => speak({ type: "bet", spot, amount: Math.max(shown.posted.minimum, shown.chip) });
  openSheet(felt.spot(id), shown, stage, { call: speak, giveBack, ask, name });
}

let placing = false;
async function place() {
  if (placing || !stage.chips.size || shown?.phase !== "open") return;
  if (!link.open || !link.caught) {
    meant = shown.rolls;
    return void toast("The server is away: your chips will be placed when it is back, unless a roll comes first.", { seconds: 12 });
  }
  placing = true;
  try {
    await Promise.all([...stage.chips].map(async ([spot, amount]) => {
      const answer = await speak({ type: "bet", spot, amount });
      if (!answer.refused) stage.down(spot, amount);
      else if (answer.refused.code !== "late") stage.chips.delete(spot);
    }));
  } finally {
    placing = false;
  }
  play("chip");
  stage.tell();
}

function name(spot) {
  return felt.spot(spot)?.name || spot;
}

// A payment that looks wrong: the box is asked to judge it, and that is on record.
async function dispute(row, settled) {
  const wagers = [["", "the whole roll"], ...settled.map((each) => [name(each.spot), `${name(each.spot)}: ${signed(each.paid - each.taken, shown.currency)}`])];
  const answer = await question("Dispute a payment", field("What is wrong", select(wagers, wagers.at(-1)[0], { name: "about" })), {
    action: "Dispute it", note: "The boxperson decides, and the journal keeps what was said." });
  if (!answer) return;
  const about = `row ${row.number}${answer.about ? `: ${answer.about}` : ""}`.slice(0, 80);
  const told = await speak({ type: "opendispute", about });
  if (!told.refused) toast("The box has been asked.", { kind: "good" });
}

// A wager that locked when it was placed: the box gives it back, and that is on record.
async function giveBack(spot) {
  if (!spot) return;
  const answer = await link.undo(spot);
  if (answer.refused) refusal(answer.refused);
  else {
    stage.back(spot);
    toast(`The box gives your ${felt.spot(spot).name} back.`);
  }
  return answer;
}

felt.addEventListener("spot", ({ detail: { act, spot, amount } }) => {
  if (!shown) return;
  if (act === "info") return open(spot);
  if (act === "remove") {
    const may = shown.menu?.choices[spot]?.take_down || stage.wagers.some((each) => each.spot === spot && givable(shown, each));
    if (!stage.remove(spot) && may) takeOff(spot);
    return;
  }
  if (shown.me?.seat && shown.phase !== "open") return void toast("No more bets: wait for the roll.");
  lay(spot, amount || rail.chosen);
});

function lay(spot, amount) {
  if (!stage.add(spot, amount)) return open(spot);
  play("chip");
  if (keep.get("instant", false)) place();
}

// A wager comes down, or the box gives it back; where neither may be, the house says why.
async function takeOff(spot) {
  const wager = stage.wagers.find((each) => each.spot === spot);
  const mistake = !shown.menu?.choices[spot]?.take_down && givable(shown, wager);
  const answer = mistake ? await giveBack(spot) : await speak({ type: "takedown", spot });
  return !answer.refused;
}

document.addEventListener("odds", ({ detail: { spot, amount } }) => {
  if (!stage.set(spot, stage.most(spot, amount))) open(spot);
});

// -- chips carried by hand --

carry({
  pick(target) {
    const held = target.closest?.(".chip-button");
    if (held) {
      const amount = Number(held.dataset.amount);
      return { from: "rail", amount, draw: () => chip(amount, rail.chips, 18, { stack: false }) };
    }
    const from = shown?.me?.seat && felt.at(target);
    const staged = from && stage.chips.get(from);
    const amount = staged || stage.wagers.find((each) => each.spot === from)?.stake;
    return amount ? { from, staged: Boolean(staged), amount, draw: () => chip(amount, rail.chips, 18, { kind: staged ? "staged" : "" }) } : null;
  },
  lifted: ({ from, amount }) => from === "rail" && rail.choose(amount),
  over(target) {
    const spot = target && felt.at(target);
    felt.aim(shown?.menu?.choices[spot]?.bet.length ? spot : "");
  },
  async drop({ from, staged, amount }, target) {
    const to = felt.at(target);
    if (!shown?.me?.seat || to === from || (!to && (from === "rail" || felt.contains(target)))) return;
    if (shown.phase !== "open") return void toast("No more bets: wait for the roll.");
    if (from === "rail") return lay(to, amount);
    if (staged && !to) return void stage.remove(from);
    if (staged) return void (stage.move(from, to) || open(to));
    if (!(await takeOff(from)) || !to) return;
    // The menu that follows the wager down says what may lie at its new place.
    const moved = () => stage.set(to, stage.most(to, amount)) || open(to);
    push({ view: link.view, then: moved });
  },
});
stage.addEventListener("change", () => {
  if (!shown) return;
  felt.show(shown, stage.chips);
  rail.refresh();
  coach.look(shown, stage);
});

rail.changed = () => shown && drawBets(shown);
const coach = new Coach(felt);
arrange();
keys({ place, stage, rail, link, shown: () => shown });
