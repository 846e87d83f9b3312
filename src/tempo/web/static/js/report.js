// A report of a game: what each move cost, the mistakes on the graph and in the list, and another try at each.

import { h } from "./dom.js";
import { study } from "./stream.js";
import { t } from "./text.js";
import { expected, nameOf, worded } from "./worth.js";

// What a move may cost its mover, in values from -1 to 1, before it is marked.
const KINDS = [["blunder", 0.4, "??"], ["mistake", 0.2, "?"], ["doubtful", 0.1, "?!"]];
const SECONDS = 0.5; // that another try is looked at
const CLOSE = 0.05; // a move that costs no more is as good as the best

// The marks of a line of play: values[ply] by seat, of the position after `ply` moves.
export function marked(nodes, values) {
  return nodes.flatMap(({ node, seat, text }, i) => {
    const [before, after] = [values[i]?.[seat], values[i + 1]?.[seat]];
    if (!Number.isFinite(before) || !Number.isFinite(after)) return [];
    const loss = Math.max(0, before - after);
    const [kind, , sign] = KINDS.find(([, least]) => loss >= least) ?? ["", 0, ""];
    return [{ node, seat, text, ply: i + 1, loss, kind, sign, value: values[i + 1][0] }];
  });
}

export class Report {
  constructor(desk, analysis) {
    Object.assign(this, { desk, analysis });
    this.rows = [];
    this.values = [];
    this.trying = null;
    this.told = h("p", { class: "told", role: "status", hidden: true });
    this.summary = h("div", { class: "summary" });
    this.list = h("ol", { class: "mistakes" });
    this.element = h("div", { class: "report-box", hidden: true }, this.summary, this.list);
  }

  get isTrying() {
    return this.trying !== null;
  }

  read(nodes, values) {
    this.values = [...values];
    this.rows = marked(nodes, values);
    this.element.hidden = !this.rows.length;
    this.analysis.chart.element.hidden = false;
    this.show();
    this.#summarise();
  }

  signOf(node) {
    return this.rows.find((row) => row.node === node)?.sign ?? "";
  }

  show() {
    const { chart, desk } = this.analysis;
    if (!this.values.length) return;
    const name = nameOf(desk.seats[0]);
    chart.yName = t("study.value_for", { who: name });
    chart.show([{
      name, points: this.values.map((all, ply) => [ply, all ? expected(all[0]) : null]),
      dots: this.rows.filter((row) => row.sign).map((row) => ({ x: row.ply, y: expected(row.value), kind: row.kind, title: `${row.text}${row.sign}` })),
    }], desk.ply);
  }

  #summarise() {
    const { seats } = this.desk;
    const cell = (seat, of) => {
      const rows = this.rows.filter((row) => row.seat === seat);
      if (of === "moves") return String(rows.length);
      if (of === "loss") return rows.length ? `${(50 * rows.reduce((sum, row) => sum + row.loss, 0) / rows.length).toFixed(1)} %` : "–";
      return String(rows.filter((row) => row.kind === of).length);
    };
    const kinds = ["moves", "loss", ...KINDS.map(([kind]) => kind)];
    this.summary.replaceChildren(h("h3", {}, t("study.report_title")), h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t("study.report_title") }, h("table", {},
      h("thead", {}, h("tr", {}, h("td"), seats.map((seat) => h("th", { scope: "col" }, nameOf(seat))))),
      h("tbody", {}, kinds.map((kind) => h("tr", {}, h("th", { scope: "row" }, t(`study.count.${kind}`)), seats.map((_, i) => h("td", {}, cell(i, kind)))))))));
    const worst = this.rows.filter((row) => row.sign).sort((a, b) => b.loss - a.loss).slice(0, 8).sort((a, b) => a.ply - b.ply);
    this.list.replaceChildren(...worst.map((row) => h("li", { class: row.kind },
      h("button", { type: "button", class: "quiet", onclick: () => this.desk.go(row.node) }, h("b", {}, `${this.desk.numberOf(row.node, true)} ${this.desk.nodes[row.node].text}${row.sign}`), ` −${Math.round(50 * row.loss)} %`),
      h("button", { type: "button", class: "retry", onclick: () => this.retry(row) }, t("study.try_again")))));
  }

  // Goes back to before a mistake and asks for a better move; what the agent thinks is not shown.
  async retry(row) {
    this.trying = row;
    this.analysis.stop();
    await this.desk.go(this.desk.nodes[row.node].parent);
    this.#tell(t("study.find_better", { who: nameOf(this.desk.seats[row.seat]), move: row.text }));
  }

  // A move was made while another try was asked for.
  async tried(node) {
    const row = this.trying;
    if (!row) return;
    const { desk } = this;
    if (desk.nodes[node].parent !== desk.nodes[row.node].parent || desk.nodes[node].seat !== row.seat) {
      this.leave();
      return;
    }
    const before = this.values[row.ply - 1][row.seat];
    const after = await this.#valueOf(node, row.seat);
    if (this.trying !== row || after === null) return;
    const loss = before - after;
    const words = worded(desk.seats[0].team === desk.seats[row.seat].team ? after : -after, this.analysis.unit);
    if (loss <= CLOSE || node === row.node) {
      this.#tell(node === row.node ? t("study.same_move") : t("study.good_try", { move: desk.nodes[node].text, value: words }), node === row.node ? "fault" : "good");
      if (node !== row.node) this.trying = null;
    } else {
      this.#tell(t(loss < row.loss ? "study.better_try" : "study.bad_try", { move: desk.nodes[node].text, loss: Math.round(50 * loss) }), "fault");
    }
  }

  leave() {
    this.trying = null;
    this.#tell("");
  }

  async #valueOf(node, seat) {
    const { desk, analysis } = this;
    if (desk.moment.outcome) return desk.moment.outcome.scores[seat];
    const request = { ...desk.request(), agent: analysis.spec, seconds: SECONDS, want: ["candidates", "exact"] };
    let found = null;
    for await (const answer of study(request, new AbortController().signal)) {
      if (answer.kind === "exact" || (answer.kind === "candidates" && answer.values)) found = answer.values[seat];
    }
    return found;
  }

  #tell(text, kind = "") {
    this.desk.task(text, kind, text ? () => this.leave() : null);
  }
}
