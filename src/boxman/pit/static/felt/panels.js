// The side of the table: own wagers, what each total would bring, the players.
import { button, h, put } from "../kit/dom.js";
import { showClauses } from "../kit/clauses.js";
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
  if (!view.me?.seat) return h("p", { class: "faint" }, say("side.sit-down"));
  if (!wagers.length) return h("p", { class: "faint" },
    say("side.nothing"));
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
    const is = [seat.you && "you", seat.automatic && "automatic", seat.leaving && "left"].filter(Boolean);
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
