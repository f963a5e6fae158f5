// Training for dealers: what does each winning wager get? Said first, checked after, with the clause.
import { field, h } from "../kit/dom.js";
import { showClauses } from "../kit/clauses.js";
import { question, toast } from "../kit/dialog.js";
import { amountOf, money } from "../kit/money.js";
import { say } from "../kit/say.js";

export async function pay(row, view, felt) {
  const won = (row.decided || []).filter((each) => each.type === "settled" && each.paid > 0);
  if (!won.length) return;
  const rolled = row.decided.find((each) => each.type === "rolled");
  const name = (each) =>
    `${each.seat}: ${felt.spot(each.spot)?.name || each.spot}, ${money(each.stake, view.currency)}`;
  const answer = await question(rolled ? say("training.pay", { roll: `${rolled.first}-${rolled.second}` })
    : say("training.pay-it"),
    won.map((each, n) => field(name(each), h("input", { name: `paid${n}`, inputmode: "decimal", autocomplete: "off",
      required: true }))), { action: say("training.action") });
  if (!answer) return;
  const said = won.map((each, n) => amountOf(answer[`paid${n}`] || ""));
  const right = said.every((each, n) => each === won[n].paid);
  const told = won.map((each, n) => h("li", { class: said[n] === each.paid ? "won" : "lost" },
    said[n] === each.paid ? say("training.gets", { name: name(each), paid: money(each.paid, view.currency) })
      : say("training.not", { name: name(each), paid: money(each.paid, view.currency),
        said: `${view.currency}${answer[`paid${n}`]}` })));
  const why = () => showClauses(view.house, [...new Set(won.flatMap((each) => each.cites))],
    say(right ? "training.right" : "training.wrong"), h("ul", { class: "told" }, told));
  if (right) toast(say("training.paid-right"), { kind: "good", more: { label: say("table.why"), action: why } });
  else await why();
}
