// Chips put out but not yet placed: they can be undone until they are. Amounts come from the menu,
// so what is staged is always what the house could take.
import { keep } from "../kit/dom.js";
import { allowed, atLeast, atMost, charged, grown } from "../kit/money.js";

// Whether the automatic box would give a wager back, as the server says.
export const givable = (view, wager) => wager.fresh > 0 && (view.automatic || []).includes("box");

export class Stage extends EventTarget {
  constructor() {
    super();
    this.chips = new Map();
    this.steps = [];
    this.undone = [];
    // What was said to the house and is not answered yet.
    this.asked = new Map();
    this.placed = [];
    // What was last put down for a come-out roll, and what with a point on.
    this.last = { off: [], on: [] };
    this.view = null;
  }

  // What the staged chips will take from the rail, fees with them.
  get total() {
    return [...this.chips].reduce((sum, [spot, amount]) => sum + this.cost(spot, amount), 0);
  }

  get fees() {
    return [...this.chips].reduce((sum, [spot, amount]) => sum + this.cost(spot, amount) - amount, 0);
  }

  cost(spot, amount) {
    return amount && amount + charged(this.choices[spot]?.fees, amount);
  }

  get wagers() {
    return this.view?.seats.find((seat) => seat.you)?.wagers || [];
  }

  get choices() {
    return this.view?.menu?.choices || {};
  }

  get purse() {
    return this.view?.menu?.rail ?? 0;
  }

  // Amounts that can be staged: what is shared out in parts must divide evenly.
  ranges(spot) {
    const { bet = [], parts = [] } = this.choices[spot] || {};
    const unit = (this.view?.chip || 1) * parts.length;
    if (parts.length < 2) return bet;
    return bet.map(([low, high, step]) => {
      const even = step % unit === 0 ? step : unit;
      return [Math.ceil(low / even) * even, high, even];
    }).filter(([low, high]) => low <= high);
  }

  tell() {
    this.dispatchEvent(new Event("change"));
  }

  step() {
    this.steps.push(new Map(this.chips));
    this.undone = [];
    if (this.steps.length > 100) this.steps.shift();
  }

  // All chips that lie on the cloth and are no wager yet.
  get shown() {
    return this.asked.size ? new Map([...this.chips, ...this.asked]) : this.chips;
  }

  // The staged chips are said to the house: what becomes of them is its answer, not the next menu.
  ask() {
    const bets = [...this.chips];
    for (const [spot, amount] of bets) this.asked.set(spot, amount);
    this.chips = new Map();
    return bets;
  }

  // The house has answered; chips it never heard of are staged again.
  answered(spot, amount, { down = false, back = false }) {
    this.asked.delete(spot);
    if (down) this.down(spot, amount);
    if (back) this.chips.set(spot, amount);
  }

  // The view changed: while bets are open, keep what the menu of this very moment still takes and
  // the rail can pay. What had to go or to shrink is returned: [spot, before, now].
  look(view) {
    this.view = view;
    const dropped = [];
    const { menu } = view;
    if (view.phase !== "open" || menu?.phase !== "open" || menu.puck !== view.puck) return dropped;
    if (this.asked.size) return dropped;
    for (const [spot, amount] of [...this.chips]) {
      const over = this.total - this.purse;
      const may = allowed(this.ranges(spot), amount) && over <= 0;
      const less = may ? amount : atMost(this.ranges(spot), amount - Math.max(0, over));
      if (less) this.chips.set(spot, less);
      else this.chips.delete(spot);
      if (less !== amount) dropped.push([spot, amount, less]);
    }
    return dropped;
  }

  // More on a spot; the amount it comes to, or 0 if nothing can be added.
  add(spot, chip) {
    const ranges = this.ranges(spot);
    const now = this.chips.get(spot) || 0;
    const next = ranges.length ? grown(ranges, now, chip) : 0;
    if (!next || next <= now || this.cost(spot, next) > this.room(spot)) return 0;
    this.step();
    this.chips.set(spot, next);
    this.tell();
    return next;
  }

  set(spot, amount) {
    if (!allowed(this.ranges(spot), amount) || this.cost(spot, amount) > this.room(spot)) return false;
    this.step();
    this.chips.set(spot, amount);
    this.tell();
    return true;
  }

