// What a player does at the table: takes a seat, places and rolls, takes back, buys chips, lets the dice roll,
// disputes, leaves; the keys for it, and the player's own clock.
import { asGuest, post } from "../kit/api.js";
import { awayWords, left } from "../kit/account.js";
import { button, field, find, h, keep, put, select } from "../kit/dom.js";
import { showClauses } from "../kit/clauses.js";
import { question, toast, trouble } from "../kit/dialog.js";
import { amountOf, money, plain, rangeWords, signed } from "../kit/money.js";
import { say } from "../kit/say.js";
import { hurry } from "./chips.js";
import { habits } from "./dock.js";
import { play } from "./sound.js";
import { givable } from "./stage.js";

const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

export class Hands {
  constructor(table, link, stage, felt, cubes) {
    Object.assign(this, { table, link, stage, felt, cubes, view: null });
    this.placing = false;
    this.told = new Set();
    // The roll for which chips wait until the server is back.
    this.meant = null;
  }

  name(spot) {
    return this.felt.spot(spot)?.name || spot;
  }

  async speak({ line, ...call }) {
    const answer = line ? await this.link.line(line) : await this.link.call(call, "player");
    if (answer.refused) this.refusal(answer.refused);
    return answer;
  }

  refusal(refused) {
    const clauses = refused.clauses || refused.cites || [];
    const text = `${sentence(refused.sentence)}${refused.remedy ? ` ${sentence(refused.remedy)}` : ""}`;
    const action = () => showClauses(this.view.house, clauses, say("table.refused"), h("p", {}, text));
    toast(text, { kind: "bad", seconds: 8, more: clauses.length ? { label: say("table.why"), action } : null });
  }

  async open(id) {
    const { openSheet } = await import("./sheet.js");
    const want = (spot) => this.speak({ type: "bet", spot,
      amount: Math.max(this.view.posted.minimum, this.view.chip) });
    openSheet(this.felt.spot(id), this.view, this.stage, {
      call: (made) => this.speak(made), giveBack: (spot) => this.giveBack(spot), want, laid: () => this.laid(),
      name: (spot) => this.name(spot) });
  }

  // Says what is staged to the house; whether all of it was taken.
  async place() {
    const { stage, link, view } = this;
    if (this.placing || !stage.chips.size || view?.phase !== "open") return false;
    if (!link.open || !link.caught) {
      this.meant = link.turn;
      toast(say("table.away-place"), { seconds: 12 });
      return false;
    }
    this.placing = true;
    let taken = true;
    try {
      await Promise.all(stage.ask().map(async ([spot, amount]) => {
        const answer = await this.speak({ type: "bet", spot, amount });
        taken &&= !answer.refused;
        stage.answered(spot, amount, { down: !answer.refused, back: answer.refused?.code === "late" });
      }));
    } finally {
      this.placing = false;
    }
    play("chip");
    stage.tell();
    return taken;
  }

  // The same before a roll: what is to stay up is asked to before the dice are.
  async put() {
    if (!(await this.place())) return false;
    await Promise.all(habits(this.link.view, this.stage, this.felt, this.link));
    return true;
  }

  // One press: what is staged is placed, then the dice are asked for; nothing rolls over chips the house did not take.
  async roll() {
    hurry();
    this.cubes.land();
    if (this.stage.chips.size && !(await this.put())) return;
    if (this.view.automatic.includes("stick")) this.link.say({ do: "ready" });
  }

  // One chip more on a spot; where none can lie, the spot says why.
  lay(spot, amount) {
    const before = this.stage.chips.get(spot) || 0;
    const now = this.stage.add(spot, amount);
    if (!now) return this.open(spot).catch(trouble);
    // A chip that this spot cannot take as it is becomes what it can, and that is said once.
    if (now - before !== amount && !this.told.has(spot)
      && this.told.add(spot)) toast(say("table.becomes", { amount: money(now, this.view.currency),
      name: this.name(spot), ranges: rangeWords(this.stage.ranges(spot), this.view.currency) }));
    return this.laid();
  }

  // Something was staged; whoever wants it so has it placed at once.
  laid() {
    play("chip");
    return keep.get("instant", false) ? this.place() : null;
  }

  // A wager that locked when it was placed: the box gives it back, and that is on record.
  async giveBack(spot) {
    if (!spot) return null;
    const answer = await this.link.undo(spot);
    if (answer.refused) this.refusal(answer.refused);
    else {
      this.stage.back(spot);
      toast(say("table.given-back", { name: this.name(spot) }));
    }
    return answer;
  }

