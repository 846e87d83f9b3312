// One seat's line to the server: it joins, listens, notices when nobody answers, and comes back by
// itself. What it has of the game's moves it says when it comes back, and is told the rest.

import { isPlain } from "./dom.js";
import { language } from "./text.js";

const FIRST_WAIT = 400; // milliseconds before the first new try; doubled up to LAST_WAIT
const LAST_WAIT = 8000;
const PING = 4000; // of silence, then the server is asked whether it is there
const PATIENCE = 5000; // for an answer to anything; then the connection is given up
const TICK = 500;

export class Connection {
  // listeners: {message(data), up(), down()}
  constructor(table, token, listeners) {
    this.table = table;
    this.token = token;
    this.listeners = listeners;
    this.wait = FIRST_WAIT;
    this.closed = false;
    this.isUp = false; // joined, and nothing says that it is lost
    this.state = null; // the last one, with all moves
    this.retry = () => this.#again(0);
    this.look = () => this.#watch();
    window.addEventListener("online", this.retry);
    document.addEventListener("visibilitychange", this.look);
    this.watching = setInterval(this.look, TICK);
    this.#open();
  }

  send(message) {
    return this.isUp && this.#say(message);
  }

  close() {
    this.closed = true;
    window.removeEventListener("online", this.retry);
    document.removeEventListener("visibilitychange", this.look);
    clearTimeout(this.timer);
    clearInterval(this.watching);
    this.isUp = false;
    this.socket?.close();
  }

  #say(message) {
    this.socket.send(JSON.stringify(message));
    this.asked ??= performance.now(); // everything is answered
    return true;
  }

  #open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/ws`);
    this.socket = socket;
    this.asked = performance.now();
    socket.onopen = () => {
      this.asked = null;
      this.#say({
        type: "join", table: this.table, language, plain: isPlain(), ...(this.token && { token: this.token }), ...(this.state && { have: this.#have() }),
      });
    };
    socket.onmessage = (event) => this.#hear(JSON.parse(event.data));
    socket.onclose = () => this.#lost();
  }

  #have() {
    const { round, ply, mark } = this.state;
    return { round, ply, mark };
  }

  #hear(data) {
    this.asked = null;
    this.heard = performance.now();
    if (data.type === "joined") {
      this.isUp = true;
      this.wait = FIRST_WAIT;
      this.listeners.up();
    } else if (data.type === "state") {
      data.moves = [...(this.state?.moves ?? []).slice(0, data.since), ...data.moves];
      this.state = data;
      this.listeners.message(data);
    } else if (data.type !== "pong") {
      this.listeners.message(data);
    }
  }

  // Asks a silent server whether it is there, and gives up one that does not answer.
  #watch() {
    const now = performance.now();
    if (this.closed || !this.socket) return;
    if (this.asked !== null && now - this.asked > PATIENCE) this.#lost();
    else if (this.isUp && this.asked === null && now - this.heard > PING) this.#say({ type: "ping" });
  }

  // Does not wait for a socket to close whose other side may be gone.
  #lost() {
    const { socket } = this;
    this.socket = null;
    this.isUp = false;
    this.asked = null;
    if (socket) {
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
    }
    if (this.closed) return;
    this.listeners.down();
    this.#again(this.wait * (0.5 + Math.random()));
    this.wait = Math.min(2 * this.wait, LAST_WAIT);
  }

  #again(wait) {
    if (this.closed || this.socket) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#open(), wait);
  }
}
