// One's own play: result, clock and brakes; for the administrator the people of the house.
import { ask, post } from "../kit/api.js";
import { button, field, find, h, put, select } from "../kit/dom.js";
import { question, toast, trouble } from "../kit/dialog.js";
import { amountOf, money, plain, signed } from "../kit/money.js";
import { awayWords, moment } from "../kit/account.js";
import { crewPanel } from "../kit/crew.js";
import { amountField } from "../kit/forms.js";
import { pieces, say } from "../kit/say.js";
import { bar, heading } from "../kit/shell.js";

bar();
const main = find("#main");

const LIMITS = { loss: say("me.loss"), minutes: say("me.minutes") };
let me = null;

const figure = (name, value) => (!value ? say("me.no-limit")
  : say("me.in-a-day", { figure: name === "loss" ? money(value, me.currency) : value }));

// What binds now, and what is raised and does not bind yet.
const inForce = (brakes) => h("ul", { class: "in-force" }, [
  ...Object.keys(LIMITS).map((name) => say("me.limit", { limit: LIMITS[name], figure: figure(name, brakes[name]) })),
  brakes.remind ? say("me.checks", { n: brakes.remind }) : say("me.no-checks"),
  ...Object.entries(brakes.later).map(([name, [value, at]]) =>
    say("me.later", { at: moment(at, brakes.now), limit: LIMITS[name], figure: figure(name, value),
    now: figure(name, brakes[name]) })),
].map((each) => h("li", {}, each)));

function brakesForm(brakes, send) {
  const whole = (label, name) => field(label, h("input",
    { name, type: "number", min: 0, max: 1440, step: 1, value: brakes[name] || "" }));
  const form = h("form", { class: "panel stacked" }, h("h2", {}, say("me.brakes")), inForce(brakes),
    h("p", { class: "faint" }, say("me.brakes-note")),
    h("div", { class: "fields" }, amountField(say("me.loss-day", { unit: me.currency || say("me.chips-unit") }), "loss",
      brakes.loss ? plain(brakes.loss) : "", { required: false }),
      whole(say("me.minutes-day"), "minutes"), whole(say("me.remind"), "remind")),
    h("button", { class: "main" }, say("me.set")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { loss, minutes, remind } = Object.fromEntries(new FormData(form));
    send({ loss: loss ? amountOf(loss) : 0, minutes: Number(minutes), remind: Number(remind) });
  });
  return form;
}

function awayPart(brakes, send) {
  const leave = (name, hours, change, more = {}) => button(name, async () => {
    const note = say("me.away-note", { until: moment(Date.now() + hours * 3600000) });
    if (await question(say("me.away"), [], { action: say("me.away-act", { name }), note })) send(change);
  }, more);
  return h("section", { class: "panel" }, h("h2", {}, say("me.away")),
    h("p", { class: awayWords(brakes) ? "notice" : "faint" },
    awayWords(brakes) ? say("me.stop", { text: awayWords(brakes) }) : say("me.away-rule")),
  h("div", { class: "actions" }, leave(say("me.hour"), 1, { pause_hours: 1 }),
    leave(say("me.day"), 24, { pause_hours: 24 }), leave(say("me.days"), 72, { pause_hours: 72 }),
    leave(say("me.exclude"), 4320, { exclude_days: 180 }, { class: "danger" })));
}

async function start() {
  me = await ask("/api/me");
  const send = (change) => post("/api/me/brakes", change).then(start)
    .then(() => toast(say("me.saved"), { kind: "good" })).catch(trouble);
  if (!me.person) {
    put(main, heading(say("me.title"), say("me.nobody")), h("a", { class: "button", href: "/" }, say("me.to-lobby")));
    return;
  }
  const { brakes } = me;
  put(main, heading(say("me.title"), say(me.guest ? "me.guest" : "me.you", { name: me.name })),
    h("p", {}, say("me.today", { n: Math.round(me.played_today / 60000),
      result: signed(me.result_today, me.currency) }), " ",
      me.cage !== null && say("me.cage", { amount: money(me.cage, me.currency) })),
    brakesForm(brakes, send), awayPart(brakes, send), !me.guest && await account(), me.administrator && await people());
}

