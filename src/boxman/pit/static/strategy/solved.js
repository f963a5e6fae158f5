// The answer of best play: the chance of losing everything first, a card, costs, the library, pictures.
import { drawn, figures } from "../kit/chart.js";
import { h, put } from "../kit/dom.js";
import { say } from "../kit/say.js";
import { state } from "./job.js";

export function draw(results, job) {
  put(results, state(job), job.fits && fitting(job.fits), job.answer && answer(job.answer));
  results.dataset.state = job.state;
}

// The same question with a menu that is not too large.
function fitting([menu, stakes]) {
  const query = new URLSearchParams(location.search);
  query.set("menu", menu);
  query.set("stakes", stakes);
  return h("p", {}, h("a", { href: `?${query}` }, say("solve.fits", { menu, stakes })));
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
    told("card", found.card), found.pictures.length > 0 && section("chances", drawn(found.pictures)),
    told("mistakes", found.mistakes), told("library", found.library),
    section("certificate", found.certificate.map((line) => h("p", {}, line)), h("p", { class: "faint" }, found.menu)),
  ];
}
