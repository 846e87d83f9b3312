// Seats by name and values in words.

import { capital } from "./dom.js";
import { t } from "./text.js";

// What a seat is called.
export const nameOf = (seat) => capital(seat.words || seat.name);

// The score that a value in [-1, 1] expects, in percent: a win counts 100, a draw 50.
export const expected = (value) => 50 + 50 * value;

// The unit of an agent's values: that of the agent by which a game is studied, whose evaluation has it.
export const unitOf = ({ unit, study }, agent) => (unit && kindOf(agent) === kindOf(study) ? unit : null);

// An agent without its budgets: its name and what it evaluates with.
const kindOf = (agent = "") => `${agent.split(":")[0]} ${/[:,]eval=([^,]*)/.exec(agent)?.[1] ?? ""}`;

// A value in the game's own unit, where it has one (searches squash a / (|a| + half) to lie within [-1, 1]),
// else as the expected score; `short`: a number alone.
export function worded(value, unit, short = false) {
  if (Math.abs(value) > 0.999) return t(value > 0 ? "worth.won" : "worth.lost");
  const percent = Math.round(expected(value));
  if (!unit) return short ? `${percent} %` : t("worth.score", { n: percent });
  const [name, half] = unit;
  const amount = (half * value) / (1 - Math.abs(value));
  const number = half < 100 ? signed(amount) : signed(amount, 0);
  return short ? number : `${number} ${t(`worth.${name}`)}`;
}

// With its sign, but for zero, which has none.
function signed(value, digits = 2) {
  const size = Math.abs(value).toFixed(digits);
  return Number(size) === 0 ? size : `${value > 0 ? "+" : "−"}${size}`;
}
