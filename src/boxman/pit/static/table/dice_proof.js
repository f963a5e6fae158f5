// The house's dice, proved in the page: what was fixed is shown before the throw, words of one's own
// go in each hand, and the last hand is worked out again from the secret that was shown after it.
import { button, field, h, put } from "../kit/dom.js";
import { say } from "../kit/say.js";

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

// The same check outside this page, which the house serves.
export function command(table, hand) {
  const throws = [...hand.throws].sort(([a], [b]) => a - b).map(([index, pair]) => `${index}:${pair.join("-")}`);
  return ["boxman dice", quoted(table), hand.number, hand.hash, hand.secret, ...throws,
    ...hand.entropy.map(([seat, text]) => `--words ${quoted(`${seat}=${text}`)}`)].join(" ");
}

// Whether the secret fits what was fixed before, and the throws fit it.
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
    this.hand = null; // under way; throws by index
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

  // Words go in once a hand, before its first throw, written or not.
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

// SHA-256 and HMAC (FIPS 180-4, RFC 2104), here because a page over plain http has no crypto.subtle.

const bytesOf = (words) => Uint8Array.from(words.flatMap((word) =>
  [word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255]));
const turned = (word, by) => (word >>> by) | (word << (32 - by));

// 32 bits of the fractions of roots of the first primes: no table to mistype.
function primes(count) {
  const found = [];
  for (let n = 2; found.length < count; n += 1) if (found.every((each) => n % each)) found.push(n);
  return found;
}
function fraction(prime, degree) {
  // floor(prime^(1/degree) * 2^32) by whole numbers, less its whole part.
  const wanted = BigInt(prime) << BigInt(32 * degree);
  let low = 0n;
  let high = BigInt(prime) << 32n;
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    if (middle ** BigInt(degree) <= wanted) low = middle; else high = middle - 1n;
  }
  return Number(low & 0xffffffffn);
}
const FIRST = primes(8).map((prime) => fraction(prime, 2));
const ROUNDS = primes(64).map((prime) => fraction(prime, 3));

export function sha256(data) {
  const size = data.length;
  const padded = new Uint8Array((Math.floor((size + 8) / 64) + 1) * 64);
  padded.set(data);
  padded[size] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(size / 2 ** 29));
  view.setUint32(padded.length - 4, size * 8);
  let state = FIRST;
  for (let at = 0; at < padded.length; at += 64) {
    const w = Array.from({ length: 16 }, (_, n) => view.getUint32(at + 4 * n));
    for (let n = 16; n < 64; n += 1) {
      const [x, y] = [w[n - 15], w[n - 2]];
      w.push((w[n - 16] + w[n - 7] + (turned(x, 7) ^ turned(x, 18) ^ (x >>> 3)) + (
        turned(y, 17) ^ turned(y, 19) ^ (y >>> 10))) | 0);
    }
    let [a, b, c, d, e, f, g, i] = state;
    for (let n = 0; n < 64; n += 1) {
      const one = (i + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[n] + w[n]) | 0;
      const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [i, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    state = [a, b, c, d, e, f, g, i].map((word, n) => (word + state[n]) | 0);
  }
  return bytesOf(state);
}

export const joined = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));

export function hmac(key, data) {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  return sha256(joined(block.map((byte) => byte ^ 0x5c), sha256(joined(block.map((byte) => byte ^ 0x36), data))));
}
