// The table: felt, rail, stick and side together over one link to the server.
import { ask } from "../kit/api.js";
import { button, calm, find, h, keep, put } from "../kit/dom.js";
import { clothOf } from "../kit/cloth.js";
import { toast, trouble } from "../kit/dialog.js";
import { Link } from "../kit/link.js";
import { money, signed } from "../kit/money.js";
import { bar, noTable, part } from "../kit/shell.js";
import { showClauses } from "../kit/clauses.js";
import { Coach } from "../felt/coach.js";
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
const felt = h("craps-felt");
const ledger = new Ledger();
const stick = new Stick(link, (line) => speak({ line }));
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
const banner = h("div", { class: "banner" });
const gone = h("p", { class: "gone", role: "alert", hidden: true });
const clock = h("div", {});
const played = h("span", { class: "hide-small" });
const tools = h("div", { class: "actions tools" });
let shown = null;

bar(title, { compact: true });
side.body("ledger").append(ledger.element);
put(banner, gone, clock, tools);
put(find("#main"), banner, h("section", { class: "felt-holder", "aria-label": "The layout" }, felt), chair.element, rail.element,
  h("div", { class: "side" }, stick.element, h("div", { class: "rest-panels" }, side.element)));

// On a phone the throw is where the thumb is: in the rail, which stays in sight.
const narrow = matchMedia("(max-width: 820px)");
function arrange() {
  if (narrow.matches) rail.element.prepend(stick.moves);
  else stick.element.insertBefore(stick.moves, stick.history);
}
narrow.addEventListener("change", arrange);
arrange();

// -- what the server says, in order; a roll is thrown before what follows from it is shown ----------

const queue = [];
let busy = false;

async function work() {
  if (busy) return;
  busy = true;
  while (queue.length) {
    const { row, view, first } = queue.shift();
    const rolled = row?.decided?.find((each) => each.type === "rolled");
    // Far behind, or not watched: the throw is only a picture and may be left out.
    if (rolled && !calm() && queue.length < 40 && !document.hidden) await stick.rolled(rolled);
    else if (rolled) stick.dice.rest([rolled.first, rolled.second]);
    await show(view, first);
    if (row) follow(row, view, rolled);
  }
  busy = false;
}

// What happened before this page was open, or while it was far behind.
async function past(number) {
  const after = Math.max(0, number - 60);
  const { rows } = await ask(`/api/tables/${encodeURIComponent(table)}/rows?after=${after}&limit=60`);
  ledger.before(rows.filter((row) => row.number <= number), () => shown || link.view);
}

function push(item) {
  queue.push(item);
  work().catch(trouble);
}

link.addEventListener("snapshot", ({ detail }) => {
  push({ view: link.view, first: true });
  past(detail.number).catch(() => null);
});
link.addEventListener("row", ({ detail }) => push({ row: detail, view: link.view }));
link.addEventListener("view", () => push({ view: link.view }));
link.addEventListener("open", () => {
  gone.hidden = true;
});
link.addEventListener("missing", noTable);
link.addEventListener("gone", () => {
  gone.textContent = "The server cannot be reached. Your chips are safe where they lie; this page comes back by itself.";
  gone.hidden = false;
});
link.addEventListener("error", ({ detail }) => toast(detail.message || detail.code, { kind: "bad" }));
link.addEventListener("clock", ({ detail }) => {
  brakes(clock, detail, shown?.currency || "");
  const minutes = Math.round((detail.played_today || 0) / 60000);
  played.textContent = shown?.me?.seat ? `${minutes} min · ${signed(detail.result_here || 0, shown.currency)} here` : "";
});
setInterval(() => shown?.me?.seat && link.say({ do: "clock" }), 20000);

