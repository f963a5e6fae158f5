// Strategies: the exact answer at once where there is one, then a simulation that grows before one's
// eyes; several on common dice; the best, median and worst session on the felt.
import { ask, once, post } from "../kit/api.js";
import { button, field, find, h, put, select } from "../kit/dom.js";
import { figures, histogram, key } from "../kit/chart.js";
import { clothOf } from "../kit/cloth.js";
import { dialog, trouble } from "../kit/dialog.js";
import { amountOf, money, plain, signed } from "../kit/money.js";
import { asked, bar, heading, remember } from "../kit/shell.js";
import "../felt/felt.js";

const OWN = "own";
const EXAMPLE = "when come-out: bet 10 pass\notherwise: odds 2x\n";
bar();
const main = find("#main");
const given = asked();
const results = h("div", { class: "results" });
let running = "";

// -- the question ----------------------------------------------------------------------------------

function chooser(strategies, chosen, text, n) {
  const list = select([...(n ? [["", "nothing"]] : []), ...strategies.map((each) => [each.name, each.call]), [OWN, "your own, written below"]],
    chosen, { name: `s${n}` });
  const area = h("textarea", { name: `t${n}`, spellcheck: "false", rows: 6 });
  area.value = text || EXAMPLE;
  const note = h("p", { class: "faint" });
  const own = h("div", {}, field("Your strategy in words", area));
  const call = h("input", { name: `c${n}`, value: given.get(`c${n}`) || "" });
  const parameters = field("Parameters", call, "like unit=25, odds=3; empty: as it comes");
  const change = () => {
    own.hidden = list.value !== OWN;
    parameters.hidden = !list.value || list.value === OWN;
    const known = strategies.find((each) => each.name === list.value);
    put(note, known ? known.summary : "");
  };
  list.addEventListener("change", () => {
    call.value = "";
    change();
  });
  change();
  return h("fieldset", { class: "stacked" }, h("legend", {}, n ? `Compare with (${n})` : "Strategy"), field("Which", list), note, parameters, own);
}

function read(form) {
  const values = Object.fromEntries(new FormData(form));
  const strategies = [];
  for (const n of [0, 1, 2]) {
    const name = values[`s${n}`];
    if (name === OWN) strategies.push({ name: "your own", text: values[`t${n}`] });
    else if (name) strategies.push({ name: values[`c${n}`] ? `${name}(${values[`c${n}`]})` : name });
  }
  const amounts = {};
  for (const name of ["bankroll", "minimum", "maximum", "chip"]) {
    amounts[name] = amountOf(values[name]);
    if (Number.isNaN(amounts[name])) throw new Error(`${name} is an amount like 300, not “${values[name]}”.`);
  }
  const { s0, s1, s2, c0, c1, c2, t0, t1, t2, house, bankroll, minimum, maximum, chip, rolls, sessions, seed, end } = values;
  remember({ house, bankroll, minimum, maximum, chip, rolls, sessions, seed, end, s0, s1, s2, c0, c1, c2,
    t0: s0 === OWN ? t0 : "", t1: s1 === OWN ? t1 : "", t2: s2 === OWN ? t2 : "" });
  return { house, strategies, ...amounts, rolls: Number(rolls), sessions: Number(sessions), seed: Number(seed), end };
}

