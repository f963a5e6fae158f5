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
    s("text", { class: "chip-text", "text-anchor": "middle", "dominant-baseline": "central",
      "font-size": Math.min(radius * 0.85, (radius * 2.1) / Math.max(2, text.length)) }, text)));
  return made;
}

// Where the chips of each seat lie in a box: one's own in the middle, the others along the edge.
export function spread(box, count, own) {
  const radius = Math.max(8, Math.min(17, box.h * 0.4, box.w * 0.4));
  const places = [];
  const small = Math.max(7.5, radius * 0.62);
  for (let n = 0; n < count; n += 1) {
    const room = box.w - 2 * small - 4;
    const x = box.x + box.w - small - 2 - Math.min(room, n * small * 1.5);
    places.push([x, box.y + small + 2, small]);
  }
  // In a long box one's chips lie beside the name, in a small one on it.
  const x = box.w > 150 ? box.x + radius + 10 : box.x + box.w / 2;
  return { own: [x, box.y + box.h / 2 + (own && count ? 2 : 0), radius], others: places };
}
