// The room of learning: tutorials, rules with pictures, positions to practise. What was solved is kept in this browser.

import { ask } from "./api.js";
import { Board } from "./board.js";
import { choose } from "./choice.js";
import { announce, capital, h, isPlain as letters, memory, s } from "./dom.js";
import { Entry } from "./entry.js";
import { Moves } from "./moves.js";
import { pictureOf } from "./pieces.js";
import { t } from "./text.js";
import { nameOf } from "./worth.js";

const KEPT = "learnt"; // in the browser's memory: {"jiu/tutorial/square": 1}
const PAUSE = 450; // milliseconds before an answer is shown, so that the own move is seen

const key = (game, part, id) => `${game}/${part}/${id}`;
const isSolved = (game, part, id) => Boolean(memory.get(KEPT, {})[key(game, part, id)]);
const count = (game, part, rows) => rows.filter((row) => isSolved(game, part, row.id)).length;
const solvedOf = (game) => Object.keys(memory.get(KEPT, {})).filter((one) => one.startsWith(`${game}/`)).length;
const link = (...words) => `#/${["learn", ...words].map(encodeURIComponent).join("/")}`;

export async function open(main, [game = "", part = "", id = ""]) {
  if (!game) return showGames(main);
  const all = await ask(`/api/learn/game?${new URLSearchParams({ name: game })}`);
  if (part === "rules") return showRules(main, all);
  const rows = part in all ? all[part] : [];
  const at = rows.findIndex((row) => row.id === id);
  return at >= 0 ? new Exercise(main, all, part, at).open() : showGame(main, all);
}

// ---- what there is to learn ------------------------------------------------------------------------

async function showGames(main) {
  const { games } = await ask("/api/learn");
  main.classList.add("learn");
  main.append(h("h1", {}, t("learn.title")), h("p", { class: "help" }, t("learn.choose")),
    h("ul", { class: "courses" }, games.map((game) => h("li", { class: "card course" },
      h("img", { src: `/api/picture?game=${game.name}&portrait=1`, alt: "", width: 96, height: 96 }),
      h("div", {}, h("h2", {}, h("a", { href: link(game.name) }, game.title)), h("p", { class: "help" }, t("learn.progress", { done: solvedOf(game.name), n: game.tutorial + game.practice }))),
      h("p", { class: "row" },
        game.tutorial > 0 && h("a", { class: "button strong", href: link(game.name) }, t("learn.tutorial")),
        game.rules > 0 && h("a", { class: "button", href: link(game.name, "rules") }, t("learn.rules")),
        game.practice > 0 && h("a", { class: "button", href: link(game.name) }, t("learn.practice")))))));
}

function showGame(main, all) {
  const { name, title, tutorial, practice, rules } = all;
  const done = count(name, "tutorial", tutorial);
  const next = tutorial.findIndex((row) => !isSolved(name, "tutorial", row.id));
  const words = next < 0 ? t("learn.repeat") : next ? t("learn.resume", { n: next + 1 }) : t("learn.begin");
  const steps = (part, rows) => h("ol", { class: "numbers" }, rows.map((row, i) => h("li", {},
    h("a", { href: link(name, part, row.id), class: isSolved(name, part, row.id) ? "solved" : "", "aria-label": `${part === "tutorial" ? t("learn.step", { n: i + 1, count: rows.length }) : t("learn.number", { n: i + 1, count: rows.length })}${isSolved(name, part, row.id) ? `, ${t("learn.is_solved")}` : ""}` }, String(i + 1)))));
  main.classList.add("learn");
  main.append(h("p", { class: "crumb" }, h("a", { href: link() }, t("learn.title"))), h("h1", {}, t("learn.game", { game: title })));
  if (!tutorial.length && !practice.length && !rules.length) main.append(h("p", { class: "card" }, t("learn.none")));
  if (tutorial.length) {
    main.append(h("section", { class: "card" }, h("h2", {}, t("learn.tutorial")),
      h("p", { class: "help" }, t("learn.progress", { done, n: tutorial.length })), steps("tutorial", tutorial),
      h("p", { class: "row" }, h("a", { class: "button strong begin", href: link(name, "tutorial", tutorial[Math.max(next, 0)].id) }, words),
        rules.length > 0 && h("a", { class: "button", href: link(name, "rules") }, t("learn.rules")))));
  }
  const groups = [...new Set(practice.map((row) => row.group))];
  if (groups.length) {
    main.append(h("section", { class: "card" }, h("h2", {}, t("learn.practice")), h("div", { class: "groups" }, groups.map((group) => {
      const rows = practice.filter((row) => row.group === group);
      return h("div", { class: "group" }, h("h3", {}, t(`learn.group.${name}.${group}`)),
        h("p", { class: "help" }, t("learn.progress", { done: count(name, "practice", rows), n: rows.length })), steps("practice", rows));
    }))));
  }
}

