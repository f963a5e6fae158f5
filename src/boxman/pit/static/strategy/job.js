// A question that the backroom works on: one at a time for a page, drawn as it grows.
import { ask, post } from "../kit/api.js";

const LOOK = 350;
let running = "";

export const working = (job) => ["waiting", "running"].includes(job.state);
export const cancel = (id) => ask(`/api/simulations/${id}`, { method: "DELETE" });

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

// Whoever goes away wants no answer: others may be waiting for the backroom.
addEventListener("pagehide", () => running && fetch(`/api/simulations/${running}`,
  { method: "DELETE", keepalive: true }));
