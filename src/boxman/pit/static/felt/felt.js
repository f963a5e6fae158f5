// <craps-felt>: the cloth of a house, its chips and its puck. It draws what the view says and
// reports touches; it knows no rule.
import { h, mark, s } from "../kit/dom.js";
import { denominations, money, signed } from "../kit/money.js";
import { say } from "../kit/say.js";
import { free, lift, marked, movePuck, others, own, ownStack, pay, pill, sizeOn, slide, stack,
  sweep } from "./chips.js";
import { caption, crest, drawnDie, numeral, print, risen, scale } from "./print.js";
import { clamp, neighbour, plan } from "./plan.js";

const HOLD = 450;
const RATIO = 0.56;
const BACK = { ArrowLeft: "ArrowRight", ArrowRight: "ArrowLeft", ArrowUp: "ArrowDown", ArrowDown: "ArrowUp" };
const WORDS = { bar: say("felt.bar"), odds: say("felt.odds") };
const coarse = matchMedia("(pointer: coarse)");

export class CrapsFelt extends HTMLElement {
  #cloth = null;
  #view = null;
  #staged = new Map();
  #plan = null;
  #page = 0;
  #spots = new Map();
  #zones = new Map();
  #came = null;

  connectedCallback() {
    this.classList.add("felt");
    this.turned = () => this.#fit() && this.#view && this.#update();
    this.watch = new ResizeObserver(this.turned);
    this.watch.observe(this);
    coarse.addEventListener("change", this.turned);
  }

  disconnectedCallback() {
    this.watch.disconnect();
    coarse.removeEventListener("change", this.turned);
  }

  // What the house's cloth is made of.
  set cloth(data) {
    this.#cloth = data;
    this.#spots = new Map(data.spots.map((spot) => [spot.id, spot]));
    this.dataset.cloth = data.dress.cloth;
    this.dataset.lettering = data.settings.lettering || "white";
    this.#plan = null;
    this.#page = 0;
    this.#fit();
  }

  get cloth() {
    return this.#cloth;
  }

  // The pages of the cloth; the first is the layout, and only it has no heading.
  get pages() {
    return this.#plan?.views || [null];
  }

  get page() {
    return this.#plan?.view || 0;
  }

