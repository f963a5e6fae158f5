// A lesson of two minutes: the come-out, the point, odds, a come bet, a seven-out, each step done with real chips.
// What wins, loses and sets a point comes with the cloth.
import { post } from "../kit/api.js";
import { button, field, h, keep, put } from "../kit/dom.js";
import { amountOf, money, plain } from "../kit/money.js";
import { say } from "../kit/say.js";

const mine = (view) => view.seats.find((seat) => seat.you);
const has = (view, spot) => mine(view)?.wagers.some((each) => each.spot === spot);
const up = (view, spot) => mine(view)?.wagers.some((each) => each.spot === spot || each.spot.startsWith(`${spot}.`));
const either = (totals) => (totals.length > 1 ? say("lesson.either", { first: totals.slice(0, -1),
  last: totals.at(-1) }) : `${totals[0] ?? ""}`);
// How often in 36 a total comes.
const ways = (total) => 6 - Math.abs(7 - total);

// A point came before the line had a chip: that hand is not one's own.
const missed = (view, stage) => view.puck > 0 && !has(view, "pass") && !stage.chips.has("pass");

// Each step: its words, where to look, when it is done, whether it may be passed over, where it makes no sense, and
// when one waits for the next hand instead.
const STEPS = [
  { id: "wait", at: ".throw", done: (view) => !view.puck },
  { id: "line", missed, at: ".spot[data-spot='pass']",
    done: (view, stage) => stage.chips.has("pass") || has(view, "pass") },
  { id: "roll", missed, at: ".throw", done: (view, stage, from) => view.rolls > from },
  // Until there is a point: what the come-out brought, and another one.
  { id: "again", missed, at: ".spot[data-spot='pass']:not(.covered), .throw", done: (view) => view.puck > 0 },
  { id: "point", at: "#tab-ledger", ok: true },
  { id: "odds", at: ".q-odds, .spot[data-spot='pass.odds']", ok: true, done: (view) => has(view, "pass.odds"),
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
    if (STEPS[this.step]?.missed?.(view, stage)) this.step = 0;
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
    const { win, lose, point } = felt.spot(id)?.comes_out || felt.spot("pass").comes_out;
    const name = (spot) => felt.spot(spot)?.name || "";
    const rolled = view.dice ? view.dice[0] + view.dice[1] : 0;
    const values = { puck: view.puck, line: name("pass"), odds: name("pass.odds"), come: name("come"), win: either(win),
      lose: either(lose), point: either(point), ways: ways(view.puck),
      price: felt.spot("pass.odds")?.price || "", rolled };
    const kind = ["line", "come"].includes(id) && !lose.length ? `${id}-crapless`
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
    // The first that is in sight.
    [...document.querySelectorAll(selector || "none")].find((each) => each.checkVisibility())?.classList.add("spotlit");
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

// The coach of a practice table: best play for a goal beside what lies on the felt and is staged.

const LOOK = 600;
const percent = (chance) => `${(chance * 100).toFixed(2)} %`;

export class BestCoach {
  constructor(table, box) {
    this.table = table;
    this.goal = 0;
    this.asked = "";
    this.words = h("p", { class: "best-words", "aria-live": "polite" });
    this.input = h("input", { name: "goal", required: true, inputmode: "decimal", pattern: "\\d{1,9}(\\.\\d{1,2})?",
      autocomplete: "off" });
    const form = h("form", { class: "actions" }, field(say("coach.goal"), this.input),
      h("button", { class: "small" }, say("coach.ask")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.goal = amountOf(this.input.value);
      this.asked = "";
      this.ask();
    });
    box.append(form, this.words, button(say("coach.stop"), () => {
      this.goal = 0;
      put(this.words);
    }, { class: "small quiet" }));
  }

  // Whenever the table or what is staged has changed.
  look(view, stage) {
    const mine = view.seats.find((seat) => seat.you);
    if (!mine) return;
    this.stage = stage;
    const held = mine.rail + mine.wagers.reduce((sum, each) => sum + each.stake, 0);
    if (!this.input.value && held) this.input.value = plain(2 * held);
    this.key = JSON.stringify([view.puck, mine.rail, mine.wagers.map((each) => [each.spot, each.stake]),
      [...stage.chips]]);
    if (this.goal) this.ask();
  }

  async ask() {
    if (this.asking || this.asked === this.key) return;
    const key = this.key;
    this.asking = true;
    try {
      const found = await post(`/api/tables/${this.table}/coach`,
        { target: this.goal, staged: Object.fromEntries(this.stage.chips) });
      this.asking = false;
      if (!this.goal) return;
      this.show(found);
      this.asked = found.state === "working" ? "" : key;
      if (found.state === "working") setTimeout(() => this.ask(), LOOK);
      else if (this.key !== key) this.ask();
    } catch (error) {
      this.asking = false;
      this.asked = key;
      put(this.words, error.message);
    }
  }

  show({ state, told, best, chance, yours, your_chance: own }) {
    if (state !== "ready") return put(this.words, say(`coach.states.${state}`), told ? ` ${told}` : "");
    const words = [say("coach.best", { best, chance: percent(chance) })];
    words.push(own === null ? say("coach.beyond", { yours }) : say("coach.yours", { yours, chance: percent(own) }));
    return put(this.words, words.join(" "));
  }
}