  // A wager comes down, or the box gives it back; where neither may be, the house says why.
  async takeOff(spot) {
    const wager = this.stage.wagers.find((each) => each.spot === spot);
    const mistake = !this.view.menu?.choices[spot]?.take_down && givable(this.view, wager);
    const answer = mistake ? await this.giveBack(spot) : await this.speak({ type: "takedown", spot });
    return !answer.refused;
  }

  // More chips: from the cage at a live table, play money at a practice table.
  async buyIn() {
    const { view } = this;
    const input = h("input", { name: "amount", required: true, inputmode: "decimal", value: usualBuyIn(view) });
    const answer = await question(say("table.buy"), field(say("table.amount", { currency: view.currency }), input),
      { action: say("table.buy-in"), note: say(view.kind === "practice" ? "table.play-money" : "table.from-cage") });
    if (!answer) return;
    const amount = amountOf(answer.amount);
    if (!(amount > 0)) return void toast(say("table.how-much"), { kind: "bad" });
    await post(`/api/tables/${encodeURIComponent(this.table)}/sit${location.search}`,
      { name: view.me.seat, buy_in: amount })
      .then(() => toast(say("table.bought", { amount: money(amount, view.currency) }), { kind: "good" }), trouble);
  }

  stop() {
    this.link.say({ do: "auto", rolls: 0 });
  }

  // So many rolls in a row, asked for once: the table's own crew throws them.
  async autoRoll() {
    if (this.view.auto) return this.stop();
    const choose = (name, options, otherwise) => {
      const words = options.map((value) => [value, say(`table.auto.${name}.${value}`, { n: value })]);
      return field(say(`table.auto.${name}.label`), select(words, keep.get(`auto.${name}`, otherwise), { name }));
    };
    const asked = [choose("rolls", ["10", "25", "100", "500"], "25"), choose("every", ["2500", "1000", "400", "100"],
      "1000"),
      choose("until", ["bets", "hand", "thrown"], "bets")];
    const answer = await question(say("table.auto.title"), asked, { action: say("table.auto.start"),
      note: say("table.auto.note") });
    if (!answer) return null;
    for (const name of ["rolls", "every", "until"]) keep.set(`auto.${name}`, answer[name]);
    if (this.stage.chips.size && !(await this.put())) return null;
    return this.link.say({ do: "auto", rolls: Number(answer.rolls), every: Number(answer.every), until: answer.until });
  }

  // A payment that looks wrong: the box is asked to judge it, and that is on record.
  async dispute(row, settled) {
    const wagers = [["", say("table.whole-roll")], ...settled.map((each) => [this.name(each.spot),
      `${this.name(each.spot)}: ${signed(each.paid - each.taken, this.view.currency)}`])];
    const control = field(say("table.what-wrong"), select(wagers, wagers.at(-1)[0], { name: "about" }));
    const answer = await question(say("table.dispute"), control, { action: say("table.dispute-it"),
      note: say("table.dispute-note") });
    if (!answer) return;
    const about = `row ${row.number}${answer.about ? `: ${answer.about}` : ""}`.slice(0, 80);
    const told = await this.speak({ type: "opendispute", about });
    if (!told.refused) toast(say("table.box-asked"), { kind: "good" });
  }
}

// -- the seat --

// What one would buy in for: the house's usual, never more than it takes.
const usualBuyIn = (view) => {
  const usual = view.buy_in_usual || Math.max(view.posted.minimum * 20, 10000);
  return plain(view.buy_in_most ? Math.min(usual, view.buy_in_most) : usual);
};

const staked = (seat) => seat?.wagers.reduce((sum, wager) => sum + wager.stake, 0) || 0;

// A chair where the rail will be: everything is filled in, Enter sits down.
export class Chair {
  constructor(table, link) {
    this.name = h("input", { name: "name", required: true, maxlength: 20, pattern: "[A-Za-z][A-Za-z0-9_\\-]*",
      title: say("seat.name-rule"), autocomplete: "nickname" });
    this.buyIn = h("input", { name: "buy_in", required: true, inputmode: "decimal", size: 8 });
    this.unit = h("span", { class: "field-label" });
    this.go = h("button", { class: "main" }, say("seat.sit"));
    this.note = h("p", { class: "faint" });
    this.left = h("p", { class: "notice left", role: "status", hidden: true });
    this.form = h("form", { class: "actions", onsubmit: (event) => {
      event.preventDefault();
      this.sit(table, link);
    } }, field(say("seat.name"), this.name), h("label", { class: "field" }, this.unit, this.buyIn), this.go);
    this.element = h("section", { class: "chair", "aria-label": say("seat.for-you"), hidden: true }, this.left,
      this.form, this.note);
  }

