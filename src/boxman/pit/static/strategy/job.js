// A question that the backroom works on: one at a time for a page, drawn as it grows.
import { ask, post } from "../kit/api.js";
import { trouble } from "../kit/dialog.js";
import { button, h } from "../kit/dom.js";
import { say } from "../kit/say.js";

const LOOK = 350;
let running = "";

export const working = (job) => ["waiting", "running"].includes(job.state);
const cancel = (id) => ask(`/api/simulations/${id}`, { method: "DELETE" });

export async function follow(address, question, draw) {
  let job = await post(address, question);
  const mine = job.id;
  if (running) cancel(running).catch(() => null);
  running = mine;
  while (running === mine) {
    draw(job);
    if (!working(job)) {
      running = "";
      break;
    }
    await new Promise((done) => setTimeout(done, LOOK));
    job = await ask(`/api/simulations/${mine}`);
  }
}

// How far it is, with a way to stop it.
export const state = (job) => h("section", { class: "panel", "aria-label": say("answer.progress") },
  h("div", { class: "actions" },
    working(job) && h("progress", { max: 1, value: job.progress || null, "aria-label": say("answer.progress") }),
    h("span", { role: "status", class: "state-words" }, job.words, working(job) && job.told ? ` ${job.told}` : ""),
    working(job) && button(say("answer.cancel"), () => cancel(job.id).catch(trouble), { class: "small" })),
  job.error && h("p", { class: "bad", role: "alert" }, job.error));

// Whoever goes away wants no answer: others may be waiting for the backroom.
addEventListener("pagehide", () => running && fetch(`/api/simulations/${running}`,
  { method: "DELETE", keepalive: true }));
