// The statistics of a visit: rolls against expectation, wagers against their edge, the bankroll over its exact fan.
import { h, put, s, unique } from "../kit/dom.js";
import { money, signed } from "../kit/money.js";
import { say } from "../kit/say.js";

const W = 320;

function picture(high, title, words, parts) {
  const ids = [unique("chart"), unique("chart")];
  return s("svg", { class: "small-chart", viewBox: `0 0 ${W} ${high}`, role: "img", "aria-labelledby": ids.join(" ") },
    s("title", { id: ids[0] }, title), s("desc", { id: ids[1] }, words), parts);
}

// Bars for what came, a mark for what was to be expected.
function rolls({ totals }) {
  const most = Math.max(1, ...totals.flatMap((each) => [each.seen, each.expected]));
  const tall = (value) => (value / most) * 84;
  const wide = W / totals.length;
  return picture(118, say("visit.rolls"), totals.map(({ total, seen }) => `${total}: ${seen}`).join(", "),
    totals.map(({ total, seen, expected }, n) => {
    const x = n * wide;
    return [s("rect", { class: "bar", x: x + 4, y: 100 - tall(seen), width: wide - 8, height: tall(seen), rx: 2 }),
      s("line", { class: "expected", x1: x + 1, x2: x + wide - 1, y1: 100 - tall(expected), y2: 100 - tall(expected) }),
      s("text", { x: x + wide / 2, y: 114 }, total),
        seen > 0 && s("text", { x: x + wide / 2, y: 95 - tall(seen) }, seen)];
  }));
}

export function bankroll({ line, fan, net }, currency, title = say("visit.bankroll")) {
  const all = [0, ...line.map(([, value]) => value), ...fan.flatMap((each) => each.slice(1))];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const last = line.at(-1)[0];
  const x = (n) => (n / last) * W;
  const y = (value) => 10 + (1 - (value - low) / (high - low || 1)) * 120;
  const path = (list) => list.map(([n, value]) => `${x(n).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
  const column = (k) => [[0, 0], ...fan.map((each) => [each[0], each[k]])];
  const band = (a, b) => s("polygon", { class: "fan", points: `${path(column(a))} ${path(column(b).reverse())}` });
  return picture(150, title, say("visit.bankroll-words",
    { net: signed(net, currency), low: signed(fan.at(-1)[1], currency), high: signed(fan.at(-1)[5], currency) }), [
    band(1, 5), band(2, 4), s("polyline", { class: "middle", points: path(column(3)) }),
      s("line", { class: "axis", x1: 0, x2: W, y1: y(0), y2: y(0) }),
    s("polyline", { class: "own", points: path([[0, 0], ...line]) }),
    s("text", { class: "start", x: 2, y: y(high) + 11 }, signed(high, currency)),
      s("text", { class: "start", x: 2, y: y(low) - 4 }, signed(low, currency)),
    s("text", { class: "end", x: W - 2, y: 147 }, say("visit.at-roll", { n: last }))]);
}

const figure = (value) => (value === null ? "–" : `${value.toFixed(1)} %`);

export function draw(body, data, currency) {
  if (!data.rolls) return put(body, h("p", { class: "faint" }, say("visit.none")));
  const wagers = h("table", { class: "visit-wagers" }, h("caption", {}, say("visit.wagers")),
    h("thead", {}, h("tr", {}, ["wager", "won", "lost", "net", "edge"]
      .map((each, n) => h("th", { scope: "col", class: n ? "number" : "" }, say(`visit.columns.${each}`))))),
    h("tbody", {}, data.wagers.map((each) => h("tr", { "data-wager": each.spot },
      h("th", { scope: "row" }, each.name, h("small", {},
      say("visit.staked", { amount: money(each.staked, currency) }))),
      h("td", { class: "number" }, each.won), h("td", { class: "number" }, each.lost),
      h("td", { class: `number ${each.net > 0 ? "won" : each.net < 0 ? "lost" : ""}` }, signed(each.net, currency)),
      h("td", { class: "number", title: each.edge.length < 16 ? each.edge : "" }, figure(each.realised),
        h("small", {}, figure(each.percent)))))));
  return put(body, h("p", { class: "visit-head" }, h("strong", { class: data.net < 0 ? "lost" : "won" },
    signed(data.net, currency)), " ", say("visit.after", { n: data.rolls })),
    h("h2", {}, say("visit.bankroll")), bankroll(data, currency), h("p", { class: "faint" }, say("visit.fan")),
    h("h2", {}, say("visit.rolls")), rolls(data), h("p", { class: "dice-words" }, data.dice.words),
      h("p", {}, data.hand.words), data.wagers.length > 0 && wagers);
}
