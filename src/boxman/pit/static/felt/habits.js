// A player's habits: what may stay up is asked to, and odds are put behind wagers by themselves. Each is asked once for
// each wager; what the house refuses is not asked again.
import { keep } from "../kit/dom.js";
import { oddsOpen } from "./quick.js";

const asked = new Set();

export function habits(view, stage, felt, say) {
  if (view.phase !== "open" || !view.menu) return;
  const up = new Set(stage.wagers.map((each) => each.spot));
  for (const key of [...asked]) if (!up.has(key.slice(key.indexOf(" ") + 1))) asked.delete(key);
  const once = (key) => !asked.has(key) && asked.add(key);
  if (keep.get("stays", true)) {
    for (const { spot } of stage.wagers) {
      if (view.menu.choices[spot]?.keep === true && once(`keep ${spot}`)) say({ type: "stayup", spot, stays: true });
    }
  }
  const times = keep.get("odds", 0);
  if (!times) return;
  for (const [spot, most, flat] of oddsOpen(stage, felt)) {
    const { behind } = felt.spot(spot);
    if (up.has(spot) || stage.chips.has(spot) || !up.has(behind) || !once(`odds ${behind}`)) continue;
    const amount = stage.most(spot, times === "full" ? most : Math.min(most, flat * times));
    if (amount) say({ type: "bet", spot, amount }).then((answer) => answer.refused || stage.down(spot, amount));
  }
}
