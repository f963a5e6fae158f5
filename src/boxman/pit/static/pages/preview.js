// A house as its author sees it while writing: cloth, prices and one machine, drawn again at every save.
import { ask } from "../kit/api.js";
import { cite } from "../kit/clauses.js";
import { field, find, h, put, select } from "../kit/dom.js";
import { figures } from "../kit/forms.js";
import { say } from "../kit/say.js";
import { bar, heading, part } from "../kit/shell.js";
import "../felt/felt.js";
import { views } from "../felt/print.js";

bar();
const EVERY = 1000;
const house = part(2);
const base = `/api/houses/${encodeURIComponent(house)}`;
const head = h("div");
const state = h("p", { class: "bad broken", role: "alert" });
const board = h("div", { class: "preview" });
let digest = "";
let chosen = "";

async function machine(holder) {
  const drawn = await ask(`${base}/machine/${encodeURIComponent(chosen)}`);
  const columns = ["rolls", "happens", "clauses"].map((name) => say(`preview.columns.${name}`));
  put(holder, drawn.machine.map((each) => figures(say("preview.puck", { puck: each.puck }), columns,
    each.cells.map((cell) => [cell.rolls, cell.verdict, cite(house, cell.clauses, drawn.name)]))));
}

async function draw() {
  const [cloth, odds] = await Promise.all([ask(`${base}/felt`), ask(`${base}/odds`)]);
  const felt = h("craps-felt");
  const wagers = cloth.spots.map((spot) => [spot.id, spot.name]);
  if (!cloth.spots.some((spot) => spot.id === chosen)) chosen = cloth.spots[0].id;
  const holder = h("div");
  const choice = select(wagers, chosen, { onchange: () => {
    chosen = choice.value;
    machine(holder).catch(broken);
  } });
  const columns = ["wager", "pays", "edge", "clauses"].map((name) => say(`preview.columns.${name}`));
  put(head, heading(cloth.title, say("preview.lead", { edition: cloth.edition, spots: cloth.spots.length })));
  put(board, h("section", { class: "panel felt-holder", "aria-label": say("preview.felt") }, views(felt), felt),
    h("section", { class: "panel" }, h("h2", {}, say("preview.machine")), field(say("preview.wager"), choice), holder),
    h("section", { class: "panel" }, figures(say("preview.prices"), columns, Object.values(odds.wagers).map((row) =>
      [row.name, row.price, `${row.percent.toFixed(3)} %`, cite(house, row.clauses.slice(0, 3), row.name)]))));
  felt.cloth = cloth;
  const { chip, currency, proposed } = cloth;
  felt.show({ puck: 0, seats: [], chip, posted: proposed, currency });
  await machine(holder);
}

// What is wrong stands above what was drawn last.
function broken(error) {
  digest = "";
  put(state, error.message);
  if (!board.firstChild) put(board, h("p", { class: "panel" }, say("preview.none")));
}

async function look() {
  try {
    const now = await ask(base);
    if (now.digest !== digest) await draw();
    digest = now.digest;
    put(state);
  } catch (error) {
    broken(error);
  }
  setTimeout(look, EVERY);
}

put(find("#main"), head, state, board);
look();
