// The print on the cloth: names, prices, drawn dice, the numbers of the field.
import { s } from "../kit/dom.js";
import { SHORT, WORDS } from "./geometry.js";

const PIPS = {
  1: [[0, 0]], 2: [[-1, -1], [1, 1]], 3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

export function drawnDie(face, x, y, size) {
  const die = s("g", { class: "drawn-die", transform: `translate(${x} ${y})` },
    s("rect", { width: size, height: size, rx: size * 0.18 }));
  for (const [a, b] of PIPS[face]) {
    die.append(s("circle", {
      cx: size / 2 + a * size * 0.27, cy: size / 2 + b * size * 0.27, r: size * 0.1 }));
  }
  return die;
}

// Words broken into lines that fit, by an estimate of their width; never more than `most` lines.
function broken(words, width, size, most, title) {
  const room = Math.max(3, Math.floor(width / (size * (title ? 0.82 : 0.64))));
  const lines = [];
  for (const word of words.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= room) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  const fits = lines.length <= most && lines.every((line) => line.length <= room);
  return fits ? lines : null;
}

export function label(text, box, { size = 12, least = 7, kind = "", lines = 2, dy = 0, h = box.h } = {}) {
  const words = text.toUpperCase();
  let found = null;
  let use = size;
  for (; use >= least && !found; use -= 0.5) {
    const most = Math.max(1, Math.min(lines, Math.floor(h / (use * 1.1))));
    found = broken(words, box.w - (kind === "small" && box.w < 40 ? 1 : 6), use, most, kind === "title");
  }
  use += found ? 0.5 : 0;
  if (!found) return null;
  const step = use * 1.12;
  const top = box.y + dy + h / 2 - ((found.length - 1) * step) / 2;
  return s("text", { class: `print ${kind}`, "font-size": use },
    found.map((line, n) => s("tspan", {
      x: box.x + box.w / 2, y: top + n * step }, line)));
}

// The house's own name for a kind of wager, without the number its box already shows.
export function family(spot) {
  return spot.name.replace(/\s+(?:on|against)?\s*(?:the\s+)?\b\d+\b/, "").replace(/\s+/g, " ").trim();
}

const bars = (spot) => (spot.bar ? `BAR ${spot.bar.join(", ")}` : "");

function field(spot, box) {
  const wins = Object.entries(spot.wins || {});
  const made = [label(spot.name, { ...box, h: box.h * 0.42 }, { size: 17, lines: 1, kind: "title" })];
  const step = box.w / (wins.length + 1);
  wins.forEach(([total, price], n) => {
    const x = box.x + step * (n + 1);
    const y = box.y + box.h * 0.63;
    const more = price !== "1 to 1";
    if (more) made.push(s("circle", { class: "ring", cx: x, cy: y - 3, r: Math.min(13, box.h * 0.2) }));
    made.push(s("text", { class: "print number", x, y: y - 3, "font-size": 17 }, total));
    if (more) made.push(s("text", { class: "print price", x, y: box.y + box.h - 9, "font-size": 8.5 }, price.toUpperCase()));
  });
  return made;
}

function diced(spot, box) {
  const size = Math.min(24, box.w * 0.3, box.h * 0.36);
  const [first, second] = box.dice;
  const x = box.x + box.w / 2;
  const y = box.y + box.h * 0.1 + 2;
  return [
    drawnDie(first, x - size - 2, y, size), drawnDie(second, x + 2, y, size),
    label(spot.name, { ...box, y: box.y + box.h * 0.5, h: box.h * 0.3 }, { size: 9.5, lines: 2, kind: "small" }),
    price(spot, box),
  ];
}

const price = (spot, box, dy = 0) =>
  label(spot.price, { ...box, y: box.y + box.h * 0.78 + dy, h: box.h * 0.2 },
    { size: 9.5, least: 6.5, lines: 1, kind: "price" });

// Everything printed in one box; `brief` where chips leave little room.
export function print(spot, box, brief = false) {
  if (box.print === "field") return field(spot, box);
  if (box.print === "dice") return diced(spot, box);
  if (box.print === "title") {
    return [label(spot.name, box, { size: 26, least: 12, lines: 1, kind: "title" })];
  }
  if (box.print === "big") {
    return [label(spot.name, box, { size: 18, least: 9, lines: 2, kind: "title" })];
  }
  if (box.print === "name") {
    const bar = bars(spot);
    if (bar && box.w > 260) return [label(`${spot.name} · ${bar}`, box, { size: 16, least: 9, lines: 1, kind: "title" })];
    const room = bar && box.h > 40 ? box.h * 0.62 : box.h;
    return [
      label(spot.name, { ...box, h: room }, { size: 16, least: 9, lines: 3, kind: "title" }),
      bar && box.h > 40 && label(bar, { ...box, y: box.y + box.h * 0.68, h: box.h * 0.24 },
        { size: 10, lines: 1, kind: "price" }),
    ];
  }
  if (box.print === "strip") {
    if (/ on /.test(spot.price)) return [label(spot.name, box, { size: 14, least: 8, lines: 2, kind: "title" })];
    const whole = label(`${spot.name}  ${spot.price}`, box, { size: 14, least: 11, lines: 1, kind: "title" });
    return whole ? [whole] : [
      label(spot.name, { ...box, h: box.h * 0.56 }, { size: 12, least: 7.5, lines: 1, kind: "title" })
        || label(spot.name, { ...box, h: box.h * 0.6 }, { size: 9, least: 6.5, lines: 2, kind: "title" }),
      label(spot.price, { ...box, y: box.y + box.h * 0.5, h: box.h * 0.44 }, { size: 10, least: 7, lines: 1, kind: "price" }),
    ];
  }
  const short = SHORT[spot.family];
  if (brief && short) {
    const small = { size: 10, least: 6.5, lines: 2, kind: "small" };
    return [(box.w > 42 && label(family(spot), box, small)) || label(short, box, small)];
  }
  const own = label(short ? family(spot) : spot.name, box, { size: 11, least: 9, lines: box.h > 34 ? 3 : 2, kind: "small" });
  return [own || label(short || spot.name, box, { size: 11, least: 6.5, lines: 3, kind: "small" })];
}

export function numberBox(box) {
  const text = (box.w > 84 && WORDS[box.number]) || String(box.number);
  return [
    s("rect", { class: "number-box", x: box.x, y: box.y, width: box.w, height: box.h, rx: 3 }),
    s("text", { class: "print point", x: box.x + box.w / 2, y: box.y + box.h / 2, "font-size": Math.min(box.h * 0.62, box.w / (text.length * 0.86)) }, text),
  ];
}
