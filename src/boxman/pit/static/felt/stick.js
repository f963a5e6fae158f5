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
  constructor(link, say, cloth) {
    this.link = link;
    this.cloth = cloth;
    this.thrown = h("dice-pair", { class: "thrown", "aria-hidden": "true" });
    this.say = say;
    this.dice = h("dice-pair");
    this.call = h("p", { class: "call", role: "status", "aria-live": "polite", id: "stick-call" },
      "Welcome to the table.");
    this.state = h("div", { class: "state" });
    this.moves = h("div", { class: "moves actions" });
    this.asked = h("p", { class: "asked", hidden: true });
    this.history = h("ol", { class: "history", "aria-label": "Last rolls, newest first", tabindex: "0" });
    this.element = h("section", { class: "panel stick", "aria-label": "The dice" },
      this.dice, this.call, this.state, this.moves, this.history);
    this.throwing = null;
    setInterval(() => this.count(), 250);
  }

  look(view) {
    // Opened in the middle of a hand: the last call still stands.
    if (!this.view && view.dice && view.event) {
      const [first, second] = view.dice;
      this.tell(stickWords({ first, second, puck: view.puck, event: view.event }));
    }
    this.view = view;
    // Not before the throw was seen.
    if (view.dice && view.phase === "open" && !this.throwing) this.dice.rest(view.dice);
    const shooter = view.hand.shooter === "guest" ? "" : view.hand.shooter;
    // Where the house forbids aids at live tables, past rolls are one.
    const shown = view.advice === false ? [] : [...(view.history || [])].reverse();
    const out = shown.findIndex(([, , event]) => event === "seven-out");
    const hand = out < 0 && shown.length < 50 ? shown.length : out;
    put(this.state,
      h("span", { class: `badge ${view.puck ? "on" : ""}` }, view.puck ? `ON ${view.puck}` : "OFF"),
      h("span", { class: `badge ${view.phase}` }, PHASES[view.phase] || view.phase),
      shooter && h("span", {}, `${shooter} has the dice`), h("span", {}, `roll ${view.rolls}`,
        hand > 1 && `, ${hand} in this hand`));
    this.buttons(view);
    this.history.hidden = !shown.length;
    put(this.history, shown.map(([a, b, event]) =>
      h("li", { class: event || "", title: `${a}-${b} ${event || ""}` }, a + b)));
  }

  buttons(view) {
    const moves = view.menu?.moves || [];
    const seated = view.me?.seat;
    const automatic = view.automatic.includes("stick");
    const mine = !view.hand.shooter || view.hand.shooter === "guest" || view.hand.shooter === seated;
    const waiting = view.ready.includes(seated);
    const up = view.seats.some((seat) => seat.wagers.length);
    // With the guest as shooter a roll may pass without a wager; a player needs one on the line.
    const idle = !up && view.hand.shooter !== "guest";
    const wanted = view.asked && view.asked.by !== seated;
    const label = idle ? "Place a bet to throw" : waiting ? "Waiting for the dice…" : !mine || wanted ? "I am ready"
      : up ? "Throw the dice" : "Let it roll";
    const throwing = seated && automatic && button(label, () => this.link.say({ do: "ready" }),
      { class: `${up ? "main " : ""}throw`, disabled: view.phase !== "open" || idle || waiting
        || Boolean(this.throwing) });
    const before = document.activeElement?.textContent;
    this.countdown(view);
    // Nobody has to call what the house's own dice show.
    const without = ["cashes out", "leaves", view.dice_source === "hand" ? "" : "disputes the faces"];
    put(this.moves, this.asked, throwing, moves.filter((each) => !without.includes(each)).map((each) =>
      button(each[0].toUpperCase() + each.slice(1), () => this.say(each))));
    for (const each of this.moves.children) if (each.textContent === before && !each.disabled) each.focus();
  }

  // Somebody wants to throw and others get some seconds: said once, counted in the corner.
  countdown({ asked, ready, seats, phase, me }) {
    const others = seats.filter((seat) => !seat.automatic && !ready.includes(seat.name)).map((seat) => seat.name);
    const mine = asked?.by === me?.seat;
    const before = this.until;
    this.until = asked?.until > Date.now() && phase === "open" && others.length ? asked.until : 0;
    this.waits = mine ? `Waiting for ${others.join(", ")}` : `${asked?.by} wants to throw`;
    if (this.until && !before && !mine) this.tell(`${this.waits}.`);
    this.count();
  }

  count() {
    this.asked.hidden = !this.until;
    if (this.until) this.asked.textContent = `${this.waits}: ${Math.max(0, Math.ceil((this.until - Date.now()) / 1000))} s`;
  }

  // A roll: throw the picture, then say it.
  async rolled(rolled) {
    play("dice");
    const faces = [rolled.first, rolled.second];
    this.throwing = this.thrown.fly(faces, this.cloth);
    await this.throwing;
    this.throwing = null;
    this.dice.rest(faces);
    this.call.textContent = stickWords(rolled);
    if (this.view) this.buttons(this.view);
  }

  tell(text) {
    this.call.textContent = text;
  }
}
