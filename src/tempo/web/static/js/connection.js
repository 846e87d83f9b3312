// One seat's line to the server: it joins, listens, and comes back by itself when it is lost.

const FIRST_WAIT = 400; // milliseconds before the first new try; doubled up to LAST_WAIT
const LAST_WAIT = 8000;
const PING = 20000;

export class Connection {
  // listeners: {message(data), up(), down()}
  constructor(table, token, listeners) {
    this.table = table;
    this.token = token;
    this.listeners = listeners;
    this.wait = FIRST_WAIT;
    this.closed = false;
    this.retry = () => this.#again(0);
    window.addEventListener("online", this.retry);
    this.#open();
  }

  get isUp() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  send(message) {
    if (!this.isUp) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close() {
    this.closed = true;
    window.removeEventListener("online", this.retry);
    clearTimeout(this.timer);
    clearInterval(this.pinging);
    this.socket?.close();
  }

  #open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/ws`);
    this.socket = socket;
    socket.onopen = () => {
      this.send({ type: "join", table: this.table, ...(this.token && { token: this.token }) });
      clearInterval(this.pinging);
      this.pinging = setInterval(() => this.send({ type: "ping" }), PING);
    };
    socket.onmessage = (event) => {
      if (this.closed) return;
      this.wait = FIRST_WAIT;
      const data = JSON.parse(event.data);
      if (data.type === "joined") this.listeners.up();
      else if (data.type !== "pong") this.listeners.message(data);
    };
    socket.onclose = () => {
      clearInterval(this.pinging);
      if (this.closed || socket !== this.socket) return;
      this.listeners.down();
      this.#again(this.wait);
      this.wait = Math.min(2 * this.wait, LAST_WAIT);
    };
  }

  #again(wait) {
    if (this.closed || this.isUp || this.socket.readyState === WebSocket.CONNECTING) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#open(), wait);
  }
}
