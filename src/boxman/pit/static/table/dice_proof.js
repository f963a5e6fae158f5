// The house's dice, proved in the page: what was fixed is shown before the throw, words of one's own
// go in each hand, and the last hand is worked out again from the secret that was shown after it.
import { button, field, h, put } from "../kit/dom.js";
import { say } from "../kit/say.js";
import { hmac, joined, sha256 } from "./sha256.js";

const utf8 = new TextEncoder();
const LABEL = utf8.encode("boxman dice 1");
const ZERO = Uint8Array.of(0);
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text) => Uint8Array.from(text.match(/../g) || [], (pair) => parseInt(pair, 16));
const number = (value, size) => Uint8Array.from({ length: size },
  (_, n) => Math.floor(value / 256 ** (size - 1 - n)) % 256);
const sized = (text) => {
  const bytes = utf8.encode(text);
  return joined(number(bytes.length, 4), bytes);
};

export const commitmentOf = (secret) => hex(sha256(joined(LABEL, utf8.encode("\0commit\0"), unhex(secret))));

// The first so many faces of a hand: bytes of HMAC blocks below 252, by six.
export function facesOf(secret, table, hand, entropy, count) {
  const words = sha256(joined(...entropy.flatMap(([seat, text]) => [sized(seat), sized(text)])));
  const head = joined(LABEL, ZERO, sized(table), number(hand, 8), words);
  const found = [];
  for (let block = 0; found.length < count; block += 1) {
    for (const byte of hmac(unhex(secret), joined(head, number(block, 8)))) if (byte < 252) found.push((byte % 6) + 1);
  }
  return found.slice(0, count);
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

// The same check outside this page, which the house serves: by whoever has Boxman.
export function command(table, hand) {
  const throws = [...hand.throws].sort(([a], [b]) => a - b).map(([index, pair]) => `${index}:${pair.join("-")}`);
  return ["boxman dice", quoted(table), hand.number, hand.hash, hand.secret, ...throws,
    ...hand.entropy.map(([seat, text]) => `--words ${quoted(`${seat}=${text}`)}`)].join(" ");
}

// Whether what was shown after a hand fits what was fixed before it and what was thrown in it.
export function check(table, hand) {
  const last = Math.max(-1, ...hand.throws.keys());
  const faces = facesOf(hand.secret, table, hand.number, hand.entropy, 2 * (last + 1));
  const wrong = [...hand.throws].filter(([index, [first, second]]) => faces[2 * index] !== first
    || faces[2 * index + 1] !== second);
  return { fixed: commitmentOf(hand.secret) === hand.hash, wrong: wrong.map(([index]) => index + 1),
    seen: hand.throws.size };
}

const fresh = () => hex(crypto.getRandomValues(new Uint8Array(16)));

export class DiceProof {
  constructor(table, link) {
    this.table = table;
    this.link = link;
    this.hand = null; // the one under way: number, hash, entropy, throws by index
    this.mine = ""; // words that the player wrote, for the hands to come
    this.said = 0; // the last hand that this page added words to
    this.now = h("p", { class: "fixed" });
    this.verdict = h("div", { role: "status" });
    this.words = h("input", { maxlength: 64, autocomplete: "off", placeholder: say("proof.placeholder") });
    this.form = h("form", { class: "actions" }, field(say("proof.words"), this.words, say("proof.hint")),
      h("button", { class: "small" }, say("proof.add")));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.mine = this.words.value.trim();
      if (this.mine && this.open) this.add(this.mine);
    });
    this.element = h("details", { class: "panel dice-proof", hidden: true }, h("summary", {}, say("proof.title")),
      this.now, this.form, this.verdict);
    link.addEventListener("row", ({ detail }) => this.row(detail));
    link.addEventListener("view", ({ detail }) => this.look(detail.view));
  }

  get open() {
    return Boolean(this.hand && this.link.view?.me?.seat && !this.link.view.commitment?.throws);
  }

  add(text) {
    this.said = this.hand.number;
    this.link.send({ do: "entropy", text });
  }

  // Words go in once a hand, before its first throw, whoever forgot to write some.
  look(view) {
    const fixed = view?.commitment;
    this.element.hidden = !fixed;
    if (!fixed?.hash) return;
    if (this.hand?.hash !== fixed.hash) this.hand = { number: fixed.hand, hash: fixed.hash, entropy: [],
      throws: new Map() };
    this.hand.entropy = fixed.entropy;
    const seat = view.me?.seat;
    this.form.hidden = !seat;
    if (this.open && this.said < fixed.hand && !fixed.entropy.some(([who]) => who === seat)) this.add(this.mine
      || fresh());
    const own = fixed.entropy.filter(([who]) => who === seat).map(([, text]) => text);
    put(this.now, say("proof.fixed", { hand: fixed.hand }), " ", h("code", {}, fixed.hash), " ",
      say("proof.in", { n: fixed.entropy.length }), seat && own.length ? ` ${say("proof.own", { words: own })}` : "");
  }

  row(row) {
    const call = row.call || {};
    if (row.refused || !this.hand || call.hand !== this.hand.number) return;
    if (call.type === "throw" && call.first) this.hand.throws.set(call.index, [call.first, call.second]);
    if (call.type === "reveal") this.over({ ...this.hand, secret: call.secret });
  }

  over(hand) {
    const found = check(this.table, hand);
    const good = found.fixed && !found.wrong.length;
    const line = command(this.table, hand);
    const words = !found.fixed ? say("proof.unfixed", { hand: hand.number })
      : good ? say("proof.good", { hand: hand.number, n: found.seen })
        : say("proof.wrong", { hand: hand.number, throws: found.wrong });
    if (!good) this.element.open = true;
    put(this.verdict, h("p", { class: good ? "good" : "bad" }, words), h("p", {}, say("proof.outside")),
      h("pre", { tabindex: "0" }, line),
      button(say("proof.copy"), () => navigator.clipboard?.writeText(line),
        { class: "small", hidden: !navigator.clipboard }));
  }
}
