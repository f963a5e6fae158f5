// The bar over the table: where one is, the limits, past rolls, the puck, how one stands today, and everything else.
import { moment } from "../kit/account.js";
import { ask } from "../kit/api.js";
import { button, find, h, put, s, write } from "../kit/dom.js";
import { money, signed } from "../kit/money.js";
import { say } from "../kit/say.js";
import { PLACES } from "../kit/shell.js";
import { crest } from "./print.js";
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

// The band above the cloth: before a roll what each total would bring, after it what it brought, in words and figures.

const WAIT = 180;

export class Band {
  constructor(table, link) {
    this.table = table;
    this.link = link;
    this.next = h("div", { class: "next" });
    this.ribbon = h("div", { class: "ribbon", hidden: true });
    this.said = h("p", { class: "hidden", role: "status", "aria-live": "polite", id: "stick-call" },
      say("table.welcome"));
    this.element = h("section", { class: "band", "aria-label": say("table.band") }, this.next, this.ribbon,
      this.said);
    this.seen = "";
    this.rows = null;
  }

  // What the next roll would bring, asked for when nothing has changed for a moment; while the dice fly the server
  // knows already what they show, and nobody is told.
  look(view, number) {
    this.view = view;
    const wanted = view.advice && Boolean(view.me?.seat) && view.seats.some((seat) => seat.you && seat.wagers.length);
    this.element.classList.toggle("no-bars", !wanted);
    const key = `${number} ${wanted} ${view.me?.seat} ${view.closed}`;
    if (key === this.seen) return;
    clearTimeout(this.timer);
    const flying = wanted && view.phase !== "open";
    this.seen = flying ? "" : key;
    if (flying) return;
    if (!wanted) return void this.quiet(view);
    this.timer = setTimeout(() => this.fetch(key), WAIT);
  }

  quiet(view) {
    this.rows = null;
    const word = view.closed ? say("table.closed-here")
      : view.puck ? say("table.point", { puck: view.puck }) : say("table.come-out");
    put(this.next, h("p", { class: "quiet" }, h("strong", {}, word), h("span", {}, !view.closed && this.hint(view))));
    this.onrows?.(null);
  }

  hint(view) {
    if (!view.me?.seat) return say("table.watching");
    return say(view.puck ? "table.hint-on" : "table.hint-off");
  }

  async fetch(key) {
    if (!this.link.open) return;
    const data = await ask(`/api/tables/${encodeURIComponent(this.table)}/if-it-rolls`).catch(() => null);
    if (!data || this.seen !== key) return;
    this.rows = data;
    this.onrows?.(data);
    const { puck, currency } = this.view;
    const totals = new Map();
    for (const each of data.rolls) {
      const old = totals.get(each.total) || { ways: 0, nets: [] };
      totals.set(each.total, { ways: old.ways + each.ways, nets: [...old.nets, each.net] });
    }
    const top = Math.max(1, ...data.rolls.map((each) => Math.abs(each.net)));
    put(this.next, h("div", { class: "next-head" }, h("strong", {}, say("table.next")),
      h("span", {}, say("table.mean", { amount: data.mean_text }))),
      [...totals].sort(([a], [b]) => a - b).map(([total, { ways, nets }]) => {
        const net = nets[0];
        const figures = [...new Set(nets)].map((each) => (each ? signed(each) : "·")).join("/");
        const slot = h("div",
          { class: `slot ${net > 0 ? "win" : net < 0 ? "loss" : "nil"} ${total === puck ? "point" : ""}`,
          title: `${total}: ${ways} in 36, ${nets.map((each) => signed(each, currency)).join(" or ")}` },
        h("div", { class: "well" }, h("i"), h("em", {}, figures)), h("b", {}, total));
        slot.style.setProperty("--tall", Math.sqrt(Math.abs(net) / top).toFixed(3));
        slot.style.setProperty("--ways", ways);
        return slot;
      }));
  }

  // What a roll brought: the call, each of one's wagers with its arithmetic, and the net. All of it is the engine's.
  tell({ total, call, parts, net, kind }) {
    const { currency } = this.view;
    const lines = parts.map((part) => h("li", { class: part.net > 0 ? "up" : part.net < 0 ? "down" : "" },
      h("span", {}, part.name), part.how && h("span", { class: "how" }, part.how),
        h("b", {}, part.slept ? part.said : part.net ? signed(part.net, currency) : say("table.even"))));
    const decided = parts.some((part) => !part.slept);
    this.ribbon.className = `ribbon ${kind || (net < 0 ? "bad" : net > 0 ? "good" : "calm")}`;
    put(this.ribbon, h("b", { class: "ribbon-total" }, total), h("div", { class: "ribbon-words" },
      h("strong", {}, call),
      lines.length ? h("ul", {}, lines) : null), decided ? h("div", { class: "ribbon-net" },
        h("span", {}, say("table.you")),
        h("strong", {}, net ? signed(net, currency) : say("table.even"))) : null);
    this.ribbon.hidden = false;
    const spoken = parts.map((part) => `${part.name} ${part.said}.`).join(" ");
    const sum = net ? say("table.you-net", { amount: signed(net, currency) }) : say("table.you-even");
    this.say(`${call} ${spoken}${decided ? ` ${sum}` : ""}`);
  }

  say(text) {
    this.said.textContent = text.trim();
  }

  // A word of the crew where the ribbon stands.
  note(text, kind = "calm") {
    this.ribbon.className = `ribbon ${kind}`;
    put(this.ribbon, h("div", { class: "ribbon-words" }, h("strong", {}, text)));
    this.ribbon.hidden = false;
    this.say(text);
  }

  clear() {
    this.ribbon.hidden = true;
  }
}
