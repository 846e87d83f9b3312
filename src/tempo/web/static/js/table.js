// A table: the board, who sits there, what can be done. #/table/ID
//
// A browser that holds several seats has a line for each: the board is that of the first, moves go
// over the line of the seat to move. All that is shown comes from the last state of the server.

import { ask, forget, tokensOf } from "./api.js";
import { Board } from "./board.js";
import { choose, confirm, pick } from "./choice.js";
import { Clocks } from "./clocks.js";
import { Connection } from "./connection.js";
import { Deploy } from "./deploy.js";
import { announce, banner, byId, h, save } from "./dom.js";
import { Entry } from "./entry.js";
import { Pending } from "./pending.js";
import { Seats, nameOf } from "./seats.js";

const ERROR_TIME = 5000; // milliseconds that an error stays
const EARLIER = 20; // games at a table that can be chosen from
const REFUSES_MOVE = new Set(["move", "rate", "seat", "table"]); // what an error is about
const MANY = 12; // buttons below the board before they get a box of their own

export function open(main, [table]) {
  const room = new Room(main, table);
  return () => room.close();
}

class Room {
  constructor(main, table) {
    this.table = table;
    this.thinking = null;
    this.told = ""; // what the banner says while all is well
    this.entry = new Entry();
    this.pending = null; // the own move that the server has not confirmed
    this.clocks = new Clocks();
    this.seats = new Seats(table, (message) => this.send(message));
    this.stage = h("div", { class: "stage" });
    this.status = h("div", { class: "status" });
    this.under = h("div", { class: "under" });
    this.notice = h("div", { class: "notice" });
    this.tools = h("div", { class: "tools" });
    this.list = h("ol", { class: "list", tabindex: 0, "aria-label": "Moves" });
    this.play = h("section", { class: "play", "aria-label": "Board" }, this.stage, this.notice, this.status, this.under);
    this.side = h("aside", { class: "side", "aria-label": "Table" },
      this.seats.element, this.seats.more, this.tools,
      h("section", { class: "card moves" }, h("h2", {}, "Moves"), this.list));
    this.element = h("div", { class: "table" }, this.play, this.side);
    main.append(this.element);
    const tokens = tokensOf(table);
    this.links = (tokens.length ? tokens : [null]).map((token) => this.#link(token));
    this.redraw = () => { if (this.home.state && this.home.layout) this.draw(); };
    window.addEventListener("tempo:letters", this.redraw);
    window.addEventListener("tempo:redraw", this.redraw);
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
    const move = this.pending ? ` Your move ${this.pending.text} will be sent then.` : "";
    banner(`Connection lost – reconnecting…${move}`, "lost");
  }

  close() {
    for (const link of this.links) link.line.close();
    this.clocks.stop();
    this.board?.remove();
    this.deploy?.board.remove();
    window.removeEventListener("tempo:letters", this.redraw);
    window.removeEventListener("tempo:redraw", this.redraw);
    document.title = "Tempo";
  }

  // The line of the first seat, whose eyes the board is drawn for.
  get home() {
    return this.links[0];
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
      if (link === this.home && !same) this.#newBoard();
    } else if (data.type === "state") {
      link.state = data;
      this.#settle(link);
      this.thinking = null;
      // Two seats at one screen hear of a move one after the other: wait for both.
      const heard = (one) => one.layout && one.state && (one.state.version === data.version || !one.line.isUp);
      if (this.links.every(heard)) this.draw();
    } else if (data.type === "thinking") {
      this.thinking = data.seat;
      if (this.home.state && this.home.layout) this.#drawSeats(this.home);
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
      this.element.replaceChildren(h("section", { class: "card" }, h("h1", {}, "No such table"), h("p", {}, text),
        h("p", {}, h("a", { class: "button", href: "#/new" }, "New game"))));
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
    this.told = "Your seat was given to an agent while you were away. You are watching.";
  }

  #newBoard() {
    this.board?.remove();
    this.deploy?.board.remove();
    this.deploy = null;
    this.drawn = null;
    this.board = new Board(this.home.layout, {
      touch: (place, how) => this.touch(place, how),
      letGo: () => { this.entry.letGo(); this.mark(); },
      canDrag: (place) => this.entry.starts(place) && !this.entry.made.length,
    });
    this.element.style.setProperty("--shape", this.board.element.style.getPropertyValue("--shape"));
  }

  // ---- drawing ------------------------------------------------------------------------------

  draw() {
    const { state, layout } = this.home;
    const deploying = !state.scene && layout.deployment && state.can.includes("deploy");
    this.play.classList.toggle("deploying", Boolean(deploying));
    if (deploying) this.#drawDeploy(state, layout);
    else this.#drawBoard(state);
    this.#drawSeats(this.home);
    this.seats.drawFree(state, layout);
    this.#drawStatus(state, layout);
    this.#drawNotice(state, layout);
    this.#drawTools(state);
    this.#drawMoves(state);
    document.title = this.can("move") && !this.pending ? "● Your move – Tempo" : `${layout.title} – Tempo`;
  }

