// A table: the board, who sits there, what can be done. #/table/ID
//
// A browser that holds several seats has a line for each: the board is that of the first, moves go
// over the line of the seat to move. All that is shown comes from the last state of the server.

import { ask, forget, keep, noteOf, tokensOf } from "./api.js";
import { Board } from "./board.js";
import { fly, takenBy } from "./captures.js";
import { choose } from "./choice.js";
import { Clocks } from "./clocks.js";
import { Connection } from "./connection.js";
import { Deploy } from "./deploy.js";
import { announce, banner, byId, h, isPlain, memory } from "./dom.js";
import { Entry } from "./entry.js";
import { Guesses } from "./guesses.js";
import { Moves } from "./moves.js";
import { Pending } from "./pending.js";
import { Premove } from "./premove.js";
import { Seats, nameOf } from "./seats.js";
import { play as sound } from "./sound.js";
import { Status } from "./status.js";
import { t } from "./text.js";
import { Tools } from "./tools.js";

const ERROR_TIME = 5000; // milliseconds that an error stays
const MOMENT = 1800; // that a fallen flag is shown
const REFUSES_MOVE = new Set(["move", "rate", "seat", "table"]); // what an error is about
const MANY = 12; // buttons below the board before they get a box of their own
const EMPTY = { pieces: [], moves: [], last: [], captured: [], marks: [], tallies: [], hint: "", said: "", board: "", stage: "" };

export function open(main, [table]) {
  const room = new Room(main, table);
  return () => room.close();
}

class Room {
  constructor(main, table) {
    this.table = table;
    this.thinking = null; // the seat of the agent that thinks
    this.thought = null; // and what it thinks so far
    this.told = ""; // what the banner says while all is well
    this.entry = new Entry();
    this.premove = new Premove();
    this.guesses = new Guesses(table);
    this.pending = null; // the own move that the server has not confirmed
    this.looking = null; // an earlier moment {ply, scene} that the board shows
    this.clocks = new Clocks();
    this.seats = new Seats(table, (message) => this.send(message));
    this.moves = new Moves((ply) => this.look(ply));
    this.tools = new Tools(this);
    this.status = new Status(this);
    this.stage = h("div", { class: "stage" });
    this.under = h("div", { class: "under" });
    this.flag = h("p", { class: "moment", role: "status", hidden: true });
    this.play = h("section", { class: "play", "aria-label": t("table.board") }, this.stage, this.seats.corners, this.flag);
    this.title = h("h1", { class: "unseen" }, t("table.label"));
    this.element = h("div", { class: "table" }, this.title,
      this.play, this.seats.top, this.moves.element, h("div", { class: "now" }, this.status.element, this.under, this.seats.more), this.seats.bottom, this.tools.element);
    main.append(this.element);
    this.#connect();
    this.redraw = () => { if (this.home.state && this.home.layout) this.draw(); };
    this.respell = () => { this.drawn = null; for (const link of this.links) link.line.close(); this.#connect(); };
    window.addEventListener("tempo:letters", this.respell);
    window.addEventListener("tempo:redraw", this.redraw);
  }

  #connect() {
    const tokens = tokensOf(this.table);
    this.links = (tokens.length ? tokens : [null]).map((token) => this.#link(token));
  }

  #link(token) {
    const link = { layout: null, state: null, token };
    link.line = new Connection(this.table, token, {
      message: (data) => this.#heard(link, data),
      up: () => {
        link.back = true;
        if (this.links.every((one) => one.line.isUp)) banner(this.told, "error");
      },
      down: () => this.#lost(),
    });
    return link;
  }

