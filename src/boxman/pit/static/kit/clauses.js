// Clauses beside what they decide: a button per citation, the text when it is asked for.
import { clauseOf } from "./api.js";
import { button, h, put } from "./dom.js";
import { dialog } from "./dialog.js";
import { say } from "./say.js";

const SORTS = { gap: say("clauses.gap"), term: say("clauses.term") };

export function clauseText(clause, level = "h3") {
  const sort = SORTS[clause.sort];
  const id = clause.clause || clause.id;
  return h("article", { class: `clause ${clause.sort}`, "data-clause": id },
    h(level, {}, h("code", {}, id), " ", clause.title),
    sort && h("p", { class: "sort" }, sort),
    h("p", { class: "clause-text" }, clause.text));
}

export async function showClauses(house, ids, title = say("clauses.title"), before = []) {
  const list = h("div", { class: "clauses" }, h("p", { class: "faint" }, say("clauses.reading")));
  dialog(title, [before, list], { wide: true });
  const texts = await Promise.all(
    ids.map((id) => clauseOf(house, id).then(clauseText, () => h("p", {}, id))));
  put(list, texts.length ? texts : h("p", { class: "faint" }, say("clauses.none")));
  list.dataset.ready = "";
}

// The same with texts at hand: {id or clause, sort, title, text}.
export function showTexts(title, before, texts) {
  const list = texts.map((each) => clauseText(each));
  dialog(title, [before, h("div", { class: "clauses", "data-ready": "" }, list)], { wide: true });
}

export function cite(house, ids, title) {
  if (!ids?.length) return null;
  return h("span", { class: "cites" }, ids.map((id) =>
    button(`{${id}}`, () => showClauses(house, [id], title), {
      class: "cite", "aria-label": say("clauses.clause", { id }) })));
}

// A sentence with its clauses, as an explanation shows it.
export const sentence = (house, text, ids, kind = "") =>
  h("li", { class: kind }, h("span", {}, text), " ", cite(house, ids));
