// The price list of a house with its exact edges, and all houses side by side.
import { once } from "../kit/api.js";
import { field, find, h, put, select } from "../kit/dom.js";
import { bars, dots, figures } from "../kit/chart.js";
import { cite } from "../kit/clauses.js";
import { trouble } from "../kit/dialog.js";
import { housesAnd } from "../kit/forms.js";
import { has, say } from "../kit/say.js";
import { asked, bar, heading, remember } from "../kit/shell.js";

bar();
const main = find("#main");
const groupWords = (group) => (has(`headings.${group}`) ? say(`headings.${group}`) : group);
const ALL = "all";
const short = (title) => title.replace(/:.*/, "");
const percent = (value, places = 2) => `${value.toFixed(places)} %`;
// An exact fraction with what it comes to; nothing is nothing.
const both = (exact, value, places) => (exact === "0" ? say("odds.none")
  : [h("b", {}, percent(value, places)), h("small", {}, ` ${exact}`)]);

function list(house, data, group) {
  const rows = Object.values(data.wagers).filter((row) => group === ALL || row.group === group);
  if (!rows.length) return h("p", { class: "panel" }, say("odds.not-here", { house: short(data.title) }));
  return h("div", { class: "panel prices" },
    h("p", { class: "faint" }, say("odds.lead-list", { house: data.title })),
    [...new Set(rows.map((row) => row.group))].map((each) =>
      figures(groupWords(each), ["wager", "pays", "wins", "rolls", "edge", "per-roll", "clauses"]
      .map((name) => say(`odds.columns.${name}`)),
      rows.filter((row) => row.group === each).map((row) =>
        [row.name, row.price, both(row.win, row.wins_percent, 1), row.rolls_number.toFixed(1),
        both(row.edge, row.percent, 3), row.per_roll ? percent(row.per_roll, 3) : say("odds.none"),
          cite(house, row.clauses.slice(0, 3), row.name)]))));
}

function chart(data, group) {
  // Odds behind a wager have no edge at all; a chart of nothing says nothing.
  const rows = Object.entries(data.wagers).filter(([, row]) => (group === ALL || row.group === group)
    && row.percent !== 0)
    .sort((a, b) => a[1].percent - b[1].percent)
    .map(([, row]) => ({ label: row.name, value: row.percent, text: row.percent.toFixed(2) }));
  if (!rows.length) return null;
  return h("div", { class: "panel" }, h("h2", {}, say("odds.edge")),
    bars(say("odds.edge-of", { house: data.title }),
      rows.map((each) => say("odds.per-cent", { wager: each.label, figure: each.text })).join("; "), rows,
      { unit: " %" }),
    h("p", { class: "faint" }, say("odds.note")));
}

function comparison(data, group, house) {
  const names = Object.keys(data.houses);
  const titles = names.map((each) => short(data.houses[each].title));
  // A wager is called what the chosen house calls it, or else whoever has it.
  const called = (row) => row.names[house] || Object.values(row.names)[0];
  const wanted = Object.entries(data.wagers).filter(([, row]) => row.group === group);
  const rows = wanted.map(([, row]) => ({ label: called(row), values: names.map((each) => row.percent[each] ?? null) }))
    .filter((row) => row.values.some((each) => each));
  const cell = (row, each) => {
    const exact = row.edges[each];
    if (!exact) return h("span", { class: "faint" }, say("odds.not-offered"));
    const mark = row.best.includes(each) ? "best" : row.worst.includes(each) ? "worst" : "";
    return h("span", { title: row.names[each] }, both(exact, row.percent[each], 2),
      mark && h("small", { class: mark === "best" ? "good" : "bad" }, ` ${say(`odds.marks.${mark}`)}`));
  };
  return [h("h3", {}, groupWords(group)),
    rows.length ? dots(say("odds.edge-in", { group: groupWords(group), n: names.length }), say("odds.below"), titles,
      rows) : null,
    figures(say("odds.beside", { group: groupWords(group) }), [say("odds.columns.wager"), ...titles],
      wanted.map(([, row]) => [called(row), ...names.map((each) => cell(row, each))])),
  ];
}

async function start() {
  const { choice: house } = await housesAnd(asked().get("house"));
  const group = select([[ALL, say("odds.all")]], ALL);
  const groups = () => [...group.options].map((each) => each.value).filter((each) => each !== ALL);
  // The kinds there are: those of this house first, then what others have besides.
  let asking = asked().get("group") || "Line";
  const offer = (data) => {
    for (const each of new Set(Object.values(data.wagers).map((row) => row.group))) {
      if (!groups().includes(each)) group.append(h("option", { value: each }, groupWords(each)));
    }
    if (asking === ALL || groups().includes(asking)) [group.value, asking] = [asking, ""];
  };
  const prices = h("section", { "aria-label": say("odds.one") }, h("p", { class: "faint" }, say("odds.working")));
  const beside = h("section", { "aria-label": say("odds.houses") });
  const draw = async () => {
    const data = await once(`/api/houses/${encodeURIComponent(house.value)}/odds`);
    offer(data);
    put(prices, chart(data, group.value), list(house.value, data, group.value));
    const all = await once("/api/compare");
    offer(all);
    remember({ house: house.value, group: group.value });
    const wanted = group.value === ALL ? groups() : [group.value];
    put(beside, h("div", { class: "panel" }, h("h2", {}, say("odds.side")),
      wanted.map((each) => comparison(all, each, house.value))));
    main.dataset.ready = "";
  };
  house.addEventListener("change", () => draw().catch(trouble));
  group.addEventListener("change", () => draw().catch(trouble));
  put(main, heading(say("odds.title"), say("odds.lead")),
    h("div", { class: "fields panel" }, field(say("odds.house"), house), field(say("odds.wagers"), group)), prices,
      beside);
  await draw();
}

start().catch((error) => put(main, heading(say("odds.title")), h("p", { class: "notice" }, error.message),
  h("a", { class: "button", href: "/odds" }, say("odds.again"))));
