// Customise: by which rules, who sits where, from where, with what clock. #/new/GAME

import { ask, keep } from "./api.js";
import { agentPicker } from "./agents.js";
import { capital, h, memory } from "./dom.js";
import { optionFields } from "./options.js";
import { t, word } from "./text.js";

const CLOCKS = [
  { words: "none", clock: null },
  { words: "30", clock: { base: 0, increment: 0, per_move: 30 } },
  { words: "300", clock: { base: 300, increment: 3, per_move: 0 } },
  { words: "900", clock: { base: 900, increment: 10, per_move: 0 } },
  { words: "600", clock: { base: 600, increment: 0, per_move: 30 } },
];

export async function open(main, [name = ""]) {
  const { games } = await ask("/api/games");
  const lobby = new Lobby(games);
  main.append(lobby.element);
  await lobby.choose(name || memory.get("game", games[0].name));
}

class Lobby {
  constructor(games) {
    this.games = games;
    this.asked = 0; // counts what was asked of the server: an answer that comes late is left alone
    this.form = h("div", { class: "setup" });
    this.title = h("h1", {}, t("new.title"));
    this.select = h("select", { "aria-label": t("new.game"), onchange: () => { location.hash = `#/new/${this.select.value}`; } },
      games.map((game) => h("option", { value: game.name }, game.title)));
    this.element = h("div", { class: "lobby" }, h("div", { class: "row" }, this.title, this.select), this.form);
  }

  async choose(name) {
    this.game = this.games.find((game) => game.name === name) ?? this.games[0];
    memory.set("game", this.game.name);
    this.select.value = this.game.name;
    this.title.setAttribute("aria-label", `${t("new.title")}: ${this.game.title}`); // which game stands in the list beside it
    const who = await this.#agents("");
    if (!who) return;
    this.pickers = this.game.seat_words.map((words, seat) => agentPicker(who, {
      people: true, chosen: seat === 0 ? "person" : "", label: capital(words), level: memory.get(`level.${this.game.name}`, "beginner"),
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
      value: memory.get("name", ""), maxlength: 40, autocomplete: "nickname", placeholder: t("new.name_help"),
    });
    // Where a timeout skips a turn, every move has its time.
    const fits = ({ clock }) => !clock || clock.per_move > 0 || !game.timed_moves;
    this.clock = h("select", {}, CLOCKS.map((one, i) => fits(one) && h("option", { value: i }, t(`new.clock.${one.words}`))));
    this.start = h("textarea", {
      spellcheck: "false", placeholder: t("new.usual_start"), oninput: () => this.#preview(), onchange: () => this.#restart(),
    });
    this.ending = game.endings?.length ? h("select", { onchange: () => this.#restart() },
      h("option", { value: "" }, t("new.no_ending")), game.endings.map((one) => h("option", { value: one }, endingWords(one)))) : null;
    this.fault = h("p", { class: "fault", role: "alert", hidden: true });
    this.picture = h("img", { alt: t("new.start_picture", { game: game.title }) });
    this.picture.addEventListener("error", () => { this.picture.hidden = true; });
    this.picture.addEventListener("load", () => { this.picture.hidden = false; });
    const chairs = game.seats.map((_, seat) => h("div", { class: "chair" },
      h("span", { class: "who" }, capital(game.seat_words[seat]), game.seats.length > 2 && h("small", { class: "help" },
        t("new.with", { partner: capital(game.seat_words[game.teams.findIndex((team, i) => team === game.teams[seat] && i !== seat)] ?? "") }))),
      this.pickers[seat].element));
    this.form.replaceChildren(
      h("section", { class: "card", "aria-label": t("new.who") },
        h("h2", {}, t("new.who")),
        h("div", { class: "chairs" }, chairs),
        h("label", {}, t("new.name"), this.name),
        h("label", {}, t("new.clock"), this.clock),
        h("details", {}, h("summary", {}, t("new.rules")), this.options.element),
        h("details", {}, h("summary", {}, t("new.start_from")),
          h("label", {}, t("new.position"), this.start, h("small", {}, game.position_text)),
          this.ending && h("label", {}, t("new.ending"), this.ending)),
        this.fault,
        h("button", { type: "button", class: "strong", id: "start", onclick: () => this.#begin() }, t("new.start"))),
      h("section", { class: "card preview", "aria-label": t("new.preview") },
        this.picture, h("p", { class: "help" }, capital(game.summary)), h("code", { class: "help" }, game.rules_version)));
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
        throw new Error(t("new.one_person"));
      }
      const made = await ask("/api/tables", {
        game: this.options.spec(), seats, start, clock: CLOCKS[Number(this.clock.value)].clock,
      });
      const level = this.pickers.map((picker) => picker.level()).find(Boolean);
      if (level) memory.set(`level.${this.game.name}`, level);
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
  const side = (letters) => [...letters].map((letter) => word("chess", PIECES[letter]))
    .reduce((a, b) => (a ? t("new.and", { a, b }) : b), "") || t("new.king_alone");
  return t("new.ending_words", { name, strong: side(strong), weak: side(weak) });
}
