// The crew's console: what each station may say now, and why not; what waits; the table beside it.
import { button, find, h, put } from "../kit/dom.js";
import { clothOf } from "../kit/cloth.js";
import { showClauses } from "../kit/clauses.js";
import { question, toast, trouble } from "../kit/dialog.js";
import { Link } from "../kit/link.js";
import { money } from "../kit/money.js";
import { bar, noTable, part } from "../kit/shell.js";
import { controls, filled } from "../felt/calls.js";
import "../felt/felt.js";
import { Ledger, tabs } from "../felt/panels.js";
import { Stick } from "../felt/stick.js";
import { pay } from "../felt/training.js";

const table = part(2);
const link = new Link(table);
const felt = h("craps-felt");
const stick = new Stick(link, () => null);
const ledger = new Ledger();
const title = h("div", { class: "table-name" });
const gone = h("p", { class: "gone", role: "alert", hidden: true });
const waits = h("section", { class: "panel", "aria-label": "What waits" });
const stations = h("div", { class: "stations" });
const training = h("input", { type: "checkbox", name: "training" });
let shown = null;
let cloth = null;
let key = "";

bar(title, { compact: true });
put(find("#main"), gone, h("div", { class: "console" },
  h("div", { class: "left" }, h("section", { class: "felt-holder", "aria-label": "The layout" }, felt),
    h("section", { class: "panel", "aria-label": "What happened" }, h("h2", {}, "What happened"), ledger.element)),
  h("div", { class: "right" }, stick.element, waits, stations,
    h("label", { class: "check panel" }, training, "Training: say what each wager is paid before it is shown"))));

link.addEventListener("missing", noTable);
link.addEventListener("gone", () => {
  gone.textContent = "The server cannot be reached; this page comes back by itself.";
  gone.hidden = false;
});
link.addEventListener("open", () => {
  gone.hidden = true;
});
link.addEventListener("error", ({ detail }) => toast(detail.message || detail.code, { kind: "bad" }));
link.addEventListener("view", ({ detail }) => show(detail.view).catch(trouble));
link.addEventListener("row", ({ detail }) => {
  const rolled = detail.decided?.find((each) => each.type === "rolled");
  if (rolled) stick.rolled(rolled).catch(trouble);
  else if (detail.decided?.length) stick.tell(detail.decided.map((each) => each.text).filter(Boolean).join(" "));
  ledger.add({ ...detail, seat: detail.seat || "" }, everybody(link.view));
  felt.settle(detail.decided || []);
  if (training.checked) pay(detail, link.view, felt).catch(trouble);
});

// On the console everything at the table is of interest, not only one seat's.
const everybody = (view) => ({ ...view, seats: view.seats.map((seat) => ({ ...seat, you: true })) });

async function show(view) {
  if (!cloth) {
    cloth = await clothOf(view);
    felt.cloth = cloth;
  }
  shown = view;
  felt.show({ ...view, menu: null });
  stick.look({ ...view, menu: null, me: { ...view.me, seat: null } });
  document.title = `Console of ${view.name} · Boxman`;
  put(title, h("h1", {}, view.name), h("span", { class: "hide-small" }, view.title),
    h("span", {}, `${money(view.posted.minimum, view.currency)} to ${money(view.posted.maximum, view.currency)}`));
  drawWaits(view);
  drawStations(view);
}

function clockOf(notice) {
  const left = Math.max(0, Math.round((notice.until - Date.now()) / 1000));
  return left ? `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")} to go` : "its time has run";
}

function drawWaits(view) {
  const spot = (id) => felt.spot(id)?.name || id;
  const items = [
    ...(view.pending || []).map((each) => h("li", {}, `${each.seat}: ${each.what} ${spot(each.spot)} ${each.amount ? money(each.amount, view.currency) : ""}`, " ",
      may("confirm").map((station) => button(`Confirm as ${name(station)}`, () => make(station, { type: "confirm", seat: each.seat, spot: each.spot }), { class: "small" })))),
    ...(view.entered ? [h("li", {}, `The stick entered ${view.entered.join("-")}; the box confirms.`)] : []),
    ...(view.proposals || []).map((each) => h("li", {}, `${each.by} asks for a second person: ${each.call}`)),
    ...(view.disputes || []).map((each) => h("li", {}, `${each.seat} disputes ${each.about}: ${each.step}`)),
    ...(view.notices || []).map((each) => h("li", {}, `${each.text} `, h("span", { class: "clock", "data-until": each.until }, clockOf(each)))),
  ];
  put(waits, h("h2", {}, "Waiting"), items.length ? h("ul", { class: "told" }, items) : h("p", { class: "faint" }, "Nothing waits."));
}

setInterval(() => {
  for (const each of document.querySelectorAll(".clock")) each.textContent = clockOf({ until: Number(each.dataset.until) });
}, 1000);

const name = (station) => shown?.stations?.[station] || station;
const may = (call) => (shown.staff || []).filter((each) => each.calls.some((one) => one.call === call && one.enabled)).map((each) => each.station);

function drawStations(view) {
  const staff = view.staff || [];
  const now = JSON.stringify([staff, view.seats.map((seat) => seat.name)]);
  if (now === key) return;
  key = now;
  if (!staff.length) {
    put(stations, h("section", { class: "panel" }, h("h2", {}, "You work no station here"),
      h("p", {}, "The administrator appoints the crew of a table. ", h("a", { href: `/sign-in?next=/console/${encodeURIComponent(table)}` }, "Sign in"), " if you are one of them.")));
    return;
  }
  const chosen = stations.dataset.station || staff[0].station;
  const made = tabs("Stations", staff.map((each) => ({ id: each.station, name: name(each.station), opened: () => {
    stations.dataset.station = each.station;
  } })));
  for (const each of staff) {
    const [now, later] = [true, false].map((on) => each.calls.filter((call) => call.enabled === on).map((call) => entry(each.station, call)));
    put(made.body(each.station), h("h2", {}, "Now"), h("div", { class: "calls" }, now.length ? now : h("p", { class: "faint" }, "Nothing to say now.")),
      later.length ? [h("h2", {}, "Not now"), h("div", { class: "calls later" }, later)] : null);
  }
  put(stations, made.element);
  stations.querySelector(`#tab-${chosen}`)?.click();
}

function entry(station, call) {
  const id = `why-${station}-${call.call}`;
  return h("div", { class: "call-entry" },
    button(call.label, () => (call.enabled ? ask(station, call).catch(trouble) : showClauses(shown.house, call.clauses, call.label, h("p", {}, call.why))),
      { "aria-disabled": String(!call.enabled), "aria-describedby": call.enabled ? null : id, "data-call": call.call }),
    !call.enabled && h("small", { id }, call.why));
}

async function ask(station, call) {
  const wanted = controls(call, shown, cloth);
  if (!wanted.length) return make(station, { type: call.call, ...(call.with || {}) });
  const values = await question(`${name(station)}: ${call.label}`, wanted, { action: "Say it" });
  if (values) await make(station, { ...(call.with || {}), ...filled(call, values) });
}

async function make(station, call) {
  const answer = await link.call(call, station);
  if (!answer.refused) return;
  const refused = answer.refused;
  const text = `${refused.sentence}. ${refused.remedy || ""}`;
  toast(text, { kind: "bad", seconds: 12, more: refused.clauses?.length
    ? { label: "Why?", action: () => showClauses(shown.house, refused.clauses, "Refused", h("p", {}, text)) } : null });
}
