// Eyes that see, fetched when first wanted: a card over a spot, the cloth tinted by edge, and what may be bet now with
// its exact cost. Every figure and sentence is the engine's.
import { ask } from "../kit/api.js";
import { cite } from "../kit/clauses.js";
import { button, h, put, s } from "../kit/dom.js";
import { rangeWords } from "../kit/money.js";
import { say } from "../kit/say.js";

const WAIT = 350;
const STEPS = [0, 1.5, 3, 6, 10];
const percent = (row) => `${row.percent.toFixed(2)} %`;

export class Eyes {
  constructor({ table, link, felt, side, view }) {
    Object.assign(this, { table, link, felt, side, view, key: "", warm: false });
    document.head.append(h("link", { rel: "stylesheet", href: "/static/style/eyes.css" }));
    this.card = h("div", { class: "spot-card", role: "tooltip", hidden: true });
    felt.closest("main").append(this.card);
    this.toggle = button(say("eyes.heat"), () => this.heat(!this.warm), { "aria-pressed": "false", class: "small" });
    this.list = h("ol", { class: "coach-list" });
    put(side.body("coach"), h("div", { class: "actions" }, this.toggle), h("p", { class: "faint" }, say("eyes.lead")),
      this.list);
    felt.addEventListener("laid", () => this.warm && this.tint());
    felt.addEventListener("pointerleave", () => this.hover(""));
    felt.addEventListener("pointerdown", () => this.hover(""));
  }

  // The figures for the table as it stands; asked for again when it has moved on.
  async rows() {
    const key = String(this.link.number);
    if (this.key !== key) {
      this.key = key;
      this.asked = ask(`/api/tables/${encodeURIComponent(this.table)}/eyes`);
    }
    return this.asked;
  }

  // A spot is pointed at, or the table has moved on.
  look(over) {
    if (typeof over === "string") return this.hover(over);
    const { advice, me } = this.view();
    if (!advice || !me?.seat) {
      this.hover("");
      return this.warm && this.heat(false);
    }
    const open = this.side.current();
    if (open === "coach") this.coach();
    if (open === "visit") this.visit();
    return this.warm && this.heat(true);
  }

  // -- the card over a spot --

  hover(spot) {
    if (spot === this.over) return;
    this.over = spot;
    this.card.hidden = true;
    clearTimeout(this.timer);
    if (spot) this.timer = setTimeout(() => this.show(spot).catch(() => null), WAIT);
  }

  async show(spot) {
    const row = (await this.rows()).spots[spot];
    const zone = this.felt.querySelector(`[data-spot="${CSS.escape(spot)}"]`);
    if (!row || !zone || this.over !== spot) return;
    const { currency, menu } = this.view();
    const now = menu?.choices[spot]?.bet;
    put(this.card, h("strong", {}, row.name), row.example && h("b", {}, row.example), h("dl", {}, [
      ["eyes.edge", `${percent(row)} (${row.edge.length < 12 ? row.edge : say("eyes.exact")})`],
        ["eyes.wins", say("eyes.wins-in", row)],
      ["eyes.limits", row.limits], ["eyes.now", now?.length ? rangeWords(now, currency) : say("eyes.not-now")],
    ].filter(([, text]) => text).map(([key, text]) => [h("dt", {}, say(key)), h("dd", {}, text)])),
      h("p", {}, row.why));
    this.card.hidden = false;
    const at = zone.getBoundingClientRect();
    const own = this.card.getBoundingClientRect();
    const over = at.top - own.height - 8;
    const left = Math.min(at.left + at.width / 2 - own.width / 2, innerWidth - own.width - 6);
    this.card.style.left = `${Math.max(6, left)}px`;
    this.card.style.top = `${over > 6 ? over : Math.min(at.bottom + 8, innerHeight - own.height - 6)}px`;
  }

  // -- the heat map --

  async heat(on) {
    this.warm = on;
    this.toggle.setAttribute("aria-pressed", String(on));
    this.felt.classList.toggle("heat", on);
    if (on) this.spots = (await this.rows()).spots;
    this.tint();
  }

  tint() {
    for (const each of this.felt.querySelectorAll(".heat-tag")) each.remove();
    for (const zone of this.felt.querySelectorAll("[data-spot], [data-bend]")) {
      const row = this.warm && this.spots?.[zone.dataset.spot || zone.dataset.bend];
      if (!row?.made) {
        delete zone.dataset.heat;
        continue;
      }
      zone.dataset.heat = STEPS.filter((each) => row.percent > each).length;
      const hit = zone.querySelector("rect.hit");
      if (!hit) continue;
      const [x, y, w] = ["x", "y", "width"].map((name) => Number(hit.getAttribute(name)));
      zone.append(s("g", { class: "heat-tag", "aria-hidden": "true", transform: `translate(${x + w - 21} ${y + 8})` },
        s("rect", { x: -19, y: -7, width: 38, height: 14, rx: 7 }),
          s("text", { y: 4 }, row.percent.toFixed(row.percent < 10 ? 2 : 1))));
    }
  }

  // -- what may be bet now, cheapest first --

  async coach() {
    const key = String(this.link.number);
    if (this.listed === key) return;
    this.listed = key;
    const data = await this.rows();
    const { house } = this.view();
    put(this.list, data.coach.length ? data.coach.map((spot) => {
      const row = data.spots[spot];
      return h("li", { "data-coach": spot, "data-heat": STEPS.filter((each) => row.percent > each).length },
        h("div", {}, h("b", {}, row.name),
        h("span", { class: "number" }, percent(row))),
          h("p", {}, row.why, ". ", row.percent > 0 && say("eyes.cost", row), " ",
          cite(house, row.clauses.slice(0, 2), row.name)));
    }) : h("li", {}, say("eyes.nothing")));
  }

  async visit() {
    const { draw } = await import("./visit.js");
    const key = String(this.link.number);
    if (this.visited === key) return;
    this.visited = key;
    const data = await ask(`/api/tables/${encodeURIComponent(this.table)}/visit`);
    draw(this.side.body("visit"), data, this.view().currency);
  }
}
