// Taking and leaving a seat, sharing the table, keys, and a player's own clock.
import { ask, asGuest, post } from "../kit/api.js";
import { button, field, find, h, keep, put, select } from "../kit/dom.js";
import { dialog, question, toast, trouble } from "../kit/dialog.js";
import { amountOf, money, plain, signed } from "../kit/money.js";
import { awayWords } from "../kit/account.js";
import * as sound from "./sound.js";

// A chair where the rail will be: everything is filled in, Enter sits down.
export class Chair {
  constructor(table, link) {
    this.name = h("input", { name: "name", required: true, maxlength: 20, pattern: "[A-Za-z][A-Za-z0-9_\\-]*",
      title: "Letters, digits, - and _, a letter first", autocomplete: "nickname" });
    this.buyIn = h("input", { name: "buy_in", required: true, inputmode: "decimal", size: 8 });
    this.unit = h("span", { class: "field-label" }, "Buy in");
    this.go = h("button", { class: "main" }, "Sit down");
    this.note = h("p", { class: "faint" });
    this.left = h("p", { class: "notice left", role: "status", hidden: true });
    this.form = h("form", { class: "actions", onsubmit: (event) => {
      event.preventDefault();
      this.sit(table, link);
    } }, field("Your name at the table", this.name), h("label", { class: "field" }, this.unit, this.buyIn), this.go);
    this.element = h("section", { class: "chair", "aria-label": "A seat for you", hidden: true }, this.left, this.form,
      this.note);
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
    const usual = view.buy_in_usual || Math.max(view.posted.minimum * 20, 10000);
    this.buyIn.value = plain(view.buy_in_most ? Math.min(usual, view.buy_in_most) : usual);
    this.unit.textContent = `Buy in (${view.currency})`;
    const live = view.kind !== "practice" && view.me?.guest;
    this.form.hidden = live;
    put(this.note, live ? ["You are watching. ", h("a", { href: "/sign-in" }, "Sign in"), " to take a seat."]
      : view.kind === "practice" ? "You are watching. Play money: nothing here is worth anything."
        : "You are watching.");
    // Only where nothing else has it: whoever comes by keyboard is one Enter from the seat.
    if (document.activeElement === document.body) this.go.focus({ preventScroll: true });
  }

  // Wagers of somebody who has left stand until they are decided.
  gone(view) {
    const seat = view.seats.find((each) => each.leaving && each.name === view.me?.left);
    const up = seat?.wagers.reduce((sum, wager) => sum + wager.stake, 0) || 0;
    this.left.hidden = !up;
    const said = up ? `You have left; ${money(up, view.currency)} stays up until it is decided. ` : "";
    if (this.said === said) return;
    this.said = said;
    put(this.left, said, h("a", { href: "/" }, "To the lobby"));
  }

