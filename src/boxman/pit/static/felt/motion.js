// Money that moves: short, never in the way, ended at once by `hurry`, and not at all for who wants no motion.
import { calm } from "../kit/dom.js";
import { own } from "./lie.js";

const EASE = "cubic-bezier(.2,.8,.2,1)";
const running = new Set();

function run(node, frames, options) {
  const made = node.animate(frames, { easing: EASE, fill: "both", ...options });
  running.add(made);
  const end = () => running.delete(made);
  return made.finished.then(end, end);
}

const at = (x, y) => `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;

function fly(layer, node, frames, duration) {
  if (calm() || document.hidden) return;
  node.removeAttribute("transform");
  layer.append(node);
  run(node, frames, { duration }).then(() => node.remove());
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
    node.textContent = words(to);
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
  run(node, [{ filter: "none" }, { filter: "brightness(.38) saturate(.5)", offset: 0.35 }, { filter: "none" }],
    { duration: 600 });
}

export function hurry() {
  for (const each of [...running]) each.finish();
}