  #drawDeploy(state, layout) {
    this.deploy ??= new Deploy(layout, state.seat, (setup) => this.send({ type: "deploy", setup }));
    this.deploy.show();
    this.deploy.update(state);
    if (this.stage.firstChild !== this.deploy.element) this.stage.replaceChildren(this.deploy.element);
    this.stage.classList.add("wide");
  }

  #drawBoard(state) {
    this.stage.classList.remove("wide");
    if (this.stage.firstChild !== this.board.element) this.stage.replaceChildren(this.board.element);
    const moving = this.acting("move");
    const letters = byId("letters").getAttribute("aria-pressed") === "true";
    const scene = state.scene ?? { pieces: [], moves: [], last: [], captured: [], hint: "", said: "", board: "" };
    // A state that only says who came or went must not take back the touches made so far.
    const moment = `${state.moment}:${state.phase}:${letters}`;
    if (this.drawn !== moment) {
      const forward = this.drawn !== null && this.shownPly === state.ply - 1;
      this.entry = new Entry(this.can("move") && !this.pending ? moving.state.scene.moves : []);
      this.board.show(scene, { letters, slide: forward && this.shown !== state.ply });
      if (this.pending) this.#showPending();
      else this.shown = null;
      if (this.shownPly !== state.ply) this.#remember(state, scene);
      this.drawn = moment;
      this.shownPly = state.ply;
      this.#tell(state, scene);
    }
    this.mark();
    const buttons = this.entry.buttons.map((step) => h("button", {
      type: "button", class: "strong", "data-move": step.text, onclick: () => this.playStep(step),
    }, step.button));
    this.under.classList.toggle("many", buttons.length > MANY);
    this.under.replaceChildren(...buttons, this.#zoom());
  }

  // With more than two seats, what the others did since the own move stays marked.
  #remember(state, scene) {
    const others = state.seats.length - 2;
    if (scene.mover === state.seat || state.ply < (this.shownPly ?? 0)) this.turns = [];
    this.turns = others > 0 && scene.mover !== null ? [...(this.turns ?? []), scene].slice(-1 - others) : [];
  }

  #zoom() {
    const zoomed = this.stage.classList.contains("zoomed");
    if (!zoomed && !(this.board.svg && this.board.isSmall)) return "";
    return h("button", { type: "button", "aria-pressed": String(zoomed), onclick: () => {
      this.stage.classList.toggle("zoomed");
      const { stage } = this;
      stage.scrollTo((stage.scrollWidth - stage.clientWidth) / 2, stage.scrollHeight);
      this.draw();
    } }, zoomed ? "Whole board" : "Larger board");
  }

  #drawSeats({ state, layout }) {
    this.clocks.set(state.clock, this.seats.draw(state, layout, this.thinking));
  }

  #tell(state, scene) {
    const { layout } = this.home;
    const parts = [];
    if (scene.said && scene.mover !== null) parts.push(`${nameOf(state, layout, scene.mover)} ${scene.said}.`);
    if (state.result) parts.push(state.result.words);
    else if (this.can("move")) parts.push(`Your move. ${this.acting("move").state.scene.hint}`);
    if (parts.length) announce(parts.join(" "));
  }

  #drawStatus(state, layout) {
    const shown = this.turns?.length ? this.turns : [state.scene];
    const lines = shown.filter((scene) => scene?.said && scene.mover !== null)
      .map((scene) => h("div", { class: "sub" }, `${nameOf(state, layout, scene.mover)} ${scene.said}`));
    this.status.replaceChildren(h("div", {}, this.#hint(state, layout)), ...lines);
  }

  #hint(state, layout) {
    if (state.phase === "over") return "";
    if (state.phase === "waiting") return "Waiting for the others to take their seats.";
    if (state.phase === "deploy") return state.seat === null ? "The seats put up their pieces." : "";
    if (this.pending) return `Sending ${this.pending.text}…`;
    const moving = this.acting("move");
    const looker = this.home.state.seat === null ? "You are watching. " : "";
    if (!this.can("move")) return `${looker}${nameOf(state, layout, state.turn)} to move`;
    const who = this.links.length > 1 ? `${nameOf(state, layout, state.turn)}: ` : "";
    return who + moving.state.scene.hint;
  }

  #drawNotice(state, layout) {
    const parts = [];
    if (state.result) {
      parts.push(h("div", { class: "result", role: "status" }, h("b", {}, state.result.words), h("div", { class: "row" },
        this.can("rematch") && h("button", { type: "button", class: "strong", id: "rematch", onclick: () => this.#rematch() },
          "Rematch, seats changed"),
        h("a", { class: "button", href: "#/new" }, "New game"))));
    }
    if (state.offer) parts.push(this.#offer(state, layout));
    if (state.trouble) parts.push(h("p", { class: "card fault", role: "alert" }, `The agent gave up: ${state.trouble}`));
    this.notice.replaceChildren(...parts);
  }

  #offer(state, layout) {
    const { what, by } = state.offer;
    const asks = { draw: "offers a draw", undo: "asks for the last move back", rematch: "asks for another game" }[what] ?? what;
    const answers = what === "rematch" ? [] : [["Accept", true], ["Refuse", false]];
    const may = this.can(`answer_${what}`);
    return h("div", { class: "card offer", role: "status" },
      h("span", {}, state.seats[by].you ? `You asked (${what}); waiting for an answer.` : `${nameOf(state, layout, by)} ${asks}.`),
      may && answers.map(([text, accept]) => h("button", {
        type: "button", class: accept ? "strong" : "", onclick: () => this.send({ type: `answer_${what}`, accept }),
      }, text)));
  }

  #drawTools(state) {
    const button = (what, text, action) => this.can(what) && h("button", { type: "button", "data-tool": what, onclick: action }, text);
    const few = state.scene && !state.over && this.home.verdicts && state.scene.pieces.length <= 4;
    this.tools.replaceChildren(...[
      button("undo", "Take back", () => this.send({ type: "undo" })),
      button("offer_draw", "Offer draw", () => this.send({ type: "offer_draw" })),
      button("resign", "Resign", async () => {
        if (await confirm("Give up this game?", "Resign")) this.send({ type: "resign" });
      }),
      few && h("button", { type: "button", "data-tool": "verdict", onclick: () => this.#verdict() }, "Verdict"),
      this.#mayStudy(state) && h("a", { class: "button", "data-tool": "study", href: `#/study/table/${this.table}` }, "Study"),
      state.moves.length > 0 && h("button", { type: "button", "data-tool": "record", onclick: () => this.#download() }, "Download"),
      state.round > 1 && h("button", { type: "button", "data-tool": "earlier", onclick: () => this.#downloadEarlier(state.round - 1) }, "Earlier games"),
    ].filter(Boolean));
  }

  // A game against people is studied when it is over.
  #mayStudy(state) {
    const others = state.seats.filter((seat) => !seat.you && seat.kind !== "agent");
    return state.scene && (state.over || (state.seat !== null && !others.length));
  }

  #drawMoves(state) {
    const shown = [...this.list.children];
    const same = shown.findIndex((item, i) => item.lastChild.data !== state.moves[i]?.text);
    const kept = same < 0 ? shown.length : same;
    for (const item of shown.slice(kept)) item.remove();
    for (let i = kept; i < state.moves.length; i += 1) {
      this.list.append(h("li", {}, h("span", { class: "number" }, `${i + 1}`), state.moves[i].text));
    }
    this.list.scrollTop = this.list.scrollHeight;
  }

  // ---- entering a move ----------------------------------------------------------------------

  mark() {
    if (!this.board.scene) return;
    const earlier = (this.turns ?? []).slice(0, -1).flatMap((scene) => scene.last);
    const marks = this.entry.marks(this.board.places.size);
    if (this.pending) marks.now = this.pending.step.touches;
    this.board.mark({ ...marks, ghost: this.ghost, earlier });
  }

  async touch(place, { by }) {
    const { made } = this.entry;
    const first = !made.length && this.entry.left.some((step) => step.touches.length === 1 && step.touches[0] === place);
    // A finger on a small board places a stone with a second touch of the same place.
    if (by === "touch" && first && this.board.isSmall && this.ghost !== place) {
      this.ghost = place;
      this.mark();
      this.status.firstChild.textContent = `Touch ${place} again to play there.`;
      return;
    }
    this.ghost = null;
    const complete = this.entry.touch(place);
    this.mark();
    if (complete.length === 1) this.playStep(complete[0]);
    else if (complete.length) {
      const step = await choose(complete);
      if (step) this.playStep(step);
    }
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

  // ---- what else can be done ----------------------------------------------------------------

  // Everybody at this screen asks at once.
  #rematch() {
    for (const link of this.links) {
      if (link.state.can.includes("rematch")) link.line.send({ type: "rematch", swap: true });
    }
  }

  async #verdict() {
    this.status.firstChild.textContent = "Asking the tables…";
    try {
      const { text } = await ask(`/api/tables/${this.table}/verdict`, {});
      this.status.firstChild.textContent = text;
      announce(text);
    } catch (error) {
      this.status.firstChild.textContent = error.message;
    }
  }

  // Asks which of the games that were played at this table before.
  async #downloadEarlier(count) {
    const games = Array.from({ length: Math.min(count, EARLIER) }, (_, i) => ({ text: `Game ${count - i}`, value: String(count - i) }));
    const round = await pick("Download which game?", games);
    if (round) await this.#download(Number(round));
  }

  async #download(round = 0) {
    try {
      const token = tokensOf(this.table)[0];
      const record = await ask(`/api/tables/${this.table}/record`, { round, ...(token && { token }) });
      save(record.name, record.text);
    } catch (error) {
      banner(error.message, "error");
    }
  }
}
