// What study draws above the pieces: candidates as heat, a line of moves, shapes, beliefs.
// Everything is given by places; no game is known here.

import { UNIT } from "./board.js";
import { s } from "./dom.js";

// Candidates on the board: warm for good, cold for bad, the best with a ring.
//   rows: [{touches, text, worth (0 to 1, among these), said, best}]
export function heat(board, rows) {
  const shown = rows.filter((row) => row.touches.length && row.touches.every((id) => board.places.has(id)));
  const best = new Map(); // by the last place: many moves may end there
  for (const row of shown) {
    const end = row.touches.at(-1);
    if (!best.has(end) || best.get(end).worth < row.worth) best.set(end, row);
  }
  const arrows = shown.filter((row) => row.touches.length > 1 && (row.best || row.worth > 0.75)).slice(0, 4)
    .map((row) => arrow(board, row.touches, `heat-arrow${row.best ? " best" : ""}`));
  const spots = [...best.entries()].map(([id, row]) => {
    const { x, y } = board.at(id);
    return measured(s("g", { class: `heat${row.best ? " best" : ""}`, transform: `translate(${x} ${y})` },
      s("circle", { r: 0.4 * UNIT }), row.said && s("text", { y: 0.5 }, row.said)), "--worth", row.worth);
  });
  return [...arrows, ...spots];
}

// A line of moves, numbered, in the colours of the seats that make them.
export function line(board, steps) {
  const seats = board.layout.seats;
  return steps.filter((step) => step.touches.length && step.touches.every((id) => board.places.has(id))).flatMap((step, i) => {
    const { x, y } = board.at(step.touches.at(-1));
    const colour = seats[step.seat]?.colour ?? "black";
    return [
      step.touches.length > 1 && i < 6 && arrow(board, step.touches, "line-arrow"),
      s("g", { class: `step ${colour}`, transform: `translate(${x} ${y})` },
        s("circle", { r: 0.36 * UNIT }), s("text", { y: 0.5 }, String(i + 1))),
    ].filter(Boolean);
  });
}

// Shapes: outlines of their stones, a diamond where one is waited for.
export function shapes(board, found) {
  return found.flatMap((shape) => {
    const colour = board.layout.seats[shape.seat]?.colour ?? "black";
    const name = shape.name.toLowerCase().replaceAll(" ", "-");
    const marks = shape.places.filter((id) => board.places.has(id)).map((id) => {
      const { x, y } = board.at(id);
      return s("circle", { class: `shape ${name} ${colour}`, cx: x, cy: y, r: 0.43 * UNIT });
    });
    if (shape.waits && board.places.has(shape.waits)) {
      const { x, y } = board.at(shape.waits);
      const r = (shape.seat ? 0.34 : 0.24) * UNIT;
      marks.push(s("path", { class: `waits ${name} ${colour}`, d: `M${x} ${y - r}L${x + r} ${y}L${x} ${y + r}L${x - r} ${y}Z` }));
    }
    return marks;
  });
}

// Beliefs: the likeliest kind of every hidden piece and how likely it is.
export function beliefs(board, pieces, letters) {
  return pieces.filter((piece) => board.places.has(piece.place) && piece.chances.length).map((piece) => {
    const [first] = piece.chances;
    const { x, y } = board.at(piece.place);
    const sure = first.chance > 0.995;
    return measured(s("g", { class: "belief", transform: `translate(${x} ${y})` },
      s("text", { class: "kind", y: sure ? 0 : -5 }, letters ? first.letter : first.text),
      !sure && s("text", { class: "chance", y: 9 }, `${Math.round(100 * first.chance)}%`)), "--sure", first.chance);
  });
}

// Gives an element a number that its style uses; style attributes are not allowed on this page.
export function measured(element, name, value) {
  element.style.setProperty(name, Number(value).toFixed(3));
  return element;
}

function arrow(board, touches, kind) {
  const points = touches.map((id) => board.at(id));
  const [from, to] = [points.at(-2), points.at(-1)];
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const tip = { x: to.x - 0.2 * UNIT * dx, y: to.y - 0.2 * UNIT * dy };
  const back = (side) => `${tip.x - 9 * dx + side * 6 * dy} ${tip.y - 9 * dy - side * 6 * dx}`;
  const path = points.slice(0, -1).map(({ x, y }) => `${x} ${y}`).join("L");
  return s("g", { class: kind },
    s("path", { class: "shaft", d: `M${path}L${tip.x - 7 * dx} ${tip.y - 7 * dy}` }),
    s("path", { class: "head", d: `M${tip.x} ${tip.y}L${back(1)}L${back(-1)}Z` }));
}
