// Friends at the table: seats along the wood, whose turn it is, quick calls. Read when a second seat is taken.
import { button, h, keep, put } from "../kit/dom.js";
import { dialog } from "../kit/dialog.js";
import { money } from "../kit/money.js";
import { say, under } from "../kit/say.js";
import { waiting } from "./dock.js";

const HEARD = 5000;

// Whose turn it is, in one sentence.
function turn(view) {
  const { hand: { shooter, offered }, puck, asked } = view;
  const seat = view.me?.seat;
  if (view.closed) return "";
  if (view.phase !== "open") return say("turn.out");
  if (asked?.until > Date.now()) {
    if (seat && !view.ready.includes(seat)) return say("turn.wants", { name: asked.by });
    return say("turn.waiting", { names: waiting(view) });
  }
  if (offered) return offered === seat ? say("turn.offered-you") : say("turn.offered", { name: offered });
  const on = puck ? "on" : "off";
  if (shooter && shooter === seat) return say(`turn.you-${on}`, { puck });
  if (shooter && shooter !== "guest") return say(`turn.${on}`, { name: shooter, puck });
  return say(`turn.${view.automatic.includes("stick") ? "anybody" : "crew"}-${on}`, { puck });
}

export class Friends {
  constructor(link, felt, wood) {
    Object.assign(this, { link, felt, wood });
    this.seats = h("ol", { class: "seats", "aria-label": say("table.tabs.players") });
    this.turn = h("p", { class: "turn" });
    this.call = button(say("friends.say"), () => this.open(), { class: "small", "aria-haspopup": "dialog" });
    this.calls = h("div", { class: "hails", role: "log" });
    wood.prepend(h("div", { class: "friends" }, this.seats, this.turn, this.call), this.calls);
    link.addEventListener("hail", ({ detail }) => this.hear(detail));
  }

  look(view) {
    const several = view.seats.length > 1;
    this.wood.classList.toggle("alone", !several);
    this.view = view;
    this.call.hidden = !view.me?.seat;
    this.turn.textContent = turn(view);
    if (!view.seats.some((each) => each.name === this.felt.only)) this.felt.only = "";
    const focused = document.activeElement?.closest(".seats [data-seat]")?.dataset.seat;
    put(this.seats, [...view.seats].sort((a, b) => a.place - b.place).map((seat) => this.plate(seat, view)));
    if (focused) this.of(focused)?.focus();
    const has = this.seats.querySelector(".has");
    if (has && this.had !== has.textContent) this.seats.scrollLeft = has.offsetLeft - this.seats.offsetLeft;
    this.had = has?.textContent;
  }

  of(name) {
    return this.seats.querySelector(`[data-seat="${CSS.escape(name)}"]`);
  }

  // A seat; touched, it shows that player's chips alone.
  plate(seat, { hand, ready, currency, seats }) {
    const has = [hand.shooter, hand.offered].includes(seat.name);
    const only = this.felt.only === seat.name;
    return h("li", { class: `seat${seat.colour % 8} ${seat.leaving ? "gone-away" : ""} ${has ? "has" : ""}` },
      button([h("i", { "aria-hidden": "true" }),
        h("b", {}, seat.you ? say("table.is-you", { name: seat.name }) : seat.name, seat.account && " ✓"),
        has && h("em", {}, say("table.has")), ready.includes(seat.name) && h("em", {}, say("table.ready")),
        seats.length < 5 && h("span", {}, money(seat.rail ?? 0, currency))],
      () => {
        this.felt.only = only ? "" : seat.name;
        this.felt.show(this.view);
        this.look(this.view);
      }, { class: "quiet", "data-seat": seat.name, "aria-pressed": String(only),
        title: say("friends.chips-of", { name: seat.name }) }));
  }

  open() {
    const box = dialog(say("friends.say-title"), h("div", { class: "ways" }, under("hails").map((word) =>
      button(say(`hails.${word}`), () => {
        this.link.say({ do: "hail", text: word });
        box.close();
      }))));
  }

  // A call stands a moment under the seat it came from.
  hear({ seat, word }) {
    if (!keep.get("hails", true) || !this.view) return;
    const plate = this.of(seat);
    const text = say("friends.said", { name: seat, text: say(`hails.${word}`) });
    const made = h("p", { class: `hail seat${(this.view.seats.find((each) => each.name === seat)?.colour || 0) % 8}` },
      text);
    this.calls.append(made);
    const { left, width } = this.wood.getBoundingClientRect();
    const middle = plate ? plate.getBoundingClientRect().left - left : 0;
    made.style.left = `${Math.max(4, Math.min(middle, width - made.offsetWidth - 8))}px`;
    setTimeout(() => made.remove(), HEARD);
  }
}
