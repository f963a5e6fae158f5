// One simulated session on the felt, step by step: wagers, roll, wagers, roll.
import { ask, clothOf } from "../kit/api.js";
import { button, h, put } from "../kit/dom.js";
import { dialog } from "../kit/dialog.js";
import { money, signed } from "../kit/money.js";
import { CrapsFelt } from "../felt/felt.js";
import { views } from "../felt/print.js";
import { say } from "../kit/say.js";

const PACE = 900;

export async function watch(job, strategy, session, title, currency) {
  const data = await ask(`/api/simulations/${job.id}/replay?strategy=${strategy}&session=${session}`);
  const more = data.shown < data.rolls ? ` ${say("replay.shown", { n: data.shown })}` : "";
  const made = stepper(data, currency);
  dialog(title,
    [h("p", {}, `${say("replay.ended", { n: data.rolls, result: signed(data.net, currency), end: data.end })}${more}`),
    made.parts],
    { wide: true, onclose: made.stop });
  await made.begin(await clothOf(data.rows[0].view));
}

// A felt with its steps: shown one by one, by hand or by itself.
export function stepper(data, currency) {
  const felt = h("craps-felt", { still: true });
  const where = h("p", { class: "where" });
  const line = h("p", { class: "told-step", "aria-live": "polite" });
  const last = data.rows.length - 1;
  const slider = h("input", { type: "range", min: 0, max: last, value: 0, "aria-label": say("replay.step") });
  let timer = 0;
  const at = (n) => {
    const place = Math.max(0, Math.min(n, last));
    const row = data.rows[place];
    slider.value = place;
    slider.setAttribute("aria-valuetext", row.roll ? say("replay.at-roll", { n: row.roll })
      : say("replay.before-first"));
    felt.show(row.view);
    put(where, row.dice ? h("span", { class: "roll" }, row.dice.map((face) => CrapsFelt.die(face, 26))) : null,
      say(row.dice ? "replay.where" : "replay.before",
        { n: row.dice ? row.roll : row.roll + 1, all: data.rolls, rail: money(row.rail, currency) }));
    put(line, row.text);
  };
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    put(play, say("replay.play"));
  };
  const play = button(say("replay.play"), () => {
    if (timer) return stop();
    if (Number(slider.value) === last) at(0);
    put(play, say("replay.pause"));
    timer = setInterval(() => (Number(slider.value) >= last ? stop() : at(Number(slider.value) + 1)), PACE);
  });
  slider.addEventListener("input", () => at(Number(slider.value)));
  const parts = [views(felt), felt, where, line, h("div", { class: "actions replay" },
    button(say("replay.back"), () => at(Number(slider.value) - 1)), play, slider,
    button(say("replay.on"), () => at(Number(slider.value) + 1)))];
  return { parts, stop, play: () => play.click(), begin(cloth) {
    felt.cloth = cloth;
    at(0);
  } };
}