// One's own account: password, second factor, where one is signed in.
async function account() {
  const [{ sessions }, factor] = await Promise.all([ask("/api/me/sessions"), ask("/api/me/second-factor")]);
  const secret = (name, label, more = {}) => field(label,
    h("input", { name, type: "password", required: true, autocomplete: "current-password", ...more }));
  const fresh = { autocomplete: "new-password", minlength: 8 };
  const code = field(say("me.code"), h("input", { name: "code", required: true, inputmode: "numeric",
    autocomplete: "one-time-code" }));
  const wanted = (values) => post("/api/me/second-factor",
    { password: values.get("password"), code: values.get("code"), secret: factor.on ? "" : factor.secret });
  return h("section", { class: "panel" }, h("h2", {}, say("me.account")),
    act(h("form", { class: "actions" }, secret("password", say("me.password")),
      secret("new", say("me.new-password"), fresh), h("button", {}, say("me.change"))),
      (values) => post("/api/me/password", { password: values.get("password"), new: values.get("new") })),
    h("h3", {}, say("me.factor")), h("p", { class: "faint" },
      factor.on ? say("me.factor-on") : pieces("me.factor-off", { secret: h("code", {}, factor.secret) })),
    act(h("form", { class: "actions" }, secret("password", say("me.password")), code,
      h("button", {}, factor.on ? say("me.without") : say("me.use"))), wanted),
    h("h3", {}, say("me.sessions")), h("ul", {}, sessions
      .map((each) => h("li", {}, say(each.this ? "me.since-here" : "me.since", { at: moment(each.since) }), " ",
      !each.this && button(say("me.end"), () => ask(`/api/me/sessions/${each.id}`, { method: "DELETE" }).then(start)
        .catch(trouble), { class: "small" })))));
}

function act(form, send) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    Promise.resolve(new FormData(form)).then(send).then(start).then(() => toast(say("me.done"), { kind: "good" }))
      .catch(trouble);
  });
  return form;
}

// The administrator's part: accounts, who works where, play chips from the cage.
async function people() {
  const { people: list } = await ask("/api/people");
  const password = h("input", { name: "password", type: "password", minlength: 8, required: true,
    autocomplete: "new-password" });
  const who = () => select(list.map((each) => [each.name, each.name]), "", { name: "person" });
  const rows = list.map((each) => h("tr", {}, h("th", { scope: "row" }, each.name,
    each.administrator && h("small", {}, ` ${say("me.administrator")}`)),
    h("td", {}, Object.entries(each.stations || {})
      .map(([table, held]) => say("me.held", { table: table === "*" ? say("me.every-table") : table,
      stations: held.map((one) => say(`stations.${one}`)) })).join("; ")),
    h("td", { class: "number" }, money(each.cage || 0, me.currency)),
      h("td", {}, each.name !== me.name && button(say(each.disabled ? "me.let-in" : "me.shut-out", { name: each.name }),
      () => post(`/api/people/${encodeURIComponent(each.name)}`, { disabled: !each.disabled }).then(start)
        .catch(trouble), { class: "small" }))));
  return [
    h("section", { class: "panel" }, h("h2", {}, say("me.people-of")),
      h("div", { class: "wide-scroll", tabindex: "0", role: "region", "aria-label": say("me.people") },
      h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, say("me.name")),
        h("th", { scope: "col" }, say("me.works")), h("th", { scope: "col", class: "number" }, say("me.chips")),
        h("th", { scope: "col" }, say("me.door")))), h("tbody", {}, rows))),
    act(h("form", { class: "actions" }, field(say("me.name"),
      h("input", { name: "name", required: true, maxlength: 24 })),
      field(say("me.password"), password), h("label", { class: "check" },
        h("input", { type: "checkbox", onchange: (event) => { password.type = event.target.checked ? "text"
        : "password"; } }), say("me.show")), h("button", {}, say("me.add"))),
    (values) => post("/api/people", { name: values.get("name"), password: values.get("password") }))),
    h("section", { class: "panel", id: "crew" }, h("h2", {}, say("me.crew")), await crewPanel(me, "", start)),
    h("section", { class: "panel" }, h("h2", {}, say("me.cage-title")),
      act(h("form", { class: "actions" }, field(say("me.person"), who()),
      amountField(say("me.play-chips"), "amount", ""),
      field(say("me.what"), select([[1, say("me.issue")], [-1, say("me.take-back")]], 1, { name: "way" })),
        h("button", {}, say("me.cage-act"))), (values) =>
        post("/api/cage", { person: values.get("person"),
        amount: amountOf(values.get("amount")) * values.get("way") }))),
  ];
}

start().catch((error) => put(main, heading(say("me.title")), h("p", { class: "notice" }, error.message)));
