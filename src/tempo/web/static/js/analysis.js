// The panel of study: an agent's candidates, exact verdicts, beliefs, shapes, and the value graph.

import { beliefs, heat, line as drawLine, measured, shapes as drawShapes } from "./analysis_overlay.js";
import { ask } from "./api.js";
import { LineChart } from "./chart.js";
import { announce, h, memory } from "./dom.js";
import { Report } from "./report.js";
import { study } from "./stream.js";
import { t, word } from "./text.js";
import { expected, nameOf, unitOf, worded } from "./worth.js";

const SHOWN = 12; // candidates listed
const CROWD = 30; // more candidates than this are not all shown on the board
const SPAN = 0.2; // values that differ by less look alike
const ENDLESS = 3600; // seconds of an analysis that runs until it is stopped
const LINES = [1, 3, 5];

export class Analysis {
  // desk: {game, board, seats, request(), line(), ply, onmove} — see desk.js
  constructor(desk) {
    this.desk = desk;
    this.found = {}; // by kind, of the moment that is shown
    this.kept = new Map(); // what was found, by moment and agent
    this.lines = new Map(); // of the candidates listed, by move
    this.pointed = null; // the candidate's move under the pointer or the focus
    this.on = false;
    this.shown = memory.get("overlays", { heat: true, shapes: true, belief: true });
    this.#build();
  }

