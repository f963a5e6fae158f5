// Chips on the cloth: stacks of real denominations with rims, a shadow and their total, in the colour of their player.
import { calm, s } from "../kit/dom.js";
import { money } from "../kit/money.js";
import { clamp } from "./plan.js";

const R = 20;
const SQUASH = 0.84;
const RY = R * SQUASH;
const THICK = 5.4;
const COLUMN = 7;
// Face, rim in shadow, edge spots, ink.
const PAINT = [
  ["#f3efe4", "#bdb6a3", "#3d6cb0", "#1b2a40"], ["#c22f2b", "#7c1614", "#fbeee0", "#fff6ea"],
  ["#1d8a54", "#0c4c2c", "#f4efd9", "#fdfaec"], ["#24262c", "#08090b", "#e9e2cf", "#f6f0df"],
  ["#6d3bb0", "#3a1a69", "#f7dff2", "#fff2fb"], ["#e3a526", "#8c5f09", "#2b2413", "#241c08"],
  ["#2b7fa8", "#124a66", "#f3efe4", "#f7fbff"], ["#b25a1e", "#6b300a", "#fbeee0", "#fff6ea"],
];
const USUAL = [100, 500, 2500, 10000, 50000, 100000, 500000, 1000000];

export const paintOf = (value) => PAINT[USUAL.includes(value) ? USUAL.indexOf(value) : Math.abs(value) % PAINT.length];
const short = (value) => {
  if (value >= 100000000) return `${value / 100000000}M`;
  if (value >= 100000) return `${value / 100000}K`;
  return money(value).replaceAll(",", "");
};

let defs = null;
function ground() {
  if (defs?.isConnected) return defs;
  const shade = (id, stops, more) => s("radialGradient", { id, ...more }, stops.map(([offset, colour, opacity]) =>
    s("stop", { offset, "stop-color": colour, "stop-opacity": opacity })));
  defs = s("svg", { class: "chip-defs", width: 0, height: 0, "aria-hidden": "true" },
    shade("sheen", [[0, "#fff", 0.32], [1, "#fff", 0]], { cx: 0.35, cy: 0.25, r: 0.9 }),
    shade("shade", [[0.45, "#000", 0.6], [1, "#000", 0]]));
  document.body.append(defs);
  return defs;
}

// One picture a denomination, used for every chip of it.
function symbol(value) {
  const id = `chip${value}`;
  if (ground().querySelector(`#${id}`)) return id;
  const [face, dark, mark, ink] = paintOf(value);
  const at = (deg) => [R * Math.cos((deg * Math.PI) / 180), RY * Math.sin((deg * Math.PI) / 180)];
  const spots = [22.5, 67.5, 112.5, 157.5].map((turn) => {
    const [[x1, y1], [x2, y2]] = [at(turn - 9), at(turn + 9)];
    return s("path", { d: `M${x1} ${y1}A${R} ${RY} 0 0 1 ${x2} ${y2}v${THICK}A${R} ${RY} 0 0 0 ${x1} ${y1 + THICK}z`,
      fill: mark, opacity: 0.82 });
  });
  const ring = (k, more) => s("ellipse", { rx: R * k, ry: RY * k, ...more });
  const text = short(value);
  ground().append(s("symbol", { id, overflow: "visible" },
    s("path", { d: `M${-R} 0v${THICK}a${R} ${RY} 0 0 0 ${2 * R} 0v${-THICK}z`, fill: dark }), spots,
    s("path", { d: `M${-R} ${THICK}a${R} ${RY} 0 0 0 ${2 * R} 0`, fill: "none", stroke: "#000", "stroke-opacity": 0.55,
      "stroke-width": 0.9 }),
    ring(1, { fill: face, stroke: "#000", "stroke-opacity": 0.35, "stroke-width": 0.7 }),
    ring(0.86, { fill: "none", stroke: mark, "stroke-width": R * 0.27, pathLength: 80, "stroke-dasharray": "4 6",
      "stroke-dashoffset": -3 }),
    ring(0.69, { fill: face, stroke: mark, "stroke-opacity": 0.75, "stroke-width": 1.1 }),
    ring(0.6, { fill: "url(#sheen)" }),
    s("path", { d: `M${-R * 0.94} ${-RY * 0.2}A${R * 0.96} ${RY * 0.96} 0 0 1 ${R * 0.5} ${-RY * 0.82}`, fill: "none",
      stroke: "#fff", "stroke-opacity": 0.5 }),
    s("text", { class: "chip-ink", y: 0.5, fill: ink, "font-size": text.length > 3 ? 9 : text.length > 2 ? 11.5 : 14 },
      text)));
  return id;
}

