// Money is whole minor units everywhere; these are its words.
import { say } from "./say.js";
export function money(amount, currency = "") {
  const sign = amount < 0 ? "−" : "";
  const whole = Math.floor(Math.abs(amount) / 100);
  const rest = Math.abs(amount) % 100;
  const text = whole.toString().replace(/\B(?=(\d{3})+$)/g, ",");
  return `${sign}${currency}${text}${rest ? `.${String(rest).padStart(2, "0")}` : ""}`;
}

export const signed = (amount, currency = "") =>
  amount > 0 ? `+${money(amount, currency)}` : money(amount, currency);

// "12.50" to 1250; NaN where it is not an amount.
export function amountOf(text) {
  const found = /^\s*(\d{1,9})(?:\.(\d{1,2}))?\s*$/.exec(text);
  return found ? Number(found[1]) * 100 + Number((found[2] || "").padEnd(2, "0") || 0) : NaN;
}

// As it must be typed: without the thousands.
export const plain = (amount) => money(amount).replaceAll(",", "");

const VALUES = [1, 5, 25, 100, 500, 1000, 5000, 10000, 25000, 50000, 100000, 500000];

// The chips on the rail: those the table's smallest chip can make and its maximum allows.
export function denominations(chip, maximum) {
  const all = VALUES.map((each) => each * 100).filter((each) => each % chip === 0);
  if (!all.includes(chip)) all.unshift(chip);
  const fit = all.filter((each) => each >= chip && each <= Math.max(maximum, chip));
  return fit.slice(0, 6);
}

// Amounts allowed, a union of [low, high, step]: is this one of them?
export const allowed = (ranges, amount) =>
  ranges.some(([low, high, step]) => amount >= low && amount <= high && (amount - low) % step === 0);

// The largest allowed amount up to `most`, or 0.
export function atMost(ranges, most) {
  let best = 0;
  for (const [low, high, step] of ranges) {
    const top = Math.min(high, most);
    if (top >= low) best = Math.max(best, low + Math.floor((top - low) / step) * step);
  }
  return best;
}

// The least allowed amount from `least`, or 0.
export function atLeast(ranges, least) {
  let best = 0;
  for (const [low, high, step] of ranges) {
    const first = least <= low ? low : low + Math.ceil((least - low) / step) * step;
    if (first <= high && (!best || first < best)) best = first;
  }
  return best;
}

// What is charged on top of an amount, as the menu lists it: [low, high, step, fee, more a step].
export function charged(fees, amount) {
  const found = fees?.find((each) => allowed([each], amount));
  return found ? found[3] + (found[4] * (amount - found[0])) / found[2] : 0;
}

// What adding a chip makes of a staged amount: near what was asked, and always payable.
export function grown(ranges, now, chip) {
  const wanted = now + chip;
  if (allowed(ranges, wanted)) return wanted;
  const under = atMost(ranges, wanted);
  return under > now ? under : atLeast(ranges, now + 1);
}

export const highest = (ranges) => ranges.reduce((most, [, high]) => Math.max(most, high), 0);

export function rangeWords(ranges, currency) {
  return ranges
    .map(([low, high, step]) =>
      low === high
        ? money(low, currency)
        : say("money.range", { low: money(low, currency), high: money(high, currency), step: money(step, currency) }))
    .join(say("joined.or"));
}
