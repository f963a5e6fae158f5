// The side of the table: own wagers, what each total would bring, the players.
import { ask } from "../kit/api.js";
import { showClauses, showTexts } from "../kit/clauses.js";
import { trouble } from "../kit/dialog.js";
import { button, h, put } from "../kit/dom.js";
import { atLeast, atMost, money, signed } from "../kit/money.js";
import { say } from "../kit/say.js";
import { givable } from "./stage.js";

// Tabs by the book of ARIA: one stop, arrows between them.
export function tabs(label, list) {
  const bodies = list.map(({ id }) => h("div", { role: "tabpanel", id: `panel-${id}`, "aria-labelledby": `tab-${id}`,
    tabindex: "0" }));
  const heads = list.map(({ id, name }, n) => h("button", {
    type: "button", role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}`,
    onclick: () => choose(n),
    onkeydown: (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const shown = heads.map((head, k) => (head.hidden ? -1 : k)).filter((k) => k >= 0);
      const next = shown[(shown.indexOf(n) + step + shown.length) % shown.length];
      choose(next);
      heads[next].focus();
    },
  }, name));
  let now = 0;
  function choose(n) {
    now = n;
    heads.forEach((head, k) => {
      head.setAttribute("aria-selected", String(k === n));
      head.tabIndex = k === n ? 0 : -1;
      bodies[k].hidden = k !== n;
    });
    list[n].opened?.();
  }
  choose(0);
  const element = h("section", { class: "panel", "aria-label": label },
    h("div", { role: "tablist", "aria-label": label }, heads), bodies);
  const show = (id, on) => {
    const n = list.findIndex((each) => each.id === id);
    heads[n].hidden = !on;
    if (!on && now === n) choose(0);
  };
  return { element, body: (id) => bodies[list.findIndex((each) => each.id === id)], current: () => list[now].id, show };
}

// One chip more or less at one touch: more is staged, less is asked of the house.
function stepper(view, spot, wager, choice, { chosen, lay, call }) {
  const less = choice?.lower.length && (atMost(choice.lower, wager.stake - chosen) || atLeast(choice.lower, 1));
  return h("span", { class: "step" },
    less > 0 && button("−", () => call({ type: "reduce", spot: spot.id, to: less }),
      { class: "small", "aria-label": say("side.lower", { name: spot.name, amount: money(less, view.currency) }) }),
    money(wager.stake, view.currency),
    choice?.bet.length > 0 && button("+", () => lay(spot.id, chosen),
      { class: "small", "aria-label": say("side.press", { name: spot.name }) }));
}

export function wagersPanel(view, felt, { open, call, giveBack, lay, chosen }) {
  const wagers = view.seats.find((seat) => seat.you)?.wagers || [];
  const words = view.closed ? "table.closed-here" : view.me?.seat ? "side.nothing" : "side.sit-down";
  if (!wagers.length) return h("p", { class: "faint" }, say(words));
  const rows = wagers.map((wager) => {
    const spot = felt.spot(wager.spot);
    const choice = view.menu?.choices[wager.spot];
    const odds = oddsFor(view, felt, wager.spot);
    // One touch turns it round: on what sleeps, off what works.
    const turn = wager.working ? "off" : "on";
    const toggles = [
      choice?.calls?.includes(turn) && button(say(`side.turn.${turn}`),
        () => call({ type: "setworking", spot: wager.spot, call: turn }),
        { class: "small", "aria-label": say(`side.call.${turn}`, { name: spot.name }) }),
      typeof choice?.keep === "boolean"
        && button("↻", () => call({ type: "stayup", spot: wager.spot, stays: choice.keep }),
        { class: "small", "aria-pressed": String(wager.stays), title: say("side.stays"),
          "aria-label": say("side.stays-name", { name: spot.name }) }),
    ];
    return h("tr", {},
      h("th", { scope: "row" }, button(spot.name, () => open(wager.spot), { class: "quiet small" }),
        !wager.working && h("small", {}, " ", say("side.not-working")),
        view.collected?.[wager.spot]?.length && h("small", {}, " ",
          say("side.has", { what: view.collected[wager.spot].join(", ") }))),
      h("td", { class: "number" }, stepper(view, spot, wager, choice, { chosen, lay, call })),
      h("td", {}, h("div", { class: "do" }, odds, toggles,
        choice?.take_down && button(say("side.down"), () => call({ type: "takedown", spot: wager.spot }),
          { class: "small", "aria-label": say("side.take-down", { name: spot.name }) }),
        !choice?.take_down && givable(view, wager) && button(say("table.quick.undo"), () => giveBack(wager.spot),
          { class: "small", title: say("side.box-gives"), "aria-label": say("side.undo", { name: spot.name }) }))));
  });
  return h("table", { class: "bets" },
    h("caption", {}, say("side.at-risk", { amount: money(wagers.reduce((a, w) => a + w.stake, 0), view.currency) })),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, say("side.wager")),
      h("th", { scope: "col", class: "number" }, say("side.stake")),
      h("th", { scope: "col" }, h("span", { class: "hidden" }, say("side.may"))))),
    h("tbody", {}, rows));
}

// The odds behind a flat wager at one touch, if the menu offers any.
function oddsFor(view, felt, flat) {
  const [kind, number] = flat.split(".");
  const behind = number ? `${kind}.odds.${number}` : `${kind}.odds`;
  const choice = felt.spot(behind) && view.menu?.choices[behind];
  if (!choice?.bet.length) return null;
  const most = Math.max(...choice.bet.map(([, high]) => high));
  return button(say("side.odds", { amount: money(most, view.currency) }), (event) =>
    event.target.dispatchEvent(new CustomEvent("odds", { bubbles: true, detail: { spot: behind, amount: most } })),
  { class: "small", "aria-label": say("side.stage-odds",
    { amount: money(most, view.currency), name: felt.spot(behind).name }) });
}

export function playersPanel(view) {
  const rows = [...view.seats].sort((a, b) => a.place - b.place).map((seat) => {
    const is = [seat.you && "you", seat.automatic && "automatic", seat.account && "account",
      seat.leaving && "left"].filter(Boolean);
    const dice = ["shooter", "offered"].filter((each) => view.hand[each] === seat.name);
    return h("tr", { class: "seat-row" },
      h("th", { scope: "row" }, h("i", { class: `seat${seat.colour % 8}`, "aria-hidden": "true" }), seat.name,
        is.map((each) => h("small", {}, ` ${say(`side.is.${each}`)}`)),
        dice.map((each) => h("span", { class: "badge" }, say(`side.is.${each}`)))),
      h("td", { class: "number" }, money(seat.rail ?? 0, view.currency)),
      h("td", { class: "number" }, money(seat.wagers.reduce((sum, each) => sum + each.stake, 0), view.currency)));
  });
  const signs = (view.signs || []).filter((each) => !/^(price|odds) /.test(each.what));
  return [
    h("table", {}, h("caption", {}, say("side.seats")),
      h("thead", {}, h("tr", {}, ["player", "rail", "layout"].map((each, n) =>
        h("th", { scope: "col", class: n ? "number" : "" }, say(`side.columns.${each}`))))), h("tbody", {}, rows)),
    h("h2", {}, say("side.signs")),
    h("ul", { class: "told" }, signs.map((each) => h("li", {}, each.text, " ",
      each.cites?.length && button(say("table.why"), () => showClauses(view.house, each.cites, each.what),
        { class: "small quiet", "aria-label": say("side.why", { what: each.what }) })))),
  ];
}

// The net of every total, from the engine itself; only where aids are allowed.
export class IfItRolls {
  constructor(body) {
    this.body = body;
    this.show(null);
  }

  show(data, currency) {
    if (!data) return void put(this.body, h("p", { class: "faint" }, say("side.nothing-up")));
    const rows = data.rolls.map((each) => h("tr", {},
      h("th", { scope: "row" }, each.label), h("td", { class: "number" }, `${each.ways}/36`),
      h("td", { class: `number ${each.net > 0 ? "won" : each.net < 0 ? "lost" : "even"}` },
        signed(each.net, currency))));
    put(this.body, h("table", { class: "rolls-table" },
      h("caption", {}, say("side.your-net")),
      h("thead", {}, h("tr", {}, ["roll", "chance", "net"].map((each, n) =>
        h("th", { scope: "col", class: n ? "number" : "" }, say(`side.columns.${each}`))))),
      h("tbody", {}, rows)), h("p", { class: "faint" }, say("side.mean", { amount: data.mean_text })));
  }
}

// What happened at the table, newest first: rolls with what they did, own calls, refusals; each says why.

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
