// The crew's console: what each station may say now, and why not; what waits; the table beside it.
import { ask } from "../kit/api.js";
import { button, find, h, put } from "../kit/dom.js";
import { clothOf } from "../kit/cloth.js";
import { showClauses } from "../kit/clauses.js";
import { toast, trouble } from "../kit/dialog.js";
import { Link } from "../kit/link.js";
import { money } from "../kit/money.js";
import { bar, noTable, part } from "../kit/shell.js";
import { asked } from "../felt/calls.js";
import "../felt/felt.js";
import { explainRow, Ledger, tabs } from "../felt/panels.js";
import { Stick } from "../felt/stick.js";
import { pay } from "../felt/training.js";

const table = part(2);
const base = `/api/tables/${encodeURIComponent(table)}/console`;
const link = new Link(table);
const felt = h("craps-felt");
const stick = new Stick(link, () => null, felt);
const ledger = new Ledger();
const title = h("div", { class: "table-name" });
const gone = h("p", { class: "gone", role: "alert", hidden: true }, "The server cannot be reached; this page comes back by itself.");
const waits = h("section", { class: "panel", "aria-label": "What waits" });
const stations = h("div", { class: "stations" });
const training = h("input", { type: "checkbox", name: "training" });
const school = h("label", { class: "check panel", hidden: true }, training, "Training: say what each wager is paid before it is shown");
const nobody = { stations: [], waiting: [], without: [] };
let shown = null;
let crew = nobody;
const drawn = {};

bar(title, { compact: true });
put(find("#main"), gone, h("div", { class: "console" },
  h("div", { class: "left" }, h("section", { class: "felt-holder", "aria-label": "The layout" }, felt),
    h("section", { class: "panel", "aria-label": "What happened" }, h("h2", {}, "What happened"), ledger.element)),
  h("div", { class: "right" }, stick.element, waits, stations, school)), stick.thrown);

const on = (name, act) => link.addEventListener(name, ({ detail }) => Promise.resolve(act(detail)).catch(trouble));
on("missing", (detail) => noTable({ detail }));
on("gone", () => gone.removeAttribute("hidden"));
on("open", () => gone.setAttribute("hidden", ""));
on("error", ({ message, code }) => toast(message || code, { kind: "bad" }));
on("view", ({ view }) => show(view));
on("row", happened);

async function happened(row) {
  const rolled = row.decided?.find((each) => each.type === "rolled");
  if (rolled) stick.rolled(rolled).catch(trouble);
  else if (row.decided?.length) stick.tell(row.decided.map((each) => each.text).filter(Boolean).join(" "));
  // Who trains to pay is asked before the table shows what it paid.
  if (training.checked) await pay(row, link.view, felt);
  // On the console everything at the table is of interest, not only one seat's.
  ledger.add({ ...row, seat: row.seat || "" }, { ...link.view, seats: link.view.seats.map((seat) => ({ ...seat, you: true })) });
  felt.settle(row.decided || []);
}

async function show(view) {
  if (!felt.cloth) felt.cloth = await clothOf(view);
  shown = view;
  school.hidden = view.kind !== "practice";
  felt.show({ ...view, menu: null });
  stick.look({ ...view, menu: null, me: { ...view.me, seat: null } });
  document.title = `Console of ${view.name} · Boxman`;
  put(title, h("h1", {}, view.name), h("span", { class: "hide-small" }, view.title),
    h("span", {}, `${money(view.posted.minimum, view.currency)} to ${money(view.posted.maximum, view.currency)}`));
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
  return left ? `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")} to go` : "its time has run";
}

