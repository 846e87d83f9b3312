// The moves of a game as a list to step through, numbered as the game numbers them.

import { h, intoView } from "./dom.js";
import { t, word } from "./text.js";

export class Moves {
  // look(ply) is called when a moment is asked for: 0 is the start, the number of moves the present.
  constructor(look) {
    this.look = look;
    this.list = h("ol", { class: "list", tabindex: 0, "aria-label": t("moves.title") });
    const step = (name, sign, to) => h("button", {
      type: "button", class: "quiet", "data-step": name, "aria-label": t(`moves.${name}`), title: t(`moves.${name}`), onclick: () => look(to()),
    }, sign);
    this.steps = [
      step("first", "«", () => 0), step("back", "‹", () => Math.max(0, this.at - 1)),
      step("on", "›", () => Math.min(this.count, this.at + 1)), step("last", "»", () => this.count),
    ];
    this.element = h("section", { class: "moves", "aria-label": t("moves.title") }, h("div", { class: "steps" }, this.steps), this.list);
    this.list.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!by) return;
      event.preventDefault();
      look(Math.max(0, Math.min(this.count, this.at + by)));
    });
    [this.at, this.count, this.shown] = [0, 0, []];
  }

  // Draws moves with their seats; `at` is the moment that the board shows.
  draw(moves, { numbering, letters, at }) {
    this.count = moves.length;
    this.at = at;
    const texts = moves.map((move) => textOf(move, letters));
    const kept = this.shown.findIndex((text, i) => text !== texts[i]);
    const same = kept < 0 ? Math.min(this.shown.length, texts.length) : kept;
    for (const item of [...this.list.children].slice(same)) item.remove();
    const numbers = numbered(moves, numbering);
    for (let i = same; i < texts.length; i += 1) {
      this.list.append(h("li", {}, numbers[i] && h("span", { class: "number" }, numbers[i]),
        h("button", { type: "button", class: "ply", tabindex: -1, onclick: () => this.look(i + 1) }, texts[i])));
    }
    this.shown = texts;
    this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const here = this.list.children[at - 1]?.lastChild;
    here?.setAttribute("aria-current", "true");
    if (here) intoView(this.list, here);
    const [first, back, on, last] = this.steps;
    first.disabled = back.disabled = at === 0;
    on.disabled = last.disabled = at === this.count;
  }
}

// A move in the one notation that is chosen; what is no move has a word of its own.
export function textOf({ text, native = "" }, letters) {
  return (letters ? "" : native) || word("move", text);
}

// The number before each move: of every ply, of a pair of plies, or of a turn of several moves. A move that stands
// `alone` has the number of its pair or turn.
export function numbered(moves, numbering, alone = false) {
  let number = 0;
  return moves.map(({ seat }, i) => {
    const earlier = moves[i - 1]?.seat;
    if (numbering === "plies") return `${i + 1}`;
    const isNew = numbering === "turns" ? seat !== earlier : seat === 0 || i === 0;
    if (isNew) number += 1;
    if (!isNew && !alone) return "";
    if (numbering === "turns") return `${number}`;
    return `${number}.${seat ? ".." : ""}`;
  });
}
