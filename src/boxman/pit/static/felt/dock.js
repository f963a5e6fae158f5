// The arm-rest: the purse, the chips to choose from, quick bets, and ROLL, which never moves and says what it will do.
import { dialog, question } from "../kit/dialog.js";
import { button, field, h, keep, mark, put, s, write } from "../kit/dom.js";
import { atLeast, atMost, denominations, highest, money } from "../kit/money.js";
import { say } from "../kit/say.js";
import { chip, count, paintOf } from "./chips.js";

export class Dock {
  constructor(stage, felt, acts) {
    Object.assign(this, { stage, felt, acts, chosen: 0, shown: 0 });
    this.sum = h("strong", {});
    this.risk = h("span", {});
    this.buy = button(say("table.buy"), () => acts.buy(), { class: "buy", hidden: true });
    // What the last roll brought, where the band has no room.
    this.result = h("span", { class: "result", "aria-hidden": "true" });
    this.purse = h("div", { class: "purse" }, this.sum, this.risk, this.result);
    this.rack = h("div", { class: "rack", "aria-hidden": "true" });
    this.row = h("div", { class: "chip-row", role: "radiogroup", "aria-label": say("table.chip-to-place") });
    this.bets = quickBets({ stage, felt, dock: this, ...acts, several: (left) => this.several(left),
      more: () => this.more() });
    this.buttons = Object.fromEntries(Object.entries(this.bets).filter(([, each]) => !each.hidden).map(([name, each]) =>
      [name, button([h("span", {}, each.word), h("kbd", { "aria-hidden": "true" }, each.key)], each.act,
        { class: `q-${name} ${each.main ? "place" : ""}`, "aria-label": each.word, "aria-keyshortcuts": each.key })]));
    this.quick = h("div", { class: "quick", role: "group", "aria-label": say("table.quick-bets") },
      Object.values(this.buttons));
    this.keep = h("input", { type: "checkbox", checked: keep.get("stays", true),
      onchange: () => acts.keepUp(this.keep.checked) });
    this.switches = h("label", { class: "keep", title: say("table.stay-title") },
      this.keep, h("i", { "aria-hidden": "true" }), h("span", {}, say("table.stay")));
    this.will = h("span", { class: "will" });
    this.word = h("strong", {});
    this.roll = h("button", { type: "button", class: "roll throw", onclick: () =>
      (this.roll.ariaDisabled === "true" ? acts.land() : this.act?.()) }, this.word, this.will);
    this.calls = h("div", { class: "calls" });
    this.element = h("section", { class: "dock", "aria-label": say("table.rail") }, this.purse, this.buy, this.row,
      this.rack, this.quick, this.switches, this.calls, this.roll);
    // Whoever clicked goes on with Space: it rolls, and presses no button a second time.
    this.element.addEventListener("click", ({ detail }) => detail && document.activeElement.blur(), true);
    stage.addEventListener("change", () => this.refresh());
  }

  several(left) {
    if (left.length) this.acts.note(say("table.cannot", { names: left.map(this.acts.name) }));
    if (this.stage.chips.size) this.acts.laid();
  }

  look(view) {
    this.view = view;
    const chips = denominations(view.chip, view.posted.maximum).slice(0, 5);
    const key = chips.join(" ");
    if (key !== this.key) {
      this.key = key;
      this.chips = chips;
      const fit = chips.filter((each) => each <= view.posted.minimum);
      this.chosen = fit.at(-1) || chips[0];
      this.drawRow();
    }
    this.element.hidden = !view.me?.seat;
    this.refresh();
  }

  drawRow() {
    put(this.row, this.chips.map((amount, n) => h("button", {
      type: "button", class: "chip-button", role: "radio", "data-amount": amount,
      "aria-label": say("table.chip-of", { amount: money(amount, this.view.currency) }),
      onclick: () => this.choose(amount),
      onkeydown: (event) => this.arrow(event, n),
    }, s("svg", { viewBox: "-23 -21 46 48", "aria-hidden": "true" }, chip(amount, 20)))));
    this.choose(this.chosen);
  }

