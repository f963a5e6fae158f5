// The side of the table: own wagers, what each total would bring, the players, what happened.
import { ask } from "../kit/api.js";
import { button, h, put } from "../kit/dom.js";
import { showClauses, showTexts } from "../kit/clauses.js";
import { trouble } from "../kit/dialog.js";
import { atLeast, atMost, money, signed } from "../kit/money.js";
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
      { class: "small", "aria-label": `Lower ${spot.name} to ${money(less, view.currency)}` }),
    money(wager.stake, view.currency),
    choice?.bet.length > 0 && button("+", () => lay(spot.id, chosen),
      { class: "small", "aria-label": `Press ${spot.name}` }));
}

export function wagersPanel(view, felt, { open, call, giveBack, lay, chosen }) {
  const wagers = view.seats.find((seat) => seat.you)?.wagers || [];
  if (!view.me?.seat) return h("p", { class: "faint" }, "You are watching. Sit down to bet.");
  if (!wagers.length) return h("p", { class: "faint" },
    "Nothing of yours is on the layout. Touch a spot, or drag a chip to it, then press ROLL.");
  const rows = wagers.map((wager) => {
    const spot = felt.spot(wager.spot);
    const choice = view.menu?.choices[wager.spot];
    const odds = oddsFor(view, felt, wager.spot);
    // One touch turns it round: on what sleeps, off what works.
    const turn = wager.working ? "off" : "on";
    const toggles = [
      choice?.calls?.includes(turn) && button(turn === "on" ? "On" : "Off",
        () => call({ type: "setworking", spot: wager.spot, call: turn }),
        { class: "small", "aria-label": `Call ${spot.name} ${turn}` }),
      typeof choice?.keep === "boolean"
        && button("↻", () => call({ type: "stayup", spot: wager.spot, stays: choice.keep }),
        { class: "small", "aria-pressed": String(wager.stays), title: "Stays up when it wins",
          "aria-label": `${spot.name} stays up when it wins` }),
    ];
    return h("tr", {},
      h("th", { scope: "row" }, button(spot.name, () => open(wager.spot), { class: "quiet small" }),
        !wager.working && h("small", {}, " not working")),
      h("td", { class: "number" }, stepper(view, spot, wager, choice, { chosen, lay, call })),
      h("td", {}, h("div", { class: "do" }, odds, toggles,
        choice?.take_down && button("Down", () => call({ type: "takedown", spot: wager.spot }),
          { class: "small", "aria-label": `Take down ${spot.name}` }),
        !choice?.take_down && givable(view, wager) && button("Undo", () => giveBack(wager.spot),
          { class: "small", title: "The box gives it back", "aria-label": `Undo ${spot.name}` }))));
  });
  return h("table", { class: "bets" },
    h("caption", {}, `At risk ${money(wagers.reduce((a, w) => a + w.stake, 0), view.currency)}`),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Wager"), h("th", { scope: "col", class: "number" }, "Stake"),
      h("th", { scope: "col" }, h("span", { class: "hidden" }, "What may be done")))),
    h("tbody", {}, rows));
}

// The odds behind a flat wager at one touch, if the menu offers any.
function oddsFor(view, felt, flat) {
  const [kind, number] = flat.split(".");
  const behind = number ? `${kind}.odds.${number}` : `${kind}.odds`;
  const choice = felt.spot(behind) && view.menu?.choices[behind];
  if (!choice?.bet.length) return null;
  const most = Math.max(...choice.bet.map(([, high]) => high));
  return button(`Odds ${money(most, view.currency)}`, (event) =>
    event.target.dispatchEvent(new CustomEvent("odds", { bubbles: true, detail: { spot: behind, amount: most } })),
  { class: "small", "aria-label": `Stage ${money(most, view.currency)} odds, ${felt.spot(behind).name}` });
}

export function playersPanel(view) {
  const rows = [...view.seats].sort((a, b) => a.place - b.place).map((seat) => h("tr", { class: "seat-row" },
    h("th", { scope: "row" }, h("i", { class: `seat${seat.colour % 8}`, "aria-hidden": "true" }), seat.name,
      seat.you && h("small", {}, " (you)"), seat.automatic && h("small", {}, " automatic"), seat.leaving
        && h("small", {}, " has left"),
      seat.name === view.hand.shooter && h("span", { class: "badge" }, "shooter"),
      seat.name === view.hand.offered && h("span", { class: "badge" }, "offered the dice")),
    h("td", { class: "number" }, seat.rail === null || seat.rail === undefined ? "" : money(seat.rail, view.currency)),
    h("td", { class: "number" }, money(seat.wagers.reduce((sum, each) => sum + each.stake, 0), view.currency))));
  const signs = (view.signs || []).filter((each) => !/^(price|odds) /.test(each.what));
  return [
    h("table", {}, h("caption", {}, "Seats, clockwise from the left of the box"),
      h("thead", {}, h("tr", {}, ["Player", "Rail", "On the layout"].map((each, n) =>
        h("th", { scope: "col", class: n ? "number" : "" }, each)))), h("tbody", {}, rows)),
    h("h2", {}, "Signs"),
    h("ul", { class: "told" }, signs.map((each) => h("li", {}, each.text, " ",
      each.cites?.length && button("why", () => showClauses(view.house, each.cites, each.what),
        { class: "small quiet", "aria-label": `Why: ${each.what}` })))),
    view.commitment && fairness(view.commitment),
  ];
}

