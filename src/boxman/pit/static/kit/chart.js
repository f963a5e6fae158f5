// Charts as SVG with their words beside them: a title, a description, and a table to read instead.
import { add, h, s, unique } from "./dom.js";

function picture(width, height, title, words, parts) {
  const ids = [unique("chart"), unique("chart")];
  const drawn = s("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-labelledby": ids.join(" ") },
    s("title", { id: ids[0] }, title), s("desc", { id: ids[1] }, words), parts);
  // On a phone a chart keeps its size and scrolls.
  return h("div", { class: "chart-holder", tabindex: "0", role: "group", "aria-label": `${title} (scrolls)` }, drawn);
}

const nice = (span) => {
  const power = 10 ** Math.floor(Math.log10(span || 1));
  return [0.1, 0.2, 0.5, 1, 2].map((each) => each * power).find((step) => span / step <= 7) || power;
};

// Horizontal bars: [{label, value, text, kind}].
export function bars(title, words, rows, { width = 900, label = 290, unit = "" } = {}) {
  const high = 22;
  const most = Math.max(0, ...rows.map((each) => each.value));
  const least = Math.min(0, ...rows.map((each) => each.value));
  const scale = (width - label - 90) / (most - least || 1);
  const zero = label - least * scale;
  const parts = rows.flatMap((each, n) => {
    const top = n * (high + 6) + 4;
    const long = Math.abs(each.value) * scale;
    return [
      s("text", { x: label - 8, y: top + high * 0.7, "text-anchor": "end" }, each.label),
      s("rect", { class: `bar ${each.value < 0 ? "neg" : ""} ${each.kind || ""}`, x: each.value < 0 ? zero - long : zero, y: top,
        width: Math.max(long, 1), height: high, rx: 3 }, s("title", {}, `${each.label}: ${each.text}`)),
      s("text", { x: zero + Math.max(0, each.value) * scale + 6, y: top + high * 0.7 }, each.text + unit),
    ];
  });
  const height = rows.length * (high + 6) + 8;
  parts.push(s("line", { class: "axis", x1: zero, x2: zero, y1: 0, y2: height }));
  return picture(width, height, title, words, parts);
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
  for (let value = Math.ceil(low / step) * step; value <= high + step / 1e6; value += step) found.push([show(value), at(value)]);
  return found;
};

// A histogram from [[low, high, count], ...].
export function histogram(title, words, cells, { xText = "", show = String, series = 0 } = {}) {
  const box = { left: 60, right: 710, top: 24, bottom: 230 };
  if (!cells.length) return picture(720, 280, title, words, []);
  const low = Math.min(...cells.map(([a]) => a));
  const high = Math.max(...cells.map(([, b]) => b));
  const total = cells.reduce((sum, [, , count]) => sum + count, 0) || 1;
  const most = Math.max(...cells.map(([, , count]) => count / total));
  const x = (value) => box.left + ((value - low) / (high - low || 1)) * (box.right - box.left);
  const y = (share) => box.bottom - (share / (most || 1)) * (box.bottom - box.top);
  const parts = axes(box, ticks(low, high, x, show), ticks(0, most, y, (value) => `${(value * 100).toFixed(1)}%`), xText, "share");
  for (const [a, b, count] of cells) {
    parts.push(s("rect", { class: `bar ${(a + b) / 2 < 0 ? "neg" : ""} ${series ? `series${series}` : ""}`, x: x(a), y: y(count / total),
      width: Math.max(1, x(b) - x(a) - 1), height: Math.max(0, box.bottom - y(count / total)) },
    s("title", {}, `${show(a)} to ${show(b)}: ${((count / total) * 100).toFixed(2)}%`)));
  }
  return picture(720, 280, title, words, parts);
}

// Lines over one axis: [{name, points: [[x, y], ...]}].
export function lines(title, words, series, { xText = "", yText = "", show = String, showX = String } = {}) {
  const box = { left: 70, right: 700, top: 24, bottom: 250 };
  const all = series.flatMap((each) => each.points);
  const [low, high] = [Math.min(...all.map(([, v]) => v)), Math.max(...all.map(([, v]) => v))];
  const [first, last] = [Math.min(...all.map(([v]) => v)), Math.max(...all.map(([v]) => v))];
  const x = (value) => box.left + ((value - first) / (last - first || 1)) * (box.right - box.left);
  const y = (value) => box.bottom - ((value - low) / (high - low || 1)) * (box.bottom - box.top);
  const parts = axes(box, ticks(first, last, x, showX), ticks(low, high, y, show), xText, yText);
  series.forEach((each, n) => parts.push(s("polyline", { class: `line series${n % 5}`,
    points: each.points.map(([a, b]) => `${x(a).toFixed(1)},${y(b).toFixed(1)}`).join(" ") }, s("title", {}, each.name))));
  return h("figure", { class: "plain" }, picture(720, 300, title, words, parts), key(series.map((each) => each.name)));
}

// Dots of several houses on one line per wager: {names, rows: [{label, values: [..|null]}]}.
export function dots(title, words, names, rows, { unit = "%" } = {}) {
  const width = 720;
  const label = 210;
  const most = Math.max(...rows.flatMap((row) => row.values.filter((each) => each !== null)));
  const least = Math.min(0, ...rows.flatMap((row) => row.values.filter((each) => each !== null)));
  const x = (value) => label + ((value - least) / (most - least || 1)) * (width - label - 20);
  const parts = ticks(least, most, x, (value) => `${+value.toFixed(1)}${unit}`).flatMap(([text, at]) => [
    s("line", { class: "grid-line", x1: at, x2: at, y1: 18, y2: rows.length * 24 + 24 }), s("text", { x: at, y: 12, "text-anchor": "middle" }, text)]);
  rows.forEach((row, n) => {
    const top = n * 24 + 34;
    parts.push(s("text", { x: label - 10, y: top + 4, "text-anchor": "end" }, row.label));
    row.values.forEach((value, k) => {
      if (value !== null) parts.push(s("circle", { class: `dot series${k % 5}`, cx: x(value), cy: top + (k - 2) * 3, r: 4 },
        s("title", {}, `${row.label}, ${names[k]}: ${value}${unit}`)));
    });
  });
  return h("figure", { class: "plain" }, picture(width, rows.length * 24 + 40, title, words, parts), key(names));
}

export const key = (names) =>
  h("ul", { class: "key" }, names.map((name, n) => h("li", { class: `series${n % 5}` }, h("i", { "aria-hidden": "true" }), name)));

// A table of figures under a chart, for those who read.
export function figures(caption, heads, rows) {
  const table = h("table", {}, h("caption", {}, caption),
    h("thead", {}, h("tr", {}, heads.map((each, n) => h("th", { scope: "col", class: n ? "number" : "" }, each)))));
  add(table, h("tbody", {}, rows.map((row) => h("tr", {}, row.map((each, n) =>
    n ? h("td", { class: "number" }, each) : h("th", { scope: "row" }, each))))));
  return h("div", { class: "wide-scroll", tabindex: "0", role: "region", "aria-label": caption }, table);
}
