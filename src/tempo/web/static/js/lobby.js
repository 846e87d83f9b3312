// A new game: which one, by which rules, who sits where, from where, with what clock.

import { ask, forget, keep, recentTables } from "./api.js";
import { agentPicker } from "./agents.js";
import { capital, h, memory } from "./dom.js";
import { optionFields } from "./options.js";

const CLOCKS = [
  { words: "No clock", clock: null },
  { words: "30 seconds a move", clock: { base: 0, increment: 0, per_move: 30 } },
  { words: "5 minutes, 3 seconds added", clock: { base: 300, increment: 3, per_move: 0 } },
  { words: "15 minutes, 10 seconds added", clock: { base: 900, increment: 10, per_move: 0 } },
  { words: "10 minutes, then 30 seconds a move", clock: { base: 600, increment: 0, per_move: 30 } },
];

export async function open(main) {
  const { games } = await ask("/api/games");
  const lobby = new Lobby(games);
  main.append(lobby.element);
  await lobby.choose(memory.get("game", games[0].name));
}

class Lobby {
  constructor(games) {
    this.games = games;
    this.asked = 0; // counts what was asked of the server: an answer that comes late is left alone
    this.form = h("div", { class: "setup" });
    this.element = h("div", { class: "lobby" },
      h("h1", {}, "New game"),
      h("fieldset", { class: "games" },
        h("legend", { class: "unseen" }, "Game"), games.map((game) => this.#card(game))),
      this.form, recent());
  }

  #card(game) {
    const picture = h("img", { src: pictureOf(game.name), alt: "", loading: "lazy" });
    picture.addEventListener("error", () => picture.remove());
    return h("label", { class: "game" },
      h("input", { type: "radio", name: "game", value: game.name, onchange: () => this.choose(game.name) }),
      h("span", { class: "face" }, picture, h("b", {}, game.title), h("small", {}, capital(game.summary))));
  }

  async choose(name) {
    this.game = this.games.find((game) => game.name === name) ?? this.games[0];
    memory.set("game", this.game.name);
    for (const input of this.element.querySelectorAll("input[name=game]")) {
      input.checked = input.value === this.game.name;
    }
    const who = await this.#agents("");
    if (!who) return;
    this.pickers = this.game.seats.map((name, seat) => agentPicker(who, {
      people: true, chosen: seat === 0 ? "person" : "", label: capital(name),
    }));
    this.options = optionFields(this.game, () => this.#preview());
    this.#draw();
    this.#preview();
  }

  // Who plays the game that is chosen now; null if another was asked for meanwhile.
  async #agents(start) {
    const mine = this.asked += 1;
    const query = new URLSearchParams({ game: this.game.name, ...(start && { start }) });
    try {
      const who = await ask(`/api/agents?${query}`);
      return mine === this.asked ? who : null;
    } catch (error) {
      if (mine === this.asked) this.form.replaceChildren(h("p", { class: "fault", role: "alert" }, error.message));
      return null;
    }
  }

  // Some agents know endings alone: another start, other agents.
  async #restart() {
    this.#preview();
    const who = await this.#agents(this.ending?.value || this.start.value.trim());
    for (const picker of who ? this.pickers : []) picker.offer(who);
  }

