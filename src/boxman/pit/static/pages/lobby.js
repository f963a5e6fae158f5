// The lobby: tables with their signs, and one form that opens a practice table.
import { ask, asGuest, once, pathOf, post } from "../kit/api.js";
import { button, field, find, h, keep, put, select } from "../kit/dom.js";
import { cite } from "../kit/clauses.js";
import { trouble } from "../kit/dialog.js";
import { amountField, busy, housesAnd, onSubmit, settingField, settingsOf } from "../kit/forms.js";
import { amountOf, money, plain } from "../kit/money.js";
import { say } from "../kit/say.js";
import { asked, bar, heading } from "../kit/shell.js";
import { left } from "../kit/account.js";
import { share } from "../felt/settings.js";

bar();
const list = h("div", { class: "grid tables" });
const form = h("form", { class: "panel stacked new-table", "aria-label": say("lobby.new-practice") },
  h("p", { class: "faint" }, say("clauses.reading")));
const name = h("input", { name: "name", required: true, maxlength: 20, pattern: "[A-Za-z][A-Za-z0-9_\\-]*",
  title: say("lobby.name-rule"), value: keep.get("name", "lucky"), autocomplete: "nickname" });
const felts = h("section", { class: "felts", "aria-label": say("lobby.felts") });
const lesson = h("p", { class: "panel lesson" }, h("span", {}, h("b", {}, say("lobby.never"), " "),
  say("lobby.lesson")),
  button(say("lobby.first-hand"), () => busy(lesson, firstHand)().catch(trouble),
    { class: keep.get("taught", false) ? "" : "main" }));
put(find("#main"),
  h("section", { class: "welcome" }, heading(say("lobby.title"),
    say("lobby.lead")), lesson), felts,
  h("div", { class: "columns lobby" }, form,
    h("section", { "aria-labelledby": "open-tables" }, h("h2", { id: "open-tables" }, say("lobby.open")), list)));

const address = (table, page = "table") => `/${page}/${encodeURIComponent(table)}`;

// -- tables --------------------------------------------------------------------------------------

function signs(each) {
  const text = h("ul", { class: "told" });
  return h("details", { ontoggle: async () => {
    if (text.children.length) return;
    const { signs: all } = await ask(`/api/tables/${encodeURIComponent(each.table)}/signs`);
    put(text, all.map((sign) => h("li", {}, sign.text, " ", cite(each, sign.cites))));
  } }, h("summary", { "aria-label": say("lobby.signs-of", { name: each.name }) }, say("lobby.signs")), text);
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
  const act = (text, action) => button(text, () => action(each).catch(trouble),
    { "aria-label": say("lobby.act", { act: text, name: each.name }) });
  const open = (text, kind = "") => h("a", { class: `button ${kind}`, href: address(each.table),
    "aria-label": say("lobby.act", { act: text, name: each.name }) }, text);
  const first = seat ? open(say("lobby.back"), "main") : live && (!me.person || me.guest)
    ? h("a", { class: "button", href: "/sign-in", "aria-label": say("lobby.act",
      { act: say("lobby.sign-in"), name: each.name }) }, say("lobby.sign-in"))
    : !full && !live && act(say("lobby.sit"), sit);
  return h("article", { class: "panel table-card" }, feltOf(pathOf(each), each.puck),
    h("h3", {}, each.name), h("p", { class: "faint" }, each.title),
    h("p", {}, [say("lobby.limits", { low: money(each.minimum, each.currency),
      high: money(each.maximum, each.currency) }), say(full ? "lobby.full" : "lobby.seated", { n: each.seats }),
      each.puck ? say("lobby.point", { puck: each.puck }) : say("lobby.come-out"),
        live ? say("lobby.live") : say("lobby.practice"), seat && say("lobby.yours", { seat })]
        .filter(Boolean).join(" · ")),
    h("div", { class: "actions" }, first, !seat && open(live ? say("lobby.go") : say("lobby.watch")),
      (me.stations?.[each.table] || me.stations?.["*"])
        && h("a", { class: "button", href: address(each.table, "console"),
        "aria-label": say("lobby.act", { act: say("lobby.console"), name: each.name }) }, say("lobby.console")),
      seat && act(say("lobby.leave"), leave),
      act(say("lobby.link"), async () => share(each.table, each.seats))), signs(each));
}

