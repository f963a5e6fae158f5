// Charts as SVG with their words beside them: a title, a description, and a table to read instead.
import { add, h, s, unique } from "./dom.js";
import { say } from "./say.js";

function picture(width, height, title, words, parts) {
  const ids = [unique("chart"), unique("chart")];
  const drawn = s("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-labelledby": ids.join(" ") },
    s("title", { id: ids[0] }, title), s("desc", { id: ids[1] }, words), parts);
  // On a phone a chart keeps its size and scrolls.
  return h("div", { class: "chart-holder", tabindex: "0", role: "group",
    "aria-label": say("chart.scrolls", { title }) }, drawn);
}

const nice = (span) => {
  const power = 10 ** Math.floor(Math.log10(span || 1));
  return [0.1, 0.2, 0.5, 1, 2].map((each) => each * power).find((step) => span / step <= 7) || power;
};

const clipped = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

// Horizontal bars on either side of nothing: [{label, value, text}].
export function bars(title, words, rows, { width = 900, label = 290, unit = "" } = {}) {
  const high = 22;
  const all = [0, ...rows.map((each) => each.value)];
  const scale = (width - label - 90) / (Math.max(...all) - Math.min(...all));
  const zero = label - Math.min(...all) * scale;
  const parts = rows.flatMap(({ label: name, value, text }, n) => {
    const top = n * (high + 6) + 4;
    return [
      s("text", { x: label - 8, y: top + high * 0.7, "text-anchor": "end" }, clipped(name, 42)),
      s("rect", { class: `bar ${value < 0 ? "neg" : ""}`, x: zero + Math.min(0, value) * scale, y: top,
        width: Math.max(1, Math.abs(value) * scale), height: high, rx: 3 },
        s("title", {}, `${name}: ${text}`)),
      s("text", { x: zero + Math.max(0, value) * scale + 6, y: top + high * 0.7 }, text + unit),
    ];
  });
  const height = rows.length * (high + 6) + 8;
  return picture(width, height, title, words, [...parts,
    s("line", { class: "axis", x1: zero, x2: zero, y1: 0, y2: height })]);
}

function axes(box, xs, ys, xText, yText) {
  const parts = [];
  for (const [value, at] of ys) {
    parts.push(s("line", { class: "grid-line", x1: box.left, x2: box.right, y1: at, y2: at }),
      s("text", { x: box.left - 6, y: at + 4, "text-anchor": "end" }, value));
  }
  for (const [value, at] of xs) parts.push(s("text", { x: at, y: box.bottom + 18, "text-anchor": "middle" }, value));
  parts.push(s("line", { class: "axis", x1: box.left, x2: box.right, y1: box.bottom, y2: box.bottom }),
    s("text", { x: (box.left + box.right) / 2, y: box.bottom + 38, "text-anchor": "middle" }, xText),
    s("text", { x: 12, y: 14 }, yText));
  return parts;
}

const ticks = (low, high, at, show) => {
  const step = nice(high - low);
  const found = [];
  for (let value = Math.ceil(low / step) * step; value <= high + step / 1e6;
    value += step) found.push([show(value), at(value)]);
  return found;
};

// A histogram from shares {cells: [[low, high, share], ...], below: [edge, share], beyond: [edge, share]}.
export function histogram(title, words, { cells, below, beyond }, { xText = "", show = String, series = 0 } = {}) {
  const box = { left: 60, right: 710, top: 24, bottom: 230 };
  const [first, end] = [cells[0][0], cells[cells.length - 1][1]];
  const width = cells[0][1] - first;
  // What is outside stands in a bar of its own, one cell away from the others.
  const low = first - (below[1] && 2 * width);
  const high = end + (beyond[1] && 2 * width);
  const x = (value) => box.left + ((value - low) / (high - low)) * (box.right - box.left);
  const most = Math.max(below[1], beyond[1], ...cells.map(([, , share]) => share));
  const y = (share) => Math.min(box.bottom - 2, box.bottom - (share / most) * (box.bottom - box.top));
  const bar = (a, share, where, kind) => s("rect", { class: `bar ${kind}`, x: x(a), y: y(share),
    width: Math.max(1, x(a + width) - x(a) - 1), height: box.bottom - y(share) },
    s("title", {}, `${where}: ${(share * 100).toFixed(2)}%`));
  const apart = (a, share, where, anchor) => share > 0
    && [bar(a, share, where, "outside"), s("text", { class: "beyond", "text-anchor": anchor,
    x: x(a + (anchor === "end" && width)), y: Math.min(box.top + 8, y(share) - 6) },
      `${(share * 100).toFixed(2)}% ${where}`)];
  return picture(720, 280, title, words, [
    axes(box, ticks(first, end, x, show), ticks(0, most, y, (value) => `${(value * 100).toFixed(1)}%`), xText,
      say("chart.share")),
    cells.map(([a, b, share]) => bar(a, share, say("chart.to", { low: show(a), high: show(b) }),
      series ? `series${series}` : a + b < 0 ? "neg" : "")),
    apart(low, below[1], say("chart.below", { edge: show(below[0]) }), "start"),
      apart(high - width, beyond[1], say("chart.beyond", { edge: show(beyond[0]) }), "end")]);
}

