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
let house = "";

const step = (by) => () => at(Math.min(head, Math.max(1, Number(slider.value) + by))).catch(trouble);
put(find("#main"), heading(`Journal of ${table}`, "Every ruling in order, each sealed by the one before it. Nothing here can be changed."),
  h("div", { class: "actions" }, button("Verify the chain", () => verify().catch(trouble), { class: "main" }),
    h("a", { class: "button", href: `${base}/export?format=jsonl`, download: `${table}.jsonl` }, "Export as JSON lines"),
    h("a", { class: "button", href: `${base}/export?format=craps`, download: `${table}.craps` }, "Export as notation"),
    h("a", { class: "button", href: `/table/${encodeURIComponent(table)}` }, "Go to the table")),
  verdict,
  h("section", { class: "panel", "aria-label": "Replay" }, h("h2", {}, "Replay"), felt, where,
    h("div", { class: "actions replay" }, button("First", step(-1e9)), button("Back", step(-1)), slider, button("On", step(1)), button("Now", step(1e9)))),
  h("section", { class: "panel", "aria-label": "Rows" }, h("h2", {}, "Rows"),
    h("div", { class: "wide-scroll rows", tabindex: "0", role: "region", "aria-label": "Rows, newest first" }, h("table", {},
      h("thead", {}, h("tr", {}, ["Row", "Time", "By", "Said", "Followed", ""].map((each) => h("th", { scope: "col" }, each || h("span", { class: "hidden" }, "More"))))), list))));

function line(row) {
  const said = row.text || row.call?.type || "";
  const followed = row.refused ? `refused: ${row.refused.sentence}` : (row.followed || []).join(", ");
  const time = row.at ? new Date(row.at).toLocaleTimeString() : "";
  return h("tr", { "data-number": row.number, class: row.refused ? "bad" : "" }, h("th", { scope: "row" }, row.number), h("td", {}, time),
    h("td", {}, row.seat || row.by || ""), h("td", {}, said), h("td", {}, followed),
    h("td", {}, h("div", { class: "actions" }, button("Why", () => why(row), { class: "small", "aria-label": `Why: row ${row.number}` }),
      button("Show", () => at(row.number).catch(trouble), { class: "small", "aria-label": `Show row ${row.number} on the layout` }))));
}

const why = (row) => explainRow(house, row, table);

function learn(row) {
  if (rows.has(row.number)) return;
  rows.set(row.number, row);
  list.prepend(line(row));
  while (list.children.length > 400) list.lastChild.remove();
  head = Math.max(head, row.number);
  slider.max = head;
}

async function at(number) {
  live = number === head;
  slider.value = number;
  const data = await ask(`${base}/at/${number}`);
  const view = data.view || data;
  house = view.house;
  if (!felt.cloth) felt.cloth = await clothOf(view);
  felt.show({ menu: null, me: null, ...view });
  const row = rows.get(number);
  put(where, `Row ${number} of ${head}: `, row ? row.text : "", ` · puck ${view.puck ? `on ${view.puck}` : "off"} · ${view.rolls} rolls`);
  for (const each of list.querySelectorAll("[aria-current]")) each.removeAttribute("aria-current");
  list.querySelector(`[data-number="${number}"]`)?.setAttribute("aria-current", "true");
  remember({ row: live ? "" : number });
}

async function verify() {
  const found = await ask(`${base}/verify`);
  const problems = found.problems || [];
  const good = found.sound;
  verdict.className = good ? "good" : "bad";
  verdict.textContent = good ? `In order: ${found.rows} rows, every seal fits the one before it; ${found.throws} throws checked against their seals.`
    : `Not in order: ${problems.join("; ")}`;
}

slider.addEventListener("input", () => at(Number(slider.value)).catch(trouble));
const link = new Link(table);
link.addEventListener("row", ({ detail }) => {
  learn(detail);
  if (live) at(head).catch(trouble);
});
link.addEventListener("snapshot", ({ detail }) => start(detail.number).catch(trouble));
link.addEventListener("missing", noTable);
link.addEventListener("gone", () => toast("The server cannot be reached; this page comes back by itself.", { kind: "bad" }));

let started = false;
async function start(number) {
  head = Math.max(head, number);
  slider.max = head;
  if (started) return;
  started = true;
  const first = Math.max(0, number - 300);
  const found = await ask(`${base}/rows?after=${first}&limit=400`);
  (found.rows || found).forEach(learn);
  await at(Number(asked().get("row")) || head);
}
