// The one renderer: draws a layout and its scenes, reports touched places. Knows no game.
//
// Layers, from the ground up: ground, marks, pieces, last (a dot on a stone), overlay (for study), touch. Only the last one
// takes part in touching and reading aloud: each place there is a button with a label.

import { h, s } from "./dom.js";
import { neighbour } from "./keys.js";
import { drawPiece } from "./pieces.js";
import { t } from "./text.js";

export const UNIT = 40; // user units from one place to the next; text needs sizes above 1
const SMALL = 26; // pixels from place to place below which a finger needs help
const FAR = 6; // pixels after which a press is a drag

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Board {
  // touch(place, {by}) is called for every touch; letGo() on Escape; canDrag(place) before a drag.
  constructor(layout, { touch = () => {}, letGo = () => {}, canDrag = () => false } = {}) {
    this.layout = layout;
    this.places = new Map(layout.places.map((place) => [place.id, place]));
    this.listeners = { touch, letGo, canDrag };
    this.dragByTouch = false;
    this.shifted = new Map(); // places of a hand that stand elsewhere, so that it has no gaps
    this.element = h("div", { class: "board" });
    if (!this.places.size) {
      this.print = h("pre", { class: "print", tabindex: 0, "aria-label": t("table.board") });
      this.element.append(this.print);
      return;
    }
    const [x, y, wide, high] = layout.box.map((v) => v * UNIT);
    this.layers = Object.fromEntries(["ground", "marks", "pieces", "last", "overlay", "touch"]
      .map((name) => [name, s("g", { class: name })]));
    this.svg = s("svg", {
      viewBox: `${x} ${y} ${wide} ${high}`, role: "group", "aria-label": t("table.board_of", { game: layout.title }),
      "data-game": layout.game.split("(")[0],
    }, Object.values(this.layers));
    this.element.style.setProperty("--shape", String(layout.box[2] / layout.box[3]));
    this.element.append(this.svg);
    this.layers.ground.append(
      ...layout.ground.map(drawShape),
      ...layout.places.map(drawGround).filter(Boolean));
    this.buttons = new Map(layout.places.map((place) => [place.id, this.#button(place)]));
    this.layers.touch.append(...this.buttons.values());
    this.#listen();
    // Names of columns and rows keep a readable size, whatever the board's.
    this.watch = new ResizeObserver(() => {
      const size = Math.min(15, Math.max(9, (13 * UNIT) / this.cell));
      this.svg.style.setProperty("--name-size", `${size}px`);
    });
    this.watch.observe(this.element);
  }

  // The same board with its places called otherwise.
  rename(layout) {
    this.places = new Map(layout.places.map((place) => [place.id, place]));
  }

  // Pixels from one place to the next.
  get cell() {
    return this.svg ? this.svg.getBoundingClientRect().width / this.layout.box[2] : Infinity;
  }

  get isSmall() {
    return this.cell < SMALL;
  }

  at(id) {
    const place = this.places.get(id);
    return { x: (this.shifted.get(id) ?? place.x) * UNIT, y: place.y * UNIT };
  }

  // Moves what is in hand together: the middle of a tray first, in the order of the layout.
  #closeGaps() {
    const held = this.layout.places.filter((place) => place.form === "hand");
    this.shifted.clear();
    for (const y of new Set(held.map((place) => place.y))) {
      const row = held.filter((place) => place.y === y);
      const full = row.filter((place) => this.pieces.has(place.id)).sort((a, b) => a.x - b.x);
      const middle = (row[0].x + row[row.length - 1].x) / 2;
      full.forEach((place, i) => this.shifted.set(place.id, middle + (i - (full.length - 1) / 2) * 1.05));
      for (const place of row) {
        const button = this.buttons.get(place.id);
        button.toggleAttribute("hidden", !this.pieces.has(place.id));
        button.setAttribute("transform", `translate(${this.at(place.id).x} ${this.at(place.id).y})`);
      }
    }
  }

  // Draws a moment. A piece that the last move took somewhere slides there.
  // `guesses` are a person's own words for hidden pieces, by place.
  show(scene, { letters = false, slide = true, guesses = {} } = {}) {
    this.scene = scene;
    if (this.print) {
      this.print.textContent = scene.board;
      this.print.style.setProperty("--wide", Math.max(1, ...scene.board.split("\n").map((line) => line.length)));
      return;
    }
    this.pieces = new Map(scene.pieces.map((piece) => [piece.place, piece]));
    for (const name of this.layers.ground.querySelectorAll("[data-short]")) name.textContent = letters ? name.dataset.short : name.dataset.text;
    this.#closeGaps();
    const drawn = scene.pieces.map((piece) => {
      const element = drawPiece(piece, this.layout, letters, guesses[piece.place]);
      const { x, y } = this.at(piece.place);
      element.setAttribute("transform", `translate(${x} ${y})`);
      element.dataset.on = piece.place;
      return element;
    });
    this.layers.pieces.replaceChildren(...drawn);
    if (slide) this.#slide(scene);
    this.mark();
  }

  // Marks what is touched and what may be: `now` are the touches made, `targets` a set of places,
  // which are `shown` as soon as one is touched or when asked for; `ghost` is a place to be touched
  // again, `earlier` are the places of turns before the last, `premove` those of a move to be made.
  mark({ now = [], targets = new Set(), shown = now.length > 0, ghost = null, earlier = [], premove = [] } = {}) {
    if (this.print) return;
    const { last, captured, marks = [] } = this.scene;
    const spot = (kind) => (id) => this.places.has(id) && drawMark(kind, this.places.get(id), this.at(id), this.pieces.has(id));
    const isStone = (id) => this.pieces.get(id)?.form === "stone";
    this.layers.last.replaceChildren(...last.filter(isStone).map((id) => {
      const { x, y } = this.at(id);
      return s("circle", { class: "mark stone", cx: x, cy: y, r: 6.5 });
    }), ...marks.filter(({ kind }) => kind !== "check").map((mark) => this.#outline(mark)), ...this.#arrow(last));
    this.layers.marks.replaceChildren(...[
      ...marks.filter(({ kind }) => kind === "check").flatMap(({ places }) => places.map(spot("check"))),
      ...earlier.map(spot("earlier")), ...premove.map(spot("premove")), ...last.filter((id) => !isStone(id)).map(spot("last")), ...captured.map(spot("captured")), ...now.map(spot("now")),
      ...(shown ? [...targets].map(spot("target")) : []), ghost && spot("ghost")(ghost),
    ].filter(Boolean));
    for (const [id, button] of this.buttons) {
      const place = this.places.get(id);
      const parts = [this.pieces.get(id)?.label ?? t("table.empty", { place: place.label })];
      if (last.includes(id)) parts.push(t("table.last"));
      if (now.includes(id)) parts.push(t("table.chosen"));
      else if (targets.has(id)) parts.push(t("table.possible"));
      button.setAttribute("aria-label", parts.join(", "));
      button.classList.toggle("may", targets.has(id));
    }
  }

  // A row that has won as a line through it, a shape as a line around it.
  #outline({ kind, places }) {
    const points = places.filter((id) => this.places.has(id)).map((id) => this.at(id));
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
    if (kind === "line") {
      const [a, b] = [points[0], points[points.length - 1]];
      return s("line", { class: "mark row", x1: a.x, y1: a.y, x2: b.x, y2: b.y });
    }
    const [x, y] = [Math.min(...xs) - 15, Math.min(...ys) - 15];
    return s("rect", { class: "mark shape", x, y, width: Math.max(...xs) + 15 - x, height: Math.max(...ys) + 15 - y, rx: 14 });
  }

  // Where tiles moved: from where to where.
  #arrow(last) {
    const ends = last.filter((id) => this.places.has(id));
    if (ends.length < 2 || this.places.get(ends[0]).form === "square" || this.places.get(ends[0]).form === "point") return [];
    const [a, b] = [this.at(ends[0]), this.at(ends[ends.length - 1])];
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const [dx, dy] = [(b.x - a.x) / length, (b.y - a.y) / length];
    const [x, y] = [b.x - 15 * dx, b.y - 15 * dy];
    return [s("path", { class: "mark arrow", d: `M${a.x} ${a.y}L${x} ${y}M${x - 9 * dx - 6 * dy} ${y - 9 * dy + 6 * dx}L${x} ${y}L${x - 9 * dx + 6 * dy} ${y - 9 * dy - 6 * dx}` })];
  }

  // Where a place is on the screen.
  rectOf(id) {
    return this.buttons.get(id).getBoundingClientRect();
  }

  // Shows a move that is on its way: what was touched first stands where the last touch was; where
  // nothing was lifted, something of this colour is put down.
  pend(touches, colour) {
    if (this.print || !touches.length) return;
    const [from, to] = [touches[0], touches[touches.length - 1]];
    const on = (id) => this.layers.pieces.querySelector(`[data-on="${CSS.escape(id)}"]`);
    const { x, y } = this.at(to);
    const lifted = touches.length > 1 && on(from);
    on(to)?.classList.add("under");
    if (lifted) {
      const piece = this.pieces.get(from).count > 1 ? lifted.cloneNode(true) : lifted;
      piece.setAttribute("transform", `translate(${x} ${y})`);
      piece.classList.add("pending");
      this.layers.pieces.append(piece);
    } else if (!this.pieces.has(to)) {
      this.layers.pieces.append(s("g", { class: `piece stone pending ${colour}`, transform: `translate(${x} ${y})` },
        s("circle", { class: "body", r: 17.5 })));
    }
  }

  // Draws something above the pieces at a place: for study. Empty it with overlay().
  overlay(...elements) {
    this.layers?.overlay.replaceChildren(...elements);
  }

  focus(id) {
    const button = this.buttons?.get(id);
    if (!button) return;
    for (const other of this.buttons.values()) other.setAttribute("tabindex", "-1");
    button.setAttribute("tabindex", "0");
    button.focus();
  }

  // It has its place's name until a scene says what stands there.
  #button(place) {
    const first = place === this.layout.places[0];
    return s("g", {
      class: "place", "data-place": place.id, role: "button", "aria-label": place.label, tabindex: first ? 0 : -1,
      transform: `translate(${place.x * UNIT} ${place.y * UNIT})`,
    }, s("rect", { x: -UNIT / 2, y: -UNIT / 2, width: UNIT, height: UNIT, rx: 5 }));
  }

  #slide(scene) {
    if (scene.last.length < 2 || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const to = scene.last[scene.last.length - 1];
    const from = scene.last[0];
    const element = this.layers.pieces.querySelector(`[data-on="${CSS.escape(to)}"]`);
    const piece = this.pieces.get(to);
    if (!element || !this.places.has(from) || piece.seat !== scene.mover) return;
    const place = (id) => { const { x, y } = this.at(id); return `translate(${x}px, ${y}px)`; };
    const route = scene.last.map((id) => ({ transform: place(id) }));
    element.animate(route, { duration: 110 + 70 * route.length, easing: "ease-out" });
  }

  #listen() {
    const placeOf = (target) => target?.closest?.("[data-place]")?.dataset.place;
    let pressed = null; // {id, x, y, element, dragging}
    let dragged = false;
    this.svg.addEventListener("click", (event) => {
      if (dragged) { dragged = false; return; }
      const id = placeOf(event.target);
      if (id) this.listeners.touch(id, { by: event.pointerType || "mouse" });
    });
    this.svg.addEventListener("pointerdown", (event) => {
      dragged = false;
      const id = placeOf(event.target);
      // A finger scrolls the page; it drags only where there is nothing to scroll for.
      const finger = event.pointerType === "touch" && !this.dragByTouch;
      if (!id || finger || !this.listeners.canDrag(id)) return;
      const element = this.layers.pieces.querySelector(`[data-on="${CSS.escape(id)}"]`);
      if (element) pressed = { id, x: event.clientX, y: event.clientY, element, dragging: false };
    });
    window.addEventListener("pointermove", this.moveListener = (event) => {
      if (!pressed) return;
      const far = Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > FAR;
      if (!pressed.dragging && far) {
        pressed.dragging = true;
        pressed.element.classList.add("dragged");
        this.listeners.touch(pressed.id, { by: "drag" });
      }
      if (pressed.dragging) {
        const point = new DOMPoint(event.clientX, event.clientY)
          .matrixTransform(this.svg.getScreenCTM().inverse());
        pressed.element.setAttribute("transform", `translate(${point.x} ${point.y})`);
        this.layers.pieces.append(pressed.element);
      }
    });
    window.addEventListener("pointerup", this.upListener = (event) => {
      if (!pressed) return;
      const { id, dragging, element } = pressed;
      pressed = null;
      if (!dragging) return;
      dragged = event.target instanceof Node && this.svg.contains(event.target);
      const { x, y } = this.at(id);
      element.setAttribute("transform", `translate(${x} ${y})`);
      element.classList.remove("dragged");
      const target = placeOf(document.elementFromPoint(event.clientX, event.clientY));
      if (target && target !== id) this.listeners.touch(target, { by: "drag" });
    });
    this.svg.addEventListener("keydown", (event) => {
      const id = placeOf(event.target);
      if (!id) return;
      if (event.key in ARROWS) {
        const next = neighbour(this.layout.places, this.places.get(id), ...ARROWS[event.key]);
        if (next) this.focus(next.id);
      } else if (event.key === "Enter" || event.key === " ") {
        this.listeners.touch(id, { by: "keyboard" });
      } else if (event.key === "Escape") {
        this.listeners.letGo();
      } else {
        return;
      }
      event.preventDefault();
    });
  }

  // Lets go of what the window was asked to listen for.
  remove() {
    window.removeEventListener("pointermove", this.moveListener);
    window.removeEventListener("pointerup", this.upListener);
    this.watch?.disconnect();
    this.element.remove();
  }
}