  // The rail as one holds it: some chips of each denomination on edge, in the groove of the arm-rest.
  drawRack(left) {
    put(this.rack, [...this.chips].reverse().flatMap((value) => {
      const n = Math.min(12, Math.floor((value > this.chips[0] ? left * 0.6 : left) / value));
      const [face, , mark] = paintOf(value);
      left -= n * value;
      return Array.from({ length: n }, () => {
        const edge = h("i");
        edge.style.setProperty("--face", face);
        edge.style.setProperty("--mark", mark);
        return edge;
      });
    }));
  }

  arrow(event, n) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = (n + step + this.chips.length) % this.chips.length;
    this.choose(this.chips[next]);
    this.row.children[next].focus();
  }

  choose(amount) {
    this.chosen = amount;
    this.changed?.();
    for (const each of this.row.children) {
      const on = Number(each.dataset.amount) === amount;
      each.setAttribute("aria-checked", String(on));
      each.tabIndex = on ? 0 : -1;
    }
  }

  refresh() {
    const { stage, view } = this;
    if (!view) return;
    const open = view.phase === "open" && Boolean(view.menu);
    const words = (amount) => money(amount, view.currency);
    const left = stage.purse - stage.total;
    count(this.sum, this.shown, left, words);
    if (this.shown !== left) this.drawRack(left);
    this.shown = left;
    const up = stage.wagers.reduce((sum, each) => sum + each.stake, 0);
    write(this.risk, stage.total
      ? say(stage.fees > 0 ? "table.in-hand-fees" : "table.in-hand", { amount: words(stage.total),
        fees: words(stage.fees) })
      : say("table.at-risk", { amount: words(up) }));
    this.element.classList.toggle("broke", this.broke);
    this.buy.hidden = !(stage.purse < view.posted.minimum) || this.broke;
    for (const [name, each] of Object.entries(this.bets)) {
      const made = this.buttons[name];
      if (made) made.disabled = !each.can() || !(open || each.free);
    }
    this.acts.rollWords(this);
  }

  // Nothing on the rail, nothing up, nothing staged: nothing can be bet.
  get broke() {
    const { stage, view } = this;
    return Boolean(view?.me?.seat) && view.menu && stage.purse < view.chip && !stage.wagers.length && !stage.total;
  }

  // What the great button does, in a word and a sentence. It keeps the focus while it cannot be pressed.
  says(word, will, act, { ready = true, kind = "" } = {}) {
    this.act = act;
    write(this.word, word);
    write(this.will, will);
    mark(this.roll, "aria-disabled", String(!ready));
    mark(this.roll, "class", `roll throw ${kind}`);
  }

  // All quick bets, and named sets of bets.
  more() {
    const { stage, view } = this;
    const open = view.phase === "open" && Boolean(view.menu);
    let box = null;
    const act = (label, action, off = false) => button(label, () => {
      box.close();
      action();
    }, { disabled: off });
    const presets = stage.presets(view.house).map((each) => h("li", {},
      act(each.name, () => this.several(stage.many(each.bets))),
      button(say("table.forget"), (event) => {
        stage.forget(view.house, each.name);
        event.target.closest("li").remove();
      }, { class: "small quiet", "aria-label": say("table.forget-name", { name: each.name }) })));
    // Where the rail has no room for it, the switch stands here.
    const stays = h("input", { type: "checkbox", checked: this.keep.checked, onchange: () => this.keep.click() });
    box = dialog(say("table.more-ways"), [
      h("div", { class: "ways" },
        Object.entries(this.bets).filter(([name]) => !["more", "place"].includes(name)).map(([, each]) =>
        act([each.word, each.key && h("kbd", { "aria-hidden": "true" }, each.key)], each.act, !each.can()
          || !(open || each.free)))),
      h("label", { class: "check" }, stays, say("table.stay")),
      h("h3", {}, say("table.saved")),
      presets.length ? h("ul", { class: "told" }, presets) : h("p", { class: "faint" },
        say("table.none-saved")),
      act(say("table.save-these"), () => this.savePreset(), !(stage.chips.size || stage.wagers.length)),
    ]);
  }

  async savePreset() {
    const bets = this.stage.base();
    const answer = await question(say("table.save-title"),
      field(say("table.name"), h("input", { name: "name", required: true, maxlength: 24 })),
        { action: say("table.save") });
    if (answer?.name) this.stage.save(this.view.house, answer.name, bets);
  }
}

// What one press does: the quick bets, the great button, and what a player has done by habit.

