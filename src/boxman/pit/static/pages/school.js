// Dealer school: timed questions from the house's rulebook, each answer explained by its clause.
import { ask, post } from "../kit/api.js";
import { button, field, find, h, keep, put, select } from "../kit/dom.js";
import { housesAnd, onSubmit } from "../kit/forms.js";
import { clauseText, sentence } from "../kit/clauses.js";
import { clothOf } from "../kit/cloth.js";
import { trouble } from "../kit/dialog.js";
import { asked, bar, heading, remember } from "../kit/shell.js";
import { CrapsFelt } from "../felt/felt.js";

const KINDS = [["payout", "What does this layout pay?"], ["down", "May this wager come down?"], ["noroll", "Is this a no roll?"]];
bar();
const main = find("#main");
const board = h("div", { class: "drill" });
const score = h("p", { class: "score", role: "status" });
const time = h("span", { class: "time" });
let tally = { right: 0, all: 0, seconds: 0 };
let began = 0;
let house;
let kind;

function drawScore() {
  const mean = tally.all ? ` · ${(tally.seconds / tally.all).toFixed(1)} s each` : "";
  const best = keep.get("school.best", 0);
  put(score, `Question ${tally.all + (began ? 1 : 0)} · ${tally.right} right of ${tally.all}${mean}${best ? ` · most right here so far ${best}` : ""}`);
}

async function next(number) {
  const seed = number ?? Math.floor(Math.random() * 2 ** 32);
  remember({ house: house.value, kind: kind.value, seed });
  const drill = await ask(`/api/drills/${encodeURIComponent(house.value)}?kind=${kind.value}&seed=${seed}`);
  const parts = [];
  if (drill.view) {
    const felt = h("craps-felt");
    parts.push(h("section", { class: "felt-holder", "aria-label": "The layout" }, felt), h("p", {}, drill.stakes));
    clothOf(drill.view).then((cloth) => {
      felt.cloth = cloth;
      felt.show(drill.view);
    }, trouble);
  }
  const dice = drill.roll && h("span", { class: "roll", role: "img", "aria-label": `${drill.roll[0]} and ${drill.roll[1]}` }, drill.roll.map((face) => CrapsFelt.die(face, 44)));
  time.textContent = "0 s";
  put(board, h("div", { class: "panel question" }, h("h2", {}, drill.question), dice, answerForm(drill), time), parts);
  began = performance.now();
  drawScore();
}

function answerForm(drill) {
  if (drill.options.length) {
    return h("div", { class: "actions answers", role: "group", "aria-label": "Answers" },
      drill.options.map((each) => button(each, () => judge(drill, each).catch(trouble), { class: "answer" })));
  }
  const said = h("p", { class: "bad", role: "alert" });
  const input = h("input", { name: "answer", required: true, autocomplete: "off", placeholder: "like 34 or -12.50" });
  const form = h("form", { class: "actions" }, field("Net, with minus for a loss", input), h("button", { class: "main" }, "Answer"), said);
  // What is no amount is no answer: it is asked again and costs nothing.
  onSubmit(form, () => judge(drill, input.value), (error) => {
    put(said, error.message);
    input.focus();
    input.select();
  });
  setTimeout(() => input.focus());
  return form;
}

async function judge(drill, answer) {
  const seconds = (performance.now() - began) / 1000;
  const told = await post("/api/drills/answer", { house: drill.house, kind: drill.kind, seed: drill.seed, answer });
  began = 0;
  tally = { right: tally.right + Number(told.right), all: tally.all + 1, seconds: tally.seconds + seconds };
  if (told.right) keep.set("school.best", Math.max(keep.get("school.best", 0), tally.right));
  drawScore();
  const go = button("Next question", () => next().catch(trouble), { class: "main" });
  put(find(".question", board), h("h2", {}, drill.question),
    h("p", { class: `verdict ${told.right ? "good" : "bad"}`, role: "status" }, told.verdict, h("span", { class: "time" }, ` ${seconds.toFixed(1)} s`)),
    h("ul", { class: "told" }, told.sentences.map((each) => sentence(drill.house, each.text, each.clauses))),
    h("p", {}, go), h("details", {}, h("summary", {}, "The clauses in full"), told.clauses.map((each) => clauseText(each))));
  go.focus();
}

async function start() {
  house = (await housesAnd(asked().get("house"), keep.get("house", ""))).choice;
  kind = select(KINDS, asked().get("kind") || "payout");
  const again = () => {
    tally = { right: 0, all: 0, seconds: 0 };
    next().catch(trouble);
  };
  house.addEventListener("change", again);
  kind.addEventListener("change", again);
  put(main, heading("Dealer school", "Drills made from the rulebook itself. The table's own engine knows the answer; the clause says why."),
    h("div", { class: "fields panel" }, field("House", house), field("Drill", kind)), score, board);
  const given = asked().get("seed");
  await next(given === null ? undefined : Number(given));
}

setInterval(() => {
  if (began) time.textContent = `${Math.floor((performance.now() - began) / 1000)} s`;
}, 500);
start().catch((error) => put(main, heading("Dealer school"), h("p", { class: "notice" }, error.message)));
