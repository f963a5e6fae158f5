// One's own play: result, clock and brakes; for the administrator the people of the house.
import { ask, post } from "../kit/api.js";
import { button, field, find, h, put, select } from "../kit/dom.js";
import { question, toast, trouble } from "../kit/dialog.js";
import { amountOf, money, plain, signed } from "../kit/money.js";
import { bar, heading } from "../kit/shell.js";

bar();
const main = find("#main");

function brakesForm(brakes, send) {
  const input = (name, value, more = {}) => h("input", { name, inputmode: "decimal", value, ...more });
  const form = h("form", { class: "panel stacked" }, h("h2", {}, "Your own brakes"),
    h("p", { class: "faint" }, "A limit you lower binds at once; one you raise binds a day later. Empty is no limit."),
    h("div", { class: "fields" }, field("Most to lose in a day", input("loss", brakes.loss ? plain(brakes.loss) : "")),
      field("Most minutes in a day", input("minutes", brakes.minutes || "")),
      field("Reality check every (minutes)", input("remind", brakes.remind ?? 60))),
    Object.keys(brakes.later || {}).length ? h("p", { class: "notice" }, "A raised limit waits for its day.") : null,
    h("button", { class: "main" }, "Set them"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const values = Object.fromEntries(new FormData(form));
    send({ loss: values.loss ? amountOf(values.loss) : 0, minutes: Number(values.minutes || 0), remind: Number(values.remind || 0) });
  });
  const excluded = async () => {
    const sure = await question("Exclude yourself", [], { action: "Exclude me for 180 days",
      note: "For 180 days you cannot sit down or bet in this house, and nobody can shorten it." });
    if (sure) send({ exclude_days: 180 });
  };
  const away = h("section", { class: "panel" }, h("h2", {}, "Take time out"),
    h("p", { class: "faint" }, "You cannot sit down or bet until it is over, and nobody can shorten it."),
    h("div", { class: "actions" }, [1, 24, 72].map((hours) => button(hours === 1 ? "one hour" : `${hours / 24} day${hours > 24 ? "s" : ""}`, () => send({ pause_hours: hours }))),
      button("Exclude me for 180 days", excluded, { class: "danger" })));
  return [form, away];
}

async function start() {
  const me = await ask("/api/me");
  const send = async (change) => {
    try {
      await post("/api/me/brakes", change);
      toast("Set.", { kind: "good" });
      start();
    } catch (error) {
      trouble(error);
    }
  };
  if (!me.person) {
    put(main, heading("Your play", "Nobody yet: sit down at a table, or sign in."), h("a", { class: "button", href: "/" }, "To the lobby"));
    return;
  }
  const { brakes } = me;
  put(main, heading("Your play", me.name || me.person ? `You are ${me.name || me.person}${me.guest ? ", a guest" : ""}.` : ""),
    h("p", {}, `Played today: ${Math.round((me.played_today || 0) / 60000)} minutes, result ${signed(me.result_today || 0)}. `,
      me.cage !== null && me.cage !== undefined ? `At the cage: ${money(me.cage)}.` : ""),
    brakesForm(brakes, send), me.administrator && await people());
}

const STATIONS = ["stick", "dealer", "box", "supervisor", "senior", "manager", "inspector"];

function act(form, send) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(new FormData(form)).then(() => toast("Done.", { kind: "good" }), trouble).then(start, trouble);
  });
  return form;
}

// The administrator's part: accounts, who works where, play chips from the cage.
async function people() {
  const [{ people: list }, { tables }] = await Promise.all([ask("/api/people"), ask("/api/tables")]);
  const who = () => select(list.map((each) => [each.name, each.name]), "", { name: "person" });
  const rows = list.map((each) => h("tr", {}, h("th", { scope: "row" }, each.name, each.administrator && h("small", {}, " administrator")),
    h("td", {}, Object.entries(each.stations || {}).map(([table, held]) => `${table === "*" ? "every table" : table}: ${held.join(", ")}`).join("; ")),
    h("td", { class: "number" }, money(each.cage || 0))));
  return [
    h("section", { class: "panel" }, h("h2", {}, "People of the house"), h("div", { class: "wide-scroll", tabindex: "0", role: "region", "aria-label": "People" },
      h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Name"), h("th", { scope: "col" }, "Works as"), h("th", { scope: "col", class: "number" }, "Chips"))), h("tbody", {}, rows))),
    act(h("form", { class: "actions" }, field("Name", h("input", { name: "name", required: true, maxlength: 24 })),
      field("Password", h("input", { name: "password", type: "password", minlength: 8, required: true, autocomplete: "new-password" })), h("button", {}, "Add a person")),
    (values) => post("/api/people", { name: values.get("name"), password: values.get("password") }))),
    h("section", { class: "panel" }, h("h2", {}, "The crew of a table"), act(h("form", { class: "stacked" },
      h("div", { class: "fields" }, field("Person", who()), field("Table", select([["*", "every table"], ...tables.map((each) => [each.table, each.name])], "*", { name: "table" }))),
      h("fieldset", { class: "actions" }, h("legend", {}, "Works there as"), STATIONS.map((each) => h("label", { class: "check" }, h("input", { type: "checkbox", name: "station", value: each }), each))),
      h("button", {}, "Appoint")), (values) => post(`/api/people/${encodeURIComponent(values.get("person"))}/stations`, { table: values.get("table"), stations: values.getAll("station") }))),
    h("section", { class: "panel" }, h("h2", {}, "The cage"), act(h("form", { class: "actions" }, field("Person", who()), field("Play chips", h("input", { name: "amount", required: true, inputmode: "decimal" })),
      h("button", {}, "Issue")), (values) => post("/api/cage", { person: values.get("person"), amount: amountOf(values.get("amount")) }))),
  ];
}

start().catch((error) => put(main, heading("Your play"), h("p", { class: "notice" }, error.message)));
