// The lobby: tables with their signs, and one form that opens a practice table.
import { ask, asGuest, once, post } from "../kit/api.js";
import { button, field, find, h, keep, put, select } from "../kit/dom.js";
import { cite } from "../kit/clauses.js";
import { trouble } from "../kit/dialog.js";
import { amountField, housesAnd, onSubmit } from "../kit/forms.js";
import { amountOf, money } from "../kit/money.js";
import { bar, heading } from "../kit/shell.js";
import { left, share } from "../felt/seat.js";

bar();
const list = h("div", { class: "grid tables" });
const form = h("form", { class: "panel stacked new-table", "aria-label": "New practice table" });
const name = h("input", { name: "name", required: true, maxlength: 20, pattern: "[A-Za-z][A-Za-z0-9_\\-]*",
  title: "Letters, digits, - and _, a letter first", value: keep.get("name", "lucky"), autocomplete: "nickname" });
const lesson = h("p", { class: "panel lesson" }, h("span", {}, h("b", {}, "Never played craps? "), "A guided first hand takes two minutes, with play money and nobody watching."),
  button("Take a first hand", () => firstHand().catch(trouble), { class: keep.get("taught", false) ? "" : "main" }));
put(find("#main"),
  h("section", { class: "welcome" }, heading("Craps by the book",
    "Play money, real rules: every roll is decided by a published rulebook, and every decision shows the clause it rests on."), lesson),
  h("div", { class: "columns lobby" }, form,
    h("section", { "aria-labelledby": "open-tables" }, h("h2", { id: "open-tables" }, "Open tables"), list)));

const address = (table, page = "table") => `/${page}/${encodeURIComponent(table)}`;

// -- tables --------------------------------------------------------------------------------------

function signs(each) {
  const text = h("ul", { class: "told" });
  return h("details", { ontoggle: async () => {
    if (text.children.length) return;
    const { signs: all } = await ask(`/api/tables/${encodeURIComponent(each.table)}/signs`);
    put(text, all.map((sign) => h("li", {}, sign.text, " ", cite(each.house, sign.cites))));
  } }, h("summary", { "aria-label": `Signs of ${each.name}` }, "Signs of this table"), text);
}

async function sit(each) {
  if (!name.reportValidity()) return;
  await asGuest(name.value);
  keep.set("name", name.value);
  await post(`/api/tables/${encodeURIComponent(each.table)}/sit`, { name: name.value });
  location.assign(address(each.table));
}

async function leave(each) {
  await left(each.table, each.currency);
  drawn = "";
  await refresh();
}

function card(each, me) {
  const seat = me.tables?.find((one) => one.table === each.table)?.seat;
  const full = each.places && each.seats >= each.places;
  const live = each.kind === "live";
  const act = (text, action) => button(text, () => action(each).catch(trouble), { "aria-label": `${text}: ${each.name}` });
  const open = (text, kind = "") => h("a", { class: `button ${kind}`, href: address(each.table), "aria-label": `${text}: ${each.name}` }, text);
  const first = seat ? open("Back to your seat", "main") : live && (!me.person || me.guest)
    ? h("a", { class: "button", href: "/sign-in", "aria-label": `Sign in to play: ${each.name}` }, "Sign in to play")
    : !full && !live && act("Sit down", sit);
  return h("article", { class: "panel table-card" },
    h("h3", {}, each.name), h("p", { class: "faint" }, each.title),
    h("p", {}, [`${money(each.minimum, each.currency)} to ${money(each.maximum, each.currency)}`, `${each.seats} at the table${full ? ", full" : ""}`,
      each.puck ? `point ${each.puck}` : "coming out", live ? "live" : "practice", seat && `you sit here as ${seat}`].filter(Boolean).join(" · ")),
    h("div", { class: "actions" }, first, !seat && open(live ? "Go to the table" : "Watch"), seat && act("Leave", leave),
      act("Link for a friend", async () => share(each.table, each.seats))), signs(each));
}

let drawn = "";

async function refresh() {
  // Somebody may be on a button with the keyboard, or reading a sign.
  if (drawn && list.matches(":focus-within, :has(details[open])")) return;
  try {
    const [{ tables }, me] = await Promise.all([ask("/api/tables"), ask("/api/me")]);
    const open = tables.filter((each) => !each.closed).reverse();
    const now = JSON.stringify([open.map(({ number, rolls, ...each }) => each), me.tables, me.person]);
    if (now === drawn) return;
    drawn = now;
    put(list, open.length ? open.map((each) => card(each, me)) : h("p", { class: "faint" }, "No table is open yet. Open one: it takes one form and no account."));
  } catch (error) {
    put(list, h("p", { class: "notice" }, error.message));
  }
}

// -- a new practice table ------------------------------------------------------------------------