function drawShape({ kind, style, at, text, short }) {
  const [a, b, c, d] = at.map((v) => v * UNIT);
  switch (kind) {
    case "rect": return s("rect", { class: style, x: a, y: b, width: c, height: d });
    case "line": return striped(style, (look) => s("line", { class: look, x1: a, y1: b, x2: c, y2: d }));
    case "circle": return s("circle", { class: style, cx: a, cy: b, r: c });
    case "path": return striped(style, (look) => s("path", { class: look, d: text, transform: `scale(${UNIT})` }));
    default: return s("text", { class: style, x: a, y: b, "aria-hidden": "true", ...(short && { "data-text": text, "data-short": short }) }, text);
  }
}

// Railways are dark lines with light stripes on them.
function striped(style, draw) {
  return style === "rail" || style === "curve" ? s("g", {}, draw(style), draw(`${style} stripe`)) : draw(style);
}

// A place that is seen even when nothing stands on it.
function drawGround(place) {
  const [x, y] = [place.x * UNIT, place.y * UNIT];
  const box = (half, high) => s("rect", {
    class: place.form, x: x - half, y: y - high, width: 2 * half, height: 2 * high, rx: 4,
  });
  switch (place.form) {
    case "station": return box(15, 11);
    case "headquarters": return box(19, 19);
    case "camp": return s("circle", { class: "camp", cx: x, cy: y, r: 18.8 });
    default: return null;
  }
}

function drawMark(kind, place, { x, y }, full) {
  const attributes = { class: `mark ${kind}${full ? " full" : ""}` };
  if (kind === "captured") {
    return s("path", { ...attributes, d: `M${x - 7} ${y - 7}l14 14m0 -14l-14 14` });
  }
  if (kind === "check") return s("circle", { ...attributes, cx: x, cy: y, r: 21 });
  if (kind === "target" || kind === "ghost") {
    return s("circle", { ...attributes, cx: x, cy: y, r: kind === "ghost" || full ? 18.5 : 6 });
  }
  if (place.form === "square" || place.form === "hand") {
    return s("rect", { ...attributes, x: x - 20, y: y - 20, width: 40, height: 40 });
  }
  return s("circle", { ...attributes, cx: x, cy: y, r: 19.5 });
}
