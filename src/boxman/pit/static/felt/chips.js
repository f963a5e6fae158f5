// Chips on the cloth: stacks of real denominations with rims, a shadow and their total, in the colour of their player.
import { s } from "../kit/dom.js";
import { money } from "../kit/money.js";

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

// One picture a denomination, used for every chip of it: a rim with edge spots, a face with eight spots and an inlay.
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
