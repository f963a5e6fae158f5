// One spot in full: its price, limits and clauses, the viewer's wager and what may be done with it. Read when it is
// asked for first.
import { ask } from "../kit/api.js";
import { button, h } from "../kit/dom.js";
import { cite, showClauses } from "../kit/clauses.js";
import { dialog } from "../kit/dialog.js";
import { say } from "../kit/say.js";
import { givable } from "./stage.js";
import { allowed, amountOf, atLeast, atMost, highest, money, plain, rangeWords } from "../kit/money.js";

function facts(pairs) {
  return h("dl", { class: "facts" }, pairs.filter(([, value]) => value).map(([name, value]) =>
    [h("dt", {}, say(`sheet.facts.${name}`)), h("dd", {}, value)]));
}

// Amounts at one touch, and any other that the ranges allow: it is asked for until it is one.
function amounts(view, ranges, offered, { label, value, words, says, act }) {
  const input = h("input", { inputmode: "decimal", size: 7, value, "aria-label": label });
  const take = (amount) => {
    if (allowed(ranges, amount) && act(amount)) return;
    input.setCustomValidity(say("sheet.no-more-than", { ranges: rangeWords(ranges, view.currency) }));
    input.reportValidity();
  };
  return h("div", { class: "quick" },
    [...new Set(offered)].filter(Boolean).map((amount) => button(words(amount), () => take(amount))),
    h("form", { class: "actions", oninput: () => input.setCustomValidity(""), onsubmit: (event) => {
      event.preventDefault();
      take(amountOf(input.value));
    } }, input, h("button", {}, says)));
}

// What is offered first is the least stake that the house pays without rounding, as it says itself.
function adding(view, { spot }, stage, close, laid, whole) {
  const ranges = stage.ranges(spot);
  const most = stage.most(spot, highest(ranges));
  const least = atLeast(ranges, 1);
  const usual = allowed(ranges, whole) && whole <= most ? whole : atLeast(ranges, view.posted.minimum) || least;
  const offered = [usual, atMost(ranges, usual * 2), atMost(ranges, usual * 5), most].filter((each) => each <= most);
  return amounts(view, ranges, offered, {
    label: say("sheet.amount"), value: plain(stage.chips.get(spot) || usual), says: say("sheet.stage"),
    words: (amount) => say({ [least]: "sheet.least", [most]: "sheet.most" }[amount] || "sheet.plain",
      { amount: money(amount, view.currency) }),
    act: (amount) => {
      const made = stage.set(spot, amount);
      if (made) close();
      if (made) laid();
      return made;
    },
  });
}

function lowering(view, wager, { spot, lower }, act) {
  return amounts(view, lower, [atMost(lower, Math.floor(wager.stake / 2)), atLeast(lower, 1)], {
    label: say("sheet.lower-to"), value: "", says: say("sheet.lower-it"),
    words: (amount) => say("sheet.lower", { amount: money(amount, view.currency) }),
    act: (to) => act({ type: "reduce", spot, to }),
  });
}

function standing(view, spot, wager, choice, stage, { call, giveBack, laid }, close) {
  const said = (made) => {
    call(made);
    close();
    return true;
  };
  const act = (label, made, more = {}) => button(label, () => said(made), more);
  const press = choice?.bet.length ? atMost(choice.bet, wager.stake) : 0;
  return [
    h("p", {}, [say(wager.working ? "sheet.working" : "sheet.sleeps", { amount: money(wager.stake, view.currency) }),
      wager.stays && say("sheet.stays"), wager.locked && say("sheet.locked"),
      givable(view, wager) && say("sheet.undoable", { amount: money(wager.fresh, view.currency) })]
      .filter(Boolean).join(" ")),
    h("div", { class: "quick" },
      press > 0 && button(say("sheet.press", { amount: money(press, view.currency) }), () => {
        stage.set(spot.id, press);
        close();
        laid();
      }),
      choice?.calls.map((each) => act(say(`sheet.call.${each}`), { type: "setworking", spot: spot.id, call: each })),
      choice?.keep === true && act(say("sheet.keep"), { type: "stayup", spot: spot.id, stays: true }),
      choice?.keep === false && act(say("sheet.no-keep"), { type: "stayup", spot: spot.id, stays: false }),
      choice?.take_down && act(say("sheet.down"), { type: "takedown", spot: spot.id }, { class: "danger" }),
      givable(view, wager) && button(say("sheet.undo", { amount: money(wager.fresh, view.currency) }), () => {
        giveBack(spot.id);
        close();
      })),
    choice?.lower.length > 0 && lowering(view, wager, choice, said),
  ];
}

