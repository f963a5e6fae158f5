// What was done to the house besides playing: people, cage, quotas and keys, each a row of a chain.
import { ask } from "./api.js";
import { button, h, put } from "./dom.js";
import { trouble } from "./dialog.js";
import { say } from "./say.js";

const COLUMNS = ["number", "time", "by", "what", "about"];

function line(act) {
  const more = Object.entries(act.details).filter(([, worth]) => worth)
    .map(([name, worth]) => `${name} ${worth}`).join(", ");
  return h("tr", {}, h("th", { scope: "row" }, act.number), h("td", {}, new Date(act.at).toLocaleString()),
    h("td", {}, act.by),
    h("td", {}, act.what), h("td", {}, [act.about, more].filter(Boolean).join(": ")));
}

// A panel that is read when it is opened; for somebody who may not read it there is none.
export function actsPanel() {
  const verdict = h("p", { role: "status" });
  const list = h("tbody", {});
  const room = h("div", {});
  const verify = () => ask("/api/acts/verify").then((found) => {
    verdict.className = found.sound ? "good" : "bad";
    verdict.textContent = found.sound ? say("acts.sound", { n: found.rows })
      : say("acts.unsound", { problems: found.problems.join("; ") });
  }).catch(trouble);
  const panel = h("details", { class: "panel acts" }, h("summary", {}, say("acts.title")),
    h("p", { class: "faint" }, say("acts.lead")), room);
  panel.addEventListener("toggle", async () => {
    if (!panel.open || list.isConnected) return;
    try {
      const { acts } = await ask("/api/acts?limit=200");
      put(list, acts.map(line));
      put(room, h("div", { class: "actions" }, button(say("acts.verify"), verify),
        h("a", { class: "button", href: "/api/acts/export", download: "acts.jsonl" }, say("acts.export"))), verdict,
      h("div", { class: "wide-scroll", tabindex: "0", role: "region", "aria-label": say("acts.title") }, h("table", {},
        h("thead", {}, h("tr", {}, COLUMNS.map((each) => h("th", { scope: "col" }, say(`acts.columns.${each}`))))),
          list)));
    } catch (error) { trouble(error); }
  });
  return panel;
}
