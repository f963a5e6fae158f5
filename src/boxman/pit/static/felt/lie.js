// Where chips and the puck lie in a zone, and how money moves: short, never in the way, ended at once by `hurry`, and
// not at all for who wants no motion.
import { calm, s } from "../kit/dom.js";
import { clamp } from "./plan.js";

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
  return zone.w - left < 26 ? null : { ...zone, x: zone.x + left, w: zone.w - left - 1 };
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
  // In a small box they stand where one's own would, one behind the other: the print gives way there.
  if (SMALL.includes(zone.kind) && !mine) {
    const shown = Math.max(1, Math.min(count, MOST, Math.floor((zone.h - 2 * r) / r)));
    const [x, y] = [zone.x + r + 4, zone.y + zone.h - r - 3];
    const feet = Array.from({ length: shown }, (_, n) => ({ x, y: y - (shown - 1 - n) * r, r }));
    return { feet, left: count - shown, at: { x: x + r, y: feet[0].y } };
  }
  const line = zone.straight || zone;
  // Where a short line turns the corner, they stand in its rising part: the print needs the rest.
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
  const r = clamp(12, colW * 0.15, 30);
  const { x, y } = frame ? { x: frame.x + frame.w - r * 0.5, y: Math.max((frame.numeral || frame).y + r * 0.15,
    r + 1) } : park || { x: 0, y: 0 };
  if (layer.dataset.r !== String(r)) {
    layer.dataset.r = r;
    layer.replaceChildren(s("ellipse", { cx: 2, cy: 5, rx: r * 1.15, ry: r, fill: "url(#shade)" }),
      s("circle", { class: "puck-side", cy: 3, r }),
      s("circle", { class: "puck-face", r }), s("circle", { class: "puck-line", r: r - 3 }),
        s("text", { y: 4, "font-size": Math.max(11, r * 0.62) }));
  }
  layer.setAttribute("transform", `translate(${x} ${y})`);
  layer.classList.toggle("on", puck > 0);
  layer.querySelector("text").textContent = puck ? "ON" : "OFF";
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
