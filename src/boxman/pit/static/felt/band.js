// The band above the cloth: before a roll what each total would bring, after it what it brought, in words and figures.
import { ask } from "../kit/api.js";
import { h, put } from "../kit/dom.js";
import { signed } from "../kit/money.js";
import { say } from "../kit/say.js";

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

  // What the next roll would bring, asked for when nothing has changed for a moment.
  look(view, number) {
    this.view = view;
    const wanted = view.advice && Boolean(view.me?.seat) && view.seats.some((seat) => seat.you && seat.wagers.length);
    this.element.classList.toggle("no-bars", !wanted);
    const key = `${number} ${wanted} ${view.me?.seat} ${view.closed}`;
    if (key === this.seen) return;
    this.seen = key;
    clearTimeout(this.timer);
    if (!wanted) return void this.quiet(view);
    this.timer = setTimeout(() => this.fetch(key), WAIT);
  }

  quiet(view) {
    this.rows = null;
    const word = view.puck ? say("table.point", { puck: view.puck }) : say("table.come-out");
    put(this.next, h("p", { class: "quiet" }, h("strong", {}, word), h("span", {}, this.hint(view))));
    this.onrows?.(null);
  }

  hint(view) {
    if (view.closed) return say("table.closed-here");
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
        h("b", {}, part.net ? signed(part.net, currency) : say("table.even"))));
    this.ribbon.className = `ribbon ${kind || (net < 0 ? "bad" : net > 0 ? "good" : "calm")}`;
    put(this.ribbon, h("b", { class: "ribbon-total" }, total), h("div", { class: "ribbon-words" },
      h("strong", {}, call),
      lines.length ? h("ul", {}, lines) : null), parts.length ? h("div", { class: "ribbon-net" },
        h("span", {}, say("table.you")),
        h("strong", {}, net ? signed(net, currency) : say("table.even"))) : null);
    this.ribbon.hidden = false;
    const spoken = parts.map((part) => `${part.name} ${part.said}.`).join(" ");
    const sum = net ? say("table.you-net", { amount: signed(net, currency) }) : say("table.you-even");
    this.say(`${call} ${spoken}${parts.length ? ` ${sum}` : ""}`);
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