function showRules(main, { name, title, rules }) {
  const boards = rules.map((rule) => {
    const board = new Board(rule.layout);
    board.show(rule.scene, { letters: letters(), slide: false });
    return board;
  });
  main.classList.add("learn");
  main.append(h("p", { class: "crumb" }, h("a", { href: link(name) }, t("learn.overview", { game: title }))),
    h("h1", {}, t("learn.rules_of", { game: title })),
    ...rules.map((rule, i) => {
      const figure = h("figure", { class: "boardbox picture", inert: true }, boards[i].element);
      figure.style.setProperty("--shape", String(rule.layout.box[2] / rule.layout.box[3] || 1));
      pointAt(boards[i], rule.marks);
      return h("section", { class: "card rule" }, figure, h("p", {}, t(`rules.${name}.${rule.id}`)));
    }));
  return () => boards.forEach((board) => board.remove());
}

// Rings round places, above the pieces.
function pointAt(board, places) {
  if (board.print) return;
  board.overlay(...places.filter((id) => board.places.has(id)).map((id) => {
    const { x, y } = board.at(id);
    return s("circle", { class: "pointed", cx: x, cy: y, r: 18.5 });
  }));
}

// ---- one exercise ----------------------------------------------------------------------------------

class Exercise {
  constructor(main, all, part, at) {
    Object.assign(this, { main, all, part, at });
    this.rows = part === "tutorial" ? all.tutorial : all.practice.filter((row) => row.group === all.practice[at].group);
    this.row = all[part][at];
    this.number = this.rows.findIndex((row) => row.id === this.row.id);
    this.moves = [];
  }

  async open() {
    const first = await this.#ask({ layout: true });
    this.layout = first.layout;
    this.past = first.past;
    this.at = this.past.length; // the moment of the game before that is shown
    this.#build();
    this.#show(first);
    window.addEventListener("tempo:letters", this.onLetters = () => this.#respell());
    return () => {
      this.closed = true;
      window.removeEventListener("tempo:letters", this.onLetters);
      this.board.remove();
    };
  }

  // In other letters: places and pieces are named anew.
  async #respell() {
    const { layout, scene } = await this.#ask({ layout: true });
    if (this.closed) return;
    this.board.rename(layout);
    this.moment = { ...this.moment, scene };
    this.#draw();
  }

