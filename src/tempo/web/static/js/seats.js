// Who sits at the table: names, clocks, invitations, and whom an agent may be exchanged for.

import { ask, invitesOf, keep, tokensOf } from "./api.js";
import { agentPicker } from "./agents.js";
import { capital, h } from "./dom.js";
import { pictureOf } from "./pieces.js";
import { language, t } from "./text.js";
import { expected } from "./worth.js";

const LOCAL = new Set(["localhost", "127.0.0.1", "[::1]"]);

// What a seat is called: by its person's name, by its agent, or by its place.
export function nameOf(state, layout, seat) {
  const one = state.seats[seat];
  return one.name || capital(layout.seats[seat].words);
}

// What an agent thinks, or made of its last move: how far it looked, what it expects.
function thoughtOf(thought) {
  if (!thought) return [];
  const parts = [];
  const n = Math.round(expected(thought.value));
  parts.push(h("span", { title: t("worth.score", { n }) }, t("seats.expects", { n })));
  if (thought.depth > 1) parts.push(t("seats.depth", { depth: thought.depth }));
  if (thought.positions > 1) parts.push(h("span", { class: "nodes" }, ` · ${t("seats.nodes", { nodes: thought.positions.toLocaleString(language, { notation: "compact", maximumFractionDigits: 1 }) })}`));
  return parts;
}

export class Seats {
  // send(message) tells the server.
  constructor(table, send) {
    this.table = table;
    this.send = send;
    const list = (place) => h("ul", { class: `seats ${place}`, "aria-label": t("seats.label") });
    [this.top, this.bottom, this.corners] = ["above", "below", "corners"].map(list);
    this.more = h("div", { class: "row", hidden: true });
    this.address = `${location.origin}${location.pathname}`; // where others find the page
    if (LOCAL.has(location.hostname)) this.#askAddress();
  }

