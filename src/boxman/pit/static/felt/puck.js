// The puck: on its number, or off beside the numbers.
import { s } from "../kit/dom.js";
import { clamp } from "./plan.js";

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
