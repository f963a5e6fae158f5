// The price list of a house with its exact edges, and all houses side by side.
import { once } from "../kit/api.js";
import { field, find, h, put, select } from "../kit/dom.js";
import { bars, dots, figures } from "../kit/chart.js";
import { cite } from "../kit/clauses.js";
import { trouble } from "../kit/dialog.js";
import { housesAnd } from "../kit/forms.js";
import { asked, bar, heading, remember } from "../kit/shell.js";

bar();
const main = find("#main");
const GROUPS = ["Line", "Come", "Don't come", "Place", "Buy and lay", "Field, Big 6 and 8", "Hardways", "One roll", "Several at once", "Bonus"];
const ALL = "all";
const short = (title) => title.replace(/:.*/, "");
const percent = (value, places = 2) => `${value.toFixed(places)} %`;
// An exact fraction with what it comes to; nothing is nothing.
const both = (exact, value, places) => (exact === "0" ? "none" : [h("b", {}, percent(value, places)), h("small", {}, ` ${exact}`)]);

function list(house, data, group) {
  const rows = Object.values(data.wagers).filter((row) => group === ALL || row.group === group);
  if (!rows.length) return h("p", { class: "panel" }, `${short(data.title)} offers none of these.`);
  return h("div", { class: "panel prices" },
    h("p", { class: "faint" }, `${data.title}: exact for the settings by default. The edge is what the house keeps of each stake on average.`),
    [...new Set(rows.map((row) => row.group))].map((each) => figures(each, ["Wager", "Pays", "Wins", "Rolls", "Edge", "Edge per roll", "Clauses"],
      rows.filter((row) => row.group === each).map((row) => [row.name, row.price, both(row.win, row.wins_percent, 1), row.rolls_number.toFixed(1),
        both(row.edge, row.percent, 3), row.per_roll ? percent(row.per_roll, 3) : "none", cite(house, row.clauses.slice(0, 3), row.name)]))));
}

function chart(data, group) {
  // Odds behind a wager have no edge at all; a chart of nothing says nothing.
  const rows = Object.entries(data.wagers).filter(([, row]) => (group === ALL || row.group === group) && row.percent !== 0)
    .sort((a, b) => a[1].percent - b[1].percent)
    .map(([, row]) => ({ label: row.name, value: row.percent, text: row.percent.toFixed(2) }));
  if (!rows.length) return null;
  return h("div", { class: "panel" }, h("h2", {}, "House edge"),
    bars(`House edge, ${data.title}`, rows.map((each) => `${each.label} ${each.text} per cent`).join("; "), rows, { unit: " %" }),
    h("p", { class: "faint" }, "Wagers without any edge, such as odds behind the line, stand only in the list. Below nothing the edge is the player's: such a wager has outlived its risk."));
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
    if (!exact) return h("span", { class: "faint" }, "not offered");
    const mark = row.best.includes(each) ? "best" : row.worst.includes(each) ? "worst" : "";
    return h("span", { title: row.names[each] }, both(exact, row.percent[each], 2), mark && h("small", { class: mark === "best" ? "good" : "bad" }, ` ${mark}`));
  };
  return [h("h3", {}, group),
    rows.length ? dots(`House edge of ${group} in ${names.length} houses`, "Edges in per cent; the table below has the exact fractions.", titles, rows) : null,
    figures(`${group}: edge of each wager, exact fraction beside it; best and worst are marked`, ["Wager", ...titles],
      wanted.map(([, row]) => [called(row), ...names.map((each) => cell(row, each))])),
  ];
}

async function start() {
  const { choice: house } = await housesAnd(asked().get("house"));
  const group = select([[ALL, "all kinds"], ...GROUPS.map((each) => [each, each])], asked().get("group") || "Line");
  const prices = h("section", { "aria-label": "One house" }, h("p", { class: "faint" }, "Working it out…"));
  const beside = h("section", { "aria-label": "All houses" });
  const draw = async () => {
    remember({ house: house.value, group: group.value });
    const data = await once(`/api/houses/${encodeURIComponent(house.value)}/odds`);
    put(prices, chart(data, group.value), list(house.value, data, group.value));
    const all = await once("/api/compare");
    const wanted = group.value === ALL ? GROUPS : [group.value];
    put(beside, h("div", { class: "panel" }, h("h2", {}, "All houses side by side"), wanted.map((each) => comparison(all, each, house.value))));
    main.dataset.ready = "";
  };
  house.addEventListener("change", () => draw().catch(trouble));
  group.addEventListener("change", () => draw().catch(trouble));
  put(main, heading("Odds", "What every wager is worth, worked out exactly from the rulebook, never simulated."),
    h("div", { class: "fields panel" }, field("House", house), field("Wagers", group)), prices, beside);
  await draw();
}

start().catch((error) => put(main, heading("Odds"), h("p", { class: "notice" }, error.message), h("a", { class: "button", href: "/odds" }, "Begin again")));
