// The crew's console: what waits on top, what each station may say in its place, the table and its players beside it.
import { ask, clothOf, post } from "../kit/api.js";
import { button, calm, field, find, h, put } from "../kit/dom.js";
import { showClauses } from "../kit/clauses.js";
import { dialog, question, toast, trouble } from "../kit/dialog.js";
import { Link } from "../kit/link.js";
import { amountOf, money, signed } from "../kit/money.js";
import { say } from "../kit/say.js";
import { noTable, part } from "../kit/shell.js";
import { Band, Head } from "../felt/head.js";
import { asked } from "../felt/calls.js";
import { Cubes } from "../felt/cubes.js";
import "../felt/felt.js";
import { explainRow, Ledger, playersPanel, tabs } from "../felt/panels.js";
import { play } from "../felt/sound.js";
import { views } from "../felt/print.js";

const table = part(2);
const at = encodeURIComponent(table);
const base = `/api/tables/${at}/console`;
const link = new Link(table);
const felt = h("craps-felt", { class: "fills", still: true });
const cubes = new Cubes(felt);
const band = new Band(table, link);
band.hint = (view) => say(`console.phase.${view.phase}`);
const ledger = new Ledger();
const gone = h("p", { class: "gone", role: "alert", hidden: true }, say("console.gone"));
const waits = h("section", { class: "panel waits", "aria-label": say("console.waits"), role: "region" });
const stations = h("div", { class: "stations" });
const players = h("section", { class: "panel", "aria-label": say("table.tabs.players") });
const training = h("input", { type: "checkbox", name: "training" });
const school = h("label", { class: "check panel", hidden: true }, training, say("console.training"));
const nobody = { stations: [], waiting: [], without: [] };
let shown = null;
let crew = nobody;
const drawn = {};

const head = new Head({ dialog, notes: () => [], menu: () => [
  { word: say("console.to-table"), href: `/table/${at}` },
  { word: say("table.journal"), href: `/inspect/${at}` },
  { word: say("table.rulebook"), href: `/rulebook/${encodeURIComponent(shown?.house || "")}?table=${at}` },
  { word: say("shell.me"), href: "/me" },
] });
const wood = h("section", { class: "wood alone", "aria-label": say("table.layout") }, band.element,
  views(felt), h("div", { class: "cloth" }, felt, cubes.element, cubes.total));
put(find("#main"), gone, waits, wood, h("div", { class: "working" }, stations, school), h("div", { class: "below" },
  players, h("section", { class: "panel", "aria-label": say("ledger.title") }, h("h2", {}, say("ledger.title")),
    ledger.element)));

const on = (name, act) => link.addEventListener(name, ({ detail }) => Promise.resolve(act(detail)).catch(trouble));
on("missing", (detail) => noTable({ detail }));
on("gone", () => gone.removeAttribute("hidden"));
on("open", () => gone.setAttribute("hidden", ""));
on("error", ({ message, code }) => toast(message || code, { kind: "bad" }));
on("view", ({ view }) => show(view));
// Rows are shown one after the other, in their order; where more wait, dice are only put down.
let rows = Promise.resolve();
let behind = 0;
on("row", (row) => {
  behind += 1;
  rows = rows.then(() => happened(row)).catch(trouble).finally(() => {
    behind -= 1;
  });
});
// On the console everything at the table is of interest, not only one seat's.
const everybody = () => ({ ...link.view, seats: link.view.seats.map((seat) => ({ ...seat, you: true })) });
on("snapshot", ({ number }) => ledger.past(link, number, everybody));

async function happened(row) {
  const decided = row.decided || [];
  const rolled = decided.find((each) => each.type === "rolled");
  const back = decided.some((each) => each.type === "reversed");
  if (rolled) {
    const faces = [rolled.first, rolled.second];
    if (calm() || back || behind > 2) cubes.rest(faces);
    else await cubes.throw(faces);
    const call = back ? say("table.overruled", { call: rolled.call }) : rolled.call;
    band.tell({ total: faces[0] + faces[1], call, parts: [], net: 0, kind: rolled.event === "seven-out" ? "out" : "" });
  } else if (decided.length) band.note(decided.map((each) => each.text).filter(Boolean).join(" "),
    back ? "bad" : "calm");
  // Who trains to pay is asked before the table shows what it paid.
  if (training.checked) await pay(row, link.view, felt);
  ledger.add(row, everybody());
  felt.settle(decided);
}

