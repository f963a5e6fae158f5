// A rulebook to read in full, clause by clause, with its gaps; and beside another house.
import { once } from "../kit/api.js";
import { field, find, h, put, select } from "../kit/dom.js";
import { cite, clauseText } from "../kit/clauses.js";
import { trouble } from "../kit/dialog.js";
import { asked, bar, heading, part, remember } from "../kit/shell.js";

bar();
const main = find("#main");

async function choose() {
  const { houses } = await once("/api/houses");
  put(main, heading("Rulebooks", "Each house is one readable file: every clause in our own words, with the facts the table runs on."),
    h("div", { class: "grid" }, houses.map((each) => h("article", { class: "panel" },
      h("h2", {}, each.title), h("p", { class: "faint" }, each.edition),
      h("a", { class: "button main", href: `/rulebook/${encodeURIComponent(each.house)}`, "aria-label": `Read ${each.title}` }, "Read")))));
}

const SORTS = [["", "everything"], ["clause", "clauses"], ["gap", "gaps: where the text is silent"], ["term", "terms of the house"]];

async function read(house) {
  const [book, { houses }] = await Promise.all([once(`/api/houses/${encodeURIComponent(house)}/rulebook`), once("/api/houses")]);
  document.title = `${book.title} · Boxman`;
  const list = h("div", { class: "book" });
  const count = h("p", { class: "faint", role: "status" });
  const search = h("input", { type: "search", value: asked().get("q") || "", placeholder: "odds, no roll, 6.1…" });
  const sort = select(SORTS, asked().get("sort") || "");
  const other = select([["", "not compared"], ...houses.filter((each) => each.house !== house).map((each) => [each.house, each.title])],
    asked().get("with") || "");
  const draw = () => {
    const words = search.value.trim().toLowerCase();
    const found = book.clauses.filter((each) => (!sort.value || each.sort === sort.value)
      && (!words || `${each.clause} ${each.title} ${each.text}`.toLowerCase().includes(words)));
    put(count, `${found.length} of ${book.clauses.length}`);
    put(list, found.map((each) => {
      const made = clauseText(each, "h2");
      made.id = `clause-${each.clause}`;
      const facts = Object.entries(each.facts).map(([kind, n]) => `${n} ${kind}`).join(", ");
      made.append(h("p", { class: "faint facts-line" }, facts || each.reason));
      return made;
    }));
    remember({ q: search.value, sort: sort.value, with: other.value });
  };
  const compare = async () => {
    remember({ q: search.value, sort: sort.value, with: other.value });
    if (other.value) put(find("#difference"), await difference(house, other.value));
    else put(find("#difference"));
  };
  search.addEventListener("input", draw);
  sort.addEventListener("change", draw);
  other.addEventListener("change", () => compare().catch(trouble));
  put(main, heading(book.title, book.edition),
    h("form", { class: "fields panel", onsubmit: (event) => event.preventDefault(), role: "search" },
      field("Search", search), field("Show", sort), field("Compare with", other)),
    h("section", { id: "difference", "aria-label": "What differs" }), count, list);
  draw();
  await compare();
  if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
}

async function difference(first, second) {
  const data = await once(`/api/houses/${encodeURIComponent(first)}/diff/${encodeURIComponent(second)}`);
  let last = null;
  const rows = data.rows.flatMap((row) => {
    const group = row.spot !== last ? h("tr", { class: "group" }, h("th", { scope: "colgroup", colspan: 3 }, row.spot || "the table")) : null;
    last = row.spot;
    return [group, h("tr", {}, h("th", { scope: "row" }, row.what),
      h("td", {}, row.first, " ", cite(first, row.first_cites)), h("td", {}, row.second, " ", cite(second, row.second_cites)))];
  });
  return h("details", { class: "panel", open: true }, h("summary", {}, `${data.rows.length} differences between ${data.first.title} and ${data.second.title}`),
    h("div", { class: "wide-scroll scroll-y", tabindex: "0", role: "region", "aria-label": "Differences" }, h("table", { class: "difference" },
      h("thead", {}, h("tr", {}, ["What", data.first.title, data.second.title].map((each) => h("th", { scope: "col" }, each)))),
      h("tbody", {}, rows))));
}

const house = part(2);
(house ? read(house) : choose()).catch((error) => {
  put(main, heading("Rulebook"), h("p", { class: "notice" }, error.message));
});
