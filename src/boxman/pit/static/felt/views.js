// The pages of a cloth that is too small for all of it, to turn.
import { button, h, put } from "../kit/dom.js";
import { say } from "../kit/say.js";

export function views(felt) {
  const made = h("div", { class: "views", role: "group", "aria-label": say("table.pages"), hidden: true });
  felt.addEventListener("laid", () => {
    const words = felt.pages;
    made.hidden = words.length < 2;
    put(made, words.length > 1 && words.map((word, n) => {
      const one = button(word || say("table.first-page"), () => {
        felt.page = n;
      }, { "aria-pressed": String(felt.page === n), title: word || say("table.layout") });
      // As wide as it has words.
      one.style.flexGrow = one.textContent.length;
      return one;
    }));
  });
  return made;
}
