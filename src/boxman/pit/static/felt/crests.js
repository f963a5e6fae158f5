// Emblems of houses, drawn here and nobody's mark: one colour, printed on the cloth and in the bar.
import { s } from "../kit/dom.js";

const petals = (n, d, more = {}) =>
  Array.from({ length: n }, (_, i) => s("path", { d, transform: `rotate(${(360 / n) * i})`, ...more }));
const dots = (list, r) => list.map(([cx, cy]) => s("circle", { cx, cy, r, class: "cut" }));

const EMBLEMS = {
  waratah: () => [petals(9, "M0 -4C7 -12 6 -26 0 -36C-6 -26 -7 -12 0 -4Z"), s("circle", { r: 9 })],
  vine: () => [petals(5, "M0 -2C14 -10 15 -24 0 -37C-15 -24 -14 -10 0 -2Z", { "fill-opacity": 0.85 }),
    dots([[-7, 0], [7, 0], [0, 11], [0, -9], [0, 1]], 5)],
  koru: () => [s("path", { class: "stroke", d: "M2 34C-24 34 -34 14 -32 -4C-30 -24 -12 -34 6 -32C24 -30 32 -14 28 2"
    + "C25 14 12 20 2 16C-8 12 -10 0 -3 -6C3 -11 12 -7 11 0" })],
  orchid: () => [petals(3, "M0 2C20 -6 16 -30 0 -37C-16 -30 -20 -6 0 2Z"),
    s("g", { transform: "rotate(60)" }, petals(3, "M0 0C11 -8 9 -24 0 -31C-9 -24 -11 -8 0 0Z",
      { "fill-opacity": 0.6 })),
    dots([[0, 0]], 6)],
  swan: () => [s("path", { class: "stroke", d: "M-16 -22C-14 -34 4 -36 6 -22C8 -8 -14 -2 -14 14" }),
    s("path", { d: "M-16 12C-4 2 10 -2 34 -10C32 12 20 30 -4 30C-20 30 -24 20 -16 12Z" }),
    s("path", { d: "M-16 -24l-14 7l13 2z" })],
  star: () => [petals(8, "M0 -6L5 -14L0 -37L-5 -14Z"), s("circle", { r: 8 })],
};

export const crest = (name, x, y, size) =>
  s("g", { class: "crest", transform: `translate(${x} ${y}) scale(${size / 84})`, "aria-hidden": "true" },
    s("circle", { class: "crest-ring", r: 41 }), s("g", { transform: "scale(.86)" },
      (EMBLEMS[name] || EMBLEMS.star)()));
