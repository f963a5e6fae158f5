// Makes rectangles from the geometry: only what the house offers, everything closed up.
import { TALL, WIDE } from "./geometry.js";

function numbered(node, number) {
  if (node.spot) return { ...node, spot: node.spot.replace("*", number) };
  if (node.number) return { ...node, number };
  if (node.row) return { ...node, row: node.row.map((each) => numbered(each, number)) };
  return { ...node, column: node.column.map((each) => numbered(each, number)) };
}

const MANY = 6;
const STRETCH = 1.3;

function numberRows(node, points) {
  const drawn = points.length > MANY ? node.many : node.numbers;
  const per = Math.ceil(points.length / node.rows);
  const rows = [];
  for (let n = 0; n < points.length; n += per) {
    const row = points.slice(n, n + per).map((point) => numbered(drawn, point));
    rows.push({ row, gap: node.gap });
  }
  return { column: rows, gap: (node.gap || 0) * 2, w: node.w };
}

// One track of numbers for each bonus wager with a gate of its own, one row for those that share.
function bonus(node, spots) {
  const wagers = ["small", "all", "tall"].map((id) => spots.get(id)).filter(Boolean);
  if (!wagers.length) return null;
  const leaf = (spot) => ({ spot: spot.id, h: node.h, print: "strip", w: spot.collects.length });
  if (new Set(wagers.map((each) => each.gate.group)).size === wagers.length) {
    const own = wagers.map((each) => ({
      w: each.collects.length,
      gap: 2,
      column: [leaf(each), { track: each.collects, of: [each.id], h: node.track }],
    }));
    return { row: own, gap: 6 };
  }
  const all = [...new Set(wagers.flatMap((each) => each.collects))].sort((a, b) => a - b);
  return {
    gap: 2,
    column: [
      { row: wagers.map(leaf), gap: 4 },
      { track: all, of: wagers.map((each) => each.id), h: node.track, shared: true },
    ],
  };
}

// The tree with only what is there: leaves of spots not offered go, empty branches too.
function pruned(node, spots, points) {
  if (node.bonus) {
    const made = bonus(node, spots);
    return made && { ...made, w: node.w };
  }
  if (node.numbers) return pruned(numberRows(node, points), spots, points);
  if (node.spot) return spots.has(node.spot) ? node : null;
  const key = node.row ? "row" : node.column ? "column" : null;
  if (!key) return node;
  let children = node[key].map((each) => pruned(each, spots, points)).filter(Boolean);
  // A heading over nothing goes too.
  children = children.filter((each, n) => !each.heading || (children[n + 1] && !children[n + 1].heading));
  if (!children.length) return null;
  // Where only the puck is parked, a narrow place will do.
  const w = children.every((each) => each.park) ? 5 : node.w;
  return { ...node, w, [key]: children };
}

const gaps = (node, list) => (node.gap ?? 2) * (list.length - 1);

function tall(node) {
  if (node.row) return Math.max(...node.row.map(tall));
  if (node.column) {
    return node.column.reduce((sum, each) => sum + tall(each), 0) + gaps(node, node.column);
  }
  return node.h;
}

function place(node, x, y, w, h, found) {
  const gap = node.gap ?? 2;
  if (node.row) {
    const room = w - gaps(node, node.row);
    const weight = node.row.reduce((sum, each) => sum + (each.w || 1), 0);
    let left = x;
    for (const each of node.row) {
      const width = (room * (each.w || 1)) / weight;
      place(each, left, y, width, h, found);
      left += width + gap;
    }
  } else if (node.column) {
    const scale = (h - gaps(node, node.column)) / (tall(node) - gaps(node, node.column));
    let top = y;
    for (const each of node.column) {
      const height = tall(each) * scale;
      place(each, x, top, w, height, found);
      top += height + gap;
    }
  } else {
    found.push({ ...node, x, y, w, h });
  }
}

// Rectangles of the whole cloth: {width, height, boxes, tall}.
export function plan(cloth, narrow, room = 0) {
  const chosen = narrow ? TALL : WIDE;
  const spots = new Map(cloth.spots.map((spot) => [spot.id, spot]));
  const tree = pruned(chosen.tree, spots, cloth.points);
  const inner = chosen.width - 2 * chosen.margin;
  // A cloth with little on it, or with room on the screen, is stretched: larger boxes are easier
  // to touch.
  const least = Math.max(tall(tree), chosen.least || 0);
  const height = Math.max(least, Math.min(room, least * STRETCH));
  const boxes = [];
  place(tree, chosen.margin, chosen.margin, inner, height, boxes);
  return { width: chosen.width, height: height + 2 * chosen.margin, boxes, narrow };
}

// Which box an arrow key leads to: the nearest that way, best one that lies straight ahead.
export function neighbour(boxes, from, key) {
  const flat = key === "ArrowLeft" || key === "ArrowRight";
  const sign = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
  const [start, long, side, wide] = flat ? ["x", "w", "y", "h"] : ["y", "h", "x", "w"];
  const middle = (box, at, size) => box[at] + box[size] / 2;
  let best = null;
  let least = Infinity;
  for (const box of boxes) {
    // From edge to edge: a long box above or below is not "to the right" because its middle is.
    const along = sign > 0 ? box[start] - from[start] - from[long] : from[start] - box[start] - box[long];
    if (box.spot === from.spot || along < -1) continue;
    const beside = Math.max(0, box[side] - from[side] - from[wide], from[side] - box[side] - box[wide]);
    const off = Math.abs(middle(box, side, wide) - middle(from, side, wide));
    const far = along + (beside ? 400 + beside * 4 : 0) + off * 0.2;
    if (far < least) [best, least] = [box, far];
  }
  return best;
}
