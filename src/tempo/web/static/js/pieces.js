// The shapes of pieces, around the point (0, 0). Their colours are classes; see board.css.

import { s } from "./dom.js";

// A piece of a scene on a layout. With `letters`, characters that not everybody reads become plain ones;
// `guess` is what a person takes a hidden piece for.
export function drawPiece(piece, layout, letters, guess = "") {
  const text = letters ? piece.short || piece.text : piece.text;
  const group = s("g", { class: `piece ${piece.form} ${layout.seats[piece.seat].colour}` });
  const turn = turnOf(piece, layout);
  group.append(s("g", turn ? { transform: `rotate(${turn})` } : {}, SHAPES[piece.form](text, piece, layout, guess)));
  if (piece.count > 1) {
    group.append(
      s("circle", { class: "count", cx: 13, cy: -13, r: 8 }),
      s("text", { class: "count", x: 13, y: -12.5 }, String(piece.count)));
  }
  return group;
}

// Wedges and tiles face their owner.
function turnOf(piece, { seats, side }) {
  if (piece.form !== "wedge" && piece.form !== "tile") return 0;
  return (-360 / seats.length) * ((piece.seat - side + seats.length) % seats.length);
}

const wide = (text) => ([...text].length > 1 ? "text wide" : "text");

const SHAPES = {
  stone: () => [
    s("circle", { class: "body", r: 17.5 }),
    s("ellipse", { class: "shine", cx: -5, cy: -6.5, rx: 7, ry: 5 }),
  ],
  disc: (text) => [
    s("circle", { class: "body", r: 17 }),
    s("circle", { class: "rim", r: 14.4 }),
    ...(text ? [s("text", { class: wide(text), y: 1 }, text)] : []),
  ],
  tile: (text, piece, layout, guess) => [
    s("rect", { class: "body", x: -18, y: -13, width: 36, height: 26, rx: 4 }),
    s("rect", { class: "rim", x: -15.6, y: -10.6, width: 31.2, height: 21.2, rx: 2.5 }),
    ...(text || guess ? [s("text", { class: text ? "text" : "text guess", y: 1 }, text || guess)] : []),
  ],
  wedge: (text, piece) => [
    s("path", { class: "body", d: "M0 -18.5L12.5 -12.5L16 17L-16 17L-12.5 -12.5Z" }),
    s("text", { class: `${wide(text)}${piece.short.startsWith("+") ? " promoted" : ""}`, y: 3.5 }, text),
  ],
  figure: (text, piece, { figures }) => {
    const [outline, lines] = figures[piece.short] ?? ["", ""];
    return [s("path", { class: "body", d: outline }), s("path", { class: "lines", d: lines })];
  },
};

// A piece as a small picture of its own, for trays and choices.
export function pictureOf(piece, layout, letters) {
  const upright = { ...layout, side: piece.seat };
  return s("svg", { class: "board-piece", viewBox: "-20 -20 40 40", "aria-hidden": "true" }, drawPiece({ ...piece, count: 1 }, upright, letters));
}

// Whether this browser has no font for Chinese and Japanese: all its characters look the same.
export function lacksCharacters() {
  const shape = (text) => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [24, 24];
    const context = canvas.getContext("2d", { willReadFrequently: true });
    if (!context) return text;
    context.font = "20px sans-serif";
    context.fillText(text, 0, 20);
    return context.getImageData(0, 0, 24, 24).data.join();
  };
  return shape("歩") === shape("旗");
}
