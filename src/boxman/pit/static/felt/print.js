// The print on the cloth: names, prices, drawn dice, the numbers of the field. Nothing is smaller than 11 pixels.
import { button, h, put, s } from "../kit/dom.js";
import { say } from "../kit/say.js";
import { clamp } from "./plan.js";

const PRINT = getComputedStyle(document.documentElement).getPropertyValue("--display");
const LEAST = 11;

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

const pen = document.createElement("canvas").getContext("2d");
const widths = new Map();
function wide(text, size, track) {
  if (!widths.has(text)) {
    pen.font = `700 100px ${PRINT}`;
    widths.set(text, pen.measureText(text).width / 100);
  }
  return widths.get(text) * size + track * size * text.length;
}

let zoom = 1;
export const scale = (W) => {
  zoom = clamp(1, W / 1150, 1.7);
};

function broken(words, w, size, track) {
  const lines = [];
  for (const word of words) {
    const joined = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && wide(joined, size, track) <= w) lines[lines.length - 1] = joined;
    else lines.push(word);
  }
  return lines;
}

// Text in a box: the largest size that fits in so many lines; null where not even the least does.
export function label(text, box, { size = 16, lines = 2, track = 0.04, kind = "", force = false } = {}) {
  if (!text) return null;
  const words = text.toUpperCase().split(/\s+/);
  let found = null;
  let use = size * zoom;
  for (; use >= LEAST && !found; use -= 0.5) {
    const made = broken(words, box.w, use, track);
    const fits = made.length <= lines && made.length * use * 1.08 <= box.h + 2
      && made.every((each) => wide(each, use, track) <= box.w);
    if (fits) found = made;
  }
  if (!found && !force) return null;
  // A name is printed whole: what is left over stands squeezed in the last line.
  found ||= broken(words, box.w, LEAST, track);
  if (found.length > lines) found.splice(lines - 1, Infinity, found.slice(lines - 1).join(" "));
  use = Math.max(LEAST, use + 0.5);
  const step = use * 1.08;
  const x = box.x + box.w / 2;
  const top = box.y + box.h / 2 - ((found.length - 1) * step) / 2;
  const squeezed = (line) => (wide(line, use, track) > box.w + 1 ? { textLength: box.w,
    lengthAdjust: "spacingAndGlyphs" } : {});
  return s("text", { class: `print ${kind}`, "font-size": use, "letter-spacing": `${track}em` },
    found.map((line, n) => s("tspan", { x, y: top + n * step + use * 0.355, ...squeezed(line) }, line)));
}

// The house's own name for a kind of wager, without the number its box already shows.
export function family(spot) {
  return spot.name.replace(/\s+(?:on|against)?\s*(?:the\s+)?\b\d+\b/, "").replace(/\s+/g, " ").trim();
}

const inner = (zone, dx = 5, dy = 3) => ({ x: zone.x + dx, y: zone.y + dy, w: zone.w - 2 * dx, h: zone.h - 2 * dy });
const part = (zone, x, y, w, h) => ({ x: zone.x + zone.w * x, y: zone.y + zone.h * y, w: zone.w * w, h: zone.h * h });
const bars = (spot, words) => (spot.bar ? `${words.bar} ${spot.bar.join(", ")}` : "");
// A price that depends on the total is too long for a box: it is told when the spot is asked about.
const plainPrice = (spot) => (/ on /.test(spot.price) ? "" : spot.price.split(" with ")[0]);
// "2 to 1 on 4, 10; 3 to 2 on 5, 9" as it is printed: 2:1 on 4 10 · 3:2 on 5 9.
const brief = (price) => price.replaceAll(" to ", ":").replaceAll(", ", " ").replaceAll("; ", " · ");

