// One spot in full: its price, limits and clauses, the viewer's wager and what may be done with it.
import { once } from "../kit/api.js";
import { button, h } from "../kit/dom.js";
import { cite, showClauses } from "../kit/clauses.js";
import { dialog } from "../kit/dialog.js";
import { givable } from "./stage.js";
import { allowed, amountOf, atLeast, atMost, highest, money, plain, rangeWords } from "../kit/money.js";

const MADE = { off: "before a come-out roll", on: "once there is a point", any: "at any time",
  never: "only by travelling here" };

async function edge(view, spot) {
  if (!view.advice) return null;
  const list = await once(`/api/houses/${encodeURIComponent(view.house)}/odds`).catch(() => null);
  const name = spot.family.endsWith(".odds") && view.puck ? `${spot.id}.${view.puck}` : spot.id;
  const row = list?.wagers[name];
  return row && { ...row, name };
}

function facts(pairs) {
  return h("dl", { class: "facts" }, pairs.filter(([, value]) => value).map(([name, value]) =>
    [h("dt", {}, name), h("dd", {}, value)]));
}

// Amounts at one touch, and any other that the ranges allow: it is asked for until it is one.
function amounts(view, ranges, offered, { label, value, words, says, act }) {
  const input = h("input", { inputmode: "decimal", size: 7, value, "aria-label": label });
  const say = (amount) => {
    if (allowed(ranges, amount) && act(amount)) return;
    input.setCustomValidity(`Say ${rangeWords(ranges, view.currency)}, and no more than your rail can pay.`);
    input.reportValidity();
  };
  return h("div", { class: "quick" },
    [...new Set(offered)].filter(Boolean).map((amount) => button(words(amount), () => say(amount))),
    h("form", { class: "actions", oninput: () => input.setCustomValidity(""), onsubmit: (event) => {
      event.preventDefault();
      say(amountOf(input.value));
    } }, input, h("button", {}, says)));
}

function adding(view, { spot }, stage, close) {
  const ranges = stage.ranges(spot);
  const most = stage.most(spot, highest(ranges));
  const least = atLeast(ranges, 1);
  const usual = atLeast(ranges, view.posted.minimum) || least;
  const offered = [usual, atMost(ranges, usual * 2), atMost(ranges, usual * 5), most].filter((each) => each <= most);
  return amounts(view, ranges, offered, {
    label: "Amount", value: plain(stage.chips.get(spot) || usual), says: "Stage it",
    words: (amount) => `${money(amount, view.currency)}${{ [least]: " (least)", [most]: " (most)" }[amount] || ""}`,
    act: (amount) => {
      const made = stage.set(spot, amount);
      if (made) close();
      return made;
    },
  });
}

function lowering(view, wager, { spot, lower }, act) {
  return amounts(view, lower, [atMost(lower, Math.floor(wager.stake / 2)), atLeast(lower, 1)], {
    label: "Lower to", value: "", says: "Lower it", words: (amount) => `Lower to ${money(amount, view.currency)}`,
    act: (to) => act({ type: "reduce", spot, to }),
  });
}

function standing(view, spot, wager, choice, stage, { call, giveBack }, close) {
  const said = (made) => {
    call(made);
    close();
    return true;
  };
  const act = (label, made, more = {}) => button(label, () => said(made), more);
  const press = choice?.bet.length ? atMost(choice.bet, wager.stake) : 0;
  return [
    h("p", {}, `You have ${money(wager.stake, view.currency)} here, `,
      wager.working ? "working." : "not working now.", wager.stays ? " It stays up when it wins." : "",
      wager.locked ? " It cannot come down." : "",
      givable(view, wager)
        ? ` ${money(wager.fresh, view.currency)} can still be undone.` : ""),
    h("div", { class: "quick" },
      press > 0 && button(`Press by ${money(press, view.currency)}`, () => {
        stage.set(spot.id, press);
        close();
      }),
      choice?.calls.map((each) => act(`Call it ${each}`, { type: "setworking", spot: spot.id, call: each })),
      choice?.keep === true && act("Keep it up when it wins", { type: "stayup", spot: spot.id, stays: true }),
      choice?.keep === false && act("Take it down when it wins", { type: "stayup", spot: spot.id, stays: false }),
      choice?.take_down && act("Take it down", { type: "takedown", spot: spot.id }, { class: "danger" }),
      givable(view, wager) && button(`Undo ${money(wager.fresh, view.currency)}`, () => {
        giveBack(spot.id);
        close();
      })),
    choice?.lower.length > 0 && lowering(view, wager, choice, said),
  ];
}

function splitting(choice, call, close, name) {
  if (!choice?.parts?.length || !choice.bet.length) return null;
  const inputs = choice.parts.map((part) => h("input", { inputmode: "decimal", "aria-label": `On ${name(part)}`,
    placeholder: name(part) }));
  return h("details", {}, h("summary", {}, "Name the parts yourself"),
    h("form", { class: "actions", onsubmit: (event) => {
      event.preventDefault();
      const split = inputs.map((input) => amountOf(input.value || "0"));
      if (split.some(Number.isNaN)) return;
      call({ type: "bet", spot: choice.spot, amount: split.reduce((a, b) => a + b, 0), split });
      close();
    } }, inputs, h("button", {}, "Bet it so")));
}

export async function openSheet(spot, view, stage, { call, giveBack, ask, name }) {
  const choice = view.menu?.choices[spot.id];
  const wager = view.seats.find((seat) => seat.you)?.wagers.find((each) => each.spot === spot.id);
  const known = await edge(view, spot);
  let box = null;
  const close = () => box.close();
  const limits = choice?.bet.length ? rangeWords(choice.bet, view.currency) : "";
  const refusal = !choice?.bet.length && view.me?.seat && spot.made !== "never"
    && button("Ask for it anyway", () => {
      ask(spot.id);
      close();
    }, { class: "small" });
  box = dialog(spot.name, [
    h("p", {}, spot.price ? `Pays ${spot.price}.` : "",
      spot.bar ? ` Barred on the come-out: ${spot.bar.join(", ")}.` : "", spot.fee ? ` Fee: ${spot.fee}.` : ""),
    wager && standing(view, spot, wager, choice, stage, { call, giveBack }, close),
    choice?.bet.length ? [h("h3", {}, wager ? "Add" : "Bet"), adding(view, choice, stage, close),
      splitting(choice, call, close, name)] : null,
    facts([
      ["You may add now", limits && h("span", { id: "sheet-limits" }, limits)],
      ["Made", MADE[spot.made]],
      ["Exact edge", known && `${known.edge} of the stake (${known.percent.toFixed(3)} %)`],
      ["Wins", known && `${known.win} of the time (${known.wins_percent.toFixed(1)} %), in ${known.rolls_number.toFixed(1)} rolls on average`],
    ]),
    !choice?.bet.length && view.menu && h("p", { class: "faint" }, "No chips can be added here now. ", refusal),
    h("p", {}, "The rulebook: ", cite(view.house, spot.clauses, spot.name), " ",
      button("Read them all", () => showClauses(view.house, spot.clauses, spot.name), { class: "small" })),
  ]);
  return box;
}
