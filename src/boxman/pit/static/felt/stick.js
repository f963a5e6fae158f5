// The stick's corner: dice, the call in words, the state of the table, what may be said, history.
import { button, h, put } from "../kit/dom.js";
import { play } from "./sound.js";
import "./dice.js";

const PHASES = {
  open: "Place your bets", closed: "No more bets", out: "Dice out", rest: "Dice at rest",
  disputed: "The faces are in dispute", "call it": "The stick asks for the faces",
};
const TOTALS = {
  2: "Two, aces", 3: "Three, ace deuce", 4: "Four", 5: "Five", 6: "Six", 7: "Seven", 8: "Eight", 9: "Nine",
  10: "Ten", 11: "Eleven, yo", 12: "Twelve, boxcars",
};

export function stickWords(rolled) {
  const total = rolled.first + rolled.second;
  const hard = rolled.first === rolled.second && [4, 6, 8, 10].includes(total);
  const easy = !hard && [4, 6, 8, 10].includes(total);
  const name = `${TOTALS[total]}${hard ? ", the hard way" : easy ? ", easy" : ""}`;
  const after = {
    point: `the point is ${total}`, "no point": "no point, coming out again", made: "the point is made, pay the line",
    "seven-out": "seven out, new shooter", roll: `the point is still ${rolled.puck}`,
  }[rolled.event];
  return `${name}${after ? `; ${after}` : ""}.`;
}

export class Stick {
  constructor(link, say) {
    this.link = link;
    this.say = say;
    this.dice = h("dice-pair");
    this.call = h("p", { class: "call", role: "status", "aria-live": "polite", id: "stick-call" }, "Welcome to the table.");
    this.state = h("div", { class: "state" });
    this.moves = h("div", { class: "moves actions" });
    this.history = h("ol", { class: "history", "aria-label": "Last rolls, newest first", tabindex: "0" });
    this.element = h("section", { class: "panel stick", "aria-label": "The dice" },
      this.dice, this.call, this.state, this.moves, this.history);
    this.throwing = null;
  }

  look(view) {
    this.view = view;
    if (view.dice && !this.throwing) this.dice.rest(view.dice);
    const shooter = view.hand.shooter === "guest" ? "" : view.hand.shooter;
    put(this.state,
      h("span", { class: `badge ${view.puck ? "on" : ""}` }, view.puck ? `ON ${view.puck}` : "OFF"),
      h("span", { class: `badge ${view.phase}` }, PHASES[view.phase] || view.phase),
      shooter && h("span", {}, `${shooter} has the dice`), h("span", {}, `roll ${view.rolls}`));
    this.buttons(view);
    // Where the house forbids aids at live tables, past rolls are one.
    const shown = view.advice === false ? [] : view.history || [];
    this.history.hidden = !shown.length;
    put(this.history, [...shown].reverse().map(([a, b, event]) =>
      h("li", { class: event || "", title: `${a}-${b} ${event || ""}` }, a + b)));
  }

  buttons(view) {
    const moves = view.menu?.moves || [];
    const seated = view.me?.seat;
    const automatic = view.crew === "automatic";
    const mine = !view.hand.shooter || view.hand.shooter === "guest" || view.hand.shooter === seated;
    const waiting = (view.ready || []).includes(seated);
    const up = view.seats.some((seat) => seat.wagers.length);
    const label = !up ? "Place a bet to throw" : waiting ? "Waiting for the dice…" : mine ? "Throw the dice" : "I am ready";
    const throwing = seated && automatic && button(label, () => this.link.say({ do: "ready" }),
      { class: "main throw", disabled: view.phase !== "open" || !up || waiting || Boolean(this.throwing) });
    const before = document.activeElement?.textContent;
    put(this.moves, throwing, moves.filter((each) => !["cashes out", "leaves"].includes(each)).map((each) =>
      button(each[0].toUpperCase() + each.slice(1), () => this.say(each))));
    for (const each of this.moves.children) if (each.textContent === before && !each.disabled) each.focus();
  }

  // A roll: throw the picture, then say it.
  async rolled(rolled) {
    play("dice");
    this.throwing = this.dice.throw([rolled.first, rolled.second]);
    await this.throwing;
    this.throwing = null;
    this.call.textContent = stickWords(rolled);
    if (this.view) this.buttons(this.view);
  }

  tell(text) {
    this.call.textContent = text;
  }
}
