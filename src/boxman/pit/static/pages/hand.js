// A shared hand: the link carries it, the engine of this server plays it again, the felt shows it step by step.
import { post } from "../kit/api.js";
import { button, find, h, put } from "../kit/dom.js";
import { signed } from "../kit/money.js";
import { say } from "../kit/say.js";
import { bar, heading } from "../kit/shell.js";
import { OWN, picture, save } from "../eyes/share.js";
import { stepper } from "../strategy/replay.js";

bar();
const main = find("#main");

async function show() {
  const code = location.hash.slice(1);
  if (!code) throw new Error(say("hand.empty"));
  const own = code[0] === OWN;
  const hand = await post(own ? "/api/hands/own" : "/api/hands", { code });
  const made = stepper(hand, hand.currency);
  const canvas = picture(hand);
  put(main, heading(say("hand.title", { house: hand.title }),
    say("hand.lead", { n: hand.rolls, net: signed(hand.net, hand.currency) })),
    (own || hand.other) && h("p", { class: "notice" }, say(own ? "hand.own" : "hand.other")),
    h("div", { class: "columns hand" }, h("section", { class: "panel" }, made.parts),
      h("section", { class: "panel" }, canvas,
      h("div", { class: "actions" }, button(say("hand.save"), () => save(canvas)),
        hand.known && h("a", { class: "button", href: `/?house=${encodeURIComponent(hand.house)}` },
          say("hand.here"))))));
  await made.begin(hand.cloth);
  main.dataset.net = hand.net;
}

const start = () => show().catch((error) => put(main, heading(say("hand.bad")),
  h("p", { class: "notice", role: "alert" }, error.message)));
addEventListener("hashchange", start);
start();
