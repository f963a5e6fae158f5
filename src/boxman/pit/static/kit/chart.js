// Pictures that the server drew, and tables of figures for those who read.
import { h } from "./dom.js";

// The report kit's markup, in which every word is escaped, read as a document: nothing in it runs.
export const drawn = (...all) => all.flat().filter(Boolean).map((markup) =>
  document.adoptNode(new DOMParser().parseFromString(markup, "text/html").body.firstChild));

// On a phone every row stands by itself, each figure beside its heading.
export function figures(caption, heads, rows) {
  return h("div", { class: "wide-scroll figures", tabindex: "0", role: "region", "aria-label": caption },
    h("table", {}, h("caption", {}, caption),
      h("thead", {}, h("tr", {}, heads.map((each, n) => h("th", { scope: "col", class: n ? "number" : "" }, each)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((each, n) =>
        n ? h("td", { class: "number", "data-head": heads[n] }, each) : h("th", { scope: "row" }, each)))))));
}
