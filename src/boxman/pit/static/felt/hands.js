// What a player's hands do at the table: place and roll, take back, buy chips, let the dice roll, dispute.
import { post } from "../kit/api.js";
import { field, h, keep, select } from "../kit/dom.js";
import { showClauses } from "../kit/clauses.js";
import { question, toast, trouble } from "../kit/dialog.js";
import { amountOf, money, rangeWords, signed } from "../kit/money.js";
import { say } from "../kit/say.js";
import { hurry } from "./motion.js";
import { usualBuyIn } from "./seat.js";
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
      this.meant = view.rolls;
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

  // One press: what is staged is placed, then the dice are asked for; nothing rolls over chips the house did not take.
  async roll() {
    hurry();
    this.cubes.land();
    if (this.stage.chips.size && !(await this.place())) return;
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
    if (this.stage.chips.size && !(await this.place())) return null;
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
