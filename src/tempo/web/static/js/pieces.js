// The shapes of pieces, around the point (0, 0). Their colours are classes; see board.css.

import { s } from "./dom.js";

// A piece of a scene. With `letters`, characters that not everybody reads become plain ones.
export function drawPiece(piece, colour, letters) {
  const text = letters && piece.form !== "glyph" ? piece.short || piece.text : piece.text;
  const group = s("g", { class: `piece ${piece.form} ${colour}` });
  group.append(...SHAPES[piece.form](text, piece));
  if (piece.count > 1) {
    group.append(
      s("circle", { class: "count", cx: 13, cy: -13, r: 8 }),
      s("text", { class: "count", x: 13, y: -12.5 }, String(piece.count)));
  }
  return group;
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
  wedge: (text, piece) => [
    s("g", piece.turned ? { transform: "rotate(180)" } : {},
      s("path", { class: "body", d: "M0 -18.5L12.5 -12.5L16 17L-16 17L-12.5 -12.5Z" }),
      s("text", { class: `${wide(text)}${piece.short.startsWith("+") ? " promoted" : ""}`, y: 3.5 }, text)),
  ],
  glyph: (text) => [s("text", { class: "text", y: 1 }, text)],
};

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
