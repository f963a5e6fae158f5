// One's own play: result, clock and brakes; for the administrator the people of the house.
import { ask, post } from "../kit/api.js";
import { button, field, find, h, put, select } from "../kit/dom.js";
import { question, toast, trouble } from "../kit/dialog.js";
import { amountOf, money, plain, signed } from "../kit/money.js";
import { awayWords, moment } from "../kit/account.js";
import { amountField } from "../kit/forms.js";
import { bar, heading } from "../kit/shell.js";

bar();
const main = find("#main");

const LIMITS = { loss: "Most to lose", minutes: "Most minutes to play" };
let me = null;

const figure = (name, value) => (!value ? "no limit" : `${name === "loss" ? money(value, me.currency) : value} in a day`);

// What binds now, and what is raised and does not bind yet.
const inForce = (brakes) => h("ul", { class: "in-force" }, [
  ...Object.keys(LIMITS).map((name) => `${LIMITS[name]}: ${figure(name, brakes[name])}.`),
  `Reality checks: ${brakes.remind ? `every ${brakes.remind} minutes of play` : "none"}.`,
  ...Object.entries(brakes.later).map(([name, [value, at]]) => `From ${moment(at, brakes.now)}: ${LIMITS[name]} ${figure(name, value)}; until then ${figure(name, brakes[name])}.`),
].map((each) => h("li", {}, each)));

function brakesForm(brakes, send) {
  const whole = (label, name) => field(label, h("input", { name, type: "number", min: 0, max: 1440, step: 1, value: brakes[name] || "" }));
  const form = h("form", { class: "panel stacked" }, h("h2", {}, "Your own brakes"), inForce(brakes),
    h("p", { class: "faint" }, "A limit you lower binds at once; one you raise binds a day later. Empty is no limit."),
    h("div", { class: "fields" }, amountField(`Most to lose in a day (${me.currency || "chips"})`, "loss", brakes.loss ? plain(brakes.loss) : "", { required: false }),
      whole("Most minutes in a day", "minutes"), whole("Reality check every (minutes)", "remind")),
    h("button", { class: "main" }, "Set them"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { loss, minutes, remind } = Object.fromEntries(new FormData(form));
    send({ loss: loss ? amountOf(loss) : 0, minutes: Number(minutes), remind: Number(remind) });
  });
  return form;
}

function awayPart(brakes, send) {
  const leave = (name, hours, change, more = {}) => button(name, async () => {
    const note = `Until ${moment(Date.now() + hours * 3600000)} you cannot sit down or bet in this house, and nobody can shorten it. Wagers that are up are played out.`;
    if (await question("Take time out", [], { action: `Time-out: ${name}`, note })) send(change);
  }, more);
  return h("section", { class: "panel" }, h("h2", {}, "Take time out"), h("p", { class: awayWords(brakes) ? "notice" : "faint" },
    awayWords(brakes) ? `${awayWords(brakes)}.` : "You cannot sit down or bet until it is over, and nobody can shorten it."),
  h("div", { class: "actions" }, leave("one hour", 1, { pause_hours: 1 }), leave("1 day", 24, { pause_hours: 24 }), leave("3 days", 72, { pause_hours: 72 }),
    leave("Exclude me for 180 days", 4320, { exclude_days: 180 }, { class: "danger" })));
}

async function start() {
  me = await ask("/api/me");
  const send = (change) => post("/api/me/brakes", change).then(start).then(() => toast("Set. The list says what is in force.", { kind: "good" })).catch(trouble);
  if (!me.person) {
    put(main, heading("Your play", "Nobody yet: sit down at a table, or sign in."), h("a", { class: "button", href: "/" }, "To the lobby"));
    return;
  }
  const { brakes } = me;
  put(main, heading("Your play", `You are ${me.name}${me.guest ? ", a guest" : ""}.`),
    h("p", {}, `Played today: ${Math.round(me.played_today / 60000)} minutes, result ${signed(me.result_today, me.currency)}. `,
      me.cage !== null && `At the cage: ${money(me.cage, me.currency)} in play chips.`),
    brakesForm(brakes, send), awayPart(brakes, send), me.administrator && await people());
}

const STATIONS = ["stick", "dealer", "box", "supervisor", "senior", "manager", "inspector"];

function act(form, send) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    Promise.resolve(new FormData(form)).then(send).then(start).then(() => toast("Done.", { kind: "good" })).catch(trouble);
  });
  return form;
}

// The administrator's part: accounts, who works where, play chips from the cage.
async function people() {
  const [{ people: list }, { tables }] = await Promise.all([ask("/api/people"), ask("/api/tables")]);
  const password = h("input", { name: "password", type: "password", minlength: 8, required: true, autocomplete: "new-password" });
  const who = () => select(list.map((each) => [each.name, each.name]), "", { name: "person" });
  const rows = list.map((each) => h("tr", {}, h("th", { scope: "row" }, each.name, each.administrator && h("small", {}, " administrator")),
    h("td", {}, Object.entries(each.stations || {}).map(([table, held]) => `${table === "*" ? "every table" : table}: ${held.join(", ")}`).join("; ")),
    h("td", { class: "number" }, money(each.cage || 0, me.currency)), h("td", {}, each.name !== me.name && button(`${each.disabled ? "Let in" : "Shut out"} ${each.name}`,
      () => post(`/api/people/${encodeURIComponent(each.name)}`, { disabled: !each.disabled }).then(start).catch(trouble), { class: "small" }))));
  return [
    h("section", { class: "panel" }, h("h2", {}, "People of the house"), h("div", { class: "wide-scroll", tabindex: "0", role: "region", "aria-label": "People" },
      h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Name"), h("th", { scope: "col" }, "Works as"), h("th", { scope: "col", class: "number" }, "Chips"), h("th", { scope: "col" }, "At the door"))), h("tbody", {}, rows))),
    act(h("form", { class: "actions" }, field("Name", h("input", { name: "name", required: true, maxlength: 24 })),
      field("Password", password), h("label", { class: "check" }, h("input", { type: "checkbox", onchange: (event) => { password.type = event.target.checked ? "text" : "password"; } }), "show it"), h("button", {}, "Add a person")),
    (values) => post("/api/people", { name: values.get("name"), password: values.get("password") }))),
    h("section", { class: "panel" }, h("h2", {}, "The crew of a table"), act(h("form", { class: "stacked" },
      h("div", { class: "fields" }, field("Person", who()), field("Table", select([["*", "every table"], ...tables.map((each) => [each.table, each.name])], "*", { name: "table" }))),
      h("fieldset", { class: "actions" }, h("legend", {}, "Works there as"), STATIONS.map((each) => h("label", { class: "check" }, h("input", { type: "checkbox", name: "station", value: each }), each))),
      h("button", {}, "Appoint")), (values) => post(`/api/people/${encodeURIComponent(values.get("person"))}/stations`, { table: values.get("table"), stations: values.getAll("station") }))),
    h("section", { class: "panel" }, h("h2", {}, "The cage"), act(h("form", { class: "actions" }, field("Person", who()), amountField("Play chips", "amount", ""),
      field("What", select([[1, "issue"], [-1, "take back"]], 1, { name: "way" })), h("button", {}, "Do it")), (values) => post("/api/cage", { person: values.get("person"), amount: amountOf(values.get("amount")) * values.get("way") }))),
  ];
}

start().catch((error) => put(main, heading("Your play"), h("p", { class: "notice" }, error.message)));
