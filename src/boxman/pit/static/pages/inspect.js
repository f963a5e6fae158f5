// The inspector: the journal live, verified, replayed on the felt row by row, and exported.
import { ask } from "../kit/api.js";
import { button, find, h, put } from "../kit/dom.js";
import { clothOf } from "../kit/cloth.js";
import { toast, trouble } from "../kit/dialog.js";
import { Link } from "../kit/link.js";
import { asked, bar, heading, noTable, part, remember } from "../kit/shell.js";
import "../felt/felt.js";
import { explainRow } from "../felt/panels.js";

const table = part(2);
const base = `/api/tables/${encodeURIComponent(table)}`;
bar();
const felt = h("craps-felt");
const list = h("tbody", {});
const verdict = h("p", { role: "status" });
const slider = h("input", { type: "range", min: 1, max: 1, value: 1, "aria-label": "Row shown on the layout" });
const where = h("p", { class: "where" });
const rows = new Map();
let head = 0;
let live = true;

const step = (by) => () => at(Math.min(head, Math.max(1, Number(slider.value) + by)));
const act = (label, does, more) => button(label, () => does().catch(trouble), more);
const earlier = act("Earlier rows", older, { hidden: true });
const room = h("div", {}, h("p", { class: "faint" }, "Reading…"));
const title = heading(`Journal of ${table}`, "Every ruling in order, each sealed by the one before it. Nothing here can be changed.");
const there = h("a", { class: "button", href: `/table/${encodeURIComponent(table)}` }, "Go to the table");
put(find("#main"), title, room);

// What somebody may read of this journal is the house's to say; `reads` names the doors.
const journal = (reads) => [h("div", { class: "actions" },
  reads.includes("verify") && act("Verify the chain", verify, { class: "main" }),
  reads.includes("export") && [["jsonl", "JSON lines"], ["craps", "notation"]].map(([kind, words]) =>
    h("a", { class: "button", href: `${base}/export?format=${kind}`, download: `${table}.${kind}` }, `Export as ${words}`)), there),
  verdict, h("div", { class: "journal" },
  h("section", { class: "panel", "aria-label": "Replay" }, h("h2", {}, "Replay"), felt, where,
    h("div", { class: "actions replay" }, act("First", step(-1e9)), act("Roll before", () => roll(-1)), act("Back", step(-1)), slider,
      act("On", step(1)), act("Next roll", () => roll(1)), act("Now", step(1e9)))),
  h("section", { class: "panel", "aria-label": "Rows" }, h("h2", {}, "Rows"),
    h("div", { class: "wide-scroll rows", tabindex: "0", role: "region", "aria-label": "Rows, newest first" }, h("table", {},
      h("thead", {}, h("tr", {}, ["Row", "Time", "By", "Said", "Followed"].map((each) => h("th", { scope: "col" }, each)))), list)), earlier))];

function line(row) {
  const said = row.text || row.call?.type || "";
  const followed = row.refused ? `refused: ${row.refused.sentence}` : (row.followed || []).join(", ");
  const time = row.at ? new Date(row.at).toTimeString().slice(0, 8) : "";
  return h("tr", { "data-number": row.number, class: row.refused ? "bad" : "" },
    h("th", { scope: "row" }, act(row.number, () => at(row.number), { class: "small", "aria-label": `Show row ${row.number} on the layout` })),
    h("td", {}, time), h("td", {}, row.seat || row.by || ""), h("td", {}, said), h("td", {}, followed, " ",
      button("Why", () => explainRow(row, table), { class: "small quiet", "aria-label": `Why: row ${row.number}` })));
}

function learn(row) {
  if (rows.has(row.number)) return;
  const last = row.number < Math.min(...rows.keys());
  rows.set(row.number, row);
  list[last ? "append" : "prepend"](line(row));
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
  const rolls = () => [...rows.values()].filter((row) => row.decided?.some((each) => each.type === "rolled")).map((row) => row.number).sort((a, b) => a - b);
  const next = () => (way > 0 ? rolls().find((each) => each > here) : rolls().findLast((each) => each < here));
  while (!next() && way < 0 && !earlier.hidden) await older();
  if (next()) return at(next());
  toast("There is no further roll that way.");
}

async function at(number) {
  live = number === head;
  slider.value = number;
  const { view } = await ask(`${base}/at/${number}`);
  if (!felt.cloth) felt.cloth = await clothOf(view);
  felt.show({ menu: null, me: null, ...view });
  const row = rows.get(number);
  put(where, `Row ${number} of ${head}: `, row ? row.text : "", ` · puck ${view.puck ? `on ${view.puck}` : "off"} · ${view.rolls} ${view.rolls === 1 ? "roll" : "rolls"}`);
  for (const each of list.querySelectorAll("[aria-current]")) each.removeAttribute("aria-current");
  list.querySelector(`[data-number="${number}"]`)?.setAttribute("aria-current", "true");
  remember({ row: live ? "" : number });
}

async function verify() {
  const found = await ask(`${base}/verify`);
  verdict.className = found.sound ? "good" : "bad";
  verdict.textContent = found.sound ? `In order: ${found.rows} rows, every seal fits the one before it; ${found.throws} throws checked against their seals.`
    : `Not in order: ${found.problems.join("; ")}`;
}

slider.addEventListener("input", () => at(Number(slider.value)).catch(trouble));
const link = new Link(table);
link.addEventListener("row", ({ detail }) => {
  if (!rows.size) return; // not read yet, or not for this person
  learn(detail);
  if (live) at(head).catch(trouble);
});
link.addEventListener("view", ({ detail }) => detail.view.me && start(detail.view.me.reads).catch(trouble));
link.addEventListener("missing", noTable);
link.addEventListener("gone", () => toast("The server cannot be reached; this page comes back by itself.", { kind: "bad" }));

let started = false;
async function start(reads) {
  head = Math.max(head, link.number);
  slider.max = head;
  if (started) return;
  started = true;
  if (!reads.includes("rows")) {
    put(room, h("p", {}, "The journal of a live table is for its crew, those above it and the inspector."),
      h("div", { class: "actions" }, h("a", { class: "button main", href: `/sign-in?next=/inspect/${encodeURIComponent(table)}` }, "Sign in"), there));
    return link.close();
  }
  put(room, journal(reads));
  const first = Math.max(0, head - 300);
  const found = await ask(`${base}/rows?after=${first}&limit=400`);
  found.rows.forEach(learn);
  earlier.hidden = first <= 0;
  await at(Number(asked().get("row")) || head);
}
