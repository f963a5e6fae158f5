// What can be bet or asked for at one press: each says when it may be pressed and what it does.
import { atLeast, atMost, highest } from "../kit/money.js";
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
// its
// answer; `several` tells what could not be staged.
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
