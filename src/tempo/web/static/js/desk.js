// A desk: a board, a game with its variations, and what is thought of each moment.
// The rooms of replay and of study put games on it.

import { Analysis } from "./analysis.js";
import { ask, keep } from "./api.js";
import { Board } from "./board.js";
import { choose } from "./choice.js";
import { announce, h, intoView, isPlain, save } from "./dom.js";
import { Entry } from "./entry.js";
import { numbered } from "./moves.js";
import { t, word } from "./text.js";
import { nameOf } from "./worth.js";

const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };

export class Desk {
  // opened: {game, start, nodes: [{move, text, seat, parent, note}], headers, result}
  // fixed: a moment that cannot be played on: {game, seat, layout, scene, table, token}
  constructor(opened, fixed = null) {
    this.game = opened.game;
    this.start = opened.start ?? "";
    this.headers = opened.headers ?? {};
    this.result = opened.result ?? "?";
    this.resultWords = this.result === "?" ? "" : opened.result_words ?? this.result;
    this.nodes = (opened.nodes ?? []).map((node) => ({ ...node }));
    this.fixed = fixed;
    this.edit = null; // what opens the board editor, where there is one
    this.hasLine = !fixed;
    this.at = -1; // the node that is shown
    this.aim = -1; // the one that was asked for last
    this.seat = fixed?.seat ?? null; // whose eyes; null: everybody's
    this.bottom = fixed?.seat ?? 0;
    this.moments = new Map();
    this.element = h("div", { class: "desk" });
  }