function drawWaits() {
  if (same("waits", [crew.waiting, crew.stations.map((each) => each.station)])) return;
  const doing = ({ station, label, call, form }) => button(label,
    () => (form ? fill(station, { call: form }) : make(station, call)).catch(trouble), { class: "small" });
  const items = crew.waiting.map(({ what, text, until, about, does }) => {
    const number = Number(/^row (\d+)/.exec(about)?.[1]);
    return h("li", { "data-what": what }, text, " ", until && h("span", { class: "clock", "data-until": until }, clockOf(until)),
      h("div", { class: "actions" }, number > 0 && button(`Show row ${number}`, () => explainRow({ number, text: about }, table), { class: "small quiet" }), does.map(doing)));
  });
  put(waits, h("h2", {}, "Waiting"), items.length ? h("ul", { class: "told" }, items) : h("p", { class: "faint" }, "Nothing waits."));
}

setInterval(() => {
  for (const each of document.querySelectorAll(".clock")) each.textContent = clockOf(each.dataset.until);
}, 1000);


function drawStations() {
  if (same("stations", [crew.stations, crew.without])) return;
  const without = crew.without.length > 0 && h("p", { class: "faint" }, `This house has no ${crew.without.join(" and no ")}.`);
  if (!crew.stations.length) {
    put(stations, h("section", { class: "panel" }, h("h2", {}, "You work no station here"), without,
      h("p", {}, "The administrator appoints the crew of a table. ", h("a", { href: `/sign-in?next=/console/${encodeURIComponent(table)}` }, "Sign in"), " if you are one of them.")));
    return;
  }
  const held = document.activeElement?.dataset.call;
  const open = stations.querySelector("[role=tabpanel]:not([hidden]) details")?.open;
  const chosen = stations.dataset.station || crew.stations[0].station;
  const made = tabs("Stations", crew.stations.map(({ station, name }) => ({ id: station, name, opened: () => {
    stations.dataset.station = station;
  } })));
  for (const { station, name, calls } of crew.stations) {
    const sort = (call) => (call.enabled ? 0 : call.never ? 2 : 1);
    const [now, later, never] = [0, 1, 2].map((which) => calls.filter((call) => sort(call) === which))
      .map((some) => some.length > 0 && h("div", { class: "calls" }, some.map((call) => entry(station, call))));
    put(made.body(station), h("h2", {}, "Now"), now || h("p", { class: "faint" }, "Nothing to say now."), later && [h("h2", {}, "Not now"), later],
      never && h("details", { open }, h("summary", {}, `Not for the ${name}`), never));
  }
  put(stations, made.element, without);
  stations.querySelector(`#tab-${chosen}`)?.click();
  if (held) stations.querySelector(`[role=tabpanel]:not([hidden]) [data-call=${held}]`)?.focus();
}

function entry(station, call) {
  const id = `why-${station}-${call.call}`;
  return h("div", { class: "call-entry" },
    button(call.label, () => (call.enabled ? fill : whyNot)(station, call).catch(trouble),
      { "aria-disabled": String(!call.enabled), "aria-describedby": call.enabled ? null : id, "data-call": call.call }),
    !call.enabled && h("small", { id }, call.why));
}

const formOf = (station, { call }) => ask(`${base}/${station}/${call}`);

async function fill(station, call) {
  const form = await formOf(station, call);
  if (!form.ways.length) return look();
  const said = await asked(`${form.name}: ${form.label}`, form, shown.currency);
  return said && make(station, said);
}

// Why not, choice by choice, with the clauses.
async function whyNot(station, call) {
  const { choices } = await formOf(station, call);
  const options = choices[0]?.options.filter((each) => each.why && each.text) || [];
  return showClauses(shown.house, call.clauses, call.label, [h("p", {}, call.why),
    options.length > 1 && h("ul", { class: "told" }, options.map((each) => h("li", {}, h("strong", {}, each.text), `: ${each.why}.`)))]);
}

async function make(station, call) {
  const { refused } = await link.call(call, station);
  if (!refused) return;
  const text = `${refused.sentence}. ${refused.remedy || ""}`;
  toast(text, { kind: "bad", seconds: 12, more: { label: "Why?", action: () => showClauses(shown.house, refused.clauses, "Refused", h("p", {}, text)) } });
}