  async sit(table, link) {
    const name = this.name.value;
    const amount = amountOf(this.buyIn.value);
    if (!(amount > 0)) return void toast("Say how much to buy in for, like 300.", { kind: "bad" });
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
  const up = own?.wagers.reduce((sum, wager) => sum + wager.stake, 0) || 0;
  const answer = await question("Leave the table", [], { action: "Leave",
    note: `You take ${money(own?.rail || 0, view.currency)} with you.${up ? ` ${money(up, view.currency)} on the layout stays up until it is decided.` : ""}` });
  if (!answer) return;
  await left(table, view.currency).catch(trouble);
}

export async function left(table, currency) {
  const { refused, returned, up } = await post(`/api/tables/${encodeURIComponent(table)}/leave`);
  const still = up ? ` ${money(up, currency)} stays up until it is decided.` : "";
  toast(refused ? refused.sentence : `You have left with ${money(returned, currency)}.${still}`,
    { kind: refused ? "bad" : "good" });
}

export async function share(table, seated) {
  // The server knows the token of this table's link, if the house is shared.
  const { link: address } = await ask(`/api/tables/${encodeURIComponent(table)}`).catch(() => ({ link: location.href }));
  const input = h("input", { readonly: true, value: address, "aria-label": "Address of this table" });
  const local = ["localhost", "127.0.0.1", "[::1]"].includes(new URL(address, location.href).hostname);
  dialog("Play with friends", [
    h("p", {}, "Whoever opens this address can watch and sit down."),
    h("div", { class: "actions" }, input, button("Copy", async () => {
      input.select();
      try {
        await navigator.clipboard.writeText(address);
        toast("Copied.");
      } catch {
        toast("Select the address and copy it.");
      }
    })),
    local && h("p", { class: "faint" }, "This address works on this machine only. Start the server with ",
      h("code", {}, "boxman play --share"), " to let others on the same network in."),
    h("p", { class: "faint" }, `${seated} at the table now.`),
  ]);
}

const KEYS = [
  ["Space", "roll, and place what is staged first"], ["L", "a chip on the line"], ["K", "a chip on the come"],
  ["Tab, arrows", "move on the layout"], ["Enter", "put the chosen chip on a spot"],
  ["Delete", "take the staged chip off, or the wager down"], ["I", "everything about a spot"],
    ["1 to 5", "choose a chip"],
];

export function help(view) {
  const check = (name, text, now, change) => h("label", { class: "check" },
    h("input", { type: "checkbox", name, checked: now, onchange: (event) => change(event.target.checked) }), text);
  const choose = (name, label, options, now, change) => field(label,
    select(options, now, { name, onchange: (event) => change(event.target.value) }));
  const quick = Object.values(view ? document.querySelector(".dock").bets || {} : {}).filter((each) => each.key);
  dialog("Settings and keys", [
    choose("theme", "Theme", [["dark", "Dark"], ["light", "Light"], ["clear", "Colour-blind"]],
      keep.get("theme", "dark"), dress),
    choose("odds", "Automatic odds", [["0", "Off"], ["1", "As much as the flat bet"], ["2", "Twice the flat bet"],
      ["full", "As much as the house takes"]],
      String(keep.get("odds", 0)), (value) => keep.set("odds", value === "full" ? value : Number(value))),
    check("instant", "Place each chip at once, without staging", keep.get("instant", false),
      (on) => keep.set("instant", on)),
    check("keys", "Single keys work anywhere on this page", keep.get("keys", true), (on) => keep.set("keys", on)),
    check("sound", "Sounds", sound.on, (on) => sound.turn(on)),
    h("dl", { class: "facts" }, [...KEYS, ...quick.map((each) => [each.key, each.word])]
      .map(([key, text]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, text)])),
    h("p", { class: "faint" },
      "Hold or right-click a spot to read about it. Drag chips from spot to spot, or off the layout; Ctrl-click takes them off."),
  ]);
}

// The colours of the page: kept on this device.
export function dress(theme = keep.get("theme", "dark")) {
  keep.set("theme", theme);
  document.documentElement.dataset.theme = theme;
}

export function keys({ dock, felt, shown, lay }) {
  const first = (place) => felt.cloth?.spots.find((spot) => spot.place === place)?.id;
  dock.element.bets = dock.bets;
  document.addEventListener("keydown", (event) => {
    if (!keep.get("keys", true) || event.ctrlKey || event.metaKey || event.altKey || !shown()?.me?.seat) return;
    if (event.target.closest("input, textarea, select, dialog")) return;
    const key = event.key.toUpperCase();
    const chosen = dock.chips?.[Number(event.key) - 1];
    const quick = Object.entries(dock.bets).find(([, each]) => each.key === key);
    if (key === " ") {
      if (event.target.closest("button, a, summary, [role='button'], [role='tab'], [role='radio']")) return;
      dock.roll.click();
    } else if (key === "L" && first("pass")) lay(first("pass"), dock.chosen);
    else if (key === "K" && first("come")) lay(first("come"), dock.chosen);
    else if (key === "?") help(shown());
    else if (quick) {
      const open = shown().phase === "open";
      if (quick[1].can() && (open || quick[1].free)) quick[1].act();
    } else if (chosen) dock.choose(chosen);
    else return;
    event.preventDefault();
  });
}

// A reality check: how long, how much; play goes on when it is answered.
export function brakes(holder, clock, currency) {
  const away = awayWords(clock);
  if (holder.away !== away) put(holder, away && h("p", { class: "notice", role: "status" },
    `${away}: you cannot bet or sit down.`));
  holder.away = away;
  if (away || !clock.check) return;
  const minutes = Math.round((clock.played_today || 0) / 60000);
  put(holder, h("p", { class: "notice", role: "alert" },
    `You have played for ${minutes} minutes today; your result is ${signed(clock.result_today || 0, currency)}. `,
    button("Go on", () => put(holder), { class: "small" }), " ", h("a", { href: "/me" }, "Your limits")));
}
