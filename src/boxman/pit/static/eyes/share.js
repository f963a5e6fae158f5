// A hand as a card: a picture made here with house, dice and net, and a link that carries the whole hand in itself.
import { ask } from "../kit/api.js";
import { button, h } from "../kit/dom.js";
import { dialog, toast } from "../kit/dialog.js";
import { signed } from "../kit/money.js";
import { say } from "../kit/say.js";

const [W, H] = [1200, 630];
const CLOTHS = { green: "#0e5f45", blue: "#1a4684", teal: "#0c5d69", red: "#8a1c31", purple: "#4b2a7b",
  black: "#232227" };
const PIPS = [[], [4], [2, 6], [2, 4, 6], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];
const PRINT = "'Avenir Next Condensed', Bahnschrift, 'Roboto Condensed', 'Arial Narrow', 'DejaVu Sans Condensed',"
  + " sans-serif";

function die(pen, face, x, y, size) {
  pen.fillStyle = "#d92b3a";
  pen.beginPath();
  pen.roundRect(x, y, size, size, size / 5);
  pen.fill();
  pen.fillStyle = "#fff";
  for (const at of PIPS[face]) {
    pen.beginPath();
    pen.arc(x + size * (0.25 + 0.25 * (at % 3)), y + size * (0.25 + 0.25 * Math.floor(at / 3)), size / 10, 0, 7);
    pen.fill();
  }
}

// The picture; what does not fit of a very long hand is told by its count.
export function picture(hand) {
  const net = signed(hand.net, hand.currency);
  const canvas = h("canvas", { width: W, height: H, class: "hand-card", role: "img",
    "aria-label": say("hand.card", { house: hand.title, n: hand.rolls, net }) });
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#3b2414";
  pen.fillRect(0, 0, W, H);
  const light = pen.createRadialGradient(W / 2, H / 3, 60, W / 2, H / 2, 760);
  light.addColorStop(0, CLOTHS[hand.cloth.dress.cloth] || CLOTHS.green);
  light.addColorStop(1, "#06130e");
  pen.fillStyle = light;
  pen.beginPath();
  pen.roundRect(28, 28, W - 56, H - 56, 36);
  pen.fill();
  pen.fillStyle = "#f7e6b5";
  pen.font = `700 46px ${PRINT}`;
  pen.fillText(hand.title, 78, 112, W - 156);
  pen.font = `400 30px ${PRINT}`;
  pen.fillText(`${say("hand.rolls", { n: hand.rolls })} · Boxman`, 78, 158);
  const shown = hand.dice.slice(0, 40);
  const [across, size] = shown.length > 16 ? [10, 40] : shown.length > 8 ? [8, 54] : [4, 84];
  shown.forEach(([first, second], n) => {
    const [x, y] = [78 + (n % across) * ((W - 156) / across), 196 + Math.floor(n / across) * (size + 18)];
    die(pen, first, x, y, size);
    die(pen, second, x + size + 6, y, size);
  });
  pen.textAlign = "right";
  pen.fillStyle = hand.net < 0 ? "#ff9a8d" : "#8df0b4";
  pen.font = `800 130px ${PRINT}`;
  pen.fillText(net, W - 78, H - 84);
  return canvas;
}

// A code that begins so has its rulebook in it.
export const OWN = "~";
export const linkOf = (code) => `${location.origin}/hand#${code}`;

export async function shareHand(table) {
  const hand = await ask(`/api/tables/${encodeURIComponent(table)}/hand`);
  const address = linkOf(hand.code);
  const canvas = picture(hand);
  const input = h("input", { readonly: true, value: address, "aria-label": say("hand.address") });
  const copy = async () => {
    input.select();
    await navigator.clipboard.writeText(address).then(() => toast(say("hand.copied")), () => toast(say("hand.select")));
  };
  dialog(say("hand.share"), [canvas, h("div", { class: "actions" }, hand.code && [input,
    button(say("hand.copy"), () => (navigator.clipboard ? copy() : toast(say("hand.select"))))],
    button(say("hand.save"), () => save(canvas))),
  h("p", { class: "faint" }, hand.why || say(hand.code[0] === OWN ? "hand.private-own" : "hand.private"))],
  { wide: true });
}

export function save(canvas) {
  canvas.toBlob((blob) => {
    const href = URL.createObjectURL(blob);
    h("a", { href, download: `${say("hand.file")}.png` }).click();
    setTimeout(() => URL.revokeObjectURL(href), 1000);
  });
}
