// The price list of a house with its exact edges, and all houses side by side.
import { once } from "../kit/api.js";
import { field, find, h, put, select } from "../kit/dom.js";
import { bars, dots, figures } from "../kit/chart.js";
import { cite } from "../kit/clauses.js";
import { asked, bar, heading, remember } from "../kit/shell.js";

bar();
const main = find("#main");
const GROUPS = ["Line", "Come", "Don't come", "Place", "Buy and lay", "Field, Big 6 and 8", "Hardways", "One roll", "Several at once", "Bonus"];

function list(house, data, group) {
  const groups = new Map();
  for (const [name, row] of Object.entries(data.wagers)) {
    if (group && row.group !== group) continue;
    if (!groups.has(row.group)) groups.set(row.group, []);
    groups.get(row.group).push([name, row]);
  }
  const body = [...groups].flatMap(([title, rows]) => [
    h("tr", { class: "group" }, h("th", { scope: "colgroup", colspan: 7 }, title)),
    ...rows.map(([name, row]) => h("tr", {}, h("th", { scope: "row" }, row.name, h("small", {}, ` ${name}`)), h("td", {}, row.price),
      h("td", { class: "number" }, row.win), h("td", { class: "number" }, row.edge), h("td", { class: "number" }, `${row.percent.toFixed(3)} %`),
      h("td", { class: "number" }, `${row.per_roll.toFixed(3)} %`), h("td", {}, cite(house, row.clauses.slice(0, 3), row.name))))]);
  return h("div", { class: "wide-scroll panel", tabindex: "0", role: "region", "aria-label": "Price list" }, h("table", {},
    h("caption", {}, `${data.title}: exact for the settings by default. The edge is what the house keeps of each stake on average.`),
    h("thead", {}, h("tr", {}, ["Wager", "Pays", "Wins", "Edge", "Edge in per cent", "Per roll", "Clauses"].map((each, n) =>
      h("th", { scope: "col", class: n > 1 && n < 6 ? "number" : "" }, each)))), h("tbody", {}, body)));
}

function chart(data, group) {
  // Odds behind a wager have no edge at all; a chart of nothing says nothing.
  const rows = Object.entries(data.wagers).filter(([, row]) => (!group || row.group === group) && row.percent !== 0)
    .sort((a, b) => a[1].percent - b[1].percent).slice(0, 40)
    .map(([, row]) => ({ label: row.name.length > 42 ? `${row.name.slice(0, 41)}…` : row.name, value: row.percent, text: row.percent.toFixed(2) }));
  return bars(`House edge, ${data.title}`, rows.map((each) => `${each.label} ${each.text} per cent`).join("; "), rows, { unit: " %" });
}

function comparison(data, group) {
  const names = Object.keys(data.houses);
  const titles = names.map((each) => data.houses[each].title.replace(/:.*/, ""));
  const wanted = Object.entries(data.wagers).filter(([, row]) => row.group === group);
  const rows = wanted.map(([label, row]) => ({ label, values: names.map((each) => row.percent[each] ?? null) }))
    .filter((row) => row.values.some((each) => each));
  const mark = (row, house) => (row.best.includes(house) ? " best" : row.worst.includes(house) ? " worst" : "");
  return [
    dots(`House edge of ${group} in five houses`, "Edges in per cent; the table below has the exact fractions.", titles, rows),
    figures("Exact edges; best and worst of each wager are marked", ["Wager", ...titles],
      wanted.map(([label, row]) => [label, ...names.map((each) => (row.edges[each] ? `${row.edges[each]}${mark(row, each)}` : "–"))])),
  ];
}

async function start() {
  const { houses } = await once("/api/houses");
  const house = select(houses.map((each) => [each.house, each.title]), asked().get("house") || houses[0].house);
  const group = select([["", "all kinds"], ...GROUPS.map((each) => [each, each])], asked().get("group") || "Line");
  const prices = h("section", { "aria-label": "One house" });
  const beside = h("section", { "aria-label": "All houses" });
  const draw = async () => {
    remember({ house: house.value, group: group.value });
    const [data, all] = await Promise.all([once(`/api/houses/${encodeURIComponent(house.value)}/odds`), once("/api/compare")]);
    put(prices, h("div", { class: "panel" }, h("h2", {}, "House edge"), chart(data, group.value), h("p", { class: "faint" }, "Wagers without any edge, such as odds behind the line, stand only in the list.")), list(house.value, data, group.value));
    put(beside, h("div", { class: "panel" }, h("h2", {}, "Five houses side by side"), comparison(all, group.value || "Line")));
    main.dataset.ready = "";
  };
  house.addEventListener("change", draw);
  group.addEventListener("change", draw);
  put(main, heading("Odds", "What every wager is worth, worked out exactly from the rulebook, never simulated."),
    h("div", { class: "fields panel" }, field("House", house), field("Wagers", group)), prices, beside);
  put(prices, h("p", { class: "faint" }, "Working it out…"));
  await draw();
}

start().catch((error) => put(main, heading("Odds"), h("p", { class: "notice" }, error.message)));
