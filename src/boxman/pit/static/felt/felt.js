// <craps-felt>: the cloth of a house, its chips and its puck. It draws what the view says and
// reports touches; it knows no rule.
import { calm, s } from "../kit/dom.js";
import { denominations, money, signed } from "../kit/money.js";
import { chip, lie, spread } from "./chips.js";
import { WIDE } from "./geometry.js";
import { neighbour, plan } from "./plan.js";
import { drawnDie, label, numberBox, print } from "./print.js";

const NARROW = 700;
const HOLD = 450;
const BACK = { ArrowLeft: "ArrowRight", ArrowRight: "ArrowLeft", ArrowUp: "ArrowDown", ArrowDown: "ArrowUp" };

export class CrapsFelt extends HTMLElement {
  #cloth = null;
  #view = null;
  #staged = new Map();
  #plan = null;
  #spots = new Map();
  #boxes = new Map();
  #came = null;

  connectedCallback() {
    this.classList.add("felt");
    this.turned = () => this.#fit() && this.#view && this.#update();
    this.watch = new ResizeObserver(this.turned);
    this.watch.observe(this);
    addEventListener("resize", this.turned);
  }

  disconnectedCallback() {
    this.watch.disconnect();
    removeEventListener("resize", this.turned);
  }

  // What the house's cloth is made of.
  set cloth(data) {
    this.#cloth = data;
    this.#spots = new Map(data.spots.map((spot) => [spot.id, spot]));
    this.dataset.cloth = data.settings.cloth || "green";
    this.dataset.lettering = data.settings.lettering || "white";
    this.#plan = null;
    this.#fit();
  }

  get cloth() {
    return this.#cloth;
  }

