// What the great button will do: one press places what is staged and rolls.
import { money } from "../kit/money.js";
import { say } from "../kit/say.js";

export const waiting = (view) => view.seats.filter((seat) => !seat.automatic && !seat.leaving
  && !view.ready.includes(seat.name))
  .map((seat) => seat.name);

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
  const { shooter } = view.hand;
  const mine = !shooter || shooter === "guest" || shooter === seat;
  const up = view.seats.some((each) => each.wagers.length);
  if (view.ready.includes(seat)) {
    const left = dock.until ? Math.max(0, Math.ceil((dock.until - Date.now()) / 1000)) : 0;
    const others = waiting(view);
    const who = others.length ? say(left ? "table.waiting-s" : "table.waiting", { names: others, left })
      : say("table.dice-out");
    return dock.says(say("table.big.roll"), staged ? place : who, staged ? roll : null, { ready: Boolean(staged) });
  }
  const wanted = view.asked && view.asked.by !== seat;
  if (!mine || wanted) {
    const left = dock.until ? Math.max(0, Math.ceil((dock.until - Date.now()) / 1000)) : 0;
    const who = wanted ? say(left ? "table.wants-s" : "table.wants", { name: view.asked.by, left })
      : say("table.has-dice", { name: shooter });
    return dock.says(say("table.big.ready"), place ? say("table.then-ready", { place }) : who, roll);
  }
  if (!up && !staged && shooter !== "guest") return dock.says(say("table.big.roll"), say("table.line-first"), null,
    { ready: false });
  const will = view.puck ? say("table.point", { puck: view.puck }) : say("table.come-out");
  return dock.says(say("table.big.roll"), place ? say("table.and-roll", { place }) : will, roll);
}
