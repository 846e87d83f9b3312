// Seats by name and values in words.

import { capital } from "./dom.js";
import { t } from "./text.js";

// What a seat is called.
export const nameOf = (seat) => capital(seat.words || seat.name);

// A value in the game's own unit, where it has one: searches squash a / (|a| + half) to lie within [-1, 1].
export function worded(value, unit, short = false) {
  if (!unit || Math.abs(value) > 0.97) return Math.abs(value) > 0.999 && !short ? t(value > 0 ? "study.won" : "study.lost") : signed(value);
  const [name, half] = unit;
  const amount = (half * value) / (1 - Math.abs(value));
  const number = `${amount >= 0 ? "+" : "−"}${half < 100 ? Math.abs(amount).toFixed(2) : Math.round(Math.abs(amount))}`;
  return short ? number : `${number} ${t(`study.unit.${name}`)}`;
}

const signed = (value) => `${value >= 0 ? "+" : "−"}${Math.abs(value).toFixed(2)}`;
