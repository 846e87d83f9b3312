// Seats by name and values in words.

import { capital } from "./dom.js";
import { t } from "./text.js";

// What a seat is called.
export const nameOf = (seat) => capital(seat.words || seat.name);

// A value in the game's own unit, where it has one: searches squash a / (|a| + half) to lie within [-1, 1].
export function worded(value, unit, short = false) {
  if (Math.abs(value) > 0.999) return t(value > 0 ? "study.won" : "study.lost");
  if (!unit) return signed(value);
  const [name, half] = unit;
  const amount = (half * value) / (1 - Math.abs(value));
  const number = half < 100 ? signed(amount) : signed(amount, 0);
  return short ? number : `${number} ${t(`study.unit.${name}`)}`;
}

// With its sign, but for zero, which has none.
function signed(value, digits = 2) {
  const size = Math.abs(value).toFixed(digits);
  return Number(size) === 0 ? size : `${value > 0 ? "+" : "−"}${size}`;
}