// $305 is three blacks and a red: largest below, as a dealer cuts it. What no chip makes is one chip of its own.
export function cut(amount, chips) {
  const made = [];
  let left = amount;
  for (const value of [...chips].sort((a, b) => b - a)) {
    for (; left >= value && made.length < 60; left -= value) made.push(value);
  }
  if (left && made.length < 60) made.push(Math.min(...chips));
  return made;
}

// One chip to choose or to carry.
export function chip(value, r = 18) {
  return s("g", { transform: `scale(${r / R})` }, s("ellipse", { cx: 2, cy: 8, rx: 22, ry: 19, fill: "url(#shade)" }),
    s("use", { href: `#${symbol(value)}`, class: "with-ink" }));
}

export function pill(text, kind = "", x = 0, y = 0, size = 1) {
  const w = text.length * 6.7 + 9;
  return s("g", { class: `pill ${kind}`,
    transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${size.toFixed(2)})` },
    s("rect", { x: -w / 2, width: w, height: 15, rx: 7.5 }), s("text", { y: 11.4 }, text));
}

// The seats whose chips are shown, each with the letters that tell it apart: all, or one's own and one other's.
export const marked = (seats, only) => seats.filter((seat) => !only || seat.you || seat.name === only).map((seat) => {
  const alike = seats.some((each) => each !== seat && each.name[0] === seat.name[0]);
  return { ...seat, mark: seat.name[0].toUpperCase() + (alike ? seat.name.slice(1, 2) : "") };
});

// A stack with its foot at (x, y). Kinds: own, other, staged, paid.
export function stack({ x, y, r, amount, chips, kind = "own", seat = 0, initial = "", tag = "", asleep = false }) {
  const k = r / R;
  const columns = [];
  const all = cut(amount, chips);
  for (let n = 0; n < all.length; n += COLUMN) columns.push(all.slice(n, n + COLUMN));
  const shown = columns.slice(0, 3);
  const lift = kind === "staged" ? Math.max(5, r * 0.36) : 0;
  const tall = Math.max(...shown.map((column) => column.length));
  const wide = (shown.length - 1) * r * 0.95;
  const body = s("g", { class: "stack-body", transform: lift ? `translate(0 ${-lift})` : null });
  shown.forEach((column, c) => column.forEach((value, n) => {
    const jitter = (((n * 7 + c * 3 + (amount / 100)) % 5) - 2) * 0.22;
    const dx = (c - (shown.length - 1) / 2) * r * 1.9 + jitter;
    body.append(s("use", { href: `#${symbol(value)}`,
      transform: `translate(${dx.toFixed(2)} ${(-n * THICK * k).toFixed(2)}) scale(${k.toFixed(3)})` }));
  }));
  const ring = kind === "paid" ? null
    : s("ellipse", { class: "seat-ring", cy: THICK * k, rx: r * 1.17 + wide, ry: r * SQUASH * 1.17 });
  const shadow = s("ellipse", { cx: r * 0.16 + tall * 0.7 + lift, cy: THICK * k + r * 0.2 + lift, rx: r * 1.3 + wide
    + tall * 0.6, ry: r * SQUASH * 1.2, fill: "url(#shade)" });
  const top = -(shown.at(-1).length - 1) * THICK * k;
  const badge = initial
    && s("g", { class: "badge-seat",
      transform: `translate(${(((shown.length - 1) / 2) * r * 1.9).toFixed(1)} ${top.toFixed(1)})` },
    s("ellipse", { rx: Math.max(initial[1] ? 9.5 : 7, r * 0.66), ry: Math.max(6.6, r * 0.6) }),
    s("text", { y: Math.max(11, r * 0.62) * 0.36, "font-size": Math.max(11, r * 0.62).toFixed(1) }, initial));
  return s("g", { class: `chip ${kind} seat${seat} ${asleep ? "asleep" : ""}`,
    transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` },
    shadow, ring, body, tag ? pill(tag, "", 0, r * SQUASH + THICK * k - 7, Math.max(1, Math.min(r / 18, 1.6))) : null,
      badge);
}

// One's own, with what is called of it: on, off, stays up.
export function ownStack(id, { seat, wager }, foot, chips) {
  const { r } = foot;
  const node = stack({ ...foot, amount: wager.stake, chips, seat: seat.colour % 8,
    tag: money(wager.stake).replaceAll(",", ""), asleep: !wager.working });
  if (wager.marker) node.append(s("g", { class: `marker ${wager.marker}`, transform: `translate(${r} ${-r * 0.9})` },
    s("rect", { x: -13, y: -8, width: 26, height: 16, rx: 8 }), s("text", { y: 4 }, wager.marker.toUpperCase())));
  if (wager.stays) node.append(s("text", { class: "stays", x: -r - 3, y: -r * 0.4, "font-size": 12 }, "↻"));
  node.dataset.of = id;
  return node;
}

// Where chips and the puck lie in a zone, and how money moves: short, never in the way, ended at once by `hurry`, and
// not at all for who wants no motion.

// The size of a stack on this cloth.
export const sizeOn = ({ rowH, colW, wide }) => clamp(11, Math.min(rowH * 0.37, colW * 0.225), wide ? 30 : 15);

const SMALL = ["dice", "prop", "box", "big", "bonus"];

export function radius(zone, full) {
  if (zone.kind === "behind") return Math.min(full, zone.h * 0.4);
  if (zone.kind === "cell" || zone.kind === "number") return Math.max(10, Math.min(full, zone.h * 0.4, zone.w * 0.3));
  if (SMALL.includes(zone.kind)) return Math.max(9, Math.min(full, zone.w * 0.17, zone.h * 0.32));
  return full * (zone.kind === "line" && zone.outer ? 1.12 : 1);
}

// What the print may use while chips lie here; null where it is not in their way.
export function free(zone, full) {
  if (!SMALL.includes(zone.kind)) return null;
  const r = radius(zone, full);
  if (zone.kind === "bonus") return null;
  const left = 2 * r + 7;
  return zone.w - left < 22 ? null : { ...zone, x: zone.x + left, w: zone.w - left - 1 };
}

// The foot of one's own stack.
export function own(zone, full) {
  const r = radius(zone, full);
  const at = (x, y) => ({ x: zone.x + zone.w * x, y: zone.y + zone.h * y, r });
  const low = (y) => Math.min(y, zone.y + zone.h - r * 0.84 - 9);
  if (zone.kind === "line") {
    const { x, w } = zone.straight;
    return { x: x + Math.max(w * 0.09, r + 6), y: low(zone.y + zone.h * 0.38), r };
  }
  if (zone.kind === "behind") {
    if (zone.inline) return { ...at(0.2, 0.4), x: zone.x + Math.max(r + 4, zone.w * 0.18),
      y: low(zone.y + zone.h * 0.4) };
    return { x: zone.x + Math.max(zone.w * 0.12, r + 6), y: low(zone.y + zone.h * 0.4), r };
  }
  if (zone.kind === "number") return { ...at(0.5, 0.72), y: low(zone.y + zone.h * 0.72) };
  if (zone.kind === "title") return at(zone.w > 330 ? 0.7 : 0.58, 0.42);
  if (zone.kind === "field") return at(zone.w > 420 ? 0.865 : 0.82, 0.4);
  if (zone.kind === "cell") return { ...at(0.5, 0.42), y: low(zone.y + zone.h * 0.42) };
  if (zone.kind === "bonus") return { x: zone.x + r + 4, y: low(zone.y + zone.h * 0.42), r };
  return { x: zone.x + r + 4, y: low(zone.y + zone.h * 0.44), r };
}

const MOST = 4;

// The feet of the others, smaller, in the right end; so many that one more would not be seen are only counted.
export function others(zone, full, count, mine) {
  const r = Math.max(8.5, Math.min(radius(zone, full) * 0.74, 16));
  // In a small box where one's own would stand, one behind the other.
  if (SMALL.includes(zone.kind) && !mine) {
    const shown = Math.max(1, Math.min(count, MOST, Math.floor((zone.h - 2 * r) / r)));
    const [x, y] = [zone.x + r + 4, zone.y + zone.h - r - 3];
    const feet = Array.from({ length: shown }, (_, n) => ({ x, y: y - (shown - 1 - n) * r, r }));
    return { feet, left: count - shown, at: { x: x + r, y: feet[0].y } };
  }
  const line = zone.straight || zone;
  // Where a short line turns the corner, in its rising part: the print needs the rest.
  if (zone.rise?.h > 9 * r && line.w < 400) {
    const [x, y] = [zone.rise.x + zone.rise.w / 2, zone.rise.y + zone.rise.h - r];
    const shown = Math.min(count, MOST);
    const feet = Array.from({ length: shown }, (_, n) => ({ x, y: y - n * 1.9 * r, r }));
    return { feet, left: count - shown, at: { x, y: y - shown * 1.9 * r + 8 } };
  }
  const room = line.w * (["line", "title", "behind", "field"].includes(zone.kind) ? 0.24 : mine ? 0.34 : 0.8);
  const shown = Math.max(1, Math.min(count, MOST, Math.floor(room / (r * 1.1)) || 1));
  const right = line.x + line.w - r - 5 - (zone.kind === "title" ? line.w * 0.2 : 0);
  const step = Math.min(r * 1.5, room / shown);
  const y = zone.kind === "number" ? zone.y + zone.h * (mine ? 0.54 : 0.78) : zone.y + Math.min(zone.h * 0.5,
    zone.h - r - 3);
  const feet = Array.from({ length: shown }, (_, n) => ({ x: right - n * step, y, r }));
  return { feet, left: count - shown, at: { x: right - shown * step + r * 0.4, y } };
}

// The puck: on its number, or off beside the numbers.
export function movePuck(felt, layer, { frames, park, colW }, puck) {
  const frame = puck && frames.find((each) => each.number === puck);
  layer.classList.toggle("gone", !frame && !park);
  const r = clamp(14, colW * 0.15, 30);
  const { x, y } = frame ? { x: frame.x + frame.w - r * 0.5, y: Math.max((frame.numeral || frame).y + r * 0.15,
    r + 1) } : park || { x: 0, y: 0 };
  if (layer.dataset.r !== String(r)) {
    layer.dataset.r = r;
    layer.replaceChildren(s("ellipse", { cx: 2, cy: 5, rx: r * 1.15, ry: r, fill: "url(#shade)" }),
      s("circle", { class: "puck-side", cy: 3, r }),
      s("circle", { class: "puck-face", r }), s("circle", { class: "puck-line", r: r - 2 }),
        s("text", { y: 4, "font-size": Math.max(11, r * 0.62), lengthAdjust: "spacingAndGlyphs" }));
  }
  layer.setAttribute("transform", `translate(${x} ${y})`);
  layer.classList.toggle("on", puck > 0);
  const word = layer.querySelector("text");
  word.textContent = puck ? "ON" : "OFF";
  word.setAttribute("textLength", r * (puck ? 1 : 1.3));
  for (const number of felt.querySelectorAll(".number")) {
    number.classList.toggle("is-point", Number(number.dataset.number) === puck);
  }
}

// -- what moves --

const EASE = "cubic-bezier(.2,.8,.2,1)";
const running = new Set();

function run(node, frames, options) {
  const made = node.animate(frames, { easing: EASE, fill: "both", ...options });
  running.add(made);
  const end = () => running.delete(made);
  return made.finished.then(end, end);
}

const at = (x, y) => `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;

// A picture of its own over the drawing.
export function lift(layer, node) {
  const up = s("svg", {}, node);
  layer.append(up);
  return up;
}

function fly(layer, node, frames, duration) {
  if (calm() || document.hidden) return;
  node.removeAttribute("transform");
  const up = lift(layer, node);
  run(up, frames, { duration }).then(() => up.remove());
}

// To the bank, behind the back wall.
export function sweep(layer, node, { x, y }, { W }) {
  fly(layer, node, [{ transform: at(x, y), opacity: 1 }, { transform: at(W * 0.55 + (x - W * 0.55) * 0.4, -30),
    opacity: 0 }], 320);
}

// From the bank, beside the wager; one's own goes on to the rail.
export function pay(layer, node, { x, y, r }, { W, H }, mine) {
  const there = at(x + r * 2.1, y);
  const frames = [{ transform: at(W * 0.55, -30), opacity: 0 }, { transform: there, opacity: 1, offset: 0.55 },
    { transform: there, opacity: 1, offset: 0.7 }];
  fly(layer, node, [...frames, mine ? { transform: at(x * 0.7, H + 30), opacity: 0.6 } : { transform: there,
    opacity: 0 }], 420);
}

export function slide(layer, node, { x, y }, zone) {
  if (!zone) return;
  const to = own(zone, 20);
  fly(layer, node, [{ transform: at(x, y) }, { transform: at(to.x, to.y) }], 380);
}

// A figure that counts to where it goes.
export function count(node, from, to, words) {
  if (calm() || document.hidden || from === to) {
    if (from !== to || !node.textContent) node.textContent = words(to);
    return;
  }
  const start = performance.now();
  node.counting = start;
  const step = (now) => {
    if (node.counting !== start) return;
    const part = Math.min(1, (now - start) / 380);
    node.textContent = words(part < 1 ? Math.round((from + (to - from) * part) / 100) * 100 : to);
    if (part < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

// A room that goes dark for a moment.
export function dim(node) {
  if (calm() || document.hidden) return;
  run(node, [{ opacity: 0 }, { opacity: 0.62, offset: 0.35 }, { opacity: 0 }],
    { duration: 600, pseudoElement: "::after" });
}

export function hurry() {
  for (const each of [...running]) each.finish();
}