let drawn = "";

async function refresh() {
  // Somebody may be on a button with the keyboard, or reading a sign.
  if (drawn && list.matches(":focus-within, :has(details[open])")) return;
  try {
    const [{ tables }, me] = await Promise.all([ask("/api/tables"), ask("/api/me")]);
    const open = tables.filter((each) => !each.closed).reverse();
    const now = JSON.stringify([open.map(({ number, rolls, ...each }) => each), me.tables, me.person, me.stations]);
    if (now === drawn) return;
    drawn = now;
    put(list, open.length ? open.map((each) => card(each, me)) : h("p", { class: "faint" }, say("lobby.no-table")));
  } catch (error) {
    put(list, h("p", { class: "notice" }, error.message));
  }
}

// -- the houses as small felts: whoever touches one plays there --

const feltOf = (path, puck = 0) => h("img", { src: `${path}/felt.svg?puck=${puck}`, alt: "", width: 360, height: 210 });

async function gallery(houses, choice) {
  const made = houses.map(({ house, title }) => ({ house, words: h("small", {}), title }));
  const cards = made.map((each) => button([feltOf(pathOf(each)), h("b", {}, each.title), each.words], () => {
    choice.value = each.house;
    choice.dispatchEvent(new Event("change"));
    form.scrollIntoView({ block: "nearest" });
  }, { "data-house": each.house }));
  const mark = () => cards.forEach((each) => each.setAttribute("aria-pressed",
    String(each.dataset.house === choice.value)));
  choice.addEventListener("change", mark);
  mark();
  put(felts, cards);
  const { houses: special } = await once("/api/houses/special");
  for (const { house, words } of made) words.textContent = special[house]?.join(" ") || "";
}

// -- a new practice table ------------------------------------------------------------------------

const seconds = (label, called, value, most, hint) =>
  field(label, h("input", { name: called, type: "number", min: 0, max: most, step: called === "pace" ? 0.1 : 1, value,
    required: true }), hint);

