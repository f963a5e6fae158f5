// A form for any call of the crew: each field of a call has one kind of control.
import { field, h, s, select } from "../kit/dom.js";
import { amountOf, money } from "../kit/money.js";
import { drawnDie } from "./print.js";

const FACES = ["callroll", "enter", "attest", "decidefaces", "overrule"];
const LEFT_OUT = ["area", "split", "voucher", "total", "resting", "cocked", "id", "by", "at"];
const FLAGS = ["keep", "forfeit", "whole_round", "keeps", "stays"];
const WHAT = {
  shownotice: [["limits", "new limits"], ["closing", "closing"]],
  sanction: [["exclude", "exclude"], ["refuse wagers", "refuse further wagers"], ["void wagers", "void wagers"], ["vacate", "ask to give up the place"]],
};
const EVENTS = [["inspected", "the dice are inspected"], ["off", "a die went off the table"], ["chosen", "another die is given"], ["found", "the die is found"],
  ["checked", "the die is checked"], ["lost", "the die is given up"], ["new set", "a new set"], ["old dice", "the old dice are allowed"], ["rejected", "the dice are rejected"]];
const STEPS = [["decide", "decide"], ["review", "review"], ["inspect", "inspect"], ["close", "close"]];
const LABELS = {
  seat: "Player", person: "Person", cause: "Cause", reason: "Reason", amount: "Amount", minimum: "Minimum", maximum: "Maximum", unit: "Unit",
  spot: "Spot", note: "Note", what: "What", step: "Step", whom: "Whom", event: "What happened", station: "Station", keep: "Keeps the old limits",
  forfeit: "Wagers of that person are kept by the house", whole_round: "The whole round, not only the last roll", of: "Which call",
};
const MONEY = ["amount", "minimum", "maximum", "unit", "to"];

// Two dice to tap, as the stick enters them.
function dice(given, none) {
  const chosen = { first: given.first || 0, second: given.second || 0 };
  const row = (name, label) => {
    const group = h("div", { class: "faces", role: "radiogroup", "aria-label": label });
    for (let face = 1; face <= 6; face += 1) {
      const picture = s("svg", { viewBox: "0 0 30 30", class: "mini-die", width: 34, height: 34, "aria-hidden": "true" }, drawnDie(face, 0, 0, 30));
      const input = h("input", { type: "radio", name, value: face, class: "hidden", checked: chosen[name] === face, required: !none });
      group.append(h("label", { class: "face-choice" }, input, picture, h("span", { class: "hidden" }, `${label} ${face}`)));
    }
    return group;
  };
  return h("fieldset", {}, h("legend", {}, none ? "The faces (leave out: no roll)" : "The faces"), row("first", "First die"), row("second", "Second die"));
}

function control(name, call, view, cloth) {
  const seats = view.seats.map((seat) => [seat.name, seat.name]);
  const given = call.with?.[name];
  if (name === "seat") return select(seats, given, { name, required: true });
  if (name === "person") return h("input", { name, list: "people-here", value: given || "" });
  if (name === "spot") {
    const pending = view.pending?.map((each) => each.spot) || [];
    const spots = cloth.spots.filter((spot) => call.call !== "confirm" || !pending.length || pending.includes(spot.id));
    return select(spots.map((spot) => [spot.id, spot.name]), given, { name });
  }
  if (["reason", "cause"].includes(name)) {
    const reasons = call.reasons.map((each) => [each, each]);
    return reasons.length ? select(name === "cause" ? [["", "no cause named"], ...reasons] : reasons, given, { name }) : h("input", { name });
  }
  if (name === "what" && WHAT[call.call]) return select(WHAT[call.call], given, { name });
  if (name === "what") return call.reasons.length ? select(call.reasons.map((each) => [each, each]), given, { name }) : h("input", { name, required: true });
  if (name === "event") return select(EVENTS, given, { name });
  if (name === "step") return select(STEPS, given, { name });
  if (name === "whom") return select([["inspector", "the inspector"], ["surveillance", "surveillance"], ...seats], given, { name });
  if (name === "station") return select(Object.entries(view.stations || {}), given, { name });
  if (FLAGS.includes(name)) return h("input", { type: "checkbox", name });
  if (MONEY.includes(name)) return h("input", { name, inputmode: "decimal", value: given ? money(given).replaceAll(",", "") : "" });
  return h("input", { name, value: given ?? "" });
}

// What a call asks for, as controls; empty if nothing.
export function controls(call, view, cloth) {
  const fields = call.fields.filter((name) => !LEFT_OUT.includes(name));
  const faces = FACES.includes(call.call);
  const made = [];
  if (faces) made.push(dice(call.with || {}, ["decidefaces", "overrule"].includes(call.call)));
  for (const name of fields) {
    if (faces && ["first", "second"].includes(name)) continue;
    if (faces && ["cause", "person"].includes(name) && !call.reasons.length) continue;
    const names = call.call === "linkpartners" && ["first", "second"].includes(name);
    const made1 = names ? select(view.seats.map((seat) => [seat.name, seat.name]), "", { name }) : control(name, call, view, cloth);
    const label = names ? (name === "first" ? "One" : "The other") : LABELS[name] || name;
    made.push(FLAGS.includes(name) ? h("label", { class: "check" }, made1, label) : field(label, made1));
  }
  if (fields.includes("person")) made.push(h("datalist", { id: "people-here" }, view.seats.map((seat) => h("option", { value: seat.name }))));
  return made;
}

// The call from what the form holds.
export function filled(call, values) {
  const made = { type: call.call };
  for (const name of call.fields) {
    if (LEFT_OUT.includes(name)) continue;
    const value = values[name];
    if (FLAGS.includes(name)) made[name] = value !== undefined;
    else if (FACES.includes(call.call) && ["first", "second"].includes(name)) made[name] = Number(value || 0);
    else if (MONEY.includes(name)) made[name] = value ? amountOf(value) : 0;
    else if (value !== undefined && value !== "") made[name] = value;
    if (Number.isNaN(made[name])) throw new Error(`${LABELS[name] || name} is an amount like 25 or 2.50, not “${value}”.`);
  }
  return made;
}
