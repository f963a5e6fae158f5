// Strategies: the exact answer at once where there is one, then a simulation that grows before one's
// eyes; several on common dice; the best, median and worst session on the felt. Whoever comes without a
// question finds one that is answered.
import { once, post } from "../kit/api.js";
import { sentence } from "../kit/clauses.js";
import { button, field, find, h, put, unique } from "../kit/dom.js";
import { trouble } from "../kit/dialog.js";
import { amountField, drawn, figures, given as choice, housesAnd, houseSettings, onSubmit, proposeLimits, settingsOf }
  from "../kit/forms.js";
import { amountOf, plain } from "../kit/money.js";
import { language, say } from "../kit/say.js";
import { asked, bar, heading, remember } from "../kit/shell.js";
import { follow, state, working } from "../strategy/job.js";
import { watch } from "../strategy/replay.js";

const FIRST = "pass-odds";
const AMOUNTS = ["bankroll", "minimum", "maximum", "chip", "stop_win", "stop_loss"];
const ENDS = ["value", "face", "run-out"].map((each) => [each, say(`strategy.ends.${each}`)]);
bar();
const main = find("#main");
const results = h("div", { class: "results" });
const library = (house) => once(`/api/strategies?house=${encodeURIComponent(house)}`);
let given;
let choosers;
let settings;

// What is asked: strategies with their parameters or in one's own words, checked while they are written.
const OWN = "own";
const MOST = 3;
const EXAMPLE = "when come-out: bet 10 pass\notherwise: odds 2x\n";
const PAUSE = 400;

const words = (name) => `${name[0].toUpperCase()}${name.slice(1)}`.replaceAll("_", " ");

// "unit=25, odds=3" as it stands in an address, to {unit: "25", odds: "3"}.
const parsed = (text) => Object.fromEntries((text || "").split(",")
  .map((each) => each.split("=").map((one) => one.trim())).filter(([name, value]) => name && value));

