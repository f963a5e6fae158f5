// Dealer school: timed questions from the house's rulebook, each answer explained by its clause.
import { ask, once, post } from "../kit/api.js";
import { button, field, find, h, keep, put, select } from "../kit/dom.js";
import { clauseText } from "../kit/clauses.js";
import { trouble } from "../kit/dialog.js";
import { money } from "../kit/money.js";
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
let seed = 0;
let house;
let kind;

function drawScore() {
  const mean = tally.all ? (tally.seconds / tally.all).toFixed(1) : "–";
  put(score, tally.all > 0 && `${tally.right} right of ${tally.all} · ${mean} s each`, tally.all ? ` · best run here ${keep.get("school.best", 0)}` : "");
}

async function next(number) {
  seed = number ?? Math.floor(Math.random() * 2 ** 32);
  remember({ house: house.value, kind: kind.value, seed });
  const drill = await ask(`/api/drills/${encodeURIComponent(house.value)}?kind=${kind.value}&seed=${seed}`);
  const parts = [];
  if (drill.view) {
    const felt = h("craps-felt");
    parts.push(h("section", { class: "felt-holder", "aria-label": "The layout" }, felt), wagers(drill.view, felt));
    once(`/api/houses/${encodeURIComponent(drill.house)}/felt`).then((cloth) => {
      felt.cloth = cloth;
      felt.show(drill.view);
      find(".stakes", board)?.replaceWith(wagers(drill.view, felt));
    }, trouble);
  }
  const dice = drill.roll && h("span", { class: "roll", role: "img", "aria-label": `${drill.roll[0]} and ${drill.roll[1]}` }, drill.roll.map((face) => CrapsFelt.die(face, 44)));
  put(board, h("div", { class: "panel question" }, h("h2", {}, drill.question), dice, answerForm(drill), time), parts);
  began = performance.now();
}

function wagers(view, felt) {
  const list = view.seats[0].wagers;
  const puck = view.puck ? `The puck is on ${view.puck}.` : "The puck is off.";
  return h("p", { class: "stakes" }, `${puck} `, list.map((each, n) => `${n ? ", " : ""}${felt.spot?.(each.spot)?.name || each.spot} ${money(each.stake, view.currency)}${each.working ? "" : " (off)"}`));
}

function answerForm(drill) {
  const send = (answer) => judge(drill, answer).catch(trouble);
  if (drill.options.length) {
    return h("div", { class: "actions", role: "group", "aria-label": "Answers" }, drill.options.map((each) => button(each, () => send(each), { class: "answer" })));
  }
  const input = h("input", { name: "answer", required: true, autocomplete: "off", inputmode: "text", placeholder: "like 34 or -12.50" });
  const form = h("form", { class: "actions" }, field("Net, with minus for a loss", input), h("button", { class: "main" }, "Answer"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(input.value);
  });
  setTimeout(() => input.focus());
  return form;
}

async function judge(drill, answer) {
  const seconds = (performance.now() - began) / 1000;
  began = 0;
  const told = await post("/api/drills/answer", { house: drill.house, kind: drill.kind, seed: drill.seed, answer });
  tally = { right: tally.right + Number(told.right), all: tally.all + 1, seconds: tally.seconds + seconds };
  if (told.right) keep.set("school.best", Math.max(keep.get("school.best", 0), tally.right));
  drawScore();
  const go = button("Next question", () => next().catch(trouble), { class: "main" });
  put(find(".question", board), h("h2", {}, drill.question),
    h("p", { class: `verdict ${told.right ? "good" : "bad"}`, role: "status" }, told.right ? "Right." : `Not quite: it is ${told.answer}.`, ` ${seconds.toFixed(1)} s`),
    h("ul", { class: "told" }, told.sentences.map((each) => h("li", {}, each.text, " ", each.clauses.map((id) => h("code", {}, `{${id}} `))))),
    go, h("details", {}, h("summary", {}, "The clauses"), told.clauses.map((each) => clauseText(each))));
  go.focus();
}

async function start() {
  const { houses } = await once("/api/houses");
  house = select(houses.map((each) => [each.house, each.title]), asked().get("house") || keep.get("house", houses[0].house));
  kind = select(KINDS, asked().get("kind") || "payout");
  const again = () => {
    tally = { right: 0, all: 0, seconds: 0 };
    drawScore();
    next().catch(trouble);
  };
  house.addEventListener("change", again);
  kind.addEventListener("change", again);
  put(main, heading("Dealer school", "Drills made from the rulebook itself. The table's own engine knows the answer; the clause says why."),
    h("div", { class: "fields panel" }, field("House", house), field("Drill", kind)), score, board);
  drawScore();
  const given = asked().get("seed");
  await next(given === null ? undefined : Number(given));
}

setInterval(() => {
  if (began) time.textContent = `${Math.floor((performance.now() - began) / 1000)} s`;
}, 500);
start().catch((error) => put(main, heading("Dealer school"), h("p", { class: "notice" }, error.message)));