  // What the rail can still pay for this spot, its own staged chips counted as free.
  room(spot) {
    return this.purse - this.total + this.cost(spot, this.chips.get(spot) || 0);
  }

  // The most up to an amount that menu and rail allow here.
  most(spot, wanted) {
    const room = this.room(spot);
    let found = atMost(this.ranges(spot), Math.min(wanted, room));
    // A fee may want its chips too.
    while (found && this.cost(spot, found) > room) found = atMost(this.ranges(spot), found - 1);
    return found;
  }

  // Chips carried from one spot to another; all or nothing.
  move(from, to) {
    const amount = this.chips.get(from) || 0;
    const lay = this.chips.get(to) || 0;
    if (!amount) return false;
    this.step();
    this.chips.delete(from);
    const next = this.most(to, lay + amount);
    if (next <= lay) {
      this.chips = this.steps.pop();
      return false;
    }
    this.chips.set(to, next);
    this.tell();
    return true;
  }

  remove(spot) {
    if (!this.chips.has(spot)) return false;
    this.step();
    this.chips.delete(spot);
    this.tell();
    return true;
  }

  undo() {
    if (!this.steps.length) return;
    this.undone.push(this.chips);
    this.chips = this.steps.pop();
    this.tell();
  }

  // What was undone, once more; as far as the menu still takes it.
  redo() {
    const wanted = this.undone.pop();
    if (!wanted) return;
    this.steps.push(new Map(this.chips));
    this.chips = new Map([...wanted].filter(([spot, amount]) => allowed(this.ranges(spot), amount)));
    this.tell();
  }

  clear() {
    if (!this.chips.size) return;
    this.step();
    this.chips = new Map();
    this.tell();
  }

  // Several at once, as far as menu and purse go; which could not be staged.
  many(bets) {
    this.step();
    const left = [];
    for (const [spot, wanted] of bets) {
      const now = this.chips.get(spot) || 0;
      const more = this.most(spot, now + wanted);
      if (more > now) this.chips.set(spot, more);
      else left.push(spot);
    }
    this.tell();
    return left;
  }

  again() {
    const { off, on } = this.last;
    const [first, other] = this.view?.puck ? [on, off] : [off, on];
    return first.length ? first : other;
  }

  repeat() {
    return this.many(this.again());
  }

  // What lies here: staged chips if there are any, else the wagers that are up.
  base() {
    return this.chips.size ? [...this.chips] : this.wagers.map((each) => [each.spot, each.stake]);
  }

  // As much again on everything.
  double() {
    return this.many(this.base());
  }

  // The least of at least a chip on each of these spots.
  each(spots, chip) {
    const bets = spots.map((spot) => {
      const ranges = this.ranges(spot);
      return [spot, atLeast(ranges, chip) || atMost(ranges, chip)];
    });
    return this.many(bets.filter(([, amount]) => amount));
  }

  // A bet went down: it belongs to what "repeat" brings back after the next roll.
  down(spot, amount) {
    this.chips.delete(spot);
    this.steps = [];
    this.when = this.view?.puck ? "on" : "off";
    const old = this.placed.find((each) => each[0] === spot);
    if (old) old[1] += amount;
    else this.placed.push([spot, amount]);
  }

  // A wager was given back: it is not part of what is repeated.
  back(spot) {
    this.placed = this.placed.filter((each) => each[0] !== spot);
  }

  // What was put down last and can still be given back.
  fresh() {
    const may = this.wagers.filter((each) => givable(this.view, each));
    const last = this.placed.map((each) => each[0]).filter((spot) => may.some((each) => each.spot === spot));
    // What stayed up after it won is new to the house, but nothing that the player did.
    return last.at(-1) || may.findLast((each) => !each.stays)?.spot || "";
  }

  rolled() {
    this.undone = [];
    if (this.placed.length) this.last[this.when] = this.placed;
    this.placed = [];
    this.steps = [];
  }

  // Named sets of bets, kept on this device for the house.
  presets(house) {
    return keep.get(`presets.${house}`, []);
  }

  save(house, name, bets) {
    const others = this.presets(house).filter((each) => each.name !== name);
    keep.set(`presets.${house}`, [...others, { name, bets }].slice(-10));
  }

  forget(house, name) {
    keep.set(`presets.${house}`, this.presets(house).filter((each) => each.name !== name));
  }
}
