// The answer so far: exact where there is one, pictures, the simulation as it grows, sessions to watch.
import { button, h, put } from "../kit/dom.js";
import { drawn, figures } from "../kit/chart.js";
import { sentence } from "../kit/clauses.js";
import { trouble } from "../kit/dialog.js";
import { watch } from "./replay.js";
import { language, say } from "../kit/say.js";
import { state, working } from "./job.js";

export function draw(results, job, { house, currency }) {
  const { exact, results: played, survival, fans = [] } = job;
  const solved = exact.filter((each) => each.rows);
  // The exact answer stands for the simulated one where there is both.
  const best = (played.length ? played : exact).map((each, n) => (exact[n]?.rows ? exact[n] : each));
  // Somebody may be on a button with the keyboard while figures come in.
  const held = results.contains(document.activeElement) && document.activeElement.textContent;
  put(results, state(job),
    section("exact", exact, () => [solved.map((each) => h("p", {}, h("b", {}, each.title, ":"), " ", each.words)),
      solved.length > 0 && table("exact", solved),
      exact.filter((each) => each.why_not).map((each) => h("p", { class: "faint" },
        say("answer.no-exact", { title: each.title, why: each.why_not })))]),
    section("pictures", best.filter((each) => each.picture), () => h("div", { class: "many" },
      drawn(best.map((each) => each.picture), survival, fans))),
    section("simulated", played, () => [
      h("p", {}, say("answer.sessions", { n: played[0].sessions.toLocaleString(language) })),
      table("simulated", played),
      !working(job) && played.map((each, n) => felts(job, each, n, currency)),
      job.pairs.map((each) => h("p", {}, each)),
      played.map((each) => each.refused.length > 0 && [h("h3", {}, say("answer.refused", each)),
        h("ul", { class: "told" }, each.refused.map((one) => sentence(house, one.text, one.clauses)))]),
      h("p", { class: "faint" }, say("answer.played",
        { what: [...new Set(played.map((each) => each.executor))].join("; ") }))]));
  results.dataset.state = job.state;
  if (held) [...results.querySelectorAll("button")].find((each) => each.textContent === held)?.focus();
}

const section = (name, list, inside) => list.length > 0 && h("section", { class: `panel ${name}`,
  "aria-label": say(`answer.${name}`) }, h("h2", {}, say(`answer.${name}`)), inside());

const table = (kind, all) => figures(say(`answer.${kind}-figures`),
  [say("answer.figure"), ...all.map((each) => each.title)],
  all[0].rows.map(([label], n) => [label, ...all.map((each) => each.rows[n][1])]));

const felts = (job, each, n, currency) => h("p", { class: "actions" }, say("answer.watch", each),
  Object.entries(each.which).map(([which, session]) =>
    button(say(`answer.which.${which}`), () => watch(job, n, session,
      say("answer.session", { which, title: each.title }), currency).catch(trouble),
    { class: "small", "aria-label": say("answer.watch-it", { which, title: each.title }) })));
