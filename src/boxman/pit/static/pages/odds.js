// The price list of a house under its settings with exact edges, and all houses side by side.
import { once } from "../kit/api.js";
import { field, find, h, put, select } from "../kit/dom.js";
import { cite } from "../kit/clauses.js";
import { trouble } from "../kit/dialog.js";
import { drawn, figures, housesAnd, houseSettings, settingsOf } from "../kit/forms.js";
import { say } from "../kit/say.js";
import { asked, bar, heading, remember } from "../kit/shell.js";

bar();
const main = find("#main");
const ALL = "all";
let turn = 0; // which question is being answered: an answer that comes late is dropped
const percent = (value, places = 2) => `${value.toFixed(places)} %`;
// An exact fraction with what it comes to; nothing is nothing.
const both = (exact, value, places) => (exact === "0" ? say("odds.none")
  : [h("b", {}, percent(value, places)), h("small", {}, ` ${exact}`)]);
const columns = (...names) => names.map((name) => say(`odds.columns.${name}`));

const priced = (house, data, group) => {
  const rows = Object.values(data.wagers).filter((row) => row.group === group);
  return rows.length > 0 && figures(data.headings[group],
    columns("wager", "pays", "wins", "rolls", "edge", "per-roll", "clauses"),
    rows.map((row) => [row.name, row.price, both(row.win, row.wins_percent, 1), row.rolls_number.toFixed(1),
      both(row.edge, row.percent, 3), row.per_roll ? percent(row.per_roll, 3) : say("odds.none"),
      cite(house, row.clauses.slice(0, 3), row.name)]));
};

function beside(data, group) {
  const names = Object.keys(data.houses);
  const cell = (row, each) => {
    const exact = row.edges[each];
    if (!exact) return h("span", { class: "faint" }, say("odds.not-offered"));
    const mark = row.best.includes(each) ? "best" : row.worst.includes(each) ? "worst" : "";
    return h("span", { title: row.names[each] }, both(exact, row.percent[each], 2),
      mark && h("small", { class: mark === "best" ? "good" : "bad" }, ` ${say(`odds.marks.${mark}`)}`));
  };
  const words = data.headings[group];
  return [drawn(data.charts[words]), figures(say("odds.beside", { group: words }),
    [...columns("wager"), ...names.map((each) => data.houses[each].title)], Object.values(data.wagers)
      .filter((row) => row.group === group && !row.told)
      .map((row) => [row.name, ...names.map((each) => cell(row, each))]))];
}

async function start() {
  const { houses, choice: house } = await housesAnd(asked().get("house"));
  const settings = houseSettings(houses, house, asked());
  const group = select([[ALL, say("odds.all")]], ALL, { name: "group" });
  const groups = () => [...group.options].map((each) => each.value).filter((each) => each !== ALL);
  // The kinds there are: those of this house first, then what others have besides.
  let asking = asked().get("group");
  const offer = (data) => {
    for (const [value, words] of Object.entries(data.headings)) {
      if (!groups().includes(value)) group.append(h("option", { value }, words));
    }
    asking ??= groups()[0];
    if (asking === ALL || groups().includes(asking)) [group.value, asking] = [asking, ""];
  };
  const prices = h("section", { "aria-label": say("odds.one") }, h("p", { class: "faint" }, say("odds.working")));
  const sides = h("section", { "aria-label": say("odds.houses") });
  const draw = async () => {
    turn += 1;
    const mine = turn;
    const set = settings.chosen();
    const query = new URLSearchParams(Object.entries(settingsOf(set))
      .map(([name, value]) => ["set", `${name}=${value}`]));
    const data = await once(`/api/houses/${encodeURIComponent(house.value)}/odds?${query}`);
    const compared = once(`/api/compare?house=${encodeURIComponent(house.value)}`);
    offer(data);
    if (asking) offer(await compared);
    if (mine !== turn) return;
    if (asking) throw new Error(say("forms.no-choice", { name: "group", wanted: asking, names: groups() }));
    const wanted = () => (group.value === ALL ? groups() : [group.value]);
    const charts = drawn(wanted().map((each) => data.charts[data.headings[each]]));
    const lists = wanted().map((each) => priced(house.value, data, each)).filter(Boolean);
    put(prices, charts.length > 0 && h("div", { class: "panel" }, h("h2", {}, say("odds.edge")),
      h("div", { class: "many" }, charts), h("p", { class: "faint" }, say("odds.note"))),
    h("div", { class: "panel prices" }, lists.length ? [h("p", { class: "faint" },
      say("odds.lead-list", { house: data.title })), lists] : say("odds.not-here", { house: data.title })));
    const all = await compared;
    if (mine !== turn) return;
    offer(all);
    remember({ house: house.value, group: group.value, ...set }, "ready" in main.dataset);
    put(sides, h("div", { class: "panel" }, h("h2", {}, say("odds.side")), wanted().map((each) => beside(all, each))));
    main.dataset.ready = "";
  };
  for (const each of [house, group, settings.element]) each.addEventListener("change", () => draw().catch(trouble));
  put(main, heading(say("odds.title"), say("odds.lead")),
    h("div", { class: "fields panel" }, field(say("odds.house"), house), field(say("odds.wagers"), group),
      settings.element), prices, sides);
  await draw();
}

const begin = () => start().catch((error) => put(main, heading(say("odds.title")),
  h("p", { class: "notice" }, error.message), h("a", { class: "button", href: "/odds" }, say("odds.again"))));
addEventListener("popstate", () => {
  delete main.dataset.ready;
  turn += 1;
  begin();
});
begin();
