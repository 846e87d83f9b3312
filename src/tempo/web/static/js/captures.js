// Pieces that are taken move off the board: to the hand that holds them now, or to the tray of their seat.

import { h } from "./dom.js";
import { pictureOf } from "./pieces.js";

const TIME = 480; // milliseconds on the way

// What a turn has taken; `before` are the pieces that stood on the board, by place.
export function takenBy(scene, before, letters) {
  if (!before) return null;
  const now = new Map(scene.pieces.map((piece) => [piece.place, piece]));
  const end = now.get(scene.last[scene.last.length - 1]);
  const fell = end?.seat !== scene.mover; // the piece that moved, in its own attack
  const pieces = [...before.values()].filter(({ place, seat }) => now.get(place)?.seat !== seat
    && (seat !== scene.mover || (fell && place === scene.last[0])));
  const grown = scene.pieces.filter(({ place, count }) => count > (before.get(place)?.count ?? 0)).map(({ place }) => place);
  return { pieces, grown, letters };
}

// Shows it on its way, unless motion is not wanted. The seats have the trays.
export function fly(taken, board, seats) {
  if (!taken?.pieces.length || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const hand = taken.grown.find((place) => board.places.get(place).form === "hand");
  for (const piece of taken.pieces) {
    const goal = hand ? board.rectOf(hand) : seats.trayOf(piece)?.getBoundingClientRect();
    if (goal) move(pictureOf(piece, board.layout, taken.letters), board.rectOf(piece.place), goal);
  }
}

function move(picture, from, to) {
  const flying = h("div", { class: "flying", "aria-hidden": "true" }, picture);
  for (const side of ["left", "top", "width", "height"]) flying.style.setProperty(side, `${from[side]}px`);
  document.body.append(flying);
  const [x, y] = [to.left + to.width / 2 - from.left - from.width / 2, to.top + to.height / 2 - from.top - from.height / 2];
  const size = Math.min(1, to.height / from.height);
  flying.animate([{ transform: "none" }, { transform: `translate(${x}px, ${y}px) scale(${size})`, opacity: 0.8 }], { duration: TIME, easing: "ease-in-out", fill: "forwards" })
    .finished.finally(() => flying.remove());
}