  #build() {
    const usual = this.desk.info.study; // one that values every move
    const kept = memory.get("study", { seconds: ENDLESS, lines: 3 });
    this.agent = h("select", { "aria-label": t("study.agent") }, h("option", { value: usual }, usual));
    this.exact = h("input", { "aria-label": t("study.exact_agent"), placeholder: t("study.exact_help"), maxlength: 300 });
    this.seconds = h("select", { "aria-label": t("study.time") }, [2, 15, 60, ENDLESS].map((s) => h("option", { value: s, selected: s === kept.seconds }, s === ENDLESS ? t("study.endless") : `${s} s`)));
    this.count = h("select", { "aria-label": t("study.lines") }, LINES.map((n) => h("option", { value: n, selected: n === kept.lines }, t("study.n_lines", { n }))));
    this.switch = h("button", { type: "button", class: "strong analyse", "aria-pressed": "false", onclick: () => this.toggle() }, t("study.analyse"));
    this.state = h("p", { class: "help", role: "status" });
    this.verdict = h("p", { class: "exact", hidden: true });
    this.bar = h("div", { class: "worth", hidden: true });
    this.rows = h("ol", { class: "candidates" });
    this.lineBox = h("div", { class: "principal", hidden: true });
    this.beliefBox = h("div", { class: "beliefs", hidden: true });
    this.legend = h("p", { class: "help shapes-legend", hidden: true });
    this.toggles = h("p", { class: "row toggles" }, ["heat", "shapes", "belief"].map((key) =>
      h("label", { class: "check", "data-overlay": key }, h("input", { type: "checkbox", checked: this.shown[key], onchange: (event) => {
        this.shown[key] = event.target.checked;
        memory.set("overlays", this.shown);
        this.draw();
      } }), t(`study.overlay.${key}`))));
    this.chart = new LineChart({ title: t("study.graph"), xName: t("study.ply"), height: 150, low: 0, high: 100, pick: (ply) => this.desk.goPly(ply) });
    this.chart.element.hidden = true;
    this.report = new Report(this.desk, this);
    this.graph = h("button", { type: "button", class: "graph", onclick: () => this.drawGraph() }, t("study.report"));
    this.element = h("section", { class: "card analysis", "aria-label": t("study.analysis") },
      h("div", { class: "row spaced" }, h("h2", {}, t("study.analysis")), this.switch),
      this.verdict, this.bar, this.rows, this.lineBox, this.state, this.legend, this.beliefBox, this.toggles,
      h("details", { class: "more" }, h("summary", {}, t("study.settings")),
        h("div", { class: "asked" }, this.agent, this.seconds, this.count, this.exact)),
      this.desk.hasLine && h("div", { class: "row" }, this.graph), this.chart.element, this.report.element);
    for (const input of [this.agent, this.seconds, this.exact]) {
      input.addEventListener("change", () => { this.#keep(); this.moved(); });
    }
    this.count.addEventListener("change", () => { this.#keep(); this.draw(); });
  }

  #keep() {
    memory.set("study", { seconds: Number(this.seconds.value), lines: Number(this.count.value) });
  }

  // Under which what was found is kept: another agent has its own, the time changes nothing.
  get key() {
    return `${this.desk.key} ${this.spec}`;
  }

  get spec() {
    return this.exact.value.trim() || this.agent.value;
  }

  // Of its values; null where they have none of their own.
  get unit() {
    return unitOf(this.desk.info, this.spec);
  }

  // Who can be asked; the list comes from the server.
  async fill() {
    const { agents, runs } = await ask(`/api/agents?${new URLSearchParams({ game: this.desk.game })}`);
    const usual = this.agent.value;
    const option = (value, words) => h("option", { value, selected: value === usual, title: words }, value);
    const known = agents.some((agent) => agent.name === usual);
    this.agent.replaceChildren(
      ...(known ? [] : [option(usual, "")]),
      ...agents.map((agent) => option(agent.name, agent.summary)),
      ...runs.map((run) => option(run.agent, run.summary)));
    this.agent.value = usual;
  }

  toggle(on = !this.on) {
    this.on = on;
    this.switch.setAttribute("aria-pressed", String(on));
    this.switch.textContent = on ? t("study.stop") : t("study.analyse");
    if (on) this.run();
    else {
      this.stop();
      this.state.textContent = spent(this.found.candidates);
    }
  }

  stop() {
    this.abort?.abort();
    this.abort = null;
  }

  // Lets go of what was found: it is named in other letters now.
  forget() {
    this.kept.clear();
  }

  // Another moment is shown.
  moved() {
    this.stop();
    this.pointed = null;
    this.found = this.kept.get(this.key) ?? {};
    this.chart.at = this.desk.ply;
    this.report.show();
    if (this.on && (this.found.done ?? 0) < Number(this.seconds.value) && !this.report.isTrying) this.run();
    else this.draw();
  }

  async run() {
    this.stop();
    const abort = this.abort = new AbortController();
    const found = this.found = this.kept.get(this.key) ?? {};
    this.kept.set(this.key, found);
    if (this.kept.size > 500) this.kept.delete(this.kept.keys().next().value);
    this.draw();
    this.state.textContent = t("study.thinking");
    const seconds = Number(this.seconds.value);
    const request = { ...this.desk.request(), agent: this.spec, seconds };
    try {
      for await (const answer of study(request, abort.signal)) {
        if (abort.signal.aborted) return;
        if (answer.kind === "error") throw new Error(answer.text);
        if (answer.kind === "end") found.done = Math.max(seconds, found.done ?? 0);
        if (answer.kind === "beat" || answer.kind === "end") continue;
        // A new look begins roughly: what was found by a longer one stays until then.
        if (answer.kind === "candidates" && answer.seconds < (found.candidates?.seconds ?? 0)) continue;
        found[answer.kind] = answer;
        this.draw();
        if (answer.kind === "candidates") this.state.textContent = `${spent(answer)} …`;
      }
      this.state.textContent = spent(found.candidates);
      if (found.candidates?.candidates?.length) announce(t("study.best", { move: found.candidates.candidates[0].text }));
    } catch (error) {
      if (abort.signal.aborted) return;
      this.state.textContent = error.message;
    }
  }

  // ---- what was found, in words and on the board

  draw() {
    const { candidates, exact, belief, shapes } = this.found;
    this.#drawVerdict(exact);
    this.#drawBar(exact?.values ?? candidates?.values);
    this.#drawRows(candidates, exact);
    this.#drawLine(this.shownLine);
    this.#drawBeliefs(belief);
    this.#drawLegend(shapes);
    const has = { heat: true, shapes: Boolean(shapes), belief: Boolean(belief) };
    for (const label of this.toggles.children) label.hidden = !has[label.dataset.overlay];
    this.overlay(this.lines.get(this.pointed));
  }

  overlay(line = null) {
    const { board } = this.desk;
    if (!board?.places.size) return;
    const { belief, shapes } = this.found;
    board.overlay(...(line ? drawLine(board, line) : [
      ...(belief && this.shown.belief ? beliefs(board, belief.pieces.filter(({ place }) => !board.pieces.get(place)?.text), this.desk.letters) : []),
      ...(shapes && this.shown.shapes ? drawShapes(board, shapes.shapes) : []),
      ...(this.shown.heat ? heat(board, this.#hottest().map((row) => ({ ...row, said: row.said.replace("0.", ".").replace(" %", "") }))) : []),
    ]));
  }

  // What the board shows of the candidates: all, unless they would hide it.
  #hottest() {
    const rows = this.rowsOf();
    return rows.length > CROWD ? rows.slice(0, SHOWN) : rows;
  }

  // The candidates with what each is worth to the seat to move, the best first.
  rowsOf() {
    const { candidates, exact } = this.found;
    const seat = candidates?.seat ?? this.desk.turn ?? 0;
    const rows = (exact?.moves?.length ? exact.moves : candidates?.candidates ?? []).map((row) => ({
      ...row, value: row.values ? row.values[seat] : null, plies: row.plies ?? null,
    }));
    const worth = (row) => row.value === null ? row.visits ?? 0 : row.value * 1000 - Math.sign(row.value) * (row.plies ?? 0);
    if (exact?.moves?.length) rows.sort((a, b) => worth(b) - worth(a));
    else rows.sort((a, b) => Number(b.move === candidates.move) - Number(a.move === candidates.move) || worth(b) - worth(a));
    const all = rows.map(worth);
    const high = Math.max(...all);
    const span = Math.max(high - Math.min(...all), exact?.moves?.length || rows.some((row) => row.value === null) ? 1 : 1000 * SPAN);
    return rows.map((row, i) => ({
      ...row, best: i === 0, worth: 1 - (high - worth(row)) / span,
      said: row.plies !== null ? `${row.value > 0 ? "#" : "-#"}${Math.ceil(row.plies / 2)}` : row.value === null ? "" : worded(row.value, this.unit, true),
    }));
  }

  #drawVerdict(exact) {
    this.verdict.hidden = !exact;
    this.verdict.replaceChildren(...(exact ? [h("b", {}, exact.text), ` · ${t("study.exact", { source: exact.source })}`] : []));
  }

  #drawBar(values) {
    this.bar.hidden = !values;
    if (!values) return;
    const { seats } = this.desk;
    const team = (number) => seats.filter((seat) => seat.team === number).map(nameOf).join(t("study.and"));
    const share = expected(values[0]);
    this.bar.style.setProperty("--share", `${share.toFixed(1)}%`);
    const [words, score] = [worded(values[0], this.unit), t("worth.score", { n: Math.round(share) })];
    const first = [team(seats[0].team), words !== score && words].filter(Boolean).join(" ");
    this.bar.replaceChildren(h("span", {}, `${first} `, h("span", { class: "score" }, score)), h("span", {}, team(seats[1].team)));
    this.bar.setAttribute("aria-label", `${first}, ${score}`);
  }

  #drawRows(candidates, exact) {
    const rows = this.rowsOf();
    const most = Math.max(1, ...rows.map((row) => row.visits ?? 0));
    const focused = this.rows.contains(document.activeElement) ? this.pointed : null;
    this.lines.clear();
    this.rows.replaceChildren(...rows.slice(0, SHOWN).map((row) => {
      const known = [exact?.line, row.line, candidates?.line, this.found.replies?.lines[row.move]].find((line) => line?.[0]?.move === row.move);
      this.lines.set(row.move, known ?? [{ ...row, seat: this.desk.turn ?? 0 }]);
      const button = measured(h("button", { type: "button", class: "candidate", "data-move": row.move, onclick: () => this.desk.playMove(row.move) },
        h("i"), h("b", {}, row.text), h("span", { class: "value" }, row.verdict || row.said),
        row.visits ? measured(h("span", { class: "visits" }, short(row.visits)), "--part", row.visits / most) : h("span")), "--worth", row.worth);
      this.#pointing(button, row.move);
      return h("li", {}, button);
    }));
    if (candidates?.resigns) this.rows.replaceChildren(h("li", {}, t("study.resigns")));
    if (!rows.length && this.found.done && !exact) this.rows.replaceChildren(h("li", { class: "help" }, t("study.no_candidates")));
    if (focused !== null) this.rows.querySelector(`[data-move="${focused}"]`)?.focus({ preventScroll: true });
  }