// The odds that may be put behind one's wagers now: [spot, the most, the flat stake].
export function oddsOpen(stage, felt) {
  const stakes = new Map(stage.wagers.map((each) => [each.spot, each.stake]));
  for (const [spot, amount] of stage.shown) stakes.set(spot, (stakes.get(spot) || 0) + amount);
  return (felt.cloth?.spots || []).flatMap((spot) => {
    const ranges = spot.behind ? stage.ranges(spot.id) : [];
    return ranges.length && stakes.get(spot.behind) ? [[spot.id, highest(ranges), stakes.get(spot.behind)]] : [];
  });
}

// The least by which a wager may be raised that is at least a chip, and what it may be lowered to.
const pressed = (stage, { spot, stake }) => {
  const ranges = stage.ranges(spot);
  return [spot, atMost(ranges, stake) || atLeast(ranges, 1)];
};

const halved = (stage, { spot, stake }) => {
  const lower = stage.choices[spot]?.lower || [];
  return [spot, atMost(lower, Math.floor(stake / 2)) || atLeast(lower, 1)];
};

const working = (stage, word) => Object.values(stage.choices).some((each) => each.calls.includes(word));

// Every quick bet: its word, its key, whether it can be pressed, what it does. `call` makes a call and resolves with
// its answer; `several` tells what could not be staged.
export function quickBets({ stage, felt, dock, call, several, place, giveBack, auto, more }) {
  const places = () => felt.cloth.spots.filter((spot) => spot.place === "box place" && stage.ranges(spot.id).length);
  const inside = () => places().filter((spot) => [5, 6, 8, 9].includes(spot.number));
  const ids = (list) => list.map((spot) => spot.id);
  const raisable = () => stage.wagers.map((each) => pressed(stage, each)).filter(([, amount]) => amount);
  const lowered = () => stage.wagers.map((each) => halved(stage, each)).filter(([, to]) => to);
  const removable = () => stage.wagers.filter((each) => stage.choices[each.spot]?.take_down);
  const all = (call) => ({ type: "setworking", spot: "all", call });
  const odds = () => oddsOpen(stage, felt).filter(([spot, most]) => stage.most(spot, most) > (stage.chips.get(spot)
    || 0));
  const bets = {
    place: { key: "P", can: () => stage.chips.size, act: place, main: true },
    undo: { key: "U", can: () => stage.steps.length || stage.fresh(), free: true,
      act: () => (stage.steps.length ? stage.undo() : giveBack(stage.fresh())) },
    odds: { key: "O", can: () => odds().length,
      act: () => several(stage.many(odds().map(([spot, most]) => [spot, stage.most(spot, most) - (stage.chips.get(spot)
        || 0)]))) },
    press: { key: "E", can: () => raisable().length, act: () => several(stage.many(raisable())) },
    across: { key: "A", can: () => places().length,
      act: () => several(stage.each(ids(places()), dock.chosen)) },
    inside: { key: "N", can: () => inside().length,
      act: () => several(stage.each(ids(inside()), dock.chosen)) },
    again: { key: "S", can: () => stage.again().length, act: () => several(stage.repeat()) },
    auto: { key: "R", can: () => !dock.view?.closed, act: auto, free: true },
    clear: { key: "C", can: () => stage.chips.size, act: () => stage.clear(), free: true },
    more: { key: "M", can: () => true, act: more, free: true },
    redo: { key: "Y", can: () => stage.undone.length, act: () => stage.redo(), hidden: true },
    double: { key: "D", can: () => stage.chips.size || raisable().length, hidden: true,
      act: () => several(stage.double()) },
    regress: { key: "G", can: () => lowered().length, hidden: true,
      act: () => lowered().forEach(([spot, to]) => call({ type: "reduce", spot, to })) },
    down: { key: "", can: () => removable().length, hidden: true,
      act: () => removable().forEach(({ spot }) => call({ type: "takedown", spot })) },
    off: { key: "F", can: () => working(stage, "off"), hidden: true, act: () => call(all("off")) },
    on: { key: "B", can: () => working(stage, "on"), hidden: true, act: () => call(all("on")) },
  };
  for (const [name, each] of Object.entries(bets)) each.word = say(`table.quick.${name}`);
  return bets;
}

