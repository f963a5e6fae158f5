// What happened at the table, newest first: rolls with what they did, own calls, refusals; each says why.
import { ask } from "../kit/api.js";
import { button, h } from "../kit/dom.js";
import { showTexts } from "../kit/clauses.js";
import { trouble } from "../kit/dialog.js";
import { signed } from "../kit/money.js";
import { say } from "../kit/say.js";

const TOLD = ["norolled", "reversed", "posting", "handed"];
const kind = (net) => (net > 0 ? "won" : net < 0 ? "lost" : "even");

// A row in sentences, also why wagers were left alone.
export async function explainRow(row, table) {
  const path = `/api/tables/${encodeURIComponent(table)}/explain?number=${row.number}`;
  const told = await ask(path).catch(trouble);
  if (!told) return;
  const refused = told.refused && h("p", { class: "bad" }, `${told.refused.sentence}. ${told.refused.remedy || ""}`);
  const lines = told.sentences.map((each) => h("li", {}, each.text, " ",
    each.clauses.map((id) => h("code", {}, `{${id}} `))));
  showTexts(told.text || row.text, [refused, h("ul", { class: "told" }, lines)], told.clauses);
}

export class Ledger {
  constructor(dispute) {
    this.dispute = dispute;
    this.element = h("ol", { class: "ledger", reversed: true, tabindex: "0", "aria-label": say("ledger.title") });
  }

  // What happened before this page was open, or while it was far behind, for those who may read it.
  async past(link, number, view) {
    await null; // who one is follows the snapshot in the same frame
    if (!link.view?.me?.reads?.includes("rows")) return [];
    const after = Math.max(0, number - 60);
    const { rows } = await ask(`/api/tables/${encodeURIComponent(link.table)}/rows?after=${after}&limit=60`);
    const old = rows.filter((row) => row.number <= number);
    this.before(old, view);
    return old;
  }

  // Rows from the journal, older than all that is told live from now on.
  before(rows, view) {
    const live = [...this.element.children].filter((each) => Number(each.dataset.number) > (rows.at(-1)?.number || 0));
    this.element.replaceChildren();
    rows.forEach((row) => this.add(row, view()));
    this.element.prepend(...live);
  }

  add(row, view) {
    const yours = new Set(view.seats.filter((seat) => seat.you).map((seat) => seat.name));
    const decided = row.decided || [];
    const is = (type) => decided.some((each) => each.type === type);
    const mine = row.seat && yours.has(row.seat);
    const rolled = decided.find((each) => each.type === "rolled");
    const settled = decided.filter((each) => each.type === "settled");
    if (!rolled && !settled.length && !mine && !TOLD.some(is)) return;
    // What was called before is taken back: its entry says so.
    if (is("reversed")) this.element.querySelector("[data-rolled]:not(.taken-back)")?.classList.add("taken-back");
    const own = settled.filter((each) => yours.has(each.seat));
    const told = decided.map((each) => each.text).filter(Boolean).join(" ");
    const placed = mine && !row.refused && told && row.call?.type === "bet";
    const why = (label) => button(say("table.why"), () => explainRow(row, view.table),
      { class: "small", "aria-label": say("side.why", { what: label }) });
    if (placed && this.#grouped(told, why)) return;
    const head = rolled ? `${rolled.first + rolled.second} (${rolled.first}-${rolled.second})`
      : (mine && !row.refused && told) || row.text;
    const others = settled.filter((each) => !own.includes(each));
    const nets = [own.map((each) => h("li", { class: kind(each.paid - each.taken) }, each.text)),
      others.length > 0 && this.#others(others, view)];
    this.element.prepend(h("li", { class: row.refused ? "refused" : "", value: row.number, "data-number": row.number,
      "data-placed": placed ? "yes" : null, "data-rolled": rolled ? "yes" : null },
      h("div", { class: "row" }, h("span", {}, head, row.refused ? `: ${row.refused.sentence}` : ""), why(head),
        this.dispute && own.length > 0 && button(say("ledger.dispute"), () => this.dispute(row, own),
          { class: "small quiet", "aria-label": say("ledger.dispute-it", { what: head }) })),
      settled.length ? h("ul", {}, nets) : null));
    while (this.element.children.length > 60) this.element.lastChild.remove();
  }

  // Wagers put down one after the other are one entry.
  #grouped(told, why) {
    const top = this.element.firstElementChild;
    if (!top?.dataset.placed) return false;
    if (!top.querySelector("ul")) {
      const only = h("li", {}, ...top.querySelector(".row").childNodes);
      top.replaceChildren(h("div", { class: "row" }, h("span", { class: "count" })),
        h("ul", { class: "bets-down" }, only));
    }
    const list = top.querySelector("ul");
    list.prepend(h("li", {}, h("span", {}, told), " ", why(told)));
    top.querySelector(".count").textContent = say("ledger.placed", { n: list.children.length });
    return true;
  }

  // What a roll did to everybody else is one line, opened when it is wanted.
  #others(settled, view) {
    if (settled.length === 1) return h("li", { class: "even" }, settled[0].text);
    const net = settled.reduce((sum, each) => sum + each.paid - each.taken, 0);
    const summary = say("ledger.others", { n: settled.length, net: signed(net, view.currency) });
    return h("li", {}, h("details", {}, h("summary", {}, summary),
      h("ul", {}, settled.map((each) => h("li", { class: "even" }, each.text)))));
  }
}