class Chooser {
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

// The answer so far: exact where there is one, pictures, the simulation as it grows, sessions to watch.
function draw(job, { house, currency }) {
  const { exact, results: played, survival, fans = [] } = job;
  const solved = exact.filter((each) => each.rows);
  // The exact answer stands for the simulated one where there is both.
  const best = (played.length ? played : exact).map((each, n) => (exact[n]?.rows ? exact[n] : each));
  // Somebody may be on a button with the keyboard while figures come in.
  const held = results.contains(document.activeElement) && document.activeElement.textContent;
  put(results, state(job),
    section("exact", exact, () => [solved.map((each) => h("p", {}, h("b", {}, each.title, ":"), " ", each.words)),
      solved.length > 0 && table("exact", solved),
      exact.filter((each) => each.why_not).map((each) => h("p", { class: "faint" },
        say("answer.no-exact", { title: each.title, why: each.why_not })))]),
    section("pictures", best.filter((each) => each.picture), () => h("div", { class: "many" },
      drawn(best.map((each) => each.picture), survival, fans))),
    section("simulated", played, () => [
      h("p", {}, say("answer.sessions", { n: played[0].sessions.toLocaleString(language) })),
      table("simulated", played),
      !working(job) && played.map((each, n) => felts(job, each, n, currency)),
      job.pairs.map((each) => h("p", {}, each)),
      played.map((each) => each.refused.length > 0 && [h("h3", {}, say("answer.refused", each)),
        h("ul", { class: "told" }, each.refused.map((one) => sentence(house, one.text, one.clauses)))]),
      h("p", { class: "faint" }, say("answer.played",
        { what: [...new Set(played.map((each) => each.executor))].join("; ") }))]));
  results.dataset.state = job.state;
  if (held) [...results.querySelectorAll("button")].find((each) => each.textContent === held)?.focus();
}

const section = (name, list, inside) => list.length > 0 && h("section", { class: `panel ${name}`,
  "aria-label": say(`answer.${name}`) }, h("h2", {}, say(`answer.${name}`)), inside());

const table = (kind, all) => figures(say(`answer.${kind}-figures`),
  [say("answer.figure"), ...all.map((each) => each.title)],
  all[0].rows.map(([label], n) => [label, ...all.map((each) => each.rows[n][1])]));

const felts = (job, each, n, currency) => h("p", { class: "actions" }, say("answer.watch", each),
  Object.entries(each.which).map(([which, session]) =>
    button(say(`answer.which.${which}`), () => watch(job, n, session,
      say("answer.session", { which, title: each.title }), currency).catch(trouble),
    { class: "small", "aria-label": say("answer.watch-it", { which, title: each.title }) })));

function read(form) {
  const all = Object.fromEntries(new FormData(form));
  const values = Object.fromEntries(Object.entries(all).filter(([name]) => !name.startsWith("set.")));
  const { house, end, rolls, sessions, seed } = values;
  const set = settings.chosen();
  remember({ ...values, ...set, ...Object.fromEntries(choosers.flatMap((each) =>
    [[`s${each.n}`, each.list.value], [`c${each.n}`, each.chosen], [`t${each.n}`, each.text]])) },
  "state" in results.dataset);
  const amounts = AMOUNTS.filter((name) => values[name]).map((name) => [name, amountOf(values[name])]);
  return { house, end, settings: settingsOf(set), strategies: choosers.map((each) => each.wanted).filter(Boolean),
    ...Object.fromEntries(amounts), rolls: Number(rolls), sessions: Number(sessions), seed: Number(seed) };
}

async function run(form, houses) {
  const question = read(form);
  for (const each of choosers) if (!(await each.check({ go: true }))) return;
  await follow("/api/simulations", question, (job) => draw(job,
    houses.find((each) => each.house === question.house)));
}

// The strategies of a house; what the address asks for and the house does not have is said.
async function offer(house, first) {
  const { strategies } = await library(house);
  for (const each of choosers) {
    const chosen = first ? given.get(`s${each.n}`) || (each.n ? "" : FIRST) : each.list.value;
    if (each.offer(strategies, chosen) || !first) continue;
    const { strategies: all } = await once("/api/strategies");
    throw new Error(all.some((one) => one.name === chosen)
      ? say("strategy.not-here", { chosen }) : say("strategy.unknown", { chosen }));
  }
}

async function start() {
  given = asked();
  choosers = Array.from({ length: MOST }, (_, n) => new Chooser(n, given));
  const head = heading(say("strategy.title"), say("strategy.lead"));
  put(main, head);
  const { houses, choice: house } = await housesAnd(given.get("house"));
  const { session } = await library(house.value);
  const number = (name, value, most, least = 1) => field(say(`strategy.${name}`), h("input",
    { name, type: "number", min: least, max: most, step: 1, required: true, value: given.get(name) || value }));
  const amount = (name, value) => amountField(say(`strategy.amounts.${name}`), name, given.get(name) || value,
    { required: Boolean(value) });
  settings = houseSettings(houses, house, given);
  const form = h("form", { class: "panel stacked question" }, field(say("strategy.house"), house), choosers[0].box,
    h("details", { open: Boolean(given.get("s1") || given.get("s2")) }, h("summary", {}, say("strategy.compare")),
      choosers.slice(1).map((each) => each.box)),
    h("div", { class: "fields" }, amount("bankroll", plain(session.bankroll)), number("rolls", session.rolls, 2000),
      number("sessions", 20000, 1000000)),
    h("details", { open: Boolean(given.get("stop_win") || given.get("stop_loss")) },
      h("summary", {}, say("strategy.more")), h("div", { class: "fields" }, amount("stop_win", ""),
        amount("stop_loss", ""), amount("minimum", "5"), amount("maximum", "1000"),
        amount("chip", plain(session.chip)), number("seed", 1, Number.MAX_SAFE_INTEGER, 0)),
      field(say("strategy.end"), choice("end", ENDS, session.end))),
    settings.element, h("button", { class: "main" }, say("strategy.run")));
  onSubmit(form, () => {
    results.scrollIntoView({ block: "nearest" });
    return run(form, houses);
  });
  proposeLimits(houses, house.value, form, (name) => given.get(name));
  house.addEventListener("change", () => {
    proposeLimits(houses, house.value, form);
    offer(house.value).catch(trouble);
  });
  put(main, head, h("div", { class: "columns" }, form, results));
  await offer(house.value, true);
  await run(form, houses);
}

const begin = () => start().catch((error) => {
  if (!find("form")) main.append(results);
  put(results, h("p", { class: "notice", role: "alert" }, error.message, " ",
    h("a", { href: "/strategy" }, say("strategy.again"))));
});
addEventListener("popstate", () => {
  delete results.dataset.state;
  begin();
});
begin();
