// Best play: a house, what one has and what one wants; the answer is worked out in the backroom.
import { once } from "../kit/api.js";
import { trouble } from "../kit/dialog.js";
import { field, find, h, put } from "../kit/dom.js";
import { amountField, drawn, figures, given as choice, housesAnd, houseSettings, onSubmit, proposeLimits, settingsOf }
  from "../kit/forms.js";
import { amountOf } from "../kit/money.js";
import { say } from "../kit/say.js";
import { asked, bar, heading, remember } from "../kit/shell.js";
import { follow, state } from "../strategy/job.js";

const GOALS = ["reach", "ahead", "last", "hourly"];
// Which fields each goal has.
const FIELDS = { reach: ["bankroll", "target", "limit"], ahead: ["bankroll", "rolls"],
  last: ["bankroll", "rolls", "risk"], hourly: ["risk"] };
const AMOUNTS = ["bankroll", "target", "risk", "minimum", "maximum", "chip"];
bar();
const main = find("#main");
const given = asked();
const results = h("div", { class: "results" });
const boxes = h("div", { class: "choices" });

let settings;

function read(form) {
  const values = Object.fromEntries(new FormData(form));
  const menu = [...boxes.querySelectorAll("input:checked")].map((each) => each.value).join(",");
  const { house, goal, stakes } = values;
  const set = settings.chosen();
  const wanted = [...FIELDS[goal], "minimum", "maximum", "chip"];
  remember({ house, goal, menu, stakes, ...set, ...Object.fromEntries(wanted.map((name) => [name, values[name]])) });
  const amounts = wanted.filter((name) => AMOUNTS.includes(name) && values[name])
    .map((name) => [name, amountOf(values[name])]);
  const rolls = wanted.includes("rolls") ? values.rolls : wanted.includes("limit") && values.limit;
  return { house, goal, menu, stakes, settings: settingsOf(set), rolls: Number(rolls || 0),
    ...Object.fromEntries(amounts) };
}

async function run(form) {
  await follow("/api/solve", read(form), (job) => draw(results, job));
}

// The wagers of a house, chosen as the address says, or as they were, or the usual ones.
async function offer(form, wanted) {
  const set = Object.entries(settingsOf(settings.chosen())).map(([name, value]) => ["set", `${name}=${value}`]);
  const query = new URLSearchParams([["house", form.elements.house.value], ...set]);
  const { wagers, spots, odds, acts, chosen: usual } = await once(`/api/solve/menu?${query}`);
  const before = [...boxes.querySelectorAll("input:checked")].map((each) => each.value);
  const on = wanted ? wanted.split(/[\s,]+/) : before.length ? before : usual;
  const known = [...wagers.map((each) => each.word), odds, ...acts];
  // A single spot (place.6) has no box of its own: it is one more.
  const more = on.filter((word) => word && !known.includes(word));
  const named = [...wagers, ...more.map((word) => ({ word, name: spots[word] || word })),
    ...[odds, ...acts].map((word) => ({ word, name: say(`solve.acts.${word}`) }))];
  put(boxes, named.map(({ word, name }) => h("label", { class: "choice" },
    h("input", { type: "checkbox", value: word, checked: on.includes(word) }), name)));
}

async function start() {
  const { houses, choice: house } = await housesAnd(given.get("house"));
  const goal = choice("goal", GOALS.map((each) => [each, say(`solve.goals.${each}`)]), "reach");
  const texts = { bankroll: "300", target: "600", risk: "25", minimum: "", maximum: "", chip: "1" };
  const amounts = Object.fromEntries(AMOUNTS.map((name) =>
    [name, amountField(say(`solve.${name}`), name, given.get(name) || texts[name])]));
  const rolls = field(say("solve.rolls"), h("input",
    { name: "rolls", type: "number", min: 1, max: 2000, required: true, value: given.get("rolls") || 100 }));
  const limit = field(say("solve.limit"), h("input",
    { name: "limit", type: "number", min: 1, max: 2000, value: given.get("limit") || "" }));
  const parts = { ...amounts, rolls, limit };
  const fields = h("div", { class: "fields" });
  const stakes = field(say("solve.stakes"), h("input",
    { name: "stakes", maxlength: 300, value: given.get("stakes") || "" }), say("solve.stakes-hint"));
  settings = houseSettings(houses, house, given);
  const form = h("form", { class: "panel stacked question" }, field(say("solve.house"), house),
    field(say("solve.goal"), goal), fields,
    h("fieldset", {}, h("legend", {}, say("solve.menu")), boxes), stakes, settings.element,
      h("button", { class: "main" }, say("solve.submit")));
  const show = () => put(fields, [...FIELDS[goal.value], "minimum", "maximum", "chip"].map((name) => parts[name]));
  onSubmit(form, () => run(form));
  goal.addEventListener("change", show);
  house.addEventListener("change", () => {
    proposeLimits(houses, house.value, form);
    offer(form).catch(trouble);
  });
  settings.element.addEventListener("change", () => offer(form).catch(trouble));
  show();
  proposeLimits(houses, house.value, form, (name) => given.get(name));
  put(main, heading(say("solve.title"), say("solve.lead")), h("div", { class: "columns" }, form, results));
  put(results, h("p", { class: "faint" }, say("solve.invitation")));
  await offer(form, given.get("menu"));
  if (given.get("goal")) await run(form);
}

start().catch((error) => {
  if (!find("form")) put(main, heading(say("solve.title")), results);
  put(results, h("p", { class: "notice", role: "alert" }, error.message, " ",
    h("a", { href: "/solve" }, say("solve.again"))));
});

// The answer: the chance of losing everything first, a card, costs, the library, pictures.
function draw(results, job) {
  put(results, state(job), job.fits && fitting(job.fits), job.answer && answer(job.answer));
  results.dataset.state = job.state;
}

// The same question with a menu that is not too large.
function fitting([menu, stakes]) {
  const query = new URLSearchParams(location.search);
  query.set("menu", menu);
  query.set("stakes", stakes);
  return h("p", {}, h("a", { href: `?${query}` }, say("solve.fits", { menu, stakes })));
}

const section = (name, ...inside) => h("section", { class: `panel ${name}`, "aria-label": say(`solve.${name}`) },
  h("h2", {}, say(`solve.${name}`)), inside);

function told(name, found) {
  return found && section(name, found.rows.length ? figures(found.words, found.heads, found.rows)
    : h("p", {}, found.words));
}

function answer(found) {
  return [
    section("answer", h("p", {}, found.question), h("dl", { class: "facts" },
      found.headline.map(([name, figure]) => [h("dt", {}, name), h("dd", {}, figure)])),
      found.favours && h("p", { class: "notice" }, found.favours.words),
        h("p", { class: "faint" }, say("solve.meant"))),
    told("card", found.card), found.pictures.length > 0 && section("chances", drawn(found.pictures)),
    told("mistakes", found.mistakes), told("library", found.library),
    section("certificate", found.certificate.map((line) => h("p", {}, line)), h("p", { class: "faint" }, found.menu)),
  ];
}
