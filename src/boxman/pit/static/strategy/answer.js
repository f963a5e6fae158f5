// The answer so far: exact where there is one, then the simulation as it grows.
import { ask } from "../kit/api.js";
import { button, h, put } from "../kit/dom.js";
import { figures, histogram } from "../kit/chart.js";
import { trouble } from "../kit/dialog.js";
import { signed } from "../kit/money.js";
import { watch } from "./replay.js";

export const working = (job) => ["waiting", "running"].includes(job.state);

export function draw(results, job, currency) {
  const show = (value) => signed(Math.round(value / 100) * 100, currency);
  const chart = (kind, each, series = 0) => histogram(`${kind} results of ${each.title}`, each.rows.map((row) => row.join(" ")).join("; "), each,
    { xText: "result of a session", show, series });
  // Somebody may be on a button with the keyboard while figures come in.
  const held = results.contains(document.activeElement) && document.activeElement.textContent;
  put(results, state(job),
    job.exact.map((each) => h("section", { class: "panel exact", "aria-label": `Exact: ${each.title}` }, each.why_not
      ? [h("h2", {}, each.title), h("p", { class: "faint" }, `No exact answer: ${each.why_not}`)]
      : [h("h2", {}, `${each.title}: exact`), table(`Exact figures of ${each.title}`, [each]), chart("Exact", each)])),
    job.results.length > 0 && h("section", { class: "panel simulated", "aria-label": "Simulated" },
      h("h2", {}, `${job.results[0].sessions.toLocaleString("en")} sessions on the same dice`),
      job.results.map((each, n) => [h("h3", {}, each.title), chart("Simulated", each, n)]), table("Simulated figures", job.results),
      job.results.map((each, n) => !working(job) && felts(job, each, n, currency)), job.pairs.map((each) => h("p", {}, each)),
      job.results.map((each) => each.refused.length > 0 && h("p", { class: "faint" }, `${each.title} was refused: ${each.refused.join("; ")}.`)),
      h("p", { class: "faint" }, `Played by: ${[...new Set(job.results.map((each) => each.executor))].join("; ")}. The same question gives the same dice.`)));
  results.dataset.state = job.state;
  if (held) [...results.querySelectorAll("button")].find((each) => each.textContent === held)?.focus();
}

function state(job) {
  return h("section", { class: "panel", "aria-label": "Progress" }, h("div", { class: "actions" },
    h("progress", { max: 1, value: job.progress, "aria-label": "Progress" }), h("span", { role: "status", class: "state-words" }, job.words),
    working(job) && button("Cancel", () => ask(`/api/simulations/${job.id}`, { method: "DELETE" }).catch(trouble), { class: "small" })),
  job.error && h("p", { class: "bad", role: "alert" }, job.error));
}

const table = (caption, all) => figures(caption, ["Figure", ...all.map((each) => each.title)],
  all[0].rows.map(([label], n) => [label, ...all.map((each) => each.rows[n][1])]));

const felts = (job, each, n, currency) => h("p", { class: "actions" }, `Watch on the felt (${each.title}):`, Object.entries(each.which).map(([which, session]) =>
  button(which, () => watch(job, n, session, `The ${which} session of ${each.title}`, currency).catch(trouble),
    { class: "small", "aria-label": `Watch the ${which} session of ${each.title}` })));
