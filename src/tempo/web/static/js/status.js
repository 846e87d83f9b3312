// What a table says: whose turn it is and what may be done, what was done, offers, the result.

import { announce, h } from "./dom.js";
import { nameOf } from "./seats.js";
import { t } from "./text.js";

export class Status {
  constructor(room) {
    this.room = room;
    this.said = ""; // an answer to the last touch, in place of the hint
    this.kind = ""; // refused, or advice
    this.element = h("div", { class: "status" });
  }

  // One sentence for now; "" for none.
  say(text, kind = "refused") {
    [this.said, this.kind] = [text, kind];
    if (text) announce(text);
    const { state, layout } = this.room.home;
    if (state && layout) this.draw(state, layout);
  }

  draw(state, layout) {
    const { room } = this;
    if (this.moment !== state.moment) [this.moment, this.said] = [state.moment, ""];
    const shown = room.turns?.length ? room.turns : [state.scene];
    const lines = shown.filter((scene) => scene?.said && scene.mover !== null)
      .map((scene) => t("table.did", { who: nameOf(state, layout, scene.mover), what: scene.said }));
    const stage = state.scene?.stage;
    const parts = [
      state.result && this.#result(state),
      state.offer && this.#offer(state, layout),
      state.trouble && h("p", { class: "fault", role: "alert" }, t("table.trouble", { why: state.trouble })),
      room.looking && h("div", { class: "row" }, h("span", {}, t("table.at_move", { n: room.looking.ply, of: state.ply })),
        h("button", { type: "button", class: "strong", id: "present", onclick: () => room.look(Infinity) }, t("table.back_to_game"))),
      !room.looking && h("div", { class: `hint${this.said ? ` ${this.kind}` : ""}` }, stage && h("b", { class: "stage-name" }, stage), this.said || this.#hint(state, layout)),
      !state.result && lines.length > 0 && h("div", { class: "sub" }, lines.join(" · ")),
    ];
    this.element.replaceChildren(...parts.filter(Boolean));
  }

  #hint(state, layout) {
    const { room } = this;
    if (state.phase === "over") return "";
    if (state.phase === "waiting") return t("table.waiting");
    if (state.phase === "deploy") return state.seat === null ? t("table.deploying") : "";
    if (room.pending) return t("table.sending");
    const looker = state.seat === null ? `${t("table.watching")} ` : "";
    if (!room.can("move")) return `${looker}${t("table.to_move", { who: nameOf(state, layout, state.turn) })}`;
    const { hint } = room.acting("move").state.scene;
    return room.links.length > 1 ? t("table.hint_for", { who: nameOf(state, layout, state.turn), hint }) : hint;
  }

  #result(state) {
    const { room } = this;
    return h("div", { class: "result", role: "status" }, h("b", {}, state.result.words), h("div", { class: "row" },
      room.can("rematch") && h("button", { type: "button", class: "strong", id: "rematch", title: t("table.rematch_help"), onclick: () => room.rematch() }, t("table.rematch")),
      h("a", { class: "button", href: "#/" }, t("table.new"))));
  }

  #offer(state, layout) {
    const { room } = this;
    const { what, by } = state.offer;
    const answers = what === "rematch" ? [] : [["offer.accept", true], ["offer.refuse", false]];
    return h("div", { class: "offer", role: "status" },
      h("span", {}, state.seats[by].you ? t(`offer.asked.${what}`) : t(`offer.${what}`, { who: nameOf(state, layout, by) })),
      room.can(`answer_${what}`) && answers.map(([key, accept]) => h("button", {
        type: "button", class: accept ? "strong" : "", onclick: () => room.send({ type: `answer_${what}`, accept }),
      }, t(key))));
  }
}