async function show(view) {
  if (!felt.cloth) felt.cloth = await clothOf(view);
  document.body.dataset.cloth = felt.dataset.cloth;
  if (!shown && view.dice) cubes.rest(view.dice);
  shown = { ...view, menu: null, me: { ...view.me, seat: null } };
  school.hidden = view.kind !== "practice";
  felt.show(shown);
  band.look(shown, link.number);
  head.look(shown, felt.cloth);
  document.title = say("console.title", { name: view.name });
  put(players, h("h2", {}, say("table.tabs.players")), playersPanel(view));
  look();
}

// What may be said is asked of the server after every change, one question at a time.
let looking = null;
let again = false;
let timer = 0;

function look() {
  again = true;
  looking ||= (async () => {
    while (again) {
      again = false;
      const found = await ask(base).catch((error) => (error.status === 401 ? nobody : null));
      if (found) draw(found);
    }
    looking = null;
  })();
}

function draw(data) {
  crew = data;
  drawWaits();
  drawStations();
  // When the clock of a notice has run, other things may be said.
  const next = Math.min(...crew.waiting.map((each) => each.until).filter((each) => each > Date.now()));
  clearTimeout(timer);
  if (next < Infinity) timer = setTimeout(look, next - Date.now() + 500);
}

// Drawn anew only where something is different: a button that is about to be pressed stays.
function same(which, now) {
  const before = drawn[which];
  drawn[which] = JSON.stringify(now);
  return before === drawn[which];
}

function clockOf(until) {
  const left = Math.max(0, Math.round((until - Date.now()) / 1000));
  return left ? say("console.to-go", { time: `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}` })
    : say("console.over");
}

const mine = ({ does }) => does.length > 0;

// While somebody points at what waits, nothing there moves: what was done leaves a gap, what is new comes last.
let places = [];
let pointed = false;
const point = (on) => () => {
  pointed = on;
  if (!on && crew.waiting.length !== places.length) drawWaits(true);
};
waits.addEventListener("pointerenter", point(true));
waits.addEventListener("pointerleave", ({ pointerType }) => setTimeout(point(false),
  pointerType === "mouse" ? 0 : 1500));

function inPlaces() {
  const sorted = [...crew.waiting].sort((a, b) => mine(b) - mine(a));
  if (!pointed || !sorted.length) places = [];
  places.push(...sorted.map((each) => each.id).filter((id) => !places.includes(id)));
  return places.map((id) => sorted.find((each) => each.id === id));
}

// What could be said from several stations is said from the open one, or the first that may.
const once = (does) => does.filter((each, n) => {
  const alike = does.filter((one) => JSON.stringify([one.call, one.form]) === JSON.stringify([each.call, each.form]));
  return each === (alike.find(({ station }) => station === stations.dataset.station) || alike[0]);
});

// What waits for the viewer stands first, large, and is heard once.
function drawWaits(anew = false) {
  if (same("waits", [crew.waiting, crew.stations.map((each) => each.station), facesFrom(), stations.dataset.station])
    && !anew) return;
  // A word from another station than the open one names it.
  const doing = ({ station, name, label, call, form }, n) =>
    button(!name || station === stations.dataset.station ? label : `${label} (${name})`,
    () => (form ? fill(station, { call: form }) : make(station, call, label)).catch(trouble),
    { class: n ? "" : "main" });
  const items = inPlaces().map((item) => {
    if (!item) return h("li", { class: "done", "aria-hidden": "true" }, "✓");
    const { what, text, until, about, does } = item;
    const number = Number(/^row (\d+)/.exec(about)?.[1]);
    return h("li", { "data-what": what, class: mine(item) ? "mine" : "" }, h("span", {}, text, " ",
      until && h("span", { class: "clock", "data-until": until }, clockOf(until))),
      h("div", { class: "actions" }, once(does).map(doing), number > 0 && button(say("console.show-row", { n: number }),
        () => explainRow({ number, text: about }, table), { class: "quiet" })));
  });
  const urgent = crew.waiting.filter(mine).map((each) => each.text).join(" ");
  waits.classList.toggle("urgent", Boolean(urgent));
  if (urgent && urgent !== drawn.urgent) play("urgent");
  drawn.urgent = urgent;
  const kind = items.length > 2 ? "told queue" : "told";
  put(waits, items.length ? h("ul", { class: kind, "aria-live": "assertive" }, items)
    : h("p", { class: "faint" }, say("console.nothing")),
  facesFrom() && h("p", { class: "faint keys-hint" }, h("kbd", {}, "1–6"), " ", h("kbd", {}, "1–6"), " ",
    h("kbd", {}, "Enter"), ` ${say("console.faces-keys")}`));
}

