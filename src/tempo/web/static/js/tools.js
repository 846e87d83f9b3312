// What can be done at a table besides moving. The buttons stay where they are; those that are of no use now are pale.

import { ask, tokensOf } from "./api.js";
import { confirm, pick } from "./choice.js";
import { banner, h, save } from "./dom.js";
import { hint, unhint } from "./hint.js";
import { showRanks } from "./ranks.js";
import { t } from "./text.js";

const EARLIER = 20; // games at a table that can be chosen from

export class Tools {
  constructor(room) {
    this.room = room;
    this.buttons = new Map([
      this.#button("undo", "↶", () => room.send({ type: "undo" })),
      this.#button("offer_draw", "½", async () => {
        if (await confirm(t("ask.draw"), t("ask.yes_draw"))) room.send({ type: "offer_draw" });
      }),
      this.#button("resign", "⚑", async () => {
        if (await confirm(t("ask.resign"), t("tool.resign"))) room.send({ type: "resign" });
      }),
      this.#button("hint", "?", () => hint(room)),
      this.#button("now", "»", () => room.send({ type: "hurry" })),
      this.#button("ranks", "☰", () => showRanks(room.home.layout, room.home.state?.seat ?? 0)),
      this.#button("flip", "⇅", () => room.flip()),
      this.#button("more", "⋯", () => this.#more()),
    ]);
    this.buttons.get("hint").disabled = true; // until there is a state to give one for
    this.buttons.get("ranks").hidden = true; // where no pieces are put up
    this.element = h("div", { class: "tools" }, [...this.buttons.values()]);
  }

  #button(name, sign, action) {
    return [name, h("button", { type: "button", "data-tool": name, title: t(`tool.${name}`), "aria-label": t(`tool.${name}`), onclick: action },
      h("span", { class: "sign", "aria-hidden": "true" }, sign), h("span", { class: "word", "aria-hidden": "true" }, t(`tool.${name}`)))];
  }

  draw(state) {
    const { room } = this;
    for (const name of ["undo", "offer_draw", "resign"]) this.buttons.get(name).disabled = !room.can(name);
    this.buttons.get("hint").disabled = !room.can("move") || state.seats.some((seat) => !seat.you && seat.kind !== "agent");
    this.buttons.get("now").disabled = room.thinking === null || state.seat === null;
    this.buttons.get("flip").disabled = !room.board?.svg;
    this.buttons.get("ranks").hidden = !room.home.layout.deployment;
    unhint(room, state);
    this.state = state;
  }

  async #more() {
    const { room, state } = this;
    const few = state.scene && !state.over && room.home.verdicts && state.scene.pieces.length <= 4;
    const answers = [
      this.#mayStudy(state) && { text: t("tool.study"), value: "study" },
      few && { text: t("tool.verdict"), value: "verdict" },
      state.moves.length > 0 && { text: t("tool.record"), value: "record" },
      state.round > 1 && { text: t("tool.earlier"), value: "earlier" },
      room.board?.svg && { text: t(room.stage.classList.contains("zoomed") ? "table.whole" : "table.larger"), value: "zoom" },
    ].filter(Boolean);
    const action = await pick(t("tool.more"), answers);
    if (action === "study") location.hash = `#/study/table/${room.table}`;
    if (action === "verdict") await this.#verdict();
    if (action === "record") await this.#download();
    if (action === "earlier") await this.#downloadEarlier(state.round - 1);
    if (action === "zoom") this.#zoom();
  }

  // A game against people is studied when it is over.
  #mayStudy(state) {
    const others = state.seats.filter((seat) => !seat.you && seat.kind !== "agent");
    return state.scene && (state.over || (state.seat !== null && !others.length));
  }

  #zoom() {
    const { stage, board } = this.room;
    board.dragByTouch = !stage.classList.toggle("zoomed");
    stage.scrollTo((stage.scrollWidth - stage.clientWidth) / 2, stage.scrollHeight);
  }

  async #verdict() {
    const { status, table } = this.room;
    status.say(t("verdict.asking"), "advice");
    try {
      status.say((await ask(`/api/tables/${table}/verdict`, {})).text, "advice");
    } catch (error) {
      status.say(error.message);
    }
  }

  // Asks which of the games that were played at this table before.
  async #downloadEarlier(count) {
    const games = Array.from({ length: Math.min(count, EARLIER) }, (_, i) => ({ text: t("ask.game", { n: count - i }), value: String(count - i) }));
    const round = await pick(t("ask.download"), games);
    if (round) await this.#download(Number(round));
  }

  async #download(round = 0) {
    const { table } = this.room;
    try {
      const token = tokensOf(table)[0];
      const record = await ask(`/api/tables/${table}/record`, { round, ...(token && { token }) });
      save(record.name, record.text);
    } catch (error) {
      banner(error.message, "error");
    }
  }
}
