// The inspector: the journal live, verified, replayed on the felt row by row, and exported.
import { ask, clothOf } from "../kit/api.js";
import { button, find, h, put } from "../kit/dom.js";
import { toast, trouble } from "../kit/dialog.js";
import { Link } from "../kit/link.js";
import { say } from "../kit/say.js";
import { asked, bar, heading, noTable, part, remember } from "../kit/shell.js";
import "../felt/felt.js";
import { explainRow } from "../felt/panels.js";
import { views } from "../felt/print.js";

const table = part(2);
const base = `/api/tables/${encodeURIComponent(table)}`;
bar();
const felt = h("craps-felt", { still: true });
const list = h("tbody", {});
const verdict = h("p", { role: "status" });
const slider = h("input", { type: "range", min: 1, max: 1, value: 1, "aria-label": say("inspect.slider") });
const where = h("p", { class: "where" });
const rows = new Map();
let head = 0;
let live = true;

const step = (by) => () => at(Math.min(head, Math.max(1, Number(slider.value) + by)));
const act = (label, does, more) => button(label, () => does().catch(trouble), more);
const earlier = act(say("inspect.earlier"), older, { hidden: true });
const room = h("div", {}, h("p", { class: "faint" }, say("inspect.reading")));
const title = heading(say("inspect.title", { table }), say("inspect.lead"));
const there = h("a", { class: "button", href: `/table/${encodeURIComponent(table)}` }, say("inspect.go"));
put(find("#main"), title, room);

// What somebody may read of this journal is the house's to say; `reads` names the doors.
const journal = (reads) => [h("div", { class: "actions" },
  reads.includes("verify") && act(say("inspect.verify"), verify, { class: "main" }),
  reads.includes("export") && ["jsonl", "craps"].map((kind) =>
    h("a", { class: "button", href: `${base}/export?format=${kind}`, download: `${table}.${kind}` },
      say(`inspect.export.${kind}`))), there),
  verdict, h("div", { class: "journal" },
  h("section", { class: "panel", "aria-label": say("inspect.replay") }, h("h2", {}, say("inspect.replay")),
    views(felt), felt, where,
    h("div", { class: "actions replay" }, act(say("inspect.first"), step(-1e9)),
      act(say("inspect.roll-before"), () => roll(-1)), act(say("inspect.back"), step(-1)), slider,
      act(say("inspect.on"), step(1)), act(say("inspect.next"), () => roll(1)), act(say("inspect.now"), step(1e9)))),
  h("section", { class: "panel", "aria-label": say("inspect.rows") }, h("h2", {}, say("inspect.rows")), wanted,
    h("div", { class: "wide-scroll rows", tabindex: "0", role: "region", "aria-label": say("inspect.newest") },
      h("table", {},
      h("thead", {}, h("tr", {}, ["row", "time", "by", "said", "followed"]
        .map((each) => h("th", { scope: "col" }, say(`inspect.columns.${each}`))))), list)), earlier))];

// Who spoke: a player's seat; of the crew the station, and the person where the journal is read from its store.
const who = ({ seat, by = "", person = "" }) => {
  const name = person.split(":").at(-1);
  return seat || (name && !name.startsWith("*") && name !== by ? say("inspect.who", { by, name }) : by);
};

// Rows that have what is looked for, in any column.
const wanted = h("input", { type: "search", "aria-label": say("inspect.search"), placeholder: say("inspect.search"),
  oninput: () => list.querySelectorAll("tr").forEach(sift) });
function sift(each) {
  each.hidden = !each.textContent.toLowerCase().includes(wanted.value.trim().toLowerCase());
}

function line(row) {
  const said = row.text || row.call?.type || "";
  const followed = row.refused ? say("inspect.refused", { sentence: row.refused.sentence })
    : (row.followed || []).join(", ");
  const time = row.at ? new Date(row.at).toTimeString().slice(0, 8) : "";
  return h("tr", { "data-number": row.number, class: row.refused ? "bad" : "" },
    h("th", { scope: "row" }, act(row.number, () => at(row.number),
      { class: "small", "aria-label": say("inspect.show", { number: row.number }) })),
    h("td", {}, time), h("td", {}, who(row)), h("td", {}, said), h("td", {}, h("span", { class: "followed",
      title: followed }, followed), " ",
      button(say("inspect.why"), () => explainRow(row, table),
        { class: "small quiet", "aria-label": say("inspect.why-row", { number: row.number }) })));
}

function learn(row) {
  if (rows.has(row.number)) return;
  const last = row.number < Math.min(...rows.keys());
  rows.set(row.number, row);
  const made = line(row);
  sift(made);
  list[last ? "append" : "prepend"](made);
  head = Math.max(head, row.number);
  slider.max = head;
}

async function older() {
  const first = Math.min(...rows.keys());
  const found = await ask(`${base}/rows?after=${Math.max(0, first - 301)}&limit=${Math.min(300, first - 1)}`);
  found.rows.reverse().forEach(learn);
  earlier.hidden = Math.min(...rows.keys()) <= 1;
}