// A player's habits: what may stay up is asked to, and odds are put behind wagers by themselves. Each is asked once for
// each wager; what the house refuses is not asked again, and nobody who did not ask is told of it.
const asked = new Set();

export function habits(view, stage, felt, link) {
  if (view.phase !== "open" || !view.menu) return [];
  const wagers = view.seats.find((seat) => seat.you)?.wagers || [];
  const up = new Set(wagers.map((each) => each.spot));
  for (const key of [...asked]) if (!up.has(key.slice(key.indexOf(" ") + 1))) asked.delete(key);
  const speak = (call) => link.call(call, "player");
  const once = (key) => !asked.has(key) && asked.add(key);
  const stay = keep.get("stays", true) ? wagers.filter(({ spot }) => view.menu.choices[spot]?.keep === true
    && once(`keep ${spot}`)) : [];
  const kept = stay.map(({ spot }) => speak({ type: "stayup", spot, stays: true }));
  const times = keep.get("odds", 0);
  if (!times) return kept;
  for (const [spot, most, flat] of oddsOpen(stage, felt)) {
    const { behind } = felt.spot(spot);
    if (up.has(spot) || stage.chips.has(spot) || !up.has(behind) || !once(`odds ${behind}`)) continue;
    const amount = stage.most(spot, times === "full" ? most : Math.min(most, flat * times));
    if (amount) speak({ type: "bet", spot, amount }).then((answer) => answer.refused || stage.down(spot, amount));
  }
  return kept;
}

export const waiting = (view) => view.seats
  .filter((seat) => !seat.automatic && !seat.leaving && !view.ready.includes(seat.name)).map((seat) => seat.name);

// What the great button will do: one press places what is staged and rolls.
export function rollWords(dock, hands) {
  const { stage } = hands;
  const roll = () => hands.roll();
  const buy = () => hands.buyIn();
  const stop = () => hands.stop();
  const { view } = dock;
  const staged = stage.total;
  const place = staged ? say("table.place-sum", { amount: money(staged, view.currency) }) : "";
  const seat = view.me?.seat;
  const open = view.phase === "open";
  if (view.closed) return dock.says(say("table.big.closed"), say("table.closed-now"), null, { ready: false });
  if (view.auto) return dock.says(say("table.big.stop"), say("table.auto-left", { n: view.auto.left }), stop,
    { kind: "stop" });
  if (dock.broke) return dock.says(say("table.big.buy"), say("table.broke"), buy);
  if (!view.automatic.includes("stick")) {
    return dock.says(say("table.big.place"), place || say(open ? "table.put-chips" : "table.no-more"), roll,
      { ready: Boolean(staged) && open });
  }
  if (!open) return dock.says(say("table.big.roll"), say("table.dice-out"), null, { ready: false });
  const { shooter, offered } = view.hand;
  const mine = offered ? offered === seat : !shooter || shooter === "guest" || shooter === seat;
  const up = view.seats.some((each) => each.wagers.length);
  const left = dock.until ? Math.max(0, Math.ceil((dock.until - Date.now()) / 1000)) : 0;
  if (view.ready.includes(seat)) {
    const others = waiting(view);
    const who = others.length ? say(left ? "table.waiting-s" : "table.waiting", { names: others, left })
      : say("table.dice-out");
    return dock.says(say("table.big.roll"), staged ? place : who, staged ? roll : null, { ready: Boolean(staged) });
  }
  const take = "takes dice";
  if (offered && mine && view.menu?.moves.includes(take)) {
    return dock.says(say("table.big.take"), place || say("table.offered"), async () => {
      if (!stage.chips.size || await hands.put()) hands.speak({ line: take });
    });
  }
  const wanted = view.asked && view.asked.by !== seat;
  if (!mine || wanted) {
    const who = wanted ? say(left ? "table.wants-s" : "table.wants", { name: view.asked.by, left })
      : say(offered ? "table.gets-dice" : "table.has-dice", { name: offered || shooter });
    return dock.says(say("table.big.ready"), place ? say("table.then-ready", { place }) : who, roll);
  }
  if (!up && !staged && shooter !== "guest") return dock.says(say("table.big.roll"), say("table.line-first"), null,
    { ready: false });
  const will = view.puck ? say("table.point", { puck: view.puck }) : say("table.come-out");
  return dock.says(say("table.big.roll"), place ? say("table.and-roll", { place }) : will, roll);
}