async function start() {
  const [{ houses }, { strategies }] = await Promise.all([once("/api/houses"), once("/api/strategies")]);
  const input = (name, value, more = {}) => h("input", { name, value: given.get(name) || value, required: true, inputmode: "decimal", ...more });
  const form = h("form", { class: "panel stacked question" },
    field("House", select(houses.map((each) => [each.house, each.title]), given.get("house") || houses[0].house, { name: "house" })),
    chooser(strategies, given.get("s0") || (strategies.find((each) => each.name === "pass") || strategies[0])?.name, given.get("t0"), 0),
    h("details", { open: Boolean(given.get("s1") || given.get("s2")) }, h("summary", {}, "Compare on the same dice"),
      chooser(strategies, given.get("s1") || "", given.get("t1"), 1), chooser(strategies, given.get("s2") || "", given.get("t2"), 2)),
    h("div", { class: "fields" }, field("Bankroll", input("bankroll", "300")), field("Rolls a session", input("rolls", "100")),
      field("Sessions", input("sessions", "20000")), field("Minimum", input("minimum", "5")), field("Maximum", input("maximum", "1000")),
      field("Smallest chip", input("chip", "1")), field("Seed of the dice", input("seed", "1")),
      field("Wagers up at the end", select([["value", "count what they are worth"], ["face", "count at face"], ["run-out", "are played out"]], given.get("end") || "value", { name: "end" }))),
    h("button", { class: "main" }, "Run it"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    run(form).catch(trouble);
  });
  put(main, heading("Strategies", "What a way of playing comes to: worked out exactly where that can be done, and simulated on dice you can throw again."),
    h("div", { class: "columns" }, form, results));
  put(results, h("p", { class: "faint" }, "Choose a strategy and run it. The address of this page holds your question; share it."));
  const known = [OWN, "", ...strategies.map((each) => each.name)];
  const wrong = ["s0", "s1", "s2"].map((each) => given.get(each) || "").find((each) => !known.includes(each));
  const where = given.get("house");
  if (wrong) trouble(new Error(`There is no strategy “${wrong}” here.`));
  else if (where && !houses.some((each) => each.house === where)) trouble(new Error(`There is no house “${where}” here.`));
  else if (given.get("s0")) run(form).catch(trouble);
}

// -- the answer ------------------------------------------------------------------------------------

async function run(form) {
  const question = read(form);
  const { houses } = await once("/api/houses");
  const currency = houses.find((each) => each.house === question.house).currency;
  let job = await post("/api/simulations", question);
  running = job.id;
  const mine = job.id;
  while (running === mine) {
    draw(job, currency, question);
    if (!["waiting", "running"].includes(job.state)) break;
    await new Promise((done) => setTimeout(done, 350));
    job = await ask(`/api/simulations/${mine}`);
  }
}

const percent = (share) => `${(share * 100).toFixed(2)} %`;
const dollars = (currency) => (value) => signed(Math.round(value / 100) * 100, currency);

function draw(job, currency, question) {
  const working = ["waiting", "running"].includes(job.state);
  const words = { waiting: "Waiting for the backroom…", running: "Running…", done: "Done.", stopped: "Stopped; these figures are partial.", failed: "It did not work." };
  put(results,
    h("section", { class: "panel", "aria-label": "Progress" }, h("div", { class: "actions" },
      h("progress", { max: 1, value: job.progress, "aria-label": "Progress" }), h("span", { role: "status", class: "state-words" }, words[job.state]),
      working && button("Cancel", () => ask(`/api/simulations/${job.id}`, { method: "DELETE" }).catch(trouble), { class: "small" })),
    job.error && h("p", { class: "bad", role: "alert" }, job.error)),
    job.exact.map((each, n) => each && exact(job.names[n], each, currency)),
    job.results.length ? simulated(job, currency, question) : null);
  results.dataset.state = job.state;
}

function exact(name, solved, currency) {
  if (solved.why_not) return h("section", { class: "panel" }, h("h2", {}, name), h("p", { class: "faint" }, `No exact answer: ${solved.why_not}`));
  const show = dollars(currency);
  return h("section", { class: "panel exact", "aria-label": `Exact: ${name}` }, h("h2", {}, `${name}: exact`),
    h("dl", { class: "facts" }, [["On average", signed(Math.round(solved.mean), currency)], ["Standard deviation", money(Math.round(solved.deviation), currency)],
      ["Ahead", percent(solved.ahead)], ["Broke", percent(solved.broke)], ["Rolls", solved.rolls.toFixed(1)],
      ["Half of all sessions", `${signed(solved.percentiles[1], currency)} to ${signed(solved.percentiles[3], currency)}`]].map(([a, b]) => [h("dt", {}, a), h("dd", {}, b)])),
    histogram(`Exact results of ${name}`, `Mean ${signed(Math.round(solved.mean), currency)}`, solved.cells, { xText: "result of a session", show }));
}

