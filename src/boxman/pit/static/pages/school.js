// Dealer school: questions from the house's rulebook by level, alone or in rounds against the clock; each answer is
// explained by its clause, and what went wrong is listed at the end.
import { ask, clothOf, post } from "../kit/api.js";
import { button, field, find, h, keep, put, select } from "../kit/dom.js";
import { given, housesAnd, onSubmit } from "../kit/forms.js";
import { cite, clauseText, sentence } from "../kit/clauses.js";
import { trouble } from "../kit/dialog.js";
import { say } from "../kit/say.js";
import { asked, bar, heading, remember } from "../kit/shell.js";
import { CrapsFelt } from "../felt/felt.js";
import { views } from "../felt/print.js";

const list = (name, all) => all.map((each) => [each, say(`school.${name}.${each}`)]);
const KINDS = list("kinds", ["payout", "prop", "down", "noroll", "authority"]);
const LEVELS = list("levels", ["0", "1", "2", "3"]);
const ROUND = 60;
const KEYS = ["1", "2", "3", "⌫", "4", "5", "6", "−", "7", "8", "9", ".", "0"];
bar();
const main = find("#main");
const board = h("div", { class: "drill" });
const score = h("p", { class: "score", role: "status" });
const time = h("span", { class: "time" });
const nothing = () => ({ right: 0, all: 0, seconds: 0, streak: 0, wrong: [] });
let tally = nothing();
let began = 0;
let ends = 0; // when the round is over; 0: no round
let house;
let kind;
let level;

function drawScore() {
  const mean = tally.all && say("school.mean", { seconds: (tally.seconds / tally.all).toFixed(1) });
  const best = keep.get("school.best", 0);
  put(score, [say("school.score", { n: tally.all + (began ? 1 : 0), right: tally.right, all: tally.all }), mean,
    tally.streak > 1 && say("school.streak", { n: tally.streak }), best && say("school.best", { n: best })]
      .filter(Boolean).join(" · "));
}

async function next(number) {
  const seed = number ?? Math.floor(Math.random() * 2 ** 32);
  remember({ house: house.value, kind: kind.value, level: level.value === "0" ? "" : level.value, seed });
  const drill = await ask(
    `/api/drills/${encodeURIComponent(house.value)}?kind=${kind.value}&seed=${seed}&level=${level.value}`);
  const parts = [];
  if (drill.view) {
    // On a phone, and against the clock everywhere, the cloth has the room that the question leaves.
    const felt = h("craps-felt", { still: true, class: ends || innerWidth <= 900 ? "fills" : "" });
    parts.push(h("section", { class: "felt-holder", "aria-label": say("school.layout") }, views(felt), felt,
      h("p", { class: "stakes" }, drill.stakes)));
    // On a small cloth the wagers may lie on a further page: that one is shown.
    let planned = "";
    felt.addEventListener("laid", () => requestAnimationFrame(() => {
      const plan = felt.pages.join();
      if (plan === planned) return;
      planned = plan;
      const found = felt.pages.map((_, n) => {
        felt.page = n;
        return drill.view.seats[0].wagers.filter((each) => felt.querySelector(`[data-spot="${each.spot}"]`)).length;
      });
      felt.page = found.indexOf(Math.max(...found));
    }));
    clothOf(drill.view).then((cloth) => {
      felt.cloth = cloth;
      felt.show(drill.view);
    }, trouble);
  }
  const dice = drill.roll && h("span", { class: "roll", role: "img",
    "aria-label": say("school.dice", { first: drill.roll[0], second: drill.roll[1] }) },
    drill.roll.map((face) => CrapsFelt.die(face, 44)));
  time.textContent = say("school.seconds", { n: 0 });
  // While the clock runs nothing else takes room: layout, question and answers are in sight together.
  document.body.classList.toggle("in-round", ends > 0);
  put(board, parts, h("div", { class: "panel question" }, h("div", { class: "clock" }, time,
    ends > 0 && button(say("school.stop"), over, { class: "quiet small" })), h("h2", {}, drill.question), dice,
  answerForm(drill)));
  if (tally.all && innerWidth <= 900) board.scrollIntoView();
  began = performance.now();
  drawScore();
}

// Where there is no question the reason stands in its place.
function failed(error) {
  ends = began = 0;
  document.body.classList.remove("in-round");
  if (!board.isConnected) put(main, heading(say("school.title")), board);
  put(board, h("p", { class: "notice question", role: "alert" }, error.message, " ",
    h("a", { href: "/school" }, say("school.begin"))));
}

