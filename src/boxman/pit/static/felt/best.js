// The coach of a practice table: best play for a goal beside what lies on the felt and is staged.
import { post } from "../kit/api.js";
import { button, field, h, put } from "../kit/dom.js";
import { amountOf, plain } from "../kit/money.js";
import { say } from "../kit/say.js";

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
