// The arm-rest: the purse, the chips to choose from, quick bets, and ROLL, which never moves and says what it will do.
import { button, field, h, keep, mark, put, s, write } from "../kit/dom.js";
import { dialog, question } from "../kit/dialog.js";
import { denominations, money } from "../kit/money.js";
import { say } from "../kit/say.js";
import { chip, paintOf } from "./chips.js";
import { count } from "./lie.js";
import { quickBets } from "./quick.js";

export class Dock {
  constructor(stage, felt, acts) {
    Object.assign(this, { stage, felt, acts, chosen: 0, shown: 0 });
    this.sum = h("strong", {});
    this.risk = h("span", {});
    this.buy = button(say("table.buy"), () => acts.buy(), { class: "buy", hidden: true });
    // What the last roll brought, where the band has no room.
    this.result = h("span", { class: "result", "aria-hidden": "true" });
    this.purse = h("div", { class: "purse" }, this.sum, this.risk, this.result);
    this.rack = h("div", { class: "rack", "aria-hidden": "true" });
    this.row = h("div", { class: "chip-row", role: "radiogroup", "aria-label": say("table.chip-to-place") });
    this.bets = quickBets({ stage, felt, dock: this, ...acts, several: (left) => this.several(left),
      more: () => this.more() });
    this.buttons = Object.fromEntries(Object.entries(this.bets).filter(([, each]) => !each.hidden).map(([name, each]) =>
      [name, button([h("span", {}, each.word), h("kbd", { "aria-hidden": "true" }, each.key)], each.act,
        { class: `q-${name} ${each.main ? "place" : ""}`, "aria-label": each.word, "aria-keyshortcuts": each.key })]));
    this.quick = h("div", { class: "quick", role: "group", "aria-label": say("table.quick-bets") },
      Object.values(this.buttons));
    this.keep = h("input", { type: "checkbox", checked: keep.get("stays", true),
      onchange: () => acts.keepUp(this.keep.checked) });
    this.switches = h("label", { class: "keep", title: say("table.stay-title") },
      this.keep, h("i", { "aria-hidden": "true" }), h("span", {}, say("table.stay")));
    this.will = h("span", { class: "will" });
    this.word = h("strong", {});
    this.roll = h("button", { type: "button", class: "roll throw", onclick: () => this.roll.ariaDisabled !== "true"
      && this.act?.() }, this.word, this.will);
    this.calls = h("div", { class: "calls" });
    this.element = h("section", { class: "dock", "aria-label": say("table.rail") }, this.purse, this.buy, this.row,
      this.rack, this.quick, this.switches, this.calls, this.roll);
    stage.addEventListener("change", () => this.refresh());
  }

  several(left) {
    if (left.length) this.acts.note(say("table.cannot", { names: left.map(this.acts.name) }));
    if (this.stage.chips.size) this.acts.laid();
  }

  look(view) {
    this.view = view;
    const chips = denominations(view.chip, view.posted.maximum).slice(0, 5);
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
    put(this.row, this.chips.map((amount, n) => h("button", {
      type: "button", class: "chip-button", role: "radio", "data-amount": amount,
      "aria-label": say("table.chip-of", { amount: money(amount, this.view.currency) }),
      onclick: () => this.choose(amount),
      onkeydown: (event) => this.arrow(event, n),
    }, s("svg", { viewBox: "-23 -21 46 48", "aria-hidden": "true" }, chip(amount, 20)))));
    this.choose(this.chosen);
  }

  // The rail as one holds it: some chips of each denomination on edge, in the groove of the arm-rest.
  drawRack(left) {
    put(this.rack, [...this.chips].reverse().flatMap((value) => {
      const n = Math.min(12, Math.floor((value > this.chips[0] ? left * 0.6 : left) / value));
      const [face, , mark] = paintOf(value);
      left -= n * value;
      return Array.from({ length: n }, () => {
        const edge = h("i");
        edge.style.setProperty("--face", face);
        edge.style.setProperty("--mark", mark);
        return edge;
      });
    }));
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
    const words = (amount) => money(amount, view.currency);
    const left = stage.purse - stage.total;
    count(this.sum, this.shown, left, words);
    if (this.shown !== left) this.drawRack(left);
    this.shown = left;
    const up = stage.wagers.reduce((sum, each) => sum + each.stake, 0);
    write(this.risk, stage.total
      ? say(stage.fees > 0 ? "table.in-hand-fees" : "table.in-hand", { amount: words(stage.total),
        fees: words(stage.fees) })
      : say("table.at-risk", { amount: words(up) }));
    this.element.classList.toggle("broke", this.broke);
    this.buy.hidden = !(stage.purse < view.posted.minimum) || this.broke;
    for (const [name, each] of Object.entries(this.bets)) {
      const made = this.buttons[name];
      if (made) made.disabled = !each.can() || !(open || each.free);
    }
    this.acts.rollWords(this);
  }

  // Nothing on the rail, nothing up, nothing staged: nothing can be bet.
  get broke() {
    const { stage, view } = this;
    return Boolean(view?.me?.seat) && view.menu && stage.purse < view.chip && !stage.wagers.length && !stage.total;
  }

  // What the great button does, in a word and a sentence. It keeps the focus while it cannot be pressed.
  says(word, will, act, { ready = true, kind = "" } = {}) {
    this.act = act;
    write(this.word, word);
    write(this.will, will);
    mark(this.roll, "aria-disabled", String(!ready));
    mark(this.roll, "class", `roll throw ${kind}`);
  }

  // All quick bets, and named sets of bets.
  more() {
    const { stage, view } = this;
    const open = view.phase === "open" && Boolean(view.menu);
    let box = null;
    const act = (label, action, off = false) => button(label, () => {
      box.close();
      action();
    }, { disabled: off });
    const presets = stage.presets(view.house).map((each) => h("li", {},
      act(each.name, () => this.several(stage.many(each.bets))),
      button(say("table.forget"), (event) => {
        stage.forget(view.house, each.name);
        event.target.closest("li").remove();
      }, { class: "small quiet", "aria-label": say("table.forget-name", { name: each.name }) })));
    // Where the rail has no room for it, the switch stands here.
    const stays = h("input", { type: "checkbox", checked: this.keep.checked, onchange: () => this.keep.click() });
    box = dialog(say("table.more-ways"), [
      h("div", { class: "ways" },
        Object.entries(this.bets).filter(([name]) => !["more", "place"].includes(name)).map(([, each]) =>
        act([each.word, each.key && h("kbd", { "aria-hidden": "true" }, each.key)], each.act, !each.can()
          || !(open || each.free)))),
      h("label", { class: "check" }, stays, say("table.stay")),
      h("h3", {}, say("table.saved")),
      presets.length ? h("ul", { class: "told" }, presets) : h("p", { class: "faint" },
        say("table.none-saved")),
      act(say("table.save-these"), () => this.savePreset(), !(stage.chips.size || stage.wagers.length)),
    ]);
  }

  async savePreset() {
    const bets = this.stage.base();
    const answer = await question(say("table.save-title"),
      field(say("table.name"), h("input", { name: "name", required: true, maxlength: 24 })),
        { action: say("table.save") });
    if (answer?.name) this.stage.save(this.view.house, answer.name, bets);
  }
}
