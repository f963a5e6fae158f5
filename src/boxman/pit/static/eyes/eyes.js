// Eyes that see, fetched when first wanted: a card over a spot, the cloth tinted by edge, and what may be bet now with
// its exact cost. Every figure and sentence is the engine's.
import { ask } from "../kit/api.js";
import { cite } from "../kit/clauses.js";
import { button, h, put, s, unique } from "../kit/dom.js";
import { money, rangeWords, signed } from "../kit/money.js";
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
    const all = (selector) => [...this.felt.querySelectorAll(selector)];
    for (const each of all(".heat-tag")) each.remove();
    const warm = [];
    for (const zone of all("[data-spot], [data-bend]")) {
      const row = this.warm && this.spots?.[zone.dataset.spot || zone.dataset.bend];
      zone.classList.remove("aside");
      if (row?.made) zone.dataset.heat = STEPS.filter((each) => row.percent > each).length;
      else delete zone.dataset.heat;
      const hit = row?.made && zone.querySelector("rect.hit");
      if (hit) warm.push({ zone, hit, text: row.percent.toFixed(row.percent < 10 ? 2 : 1) });
    }
    // Where a figure would hide print, the print gives way as it does to chips.
    const found = () => {
      const marks = all("tspan, text:not(:has(tspan)), .drawn-die, .chip .seat-ring").map((each) =>
        each.getBoundingClientRect()).filter((each) => each.width);
      return warm.map(({ hit, text }) => best(hit.getBoundingClientRect(), text.length * 6.2 + 5, marks));
    };
    found().forEach(({ hides }, n) => warm[n].zone.classList.toggle("aside", hides > 0));
    const { left, top } = this.felt.getBoundingClientRect();
    found().forEach(({ x, y, w }, n) => warm[n].zone.append(s("g", { class: "heat-tag", "aria-hidden": "true",
      transform: `translate(${x - left} ${y - top})` }, s("rect", { width: w, height: HIGH, rx: 6 }),
    s("text", { x: w / 2, y: HIGH - 3 }, warm[n].text))));
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
    const key = String(this.link.number);
    if (this.visited === key) return;
    this.visited = key;
    const data = await ask(`/api/tables/${encodeURIComponent(this.table)}/visit`);
    draw(this.side.body("visit"), data, this.view().currency);
  }
}

const HIGH = 14;

// Of nine places in a zone the one that hides least.
function best({ left, top, width, height }, w, marks) {
  const places = [0, 1, 0.5].flatMap((v) => [1, 0, 0.5].map((u) => {
    const [x, y] = [left + 2 + u * (width - w - 4), top + 2 + v * (height - HIGH - 4)];
    // Capitals fill the middle of their line.
    const hides = marks.reduce((sum, each) => sum + Math.max(0, Math.min(x + w, each.right) - Math.max(x, each.left))
      * Math.max(0, Math.min(y + HIGH, each.bottom - each.height / 5) - Math.max(y, each.top + each.height / 5)), 0);
    return { x, y, w, hides };
  }));
  return places.reduce((a, b) => (b.hides < a.hides ? b : a));
}

// The statistics of a visit: rolls against expectation, wagers against their edge, the bankroll over its exact fan.

const W = 320;

function picture(high, title, words, parts) {
  const ids = [unique("chart"), unique("chart")];
  return s("svg", { class: "small-chart", viewBox: `0 0 ${W} ${high}`, role: "img", "aria-labelledby": ids.join(" ") },
    s("title", { id: ids[0] }, title), s("desc", { id: ids[1] }, words), parts);
}

// Bars for what came, a mark for what was to be expected.
function rolls({ totals }) {
  const most = Math.max(1, ...totals.flatMap((each) => [each.seen, each.expected]));
  const tall = (value) => (value / most) * 84;
  const wide = W / totals.length;
  return picture(118, say("visit.rolls"), totals.map(({ total, seen }) => `${total}: ${seen}`).join(", "),
    totals.map(({ total, seen, expected }, n) => {
    const x = n * wide;
    return [s("rect", { class: "bar", x: x + 4, y: 100 - tall(seen), width: wide - 8, height: tall(seen), rx: 2 }),
      s("line", { class: "expected", x1: x + 1, x2: x + wide - 1, y1: 100 - tall(expected), y2: 100 - tall(expected) }),
      s("text", { x: x + wide / 2, y: 114 }, total),
        seen > 0 && s("text", { x: x + wide / 2, y: 95 - tall(seen) }, seen)];
  }));
}

function bankroll({ line, fan, net }, currency, title = say("visit.bankroll")) {
  const all = [0, ...line.map(([, value]) => value), ...fan.flatMap((each) => each.slice(1))];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const last = line.at(-1)[0];
  const x = (n) => (n / last) * W;
  const y = (value) => 10 + (1 - (value - low) / (high - low || 1)) * 120;
  const path = (list) => list.map(([n, value]) => `${x(n).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
  const column = (k) => [[0, 0], ...fan.map((each) => [each[0], each[k]])];
  const band = (a, b) => s("polygon", { class: "fan", points: `${path(column(a))} ${path(column(b).reverse())}` });
  return picture(150, title, say("visit.bankroll-words",
    { net: signed(net, currency), low: signed(fan.at(-1)[1], currency), high: signed(fan.at(-1)[5], currency) }), [
    band(1, 5), band(2, 4), s("polyline", { class: "middle", points: path(column(3)) }),
      s("line", { class: "axis", x1: 0, x2: W, y1: y(0), y2: y(0) }),
    s("polyline", { class: "own", points: path([[0, 0], ...line]) }),
    s("text", { class: "start", x: 2, y: y(high) + 11 }, signed(high, currency)),
      s("text", { class: "start", x: 2, y: y(low) - 4 }, signed(low, currency)),
    s("text", { class: "end", x: W - 2, y: 147 }, say("visit.at-roll", { n: last }))]);
}

const figure = (value) => (value === null ? "–" : `${value.toFixed(1).replace("-", "−")} %`);

function draw(body, data, currency) {
  if (!data.rolls) return put(body, h("p", { class: "faint" }, say("visit.none")));
  const wagers = h("table", { class: "visit-wagers" }, h("caption", {}, say("visit.wagers")),
    h("thead", {}, h("tr", {}, ["wager", "won", "lost", "net", "edge"]
      .map((each, n) => h("th", { scope: "col", class: n ? "number" : "" }, say(`visit.columns.${each}`))))),
    h("tbody", {}, data.wagers.map((each) => h("tr", { "data-wager": each.spot },
      h("th", { scope: "row" }, each.name, h("small", {},
      say("visit.staked", { amount: money(each.staked, currency) }))),
      h("td", { class: "number" }, each.won), h("td", { class: "number" }, each.lost),
      h("td", { class: `number ${each.net > 0 ? "won" : each.net < 0 ? "lost" : ""}` }, signed(each.net, currency)),
      h("td", { class: "number", title: each.edge.length < 16 ? each.edge : "" }, figure(each.realised),
        h("small", {}, figure(each.percent)))))));
  return put(body, h("p", { class: "visit-head" }, h("strong", { class: data.net < 0 ? "lost" : "won" },
    signed(data.net, currency)), " ", say("visit.after", { n: data.rolls })),
    h("h2", {}, say("visit.bankroll")), bankroll(data, currency), h("p", { class: "faint" }, say("visit.fan")),
    h("h2", {}, say("visit.rolls")), rolls(data), h("p", { class: "dice-words" }, data.dice.words),
      h("p", {}, data.hand.words), data.wagers.length > 0 && wagers);
}