  // Shows a candidate's line on the board and in words while it is pointed at, also when the rows are drawn anew.
  #pointing(button, move) {
    const point = (at) => {
      this.pointed = at;
      this.overlay(this.lines.get(at));
      this.#drawLine(this.shownLine);
    };
    for (const name of ["pointerenter", "focus"]) button.addEventListener(name, () => point(move));
    for (const name of ["pointerleave", "blur"]) button.addEventListener(name, () => point(null));
  }

  // The line of the candidate that is pointed at, or else of the best move.
  get shownLine() {
    return this.lines.get(this.pointed) ?? this.principal;
  }

  // The line of the best move.
  get principal() {
    const { exact, candidates } = this.found;
    return exact?.line?.length ? exact.line : candidates?.line;
  }

  // The lines of the best moves, or of the one that is pointed at.
  #drawLine(line) {
    const best = this.rowsOf().slice(0, Number(this.count.value)).map((row) => this.lines.get(row.move));
    const shown = (this.pointed !== null ? [line] : [line, ...best.slice(1)]).filter((one) => one?.length > 1);
    this.lineBox.hidden = !shown.length;
    this.lineBox.replaceChildren(...shown.map((one) => this.#lineButton(one)));
  }

  #lineButton(line) {
    const words = h("button", { type: "button", class: "quiet" }, line.slice(0, 14).map((step) => step.text).join(" "));
    for (const name of ["pointerenter", "focus"]) words.addEventListener(name, () => this.overlay(line));
    for (const name of ["pointerleave", "blur"]) words.addEventListener(name, () => this.overlay());
    words.addEventListener("click", () => this.desk.playLine(line.map((step) => step.move)));
    words.title = t("study.play_line");
    return words;
  }

  #drawLegend(shapes) {
    this.legend.hidden = !shapes?.shapes.length;
    if (this.legend.hidden) return;
    const counts = new Map();
    for (const shape of shapes.shapes) {
      const name = `${nameOf(this.desk.seats[shape.seat])} ${word("shape", shape.name)}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    this.legend.textContent = [...counts].map(([name, count]) => `${name} ${count}`).join(" · ");
  }

  #drawBeliefs(belief) {
    this.beliefBox.hidden = !belief;
    if (!belief) return;
    const who = nameOf(this.desk.seats[belief.seat]);
    const sure = belief.exact ? t("study.counted") : t("study.estimated", { error: (100 * belief.error).toFixed(1) });
    const pieces = [...belief.pieces].sort((a, b) => b.chances[0].chance - a.chances[0].chance);
    this.beliefBox.replaceChildren(
      h("p", { class: "help" }, t("study.beliefs", { who, sure })),
      h("ul", {}, pieces.slice(0, 75).map((piece) => h("li", { "data-belief": piece.place },
        h("span", { class: `dot ${this.desk.seats[piece.seat].colour}` }), h("b", {}, piece.place),
        h("span", {}, piece.chances.slice(0, 4).map((one) => `${one.name} ${Math.round(100 * one.chance)} %`).join(", "))))));
  }

  // Shows what is thought of the piece that stands on a place.
  pointAt(place) {
    for (const row of this.beliefBox.querySelectorAll("li")) row.classList.toggle("here", row.dataset.belief === place);
    this.beliefBox.querySelector(`[data-belief="${CSS.escape(place)}"]`)?.scrollIntoView({ block: "nearest" });
  }

  // ---- the value graph

  async drawGraph() {
    this.stop();
    this.graph.disabled = true;
    const { line, count, nodes } = this.desk.wholeLine();
    const abort = this.abort = new AbortController();
    const request = { ...line, agent: this.spec, want: ["values"], seconds: Math.min(110, 0.12 * (count + 1)) };
    const values = [];
    try {
      for await (const answer of study(request, abort.signal)) {
        if (answer.kind === "error") throw new Error(answer.text);
        if (answer.kind !== "value") continue;
        values[answer.ply] = answer.values;
        this.state.textContent = t("study.valuing", { ply: answer.ply, count });
        this.report.read(nodes, values);
      }
      this.state.textContent = "";
      this.desk.drawMoves();
    } catch (error) {
      if (!abort.signal.aborted) this.state.textContent = error.message;
    } finally {
      this.graph.disabled = false;
    }
  }

  close() {
    this.stop();
    this.chart.remove();
  }
}

const short = (value) => value >= 1e6 ? `${(value / 1e6).toFixed(1)}M` : value >= 1e3 ? `${(value / 1e3).toFixed(1)}k` : String(value);

function spent(candidates) {
  if (!candidates) return "";
  const { positions, seconds, agent } = candidates;
  return [agent, positions ? t("study.positions", { n: short(positions) }) : "", seconds ? `${seconds.toFixed(1)} s` : ""].filter(Boolean).join(" · ");
}