function answerForm(drill) {
  if (drill.options.length) {
    return h("div", { class: "actions answers", role: "group", "aria-label": say("school.answers") },
      drill.options.map((each) => button(each, () => judge(drill, each).catch(trouble), { class: "answer" })));
  }
  const said = h("p", { class: "bad", role: "alert" });
  const input = h("input", { name: "answer", required: true, autocomplete: "off", inputmode: "none",
    placeholder: say("school.example") });
  const press = (key) => {
    if (key === "⌫") input.value = input.value.slice(0, -1);
    else if (key === "−") input.value = input.value.startsWith("−") ? input.value.slice(1) : `−${input.value}`;
    else input.value += key;
    input.focus();
  };
  const pad = h("div", { class: "keypad", role: "group", "aria-label": say("school.keypad") }, KEYS.map((key) =>
    button(key, () => press(key), key === "⌫" ? { "aria-label": say("school.rub") } : key === "−"
      ? { "aria-label": say("school.minus") } : {})),
  h("button", { class: "main" }, say("school.answer")));
  const form = h("form", { class: "amount" }, field(say("school.net"), input), pad, said);
  // What is no amount is no answer: it is asked again and costs nothing.
  onSubmit(form, () => judge(drill, input.value), (error) => {
    put(said, error.message);
    input.focus();
    input.select();
  });
  setTimeout(() => input.focus({ preventScroll: true }));
  return form;
}

async function judge(drill, answer) {
  const seconds = (performance.now() - began) / 1000;
  const told = await post("/api/drills/answer", { house: drill.house, kind: drill.kind, seed: drill.seed,
    level: drill.level, answer });
  began = 0;
  const { right } = told;
  tally = { ...tally, right: tally.right + Number(right), all: tally.all + 1, seconds: tally.seconds + seconds,
    streak: right ? tally.streak + 1 : 0 };
  if (!right) tally.wrong.push({ drill, told });
  keep.set("school.best", Math.max(keep.get("school.best", 0), tally.streak));
  drawScore();
  // In a round only what is wrong stops the hand, and only for as long as one reads.
  if (ends && right) return performance.now() < ends ? next() : over();
  const go = button(say("school.next"), () => (ends && performance.now() >= ends ? over() : next().catch(trouble)),
    { class: "main" });
  // The cloth keeps its size beside the explanation.
  const box = find(".question", board);
  if (ends) box.style.height = `${Math.max(box.offsetHeight, innerHeight * 0.4)}px`;
  put(box, h("h2", {}, drill.question),
    h("p", { class: `verdict ${right ? "good" : "bad"}`, role: "status" }, told.verdict,
      h("span", { class: "time" }, ` ${say("school.seconds", { n: seconds.toFixed(1) })}`)),
    h("p", {}, go),
    h("ul", { class: "told" }, told.sentences.map((each) => sentence(drill.house, each.text, each.clauses))),
    h("details", {}, h("summary", {}, say("school.clauses")),
      told.clauses.map((each) => clauseText(each))));
  return go.focus();
}

// The end of a round: the score, the best one so far, and what went wrong with the clauses that say so.
function over() {
  ends = began = 0;
  document.body.classList.remove("in-round");
  drawScore();
  const key = `school.round.${kind.value}.${level.value}`;
  const best = Math.max(keep.get(key, 0), tally.right);
  keep.set(key, best);
  put(board, h("div", { class: "panel question" }, h("h2", {}, say("school.over", { n: tally.right })),
    h("p", {}, say("school.round-best", { n: best })),
    tally.wrong.length ? [h("h3", {}, say("school.wrong")),
      h("ul", { class: "told wrong-list" }, tally.wrong
      .map(({ drill, told }) => h("li", {}, h("b", {}, drill.question), " ", told.verdict,
      told.sentences.map((each) => h("p", {}, each.text, " ", cite(drill.house, each.clauses))),
      h("a",
        { href: `/school?${new URLSearchParams({ house: drill.house, kind: drill.kind, level: drill.level,
          seed: drill.seed })}` }, say("school.again"))))) ]
      : h("p", { class: "good" }, say("school.clean")), h("p", {}, starter(say("school.another")))));
}

const starter = (words) => button(words, () => {
  tally = nothing();
  ends = performance.now() + ROUND * 1000;
  next().catch(failed);
}, { class: "main start-round" });

async function start() {
  house = (await housesAnd(asked().get("house"), keep.get("house", ""))).choice;
  kind = given("kind", KINDS, "payout");
  level = given("level", LEVELS, "0");
  const levels = field(say("school.level"), level);
  const again = () => {
    tally = nothing();
    ends = 0;
    levels.hidden = !["payout", "prop"].includes(kind.value);
    next().catch(failed);
  };
  for (const each of [house, kind, level]) each.addEventListener("change", again);
  levels.hidden = !["payout", "prop"].includes(kind.value);
  put(main, heading(say("school.title"), say("school.lead")),
    h("div", { class: "fields panel" }, field(say("school.house"), house), field(say("school.drill"), kind), levels,
      starter(say("school.round", { n: ROUND }))), score, board);
  await next(asked().get("seed") ?? undefined);
}

setInterval(() => {
  const now = performance.now();
  if (ends && began && now >= ends) return over();
  if (began) time.textContent = ends ? say("school.left", { n: Math.ceil((ends - now) / 1000) })
    : say("school.seconds", { n: Math.floor((now - began) / 1000) });
  return null;
}, 250);
start().catch(failed);
