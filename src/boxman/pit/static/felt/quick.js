// What one press does: the quick bets, the great button, and what a player has done by habit.
import { keep } from "../kit/dom.js";
import { atLeast, atMost, highest, money } from "../kit/money.js";
import { say } from "../kit/say.js";

// The odds that may be put behind one's wagers now: [spot, the most, the flat stake].
export function oddsOpen(stage, felt) {
  const stakes = new Map(stage.wagers.map((each) => [each.spot, each.stake]));
  for (const [spot, amount] of stage.shown) stakes.set(spot, (stakes.get(spot) || 0) + amount);
  return (felt.cloth?.spots || []).flatMap((spot) => {
    const ranges = spot.behind ? stage.ranges(spot.id) : [];
    return ranges.length && stakes.get(spot.behind) ? [[spot.id, highest(ranges), stakes.get(spot.behind)]] : [];
  });
}

// The least by which a wager may be raised that is at least a chip, and what it may be lowered to.
const pressed = (stage, { spot, stake }) => {
  const ranges = stage.ranges(spot);
  return [spot, atMost(ranges, stake) || atLeast(ranges, 1)];
};

const halved = (stage, { spot, stake }) => {
  const lower = stage.choices[spot]?.lower || [];
  return [spot, atMost(lower, Math.floor(stake / 2)) || atLeast(lower, 1)];
};

const working = (stage, word) => Object.values(stage.choices).some((each) => each.calls.includes(word));

// Every quick bet: its word, its key, whether it can be pressed, what it does. `call` makes a call and resolves with
// its answer; `several` tells what could not be staged.
export function quickBets({ stage, felt, dock, call, several, place, giveBack, auto, more }) {
  const places = () => felt.cloth.spots.filter((spot) => spot.place === "box place" && stage.ranges(spot.id).length);
  const inside = () => places().filter((spot) => [5, 6, 8, 9].includes(spot.number));
  const ids = (list) => list.map((spot) => spot.id);
  const raisable = () => stage.wagers.map((each) => pressed(stage, each)).filter(([, amount]) => amount);
  const lowered = () => stage.wagers.map((each) => halved(stage, each)).filter(([, to]) => to);
  const removable = () => stage.wagers.filter((each) => stage.choices[each.spot]?.take_down);
  const all = (call) => ({ type: "setworking", spot: "all", call });
  const odds = () => oddsOpen(stage, felt).filter(([spot, most]) => stage.most(spot, most) > (stage.chips.get(spot)
    || 0));
  const bets = {
    place: { key: "P", can: () => stage.chips.size, act: place, main: true },
    undo: { key: "U", can: () => stage.steps.length || stage.fresh(), free: true,
      act: () => (stage.steps.length ? stage.undo() : giveBack(stage.fresh())) },
    odds: { key: "O", can: () => odds().length,
      act: () => several(stage.many(odds().map(([spot, most]) => [spot, stage.most(spot, most) - (stage.chips.get(spot)
        || 0)]))) },
    press: { key: "E", can: () => raisable().length, act: () => several(stage.many(raisable())) },
    across: { key: "A", can: () => places().length,
      act: () => several(stage.each(ids(places()), dock.chosen)) },
    inside: { key: "N", can: () => inside().length,
      act: () => several(stage.each(ids(inside()), dock.chosen)) },
    again: { key: "S", can: () => stage.again().length, act: () => several(stage.repeat()) },
    auto: { key: "R", can: () => true, act: auto, free: true },
    clear: { key: "C", can: () => stage.chips.size, act: () => stage.clear(), free: true },
    more: { key: "M", can: () => true, act: more, free: true },
    redo: { key: "Y", can: () => stage.undone.length, act: () => stage.redo(), hidden: true },
    double: { key: "D", can: () => stage.chips.size || raisable().length, hidden: true,
      act: () => several(stage.double()) },
    regress: { key: "G", can: () => lowered().length, hidden: true,
      act: () => lowered().forEach(([spot, to]) => call({ type: "reduce", spot, to })) },
    down: { key: "", can: () => removable().length, hidden: true,
      act: () => removable().forEach(({ spot }) => call({ type: "takedown", spot })) },
    off: { key: "F", can: () => working(stage, "off"), hidden: true, act: () => call(all("off")) },
    on: { key: "B", can: () => working(stage, "on"), hidden: true, act: () => call(all("on")) },
  };
  for (const [name, each] of Object.entries(bets)) each.word = say(`table.quick.${name}`);
  return bets;
}