  #lost() {
    const move = this.pending ? ` ${t("page.lost_move", { move: this.pending.nameOn(this.board.places) })}` : "";
    banner(`${t("page.lost")}${move}`, "lost");
  }

  close() {
    for (const link of this.links) link.line.close();
    this.clocks.stop();
    this.board?.remove();
    this.deploy?.board.remove();
    window.removeEventListener("tempo:letters", this.respell);
    window.removeEventListener("tempo:redraw", this.redraw);
    document.title = "Tempo";
  }

  // The line of the first seat, whose eyes the board is drawn for.
  get home() {
    return this.links[0];
  }

  get letters() {
    return isPlain();
  }

  // The line that may do something: the one whose seat is to move, if it is ours.
  acting(what) {
    return this.links.find((link) => link.state?.can.includes(what)) ?? this.home;
  }

  can(what) {
    return this.links.some((link) => link.state?.can.includes(what));
  }

  send(message) {
    const sent = this.acting(message.type).line.send(message);
    if (!sent) this.#lost();
    return sent;
  }

  #heard(link, data) {
    if (data.type === "layout") {
      const same = JSON.stringify(link.layout) === JSON.stringify(data.layout);
      link.verdicts = data.verdicts;
      link.layout = data.layout; // comes again after a lost connection
      if (link === this.home && !same) this.#newBoard(data.layout);
    } else if (data.type === "state") {
      link.state = data;
      this.#settle(link);
      [this.thinking, this.thought] = [null, null];
      // Two seats at one screen hear of a move one after the other: wait for both.
      const heard = (one) => one.layout && one.state && (one.state.version === data.version || !one.line.isUp);
      if (this.links.every(heard)) this.draw();
    } else if (data.type === "thinking") {
      if (data.ply < (this.home.state?.ply ?? 0)) return; // it has moved meanwhile
      [this.thinking, this.thought] = [data.seat, data.thought ?? null];
      if (!this.home.state || !this.home.layout) return;
      if (this.thought) this.#drawSeats();
      else this.draw();
    } else if (data.type === "scene") {
      if (this.looking?.ply !== data.ply) return;
      this.looking.scene = data.scene;
      this.drawn = null;
      this.draw();
    } else if (data.type === "why") {
      this.status.say(data.text);
      sound("refused");
    } else if (data.type === "error") {
      this.#refused(data);
    }
  }

  // A state confirms the own move, or has gone another way; after coming back it may be due again.
  #settle(link) {
    const { pending } = this;
    const { back } = link;
    link.back = false;
    if (pending?.link !== link) return;
    if (!pending.isDue(link.state)) this.pending = null;
    else if (back) pending.send();
  }

  #refused({ about, text }) {
    if (about === "deploy" && this.deploy) this.deploy.refuse(text);
    if (about === "join" && this.home.token) {
      this.#lookOn();
      return;
    }
    if (about === "join" || (about === "table" && !this.home.state)) {
      for (const link of this.links) link.line.close();
      forget(this.table);
      this.element.replaceChildren(h("section", { class: "card" }, h("h1", {}, t("table.none")), h("p", {}, text),
        h("p", {}, h("a", { class: "button", href: "#/" }, t("table.new")))));
      return;
    }
    announce(text);
    banner(text, "error"); // of a full table, too: the server hangs up, and the line tries again
    clearTimeout(this.errorTimer);
    this.errorTimer = setTimeout(() => { if (byId("banner").dataset.kind === "error") banner(this.told, "error"); }, ERROR_TIME);
    if (REFUSES_MOVE.has(about)) this.pending = null;
    this.drawn = null;
    if (this.home.state) this.draw();
  }

  // An agent has taken the seat of a person who was away for long: the game can still be watched.
  #lookOn() {
    for (const link of this.links) link.line.close();
    forget(this.table);
    this.links = [this.#link(null)];
    this.told = t("table.given_away");
  }

  #newBoard(layout) {
    this.board?.remove();
    this.deploy?.board.remove();
    this.deploy = null;
    this.drawn = null;
    this.layout = layout; // as it is shown: perhaps from another side than one's own
    this.board = new Board(layout, {
      touch: (place, how) => this.touch(place, how),
      letGo: () => { this.entry.letGo(); this.premove.clear(); this.mark(); },
      canDrag: (place) => !this.looking && !this.entry.made.length && (this.entry.starts(place) || this.#mayPremove() && this.premove.starts(place, this.#own())),
    });
    this.board.dragByTouch = true;
    this.element.style.setProperty("--shape", this.board.element.style.getPropertyValue("--shape"));
    this.element.dataset.seats = layout.seats.length;
    this.title.textContent = layout.title;
  }

  // The board from the next seat's side.
  async flip() {
    const side = (this.layout.side + 1) % this.layout.seats.length;
    this.#newBoard(side === this.home.layout.side ? this.home.layout
      : await ask(`/api/layout?${new URLSearchParams({ game: this.layout.game, side })}`));
    this.draw();
  }

  // ---- drawing ------------------------------------------------------------------------------

  draw() {
    const { state, layout } = this.home;
    const deploying = !state.scene && layout.deployment && state.can.includes("deploy");
    this.element.classList.toggle("deploying", Boolean(deploying));
    if (deploying) this.#drawDeploy(state, layout);
    else this.#drawBoard(state);
    this.#drawSeats();
    fly(this.taken, this.board, this.seats); // the trays are there now
    this.taken = null;
    this.seats.drawFree(state, layout);
    this.status.draw(state, layout);
    this.tools.draw(state);
    this.moves.draw(state.moves, { numbering: layout.numbering, letters: this.letters, at: this.looking?.ply ?? state.moves.length });
    document.title = this.can("move") && !this.pending ? t("table.your_move_title") : `${layout.title} – Tempo`;
    if (this.home.token && noteOf(this.table).over !== state.over) keep(this.table, { title: layout.title, over: state.over });
  }

  #drawSeats() {
    const { state } = this.home;
    const scene = this.looking?.scene ?? state.scene;
    const around = !this.element.classList.contains("deploying");
    this.clocks.set(state.clock, this.seats.draw(state, this.layout, { thinking: this.thinking, thought: this.thought, scene, letters: this.letters, around }));
  }

  async #drawDeploy(state, layout) {
    if (noteOf(this.table).quick && !this.quick && !state.deploy?.setup) {
      this.quick = true; // the game was begun with one touch: the last line-up, or a drawn one
      const last = memory.get(`lineups.${layout.game.split("(")[0]}.last`, null);
      const setup = last ?? (await ask(`/api/setup?${new URLSearchParams({ game: layout.game })}`)).setup;
      this.send({ type: "deploy", setup });
      return;
    }
    this.deploy ??= new Deploy(layout, state.seat, (setup) => this.send({ type: "deploy", setup }));
    this.deploy.show();
    this.deploy.update(state);
    if (this.stage.firstChild !== this.deploy.element) this.stage.replaceChildren(this.deploy.element);
  }

  #drawBoard(state) {
    if (this.stage.firstChild !== this.board.element) this.stage.replaceChildren(this.board.element);
    const { letters } = this;
    const scene = this.looking?.scene ?? state.scene ?? EMPTY;
    // A state that only says who came or went must not take back the touches made so far.
    const moment = `${state.moment}:${state.phase}:${letters}:${this.looking?.ply}`;
    if (this.drawn !== moment) {
      const forward = this.drawn !== null && this.shownPly === state.ply - 1 && !this.looking;
      if (forward) this.#notice(state, scene);
      this.entry = new Entry(this.can("move") && !this.pending && !this.looking ? this.acting("move").state.scene.moves : []);
      if (this.entry.moves.length) this.premove.oneTouch = this.entry.moves.every((step) => step.touches.length === 1);
      const kinds = this.home.layout.deployment?.kinds ?? {};
      this.taken = forward ? takenBy(scene, this.board.pieces, letters) : null;
      this.board.show(scene, { letters, slide: forward && this.shown !== state.ply, guesses: this.guesses.texts(kinds, letters) });
      if (this.pending) this.#showPending();
      else this.shown = null;
      if (this.shownPly !== state.ply) this.#remember(state, scene);
      this.drawn = moment;
      this.shownPly = state.ply;
      if (!this.looking) this.#tell(state, scene);
      if (this.#playPremove()) return;
    }
    this.mark();
    const buttons = this.entry.buttons.map((step) => h("button", {
      type: "button", class: "strong", "data-move": step.text, onclick: () => this.playStep(step),
    }, step.button));
    this.under.classList.toggle("many", buttons.length > MANY);
    this.under.replaceChildren(...buttons);
  }

  // What is heard and seen of a move: a sound, and a moment for a seat that is out.
  #notice(state, scene) {
    const taken = this.pieces !== undefined && scene.pieces.length < this.pieces;
    this.pieces = scene.pieces.length;
    if (scene.mover !== state.seat || this.links.length > 1) this.guesses.follow(scene);
    const fallen = state.seats.findIndex((seat, i) => seat.out && this.out && !this.out[i]);
    this.out = state.seats.map((seat) => seat.out);
    if (fallen >= 0) {
      this.flag.textContent = t("table.fallen", { who: nameOf(state, this.layout, fallen) });
      this.flag.hidden = false;
      setTimeout(() => { this.flag.hidden = true; }, MOMENT);
    }
    if (state.result) sound(state.seat !== null && state.result.scores[state.seat] > 0 ? "won" : "over");
    else if (fallen >= 0) sound("fall");
    else if (scene.marks.some(({ kind }) => kind === "check")) sound("check");
    else sound(taken ? "capture" : "move");
  }

  // With more than two seats, what the others did since the own move stays marked.
  #remember(state, scene) {
    const others = state.seats.length - 2;
    this.out ??= state.seats.map((seat) => seat.out);
    this.pieces = scene.pieces.length;
    if (scene.mover === state.seat || state.ply < (this.shownPly ?? 0)) this.turns = [];
    this.turns = others > 0 && scene.mover !== null ? [...(this.turns ?? []), scene].slice(-1 - others) : [];
  }

  #tell(state, scene) {
    const { layout } = this.home;
    const parts = [];
    if (scene.said && scene.mover !== null) parts.push(`${t("table.did", { who: nameOf(state, layout, scene.mover), what: scene.said })}.`);
    if (state.result) parts.push(state.result.words);
    else if (this.can("move")) parts.push(`${t("table.your_move")} ${this.acting("move").state.scene.hint}`);
    if (parts.length) announce(parts.join(" "));
  }

  // Shows an earlier moment of the game; the present is where moves are made.
  look(ply) {
    this.entry.letGo();
    this.drawn = null;
    if (ply >= this.home.state.ply) {
      this.looking = null;
      this.draw();
    } else {
      this.looking = { ply, scene: this.looking?.scene ?? null };
      this.home.line.send({ type: "look", ply });
    }
  }

  // ---- entering a move ----------------------------------------------------------------------

  mark() {
    if (!this.board.scene) return;
    const earlier = this.looking ? [] : (this.turns ?? []).slice(0, -1).flatMap((scene) => scene.last);
    const marks = this.entry.marks(this.board.places.size);
    if (this.pending) marks.now = this.pending.step.touches;
    this.board.mark({ ...marks, ghost: this.ghost, earlier, premove: this.premove.touches });
  }

  #own() {
    return (place) => this.board.pieces?.get(place)?.seat === this.home.state.seat;
  }

  #mayPremove() {
    const { state } = this.home;
    return state.phase === "play" && state.seat !== null && this.links.length === 1 && !this.can("move") && !this.pending && !state.seats[state.seat].out;
  }

  async touch(place, { by }) {
    if (!this.home.state) return; // the line is made anew and has told nothing yet
    if (this.looking) { this.look(Infinity); return; }
    if (!this.entry.made.length && !this.entry.targets.has(place) && await this.#guess(place)) return;
    if (!this.can("move") || this.pending) { this.#touchEarly(place); return; }
    const before = [...this.entry.made];
    const first = !before.length && this.entry.left.some((step) => step.touches.length === 1 && step.touches[0] === place);
    // A finger on a small board places a stone with a second touch of the same place; not the first one, which is soon taken back.
    if (by === "touch" && first && this.board.isSmall && this.ghost !== place && !this.#isFirst()) {
      this.ghost = place;
      this.mark();
      this.status.say(t("table.again", { place: this.board.places.get(place).label }), "advice");
      return;
    }
    this.ghost = null;
    const complete = this.entry.touch(place);
    this.mark();
    this.status.say("");
    const dropped = before.length === 1 && before[0] === place;
    if (!complete.length && !this.entry.made.length && !dropped) this.acting("move").line.send({ type: "why", touches: [...before, place] });
    if (complete.length === 1) this.playStep(complete[0]);
    else if (complete.length) {
      const step = await choose(complete, { at: this.board.rectOf(place), layout: this.layout, letters: this.letters });
      if (step) this.playStep(step);
    }
  }

  // Whether this is one's first move in a game against agents.
  #isFirst() {
    const { state } = this.home;
    return !state.moves.some(({ seat }) => seat === state.turn) && state.seats.every((seat) => seat.you || seat.kind === "agent");
  }

  // Out of turn: a move to be made as soon as it is one's turn.
  #touchEarly(place) {
    if (!this.#mayPremove()) {
      if (this.home.state.phase === "play" && this.home.state.seat !== null && !this.pending) this.status.say(t("why.wait"));
      return;
    }
    if (this.premove.touch(place, this.#own())) this.status.say(this.premove.isWhole ? t("table.premove") : "", "advice");
    else this.status.say(t("why.wait"));
    this.mark();
  }

  #playPremove() {
    if (!this.premove.isWhole || !this.can("move") || this.pending || this.looking) return false;
    const step = this.premove.found(this.entry.moves);
    this.premove.clear();
    if (step) this.playStep(step);
    else this.status.say(t("table.premove_gone"));
    return Boolean(step);
  }

  // A hidden piece of somebody else may be marked with what one takes it for.
  async #guess(place) {
    const piece = this.board.pieces?.get(place);
    const kinds = this.home.layout.deployment?.kinds;
    if (!kinds || !piece || piece.text || piece.seat === this.home.state.seat || this.home.state.over) return false;
    if (await this.guesses.ask(place, kinds, this.letters, this.board.rectOf(place))) {
      this.drawn = null;
      this.draw();
    }
    return true;
  }

  playStep(step) {
    this.pending = new Pending(this.acting("move"), step);
    this.shown = this.pending.message.ply + 1; // nothing slides that stands there already
    this.entry = new Entry();
    this.ghost = null;
    this.#showPending();
    this.draw();
    if (!this.pending.send()) this.#lost();
  }

  #showPending() {
    const { link, step } = this.pending;
    this.board.pend(step.touches, link.layout.seats[link.state.seat].colour);
  }

  // Everybody at this screen asks at once.
  rematch() {
    for (const link of this.links) {
      if (link.state.can.includes("rematch")) link.line.send({ type: "rematch", swap: true });
    }
  }
}
