// The rail: the purse, the chips to choose from, and what can be done with staged chips.
import { button, field, h, put, s } from "../kit/dom.js";
import { dialog, question } from "../kit/dialog.js";
import { denominations, money } from "../kit/money.js";
import { chip } from "./chips.js";

export class Rail {
  constructor(stage, { place, giveBack, lineAll, note, name }) {
    this.stage = stage;
    this.note = note;
    this.name = name;
    this.chosen = 0;
    this.purse = h("div", { class: "purse" });
    this.row = h("div", { class: "chip-row", role: "radiogroup", "aria-label": "Chip to place" });
    this.buttons = {
      place: button("Place", place, { class: "main place" }),
      undo: button("Undo", () => (stage.steps.length ? stage.undo() : giveBack(stage.fresh()))),
      clear: button("Clear", () => stage.clear()),
      repeat: button("Repeat", () => this.several(stage.repeat())),
      double: button("Double", () => this.several(stage.double())),
      more: button("More…", () => this.more(lineAll)),
    };
    this.element = h("section", { class: "rail", "aria-label": "Your rail" },
      this.purse, this.row, h("div", { class: "actions" }, Object.values(this.buttons)));
    stage.addEventListener("change", () => this.refresh());
  }

  several(left) {
    if (!left.length) return;
    const names = left.slice(0, 4).map(this.name).join(", ");
    this.note(`Cannot be bet now: ${names}${left.length > 4 ? ` and ${left.length - 4} more` : ""}.`);
  }

  look(view) {
    this.view = view;
    const chips = denominations(view.chip, view.posted.maximum);
    const key = chips.join(" ");
    if (key !== this.key) {
      this.key = key;
      this.chips = chips;
      const fit = chips.filter((each) => each <= view.posted.minimum);
      this.chosen = fit.at(-1) || chips[0];
      this.drawRow();
    }
    this.element.hidden = !view.me?.seat;
    this.refresh();
  }

  drawRow() {
    put(this.row, this.chips.map((amount, n) => {
      const picture = s("svg", { viewBox: "-20 -20 40 40", "aria-hidden": "true" });
      picture.append(chip(amount, this.chips, 18, { stack: false }));
      return h("button", {
        type: "button", class: "chip-button", role: "radio", "data-amount": amount,
        "aria-label": `Chip of ${money(amount, this.view.currency)}`,
        onclick: () => this.choose(amount),
        onkeydown: (event) => this.arrow(event, n),
      }, picture);
    }));
    this.choose(this.chosen);
  }

  arrow(event, n) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = (n + step + this.chips.length) % this.chips.length;
    this.choose(this.chips[next]);
    this.row.children[next].focus();
  }

  choose(amount) {
    this.chosen = amount;
    this.changed?.();
    for (const each of this.row.children) {
      const on = Number(each.dataset.amount) === amount;
      each.setAttribute("aria-checked", String(on));
      each.tabIndex = on ? 0 : -1;
    }
  }

  refresh() {
    const { stage, view } = this;
    if (!view) return;
    const open = view.phase === "open" && Boolean(view.menu);
    put(this.purse, money(stage.purse - stage.total, view.currency),
      h("small", {}, stage.total ? `${money(stage.total, view.currency)} staged` : "on your rail"),
      stage.fees > 0 && h("small", {}, `with ${money(stage.fees, view.currency)} fees`));
    this.buttons.place.disabled = !open || !stage.chips.size;
    const fresh = open ? stage.fresh() : "";
    this.buttons.undo.disabled = !stage.steps.length && !fresh;
    this.buttons.undo.title = stage.steps.length || !fresh ? "" : "The box gives your last wager back";
    this.buttons.clear.disabled = !stage.chips.size;
    this.buttons.repeat.disabled = !open || !stage.again().length;
    this.buttons.double.disabled = !open || !(stage.chips.size || stage.wagers.length);
    this.buttons.more.disabled = !open;
  }

  // Across, inside, on and off for all, presets.
  more(lineAll) {
    const { stage, view } = this;
    const places = view.points.map((n) => `place.${n}`).filter((spot) => stage.choices[spot]?.bet.length);
    const inside = places.filter((spot) => ["place.5", "place.6", "place.8", "place.9"].includes(spot));
    let box = null;
    const act = (label, action, off = false) => button(label, () => {
      action();
      box.close();
    }, { disabled: off });
    const calls = Object.values(stage.choices).flatMap((each) => each.calls);
    const presets = stage.presets(view.house).map((each) => h("li", {},
      act(each.name, () => this.several(stage.many(each.bets))),
      button("Forget", (event) => {
        stage.forget(view.house, each.name);
        event.target.closest("li").remove();
      }, { class: "small quiet", "aria-label": `Forget ${each.name}` })));
    box = dialog("More ways to bet", [
      h("div", { class: "quick" },
        act("Across", () => this.several(stage.each(places, this.chosen)), !places.length),
        act("Inside", () => this.several(stage.each(inside, this.chosen)), !inside.length),
        act("All on", () => lineAll("on"), !calls.includes("on")),
        act("All off", () => lineAll("off"), !calls.includes("off"))),
      h("h3", {}, "Presets"),
      presets.length ? h("ul", { class: "told" }, presets) : h("p", { class: "faint" }, "None saved for this house yet."),
      act("Save what lies here…", () => this.savePreset(), !(stage.chips.size || stage.wagers.length)),
    ]);
  }

  async savePreset() {
    const bets = this.stage.base();
    const answer = await question("Save a preset",
      field("Name", h("input", { name: "name", required: true, maxlength: 24 })), { action: "Save" });
    if (answer?.name) this.stage.save(this.view.house, answer.name, bets);
  }
}