// A player's habits: what may stay up is asked to, and odds are put behind wagers by themselves. Each is asked once for
// each wager; what the house refuses is not asked again, and nobody who did not ask is told of it.
const asked = new Set();

export function habits(view, stage, felt, link) {
  if (view.phase !== "open" || !view.menu) return [];
  const wagers = view.seats.find((seat) => seat.you)?.wagers || [];
  const up = new Set(wagers.map((each) => each.spot));
  for (const key of [...asked]) if (!up.has(key.slice(key.indexOf(" ") + 1))) asked.delete(key);
  const speak = (call) => link.call(call, "player");
  const once = (key) => !asked.has(key) && asked.add(key);
  const stay = keep.get("stays", true) ? wagers.filter(({ spot }) => view.menu.choices[spot]?.keep === true
    && once(`keep ${spot}`)) : [];
  const kept = stay.map(({ spot }) => speak({ type: "stayup", spot, stays: true }));
  const times = keep.get("odds", 0);
  if (!times) return kept;
  for (const [spot, most, flat] of oddsOpen(stage, felt)) {
    const { behind } = felt.spot(spot);
    if (up.has(spot) || stage.chips.has(spot) || !up.has(behind) || !once(`odds ${behind}`)) continue;
    const amount = stage.most(spot, times === "full" ? most : Math.min(most, flat * times));
    if (amount) speak({ type: "bet", spot, amount }).then((answer) => answer.refused || stage.down(spot, amount));
  }
  return kept;
}

export const waiting = (view) => view.seats
  .filter((seat) => !seat.automatic && !seat.leaving && !view.ready.includes(seat.name)).map((seat) => seat.name);

// What the great button will do: one press places what is staged and rolls.
export function rollWords(dock, hands) {
  const { stage } = hands;
  const roll = () => hands.roll();
  const buy = () => hands.buyIn();
  const stop = () => hands.stop();
  const { view } = dock;
  const staged = stage.total;
  const place = staged ? say("table.place-sum", { amount: money(staged, view.currency) }) : "";
  const seat = view.me?.seat;
  const open = view.phase === "open";
  if (view.closed) return dock.says(say("table.big.closed"), say("table.closed-now"), null, { ready: false });
  if (view.auto) return dock.says(say("table.big.stop"), say("table.auto-left", { n: view.auto.left }), stop,
    { kind: "stop" });
  if (dock.broke) return dock.says(say("table.big.buy"), say("table.broke"), buy);
  if (!view.automatic.includes("stick")) {
    return dock.says(say("table.big.place"), place || say(open ? "table.put-chips" : "table.no-more"), roll,
      { ready: Boolean(staged) && open });
  }
  if (!open) return dock.says(say("table.big.roll"), say("table.dice-out"), null, { ready: false });
  const { shooter, offered } = view.hand;
  const mine = offered ? offered === seat : !shooter || shooter === "guest" || shooter === seat;
  const up = view.seats.some((each) => each.wagers.length);
  const left = dock.until ? Math.max(0, Math.ceil((dock.until - Date.now()) / 1000)) : 0;
  if (view.ready.includes(seat)) {
    const others = waiting(view);
    const who = others.length ? say(left ? "table.waiting-s" : "table.waiting", { names: others, left })
      : say("table.dice-out");
    return dock.says(say("table.big.roll"), staged ? place : who, staged ? roll : null, { ready: Boolean(staged) });
  }
  const take = "takes dice";
  if (offered && mine && view.menu?.moves.includes(take)) {
    return dock.says(say("table.big.take"), place || say("table.offered"), async () => {
      if (!stage.chips.size || await hands.put()) hands.speak({ line: take });
    });
  }
  const wanted = view.asked && view.asked.by !== seat;
  if (!mine || wanted) {
    const who = wanted ? say(left ? "table.wants-s" : "table.wants", { name: view.asked.by, left })
      : say(offered ? "table.gets-dice" : "table.has-dice", { name: offered || shooter });
    return dock.says(say("table.big.ready"), place ? say("table.then-ready", { place }) : who, roll);
  }
  if (!up && !staged && shooter !== "guest") return dock.says(say("table.big.roll"), say("table.line-first"), null,
    { ready: false });
  const will = view.puck ? say("table.point", { puck: view.puck }) : say("table.come-out");
  return dock.says(say("table.big.roll"), place ? say("table.and-roll", { place }) : will, roll);
}
