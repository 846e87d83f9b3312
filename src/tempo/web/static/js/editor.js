// The board editor: pieces from a palette are put on places; the rules say whether it is a position.

import { ask } from "./api.js";
import { Board } from "./board.js";
import { h } from "./dom.js";
import { pictureOf } from "./pieces.js";
import { t, word } from "./text.js";
import { nameOf } from "./worth.js";

export class Editor {
  // done(start): a position was made; leave(): nothing was.
  constructor({ game, start, layout, letters, done, leave }) {
    Object.assign(this, { game, start, layout, letters, done, leave });
    this.element = h("div", { class: "editor desk" });
  }

  async open() {
    const { palette, sides, placed } = await ask(`/api/editor?${new URLSearchParams({ game: this.game, start: this.start })}`);
    this.palette = new Map(palette.map((row) => [row.code, row]));
    this.placed = new Map(Object.entries(placed));
    this.board = new Board(this.layout, { touch: (place) => this.#touch(place) });
    this.stage = h("div", { class: "boardbox" }, this.board.element);
    this.stage.style.setProperty("--shape", String(this.layout.box[2] / this.layout.box[3] || 1));
    this.fault = h("p", { class: "fault", role: "alert" });
    const tool = (code, label, drawing) => h("button", { type: "button", class: "tool", "data-code": code, "aria-pressed": "false", "aria-label": label, title: label, onclick: () => this.#hold(code) }, drawing);
    const shown = (row) => pictureOf({ ...row.piece, count: 1 }, this.layout, this.letters);
    this.tools = h("div", { class: "palette", role: "group", "aria-label": t("editor.pieces") },
      this.layout.seats.map((_, seat) => h("div", { class: "row" }, palette.filter((row) => row.seat === seat)
        .map((row) => tool(row.code, this.#name(row), shown(row))))),
      h("div", { class: "row" }, tool("", t("editor.erase"), "⌫")));
    const seat = (name) => nameOf(this.layout.seats.find((one) => one.name === name) ?? { words: word("seat", name) });
    this.side = h("select", { "aria-label": t("editor.side") }, sides.map(([code, name]) => h("option", { value: code }, name ? `${seat(name)}${code.includes(" ") ? ` (${t(`editor.stage.${code.split(" ")[1]}`)})` : ""}` : t(`editor.${code}`))));
    this.element.replaceChildren(
      h("div", { class: "front" }, this.stage),
      h("div", { class: "side" }, h("section", { class: "card" },
        h("h2", {}, t("editor.title")), h("p", { class: "help" }, t("editor.help")), this.tools,
        sides.length > 1 && h("label", {}, t("editor.side"), this.side), this.fault,
        h("div", { class: "row" },
          h("button", { type: "button", class: "strong use", onclick: () => this.#use() }, t("editor.use")),
          h("button", { type: "button", class: "clear", onclick: () => { this.placed.clear(); this.#show(); } }, t("editor.clear")),
          h("button", { type: "button", class: "quiet cancel", onclick: () => this.leave() }, t("editor.cancel"))))));
    this.#hold([...this.palette.keys()][0] ?? "");
    this.#show();
  }

  #hold(code) {
    this.held = code;
    for (const one of this.tools.querySelectorAll("[data-code]")) one.setAttribute("aria-pressed", String(one.dataset.code === code));
  }

  // A tray counts up; a place takes what is held, and gives up the same piece.
  #touch(place) {
    const now = this.placed.get(place);
    if (this.board.places.get(place).form === "hand") {
      const fits = this.palette.get(this.held)?.tray === place;
      const count = (now?.[1] ?? 0) + (fits ? 1 : -1);
      if (count > 0) this.placed.set(place, [now?.[0] ?? this.held, count]);
      else this.placed.delete(place);
    } else if (!this.held || now?.[0] === this.held) {
      this.placed.delete(place);
    } else {
      this.placed.set(place, [this.held, 1]);
    }
    this.fault.textContent = "";
    this.#show();
  }

  #name({ seat, piece }) {
    return [nameOf(this.layout.seats[seat]), piece.short || piece.text].filter(Boolean).join(" ");
  }

  #show() {
    const pieces = [...this.placed].flatMap(([place, [code, count]]) => {
      const row = this.palette.get(code);
      return row ? [{ ...row.piece, place, count, label: `${this.#name(row)}, ${place}` }] : [];
    });
    this.board.show({ pieces, last: [], captured: [], moves: [] }, { letters: this.letters, slide: false });
  }

  async #use() {
    try {
      const { start } = await ask("/api/editor", { game: this.game, placed: Object.fromEntries(this.placed), side: this.side.value });
      this.done(start);
    } catch (error) {
      this.fault.textContent = error.message; // what was set up stays
    }
  }

  close() {
    this.board?.remove();
    this.element.remove();
  }
}
