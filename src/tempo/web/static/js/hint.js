// A hint at a table: a good move with one reason for it, from what the own seat knows.

import { ask } from "./api.js";
import { s } from "./dom.js";
import { t, word } from "./text.js";
import { worded } from "./worth.js";

export async function hint(room) {
  const { status, table } = room;
  if (!room.home.state) return;
  const { moment } = room.home.state;
  const isNow = () => room.home.state.moment === moment;
  const say = (text) => { if (isNow()) status.say(text, "advice"); };
  say(t("hint.thinking"));
  try {
    const found = await ask("/api/hint", { table, token: room.acting("move").token });
    const shape = found.shape ? { shape: word("shape", found.shape) } : {};
    const value = found.value === undefined ? {} : { value: worded(found.value, found.unit) };
    say(t(`hint.${found.key}`, { ...found, ...shape, ...value, move: found.name }));
    if (!isNow()) return;
    point(room.board, found.touches);
    room.hinted = moment;
  } catch (error) {
    say(error.message);
  }
}

// Takes the rings away when the board has changed.
export function unhint(room, state) {
  if (room.hinted === undefined || room.hinted === state.moment) return;
  room.hinted = undefined;
  room.board?.overlay();
}

// Rings round the places to touch.
function point(board, places) {
  const known = places.filter((id) => board?.places?.has(id));
  if (!board?.layers) return;
  board.overlay(...known.map((id, i) => {
    const { x, y } = board.at(id);
    return s("circle", { class: `hinted${i === known.length - 1 ? " last" : ""}`, cx: x, cy: y, r: 18.5 });
  }));
}