setInterval(() => {
  for (const each of document.querySelectorAll(".clock")) each.textContent = clockOf(each.dataset.until);
}, 1000);

const byStation = (station) => crew.stations.find((each) => each.station === station);

function drawStations() {
  if (same("stations", [crew.stations, crew.without])) return;
  const without = crew.without.length > 0 && h("p", { class: "faint" },
    say("console.without", { names: crew.without }));
  if (!crew.stations.length) {
    put(stations, h("section", { class: "panel" }, h("h2", {}, say("console.no-station")), without, help()));
    return;
  }
  // The same buttons in the same places: only what they say of themselves changes.
  if (!same("which", crew.stations.map((each) => [each.station, each.calls.map(({ call, never }) => [call, never])]))) {
    build(without);
  }
  for (const { station, calls } of crew.stations) {
    for (const call of calls) {
      const entry = stations.querySelector(`#panel-${station} [data-call="${call.call}"]`);
      entry.setAttribute("aria-disabled", String(!call.enabled));
      entry.nextSibling.textContent = call.enabled ? "" : call.why;
    }
  }
}

function build(without) {
  const held = document.activeElement?.dataset.call;
  const open = stations.querySelector("[role=tabpanel]:not([hidden]) details")?.open;
  const chosen = stations.dataset.station || crew.stations[0].station;
  const made = tabs(say("console.stations"), crew.stations.map(({ station, name }) => ({ id: station, name,
    opened: () => {
      stations.dataset.station = station;
      drawWaits();
    } })));
  for (const { station, name, calls } of crew.stations) {
    const some = (never) => h("div", { class: "calls" }, calls.filter((call) => call.never === never)
      .map((call) => entry(station, call)));
    put(made.body(station), some(false), calls.some((call) => call.never)
      && h("details", { open }, h("summary", {}, say("console.not-for", { name })), some(true)));
  }
  put(stations, made.element, without);
  stations.querySelector(`#tab-${chosen}`)?.click();
  if (held) stations.querySelector(`[role=tabpanel]:not([hidden]) [data-call=${held}]`)?.focus();
}

// Whoever runs the house appoints here; anybody else is told who does.
function help() {
  const holder = h("div", {}, h("p", {}, say("console.appoints"), " ",
    h("a", { href: `/sign-in?next=/console/${at}` }, say("console.sign-in"))));
  ask("/api/me").then(async (me) => {
    if (!me.administrator) return;
    const { crewPanel } = await import("../kit/crew.js");
    put(holder, h("p", {}, say("console.appoint-now")), await crewPanel(me, table, look));
  }).catch(trouble);
  return holder;
}

function entry(station, { call, label }) {
  const id = `why-${station}-${call}`;
  const now = () => byStation(station).calls.find((each) => each.call === call);
  return h("div", { class: "call-entry" }, button(label,
    () => (now().enabled ? fill : whyNot)(station, now()).catch(trouble),
    { "aria-describedby": id, "data-call": call }), h("small", { id }));
}

const formOf = (station, { call }) => ask(`${base}/${station}/${call}`);

async function fill(station, call, typed) {
  const form = await formOf(station, call);
  if (!form.ways.length) return look();
  const title = `${form.name}: ${form.label}`;
  const said = await asked(title, form, shown.currency, typed);
  return said && make(station, said, title);
}

// Why not, choice by choice, with the clauses.
async function whyNot(station, call) {
  const { choices } = await formOf(station, call);
  const options = choices[0]?.options.filter((each) => each.why && each.text) || [];
  return showClauses(shown.house, call.clauses, call.label, [h("p", {}, call.why),
    options.length > 1 && h("ul", { class: "told" }, options.map((each) =>
      h("li", {}, h("strong", {}, each.text), `: ${each.why}.`)))]);
}

