// The answer so far: exact where there is one, then the simulation as it grows.
import { button, h, put } from "../kit/dom.js";
import { figures, histogram } from "../kit/chart.js";
import { trouble } from "../kit/dialog.js";
import { signed } from "../kit/money.js";
import { watch } from "./replay.js";
import { language, say } from "../kit/say.js";
import { cancel, working } from "./job.js";

export function draw(results, job, currency) {
  const show = (value) => signed(Math.round(value / 100) * 100, currency);
  const chart = (kind, each, series = 0) => histogram(say("answer.results-of", { kind, title: each.title }),
    each.rows.map((row) => row.join(" ")).join("; "), each,
    { xText: say("answer.axis"), show, series });
  // Somebody may be on a button with the keyboard while figures come in.
  const held = results.contains(document.activeElement) && document.activeElement.textContent;
  put(results, state(job),
    job.exact.map((each) => h("section", { class: "panel exact",
      "aria-label": say("answer.exact-of", { title: each.title }) }, each.why_not
      ? [h("h2", {}, each.title), h("p", { class: "faint" }, say("answer.no-exact", { why: each.why_not }))]
      : [h("h2", {}, say("answer.exact", { title: each.title })),
        table(say("answer.exact-figures", { title: each.title }), [each]), chart("exact", each)])),
    job.results.length > 0 && h("section", { class: "panel simulated", "aria-label": say("answer.simulated") },
      h("h2", {}, say("answer.sessions", { n: job.results[0].sessions.toLocaleString(language) })),
      job.results.map((each, n) => [h("h3", {}, each.title), chart("simulated", each, n)]),
        table(say("answer.figures"), job.results),
      job.results.map((each, n) => !working(job) && felts(job, each, n, currency)),
        job.pairs.map((each) => h("p", {}, each)),
      job.results.map((each) => each.refused.length > 0
        && h("p", { class: "faint" }, say("answer.refused", { title: each.title, what: each.refused.join("; ") }))),
      h("p", { class: "faint" }, say("answer.played",
        { what: [...new Set(job.results.map((each) => each.executor))].join("; ") }))));
  results.dataset.state = job.state;
  if (held) [...results.querySelectorAll("button")].find((each) => each.textContent === held)?.focus();
}

function state(job) {
  return h("section", { class: "panel", "aria-label": say("answer.progress") }, h("div", { class: "actions" },
    h("progress", { max: 1, value: job.progress, "aria-label": say("answer.progress") }),
      h("span", { role: "status", class: "state-words" }, job.words),
    working(job) && button(say("answer.cancel"), () => cancel(job.id)
      .catch(trouble), { class: "small" })),
  job.error && h("p", { class: "bad", role: "alert" }, job.error));
}

const table = (caption, all) => figures(caption, [say("answer.figure"), ...all.map((each) => each.title)],
  all[0].rows.map(([label], n) => [label, ...all.map((each) => each.rows[n][1])]));

const felts = (job, each, n, currency) => h("p", { class: "actions" }, say("answer.watch", { title: each.title }),
  Object.entries(each.which).map(([which, session]) =>
  button(say(`answer.which.${which}`), () => watch(job, n, session, say("answer.session", { which, title: each.title }),
    currency).catch(trouble),
    { class: "small", "aria-label": say("answer.watch-it", { which, title: each.title }) })));