function splitting(choice, call, close, name) {
  if (!choice?.parts?.length || !choice.bet.length) return null;
  const inputs = choice.parts.map((part) => h("input",
    { inputmode: "decimal", "aria-label": say("sheet.on", { name: name(part) }),
    placeholder: name(part) }));
  return h("details", {}, h("summary", {}, say("sheet.parts")),
    h("form", { class: "actions", onsubmit: (event) => {
      event.preventDefault();
      const split = inputs.map((input) => amountOf(input.value || "0"));
      if (split.some(Number.isNaN)) return;
      call({ type: "bet", spot: choice.spot, amount: split.reduce((a, b) => a + b, 0), split });
      close();
    } }, inputs, h("button", {}, say("sheet.bet-so"))));
}

export async function openSheet(spot, view, stage, { call, giveBack, want, laid, name }) {
  const choice = view.menu?.choices[spot.id];
  const wager = view.seats.find((seat) => seat.you)?.wagers.find((each) => each.spot === spot.id);
  const eyes = view.advice && view.me
    && await ask(`/api/tables/${encodeURIComponent(view.table)}/eyes`).catch(() => null);
  const seen = eyes?.spots?.[spot.id];
  let box = null;
  const close = () => box.close();
  const limits = choice?.bet.length ? rangeWords(choice.bet, view.currency) : "";
  const refusal = !choice?.bet.length && view.me?.seat && spot.made !== "never"
    && button(say("sheet.ask"), () => {
      want(spot.id);
      close();
    }, { class: "small" });
  box = dialog(spot.name, [
    h("p", {}, [spot.price && say("sheet.pays", { price: spot.price }),
      spot.bar && say("sheet.bar", { totals: spot.bar }), spot.fee && say("sheet.fee", { fee: spot.fee }),
        seen?.example && say("sheet.example", { example: seen.example })]
      .filter(Boolean).join(" ")),
    wager && standing(view, spot, wager, choice, stage, { call, giveBack, laid }, close),
    choice?.bet.length ? [h("h3", {}, say(wager ? "sheet.add" : "sheet.bet")),
      adding(view, choice, stage, close, laid, seen?.stake),
      splitting(choice, call, close, name)] : null,
    facts([
      ["now", limits && h("span", { id: "sheet-limits" }, limits)],
      ["made", say(`sheet.made.${spot.made}`)],
      ["joined", spot.gate?.joined],
      ["has", view.collected?.[spot.id]?.join(", ")],
      ["edge", seen && say("sheet.edge", { edge: seen.edge, percent: seen.percent.toFixed(3) })],
      ["wins", seen && say("sheet.wins", { win: seen.win, percent: seen.wins.toFixed(1),
        rolls: seen.rolls.toFixed(1) })],
    ]),
    !choice?.bet.length && view.menu && h("p", { class: "faint" }, say("sheet.none-now"), " ", refusal),
    h("p", {}, say("sheet.rulebook"), " ", cite(view.house, spot.clauses, spot.name), " ",
      button(say("sheet.read"), () => showClauses(view.house, spot.clauses, spot.name), { class: "small" })),
  ]);
  return box;
}
