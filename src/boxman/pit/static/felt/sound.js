// Small sounds made here, off until asked for, silent in a hidden page and before the first gesture.
import { keep } from "../kit/dom.js";

let context = null;
export let on = keep.get("sound", false);

export function turn(value) {
  on = value;
  keep.set("sound", value);
  if (on) play("chip");
}

function tick(at, pitch, length, loud, type = "triangle") {
  const tone = context.createOscillator();
  const gain = context.createGain();
  tone.type = type;
  tone.frequency.value = pitch;
  gain.gain.setValueAtTime(loud, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  tone.connect(gain).connect(context.destination);
  tone.start(at);
  tone.stop(at + length);
}

export function play(name) {
  if (!on || document.hidden || navigator.userActivation?.hasBeenActive === false) return;
  context ||= new AudioContext();
  const now = context.currentTime;
  if (name === "chip") tick(now, 2400, 0.05, 0.08);
  if (name === "dice") [0, 0.12, 0.2, 0.5, 0.62, 0.72, 0.8].forEach((wait) => tick(now + wait,
    300 + Math.random() * 300, 0.05, 0.12, "square"));
  if (name === "won") [660, 880, 1100].forEach((pitch, n) => tick(now + n * 0.09, pitch, 0.2, 0.07));
  if (name === "urgent") [880, 880].forEach((pitch, n) => tick(now + n * 0.18, pitch, 0.14, 0.12));
  if (name === "lost") tick(now, 160, 0.3, 0.1);
}
