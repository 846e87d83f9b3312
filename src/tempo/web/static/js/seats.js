// Who sits at the table: names, clocks, invitations, and whom an agent may be exchanged for.

import { ask, invitesOf, keep, tokensOf } from "./api.js";
import { agentPicker } from "./agents.js";
import { capital, h } from "./dom.js";

const LOCAL = new Set(["localhost", "127.0.0.1", "[::1]"]);

// What a seat is called: by its person's name, by its agent, or by its place.
export function nameOf(state, layout, seat) {
  const one = state.seats[seat];
  return one.name || capital(layout.seats[seat].name);
}

export class Seats {
  // send(message) tells the server.
  constructor(table, send) {
    this.table = table;
    this.send = send;
    this.element = h("ul", { class: "seats", "aria-label": "Seats" });
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

  // Draws the seats, the own one last; returns the clocks' elements by seat.
  draw(state, layout, thinking) {
    const own = state.seat ?? 0;
    const order = state.seats.map((_, i) => (own + 1 + i) % state.seats.length);
    const faces = [];
    this.element.replaceChildren(...order.map((seat) => {
      faces[seat] = state.clock && state.clock.seats[seat] !== null ? h("span", { class: "time", role: "timer" }) : null;
      return this.#seat(state, layout, seat, faces[seat], thinking === seat);
    }));
    return faces;
  }

  #seat(state, layout, seat, face, thinking) {
    const one = state.seats[seat];
    const chair = layout.seats[seat];
    const free = one.agent || (one.kind === "person" && !one.connected && !one.you);
    const words = one.agent ? `Change the agent of ${chair.name}` : `Let an agent play for ${chair.name}, who is away`;
    const change = state.can.includes("replace") && free && state.phase !== "over"
      ? h("button", { type: "button", class: "quiet change", "aria-label": words, title: words, onclick: () => this.#change(layout, seat) }, "⇄")
      : null;
    return h("li", {
      class: "seat", "data-seat": chair.name,
      "data-turn": state.turn === seat, "data-out": one.out,
    },
    h("span", { class: `dot ${chair.colour}`, "aria-hidden": "true" }),
    h("span", { class: "name" }, nameOf(state, layout, seat)),
    h("span", { class: "ends" }, face, change),
    h("span", { class: "what" }, this.#what(state, layout, seat, thinking)),
    one.kind === "open" ? this.#invitation(seat) : null);
  }

  #what(state, layout, seat, thinking) {
    const one = state.seats[seat];
    const parts = [capital(layout.seats[seat].name)];
    if (one.you) parts.push("you");
    if (one.agent) parts.push(one.level ? `${one.level} (${one.agent})` : one.agent);
    if (one.kind === "open") parts.push("free");
    if (one.kind === "person" && !one.connected) parts.push("away");
    if (one.out) parts.push("out");
    if (state.phase === "deploy") parts.push(one.ready ? "ready" : "deploying");
    if (thinking) parts.push("thinking…");
    const late = state.clock?.timeouts?.[seat];
    if (late) parts.push(`${late} timeout${late > 1 ? "s" : ""}`);
    return parts.filter((text, i) => i > 0 || one.name).join(" · ") || capital(layout.seats[seat].name);
  }

  #invitation(seat) {
    const code = invitesOf(this.table)[seat];
    if (!code) return null;
    const link = `${this.address}#/join/${this.table}/${code}`;
    const input = h("input", { value: link, readonly: true, "aria-label": "Invitation link", onfocus: () => input.select() });
    const copy = h("button", { type: "button", onclick: async () => {
      input.select();
      try { await navigator.clipboard.writeText(link); } catch { document.execCommand("copy"); }
      copy.textContent = "Copied";
      setTimeout(() => { copy.textContent = "Copy link"; }, 1500);
    } }, "Copy link");
    return h("div", { class: "invite" }, input, copy);
  }

  // Below the seats while some are free: agents may take them, links may be made anew.
  async drawFree(state, layout) {
    const free = state.can.includes("fill");
    this.more.hidden = !free;
    if (!free || this.more.childElementCount || this.asking) return;
    this.asking = true;
    const who = await this.#agents(layout).finally(() => { this.asking = false; });
    const picker = agentPicker(who, { label: "Agents for the free seats" });
    const links = h("button", { type: "button", class: "quiet", onclick: async () => {
      const { invites } = await ask(`/api/tables/${this.table}/invite`, { token: tokensOf(this.table)[0] });
      keep(this.table, { invites });
      window.dispatchEvent(new Event("tempo:redraw"));
    } }, "New links");
    this.more.replaceChildren(picker.element,
      h("button", { type: "button", class: "strong", id: "fill", onclick: () => this.send({ type: "fill", agent: picker.agent() }) }, "Agents take the free seats"),
      links);
  }

  // Who can play on at this table.
  #agents(layout) {
    return ask(`/api/agents?${new URLSearchParams({ game: layout.game, table: this.table })}`);
  }

  async #change(layout, seat) {
    const picker = agentPicker(await this.#agents(layout));
    const dialog = h("dialog", { class: "ask", "aria-label": "Another agent" },
      h("h2", {}, "Another agent goes on"), picker.element,
      h("div", { class: "answers" },
        h("button", { type: "button", class: "strong", onclick: () => {
          this.send({ type: "replace", seat, agent: picker.agent() });
          dialog.close();
        } }, "Let it play"),
        h("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, "Cancel")));
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }
}
