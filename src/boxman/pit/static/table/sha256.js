// SHA-256 and HMAC (FIPS 180-4, RFC 2104), here because a page over plain http has no crypto.subtle.
const bytesOf = (words) => Uint8Array.from(words.flatMap((word) =>
  [word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255]));
const turned = (word, by) => (word >>> by) | (word << (32 - by));

// The first 32 bits of the fractional parts of roots of the first primes: no table to mistype.
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