function setting(rule) {
  const attributes = { name: `set.${rule.name}` };
  if (rule.type === "price" || rule.choices.length === 1) return null;
  if (rule.type === "flag") return field(rule.label, select([["true", "yes"], ["false", "no"]], String(rule.default), attributes), rule.hint);
  if (rule.choices.length) return field(rule.label, select(rule.choices.map((each) => [each, each]), rule.default, attributes), rule.hint);
  return field(rule.label, h("input", { ...attributes, type: "number", min: rule.least ?? 0, max: rule.most, value: rule.default }), rule.hint);
}

const seconds = (label, called, value, most, hint) =>
  field(label, h("input", { name: called, type: "number", min: 0, max: most, step: called === "pace" ? 0.1 : 1, value, required: true }), hint);

async function draw() {
  const { houses, choice: house } = await housesAnd("", keep.get("house", ""));
  const settings = h("div", { class: "stacked" });
  const plays = select([["", "a mixture"]], "", { name: "plays" });
  const change = async () => {
    put(settings, houses.find((each) => each.house === house.value).choices.map(setting));
    const { strategies } = await once(`/api/strategies?house=${encodeURIComponent(house.value)}`);
    put(plays, plays.firstChild, strategies.map((each) => h("option", { value: each.name }, each.title)));
  };
  house.addEventListener("change", () => change().catch(trouble));
  const players = ["nobody else", "one", "two", "three", "four", "five", "six"].map((each, n) => [n, each]);
  const me = await ask("/api/me");
  if (me.setup) {
    find(".welcome").append(h("p", { class: "notice" }, "This house has no administrator yet, so nobody can open live tables or appoint a crew. ",
      h("a", { class: "button", href: "/setup" }, "Set it up")));
  }
  put(form, h("h2", {}, me.administrator ? "New table" : "New practice table"),
    me.administrator && h("div", { class: "fields" },
      field("Kind", select([["practice", "practice"], ["live", "live, with accounts"]], "practice", { name: "kind" })),
      field("Dice", select([["house", "the house's own"], ["hand", "thrown by hand"]], "house", { name: "dice" }))),
    field("House", house),
    h("div", { class: "fields three" }, amountField("Minimum", "minimum", "5"), amountField("Maximum", "maximum", "500"), amountField("Smallest chip", "chip", "1")),
    h("div", { class: "fields" }, field("Your name", name), amountField("Buy in", "buy_in", "300")),
    h("div", { class: "fields" }, field("Automatic players", select(players, 0, { name: "players" })), field("They play", plays)),
    h("details", {}, h("summary", {}, "Crew, shooter and pace"), h("div", { class: "stacked" },
      field("Crew", select([["automatic", "automatic"], ["by hand", "you work it by hand"]], "automatic", { name: "crew" })),
      field("Dice are thrown by", select([["guest", "a guest who is always there"], ["players", "the players in turn"]], "guest", { name: "shooter" })),
      h("div", { class: "fields" }, seconds("Seconds between calls", "pace", 0.6, 10, "how fast the automatic crew is"),
        seconds("Seconds for bets", "window", 0, 600, "0: until the players are ready")),
      seconds("Seconds for the others", "patience", 8, 120, "when somebody wants the dice thrown"))),
    h("details", {}, h("summary", {}, "House settings"), settings),
    h("button", { class: "main" }, "Open the table and sit down"));
  onSubmit(form, open);
  await change();
}

async function open() {
  const { players, plays, kind, dice = "house", crew, shooter, minimum, maximum, chip, buy_in: buyIn, pace, window: wait, patience, ...values } = Object.fromEntries(new FormData(form));
  const settings = Object.fromEntries(Object.entries(values).filter(([called]) => called.startsWith("set.")).map(([called, value]) => [called.slice(4), value]));
  // A mixture is the server's to choose: it knows what this house offers.
  await opened(values, { settings, crew, shooter, dice, practice: kind !== "live", players: plays ? Array(Number(players)).fill(plays) : Number(players),
    minimum: amountOf(minimum), maximum: amountOf(maximum), chip: amountOf(chip), pace: Number(pace), window: Number(wait), patience: Number(patience) }, amountOf(buyIn));
}

async function opened(values, table, buyIn) {
  keep.set("house", values.house);
  keep.set("name", values.name);
  await asGuest(values.name);
  const made = await post("/api/tables", { house: values.house, name: `${values.name}'s table`, ...table });
  if (table.practice !== false) await post(`/api/tables/${encodeURIComponent(made.table)}/sit`, { name: values.name, buy_in: buyIn });
  location.assign(address(made.table, table.crew === "by hand" ? "console" : "table"));
}

// The table itself guides whoever was not taught yet, from the first roll on.
async function firstHand() {
  if (!name.reportValidity()) return;
  keep.set("taught", false);
  const chosen = form.elements.house || (await housesAnd("", keep.get("house", ""))).choice;
  await opened({ house: chosen.value, name: name.value }, {}, 30000);
}

refresh();
draw().catch(trouble);
setInterval(() => document.hidden || refresh(), 4000);