  #ask(more = {}) {
    return ask("/api/learn/try", { game: this.all.name, part: this.part, id: this.row.id, moves: this.moves, ...more });
  }

  get task() {
    const { name } = this.all;
    if (this.part === "tutorial") return t(`learn.${name}.${this.row.id}`);
    const task = t(`learn.task.${name}.${this.row.group}`);
    return this.row.ask ? capital(task) : t("learn.to_move", { who: this.who, task });
  }

  get who() {
    return nameOf(this.layout.seats[this.seat ?? 0]);
  }

  #build() {
    this.board = new Board(this.layout, {
      touch: (place) => this.#touch(place), letGo: () => { this.entry.letGo(); this.#mark(); },
      canDrag: (place) => this.entry?.starts(place) ?? false,
    });
    this.stage = h("div", { class: "boardbox" }, this.board.element);
    this.stage.style.setProperty("--shape", String(this.layout.box[2] / this.layout.box[3] || 1));
    this.words = h("p", { class: "task" });
    this.told = h("p", { class: "told", role: "status" });
    this.facts = h("p", { class: "help facts" });
    this.under = h("div", { class: "under" });
    this.after = h("p", { class: "row after" });
    this.asked = h("div", { class: "asked-kinds" });
    this.game = this.past.length ? new Moves((ply) => this.#look(ply)) : null;
    this.zoom = h("button", { type: "button", class: "zoom", "aria-label": t("learn.zoom"), title: t("learn.zoom"), "aria-pressed": "false", hidden: true, onclick: () => {
      this.zoom.setAttribute("aria-pressed", String(this.stage.classList.toggle("zoomed")));
    } }, "+");
    const title = this.part === "tutorial"
      ? t("learn.step", { n: this.number + 1, count: this.rows.length })
      : t("learn.of_group", { group: t(`learn.group.${this.all.name}.${this.row.group}`), number: t("learn.number", { n: this.number + 1, count: this.rows.length }) });
    const bar = h("progress", { max: this.rows.length, value: count(this.all.name, this.part, this.rows), "aria-label": t("learn.progress", { done: count(this.all.name, this.part, this.rows), n: this.rows.length }) });
    this.bar = bar;
    this.main.append(h("div", { class: "exercise" },
      h("div", { class: "front" }, this.stage, h("div", { class: "row" }, this.under, this.zoom)),
      h("div", { class: "side" },
        h("p", { class: "crumb" }, h("a", { href: link(this.all.name) }, t("learn.overview", { game: this.all.title }))),
        h("section", { class: "card" }, h("h1", {}, title), bar, this.words, this.asked, this.told, this.facts, this.after),
        this.game && h("section", { class: "card" }, h("p", { class: "help" }, t("learn.past")), this.game.element))));
  }

  #show(moment) {
    const before = this.moment;
    this.moment = moment;
    this.seat = moment.seat;
    this.#draw();
    this.words.textContent = this.task;
    const more = moment.most > 1 && moment.state === "open" ? [t("learn.left", { n: moment.most - moment.turns })] : [];
    if (moment.distance !== null) {
      const lost = before?.distance ? moment.distance - before.distance + 1 : 0;
      this.facts.textContent = [t("learn.distance", { n: moment.distance }), lost > 0 && t("learn.distance_lost", { n: lost })].filter(Boolean).join(" ");
    } else {
      this.facts.textContent = more.join(" ");
    }
    this.#tell(moment.state);
  }

  #draw() {
    const { scene } = this.moment;
    this.entry = new Entry(this.moment.state === "open" && !this.row.ask ? scene.moves : []);
    this.board.show(scene, { letters: letters() });
    this.#mark();
    pointAt(this.board, this.moment.marks);
    const buttons = this.entry.buttons.map((step) => h("button", { type: "button", onclick: () => this.#play(step.move) }, step.button));
    this.under.replaceChildren(...buttons);
    this.asked.replaceChildren(...(this.row.ask && !this.isOver ? this.#kinds() : []));
    this.zoom.hidden = !this.board.isSmall && !this.stage.classList.contains("zoomed");
    this.#drawPast();
  }

  // The game before a question; the moves of the piece in question are marked.
  #drawPast() {
    this.game?.draw(this.past, { numbering: this.layout.numbering, letters: letters(), at: this.at });
    this.past.forEach(({ about }, i) => about && this.game.list.children[i].classList.add("about"));
  }

  async #look(ply) {
    this.at = ply;
    if (ply >= this.past.length) return this.#draw();
    this.#drawPast();
    const { scene } = await this.#ask({ moves: [], look: ply });
    if (this.closed || this.at !== ply) return;
    this.board.show(scene, { letters: letters() });
    this.board.overlay();
  }

  #mark() {
    this.board.mark(this.entry.marks(this.board.places.size));
  }

  // The kinds that a hidden piece may be of, to choose from.
  #kinds() {
    const { kinds, ranks } = this.layout.deployment;
    const seat = this.moment.scene.pieces.find(({ place }) => place === this.row.ask).seat;
    return ranks.map((letter) => {
      const [text, short, name] = kinds[letter];
      return h("button", { type: "button", "data-kind": letter, "aria-label": name, title: name, onclick: () => this.#answer(letter, name) },
        pictureOf({ seat, form: "tile", text, short }, this.layout, letters()), text !== name && h("small", {}, name));
    });
  }

  async #touch(place) {
    if (this.isOver || this.busy) return;
    const before = [...this.entry.made];
    const complete = this.entry.touch(place);
    const step = complete.length > 1 ? await choose(complete, { at: this.board.rectOf(place), layout: this.layout, letters: letters() }) : complete[0];
    this.#mark();
    if (step) await this.#play(step.move, step);
    else if (!complete.length && !this.entry.made.length && before[0] !== place && !this.row.ask) {
      const { text } = await this.#ask({ touches: [...before, place] });
      if (text && !this.isOver) this.#say(text);
    }
  }

  async #play(move, step = null) {
    this.busy = true;
    this.moves.push(move);
    if (step) this.board.pend(step.touches, this.layout.seats[this.seat].colour);
    try {
      const [moment] = await Promise.all([this.#ask(), this.row.reply ? new Promise((done) => { setTimeout(done, PAUSE); }) : null]);
      if (!this.closed) this.#show(moment);
    } catch (error) {
      this.moves.pop();
      this.#draw();
      this.#say(error.message, "fault");
    } finally {
      this.busy = false;
    }
  }

  async #answer(letter, name) {
    const { state } = await this.#ask({ answer: letter });
    this.moment = { ...this.moment, state };
    this.#draw();
    this.#tell(state, t(state === "solved" ? "learn.right_answer" : "learn.failed_answer", { kind: name }));
  }

  get isOver() {
    return this.moment.state !== "open";
  }

  #say(text, kind = "") {
    this.told.textContent = text;
    this.told.className = `told ${kind}`;
    if (text) announce(text);
  }

  // What was reached, and where to go from here.
  #tell(state, said = "") {
    const { name } = this.all;
    const again = h("button", { type: "button", class: "again", onclick: () => this.#again() }, t("learn.again"));
    const show = h("button", { type: "button", class: "quiet show", onclick: () => this.#solution() }, t("learn.show"));
    if (state === "open") {
      this.#say("");
      this.after.replaceChildren(...(this.moves.length ? [again] : []), show);
      return;
    }
    if (state === "failed") {
      this.#say(said || t(this.row.reply ? "learn.failed_long" : "learn.failed"), "fault");
      this.after.replaceChildren(again, show);
      again.focus({ preventScroll: true });
      return;
    }
    const kept = memory.get(KEPT, {});
    kept[key(name, this.part, this.row.id)] = 1;
    memory.set(KEPT, kept);
    this.bar.value = count(name, this.part, this.rows);
    const more = this.part === "tutorial" ? t(`learn.${name}.${this.row.id}.done`) : "";
    const next = this.rows[this.number + 1];
    this.#say([said || t("learn.solved"), more].filter(Boolean).join(" "), "good");
    const onward = next
      ? h("a", { class: "button strong next", href: link(name, this.part, next.id) }, t("learn.next"))
      : h("a", { class: "button strong next", href: this.part === "tutorial" ? `#/new/${name}` : link(name) }, this.part === "tutorial" ? t("learn.play") : t("learn.overview", { game: this.all.title }));
    this.after.replaceChildren(onward, again);
    onward.focus({ preventScroll: true });
  }

  async #again() {
    this.moves = [];
    this.moment = null;
    this.#show(await this.#ask());
  }

  // Plays a solution from the beginning, move by move.
  async #solution() {
    this.busy = true;
    try {
      const { moves, answer } = await this.#ask({ moves: [], solution: true });
      await this.#again();
      if (answer) this.asked.querySelector(`[data-kind="${answer}"]`)?.classList.add("strong");
      for (const { move } of moves) {
        await new Promise((done) => { setTimeout(done, 900); });
        if (this.closed || this.isOver) return;
        this.moves.push(move);
        const moment = await this.#ask();
        this.moment = moment;
        this.#draw();
        this.facts.textContent = moment.line.join(" ");
      }
      this.after.replaceChildren(h("button", { type: "button", class: "again strong", onclick: () => this.#again() }, t("learn.again")));
    } catch (error) {
      this.#say(error.message, "fault");
    } finally {
      this.busy = false;
    }
  }
}
