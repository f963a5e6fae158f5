// One spot in full: its price, limits and clauses, the viewer's wager and what may be done with it.
import { once } from "../kit/api.js";
import { button, field, h } from "../kit/dom.js";
import { cite, showClauses } from "../kit/clauses.js";
import { dialog } from "../kit/dialog.js";
import { givable } from "./stage.js";
import { allowed, amountOf, atLeast, atMost, highest, money, plain, rangeWords } from "../kit/money.js";

const MADE = { off: "before a come-out roll", on: "once there is a point", any: "at any time", never: "only by travelling here" };

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

// Amounts at one touch: the least, a middle, the most, and what is asked for.
function quick(view, choice, stage, close) {
  const ranges = stage.ranges(choice.spot);
  const most = Math.min(highest(ranges), view.menu.rail);
  const least = atLeast(ranges, 1);
  const middle = atMost(ranges, Math.floor(most / 2));
  const amounts = [...new Set([least, middle, atMost(ranges, most)])].filter(Boolean);
  const input = h("input", { inputmode: "decimal", name: "amount", "aria-describedby": "sheet-limits",
    value: plain(stage.chips.get(choice.spot) || least) });
  const stageIt = (amount) => {
    if (stage.set(choice.spot, amount)) close();
    else input.setCustomValidity(`Say ${rangeWords(ranges, view.currency)}.`);
  };
  const words = { [least]: "least", [atMost(ranges, most)]: "most" };
  return [
    h("div", { class: "quick" }, amounts.map((amount) => button(
      `${money(amount, view.currency)}${words[amount] ? ` (${words[amount]})` : ""}`, () => stageIt(amount)))),
    h("form", { class: "actions", onsubmit: (event) => {
      event.preventDefault();
      const amount = amountOf(input.value);
      if (allowed(ranges, amount)) stageIt(amount);
      else {
        input.setCustomValidity(`Say ${rangeWords(ranges, view.currency)}.`);
        input.reportValidity();
      }
    }, oninput: () => input.setCustomValidity("") }, field("Amount", input), h("button", {}, "Stage it")),
  ];
}

function lowering(view, wager, choice, call, close) {
  if (!choice?.lower.length) return null;
  const lower = (amount) => {
    call({ type: "reduce", spot: choice.spot, to: amount });
    close();
  };
  const half = atMost(choice.lower, Math.floor(wager.stake / 2));
  const least = atLeast(choice.lower, 1);
  const input = h("input", { inputmode: "decimal", name: "lower", size: 7, "aria-label": "Lower to" });
  return [
    [...new Set([half, least])].filter(Boolean).map((amount) =>
      button(`Lower to ${money(amount, view.currency)}`, () => lower(amount))),
    h("form", { class: "actions", oninput: () => input.setCustomValidity(""), onsubmit: (event) => {
      event.preventDefault();
      const amount = amountOf(input.value);
      if (allowed(choice.lower, amount)) return lower(amount);
      input.setCustomValidity(`Say ${rangeWords(choice.lower, view.currency)}.`);
      input.reportValidity();
    } }, input, h("button", {}, "Lower it")),
  ];
}

function standing(view, spot, wager, choice, stage, { call, giveBack }, close) {
  const act = (label, made, more = {}) => button(label, () => {
    call(made);
    close();
  }, more);
  const press = choice?.bet.length ? atMost(choice.bet, wager.stake) : 0;
  return [
    h("p", {}, `You have ${money(wager.stake, view.currency)} here, `,
      wager.working ? "working." : "not working now.", wager.stays ? " It stays up when it wins." : "",
      wager.locked ? " It cannot come down." : "",
      givable(view, wager) ? ` ${money(wager.fresh, view.currency)} went down since the last throw: the box gives it back.` : ""),
    h("div", { class: "quick" },
      press > 0 && button(`Press by ${money(press, view.currency)}`, () => {
        stage.set(spot.id, press);
        close();
      }),
      lowering(view, wager, choice, call, close),
      choice?.calls.map((each) => act(`Call it ${each}`, { type: "setworking", spot: spot.id, call: each })),
      choice?.keep === true && act("Keep it up when it wins", { type: "stayup", spot: spot.id, stays: true }),
      choice?.keep === false && act("Let it go when it wins", { type: "stayup", spot: spot.id, stays: false }),
      choice?.take_down && act("Take it down", { type: "takedown", spot: spot.id }, { class: "danger" }),
      givable(view, wager) && button(`Undo ${money(wager.fresh, view.currency)}`, () => {
        giveBack(spot.id);
        close();
      })),
  ];
}

function splitting(choice, call, close, name) {
  if (!choice?.parts?.length || !choice.bet.length) return null;
  const inputs = choice.parts.map((part) => h("input", { inputmode: "decimal", "aria-label": `On ${name(part)}`, placeholder: name(part) }));
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
    h("p", { class: "sheet-price" }, spot.price ? `Pays ${spot.price}.` : "",
      spot.bar ? ` Barred on the come-out: ${spot.bar.join(", ")}.` : "", spot.fee ? ` Fee: ${spot.fee}.` : ""),
    wager && standing(view, spot, wager, choice, stage, { call, giveBack }, close),
    choice?.bet.length ? [h("h3", {}, wager ? "Add" : "Bet"), quick(view, choice, stage, close),
      splitting(choice, call, close, name)] : null,
    facts([
      ["You may add now", limits && h("span", { id: "sheet-limits" }, limits)],
      ["Made", MADE[spot.made]],
      ["Exact edge", known && `${known.edge} of the stake (${known.percent.toFixed(3)} %)`],
      ["Wins", known && `${known.win} of the time, in ${known.rolls} ${String(known.rolls) === "1" ? "roll" : "rolls"} on average`],
    ]),
    !choice?.bet.length && view.menu && h("p", { class: "faint" }, "No chips can be added here now. ", refusal),
    h("p", {}, "The rulebook: ", cite(view.house, spot.clauses, spot.name), " ",
      button("Read them all", () => showClauses(view.house, spot.clauses, spot.name), { class: "small" })),
  ]);
  return box;
}