// What takes money back, voids a roll, sends somebody off or closes the table is shown before it is said.
async function make(station, call, title) {
  const { grave, told, wagers, moves } = await post(`${base}/${station}/preview`, { call });
  const list = (lines) => h("ul", { class: "told" }, lines.map((each) => h("li", {}, each)));
  if (grave && !(await question(title, [list(told), moving(moves), wagers.length > 0 && h("details", {},
    h("summary", {}, say("console.wagers", { n: wagers.length })), list(wagers))],
  { action: say("console.do-it"), note: say("console.would") }))) return;
  const { refused } = await link.call(call, station);
  if (!refused) return;
  const text = `${refused.sentence}. ${refused.remedy || ""}`;
  toast(text, { kind: "bad", seconds: 12, more: { label: say("table.why"),
    action: () => showClauses(shown.house, refused.clauses, say("table.refused"), h("p", {}, text)) } });
}

function moving(moves) {
  if (!moves.length) return h("p", {}, say("console.no-chips"));
  const figure = (amount) => h("td", { class: `number ${amount < 0 ? "lost" : amount > 0 ? "won" : ""}` },
    amount ? signed(amount, shown.currency) : "");
  return h("table", { class: "moves" }, h("thead", {}, h("tr", {}, ["player", "rail", "then", "layout"].map((each, n) =>
    h("th", { scope: "col", class: n ? "number" : "" }, say(`side.columns.${each}`))))),
  h("tbody", {}, moves.map(({ seat, rail, then, layout }) => h("tr", {}, h("th", { scope: "row" }, seat), figure(rail),
    h("td", { class: "number" }, money(then, shown.currency)), figure(layout)))));
}

// -- keys: the faces as they are seen, then Enter --

// From where faces could be said now: the stick enters them, the box has seen them, somebody decides.
function facesFrom() {
  const open = (call) => crew.stations.find((each) => each.calls.some((one) => one.call === call && one.enabled));
  for (const call of ["enter", "attest", "decidefaces"]) if (open(call)) return { station: open(call).station, call };
  return null;
}

let typed = null;
document.addEventListener("keydown", (event) => {
  if (!/^[1-6]$/.test(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input:not([type=radio]), textarea, select")) return;
  if (typed) return void typed.push(event.key);
  const from = !find("dialog[open]") && facesFrom();
  if (!from) return;
  // The keys that come before the form is there are not lost.
  typed = [event.key];
  typed.push = (key) => {
    Array.prototype.push.call(typed, key);
    typed.heard?.();
  };
  fill(from.station, from, typed).catch(trouble).finally(() => {
    typed = null;
  });
});

// -- training for dealers: what does each winning wager get? Said first, checked after, with the clause --

async function pay(row, view, felt) {
  const won = (row.decided || []).filter((each) => each.type === "settled" && each.paid > 0);
  if (!won.length) return;
  const rolled = row.decided.find((each) => each.type === "rolled");
  const name = (each) =>
    `${each.seat}: ${felt.spot(each.spot)?.name || each.spot}, ${money(each.stake, view.currency)}`;
  const answer = await question(rolled ? say("training.pay", { roll: `${rolled.first}-${rolled.second}` })
    : say("training.pay-it"),
    won.map((each, n) => field(name(each), h("input", { name: `paid${n}`, inputmode: "decimal", autocomplete: "off",
      required: true }))), { action: say("training.action") });
  if (!answer) return;
  const said = won.map((each, n) => amountOf(answer[`paid${n}`] || ""));
  const right = said.every((each, n) => each === won[n].paid);
  const told = won.map((each, n) => h("li", { class: said[n] === each.paid ? "won" : "lost" },
    said[n] === each.paid ? say("training.gets", { name: name(each), paid: money(each.paid, view.currency) })
      : say("training.not", { name: name(each), paid: money(each.paid, view.currency),
        said: `${view.currency}${answer[`paid${n}`]}` })));
  const why = () => showClauses(view.house, [...new Set(won.flatMap((each) => each.cites))],
    say(right ? "training.right" : "training.wrong"), h("ul", { class: "told" }, told));
  if (right) toast(say("training.paid-right"), { kind: "good", more: { label: say("table.why"), action: why } });
  else await why();
}