  set page(number) {
    this.#page = number;
    this.#plan = null;
    if (this.#fit() && this.#view) this.#update();
  }

  // What is on it, and what the viewer may do; `staged` are chips not yet placed.
  show(view, staged = this.#staged) {
    this.#view = view;
    this.#staged = staged;
    // The observer tells of another size: asking at every row would lay out the page anew.
    if (this.#plan || this.#fit()) this.#update();
  }

  spot(id) {
    return this.#spots.get(id);
  }

  // Where the dice come to rest: the free end of the come, or of the longest zone there is.
  get rest() {
    const zones = this.#plan?.zones || [];
    const zone = zones.find((each) => each.kind === "title") || zones.find((each) => each.kind === "line");
    if (!zone || this.page) return null;
    const size = clamp(22, Math.min(zone.h * 0.56, zone.w * (zone.w > 330 ? 0.14 : 0.12)), 84);
    const { W, H } = this.#plan;
    return { W, H, size, x: zone.x + zone.w - size * (zone.w > 330 ? 2.9 : 2.65), y: zone.y + zone.h / 2 - size / 2 };
  }

  #fit() {
    const W = this.clientWidth;
    if (!this.#cloth || !W) return false;
    // On a page of its own the cloth fills its room; elsewhere it is as high as suits its width.
    const filled = this.classList.contains("fills");
    const H = filled ? this.clientHeight : Math.round(W * (W < 520 ? 1.05 : RATIO));
    if (H < 60) return false;
    // What is only looked at needs no room for fingers.
    const touch = coarse.matches && !this.hasAttribute("still");
    if (this.#plan && this.#plan.W === W && this.#plan.H === H && this.#plan.touch === touch) return false;
    const view = this.#page;
    this.#plan = { ...plan(this.#cloth, W, H, { touch, view }), touch };
    const at = this.at(document.activeElement);
    this.#draw();
    if (this.#zones.has(at)) this.#focus(at, true);
    this.dispatchEvent(new CustomEvent("laid", { bubbles: true }));
    return true;
  }

  // Whether what is drawn is of the size the cloth has now.
  laidOut() {
    const { W, H } = this.#plan || {};
    return W === this.clientWidth && H === this.clientHeight;
  }

  #draw() {
    const { W, H, zones, captions, frames, lamps, bed, wide } = this.#plan;
    scale(W);
    this.size = sizeOn(this.#plan);
    const svg = s("svg", { viewBox: `0 0 ${W} ${H}`, width: W, height: H, role: "group",
      "aria-label": say("felt.layout", { title: this.#cloth.title }), class: wide ? "wide" : "tall" });
    svg.append(s("rect", { class: "ground", width: W, height: H }));
    if (bed) svg.append(s("rect", { class: "bed", x: bed.x, y: bed.y, width: bed.w, height: bed.h, rx: 10 }));
    this.#zones = new Map();
    // Where chips of a spot lie: in its own zone, or in the one that holds it too.
    this.holds = new Map();
    for (const zone of zones) {
      // A line that turns the corner is one shape; what is pressed, named and focused is its straight part.
      if (zone.path) {
        const bend = s("g", { class: "bend", "data-bend": zone.spot, "aria-hidden": "true" },
          s("path", { d: zone.path }),
          risen(this.#spots.get(zone.spot), zone));
        svg.append(bend);
        this.#listen(bend, zone.spot);
      }
      svg.append(this.#zone(zone));
      for (const id of [zone.spot, ...(zone.also || [])]) this.holds.set(id, zone);
    }
    for (const { x, y, w, h, number, lines, numeral: row } of frames) {
      svg.append(s("g", { class: "number", "data-number": number },
        s("path", { class: "divider", d: lines.map((line) => `M${x + 1} ${line}h${w - 2}`).join("") }),
        s("rect", { class: "frame", x, y, width: w, height: h, rx: 7 }),
          row && numeral({ x, w, number, numeral: row })));
    }
    for (const each of captions) svg.append(caption(each, W > 1200) || "");
    this.#emblem(svg);
    this.tracks = lamps.map(({ total, of, x, y, r }) => {
      const cell = s("g", { class: "collect", "data-total": total, "data-of": of.join(" ") },
        s("circle", { cx: x, cy: y, r }),
        s("text", { x, y: y + 4.2, "font-size": 12 }, total));
      svg.append(cell);
      return { total, of, cell };
    });
    // What moves lies over the drawing, so that the drawing is not painted anew for it.
    this.layers = { chips: s("g", { class: "chips" }), puck: s("g", { class: "puck" }),
      flights: h("div", { class: "flights" }) };
    svg.append(this.layers.chips, this.layers.puck);
    for (const layer of Object.values(this.layers)) layer.setAttribute("aria-hidden", "true");
    this.drawn = new Map();
    this.replaceChildren(svg, this.layers.flights);
    const first = this.#zones.get("pass") || this.#zones.values().next().value;
    first?.element.setAttribute("tabindex", "0");
  }

  #emblem(svg) {
    const come = this.#plan.zones.find((zone) => zone.kind === "title");
    if (!come || come.w < 360) return;
    const size = Math.min(come.h * 0.78, 84);
    svg.append(crest(this.#cloth.dress.crest, come.x + 10 + size / 2, come.y + come.h / 2, size));
  }

  #zone(zone) {
    const spot = this.#spots.get(zone.spot);
    const shape = s("rect", { class: zone.path ? "hit open" : "hit", x: zone.x, y: zone.y, width: zone.w,
      height: zone.h,
      rx: zone.row ? 0 : 6 });
    const element = s("g",
      { class: `spot k-${zone.kind} ${zone.tone || ""} ${zone.dark ? "dark" : ""} ${zone.page ? "on-page" : ""}`,
      role: "button", tabindex: "-1", "data-spot": zone.spot }, shape, this.#prints(spot, zone));
    this.#zones.set(zone.spot, { ...zone, element });
    this.#listen(element, zone.spot);
    return element;
  }

  // The print, and a smaller one for when chips lie here: a name is never under a chip.
  #prints(spot, zone) {
    const room = free(zone, this.size);
    const beside = room ? print(spot, room, WORDS) : [];
    return s("g", { class: beside.length ? "prints gives-way" : "prints" },
      s("g", { class: "whole" }, print(spot, zone, WORDS)), beside.length ? s("g", { class: "beside" }, beside) : null);
  }

  #listen(element, id) {
    let timer = 0;
    let held = false;
    element.addEventListener("pointerdown", (event) => {
      held = false;
      if (event.button) return;
      timer = setTimeout(() => {
        held = true;
        this.#tell("info", id);
      }, HOLD);
    });
    for (const name of ["pointerup", "pointerleave", "pointercancel"]) {
      element.addEventListener(name, () => clearTimeout(timer));
    }
    element.addEventListener("click", (event) => {
      if (held) return;
      this.#focus(id);
      if (event.detail) element.blur(); // who points goes on with Space, which rolls
      this.#tell(event.ctrlKey || event.metaKey ? "remove" : "add", id);
    });
    element.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      clearTimeout(timer);
      if (!held) this.#tell("info", id);
      held = true;
    });
    element.addEventListener("keydown", (event) => this.#key(event, id));
    // What is carried is not held to be read.
    element.addEventListener("pointermove", (event) => {
      if (Math.hypot(event.movementX, event.movementY) > 2) clearTimeout(timer);
    });
  }

  // The spot under an element of the page, or "".
  at(target) {
    const found = this.contains(target) && target.closest("[data-spot], [data-bend]");
    return found ? found.dataset.spot || found.dataset.bend : "";
  }

  // Where carried chips would land.
  aim(spot) {
    for (const [id, { element }] of this.#zones) element.classList.toggle("over", id === spot);
  }

  #key(event, id) {
    const box = this.#zones.get(id);
    if (event.key.startsWith("Arrow")) {
      // Back the way one came leads to where one came from.
      const back = this.#came?.key === BACK[event.key] && this.#came.to === id && this.#zones.get(this.#came.from);
      const next = back || neighbour([...this.#zones.values()], box, event.key);
      if (!next) return event.preventDefault();
      this.#came = { from: id, to: next.spot, key: event.key };
      this.#focus(next.spot, true);
    } else if (event.key === "Home" || event.key === "End") {
      this.#focus([...this.#zones.keys()].at(event.key === "Home" ? 0 : -1), true);
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      return;
    } else if (event.key === "Enter" || event.key === " ") {
      this.#tell("add", id);
    } else if (event.key === "Delete" || event.key === "Backspace") {
      this.#tell("remove", id);
    } else if (event.key === "i" || event.key === "I") {
      this.#tell("info", id);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #focus(id, move = false) {
    for (const { element } of this.#zones.values()) element.setAttribute("tabindex", "-1");
    const { element } = this.#zones.get(id);
    element.setAttribute("tabindex", "0");
    if (move) element.focus();
  }

  #tell(act, spot, amount = 0) {
    this.dispatchEvent(new CustomEvent("spot", { bubbles: true, detail: { act, spot, amount } }));
  }

  #update() {
    const view = this.#view;
    const chips = denominations(view.chip, view.posted.maximum);
    const choices = view.menu?.choices || {};
    this.classList.toggle("still", !view.menu);
    const stacks = new Map();
    for (const seat of marked(view.seats, this.only)) {
      for (const wager of seat.wagers) stacks.set(wager.spot, [...(stacks.get(wager.spot) || []), { seat, wager }]);
    }
    const made = [];
    for (const [id, zone] of this.holds) {
      const up = stacks.get(id) || [];
      const mine = up.find(({ seat }) => seat.you);
      const staged = this.#staged.get(id) || 0;
      const { element } = this.#zones.get(zone.spot);
      if (id === zone.spot) this.#mark(element, id, up, mine, staged, choices[id], view);
      made.push(...this.#stacks(zone, id, up, mine, staged, chips));
    }
    this.#lay(made.sort((a, b) => a.y - b.y));
    movePuck(this, this.layers.puck, this.#plan, view.puck);
    for (const { total, of, cell } of this.tracks) {
      cell.classList.toggle("done", of.some((id) => (view.collected?.[id] || []).includes(total)));
    }
  }

  #mark(element, id, up, mine, staged, choice, view) {
    const can = Boolean(choice && (choice.bet.length || choice.take_down || choice.lower.length
      || choice.calls.length));
    element.classList.toggle("may", Boolean(choice?.bet.length));
    element.classList.toggle("mine", Boolean(mine));
    element.classList.toggle("covered", Boolean(up.length || staged));
    mark(element, "aria-disabled", String(!can && !mine));
    mark(element, "aria-label", this.#words(id, mine?.wager, staged, view.currency));
  }

  // Stacks that lie as they lay are left alone.
  #lay(made) {
    const { chips } = this.layers;
    const old = this.drawn;
    this.drawn = new Map(made.map(({ key, draw }) => [key, old.get(key) || draw()]));
    for (const [key, node] of old) if (!this.drawn.has(key)) node.remove();
    [...this.drawn.values()].forEach((node, n) => chips.children[n] === node
      || chips.insertBefore(node, chips.children[n] || null));
  }

  #words(id, wager, staged, currency) {
    const spot = this.#spots.get(id);
    const said = [spot.name];
    if (spot.price) said.push(say("felt.pays", { price: spot.price }));
    if (wager) said.push(say(wager.working ? "felt.yours" : "felt.yours-off",
      { amount: money(wager.stake, currency) }));
    if (staged) said.push(say("felt.staged", { amount: money(staged, currency) }));
    return said.join(", ");
  }

  // What lies in one zone: one's own stack, what is staged beside it, the others' smaller.
  #stacks(zone, id, up, mine, staged, chips) {
    const made = [];
    const rest = up.filter((each) => each !== mine);
    const foot = own(zone, this.size);
    // Where odds and the wager they stand behind share a zone, they stand side by side.
    if (zone.also) foot.x += (zone.also.includes(id) ? -0.24 : 0.24) * zone.w;
    // What is staged stands to the right of what is up; in a small zone both make room.
    const apart = mine && staged ? Math.min(foot.r * 2.1, Math.max(6, zone.w - 2 * foot.r - 6)) : 0;
    foot.x = Math.min(foot.x, zone.x + zone.w - apart - foot.r - 3);
    const put = (y, draw, ...what) => made.push({ y, draw, key: JSON.stringify([id, zone.x, zone.y, ...what]) });
    const { feet, left, at } = others(zone, this.size, rest.length, Boolean(mine || staged));
    feet.forEach((each, n) => {
      const { seat, wager } = rest[n] || {};
      const tag = this.only && wager ? money(wager.stake).replaceAll(",", "") : "";
      if (seat) put(each.y, () => stack({ ...each, amount: wager.stake, chips, kind: "other", seat: seat.colour % 8,
        initial: seat.mark, tag }), each, seat.name, wager.stake, seat.mark, tag);
    });
    if (left > 0) put(at.y + 1, () => pill(`+${left}`, "more", at.x, at.y - 8), left, at);
    if (mine) put(foot.y, () => ownStack(id, mine, foot, chips), foot, mine.wager);
    if (staged) {
      put(foot.y + 0.5, () => stack({ ...foot, x: foot.x + apart, amount: staged, chips, kind: "staged",
        tag: `+${money(staged).replaceAll(",", "")}` }), "staged", foot, apart, staged);
    }
    return made;
  }

  // What a roll did, chip by chip, before the table as it is then is shown: losers are swept, winners paid, come bets
  // travel. It takes no longer than 420 ms, and is over at once when `hurry` is called.
  settle(decided) {
    if (!this.#plan || !this.#view) return;
    const { currency } = this.#view;
    const chips = denominations(this.#view.chip, this.#view.posted.maximum);
    const you = this.#view.seats.find((seat) => seat.you)?.name;
    const layer = this.layers.flights;
    for (const each of decided) {
      const zone = this.holds.get(each.spot);
      if (!zone || !["settled", "moved"].includes(each.type)) continue;
      const foot = own(zone, this.size);
      const mine = each.seat === you;
      const net = each.type === "settled" ? each.paid - each.taken : 0;
      if (each.type === "moved") slide(layer, stack({ ...foot, x: 0, y: 0, amount: each.stake || chips[0], chips }),
        foot, this.holds.get(each.to));
      else if (net < 0) sweep(layer, stack({ ...foot, x: 0, y: 0, amount: each.stake, chips, kind: mine ? "own"
        : "other" }), foot, this.#plan);
      else if (net > 0) pay(layer, stack({ ...foot, x: 0, y: 0, amount: each.paid, chips, kind: "paid" }), foot,
        this.#plan, mine);
      if (each.type === "settled") this.#tag(zone, foot, each, net, mine, currency);
    }
  }

  #tag(zone, foot, settled, net, mine, currency) {
    const { element } = this.#zones.get(zone.spot);
    const kind = net > 0 ? "won" : net < 0 ? "lost" : "even";
    element.classList.add(kind);
    setTimeout(() => element.classList.remove(kind), 2600);
    if (!mine) return;
    const tag = pill(net ? signed(net, currency) : say("felt.even"), `float ${kind}`,
      foot.x + (net > 0 ? foot.r * 2.1 : 0),
      foot.y - 4);
    const up = lift(this.layers.flights, tag);
    setTimeout(() => up.remove(), 2600);
  }

  static die(face, size) {
    return s("svg", { viewBox: `0 0 ${size} ${size}`, width: size, height: size, class: "mini-die",
      "aria-hidden": "true" }, drawnDie(face, 0, 0, size));
  }
}

customElements.define("craps-felt", CrapsFelt);