  #draw() {
    const { game } = this;
    this.name = h("input", {
      value: memory.get("name", ""), maxlength: 40, autocomplete: "nickname", placeholder: "as others see you",
    });
    // Where a timeout skips a turn, every move has its time.
    const fits = ({ clock }) => !clock || clock.per_move > 0 || !game.timed_moves;
    this.clock = h("select", {}, CLOCKS.map((one, i) => fits(one) && h("option", { value: i }, one.words)));
    this.start = h("textarea", {
      spellcheck: "false", placeholder: "the usual start", oninput: () => this.#preview(), onchange: () => this.#restart(),
    });
    this.ending = game.endings?.length ? h("select", { onchange: () => this.#restart() },
      h("option", { value: "" }, "none"), game.endings.map((one) => h("option", { value: one }, endingWords(one)))) : null;
    this.fault = h("p", { class: "fault", role: "alert", hidden: true });
    this.picture = h("img", { alt: `The start of ${game.title}` });
    this.picture.addEventListener("error", () => { this.picture.hidden = true; });
    this.picture.addEventListener("load", () => { this.picture.hidden = false; });
    const chairs = game.seats.map((name, seat) => h("div", { class: "chair" },
      h("span", { class: "who" }, capital(name), game.seats.length > 2 && h("small", { class: "help" },
        `with ${capital(game.seats[game.teams.findIndex((t, i) => t === game.teams[seat] && i !== seat)] ?? "")}`)),
      this.pickers[seat].element));
    this.form.replaceChildren(
      h("section", { class: "card", "aria-label": "Who plays" },
        h("h2", {}, "Who plays"),
        h("div", { class: "chairs" }, chairs),
        h("label", {}, "Your name", this.name),
        h("label", {}, "Clock", this.clock),
        h("details", {}, h("summary", {}, "Rules"), this.options.element),
        h("details", {}, h("summary", {}, "Start from a position"),
          h("label", {}, "Position", this.start, h("small", {}, game.position_text)),
          this.ending && h("label", {}, "Or a random position of an ending", this.ending)),
        this.fault,
        h("button", { type: "button", class: "strong", id: "start", onclick: () => this.#begin() }, "Start the game")),
      h("section", { class: "card preview", "aria-label": "Preview" },
        this.picture, h("p", { class: "help" }, capital(game.summary), ". ", h("code", {}, game.rules_version))));
  }

  #preview() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => { this.picture.src = pictureOf(this.options.spec(), this.start.value.trim()); }, 200);
  }

  async #begin() {
    this.fault.hidden = true;
    memory.set("name", this.name.value.trim());
    const seats = this.pickers.map((picker) => picker.seat(this.name.value.trim()));
    const start = this.ending?.value ? { ending: this.ending.value } : this.start.value.trim();
    try {
      if (this.game.hidden && seats.filter((seat) => seat.kind === "person").length > 1) {
        throw new Error("In a game with hidden pieces only one person sits at a screen: invite the others.");
      }
      const made = await ask("/api/tables", {
        game: this.options.spec(), seats, start, clock: CLOCKS[Number(this.clock.value)].clock,
      });
      keep(made.table, { tokens: Object.values(made.tokens), invites: made.invites, title: this.game.title });
      location.hash = `#/table/${made.table}`;
    } catch (error) {
      this.fault.textContent = error.message;
      this.fault.hidden = false;
    }
  }
}

function pictureOf(game, start = "") {
  return `/api/picture?game=${encodeURIComponent(game)}${start && `&start=${encodeURIComponent(start)}`}`;
}

const PIECES = { Q: "queen", R: "rook", B: "bishop", N: "knight", P: "pawn" };

// KBNK: "bishop and knight against the king".
function endingWords(name) {
  const [, strong, weak] = name.match(/^K(.*)K(.*)$/);
  const side = (letters) => [...letters].map((letter) => PIECES[letter]).join(" and ") || "the king";
  return `${name}: ${side(strong)} against ${side(weak)}`;
}

function recent() {
  const tables = recentTables().slice(0, 5);
  if (!tables.length) return null;
  const list = h("ul", { class: "recent" });
  const draw = () => list.replaceChildren(...recentTables().slice(0, 5).map(({ table, title, at }) => h("li", {},
    h("a", { class: "button", href: `#/table/${table}` }, title || "Table"),
    h("small", { class: "help" }, new Date(at).toLocaleString()),
    h("button", {
      type: "button", class: "quiet", "aria-label": `Forget the table of ${title}`,
      onclick: () => { forget(table); draw(); },
    }, "×"))));
  draw();
  return h("section", { class: "card" }, h("h2", {}, "Your tables"), list);
}