  look(view) {
    this.element.hidden = Boolean(!view.me || view.me.seat || view.closed);
    this.gone(view);
    if (this.sat && view.me?.seat) {
      // The hand that pressed Enter goes on to the line.
      this.sat = false;
      find("craps-felt [tabindex='0']")?.focus({ preventScroll: true });
    }
    if (this.element.hidden || this.filled) return;
    this.filled = true;
    const taken = new Set(view.seats.map((seat) => seat.name).filter((each) => each !== view.me?.left));
    const own = view.me?.left || (view.me?.guest ? "" : view.me?.name) || keep.get("name", "") || "lucky";
    let name = own;
    for (let n = 2; taken.has(name); n += 1) name = `${own}${n}`;
    this.name.value = name;
    this.buyIn.value = usualBuyIn(view);
    this.unit.textContent = say("seat.buy-in", { currency: view.currency });
    const live = view.kind !== "practice" && view.me?.guest;
    this.form.hidden = live;
    put(this.note, say("table.watching"), " ", live
      ? h("a", { href: `/sign-in?next=${encodeURIComponent(location.pathname)}` }, say("seat.sign-in"))
      : view.kind === "practice" && say("table.play-money"));
    // Whoever comes by keyboard is one Enter from the seat.
    if (document.activeElement === document.body) this.go.focus({ preventScroll: true });
  }

  // Wagers of somebody who has left stand until they are decided.
  gone(view) {
    const up = staked(view.seats.find((each) => each.leaving && each.name === view.me?.left));
    this.left.hidden = !up;
    const said = up ? say("seat.left-up", { amount: money(up, view.currency) }) : "";
    if (this.said === said) return;
    this.said = said;
    put(this.left, said, " ", h("a", { href: "/" }, say("shell.to-lobby")));
  }

  async sit(table, link) {
    const name = this.name.value;
    const amount = amountOf(this.buyIn.value);
    if (!(amount > 0)) return void toast(say("table.how-much"), { kind: "bad" });
    this.go.disabled = true;
    try {
      await asGuest(name);
      await post(`/api/tables/${encodeURIComponent(table)}/sit${location.search}`, { name, buy_in: amount });
      keep.set("name", name);
      this.sat = true;
      link.again();
    } catch (error) {
      trouble(error);
    }
    this.go.disabled = false;
  }
}

// `shown` gives the table as it is now: a roll may have come since the button was drawn.
export async function leave(table, shown) {
  const view = shown();
  const own = view.seats.find((seat) => seat.you);
  const up = staked(own);
  const values = { rail: money(own?.rail || 0, view.currency), up: money(up, view.currency) };
  const note = up ? say("seat.take-up", values) : say("seat.take", { rail: values.rail });
  if (await question(say("table.leave"), [], { action: say("seat.leave"), note })) {
    await left(table, view.currency).catch(trouble);
  }
}

export function keys({ dock, felt, shown, lay, help }) {
  const first = (place) => felt.cloth?.spots.find((spot) => spot.place === place)?.id;
  document.addEventListener("keydown", (event) => {
    if (!keep.get("keys", true) || event.ctrlKey || event.metaKey || event.altKey || !shown()?.me?.seat) return;
    if (event.target.closest("input, textarea, select, dialog")) return;
    const key = event.key.toUpperCase();
    const chosen = dock.chips?.[Number(event.key) - 1];
    const quick = Object.values(dock.bets).find((each) => each.key === key);
    if (key === " ") {
      if (event.target.closest("button, a, summary, [role='button'], [role='tab'], [role='radio']")) return;
      dock.roll.click();
    } else if (key === "L" && first("pass")) lay(first("pass"), dock.chosen);
    else if (key === "K" && first("come")) lay(first("come"), dock.chosen);
    else if (key === "?") help();
    else if (quick) {
      if (quick.can() && (shown().phase === "open" || quick.free)) quick.act();
    } else if (chosen) dock.choose(chosen);
    else return;
    event.preventDefault();
  });
}

// A reality check: how long, how much; play goes on when it is answered.
export function brakes(holder, clock, currency) {
  const away = awayWords(clock);
  if (holder.away !== away) put(holder, away && h("p", { class: "notice", role: "status" },
    say("seat.away", { away })));
  holder.away = away;
  if (away || !clock.check) return;
  const minutes = Math.round((clock.played_today || 0) / 60000);
  put(holder, h("p", { class: "notice", role: "alert" },
    say("seat.check", { minutes, result: signed(clock.result_today || 0, currency) }), " ",
    button(say("seat.go-on"), () => put(holder), { class: "small" }), " ", h("a", { href: "/me" },
      say("seat.limits"))));
}
