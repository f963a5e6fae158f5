// Where chips lie in a zone, and what room they leave for its print.
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
  if (zone.kind === "field") return at(zone.w > 420 ? 0.88 : 0.82, 0.4);
  if (zone.kind === "cell") return { ...at(0.5, 0.42), y: low(zone.y + zone.h * 0.42) };
  if (zone.kind === "bonus") return { x: zone.x + r + 4, y: low(zone.y + zone.h * 0.42), r };
  return { x: zone.x + r + 4, y: low(zone.y + zone.h * 0.44), r };
}

const MOST = 4;

// The feet of the others, smaller, in the right end; so many that one more would not be seen are only counted.
export function others(zone, full, count, mine) {
  const r = Math.max(8.5, Math.min(radius(zone, full) * 0.74, 16));
  const line = zone.straight || zone;
  const room = line.w * (["line", "title", "behind", "field"].includes(zone.kind) ? 0.24 : mine ? 0.34 : 0.8);
  const shown = Math.max(1, Math.min(count, MOST, Math.floor(room / (r * 1.1)) || 1));
  const right = line.x + line.w - r - 5 - (zone.kind === "title" ? line.w * 0.2 : 0);
  const step = Math.min(r * 1.5, room / shown);
  const y = zone.kind === "number" ? zone.y + zone.h * (mine ? 0.54 : 0.78) : zone.y + Math.min(zone.h * 0.5,
    zone.h - r - 3);
  const feet = Array.from({ length: shown }, (_, n) => ({ x: right - n * step, y, r }));
  return { feet, left: count - shown, at: { x: right - shown * step + r * 0.4, y } };
}
