// Training for dealers: what does each winning wager get? Said first, checked after, with the clause.
import { field, h } from "../kit/dom.js";
import { showClauses } from "../kit/clauses.js";
import { question, toast } from "../kit/dialog.js";
import { amountOf, money } from "../kit/money.js";

export async function pay(row, view, felt) {
  const won = (row.decided || []).filter((each) => each.type === "settled" && each.paid > 0);
  if (!won.length) return;
  const rolled = row.decided.find((each) => each.type === "rolled");
  const name = (each) =>
    `${each.seat}: ${felt.spot(each.spot)?.name || each.spot}, ${money(each.stake, view.currency)}`;
  const answer = await question(`Pay ${rolled ? `${rolled.first}-${rolled.second}` : "the roll"}`,
    won.map((each, n) => field(name(each), h("input", { name: `paid${n}`, inputmode: "decimal", autocomplete: "off",
      required: true }))), { action: "Pay" });
  if (!answer) return;
  const said = won.map((each, n) => amountOf(answer[`paid${n}`] || ""));
  const right = said.every((each, n) => each === won[n].paid);
  const told = won.map((each, n) => h("li", { class: said[n] === each.paid ? "won" : "lost" },
    `${name(each)} gets ${money(each.paid, view.currency)}${said[n] === each.paid ? "" : `, not ${view.currency}${answer[`paid${n}`]}`}.`));
  const why = () => showClauses(view.house, [...new Set(won.flatMap((each) => each.cites))], right ? "Paid right"
    : "Not quite", h("ul", { class: "told" }, told));
  if (right) toast("Paid right.", { kind: "good", more: { label: "Why?", action: why } });
  else await why();
}