function simulated(job, currency, question) {
  const show = dollars(currency);
  const rows = job.results.map((each) => [each.name, signed(Math.round(each.mean), currency), `± ${money(Math.round(each.error * 1.96), currency)}`, percent(each.ahead),
    percent(each.broke), money(Math.round(each.staked), currency), signed(each.percentiles[0], currency), signed(each.percentiles[2], currency), signed(each.percentiles[4], currency)]);
  return h("section", { class: "panel simulated", "aria-label": "Simulated" }, h("h2", {}, `${job.results[0].sessions.toLocaleString("en")} sessions on the same dice`),
    job.results.map((each, n) => [h("h3", {}, each.name), histogram(`Simulated results of ${each.name}`, `${each.sessions} sessions`, each.cells, { xText: "result of a session", show, series: n })]),
    job.results.length > 1 ? key(job.results.map((each) => each.name)) : null,
    figures("Figures", ["Strategy", "Mean", "95 % error", "Ahead", "Broke", "Staked", "5th of 100", "Median", "95th"], rows),
    job.state === "done" || job.state === "stopped" ? job.results.map((each, n) => h("p", { class: "actions" }, `Watch on the felt (${each.name}):`,
      ["worst", "median", "best"].map((which) => button(`${which}`, () => watch(job, n, each.which[which], `${which} session of ${each.name}`).catch(trouble),
        { class: "small", "aria-label": `Watch the ${which} session of ${each.name}` })))) : null,
    (job.pairs || []).map((each) => h("p", {}, `${each.one} against ${each.other} on the same dice: ${signed(Math.round(each.mean), currency)} a session on average `,
      `(95 %: ${signed(Math.round(each.interval[0]), currency)} to ${signed(Math.round(each.interval[1]), currency)}), better in ${percent(each.better)}.`)),
    job.results.map((each) => each.refused.length ? h("p", { class: "faint" }, `${each.name} was refused: `,
      each.refused.map((one) => `${one.sentence} (${one.spot}, ${one.times} times)`).join("; ")) : null),
    h("p", { class: "faint" }, `Seed ${question.seed}: the same question gives the same dice.`));
}

async function watch(job, strategy, session, title) {
  const data = await ask(`/api/simulations/${job.id}/replay?strategy=${strategy}&session=${session}`);
  const felt = h("craps-felt");
  const line = h("p", { class: "where", "aria-live": "polite" });
  const slider = h("input", { type: "range", min: 0, max: data.rows.length - 1, value: 0, "aria-label": "Row" });
  let timer = 0;
  const at = (n) => {
    const row = data.rows[Math.max(0, Math.min(n, data.rows.length - 1))];
    slider.value = data.rows.indexOf(row);
    felt.show(row.view);
    put(line, `${Number(slider.value) + 1}/${data.rows.length}: ${row.text} · rail ${plain(row.rail)}`);
  };
  const stop = () => {
    clearInterval(timer);
    timer = 0;
  };
  const play = () => {
    if (timer) return stop();
    timer = setInterval(() => (Number(slider.value) >= data.rows.length - 1 ? stop() : at(Number(slider.value) + 1)), 450);
  };
  slider.addEventListener("input", () => at(Number(slider.value)));
  dialog(title, [h("p", {}, `${data.rolls} rolls, result ${data.net}, ended by: ${data.end}.`), felt, line,
    h("div", { class: "actions replay" }, button("Back", () => at(Number(slider.value) - 1)), button("Play or pause", play), slider, button("On", () => at(Number(slider.value) + 1)))],
  { wide: true, onclose: stop });
  felt.cloth = await clothOf(data.rows[0].view);
  at(0);
}

start().catch((error) => put(main, heading("Strategies"), h("p", { class: "notice" }, error.message)));