const KINDS = {
  number: () => [],
  cell: () => [],
  title: (spot, zone) => [label(spot.name, part(zone, zone.w > 330 ? 0.17 : 0.04, 0, zone.w > 330 ? 0.46 : 0.46, 1),
    { size: clamp(18, zone.h * 0.46, 46), lines: 1, track: 0.18, kind: "big" })
    || label(spot.name, part(zone, 0.03, 0, 0.46, 1), { size: 20, lines: 2, kind: "big", force: true })],
  box: (spot, zone, words) => {
    const bar = bars(spot, words);
    const name = label(spot.name, { ...inner(zone, 3, 1), h: zone.h * (bar ? 0.6 : 0.96) },
      { size: clamp(12, zone.w * 0.13, 19), lines: zone.h > 40 ? 2 : 1, track: 0 });
    const both = name && bar && label(bar, { ...inner(zone, 2, 0), y: zone.y + zone.h * 0.56, h: zone.h * 0.42 },
      { size: 12.5, lines: 1, kind: "gold price" });
    return both ? [name, both] : [label(spot.name, inner(zone, 2, 1), { size: 14, lines: 2, track: 0, force: true })];
  },
  big: (spot, zone) => [
    label(family(spot), part(zone, 0.04, 0.02, 0.92, 0.4), { size: 14, lines: 1, force: true, track: 0.02 }),
    s("text", { class: "print gold", x: zone.x + zone.w / 2, y: zone.y + zone.h * 0.82,
      "font-size": Math.max(LEAST, Math.min(zone.h * 0.46, zone.w * 0.6, 40)) }, spot.number),
  ],
  line: (spot, zone, words) => {
    const { x, w } = zone.straight;
    const { outer } = zone;
    const tight = w < 330;
    const straight = { x, y: zone.y, w, h: zone.h };
    const made = [label(spot.name, part(straight, tight ? 0.3 : 0.24, 0, tight ? 0.46 : 0.48, 1),
      { size: clamp(15, zone.h * (outer ? 0.54 : 0.46), 44), lines: 1, track: tight ? 0.08 : outer ? 0.24 : 0.12,
        kind: outer ? "big" : "" })
      || label(spot.name, part(straight, 0.28, 0, 0.5, 1), { size: 15, lines: 2, track: 0, force: true })];
    if (!tight) {
      made.push(label(bars(spot, words), part(straight, 0.74, 0, 0.16, 1), { size: clamp(12, zone.h * 0.34, 20),
        lines: 1, kind: "gold price" }));
    }
    return made;
  },
  behind: (spot, zone, words) => {
    if (zone.inline) {
      return [label(spot.name, part(zone, 0.36, 0.04, 0.62, 0.92), { size: 13, lines: 2, track: 0 })
        || label(words.odds, part(zone, 0.4, 0, 0.58, 1), { size: 14, lines: 1, force: true })];
    }
    const tidy = zone.w > 520;
    return [
      ...[spot.name, words.odds].map((text) => label(text, part(zone, tidy ? 0.25 : 0.36, 0, tidy ? 0.29 : 0.5, 1),
        { size: clamp(11, zone.h * 0.38, 16), lines: 1, track: 0.03 })).filter(Boolean).slice(0, 1),
      tidy && label(brief(spot.price), part(zone, 0.55, 0, 0.3, 1), { size: clamp(11, zone.h * 0.34, 14), lines: 1,
        track: 0, kind: "gold plain" }),
    ];
  },
  field: (spot, zone) => {
    const roomy = zone.w > 420;
    const wins = Object.entries(spot.wins || {});
    const size = clamp(15, zone.h * 0.3, 32 * zoom);
    const from = zone.x + zone.w * (roomy ? 0.25 : 0.09);
    const step = (zone.w * (roomy ? 0.5 : 0.62)) / Math.max(1, wins.length - 1);
    const made = [roomy
      ? label(spot.name, { x: zone.x + 8, y: zone.y, w: zone.w * 0.185, h: zone.h },
        { size: clamp(16, zone.h * 0.36, 34), lines: 1, track: 0.12, kind: "big" })
      : label(spot.name, part(zone, 0, 0.64, 0.8, 0.34), { size: 13, lines: 1, track: 0.16, force: true })];
    wins.forEach(([total, price], n) => {
      const bend = wins.length > 1 ? ((n - (wins.length - 1) / 2) / ((wins.length - 1) / 2)) ** 2 : 0;
      const x = from + n * step;
      const y = zone.y + zone.h * (0.36 + 0.1 * bend);
      const more = price !== "1 to 1";
      if (more) made.push(s("circle", { class: "ring", cx: x, cy: y, r: Math.min(size * 0.78, step * 0.5) }));
      if (more && zone.h > 58 && roomy) {
        made.push(label(price, { x: x - 40, y: y + size * 0.84, w: 80, h: 13 * zoom },
          { size: 12, lines: 1, kind: "gold", track: 0 }));
      }
      made.push(s("text", { class: `print ${more ? "gold" : ""}`, x, y: y + size * 0.355,
        "font-size": Math.min(size, step * 0.85) }, total));
    });
    return made;
  },
  dice: (spot, zone) => {
    const price = plainPrice(spot);
    const tall = zone.h >= 41;
    const tight = zone.h < 46;
    const size = tall && tight ? 12 : clamp(13, tall ? zone.h * 0.28 : zone.h * 0.36, Math.min(30, zone.w * 0.25));
    const y = zone.y + (zone.h > 58 ? zone.h * 0.09 : tall && tight ? 2 : 4);
    const x = zone.x + zone.w / 2;
    const [first, second] = spot.dice;
    // A long name gives way to a short one, never to none.
    const named = (text, force) => label(text, { x: zone.x + 3, w: zone.w - 6, y: y + size + (tight ? 2 : 1),
      h: tight ? 12 : zone.h * 0.3 },
      { size: 13, lines: zone.h > 66 ? 2 : 1, track: 0, kind: "props-ink", force });
    const name = tall && (named(spot.name, wide(spot.name.toUpperCase(), LEAST, 0) < zone.w * 1.35)
      || (spot.short && named(`${spot.short} ${spot.number || ""}`.trim(), true)));
    const low = tall && tight ? 12 : clamp(LEAST + 2, zone.h * 0.38, 15 * zoom);
    const foot = { x: zone.x + 2, w: zone.w - 4, y: zone.y + zone.h - (tall && tight ? 13.5
      : Math.max(low + 1, zone.h * 0.3)), h: low };
    return [drawnDie(first, x - size - 1.5, y, size), drawnDie(second, x + 1.5, y, size), name,
      label(price, foot, { size: 13, lines: 1, track: 0, kind: "gold price" })];
  },
  prop: (spot, zone) => {
    const price = plainPrice(spot);
    const ink = zone.tone ? "" : "props-ink";
    const whole = () => label(spot.name, inner(zone, 2, 1), { size: 14, lines: zone.h > 52 ? 3 : 2, kind: ink, track: 0,
      force: true });
    if (!price) return [whole()];
    if (zone.w > 130 && zone.h < 60) {
      const name = label(spot.name, part(zone, 0.17, 0, 0.5, 1), { size: clamp(13, zone.h * 0.34, 22), lines: 2,
        kind: ink, track: 0.02 });
      // A hairline between them: "Any 7 | 4 to 1" is not 74 to 1.
      const figure = name && label(price, part(zone, 0.7, 0, 0.28, 1), { size: clamp(12, zone.h * 0.3, 18), lines: 1,
        kind: "gold price", track: 0 });
      if (figure) return [name, figure,
        s("path", { class: "divider", d: `M${zone.x + zone.w * 0.68} ${zone.y + zone.h * 0.24}v${zone.h * 0.52}` })];
    }
    const name = zone.h > 36 && label(spot.name, { ...inner(zone, 3, 1), h: zone.h * 0.56 },
      { size: 15, lines: zone.h > 56 ? 2 : 1, kind: ink, track: 0 });
    return name ? [name, label(price, part(zone, 0.02, 0.55, 0.96, 0.42), { size: 13, lines: 1, kind: "gold price",
      track: 0 })] : [whole()];
  },
  bonus: (spot, zone) => {
    const both = label(`${spot.name} · ${plainPrice(spot)}`, part(zone, 0.16, 0, 0.8, 1),
      { size: clamp(11, zone.h * 0.42, 19), lines: 1, track: 0.02, kind: "gold" });
    if (both) return [both];
    const under = zone.h >= 28 && label(spot.name, part(zone, 0.1, 0.04, 0.88, 0.48), { size: 13, lines: 1, track: 0,
      kind: "gold" });
    return under ? [under, label(plainPrice(spot), part(zone, 0.1, 0.5, 0.88, 0.46), { size: 12, lines: 1, track: 0,
      kind: "gold" })] : [label(spot.name, part(zone, 0.12, 0.02, 0.86, 0.96), { size: 14, lines: 2, track: 0,
      kind: "gold", force: true })];
  },
};

