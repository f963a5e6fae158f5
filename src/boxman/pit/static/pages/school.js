// Dealer school: timed questions from the house's rulebook, each answer explained by its clause.
import { ask, post } from "../kit/api.js";
import { button, field, find, h, keep, put, select } from "../kit/dom.js";
import { housesAnd, onSubmit } from "../kit/forms.js";
import { clauseText, sentence } from "../kit/clauses.js";
import { clothOf } from "../kit/cloth.js";
import { trouble } from "../kit/dialog.js";
import { say } from "../kit/say.js";
import { asked, bar, heading, remember } from "../kit/shell.js";
import { CrapsFelt } from "../felt/felt.js";

const KINDS = ["payout", "down", "noroll"].map((each) => [each, say(`school.kinds.${each}`)]);
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
  const mean = tally.all && say("school.mean", { seconds: (tally.seconds / tally.all).toFixed(1) });
  const best = keep.get("school.best", 0);
  put(score, [say("school.score", { n: tally.all + (began ? 1 : 0), right: tally.right, all: tally.all }), mean,
    best && say("school.best", { n: best })].filter(Boolean).join(" · "));
}

async function next(number) {
  const seed = number ?? Math.floor(Math.random() * 2 ** 32);
  remember({ house: house.value, kind: kind.value, seed });
  const drill = await ask(`/api/drills/${encodeURIComponent(house.value)}?kind=${kind.value}&seed=${seed}`);
  const parts = [];
  if (drill.view) {
    const felt = h("craps-felt");
    parts.push(h("section", { class: "felt-holder", "aria-label": say("school.layout") }, felt),
      h("p", {}, drill.stakes));
    clothOf(drill.view).then((cloth) => {
      felt.cloth = cloth;
      felt.show(drill.view);
    }, trouble);
  }
  const dice = drill.roll && h("span", { class: "roll", role: "img",
    "aria-label": say("school.dice", { first: drill.roll[0], second: drill.roll[1] }) },
    drill.roll.map((face) => CrapsFelt.die(face, 44)));
  time.textContent = say("school.seconds", { n: 0 });
  put(board, h("div", { class: "panel question" }, h("h2", {}, drill.question), dice, answerForm(drill), time), parts);
  began = performance.now();
  drawScore();
}

function answerForm(drill) {
  if (drill.options.length) {
    return h("div", { class: "actions answers", role: "group", "aria-label": say("school.answers") },
      drill.options.map((each) => button(each, () => judge(drill, each).catch(trouble), { class: "answer" })));
  }
  const said = h("p", { class: "bad", role: "alert" });
  const input = h("input", { name: "answer", required: true, autocomplete: "off", placeholder: say("school.example") });
  const form = h("form", { class: "actions" }, field(say("school.net"), input),
    h("button", { class: "main" }, say("school.answer")), said);
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
  const go = button(say("school.next"), () => next().catch(trouble), { class: "main" });
  put(find(".question", board), h("h2", {}, drill.question),
    h("p", { class: `verdict ${told.right ? "good" : "bad"}`, role: "status" }, told.verdict,
      h("span", { class: "time" }, ` ${say("school.seconds", { n: seconds.toFixed(1) })}`)),
    h("ul", { class: "told" }, told.sentences.map((each) => sentence(drill.house, each.text, each.clauses))),
    h("p", {}, go), h("details", {}, h("summary", {}, say("school.clauses")),
      told.clauses.map((each) => clauseText(each))));
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
  put(main, heading(say("school.title"), say("school.lead")),
    h("div", { class: "fields panel" }, field(say("school.house"), house), field(say("school.drill"), kind)), score,
      board);
  const given = asked().get("seed");
  await next(given === null ? undefined : Number(given));
}

setInterval(() => {
  if (began) time.textContent = say("school.seconds", { n: Math.floor((performance.now() - began) / 1000) });
}, 500);
start().catch((error) => put(main, heading(say("school.title")), h("p", { class: "notice" }, error.message)));