// The roll before the row shown, or after it, wherever in the journal it is.
async function roll(way) {
  const here = Number(slider.value);
  const rolls = () => [...rows.values()].filter((row) => row.decided?.some((each) => each.type === "rolled"))
    .map((row) => row.number).sort((a, b) => a - b);
  const next = () => (way > 0 ? rolls().find((each) => each > here) : rolls().findLast((each) => each < here));
  while (!next() && way < 0 && !earlier.hidden) await older();
  if (next()) return at(next());
  toast(say("inspect.no-roll"));
}

// Answers may overtake one another: only what was asked for last is shown.
let turn = 0;
async function at(number) {
  const mine = (turn += 1);
  live = number === head;
  slider.value = number;
  const { view } = await ask(`${base}/at/${number}`);
  if (!felt.cloth) felt.cloth = await clothOf(view);
  if (mine !== turn) return;
  felt.show({ menu: null, me: null, ...view });
  const row = rows.get(number);
  put(where, [say("inspect.where", { number, head, text: row ? row.text : "" }),
    view.puck ? say("inspect.puck", { puck: view.puck }) : say("inspect.puck-off"),
    say("inspect.rolls", { n: view.rolls })].join(" · "));
  for (const each of list.querySelectorAll("[aria-current]")) each.removeAttribute("aria-current");
  list.querySelector(`[data-number="${number}"]`)?.setAttribute("aria-current", "true");
  remember({ row: live ? "" : number });
}

// Whether a chain is whole, in the words for that chain.
async function judged(verdict, path, words) {
  const found = await ask(path);
  verdict.className = found.sound ? "good" : "bad";
  verdict.textContent = words(found, { problems: found.problems.join("; ") });
}

const verify = () => judged(verdict, `${base}/verify`, (found, wrong) => (found.sound ? say("inspect.sound",
  { n: found.rows, proved: found.proved, not: found.rolls - found.proved }) : say("inspect.unsound", wrong)));

slider.addEventListener("input", () => at(Number(slider.value)).catch(trouble));
const link = new Link(table);
link.addEventListener("row", ({ detail }) => {
  if (!rows.size) return; // not read yet, or not for this person
  learn(detail);
  if (live) at(head).catch(trouble);
});
link.addEventListener("view", ({ detail: { view } }) => {
  find("h1").textContent = say("inspect.title", { table: view.name });
  if (view.me) start(view.me.reads).catch(trouble);
});
link.addEventListener("missing", noTable);
link.addEventListener("gone", () => toast(say("inspect.gone"), { kind: "bad" }));

let started = false;
async function start(reads) {
  head = Math.max(head, link.number);
  slider.max = head;
  if (started) return;
  started = true;
  if (!reads.includes("rows")) {
    put(room, h("p", {}, say("inspect.not-yours")),
      h("div", { class: "actions" }, h("a", { class: "button main",
        href: `/sign-in?next=/inspect/${encodeURIComponent(table)}` }, say("inspect.sign-in")), there));
    return link.close();
  }
  put(room, journal(reads));
  ask("/api/me").then((me) => me.acts && room.append(actsPanel()), trouble);
  const first = Math.max(0, head - 300);
  const found = await ask(`${base}/rows?after=${first}&limit=400`);
  found.rows.forEach(learn);
  earlier.hidden = first <= 0;
  await at(Number(asked().get("row")) || head);
}

// What was done to the house besides playing: people, cage, quotas and keys, each a row of a chain.
const ACTS = ["number", "time", "by", "what", "about"];

function actRow(act) {
  const more = Object.entries(act.details).filter(([, worth]) => worth)
    .map(([name, worth]) => `${name} ${worth}`).join(", ");
  return h("tr", {}, h("th", { scope: "row" }, act.number), h("td", {}, new Date(act.at).toLocaleString()),
    h("td", {}, act.by),
    h("td", {}, act.what), h("td", {}, [act.about, more].filter(Boolean).join(": ")));
}

// A panel that is read when it is opened; for somebody who may not read it there is none.
function actsPanel() {
  const verdict = h("p", { role: "status" });
  const list = h("tbody", {});
  const room = h("div", {});
  const verify = () => judged(verdict, "/api/acts/verify", (found, wrong) => (found.sound
    ? say("acts.sound", { n: found.rows }) : say("acts.unsound", wrong))).catch(trouble);
  const panel = h("details", { class: "panel acts" }, h("summary", {}, say("acts.title")),
    h("p", { class: "faint" }, say("acts.lead")), room);
  panel.addEventListener("toggle", async () => {
    if (!panel.open || list.isConnected) return;
    try {
      const { acts } = await ask("/api/acts?limit=200");
      put(list, acts.map(actRow));
      put(room, h("div", { class: "actions" }, button(say("acts.verify"), verify),
        h("a", { class: "button", href: "/api/acts/export", download: "acts.jsonl" }, say("acts.export"))), verdict,
      h("div", { class: "wide-scroll", tabindex: "0", role: "region", "aria-label": say("acts.title") }, h("table", {},
        h("thead", {}, h("tr", {}, ACTS.map((each) => h("th", { scope: "col" }, say(`acts.columns.${each}`))))),
          list)));
    } catch (error) { trouble(error); }
  });
  return panel;
}
