// The lobby: tables with their signs, and one form that opens a practice table.
import { ask, asGuest, once, post } from "../kit/api.js";
import { field, find, h, keep, put, select } from "../kit/dom.js";
import { trouble } from "../kit/dialog.js";
import { amountOf, money } from "../kit/money.js";
import { bar, heading } from "../kit/shell.js";

bar();
const list = h("div", { class: "grid tables" });
const form = h("form", { class: "panel stacked new-table", "aria-label": "New practice table" });
put(find("#main"),
  h("section", { class: "welcome" }, heading("Craps by the book",
    "Play money, real rules: every roll is decided by a published rulebook, and every decision shows the clause it rests on.")),
  h("div", { class: "columns lobby" }, form,
    h("section", { "aria-labelledby": "open-tables" }, h("h2", { id: "open-tables" }, "Open tables"), list)));

// -- tables --------------------------------------------------------------------------------------

function card(each) {
  const address = `/table/${encodeURIComponent(each.table)}`;
  const seats = typeof each.seats === "number" ? each.seats : (each.seats || []).length;
  return h("article", { class: "panel table-card" },
    h("h3", {}, each.name || each.table), h("p", { class: "faint" }, each.title || each.house),
    h("p", {}, `${money(each.minimum, each.currency)} to ${money(each.maximum, each.currency)}`,
      ` · ${seats} at the table · `, each.puck ? `point ${each.puck}` : "coming out",
      ` · ${each.kind === "live" ? "live" : "practice"}`),
    h("div", { class: "actions" },
      h("a", { class: "button main", href: address, "aria-label": `Go to ${each.name || each.table}` }, "Go to the table"),
      h("a", { class: "button", href: `/inspect/${encodeURIComponent(each.table)}`, "aria-label": `Journal of ${each.name || each.table}` }, "Journal")));
}

let drawn = "";

async function refresh() {
  try {
    const { tables } = await ask("/api/tables");
    const open = tables.filter((each) => !each.closed).reverse();
    const now = JSON.stringify(open.map(({ number, ...each }) => each));
    if (now === drawn) return;
    drawn = now;
    const focused = list.contains(document.activeElement) && document.activeElement.getAttribute("href");
    put(list, open.length ? open.map(card) : h("p", { class: "faint" }, "No table is open yet. Open one: it takes one form and no account."));
    // Somebody may be on a link with the keyboard.
    if (focused) [...list.querySelectorAll("a")].find((each) => each.getAttribute("href") === focused)?.focus();
  } catch (error) {
    put(list, h("p", { class: "notice" }, error.message));
  }
}

// -- a new practice table ------------------------------------------------------------------------

function setting(rule) {
  const name = `set.${rule.name}`;
  const label = rule.name[0].toUpperCase() + rule.name.slice(1).replaceAll("_", " ");
  if (rule.type === "price") return null;
  if (rule.type === "flag") {
    return field(label, select([["true", "yes"], ["false", "no"]], String(rule.default), { name }), rule.text);
  }
  if (rule.choices.length) {
    return field(label, select(rule.choices.map((each) => [each, each]), rule.default, { name }), rule.text);
  }
  return field(label, h("input", { name, type: "number", min: rule.least ?? 0, max: rule.most, value: rule.default }), rule.text);
}

async function draw() {
  const { houses } = await once("/api/houses");
  const strategies = await once("/api/strategies").catch(() => ({ strategies: [] }));
  const settings = h("div", { class: "fields" });
  const house = select(houses.map((each) => [each.house, each.title]), keep.get("house", houses[0].house), { name: "house" });
  const change = () => put(settings, houses.find((each) => each.house === house.value).choices.map(setting));
  house.addEventListener("change", change);
  change();
  const players = ["nobody else", "one", "two", "three", "four", "five", "six"].map((each, n) => [n || "", each]);
  const known = (strategies.strategies || []).map((each) => each.name || each);
  const me = await ask("/api/me");
  if (me.setup) {
    find(".welcome").append(h("p", { class: "notice" }, "This house has no administrator yet, so nobody can open live tables or appoint a crew. ",
      h("a", { href: "/setup" }, "Set it up")));
  }
  put(form, h("h2", {}, me.administrator ? "New table" : "New practice table"),
    me.administrator && h("div", { class: "fields" },
      field("Kind", select([["practice", "practice"], ["live", "live, for people with accounts"]], "practice", { name: "kind" })),
      field("Dice", select([["house", "the house's own"], ["hand", "thrown by hand"]], "house", { name: "dice" }))),
    field("House", house),
    h("div", { class: "fields" },
      field("Minimum", h("input", { name: "minimum", inputmode: "decimal", value: "5", required: true })),
      field("Maximum", h("input", { name: "maximum", inputmode: "decimal", value: "500", required: true })),
      field("Smallest chip", h("input", { name: "chip", inputmode: "decimal", value: "1", required: true }))),
    h("div", { class: "fields" },
      field("Crew", select([["automatic", "automatic"], ["hand", "you, by hand"]], "automatic", { name: "crew" })),
      field("Automatic players", select(players, "", { name: "players" })),
      field("They play", select([["", "a mixture"], ...known.map((each) => [each, each])], "", { name: "plays" })),
      field("Dice are thrown by", select([["guest", "a guest, always there"], ["players", "the players in turn"]], "guest", { name: "shooter" }))),
    field("Your name", h("input", { name: "name", required: true, maxlength: 20, pattern: "[A-Za-z][A-Za-z0-9_\\-]*",
      value: keep.get("name", "lucky"), autocomplete: "nickname" }), "Letters, digits, - and _"),
    field("Buy in", h("input", { name: "buy_in", inputmode: "decimal", value: "300", required: true })),
    h("details", {}, h("summary", {}, "House settings"), settings),
    h("button", { class: "main" }, "Open the table and sit down"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    open().catch(trouble);
  });
}

function amounts(values) {
  const made = {};
  for (const name of ["minimum", "maximum", "chip", "buy_in"]) {
    const amount = amountOf(values[name]);
    if (Number.isNaN(amount)) throw new Error(`${name.replace("_", " ")} is an amount like 5 or 2.50, not “${values[name]}”.`);
    made[name] = amount;
  }
  return made;
}

async function open() {
  const values = Object.fromEntries(new FormData(form));
  const { buy_in: buyIn, ...limits } = amounts(values);
  const house = (await once("/api/houses")).houses.find((each) => each.house === values.house);
  const settings = {};
  for (const rule of house.choices) {
    const value = values[`set.${rule.name}`];
    if (value !== undefined && String(value) !== String(rule.default)) settings[rule.name] = value;
  }
  keep.set("house", values.house);
  keep.set("name", values.name);
  // A mixture is the server's to choose: it knows what this house offers.
  const count = Number(values.players || 0);
  const players = values.plays ? Array(count).fill(values.plays) : count;
  await asGuest(values.name);
  const made = await post("/api/tables", { house: values.house, name: `${values.name}'s table`, ...limits, settings, players,
    crew: values.crew === "hand" ? "by hand" : "automatic",
    practice: values.kind !== "live", shooter: values.shooter, dice: values.dice || "house" });
  if (values.kind !== "live") await post(`/api/tables/${encodeURIComponent(made.table)}/sit`, { name: values.name, buy_in: buyIn });
  location.assign(`${values.crew === "hand" ? "/console" : "/table"}/${encodeURIComponent(made.table)}`);
}

refresh();
draw().catch(trouble);
setInterval(() => document.hidden || refresh(), 4000);