  async open() {
    const first = this.fixed ?? await this.look([], true);
    this.layout = first.layout;
    this.info = first;
    this.#build(first);
    await this.go(-1);
    this.analysis.fill().catch(() => {});
    document.addEventListener("keydown", this.onKey = (event) => this.#key(event));
    window.addEventListener("tempo:letters", this.onLetters = () => this.#respell());
  }

  // In other letters: every place and every move is named anew.
  async #respell() {
    this.moments.clear();
    if (!this.fixed) this.board.rename((await this.look([], true)).layout);
    if (this.nodes.length) {
      const tree = this.nodes.map(({ move, parent }) => [move, parent, ""]);
      const { texts } = await ask("/api/replay/names", { game: this.game, start: this.start, tree });
      texts.forEach((text, i) => { this.nodes[i].text = text; });
      this.drawMoves();
    }
    this.analysis.forget();
    await this.go(this.at);
  }

  // It was drawn out of sight: what depends on its size is drawn again.
  shown() {
    this.#show();
  }

  close() {
    document.removeEventListener("keydown", this.onKey);
    window.removeEventListener("tempo:letters", this.onLetters);
    this.analysis?.close();
    this.board?.remove();
    this.element.remove();
  }

  get seats() { return this.layout.seats; }
  get ply() { return this.path().length; }
  get turn() { return this.moment?.turn ?? null; }
  get key() { return `${this.at} ${this.seat}`; }
  get letters() { return isPlain(); }

  // ---- the tree

  path(at = this.at) {
    const found = [];
    for (let i = at; i >= 0; i = this.nodes[i].parent) found.push(i);
    return found.reverse();
  }

  following(at) {
    return this.nodes.flatMap((node, i) => node.parent === at && !node.gone ? [i] : []);
  }

  // The node at a ply of the line that goes through the present moment.
  atPly(ply) {
    const path = this.path();
    let at = path.at(-1) ?? -1;
    while (path.length < ply) {
      const [next] = this.following(at);
      if (next === undefined) break;
      path.push(next);
      at = next;
    }
    return ply <= 0 ? -1 : path[Math.min(ply, path.length) - 1] ?? -1;
  }

  // The number of a move, as the game numbers them; "" where it has none of its own, unless it stands `alone`.
  numberOf(at, alone = false) {
    const seats = this.path(at).map((i) => this.nodes[i]);
    const number = numbered(seats, this.layout.numbering, alone).at(-1);
    return number && /\d$/.test(number) ? `${number}.` : number;
  }

  request() {
    if (this.fixed) return { table: this.fixed.table, ...(this.fixed.token ? { token: this.fixed.token } : {}) };
    return { game: this.game, start: this.start, moves: this.path().map((i) => this.nodes[i].move), seat: this.info.hidden ? this.seat : null };
  }

  // The whole line through this moment, for the value graph.
  wholeLine() {
    const last = this.path(this.atPly(Infinity));
    return { line: { game: this.game, start: this.start, moves: last.map((i) => this.nodes[i].move) }, count: last.length, nodes: last.map((node) => ({ node, seat: this.nodes[node].seat, text: this.nodes[node].text })) };
  }

  // ---- moments

  look(moves, layout = false) {
    return ask("/api/replay/scene", { game: this.game, start: this.start, moves, seat: this.seat ?? (this.bottom || null), layout });
  }

  async go(at) {
    const wanted = this.wanted = `${at} ${this.seat} ${this.bottom}`;
    this.aim = at; // further steps go on from there, though it is not shown yet
    let moment = this.fixed ? { scene: this.fixed.scene, turn: null, outcome: null } : this.moments.get(wanted);
    if (!moment) {
      try {
        moment = await this.look(this.path(at).map((i) => this.nodes[i].move));
      } catch (error) {
        this.aim = this.at;
        this.say(error.message, true);
        return;
      }
      this.moments.set(wanted, moment);
      if (this.moments.size > 400) this.moments.delete(this.moments.keys().next().value);
    }
    if (wanted !== this.wanted) return; // somebody was faster
    this.at = at;
    this.moment = moment;
    if (at >= 0 && moment.text && this.nodes[at].text !== moment.text) {
      this.nodes[at].text = moment.text;
      this.drawMoves();
    }
    this.#show();
    this.analysis.moved();
  }

  goPly(ply) { return this.go(this.atPly(ply)); }
  first() { return this.go(-1); }
  back() { return this.aim >= 0 && this.go(this.nodes[this.aim].parent); }
  forward() { return this.following(this.aim).length > 0 && this.go(this.following(this.aim)[0]); }
  last() { return this.go(this.atPly(Infinity)); }

  // Plays a move from here: an old one is gone to, a new one begins a branch.
  async playMove(move) {
    const step = this.moment.scene.moves.find((one) => one.move === move);
    if (!step || this.fixed) return;
    let next = this.following(this.at).find((i) => this.nodes[i].move === move);
    if (next === undefined) {
      this.nodes.push({ move, text: step.text, seat: this.moment.turn, parent: this.at, own: true });
      next = this.nodes.length - 1;
      this.drawMoves();
    }
    await this.go(next);
    await this.analysis.report.tried(next);
  }

  async playLine(moves) {
    for (const move of moves) await this.playMove(move);
  }

  // Takes back a branch that was tried here.
  removeBranch() {
    const at = this.at;
    if (at < 0 || !this.nodes[at].own) return;
    const parent = this.nodes[at].parent;
    const remove = (i) => { this.nodes[i].gone = true; this.following(i).forEach(remove); };
    remove(at);
    this.drawMoves();
    this.go(parent);
  }

  // ---- what is shown

  #build({ hidden, formats = [], seats = [] }) {
    this.board = new Board(this.layout, { touch: (place) => this.#touch(place), letGo: () => this.#letGo() });
    this.stage = h("div", { class: "boardbox" }, this.board.element);
    this.element.style.setProperty("--shape", String(this.layout.box[2] / this.layout.box[3] || 1));
    this.status = h("p", { class: "status", role: "status" });
    this.note = h("textarea", { class: "note", rows: 2, "aria-label": t("study.comment"), placeholder: t("study.comment_here"), maxlength: 5000 });
    this.note.addEventListener("change", () => this.#comment(this.note.value.trim()));
    this.told = h("div", { class: "told", role: "status", hidden: true });
    this.under = h("div", { class: "under" });
    const button = (name, sign, words) => h("button", { type: "button", "data-step": name, title: words, "aria-label": words, onclick: () => this[name]() }, sign);
    this.steps = h("div", { class: "row steps", role: "group", "aria-label": t("study.step_through") },
      button("first", "|◀", t("study.first")), button("back", "◀", t("study.back")),
      button("forward", "▶", t("study.forward")), button("last", "▶|", t("study.last")),
      button("removeBranch", "✕", t("study.remove_branch")));
    this.zoom = h("button", { type: "button", class: "zoom", title: t("study.zoom"), "aria-label": t("study.zoom"), "aria-pressed": "false", hidden: true, onclick: () => {
      this.zoom.setAttribute("aria-pressed", String(this.stage.classList.toggle("zoomed")));
    } }, "+");
    this.eyes = h("select", { "aria-label": t(hidden ? "study.seen_by" : "study.seen_from") },
      hidden && h("option", { value: "" }, t("study.everything")),
      seats.map((_, i) => h("option", { value: i }, t(hidden ? "study.what_knows" : "study.at_bottom", { who: nameOf(this.seats[i]) }))));
    this.eyes.addEventListener("change", () => this.#turnBoard(hidden));
    this.moves = h("div", { class: "line", role: "group", "aria-label": t("study.moves") });
    this.analysis = new Analysis(this);
    this.tools = h("section", { class: "card tools-card" }, h("div", { class: "row" },
      h("button", { type: "button", class: "playon", onclick: () => this.#playOn() }, t("study.play_on")),
      h("button", { type: "button", class: "edit", onclick: () => this.edit?.(this.moment.position) }, t("editor.title")),
      formats.map((format) => h("button", { type: "button", "data-format": format, onclick: () => this.download(format) }, format.length > 3 ? t("study.save") : t("study.save_as", { format: format.toUpperCase() }))),
      h("button", { type: "button", class: "quiet", onclick: () => this.#copy() }, t("study.copy"))));
    const play = h("div", { class: "front" }, this.stage, !this.fixed && h("div", { class: "row steps-row" }, this.steps, this.zoom, this.eyes), this.status, this.under);
    const side = h("div", { class: "side" },
      !this.fixed && h("section", { class: "card moves-card" }, h("h2", {}, t("study.moves")), this.told, this.moves, this.note),
      this.analysis.element, !this.fixed && this.tools);
    this.element.replaceChildren(play, side);
    this.stage.addEventListener("pointerover", (event) => this.#point(event));
    this.stage.addEventListener("focusin", (event) => this.#point(event));
    this.drawMoves();
  }

  #point(event) {
    const place = event.target.closest?.("[data-place]")?.dataset.place;
    if (place) this.analysis.pointAt(place);
  }

  #show() {
    const { scene, outcome, turn } = this.moment;
    this.entry = new Entry(scene.moves);
    this.board.show(scene, { letters: this.letters });
    this.board.mark(this.entry.marks(this.board.places.size));
    const buttons = this.entry.buttons.slice(0, 60);
    this.under.replaceChildren(...(this.fixed ? [] : buttons.map((step) => h("button", { type: "button", onclick: () => this.playMove(step.move) }, step.button))));
    this.under.classList.toggle("many", buttons.length > 6);
    const text = outcome ? outcome.words : turn !== null ? t("study.to_move", { who: nameOf(this.seats[turn]) }) : "";
    this.say([this.at >= 0 && `${this.numberOf(this.at, true)} ${this.nodes[this.at].text}`, text].filter(Boolean).join(" — "));
    this.note.value = (this.at >= 0 ? this.nodes[this.at].note : this.headers.C) ?? "";
    for (const token of this.moves.querySelectorAll("[data-node]")) {
      const here = Number(token.dataset.node) === this.at;
      if (here) token.setAttribute("aria-current", "step");
      else token.removeAttribute("aria-current");
      if (here) intoView(this.moves, token);
    }
    const able = { first: this.at >= 0, back: this.at >= 0, forward: this.following(this.at).length, last: this.following(this.at).length, removeBranch: this.at >= 0 && this.nodes[this.at].own };
    for (const step of this.steps.children) step.disabled = !able[step.dataset.step];
    this.zoom.hidden = !this.board.isSmall && !this.stage.classList.contains("zoomed");
    this.analysis.overlay();
  }

  // What is said of the moment that is shown; it is written with the game.
  #comment(text) {
    if (this.at >= 0) this.nodes[this.at].note = text;
    else if (text) this.headers = { ...this.headers, C: text };
    else delete this.headers.C;
    this.drawMoves();
    this.#show();
  }

  // A task that stands below the board until it is done or left.
  task(text, kind = "", leave = null) {
    this.told.hidden = !text;
    this.told.className = `told ${kind}`;
    this.told.replaceChildren(text, ...(leave ? [h("button", { type: "button", class: "quiet", "aria-label": t("study.leave"), onclick: leave }, "×")] : []));
  }

  drawMoves() {
    const token = (i, number) => h("button", {
      type: "button", class: "ply", "data-node": i, "data-note": this.nodes[i].note ? "" : null, title: this.nodes[i].note ?? null, onclick: () => this.go(i),
    }, number && h("small", {}, number), this.nodes[i].text, this.#sign(i));
    const flow = (start, box, fresh) => {
      let list = [start, ...(fresh ? [] : this.#beside(start))];
      while (list.length) {
        const [main, ...others] = list;
        box.append(token(main, this.numberOf(main, fresh)));
        for (const other of others) {
          const inner = h("div", { class: "variation" });
          flow(other, inner, true);
          box.append(inner);
        }
        fresh = others.length > 0;
        list = this.following(main);
      }
    };
    this.moves.replaceChildren();
    const [first] = this.following(-1);
    if (first === undefined) this.moves.append(h("p", { class: "help" }, t("study.touch")));
    else flow(first, this.moves, false);
    if (this.resultWords) this.moves.append(h("p", { class: "result-text" }, this.resultWords));
  }

  #sign(i) {
    const sign = this.analysis?.report.signOf(i);
    return sign ? h("span", { class: "sign", "data-sign": sign }, sign) : null;
  }

  #beside(i) {
    return this.following(this.nodes[i].parent).filter((other) => other !== i);
  }

  say(text, wrong = false) {
    this.status.textContent = text;
    this.status.classList.toggle("fault", wrong);
  }

  async #turnBoard(hidden) {
    const value = this.eyes.value === "" ? null : Number(this.eyes.value);
    this.seat = hidden ? value : null;
    this.bottom = value ?? 0;
    const { layout } = await this.look([], true);
    this.layout = layout;
    const old = this.board;
    this.board = new Board(layout, { touch: (place) => this.#touch(place), letGo: () => this.#letGo() });
    old.element.replaceWith(this.board.element);
    old.remove();
    await this.go(this.at);
  }

  // ---- hands

  async #touch(place) {
    if (this.fixed) return;
    const before = [...this.entry.made];
    const complete = this.entry.touch(place);
    const step = complete.length > 1 ? await choose(complete, { at: this.board.rectOf(place), layout: this.layout, letters: this.letters }) : complete[0];
    this.board.mark(this.entry.marks(this.board.places.size));
    if (step) await this.playMove(step.move);
    else if (!complete.length && !this.entry.made.length && before[0] !== place) await this.#why([...before, place]);
  }

  // Says why touches make no move.
  async #why(touches) {
    const { game, start, moves } = this.request();
    const { text } = await ask("/api/replay/why", { game, start, moves, touches });
    if (!text) return;
    this.say(text, true);
    announce(text);
  }

  #letGo() {
    this.entry.letGo();
    this.board.mark(this.entry.marks(this.board.places.size));
  }

  #key(event) {
    const inside = event.target.closest?.("input, select, textarea, dialog, .touch, .scroll");
    if (event.defaultPrevented || inside || event.altKey || event.ctrlKey || event.metaKey || !(event.key in KEYS) || this.fixed) return;
    event.preventDefault();
    this[KEYS[event.key]]();
  }

  // ---- going elsewhere

  async download(format) {
    const line = this.path(this.atPly(Infinity));
    try {
      const { name, text } = await ask("/api/replay/write", {
        game: this.game, start: this.start, moves: line.map((i) => this.nodes[i].move), tree: this.#tree(),
        format, headers: this.headers, result: this.#mainLine().some((i) => this.nodes[i].own) ? "?" : this.result,
      });
      save(name, text);
      announce(t("study.saved", { name }));
    } catch (error) {
      this.say(error.message, true);
    }
  }

  // The whole tree, without what was taken back: [move, number of the one before, what is said of it].
  #tree() {
    const numbers = new Map([[-1, -1]]);
    const rows = [];
    this.nodes.forEach(({ move, parent, note, gone }, i) => {
      if (gone || !numbers.has(parent)) return;
      numbers.set(i, rows.length);
      rows.push([move, numbers.get(parent), note ?? ""]);
    });
    return rows;
  }

  // The first line of all: the game itself, if it came from a record.
  #mainLine() {
    const found = [];
    for (let [at] = this.following(-1); at !== undefined; [at] = this.following(at)) found.push(at);
    return found;
  }

  async #copy() {
    const text = this.moment.position;
    try {
      await navigator.clipboard.writeText(text);
      this.say(t("study.copied"));
    } catch {
      this.say(text);
    }
  }

  async #playOn() {
    const { levels } = await ask(`/api/agents?${new URLSearchParams({ game: this.game })}`);
    const seat = h("select", { "aria-label": t("study.your_seat") }, this.seats.map((one, i) => h("option", { value: i, selected: i === this.turn }, nameOf(one))));
    const level = h("select", { "aria-label": t("study.strength") }, levels.map((one) => h("option", { value: one.agent, title: one.help }, word("level", one.name))));
    level.selectedIndex = Math.min(2, levels.length - 1);
    const fault = h("p", { class: "fault", role: "alert" });
    const dialog = h("dialog", { class: "ask", "aria-label": t("study.play_on") },
      h("h2", {}, t("study.play_on")),
      h("div", { class: "answers" }, h("label", {}, t("study.you_play"), seat), h("label", {}, t("study.against"), level), fault,
        h("button", { type: "button", class: "strong begin", onclick: begin.bind(this) }, t("study.begin")),
        h("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, t("editor.cancel"))));
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();

    async function begin() {
      const own = Number(seat.value);
      try {
        const made = await ask("/api/tables", {
          game: this.game, start: this.moment.position,
          seats: this.seats.map((_, i) => i === own ? { kind: "person" } : { kind: "agent", agent: level.value }),
        });
        keep(made.table, { tokens: Object.values(made.tokens), title: t("study.from_position", { game: this.layout.title }) });
        dialog.close();
        location.hash = `#/table/${made.table}`;
      } catch (error) {
        fault.textContent = error.message;
      }
    }
  }
}
