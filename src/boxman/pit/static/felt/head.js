// The bar over the table: where one is, the limits, past rolls, the puck, how one stands today, and everything else.
import { button, find, h, put, s, write } from "../kit/dom.js";
import { money, signed } from "../kit/money.js";
import { PLACES } from "../kit/shell.js";
import { say } from "../kit/say.js";
import { moment } from "../kit/account.js";
import { crest } from "./crests.js";
import * as sound from "./sound.js";

export class Head {
  constructor(items) {
    this.items = items;
    this.crest = s("svg", { class: "bar-crest", viewBox: "-42 -42 84 84", "aria-hidden": "true" });
    this.name = h("h1", {});
    this.limits = h("span", { class: "limits" });
    this.history = h("ol", { class: "rolls-past", "aria-label": say("table.past") });
    this.puck = h("span", { class: "puck-tag" });
    this.today = h("span", { class: "today" });
    this.net = h("strong", {});
    this.state = h("span", { class: "state hidden" });
    this.sign = h("span", { class: "bar-sign", role: "status" });
    this.fold = items.fold && button(say("table.panel"), () => items.fold(),
      { class: "fold", "aria-controls": "side" });
    const title = say("friends.sound");
    this.sound = button("♪", () => this.sounds(sound.turn(!sound.on)), { class: "mute", title, "aria-label": title });
    this.menu = button("⋯", () => this.open(), { class: "tool-more", "aria-label": say("table.menu"),
      "aria-haspopup": "dialog" });
    put(find("#bar"), h("a", { class: "brand", href: "/", "aria-label": say("shell.home") }, this.crest),
      h("div", { class: "table-name" }, this.name, this.limits), this.history,
      h("div", { class: "bar-state" }, this.puck, this.state, this.sign), h("div", { class: "bar-net" },
        this.today,
        this.net),
      h("div", { class: "tools" }, this.sound, this.fold, this.menu));
    this.sounds();
  }

  sounds() {
    this.sound.ariaPressed = String(sound.on);
  }

  look(view, cloth) {
    const title = `${view.name} · Boxman`;
    if (document.title !== title) document.title = title;
    if (this.dressed !== cloth.dress.crest) put(this.crest, crest(this.dressed = cloth.dress.crest, 0, 0, 84));
    write(this.name, view.name);
    const { minimum, maximum } = view.posted;
    const limits = say("table.limits", { low: money(minimum, view.currency), high: money(maximum, view.currency) });
    const { layout } = view.settings || {};
    const words = [view.title !== view.name && view.title, layout && say("table.layout-number", { n: layout }), limits,
      view.kind === "practice" && say("table.practice")];
    write(this.limits, words.filter(Boolean).join(" · "));
    // Where the house forbids aids at live tables, past rolls are one.
    const past = view.advice === false ? null : view.history;
    if (this.past !== past) put(this.history, [...(past || [])].reverse().slice(0, 30).map(([a, b, event]) => h("li",
      { class: event ? `is-${event.replace(" ", "-")}` : "", title: `${a}-${b} ${event || ""}` }, a + b)));
    this.past = past;
    write(this.puck, view.puck ? say("table.on", { puck: view.puck }) : say("table.off"));
    this.puck.classList.toggle("on", view.puck > 0);
    write(this.state, say("table.roll-number", { n: view.rolls }));
    const barred = view.seats.some((seat) => seat.you && seat.barred);
    const signs = [view.closed && say("table.closed"), barred && say("table.barred"),
      ...view.closed ? [] : (view.notices || []).map((each) => say("table.notice", { text: each.text,
        time: moment(each.until) }))];
    write(this.sign, signs.filter(Boolean).join(" · "));
  }

  clock(net, minutes, currency) {
    write(this.today, say("table.minutes", { n: minutes }));
    write(this.net, signed(net, currency));
    this.net.className = net < 0 ? "down" : "up";
  }

  // Everything that is not play, in one list.
  open() {
    const list = h("div", { class: "menu-list" }, [...this.items.menu(),
      { word: say(sound.on ? "friends.sounding" : "friends.muted"), act: () => this.sound.click() },
    ].filter(Boolean).map((each) => (each.href
      ? h("a", { class: "button", href: each.href }, each.word) : button(each.word, () => {
        box.close();
        each.act();
      }))));
    const links = h("nav", { class: "menu-list", "aria-label": "Boxman" }, PLACES.map(([address, text]) =>
      h("a", { class: "button quiet", href: address }, text)));
    const box = this.items.dialog(say("table.table"), [list, this.items.notes(), links]);
  }
}
