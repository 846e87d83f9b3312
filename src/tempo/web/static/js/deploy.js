// Putting up one's pieces before a game: exchange two by dragging, tapping or the keyboard.
// Which kinds may stand where comes with the layout; the server has the last word.

import { ask } from "./api.js";
import { Board } from "./board.js";
import { announce, byId, h, memory } from "./dom.js";
import { rankTable, showRanks } from "./ranks.js";
import { t } from "./text.js";

const MARGIN = 0.75; // of the shown part of the board, around its outermost places

export class Deploy {
  // send(setup) tells the server.
  constructor(layout, seat, send) {
    this.plan = layout.deployment;
    this.layout = layout;
    this.seat = seat;
    this.send = send;
    this.key = `lineups.${layout.game.split("(")[0]}`;
    this.board = new Board(part(layout, this.plan.places), {
      touch: (place, how) => this.touch(place, how), letGo: () => this.letGo(), canDrag: () => true,
    });
    this.board.dragByTouch = true;
    this.list = h("ul", { class: "lineups" });
    this.name = h("input", { placeholder: t("deploy.name_help"), maxlength: 30, "aria-label": t("deploy.name") });
    this.fault = h("p", { class: "fault", role: "alert", hidden: true });
    this.ready = h("button", { type: "button", class: "strong", id: "ready", onclick: () => this.#send() }, t("deploy.ready"));
    this.told = h("p", { class: "help", role: "status" });
    this.element = h("div", { class: "deploy" },
      h("div", { class: "arm" }, this.board.element),
      h("div", { class: "beside" },
        h("h2", {}, t("deploy.title")),
        h("p", { class: "help" }, t("deploy.help")),
        h("div", { class: "row" }, this.ready,
          h("button", { type: "button", onclick: () => this.set(mirrored(this.plan, this.layout, this.setup)) }, t("deploy.mirror")),
          h("button", { type: "button", onclick: () => this.#draw() }, t("deploy.draw")),
          h("button", { type: "button", class: "legend", onclick: () => showRanks(layout, seat) }, t("tool.ranks"))),
        this.told, this.fault,
        h("h2", {}, t("deploy.lineups")), this.list,
        h("div", { class: "row" }, this.name, h("button", { type: "button", onclick: () => this.#save() }, t("deploy.save"))),
        h("section", { class: "in-order" }, h("h2", {}, t("tool.ranks")), rankTable(layout, seat), h("p", { class: "help" }, t("ranks.help")))));
    this.#lineups();
    this.set(memory.get(`${this.key}.last`, null) ?? this.plan.lineups[0]);
  }

  // The state of the table: what the server holds already.
  update(state) {
    const setup = state.deploy?.setup;
    if (setup && !this.sent) this.set(setup);
    this.sent = setup;
    const waiting = state.seats.filter((seat) => !seat.ready).length;
    this.ready.textContent = setup && setup === this.setup ? t("deploy.ready_done") : t("deploy.ready");
    this.told.textContent = setup
      ? (waiting ? t("deploy.stands_waiting", { n: waiting }) : t("deploy.stands"))
      : state.clock?.deploying ? t("deploy.minutes", { n: Math.ceil(state.clock.deploying / 60) }) : "";
  }

  set(setup) {
    if (!fits(this.plan, setup)) return;
    this.setup = setup;
    this.held = null;
    this.show();
  }

  show() {
    const letters = byId("letters").getAttribute("aria-pressed") === "true";
    const kinds = kindsOf(this.plan, this.setup);
    this.board.show({
      pieces: [...kinds].map(([place, kind]) => {
        const [text, short, name] = this.plan.kinds[kind];
        return { place, seat: this.seat, form: "tile", text, short, label: t("deploy.on", { piece: name, place }), count: 1 };
      }),
      last: [], captured: [], mover: null,
    }, { letters, slide: false });
    this.#marks(kinds);
    this.ready.textContent = this.sent && this.sent === this.setup ? t("deploy.ready_done") : t("deploy.ready");
  }

  touch(place, { by }) {
    if (!this.plan.places.includes(place)) return;
    if (by === "drag" && this.held === null) {
      this.held = place;
      this.#marks(kindsOf(this.plan, this.setup));
      return;
    }
    if (this.held === null) this.held = place;
    else if (this.held === place) this.held = null;
    else {
      const problem = this.#exchange(this.held, place);
      this.fault.hidden = !problem;
      this.fault.textContent = problem;
      this.held = null;
      this.show();
      return;
    }
    this.#marks(kindsOf(this.plan, this.setup));
  }

  letGo() {
    this.held = null;
    this.#marks(kindsOf(this.plan, this.setup));
  }

  #exchange(a, b) {
    const kinds = kindsOf(this.plan, this.setup);
    const [one, two] = [kinds.get(a), kinds.get(b)];
    for (const [kind, place] of [[one, b], [two, a]]) {
      if (!this.plan.allowed[kind].includes(place)) return t("deploy.not_there", { piece: this.plan.kinds[kind][2], place });
    }
    kinds.set(a, two).set(b, one);
    this.setup = written(this.plan, kinds);
    announce(t("deploy.exchanged", { a: this.plan.kinds[one][2], b, c: this.plan.kinds[two][2], d: a }));
    return "";
  }

  #marks(kinds) {
    const held = this.held;
    const kind = held && kinds.get(held);
    const may = held ? this.plan.places.filter((place) => place !== held
      && this.plan.allowed[kind].includes(place) && this.plan.allowed[kinds.get(place)].includes(held)) : this.plan.places;
    this.board.mark({ now: held ? [held] : [], targets: new Set(may) });
  }

  #send() {
    memory.set(`${this.key}.last`, this.setup);
    this.fault.hidden = true;
    this.send(this.setup);
  }

  // One that the server draws as it does for agents: nobody else knows it.
  async #draw() {
    try {
      this.set((await ask(`/api/setup?game=${encodeURIComponent(this.layout.game)}`)).setup);
    } catch (error) {
      this.refuse(error.message);
    }
  }

  #save() {
    const name = this.name.value.trim() || t("deploy.line_up", { n: memory.get(this.key, []).length + 1 });
    const others = memory.get(this.key, []).filter((one) => one.name !== name);
    memory.set(this.key, [...others, { name, setup: this.setup }]);
    this.name.value = "";
    this.#lineups();
  }

  #lineups() {
    const own = memory.get(this.key, []).filter((one) => fits(this.plan, one.setup));
    const given = this.plan.lineups.map((setup, i) => ({ name: t("deploy.sound", { n: i + 1 }), setup }));
    this.list.replaceChildren(...own.map((one) => h("li", {},
      h("button", { type: "button", onclick: () => this.set(one.setup) }, one.name),
      h("button", {
        type: "button", class: "quiet", "aria-label": t("deploy.delete", { name: one.name }),
        onclick: () => { memory.set(this.key, memory.get(this.key, []).filter((o) => o.name !== one.name)); this.#lineups(); },
      }, "×"))),
    ...given.map((one) => h("li", {}, h("button", { type: "button", onclick: () => this.set(one.setup) }, one.name))));
  }

  refuse(text) {
    this.fault.textContent = text;
    this.fault.hidden = false;
  }
}

// The part of a layout around some of its places.
function part(layout, ids) {
  const mine = layout.places.filter((place) => near(layout, ids, place));
  const xs = mine.map((place) => place.x);
  const ys = mine.map((place) => place.y);
  const box = [Math.min(...xs) - MARGIN, Math.min(...ys) - MARGIN];
  box.push(Math.max(...xs) + MARGIN - box[0], Math.max(...ys) + MARGIN - box[1]);
  return { ...layout, box, places: mine };
}

// Whether a place lies among others: between the outermost of them.
function near(layout, ids, place) {
  const others = layout.places.filter((one) => ids.includes(one.id));
  const within = (key) => place[key] >= Math.min(...others.map((one) => one[key]))
    && place[key] <= Math.max(...others.map((one) => one[key]));
  return within("x") && within("y");
}

function kindsOf(plan, setup) {
  const letters = [...setup].filter((_, i) => plan.form[i] === "?");
  return new Map(plan.places.map((place, i) => [place, letters[i]]));
}

function written(plan, kinds) {
  let i = 0;
  return [...plan.form].map((letter) => (letter === "?" ? kinds.get(plan.places[i++]) : letter)).join("");
}

function fits(plan, setup) {
  return typeof setup === "string" && setup.length === plan.form.length
    && [...setup].every((letter, i) => (plan.form[i] === "?" ? letter in plan.kinds : letter === plan.form[i]));
}

// The same line-up with left and right exchanged.
function mirrored(plan, layout, setup) {
  const kinds = kindsOf(plan, setup);
  const spots = layout.places.filter((place) => plan.places.includes(place.id));
  const sum = Math.min(...spots.map((p) => p.x)) + Math.max(...spots.map((p) => p.x));
  const other = (place) => spots.find((p) => p.y === place.y && Math.abs(p.x + place.x - sum) < 0.01);
  return written(plan, new Map(spots.map((place) => [other(place).id, kinds.get(place.id)])));
}