// Dots of several houses on one line per wager: {names, rows: [{label, values: [..|null]}]}.
export function dots(title, words, names, rows, { unit = "%" } = {}) {
  const width = 900;
  const label = 290;
  const most = Math.max(...rows.flatMap((row) => row.values.filter((each) => each !== null)));
  const least = Math.min(0, ...rows.flatMap((row) => row.values.filter((each) => each !== null)));
  const x = (value) => label + ((value - least) / (most - least || 1)) * (width - label - 20);
  const parts = ticks(least, most, x, (value) => `${+value.toFixed(1)}${unit}`).flatMap(([text, at]) => [
    s("line", { class: "grid-line", x1: at, x2: at, y1: 18, y2: rows.length * 24 + 24 }),
      s("text", { x: at, y: 12, "text-anchor": "middle" }, text)]);
  rows.forEach((row, n) => {
    const top = n * 24 + 34;
    parts.push(s("text", { x: label - 10, y: top + 4, "text-anchor": "end" }, clipped(row.label, 34)));
    row.values.forEach((value, k) => {
      if (value !== null) parts.push(s("circle", { class: `dot series${k % 5}`, cx: x(value), cy: top + (k - 2) * 3,
        r: 4 },
        s("title", {}, `${row.label}, ${names[k]}: ${value}${unit}`)));
    });
  });
  return h("figure", { class: "plain" }, picture(width, rows.length * 24 + 40, title, words, parts), key(names));
}

export const key = (names) =>
  h("ul", { class: "key" }, names.map((name, n) => h("li", { class: `series${n % 5}` },
    h("i", { "aria-hidden": "true" }), name)));

// A table of figures under a chart, for those who read.
export function figures(caption, heads, rows) {
  const table = h("table", {}, h("caption", {}, caption),
    h("thead", {}, h("tr", {}, heads.map((each, n) => h("th", { scope: "col", class: n ? "number" : "" }, each)))));
  add(table, h("tbody", {}, rows.map((row) => h("tr", {}, row.map((each, n) =>
    n ? h("td", { class: "number" }, each) : h("th", { scope: "row" }, each))))));
  return h("div", { class: "wide-scroll", tabindex: "0", role: "region", "aria-label": caption }, table);
}

// Lines over one axis: {name: [[x, y], ...]}; y is shown as the caller says.
export function lines(title, words, series, { xText = "", yText = "", show = String, showY = String, low = null,
  high = null } = {}) {
  const box = { left: 64, right: 710, top: 24, bottom: 230 };
  const points = Object.values(series).flat();
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [bottom, top] = [low ?? Math.min(...ys), high ?? Math.max(...ys)];
  const x = (value) => box.left + ((value - left) / (right - left || 1)) * (box.right - box.left);
  const y = (value) => box.bottom - ((value - bottom) / (top - bottom || 1)) * (box.bottom - box.top);
  const drawn = Object.values(series).map((each, n) => s("polyline", { class: `curve series${n % 5}`, fill: "none",
    points: each.map(([a, b]) => `${x(a).toFixed(1)},${y(b).toFixed(1)}`).join(" ") }));
  const names = Object.keys(series);
  const chart = picture(720, 280, title, words, [axes(box, ticks(left, right, x, show), ticks(bottom, top, y, showY),
    xText, yText), drawn]);
  return names.length > 1 ? h("figure", { class: "plain" }, chart, key(names)) : chart;
}

// Cells in rows, darker for more: rows of [label, [[column, share, text], ...]].
export function shades(title, words, rows, columns, { xText = "", most = 1, show = String } = {}) {
  const [high, box] = [26, { left: 64, right: 710, top: 8 }];
  box.bottom = box.top + rows.length * high;
  const wide = (box.right - box.left) / columns;
  const parts = rows.flatMap(([label, cells], n) =>
    [s("text", { x: box.left - 8, y: box.top + (n + 0.7) * high, "text-anchor": "end" }, label),
    cells.map(([column, share, text]) => s("rect", { class: "bar", x: box.left + column * wide, y: box.top + n * high,
      width: wide + 0.5, height: high - 2,
      "fill-opacity": (0.05 + 0.95 * share).toFixed(2) }, s("title", {}, text)))]);
  const x = (value) => box.left + (value / most) * (box.right - box.left);
  return picture(720, box.bottom + 50, title, words, [parts, axes(box, ticks(0, most, x, show), [], xText, "")]);
}
