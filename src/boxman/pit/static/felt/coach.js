// A guided first hand: one thing at a time, each step waits until it is done.
import { button, h, keep, put } from "../kit/dom.js";
import { money } from "../kit/money.js";

const mine = (view) => view.seats.find((seat) => seat.you);
const has = (view, spot) => mine(view)?.wagers.some((each) => each.spot === spot);

// Each step: what to say, where to look, when it is done.
const STEPS = [
  {
    title: "Wait for the come-out",
    text: (view) =>
      `The puck shows ON ${view.puck}: a hand is under way. Let the dice roll until it is OFF; then the line is open.`,
    at: ".throw",
    done: (view) => !view.puck,
  },
  {
    title: "Put a chip on the line",
    text: (view, felt) =>
      `${felt.spot("pass").name} is the main bet of craps: you bet with the shooter. Touch it on the layout, or drag a chip there.`,
    at: ".spot[data-spot='pass']",
    done: (view, stage) => stage.chips.has("pass") || has(view, "pass"),
  },
  {
    title: "Place it",
    text: () => "The chip is only staged: you can still undo it. Press Place and it is a wager.",
    at: ".dock .place",
    done: (view) => has(view, "pass"),
  },
  {
    title: "Throw the dice",
    text: () =>
      "This first roll is the come-out: it wins or loses the line at once, or it sets a point to be rolled again.",
    at: ".throw",
    done: (view, stage, from) => view.rolls > from,
  },
  {
    title: "Read what happened",
    text: (view) => view.puck
      ? `The puck shows ON ${view.puck}: that is the point. Now ${view.puck} wins the line and 7 loses it. Open “Log” and press Why? to read the clause.`
      : "The line was decided on the first roll. Open “Log” and press Why? to read the clause that decided it.",
    at: "#tab-ledger",
    ok: true,
  },
  {
    title: "Odds: the fairest bet here",
    text: (view) => view.puck
      ? "Behind the line you may add odds, paid at what they are truly worth. In “Bets” press Odds, then Place; or go on without." : "Once there is a point, you may add odds behind the line: “Bets” offers them.",
    at: "#panel-bets .do button, #tab-bets",
    done: (view) => has(view, "pass.odds"),
    ok: true,
  },
  {
    title: "Throw until it is decided",
    text: (view) =>
      `${mine(view)?.wagers.length ? "Throw on." : "Put another chip on the line and throw."} Hold any spot to read its price, limits and clauses; “If it rolls” shows what each total would bring.`,
    at: ".throw",
    done: (view, stage, from) => view.rolls > from && !view.puck,
  },
];

export class Coach {
  constructor(felt) {
    this.felt = felt;
    this.box = h("section", { class: "panel coach", "aria-label": "Guided first hand", hidden: true });
    this.step = -1;
    this.from = 0;
  }

  start(view, stage) {
    this.step = 0;
    this.past = 0;
    this.from = view.rolls;
    this.look(view, stage);
  }

  look(view, stage) {
    this.view = view;
    this.stage = stage;
    while (this.step >= 0 && STEPS[this.step]?.done?.(view, stage, this.from)) this.next(false);
    if (this.step >= 0) this.draw();
  }

  next(draw = true) {
    this.step += 1;
    this.from = this.view?.rolls || 0;
    if (this.step >= STEPS.length) this.end();
    else if (draw) this.draw();
  }

  end() {
    this.step = -1;
    keep.set("taught", true);
    this.light(null);
    const own = this.view && mine(this.view);
    put(this.box, h("h2", {}, "That was a hand"),
      h("p", {}, own ? `You have ${money(own.rail, this.view.currency)} on your rail. ` : "",
      "Everything else on the layout works the same way: touch, place, throw, ask why."),
    button("Close", () => {
      this.box.hidden = true;
    }));
  }

  light(selector) {
    document.querySelectorAll(".spotlit").forEach((each) => each.classList.remove("spotlit"));
    const found = selector?.split(", ").map((each) => document.querySelector(each)).find(Boolean);
    found?.classList.add("spotlit");
    return found;
  }

  draw() {
    const step = STEPS[this.step];
    if (!step) return;
    const key = `${this.step} ${step.text(this.view, this.felt)}`;
    const lit = this.light(step.at);
    if (this.key === key && !this.box.hidden) return;
    this.key = key;
    this.box.hidden = false;
    if (this.drawn !== step) this.past += 1;
    this.drawn = step;
    put(this.box, h("h2", {}, `${this.past}. ${step.title}`), h("p", { "aria-live": "polite" },
      step.text(this.view, this.felt)),
      h("div", { class: "actions" }, step.ok && button("Go on", () => this.next()), button("End the lesson", () => {
        this.step = STEPS.length;
        this.end();
        this.box.hidden = true;
      }, { class: "quiet" })));
  }
}