async function show(view, first) {
  if (!view) return;
  if (!felt.cloth || first) felt.cloth = await clothOf(view);
  shown = view;
  stage.look(view);
  felt.show(view, stage.chips);
  stick.look(view);
  rail.look(view);
  chair.look(view);
  stayUp(view);
  drawTitle(view);
  drawTools(view);
  put(side.body("bets"), wagersPanel(view, felt, open, speak, giveBack));
  put(side.body("players"), playersPanel(view));
  side.show("rolls", view.advice && Boolean(view.me?.seat));
  if (side.current() === "rolls") rolls.look(link.number, view.currency);
  coach.look(view, stage);
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
  } else if (row.seat !== view.me?.seat) {
    // What somebody of the crew did to the viewer's own seat is said aloud.
    const own = decided.filter((each) => view.me?.seat && each.seat === view.me.seat && each.text);
    if (own.length) stick.tell(own.map((each) => each.text).join(" "));
  }
}

// A habit of the player: what may stay up when it wins is asked to, once for each wager.
const asked = new Set();
function stayUp(view) {
  const wagers = view.seats.find((seat) => seat.you)?.wagers || [];
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
      view.kind === "practice" ? " · practice" : ""), played);
}

function drawTools(view) {
  const key = [view.me?.seat, view.kind, (view.me?.stations || []).join(" "), JSON.stringify(view.notices), view.closed].join("|");
  if (tools.dataset.key === key) return;
  tools.dataset.key = key;
  const crew = (view.me?.stations || []).some((each) => !["player", "spectator"].includes(each));
  put(tools,
    view.me?.seat && button("Leave the table", () => leave(table, link, view)),
    button("Share", () => share(table, view)), h("a", { class: "button", href: `/rulebook/${encodeURIComponent(view.house)}` }, "Rulebook"),
    crew && h("a", { class: "button", href: `/console/${encodeURIComponent(table)}` }, "Crew console"),
    h("a", { class: "button", href: `/inspect/${encodeURIComponent(table)}` }, "Journal"),
    view.advice && view.me?.seat && button("First hand", () => coach.start()), button("Keys", help),
    view.closed && h("span", { class: "badge closed" }, "closed"),
    (view.notices || []).map((each) => h("span", { class: "badge closed" }, each.text)));
}

// -- what the player does ------------------------------------------------------------------------

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
  if (placing || shown?.phase !== "open") return;
  placing = true;
  try {
    await Promise.all([...stage.chips].map(async ([spot, amount]) => {
      const answer = await speak({ type: "bet", spot, amount });
      if (answer.refused) stage.chips.delete(spot);
      else stage.down(spot, amount);
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

// A wager that locked when it was placed: the box gives it back, and that is on record.
async function giveBack(spot) {
  if (!spot) return;
  const answer = await link.undo(spot);
  if (answer.refused) return refusal(answer.refused);
  stage.back(spot);
  toast(`The box gives your ${felt.spot(spot).name} back.`);
}

felt.addEventListener("spot", ({ detail: { act, spot, amount } }) => {
  if (!shown) return;
  if (act === "info") return open(spot);
  if (act === "remove") {
    if (stage.remove(spot)) return;
    const wager = shown.seats.find((seat) => seat.you)?.wagers.find((each) => each.spot === spot);
    if (shown.menu?.choices[spot]?.take_down) speak({ type: "takedown", spot });
    else if (wager && givable(shown, wager)) giveBack(spot);
    return;
  }
  if (shown.me?.seat && shown.phase !== "open") return void toast("No more bets: wait for the roll.");
  const made = stage.add(spot, amount || rail.chosen);
  if (!made) return open(spot);
  play("chip");
  if (keep.get("instant", false)) place();
});

document.addEventListener("odds", ({ detail: { spot, amount } }) => {
  const most = Math.min(amount, stage.purse);
  if (!stage.set(spot, most)) open(spot);
});
stage.addEventListener("change", () => {
  if (!shown) return;
  felt.show(shown, stage.chips);
  rail.refresh();
  coach.look(shown, stage);
});

const coach = new Coach(find("#main .side"), felt);
keys({ place, stage, rail, link, shown: () => shown });
