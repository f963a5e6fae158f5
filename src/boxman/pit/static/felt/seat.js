// Taking and leaving a seat, keys, and a player's own clock.
import { asGuest, post } from "../kit/api.js";
import { button, field, find, h, keep, put } from "../kit/dom.js";
import { question, toast, trouble } from "../kit/dialog.js";
import { amountOf, money, plain, signed } from "../kit/money.js";
import { awayWords } from "../kit/account.js";
import { say } from "../kit/say.js";

// What one would buy in for: the house's usual, never more than it takes.
export const usualBuyIn = (view) => {
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
    // Only where nothing else has it: whoever comes by keyboard is one Enter from the seat.
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

export async function left(table, currency) {
  const { refused, returned, up } = await post(`/api/tables/${encodeURIComponent(table)}/leave`);
  const still = up ? ` ${say("seat.stays-up", { amount: money(up, currency) })}` : "";
  toast(refused ? refused.sentence : say("seat.left", { amount: money(returned, currency) }) + still,
    { kind: refused ? "bad" : "good" });
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
