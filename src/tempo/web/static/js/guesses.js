// A person's own guesses of hidden pieces. They stay in this browser and move with the pieces.

import { pick } from "./choice.js";
import { memory } from "./dom.js";
import { t } from "./text.js";

const KEPT = 20; // tables

export class Guesses {
  constructor(table) {
    this.table = table;
    this.marks = memory.get("guesses", {})[table]?.marks ?? {};
  }

  // Asks what a piece at a place is taken for; `kinds` are those of the layout.
  async ask(place, kinds, letters, at) {
    const answers = Object.entries(kinds).map(([kind, [text, short]]) => ({ text: letters ? short : text, value: kind }));
    const kind = await pick(t("guess.ask"), [...answers, { text: t("guess.none"), value: "-" }], at);
    if (!kind) return false;
    if (kind === "-") delete this.marks[place];
    else this.marks[place] = kind;
    this.#keep();
    return true;
  }

  // After a turn: a guess goes where its piece went, and goes away with it.
  follow(scene) {
    const pieces = new Map(scene.pieces.map((piece) => [piece.place, piece]));
    const [from, to] = [scene.last[0], scene.last[scene.last.length - 1]];
    if (to in this.marks && to !== from && pieces.get(to)?.seat === scene.mover) delete this.marks[to]; // it was taken
    if (from in this.marks && !pieces.has(from)) {
      if (pieces.get(to)?.seat === scene.mover) this.marks[to] = this.marks[from];
      delete this.marks[from];
    }
    for (const place of Object.keys(this.marks)) {
      const piece = pieces.get(place);
      if (!piece || piece.text) delete this.marks[place];
    }
    this.#keep();
  }

  // What is drawn on the pieces.
  texts(kinds, letters) {
    return Object.fromEntries(Object.entries(this.marks).filter(([, kind]) => kind in kinds).map(([place, kind]) => [place, kinds[kind][letters ? 1 : 0]]));
  }

  #keep() {
    const all = memory.get("guesses", {});
    all[this.table] = { marks: this.marks, at: Date.now() };
    memory.set("guesses", Object.fromEntries(Object.entries(all).sort((a, b) => b[1].at - a[1].at).slice(0, KEPT)));
  }
}
