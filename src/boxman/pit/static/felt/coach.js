// A lesson of two minutes: the come-out, the point, odds, a come bet, a seven-out, each step done with real chips.
// What wins, loses and sets a point here comes with the cloth; nothing of it is known in this file.
import { button, h, keep, put } from "../kit/dom.js";
import { money } from "../kit/money.js";
import { say } from "../kit/say.js";

const mine = (view) => view.seats.find((seat) => seat.you);
const has = (view, spot) => mine(view)?.wagers.some((each) => each.spot === spot);
const up = (view, spot) => mine(view)?.wagers.some((each) => each.spot === spot || each.spot.startsWith(`${spot}.`));
const either = (totals) => (totals.length > 1 ? say("lesson.either", { first: totals.slice(0, -1),
  last: totals.at(-1) }) : `${totals[0] ?? ""}`);
// How often in 36 a total comes.
const ways = (total) => 6 - Math.abs(7 - total);

// Each step: its words, where to look, when it is done, whether it may be passed over, where it makes no sense.
const STEPS = [
  { id: "wait", at: ".throw", done: (view) => !view.puck },
  { id: "line", at: ".spot[data-spot='pass']", done: (view, stage) => stage.chips.has("pass") || has(view, "pass") },
  { id: "roll", at: ".throw", done: (view, stage, from) => view.rolls > from },
  // Until there is a point: what the come-out brought, and another one.
  { id: "again", at: ".throw", done: (view) => view.puck > 0 },
  { id: "point", at: "#tab-ledger", ok: true },
  { id: "odds", at: ".q-odds", ok: true, done: (view) => has(view, "pass.odds"),
    without: (view, felt) => !view.puck || !felt.spot("pass.odds") || !has(view, "pass") },
  { id: "come", at: ".spot[data-spot='come']", ok: true, done: (view, stage) => stage.chips.has("come")
    || up(view, "come"), without: (view, felt) => !view.puck || !felt.spot("come") },
  { id: "seven", at: ".throw", done: (view, stage, from) => view.rolls > from && !view.puck },
];

export class Coach {
  constructor(felt) {
    this.felt = felt;
    this.box = h("section", { class: "panel coach", "aria-label": say("lesson.title"), hidden: true });
    this.step = -1;
    this.from = 0;
  }

  start(view, stage) {
    this.step = 0;
    this.past = 0;
    this.drawn = null;
    this.from = view.rolls;
    this.look(view, stage);
  }

  look(view, stage) {
    Object.assign(this, { view, stage });
    for (let step; (step = STEPS[this.step]);) {
      if (!step.done?.(view, stage, this.from) && !step.without?.(view, this.felt)) break;
      this.next(false);
    }
    if (this.step >= 0) this.draw();
  }

  next(draw = true) {
    this.step += 1;
    this.from = this.view.rolls;
    if (this.step >= STEPS.length) this.end();
    else if (draw) this.look(this.view, this.stage);
  }

  // What the words of a step are about: totals, names and prices as this house has them.
  words(id) {
    const { view, felt } = this;
    const { win, lose, point } = felt.spot("pass").comes_out;
    const name = (spot) => felt.spot(spot)?.name || "";
    const rolled = view.dice ? view.dice[0] + view.dice[1] : 0;
    const values = { puck: view.puck, line: name("pass"), odds: name("pass.odds"), come: name("come"), win: either(win),
      lose: either(lose), point: either(point), ways: ways(view.puck),
      price: felt.spot("pass.odds")?.price || "", rolled };
    const kind = id === "line" && !lose.length ? "line-crapless"
      : id === "again" ? `again-${win.includes(rolled) ? "won" : "lost"}`
        : id === "seven" && !mine(view)?.wagers.length ? "seven-empty" : id;
    return say(`lesson.text.${kind}`, values);
  }

  end() {
    const { view } = this;
    this.step = -1;
    keep.set("taught", true);
    this.light(null);
    const out = view.event === "seven-out";
    put(this.box, h("h2", {}, say("lesson.over")), h("p", {}, say(out ? "lesson.out" : "lesson.made"), " ",
      say("lesson.rail", { rail: money(mine(view)?.rail || 0, view.currency) })),
    h("p", {}, say("lesson.rest")), button(say("lesson.close"), () => {
      this.box.hidden = true;
    }));
  }

  light(selector) {
    document.querySelectorAll(".spotlit").forEach((each) => each.classList.remove("spotlit"));
    if (selector) document.querySelector(selector)?.classList.add("spotlit");
  }

  draw() {
    const step = STEPS[this.step];
    const words = this.words(step.id);
    this.light(step.at);
    if (this.key === words && !this.box.hidden) return;
    this.key = words;
    this.box.hidden = false;
    if (this.drawn !== step) this.past += 1;
    this.drawn = step;
    put(this.box, h("h2", {}, `${this.past}. ${say(`lesson.head.${step.id}`)}`),
      h("p", { "aria-live": "polite" }, words),
      h("div", { class: "actions" }, step.ok && button(say("lesson.go-on"), () => this.next()),
        button(say("lesson.end"), () => {
          this.end();
          this.box.hidden = true;
        }, { class: "quiet" })));
  }
}
