// Carrying chips by mouse, pen or finger: from the rail to a spot, from spot to spot, off the cloth.
import { s } from "../kit/dom.js";
import { toast } from "../kit/dialog.js";
import { say } from "../kit/say.js";
import { chip } from "./chips.js";

const FAR = 6;
const LIFT = 160;

function swallow(event) {
  event.stopPropagation();
  event.preventDefault();
}

// `pick(target)` says what lies under a press: {from, amount, draw()}, or null where nothing can be
// lifted. A mouse lifts when it moves; a finger has to rest for a moment first, so that it can
// still scroll the page.
function carry({ pick, over, drop, lifted }) {
  let held = null;

  const ghost = s("svg", { class: "ghost", viewBox: "-22 -22 44 44", "aria-hidden": "true" });
  document.body.append(ghost);

  function end(event, done) {
    if (!held) return;
    clearTimeout(held.timer);
    const { moving, what } = held;
    held = null;
    ghost.classList.remove("up");
    document.documentElement.classList.remove("carrying");
    over(null);
    if (!moving) return;
    // The click that ends a drag is no click.
    addEventListener("click", swallow, { capture: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }), 0);
    if (done) drop(what, document.elementFromPoint(event.clientX, event.clientY));
  }

  function move(event) {
    if (!held || event.pointerId !== held.pointer) return;
    const away = Math.hypot(event.clientX - held.x, event.clientY - held.y);
    if (!held.moving) {
      if (away < FAR) return;
      if (!held.ready) return end(event, false);
      held.moving = true;
      lifted(held.what);
      ghost.replaceChildren(held.what.draw());
      ghost.classList.add("up");
      document.documentElement.classList.add("carrying");
    }
    ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -50%)`;
    over(document.elementFromPoint(event.clientX, event.clientY), held.what);
  }

  document.addEventListener("pointerdown", (event) => {
    if (held || event.button || event.ctrlKey || event.metaKey || !event.isPrimary) return;
    const what = pick(event.target);
    if (!what) return;
    const finger = event.pointerType === "touch" && what.from !== "rail";
    held = { what, pointer: event.pointerId, x: event.clientX, y: event.clientY, ready: !finger, moving: false };
    const mine = held;
    if (finger) held.timer = setTimeout(() => { mine.ready = true; }, LIFT);
    // A finger is captured by what it touched first; a drag has to see what lies under it.
    event.target.releasePointerCapture?.(event.pointerId);
  });
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", (event) => end(event, true));
  document.addEventListener("pointercancel", (event) => end(event, false));
  document.addEventListener("keydown", (event) => event.key === "Escape" && end(event, false));
  // While chips are carried the page does not scroll under the finger.
  document.addEventListener("touchmove", (event) => held?.ready && event.cancelable && event.preventDefault(),
    { passive: false });
}

// What is lifted at the table, and what a drop means. `shown` gives the table as it is now.
export function carried({ shown, felt, stage, dock, hands, link, push }) {
  carry({
    pick(target) {
      const held = target.closest?.(".chip-button");
      if (held) {
        const amount = Number(held.dataset.amount);
        return { from: "rail", amount, draw: () => chip(amount) };
      }
      const from = shown()?.me?.seat && felt.at(target);
      const staged = from && stage.chips.get(from);
      const amount = staged || stage.wagers.find((each) => each.spot === from)?.stake;
      return amount ? { from, staged: Boolean(staged), amount,
        draw: () => chip(dock.chips.filter((each) => each <= amount).at(-1) || dock.chips[0]) } : null;
    },
    lifted: ({ from, amount }) => from === "rail" && dock.choose(amount),
    over(target) {
      const spot = target && felt.at(target);
      felt.aim(shown()?.menu?.choices[spot]?.bet.length ? spot : "");
    },
    async drop({ from, staged, amount }, target) {
      const to = felt.at(target);
      if (!shown()?.me?.seat || to === from || (!to && (from === "rail" || felt.contains(target)))) return;
      if (shown().phase !== "open") return void toast(say("table.wait"));
      if (from === "rail") return void hands.lay(to, amount);
      if (staged && !to) return void stage.remove(from);
      if (staged) return void (stage.move(from, to) || hands.open(to));
      if (!(await hands.takeOff(from)) || !to) return;
      // The menu that follows the wager down says what may lie at its new place.
      const moved = () => stage.set(to, stage.most(to, amount)) || hands.open(to);
      push({ view: link.view, then: moved });
    },
  });
}
