// Chips on the cloth: stacks with their amount, in the colour of their size or of their player.
import { s } from "../kit/dom.js";
import { colourOf, money } from "../kit/money.js";

const brief = (amount) => {
  if (amount >= 1000000) return `${amount / 100000}k`;
  return money(amount).replaceAll(",", "");
};

export function chip(amount, chips, radius, { kind = "", stack = true } = {}) {
  const colour = colourOf(amount, chips);
  const high = stack ? Math.min(3, Math.floor(Math.log2(Math.max(1, amount / chips[colour])))) : 0;
  const made = s("g", { class: `chip denom${colour} ${kind}` });
  for (let n = 0; n <= high; n += 1) {
    made.append(s("g", { transform: `translate(0 ${-n * 2.6})` },
      s("circle", { class: "edge", r: radius }),
      s("circle", { class: "spots", r: radius * 0.84, "stroke-dasharray": `${radius * 0.44} ${radius * 0.44}`,
        "stroke-width": radius * 0.3 })));
  }
  const text = brief(amount);
  made.append(s("g", { transform: `translate(0 ${-high * 2.6})` },
    s("circle", { class: "face", r: radius * 0.7 }),
    s("text", { class: "chip-text", "font-size": Math.min(radius * 0.85, (radius * 2.1) / Math.max(2, text.length)) }, text)));
  return made;
}

const SPACIOUS = 260;
const STRIP = 14;

// Where one's chips lie in a box, and what room they leave for its print: `free` is null where the
// print stays as it is. Long boxes have them beside the name, square ones under it.
export function lie(box) {
  const { x, y, w, h } = box;
  const radius = Math.max(8, Math.min(17, h * 0.4, w * 0.4));
  if (box.print === "field") {
    const r = Math.min(14, h * 0.23);
    return { own: [x + r + 6, y + r + 5, r], free: null };
  }
  if (box.print === "dice") {
    if (h > w * 1.25) {
      const r = Math.min(16, h * 0.16);
      return { own: [x + w / 2, y + h - r - 5, r], free: { x, y, w, h: h - 2 * r - 6 } };
    }
    const r = Math.min(18, h * 0.22, w * 0.18);
    return { own: [x + r + 4, y + h / 2, r], free: { x: x + 2 * r + 5, y, w: w - 2 * r - 7, h } };
  }
  if (w > SPACIOUS) return { own: [x + radius + 10, y + h / 2, radius], free: null, roomy: true };
  if (w >= h * 1.25) {
    const r = Math.min(radius, w * 0.17);
    return { own: [x + r + 4, y + h / 2, r], free: { x: x + 2 * r + 5, y, w: w - 2 * r - 6, h: box.print || w > 90 ? h : h * 0.6 } };
  }
  if (h > w * 1.5) return { own: [x + w / 2, y + h * 0.56, radius], free: { x, y, w, h: h * 0.4 } };
  const strip = Math.max(STRIP, h * 0.32);
  const r = Math.max(8, Math.min(17, (h - strip - 4) / 2, w * 0.4));
  return { own: [x + w / 2, y + h - r - 3, r], free: { x, y: y + 1, w, h: strip }, tight: true };
}

// Where the chips of each seat lie: one's own where the print leaves room, the others in a corner.
export function spread(box, count) {
  const { own, tight, roomy } = lie(box);
  const others = [];
  const small = Math.max(7.5, Math.min(13, own[2] * 0.72));
  const room = box.w - 2 * small - 4;
  const y = box.h > 44 && !tight ? box.y + small + 2 : box.y + box.h - small - 2;
  for (let n = 0; n < count; n += 1) {
    others.push([box.x + box.w - small - 2 - Math.min(room, n * small * 1.5), y, small]);
  }
  return { own, others, tight, roomy };
}
