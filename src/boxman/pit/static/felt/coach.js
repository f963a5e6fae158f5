// A guided first hand: one thing at a time, each step waits until it is done.
import { button, h, keep, put } from "../kit/dom.js";
import { money } from "../kit/money.js";

const mine = (view) => view.seats.find((seat) => seat.you);
const has = (view, spot) => mine(view)?.wagers.some((each) => each.spot === spot);

// Each step: what to say, where to look, when it is done.
const STEPS = [
  {
    title: "Put a chip on the line",
    text: (view, felt) => `Most hands begin on ${felt.spot("pass").name}: it wins when the shooter makes the point. Touch it on the layout; the chip is only staged.`,
    at: ".spot[data-spot='pass']",
    done: (view, stage) => stage.chips.has("pass") || has(view, "pass"),
    when: (view) => !view.puck,
  },
  {
    title: "Place it",
    text: () => "Until you press Place you can undo it. Placed, it is a wager and the house has ruled on it.",
    at: ".rail .place",
    done: (view) => has(view, "pass"),
    when: (view) => !view.puck,
  },
  {
    title: "Throw the dice",
    text: () => "This first roll is the come-out. It may win or lose the line at once, or set a point.",
    at: ".throw",
    done: (view, stage, from) => view.rolls > from,
  },
  {
    title: "Read what happened",
    text: (view) => view.puck
      ? `The puck shows ON ${view.puck}: that is the point. Now ${view.puck} wins the line and 7 loses it. Open “Events” and press Why? to read the clause.`
      : "The line was decided on the first roll. Open “Events” and press Why? to read the clause that decided it.",
    at: "#tab-ledger",
    ok: true,
  },
  {
    title: "Odds: the fairest bet here",
    text: (view) => view.puck ? "Behind the line you may add odds, paid at what they are truly worth. In “Bets” press Odds, then Place." : "Once there is a point, you may add odds behind the line: “Bets” offers them.",
    at: "#tab-bets",
    ok: true,
  },
  {
    title: "Throw until it is decided",
    text: () => "Throw on. Hold any spot to read its price, limits and clauses; “If it rolls” shows what each total would bring.",
    at: ".throw",
    done: (view, stage, from) => view.rolls > from && !view.puck,
  },
];

export class Coach {
  constructor(holder, felt) {
    this.felt = felt;
    this.box = h("section", { class: "panel coach", "aria-label": "Guided first hand", hidden: true });
    holder.querySelector(".rest-panels").prepend(this.box);
    this.step = -1;
    this.from = 0;
  }

  start() {
    this.step = 0;
    this.from = this.view?.rolls || 0;
    if (this.view?.puck) this.step = 2;
    this.draw();
    this.box.scrollIntoView({ block: "nearest" });
  }

  look(view, stage) {
    const first = !this.met && view.me?.seat && view.kind === "practice" && view.rolls === 0 && !keep.get("taught", false);
    this.view = view;
    this.stage = stage;
    this.met ||= Boolean(view.me?.seat);
    if (first) this.start();
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
    put(this.box, h("h2", {}, "That was a hand"), h("p", {}, own ? `You have ${money(own.rail, this.view.currency)} on your rail. ` : "",
      "Everything else on the layout works the same way: touch, place, throw, ask why."),
    button("Close", () => {
      this.box.hidden = true;
    }));
  }

  light(selector) {
    document.querySelectorAll(".spotlit").forEach((each) => each.classList.remove("spotlit"));
    if (selector) document.querySelector(selector)?.classList.add("spotlit");
  }

  draw() {
    const step = STEPS[this.step];
    if (!step) return;
    const key = `${this.step} ${step.text(this.view, this.felt)}`;
    this.light(step.at);
    if (this.key === key && !this.box.hidden) return;
    this.key = key;
    this.box.hidden = false;
    put(this.box, h("h2", {}, `${this.step + 1}. ${step.title}`), h("p", { "aria-live": "polite" }, step.text(this.view, this.felt)),
      h("div", { class: "actions" }, step.ok && button("Go on", () => this.next()), button("End the lesson", () => {
        this.step = STEPS.length;
        this.end();
        this.box.hidden = true;
      }, { class: "quiet" })));
  }
}
