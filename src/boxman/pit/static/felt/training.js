// Training for dealers: what does each winning wager get? Said first, checked after, with the clause.
import { field, h } from "../kit/dom.js";
import { showClauses } from "../kit/clauses.js";
import { question, toast } from "../kit/dialog.js";
import { amountOf, money } from "../kit/money.js";

export async function pay(row, view, felt) {
  const won = (row.decided || []).filter((each) => each.type === "settled" && each.paid > 0);
  if (!won.length) return;
  const rolled = row.decided.find((each) => each.type === "rolled");
  const name = (each) => `${each.seat}: ${felt.spot(each.spot)?.name || each.spot}, ${money(each.stake, view.currency)}`;
  const answer = await question(`Pay ${rolled ? `${rolled.first}-${rolled.second}` : "the roll"}`,
    won.map((each, n) => field(name(each), h("input", { name: `paid${n}`, inputmode: "decimal", autocomplete: "off" }))), { action: "Pay" });
  if (!answer) return;
  const wrong = won.filter((each, n) => amountOf(answer[`paid${n}`] || "") !== each.paid);
  if (!wrong.length) return void toast("Paid right.", { kind: "good" });
  const told = h("ul", { class: "told" }, wrong.map((each) => h("li", {}, `${name(each)} gets ${money(each.paid, view.currency)}.`)));
  await showClauses(view.house, [...new Set(wrong.flatMap((each) => each.cites))], "Not quite", told);
}