function fairness(commitment) {
  return h("details", {}, h("summary", {}, "Dice that can be checked"),
    h("p", {}, "Before this shooter's first roll the house fixed its dice and showed this seal:"),
    h("p", {}, h("code", { class: "seal" }, commitment.hash || "none yet")),
    commitment.last?.secret && h("p", {}, "The last shooter's secret, now open: ", h("code", { class: "seal" },
      commitment.last.secret)));
}

// The net of every total, from the engine itself; only where aids are allowed.
export class IfItRolls {
  constructor(body) {
    this.body = body;
    this.show(null);
  }

  show(data, currency) {
    if (!data) return void put(this.body, h("p", { class: "faint" }, "Nothing of yours is on the layout."));
    const rows = data.rolls.map((each) => h("tr", {},
      h("th", { scope: "row" }, each.label), h("td", { class: "number" }, `${each.ways}/36`),
      h("td", { class: `number ${each.net > 0 ? "won" : each.net < 0 ? "lost" : "even"}` },
        signed(each.net, currency))));
    put(this.body, h("table", { class: "rolls-table" },
      h("caption", {}, "Your net if the next roll is this"),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Roll"), h("th", { scope: "col", class: "number" },
        "Chance"),
        h("th", { scope: "col", class: "number" }, "Net"))),
      h("tbody", {}, rows)), h("p", { class: "faint" }, `On average ${data.mean_text} a roll.`));
  }
}

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

// What happened, newest first: rolls with their settlements, own calls, refusals.
export class Ledger {
  constructor(dispute) {
    this.dispute = dispute;
    this.element = h("ol", { class: "ledger", reversed: true, tabindex: "0", "aria-label": "What happened" });
  }

  // Rows from the journal, older than all that is told live from now on.
  before(rows, view) {
    const live = [...this.element.children].filter((each) => Number(each.dataset.number) > (rows.at(-1)?.number || 0));
    this.element.replaceChildren();
    rows.forEach((row) => this.add(row, view()));
    this.element.prepend(...live);
  }

  add(row, view) {
    const mine = row.seat && view.seats.find((seat) => seat.name === row.seat)?.you;
    const rolled = (row.decided || []).find((each) => each.type === "rolled");
    const settled = (row.decided || []).filter((each) => each.type === "settled");
    if (!rolled && !settled.length && !mine && !row.decided?.some((each) => ["norolled", "reversed", "posting",
      "handed"].includes(each.type))) return;
    // What was called before is taken back: its entry says so.
    if (row.decided?.some((each) => each.type === "reversed")) {
      this.element.querySelector("[data-rolled]:not(.taken-back)")?.classList.add("taken-back");
    }
    const own = (each) => view.seats.find((seat) => seat.name === each.seat)?.you;
    const nets = settled.sort((a, b) => Number(Boolean(own(b))) - Number(Boolean(own(a)))).map((each) => {
      const net = each.paid - each.taken;
      return h("li", { class: net > 0 ? "won" : net < 0 ? "lost" : "even" },
        each.text || `${each.seat} ${each.spot} ${signed(net)}`);
    });
    const told = (row.decided || []).map((each) => each.text).filter(Boolean).join(" ");
    const placed = mine && !row.refused && told && row.call?.type === "bet";
    const why = (label) => button("Why?", () => explainRow(row, view.table),
      { class: "small", "aria-label": `Why: ${label}` });
    // Wagers put down one after the other are one entry.
    const top = this.element.firstElementChild;
    if (placed && top?.dataset.placed) {
      if (!top.querySelector("ul")) {
        const only = h("li", {}, ...top.querySelector(".row").childNodes);
        top.replaceChildren(h("div", { class: "row" }, h("span", { class: "count" })), h("ul", { class: "bets-down" },
          only));
      }
      const list = top.querySelector("ul");
      list.prepend(h("li", {}, h("span", {}, told), " ", why(told)));
      top.querySelector(".count").textContent = `${list.children.length} bets placed`;
      return;
    }
    const head = rolled ? `${rolled.first + rolled.second} (${rolled.first}-${rolled.second})`
      : (mine && !row.refused && told) || row.text;
    this.element.prepend(h("li", { class: row.refused ? "refused" : "", value: row.number, "data-number": row.number,
      "data-placed": placed ? "yes" : null, "data-rolled": rolled ? "yes" : null },
      h("div", { class: "row" }, h("span", {}, head, row.refused ? `: ${row.refused.sentence}` : ""),
        why(head), this.dispute && settled.some(own) && button("Dispute", () => this.dispute(row, settled.filter(own)),
          { class: "small quiet", "aria-label": `Dispute: ${head}` })),
      nets.length ? h("ul", {}, nets) : null));
    while (this.element.children.length > 60) this.element.lastChild.remove();
  }
}