async function draw() {
  const { houses, choice: house } = await housesAnd(asked().get("house"), keep.get("house", "")).catch((error) => {
    trouble(error);
    return housesAnd("");
  });
  const settings = h("div", { class: "stacked" });
  const plays = select([["", say("lobby.mixture")]], "", { name: "plays" });
  const change = async () => {
    const chosen = houses.find((each) => each.house === house.value);
    put(settings, chosen.choices.map((rule) => settingField(rule)));
    for (const [name, amount] of Object.entries(chosen.proposed)) form.elements[name].value = plain(amount);
    const { strategies } = await once(`/api/strategies?house=${encodeURIComponent(house.value)}`);
    // An answer about a house that was left meanwhile comes too late.
    if (house.value !== chosen.house) return;
    put(plays, plays.firstChild, strategies.map((each) => h("option", { value: each.name }, each.title)));
  };
  house.addEventListener("change", () => change().catch(trouble));
  const players = [0, 1, 2, 3, 4, 5, 6].map((n) => [n, say(`lobby.others.${n}`)]);
  gallery(houses, house).catch(trouble);
  const me = await ask("/api/me");
  if (me.setup) {
    find(".welcome").append(h("p", { class: "notice" }, say("lobby.no-administrator"), " ",
      h("a", { class: "button", href: "/setup" }, say("lobby.set-up"))));
  }
  put(form, h("h2", {}, me.administrator ? say("lobby.new") : say("lobby.new-practice")),
    me.administrator && h("div", { class: "fields" },
      field(say("lobby.kind"), select([["practice", say("lobby.kind-practice")], ["live", say("lobby.kind-live")]],
        "practice", { name: "kind" })),
      field(say("lobby.table-name"), h("input", { name: "title", maxlength: 40,
        placeholder: say("lobby.table-hint") })),
      field(say("lobby.dice"), select([["house", say("lobby.dice-house")], ["hand", say("lobby.dice-hand")]], "house",
        { name: "dice" }))),
    field(say("lobby.house"), house),
    h("div", { class: "fields three" }, amountField(say("lobby.minimum"), "minimum", "5"),
      amountField(say("lobby.maximum"), "maximum", "500"), amountField(say("lobby.chip"), "chip", "1")),
    h("div", { class: "fields" }, field(say("lobby.name"), name), amountField(say("lobby.buy-in"), "buy_in", "300")),
    h("div", { class: "fields" }, field(say("lobby.players"), select(players, 0, { name: "players" })),
      field(say("lobby.plays"), plays)),
    h("details", {}, h("summary", {}, say("lobby.running")), h("div", { class: "stacked" },
      field(say("lobby.crew"), select([["automatic", say("lobby.crew-automatic")], ["by hand", say("lobby.crew-hand")]],
        "automatic", { name: "crew" })),
      field(say("lobby.shooter"), select([["guest", say("lobby.shooter-guest")],
        ["players", say("lobby.shooter-players")]], "guest", { name: "shooter" })),
      h("div", { class: "fields" }, seconds(say("lobby.pace"), "pace", 0.1, 10, say("lobby.pace-hint")),
        seconds(say("lobby.window"), "window", 0, 600, say("lobby.window-hint"))),
      seconds(say("lobby.patience"), "patience", 4, 120, say("lobby.patience-hint")))),
    h("details", {}, h("summary", {}, say("lobby.settings")), settings),
    h("button", { class: "main" }, say("lobby.submit")));
  onSubmit(form, busy(form, open));
  await change();
}

async function open() {
  const { players, plays, kind, title, dice = "house", crew, shooter, minimum, maximum, chip, buy_in: buyIn, pace,
    window: wait, patience, ...values } = Object.fromEntries(new FormData(form));
  const settings = settingsOf(values);
  // A mixture is the server's to choose: it knows what this house offers.
  await opened(values, { settings, crew, shooter, dice, practice: kind !== "live", name: title || await titled(values),
    players: plays ? Array(Number(players)).fill(plays) : Number(players),
    minimum: amountOf(minimum), maximum: amountOf(maximum), chip: amountOf(chip), pace: Number(pace),
      window: Number(wait), patience: Number(patience) }, amountOf(buyIn));
}

// "lucky's table", and "lucky's table 2" where there is one already.
async function titled({ name: who }) {
  const { tables } = await ask("/api/tables");
  const own = say("lobby.table", { name: who });
  const n = tables.filter((each) => !each.closed && each.name.startsWith(own)).length;
  return n ? say("lobby.table-n", { name: who, n: n + 1 }) : own;
}

async function opened(values, table, buyIn) {
  keep.set("house", values.house);
  keep.set("name", values.name);
  await asGuest(values.name);
  const made = await post("/api/tables", { house: values.house, ...table });
  if (table.practice !== false) await post(`/api/tables/${encodeURIComponent(made.table)}/sit`,
    { name: values.name, buy_in: buyIn });
  // Whoever opens a live table goes on to its crew.
  const crew = table.crew === "by hand" || table.practice === false;
  location.assign(address(made.table, crew ? "console" : "table"));
}

// The table itself guides whoever was not taught yet, from the first roll on.
async function firstHand() {
  if (!name.reportValidity()) return;
  keep.set("taught", false);
  const chosen = form.elements.house || (await housesAnd("", keep.get("house", ""))).choice;
  await opened({ house: chosen.value, name: name.value }, { name: await titled({ name: name.value }) },
    30000);
}

refresh();
draw().catch(trouble);
setInterval(() => document.hidden || refresh(), 4000);