  // What is on it, and what the viewer may do; `staged` are chips not yet placed.
  show(view, staged = this.#staged) {
    this.#view = view;
    this.#staged = staged;
    this.#fit();
    if (this.#plan) this.#update();
  }

  spot(id) {
    return this.#spots.get(id);
  }

  #fit() {
    if (!this.#cloth || !this.clientWidth) return false;
    const narrow = this.clientWidth < NARROW;
    const room = narrow ? 0 : this.#room();
    if (!this.#plan || this.#plan.narrow !== narrow || Math.abs(this.#plan.room - room) > 12) {
      this.#plan = { ...plan(this.#cloth, narrow, room), room };
      const at = this.at(document.activeElement);
      this.#draw();
      if (this.#boxes.has(at)) this.#focus(at, true);
      return true;
    }
    return false;
  }

  // How high the cloth may be, in its own units, so that it and what lies `below` it are in sight.
  #room() {
    if (!this.dataset.below) return 0;
    const top = this.getBoundingClientRect().top + scrollY;
    return ((innerHeight - top - Number(this.dataset.below)) * WIDE.width) / this.clientWidth;
  }

  #draw() {
    const { width, height, boxes } = this.#plan;
    const svg = s("svg", { viewBox: `0 0 ${width} ${height}`, role: "group",
      "aria-label": `Layout of ${this.#cloth.title}`, class: this.#plan.narrow ? "tall" : "wide" });
    svg.append(s("rect", { class: "cloth", width, height, rx: 10 }));
    this.#boxes = new Map();
    this.tracks = [];
    for (const box of boxes) {
      if (box.spot) svg.append(this.#box(box));
      else if (box.number) svg.append(s("g", { class: "number", "data-number": box.number }, numberBox(box)));
      else if (box.track) svg.append(this.#track(box));
      else if (box.heading) svg.append(label(box.heading, box, { size: 11, lines: 1, kind: "heading" }));
    }
    this.layers = { chips: s("g", { class: "chips" }), puck: s("g", { class: "puck" }), flights: s("g", { class: "flights" }) };
    svg.append(this.layers.puck, this.layers.chips, this.layers.flights);
    for (const layer of Object.values(this.layers)) layer.setAttribute("aria-hidden", "true");
    this.layers.puck.append(s("circle", { r: 13 }), s("text", { "font-size": 9 }));
    this.replaceChildren(svg);
    const first = this.#boxes.get("pass") || this.#boxes.values().next().value;
    first?.element.setAttribute("tabindex", "0");
  }

  #box(box) {
    const spot = this.#spots.get(box.spot);
    const element = s("g", { class: `spot ${box.tone || ""}`, role: "button", tabindex: "-1", "data-spot": box.spot },
      s("title", {}, spot.name),
      s("rect", { class: "hit", x: box.x, y: box.y, width: box.w, height: box.h, rx: 4 }),
      this.#prints(spot, box));
    this.#boxes.set(box.spot, { ...box, element });
    this.#listen(element, box.spot);
    return element;
  }

  // The print, and a smaller one for when chips lie here: a name is never under a chip.
  #prints(spot, box) {
    const { free } = lie(box);
    const beside = free ? print(spot, { ...box, ...free }, true).filter(Boolean) : [];
    return s("g", { class: beside.length ? "prints gives-way" : "prints" },
      s("g", { class: "whole" }, print(spot, box)), beside.length ? s("g", { class: "beside" }, beside) : null);
  }

  #track(box) {
    const step = box.w / box.track.length;
    const cells = box.track.map((total, n) => {
      const cell = s("g", { class: "collect", "data-total": total },
        s("rect", { x: box.x + n * step + 1, y: box.y, width: step - 2, height: box.h, rx: 3 }),
        s("text", { x: box.x + (n + 0.5) * step, y: box.y + box.h / 2, "font-size": Math.min(13, box.h * 0.6, step * 0.58) }, total));
      this.tracks.push({ total, of: box.of, cell });
      return cell;
    });
    return s("g", { class: "track", "data-track": box.of.join(" ") }, cells);
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
    return (this.contains(target) && target.closest("[data-spot]")?.dataset.spot) || "";
  }

  // Where carried chips would land.
  aim(spot) {
    for (const [id, { element }] of this.#boxes) element.classList.toggle("over", id === spot);
  }

  #key(event, id) {
    const box = this.#boxes.get(id);
    if (event.key.startsWith("Arrow")) {
      // Back the way one came leads to where one came from.
      const back = this.#came?.key === BACK[event.key] && this.#came.to === id && this.#boxes.get(this.#came.from);
      const next = back || neighbour([...this.#boxes.values()], box, event.key);
      if (!next) return event.preventDefault();
      this.#came = { from: id, to: next.spot, key: event.key };
      this.#focus(next.spot, true);
    } else if (event.key === "Home" || event.key === "End") {
      this.#focus([...this.#boxes.keys()].at(event.key === "Home" ? 0 : -1), true);
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
    for (const { element } of this.#boxes.values()) element.setAttribute("tabindex", "-1");
    const { element } = this.#boxes.get(id);
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
    for (const seat of view.seats) {
      for (const wager of seat.wagers) {
        if (!stacks.has(wager.spot)) stacks.set(wager.spot, []);
        stacks.get(wager.spot).push({ seat, wager });
      }
    }
    this.layers.chips.replaceChildren();
    for (const [id, box] of this.#boxes) {
      const up = stacks.get(id) || [];
      const own = up.find(({ seat }) => seat.you);
      const choice = choices[id];
      const staged = this.#staged.get(id) || 0;
      const can = Boolean(choice && (choice.bet.length || choice.take_down || choice.lower.length
        || choice.calls.length));
      box.element.classList.toggle("may", Boolean(choice?.bet.length));
      box.element.classList.toggle("mine", Boolean(own));
      box.element.classList.toggle("covered", Boolean(up.length || staged));
      box.element.setAttribute("aria-disabled", String(!can && !own));
      box.element.setAttribute("aria-label", this.#words(id, own?.wager, staged, view.currency));
      this.#stack(box, up, own, staged, chips);
    }
    this.#puck(view.puck);
    for (const { total, of, cell } of this.tracks) {
      cell.classList.toggle("done", of.some((id) => (view.collected?.[id] || []).includes(total)));
    }
  }

  #words(id, wager, staged, currency) {
    const spot = this.#spots.get(id);
    const said = [spot.name];
    if (spot.price) said.push(`pays ${spot.price}`);
    if (wager) said.push(`your wager ${money(wager.stake, currency)}${wager.working ? "" : ", not working"}`);
    if (staged) said.push(`${money(staged, currency)} not yet placed`);
    return said.join(", ");
  }

  #stack(box, up, own, staged, chips) {
    const others = up.filter((each) => each !== own);
    const where = spread(box, others.length);
    others.forEach(({ seat, wager }, n) => {
      const [x, y, r] = where.others[n];
      const made = chip(wager.stake, chips, r, { kind: `other seat${seat.colour % 8}`, stack: false });
      made.setAttribute("transform", `translate(${x} ${y})`);
      this.layers.chips.append(made);
    });
    const [x, y, r] = where.own;
    if (own) {
      const made = chip(own.wager.stake, chips, r, { kind: own.wager.working ? "own" : "own asleep", stack: !where.tight });
      made.setAttribute("transform", `translate(${x} ${y})`);
      if (own.wager.marker) made.append(this.#marker(own.wager.marker, r));
      if (own.wager.stays) made.append(s("text", { class: "stays", x: -r, y: r, "font-size": 9 }, "↻"));
      this.layers.chips.append(made);
    }
    if (staged && own && !where.roomy) {
      this.layers.chips.lastChild.append(this.#more(staged, r));
    } else if (staged) {
      const made = chip(staged, chips, r, { kind: "staged", stack: !where.tight });
      made.setAttribute("transform", `translate(${own ? x + r * 2.2 : x} ${y})`);
      this.layers.chips.append(made);
    }
  }

  // Chips staged on a wager where there is no room for two stacks.
  #more(amount, r) {
    const text = `+${money(amount).replaceAll(",", "")}`;
    const wide = Math.max(16, text.length * 5.4 + 5);
    return s("g", { class: "more-staged", transform: `translate(0 ${r * 0.72})` },
      s("rect", { x: -wide / 2, y: -6, width: wide, height: 12, rx: 6 }),
      s("text", { "font-size": 8.5 }, text));
  }

  #marker(marker, r) {
    return s("g", { class: `marker ${marker}`, transform: `translate(${r * 0.9} ${-r * 0.8})` },
      s("rect", { x: -9, y: -6, width: 18, height: 12, rx: 6 }),
      s("text", { "font-size": 7.5 }, marker.toUpperCase()));
  }

  #puck(puck) {
    const box = puck
      ? this.#plan.boxes.find((each) => each.number === puck)
      : this.#plan.boxes.find((each) => each.park) || null;
    const layer = this.layers.puck;
    const first = this.#plan.boxes.find((each) => each.number);
    const x = box ? box.x + (puck ? 11 : box.w / 2) : first.x + 12;
    const y = box ? box.y + (puck ? 9 : box.h / 2) : first.y + 9;
    layer.setAttribute("transform", `translate(${x} ${y})`);
    layer.classList.toggle("on", puck > 0);
    layer.querySelector("text").textContent = puck ? "ON" : "OFF";
    for (const number of this.querySelectorAll(".number")) {
      number.classList.toggle("is-point", Number(number.dataset.number) === puck);
    }
  }

  #middle(id) {
    const box = this.#boxes.get(id);
    return box ? [box.x + box.w / 2, box.y + box.h / 2] : null;
  }

  // What a roll did, chip by chip: won and lost float up, travelling chips slide.
  settle(decided) {
    if (!this.#plan) return;
    for (const each of decided) {
      const at = this.#middle(each.spot);
      if (!at) continue;
      if (each.type === "settled") this.#float(lie(this.#boxes.get(each.spot)).own, each);
      else if (each.type === "moved") this.#slide(at, this.#middle(each.to), each);
    }
  }

  #float([x, y], settled) {
    const net = settled.paid - settled.taken;
    const box = this.#boxes.get(settled.spot).element;
    const kind = net > 0 ? "won" : net < 0 ? "lost" : "even";
    const mine = this.#view.seats.find((seat) => seat.name === settled.seat)?.you;
    box.classList.add(kind);
    setTimeout(() => box.classList.remove(kind), 1600);
    if (!mine) return;
    const text = s("text", { class: `float ${kind}`, x: x + 8, y: y + 4, "font-size": 17 },
      net ? signed(net, this.#view.currency) : "even");
    this.layers.flights.append(text);
    const end = () => text.remove();
    if (calm()) setTimeout(end, 1800);
    else text.animate([{ transform: "translateY(0)", opacity: 1 }, { transform: "translateY(-26px)", opacity: 1, offset: 0.7 },
      { transform: "translateY(-30px)", opacity: 0 }], { duration: 1900, easing: "ease-out" }).finished.then(end, end);
  }

  #slide([x, y], to, moved) {
    if (!to || calm()) return;
    const chips = denominations(this.#view.chip, this.#view.posted.maximum);
    const made = chip(moved.stake || chips[0], chips, 13);
    this.layers.flights.append(made);
    const end = () => made.remove();
    made.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: `translate(${to[0]}px, ${to[1]}px)` }],
      { duration: 600, easing: "ease-in-out" }).finished.then(end, end);
  }

  static die(face, size) {
    return s("svg", { viewBox: `0 0 ${size} ${size}`, width: size, height: size, class: "mini-die",
      "aria-hidden": "true" }, drawnDie(face, 0, 0, size));
  }
}

customElements.define("craps-felt", CrapsFelt);