// The name of a line where it runs up the side.
export function risen(spot, { rise, outer }) {
  if (!outer || rise.h <= 220) return null;
  const size = clamp(14, rise.w * 0.36, 24);
  const at = `translate(${rise.x + rise.w / 2 + size * 0.355} ${rise.y + rise.h * 0.58}) rotate(-90)`;
  return s("text", { class: "print", transform: at, "font-size": size, "letter-spacing": "0.16em" },
    spot.name.toUpperCase());
}

// Everything printed in one zone.
export const print = (spot, zone, words) => KINDS[zone.kind](spot, zone, words).filter(Boolean);

// What a row is called, once: the house's name for the kind, or a short word where that does not fit.
export function caption(each, roomy) {
  const box = { x: each.x + 1, y: each.y, w: each.w - 2, h: each.kind === "number" ? each.h * 0.42 : each.h };
  const look = { size: roomy ? 15 : 13, lines: box.h < 30 ? 1 : box.h < 44 ? 2 : 3, kind: "caption", track: roomy
    ? 0.02 : 0 };
  if (each.kind === "heading") return label(each.words, box, { ...look, size: 12, lines: 1, track: 0.1, kind: "gold",
    force: true });
  if (each.words) return label(each.words, box, { ...look, force: true });
  const [spot] = each.spots;
  return (spot && label(family(spot), box, look)) || label(spot?.short, box, { ...look, force: true });
}

