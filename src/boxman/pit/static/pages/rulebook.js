// A rulebook to read in full, clause by clause, with its facts and gaps; and beside another house.
import { once, pathOf } from "../kit/api.js";
import { field, find, h, put, select } from "../kit/dom.js";
import { cite, clauseText } from "../kit/clauses.js";
import { trouble } from "../kit/dialog.js";
import { say } from "../kit/say.js";
import { asked, bar, heading, part, remember } from "../kit/shell.js";

bar();
const main = find("#main");
const wide = matchMedia("(min-width: 821px)");

async function choose() {
  const { houses } = await once("/api/houses");
  put(main, heading(say("rulebook.title"), say("rulebook.lead")),
    h("div", { class: "grid" }, houses.map((each) => h("article", { class: "panel" },
      h("h2", {}, each.title), h("p", { class: "faint" }, each.edition),
      h("a", { class: "button main", href: `/rulebook/${encodeURIComponent(each.house)}`,
        "aria-label": say("rulebook.read-it", { title: each.title }) }, say("rulebook.read"))))));
}

const SORTS = ["", "clause", "gap", "term"].map((each) => [each, say(`rulebook.sorts.${each || "all"}`)]);

// What the table runs on: each fact of the clause in words, or why there is none.
const facts = (clause) => (clause.reason ? h("p", { class: "faint facts" }, clause.reason)
  : h("ul", { class: "facts", "aria-label": say("rulebook.facts") },
    clause.facts.map((fact) => h("li", {}, h("b", {}, fact.kind), ` ${fact.said}`))));

function clauseOf(each) {
  const made = clauseText(each, "h3");
  made.id = `clause-${each.clause}`;
  find("h3 code", made).replaceWith(h("a", { class: "permalink", href: `#clause-${encodeURIComponent(each.clause)}`,
    "aria-label": say("rulebook.link", { clause: each.clause }) },
    h("code", {}, each.clause)));
  made.append(facts(each));
  return made;
}

// Chapters in the document's order, each with those of its clauses that are wanted.
function chapters(all, wanted) {
  const names = [...new Set(all.map((each) => each.chapter))];
  return names.map((name, n) => ({ name: name || say("rulebook.rules"),
    own: wanted.filter((each) => each.chapter === name), id: `chapter-${n + 1}` }))
    .filter(({ own }) => own.length);
}

function contents(list) {
  return h("details", { class: "panel contents", open: wide.matches }, h("summary", {}, say("rulebook.contents")),
    h("nav", { "aria-label": say("rulebook.contents") }, h("ol", {}, list.map(({ name, own, id }) => h("li", {},
      h("a", { href: `#${id}` }, name), h("small", {}, ` ${own.length}`))))));
}

async function read(house) {
  // Of a table: what it was opened with. The house may have another edition by now, or the server no such house.
  const table = asked().get("table") || "";
  const [book, { houses }] = await Promise.all([once(`${pathOf({ table, house })}/rulebook`), once("/api/houses")]);
  const same = houses.some((each) => each.digest === book.digest);
  document.title = `${book.title} · Boxman`;
  const list = h("div", { class: "book" });
  const side = h("div", { class: "book-side" });
  const count = h("p", { class: "faint", role: "status" });
  const search = h("input", { type: "search", value: asked().get("q") || "", placeholder: say("rulebook.example") });
  const sort = select(SORTS, asked().get("sort") || "");
  const other = select([["", say("rulebook.not-compared")],
    ...houses.filter((each) => (each.house === house) !== same)
      .map((each) => [each.house, same ? each.title : say("rulebook.now", each)])],
    asked().get("with") || (same ? "" : house));
  const draw = () => {
    const words = search.value.trim().toLowerCase();
    const found = book.clauses.filter((each) => (!sort.value || each.sort === sort.value)
      && (!words || `${each.clause} ${each.title} ${each.text}`.toLowerCase().includes(words)));
    put(count, say("rulebook.found", { n: found.length, all: book.clauses.length }));
    const parts = chapters(book.clauses, found);
    put(side, parts.length > 1 && contents(parts));
    put(list, parts.map(({ name, own, id }) => h("section", { "aria-labelledby": id }, h("h2", { id }, name),
      own.map(clauseOf))));
    remember({ table, q: search.value, sort: sort.value, with: other.value });
  };
  const compare = async () => {
    remember({ table, q: search.value, sort: sort.value, with: other.value });
    put(find("#difference"), other.value && await difference(house, other.value));
  };
  search.addEventListener("input", draw);
  sort.addEventListener("change", draw);
  other.addEventListener("change", () => compare().catch(trouble));
  put(main, heading(book.title, book.edition),
    h("form", { class: "fields panel", onsubmit: (event) => event.preventDefault(), role: "search" },
      field(say("rulebook.search"), search), field(say("rulebook.show"), sort), field(say("rulebook.compare"), other)),
    h("section", { id: "difference", "aria-label": say("rulebook.differs") }), count,
      h("div", { class: "reading" }, side, list));
  draw();
  await compare();
  const wanted = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  // The clause was not there when the address was opened: go to it now, so that it is marked too.
  if (wanted) location.replace(location.hash);
  else if (location.hash) throw new Error(say("rulebook.no-clause",
    { clause: decodeURIComponent(location.hash.slice(1)).replace("clause-", "") }));
}

async function difference(first, second) {
  const short = (title) => title.replace(/:.*/, "");
  // Between what a table was opened with and the same house today, or between two houses.
  const table = first === second && asked().get("table");
  const path = pathOf({ table, house: first });
  const data = await once(table ? `${path}/diff` : `${path}/diff/${encodeURIComponent(second)}`);
  const where = table ? { table } : first;
  if (table) data.second.title = say("rulebook.now", data.second);
  const rows = data.groups.flatMap((group) => [
    h("tr", { class: "group" }, h("th", { scope: "colgroup", colspan: 3 }, group.head)),
    ...group.rows.map((row) => h("tr", {}, h("th", { scope: "row" }, row.what),
      h("td", { "data-house": short(data.first.title) }, row.first, " ", cite(where, row.first_cites)),
      h("td", { "data-house": short(data.second.title) }, row.second, " ", cite(second, row.second_cites))))]);
  return h("details", { class: "panel", open: true },
    h("summary", {}, say("rulebook.count", { n: data.count, first: data.first.title, second: data.second.title })),
    h("div", { class: "wide-scroll scroll-y", tabindex: "0", role: "region",
      "aria-label": say("rulebook.differences") }, h("table", { class: "difference" },
      h("thead", {}, h("tr", {}, [say("rulebook.what"), data.first.title, data.second.title]
        .map((each) => h("th", { scope: "col" }, each)))),
      h("tbody", {}, rows))));
}

put(main, heading(say("rulebook.title"), say("rulebook.reading")));
const house = part(2);
(house ? read(house) : choose()).catch((error) => {
  if (find(".book")) trouble(error);
  else put(main, heading(say("rulebook.one")), h("p", { class: "notice" }, error.message),
    h("a", { class: "button", href: "/rulebook" }, say("rulebook.all")));
});
