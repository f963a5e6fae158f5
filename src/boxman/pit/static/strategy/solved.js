// The answer of best play: the chance of losing everything first, a card, costs, the library, pictures.
import { figures, lines, shades } from "../kit/chart.js";
import { trouble } from "../kit/dialog.js";
import { button, h, put } from "../kit/dom.js";
import { say } from "../kit/say.js";
import { cancel, working } from "./job.js";

const percent = (value) => `${+(value * 100).toFixed(2)}%`;

export function draw(results, job) {
  put(results, state(job), job.answer && answer(job.answer));
  results.dataset.state = job.state;
}

function state(job) {
  return h("section", { class: "panel", "aria-label": say("solve.progress") }, h("div", { class: "actions" },
    working(job) && h("progress", { "aria-label": say("solve.progress") }),
    h("span", { role: "status", class: "state-words" }, job.words, working(job) && job.told ? ` ${job.told}` : ""),
    working(job) && button(say("solve.cancel"), () => cancel(job.id)
      .catch(trouble), { class: "small" })),
  job.error && h("p", { class: "bad", role: "alert" }, job.error));
}

const section = (name, ...inside) => h("section", { class: `panel ${name}`, "aria-label": say(`solve.${name}`) },
  h("h2", {}, say(`solve.${name}`)), inside);

function told(name, found) {
  return found && section(name, found.rows.length ? figures(found.words, found.heads, found.rows)
    : h("p", {}, found.words));
}

function answer(found) {
  return [
    section("answer", h("p", {}, found.question), h("dl", { class: "facts" },
      found.headline.map(([name, figure]) => [h("dt", {}, name), h("dd", {}, figure)])),
      found.favours && h("p", { class: "notice" }, found.favours.words),
        h("p", { class: "faint" }, say("solve.meant"))),
    told("card", found.card), found.curve.length > 1
      && section("chances", curve(found.curve), found.map && situations(found.map)),
    told("mistakes", found.mistakes), told("library", found.library),
    section("certificate", found.certificate.map((line) => h("p", {}, line)), h("p", { class: "faint" }, found.menu)),
  ];
}

function curve(points) {
  const [[first, low], [last, high]] = [points[0], points[points.length - 1]];
  return lines(say("solve.curve"), say("solve.curve-words", { first, last, low: percent(low), high: percent(high) }),
    { best: points },
    { xText: say("solve.across"), yText: say("solve.chance"), showY: percent, low: 0 });
}

const situations = (map) => [h("p", { class: "faint" }, map.words), shades(say("solve.map"), map.words,
  map.rows.map(([puck, cells]) => [puck ? say("solve.point", { puck }) : say("solve.off"), cells]), map.columns,
    { xText: say("solve.rail"), most: map.top })];