export function numeral({ x, w, number, numeral: row }, lit) {
  const size = Math.min(row.h * 0.46, w * 0.6);
  return s("text", { class: `print numeral ${lit ? "is-point" : ""}`, x: x + w / 2, y: row.y + row.h * 0.3
    + size * 0.355, "font-size": size }, number);
}

// The emblem of a house, nobody's mark: one colour, printed on the cloth and in the bar.
const shape = ({ d, times = 1, turn = 0, faint, line, cut, r, at = [0, 0] }) => (r
  ? s("circle", { cx: at[0], cy: at[1], r, class: cut ? "cut" : null })
  : Array.from({ length: times }, (_, n) => s("path", { d, class: line ? "stroke" : null, "fill-opacity": faint,
    transform: `rotate(${turn + (360 / times) * n})` })));

export const crest = (shapes, x, y, size) =>
  s("g", { class: "crest", transform: `translate(${x} ${y}) scale(${size / 84})`, "aria-hidden": "true" },
    s("circle", { class: "crest-ring", r: 41 }), s("g", { transform: "scale(.86)" }, shapes.map(shape)));

// The pages of a cloth that is too small for all of it, to turn.
export function views(felt) {
  const made = h("div", { class: "views", role: "group", "aria-label": say("table.pages"), hidden: true });
  felt.addEventListener("laid", () => {
    const words = felt.pages;
    made.hidden = words.length < 2;
    put(made, words.length > 1 && words.map((word, n) => {
      const one = button(word || say("table.first-page"), () => {
        felt.page = n;
      }, { "aria-pressed": String(felt.page === n), title: word || say("table.layout") });
      // As wide as it has words.
      one.style.flexGrow = one.textContent.length;
      return one;
    }));
  });
  return made;
}