  // Somebody on another computer cannot reach this one as localhost.
  async #askAddress() {
    const { address } = await ask("/api/server").catch(() => ({}));
    if (!address) return;
    this.address = address;
    window.dispatchEvent(new Event("tempo:redraw"));
  }

  // Draws the plates of all seats around the board; returns the clocks' elements by seat. The seat at the bottom of the
  // board is below it, of two; of four each is in the corner beside its pieces once they stand there (`around`).
  draw(state, layout, { thinking, thought, scene, letters, around }) {
    const count = state.seats.length;
    const faces = [];
    const plates = state.seats.map((_, seat) => {
      faces[seat] = state.clock && state.clock.seats[seat] !== null ? h("span", { class: "time", role: "timer" }) : null;
      const plate = this.#plate(state, layout, seat, { face: faces[seat], thinking: thinking === seat, thought, tally: scene?.tallies?.[seat], letters });
      plate.dataset.corner = (seat - layout.side + count) % count;
      return plate;
    });
    this.tallies = scene?.tallies;
    this.trays = plates.map((plate) => plate.querySelector(".tray"));
    const own = plates[layout.side];
    const others = plates.map((_, i) => plates[(layout.side + 1 + i) % count]).slice(0, -1);
    const cross = around && count === 4;
    this.corners.hidden = !cross;
    this.corners.replaceChildren(...(cross ? plates : []));
    this.top.replaceChildren(...(cross ? [] : others));
    this.bottom.replaceChildren(...(cross ? [] : [own]));
    return faces;
  }

  // Where a piece lies that its seat has lost.
  trayOf({ seat, short }) {
    const lost = this.tallies?.[seat]?.lost ?? [];
    return this.trays[seat]?.children[lost.findIndex((piece) => piece.short === short)] ?? this.trays[seat];
  }

  #plate(state, layout, seat, { face, thinking, thought, tally, letters }) {
    const one = state.seats[seat];
    const chair = layout.seats[seat];
    const free = one.agent || (one.kind === "person" && !one.connected && !one.you);
    const words = t(one.agent ? "seats.change" : "seats.replace", { seat: chair.words });
    const change = state.can.includes("replace") && free && state.phase !== "over"
      ? h("button", { type: "button", class: "quiet change", "aria-label": words, title: words, onclick: () => this.#change(layout, seat) }, "⇄")
      : null;
    return h("li", {
      class: "seat", "data-seat": chair.name, "data-turn": state.turn === seat, "data-out": one.out, "data-thinking": thinking,
    },
    h("span", { class: `dot ${chair.colour}`, "aria-hidden": "true" }),
    h("span", { class: "name" }, nameOf(state, layout, seat), h("small", {}, this.#who(state, layout, seat))),
    h("span", { class: "ends" }, tally?.words && h("span", { class: "count" }, tally.words), face, change),
    h("span", { class: "what" }, this.#what(state, seat, thinking, thought)),
    tally?.lost.length > 0 && h("span", { class: "tray", role: "img", "aria-label": `${t("seats.lost")}: ${tally.lost.map((piece) => `${piece.count} ${piece.short || "?"}`).join(", ")}` },
      tally.lost.map((piece) => h("span", {}, pictureOf(piece, layout, letters), piece.count > 1 && `${piece.count}`))),
    one.kind === "open" ? this.#invitation(seat) : null);
  }

  // Beside the name: which side, and who plays it.
  #who(state, layout, seat) {
    const one = state.seats[seat];
    const parts = [one.name && capital(layout.seats[seat].words), one.you && t("seats.you"), one.agent && (one.level || one.agent), one.kind === "open" && t("seats.free")];
    return parts.filter(Boolean).join(" · ");
  }

  // Below it: what happens there, and what an agent thinks.
  #what(state, seat, thinking, thought) {
    const one = state.seats[seat];
    const parts = [];
    if (one.kind === "person" && !one.connected) parts.push(t("seats.away"));
    if (one.out) parts.push(t("seats.out"));
    if (state.phase === "deploy") parts.push(t(one.ready ? "seats.ready" : "seats.deploying"));
    const late = state.clock?.timeouts?.[seat];
    if (late) parts.push(t("seats.timeouts", { n: late }));
    const busy = t("seats.thinking");
    if (thinking && thought) parts.push(h("span", { class: "busy" }, `${busy} · `), ...thoughtOf(thought));
    else if (thinking) parts.push(busy);
    else parts.push(...thoughtOf(state.thoughts?.[seat]));
    return parts.map((part, i) => (i && typeof part === "string" ? ` · ${part}` : part));
  }

  #invitation(seat) {
    const code = invitesOf(this.table)[seat];
    if (!code) return null;
    const link = `${this.address}#/join/${this.table}/${code}`;
    const input = h("input", { value: link, readonly: true, "aria-label": t("seats.invitation"), onfocus: () => input.select() });
    const copy = h("button", { type: "button", onclick: async () => {
      input.select();
      try { await navigator.clipboard.writeText(link); } catch { document.execCommand("copy"); }
      copy.textContent = t("seats.copied");
      setTimeout(() => { copy.textContent = t("seats.copy"); }, 1500);
    } }, t("seats.copy"));
    return h("div", { class: "invite" }, input, copy);
  }

  // Below the seats while some are free: agents may take them, links may be made anew.
  async drawFree(state, layout) {
    const free = state.can.includes("fill");
    this.more.hidden = !free;
    if (!free || this.more.childElementCount || this.asking) return;
    this.asking = true;
    const who = await this.#agents(layout).finally(() => { this.asking = false; });
    const picker = agentPicker(who, { label: t("seats.free_agents") });
    const links = h("button", { type: "button", class: "quiet", onclick: async () => {
      const { invites } = await ask(`/api/tables/${this.table}/invite`, { token: tokensOf(this.table)[0] });
      keep(this.table, { invites });
      window.dispatchEvent(new Event("tempo:redraw"));
    } }, t("seats.new_links"));
    this.more.replaceChildren(picker.element,
      h("button", { type: "button", class: "strong", id: "fill", onclick: () => this.send({ type: "fill", agent: picker.agent() }) }, t("seats.fill")),
      links);
  }

  // Who can play on at this table.
  #agents(layout) {
    return ask(`/api/agents?${new URLSearchParams({ game: layout.game, table: this.table })}`);
  }

  async #change(layout, seat) {
    const picker = agentPicker(await this.#agents(layout));
    const dialog = h("dialog", { class: "ask", "aria-label": t("seats.another") },
      h("h2", {}, t("seats.another_title")), picker.element,
      h("div", { class: "answers" },
        h("button", { type: "button", class: "strong", onclick: () => {
          this.send({ type: "replace", seat, agent: picker.agent() });
          dialog.close();
        } }, t("seats.let_it")),
        h("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, t("ask.cancel"))));
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }
}
