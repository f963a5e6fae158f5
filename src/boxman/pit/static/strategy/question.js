// What is asked: strategies with their parameters or in one's own words, checked while they are written.
import { post } from "../kit/api.js";
import { field, find, h, put, unique } from "../kit/dom.js";
import { say } from "../kit/say.js";

export const OWN = "own";
export const MOST = 3;
const EXAMPLE = "when come-out: bet 10 pass\notherwise: odds 2x\n";
const PAUSE = 400;

const words = (name) => `${name[0].toUpperCase()}${name.slice(1)}`.replaceAll("_", " ");

// "unit=25, odds=3" as it stands in an address, to {unit: "25", odds: "3"}.
const parsed = (text) => Object.fromEntries((text || "").split(",")
  .map((each) => each.split("=").map((one) => one.trim())).filter(([name, value]) => name && value));

export class Chooser {
  constructor(n, given) {
    this.n = n;
    this.given = parsed(given.get(`c${n}`));
    this.list = h("select", { name: `s${n}` });
    this.note = h("p", { class: "faint note" });
    this.parameters = h("div", { class: "fields" });
    this.told = h("div", { class: "told-wrong", role: "alert", id: unique("wrong") });
    this.area = h("textarea", { spellcheck: "false", rows: 7, "aria-describedby": this.told.id });
    this.area.value = given.get(`t${n}`) || EXAMPLE;
    this.own = h("div", {}, field(say("question.own"), this.area, say("question.own-hint")));
    this.box = h("fieldset", { class: "stacked" }, h("legend", {},
      n ? say("question.compare", { n }) : say("question.strategy")),
      field(say("question.which"), this.list), this.note, this.parameters, this.own, this.told);
    this.list.addEventListener("change", () => {
      this.given = {};
      this.change();
    });
    this.area.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.check(), PAUSE);
    });
  }

  // The strategies this house can be played with; what was chosen stays if it is among them.
  offer(strategies, chosen) {
    this.strategies = strategies;
    const options = [...(this.n ? [["", say("question.nothing")]] : []),
      ...strategies.map((each) => [each.name, each.title]), [OWN, say("question.written")]];
    const there = options.some(([name]) => name === chosen);
    put(this.list, options.map(([value, text]) => h("option", { value }, text)));
    this.list.value = there ? chosen : options[0][0];
    this.change();
    return there || !chosen;
  }

  change() {
    const own = this.list.value === OWN;
    const known = this.strategies.find((each) => each.name === this.list.value);
    this.own.hidden = !own;
    put(this.told);
    this.note.hidden = !known;
    put(this.note, known?.summary);
    // A unit below the minimum would be played as the minimum: that is what is proposed.
    const least = Math.ceil(this.box.closest("form")?.elements.minimum.value || 0);
    put(this.parameters, Object.entries(known?.parameters || {}).map(([name, usual]) =>
      field(words(name), h("input", { "data-parameter": name, type: "number", step: 1, required: true,
        value: this.given[name] ?? (name === "unit" ? Math.max(usual, least) : usual) }))));
  }

  // Parameters that are not as they come, as an address and the server write them.
  get chosen() {
    const usual = this.strategies.find((each) => each.name === this.list.value)?.parameters || {};
    // What the address names and the strategy does not have is for the server to refuse.
    const all = { ...this.given, ...Object.fromEntries([...this.parameters.querySelectorAll("input")]
      .map((each) => [each.dataset.parameter, each.value])) };
    return Object.entries(all).filter(([name, value]) => String(usual[name]) !== value)
      .map((each) => each.join("=")).join(", ");
  }

  get text() {
    return this.list.value === OWN ? this.area.value : "";
  }

  get wanted() {
    if (!this.list.value) return null;
    if (this.list.value === OWN) return { name: this.n ? say("question.yours-n", { n: this.n + 1 })
      : say("question.yours"), text: this.area.value };
    return { name: this.chosen ? `${this.list.value}(${this.chosen})` : this.list.value };
  }

  // What is wrong is shown at its place: the line, and a mark under the column.
  async check({ go = false } = {}) {
    const wanted = this.wanted;
    if (!wanted) return true;
    const { problem } = await post("/api/strategies/check", wanted);
    this.area.toggleAttribute("aria-invalid", false);
    put(this.told);
    if (!problem) return true;
    put(this.told, h("p", { class: "bad" }, problem.line
      ? say("question.place", { ...problem, what: problem.sentence }) : problem.sentence));
    if (problem.line) {
      const lines = this.area.value.split("\n");
      const line = lines[problem.line - 1] || "";
      this.told.append(h("pre", { "aria-hidden": "true" }, `${line}\n${" ".repeat(problem.column - 1)}`,
        h("b", {}, "▲")));
      this.area.setAttribute("aria-invalid", "true");
      if (go) {
        const start = lines.slice(0, problem.line - 1).reduce((sum, each) => sum + each.length + 1,
          0) + problem.column - 1;
        this.area.focus();
        this.area.setSelectionRange(start, Math.min(
          start + (/^\S*/.exec(line.slice(problem.column - 1))[0].length || 1), this.area.value.length));
      }
    } else if (go) {
      find("input", this.parameters)?.focus();
    }
    return false;
  }
}
