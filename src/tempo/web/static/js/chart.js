// Charts of our own: lines with a legend and a readout, and marks with intervals. Knows no run.

import { h, s } from "./dom.js";
import { t } from "./text.js";

const COLOURS = 8; // series-0 to series-7 in study.css
const LEFT = 52;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 34;
const MANY = 120; // points from which on a line is noise, and its running mean is what is seen
const MOST_POINTS = 1500; // drawn of a series; what lies between is left out

// A figure that draws itself again whenever its width changes.
//   series: [{name, points: [[x, y], ...], dots: [{x, y, kind, title}], bars: [[x, low, high], ...], dashed}], y may be null; low, high: ends of the y axis, if fixed;
//   smooth: a series of many points is drawn as a running mean over its own pale line
//   pick(x): called when somebody chooses a place on the x axis; at: an x that is marked
export class LineChart {
  constructor({ title, xName = "", yName = "", height = 220, low = null, high = null, pick = null, smooth = false } = {}) {
    Object.assign(this, { title, xName, yName, height, low, high, pick, smooth });
    this.series = [];
    this.at = null;
    this.readout = h("p", { class: "readout", "aria-live": "off" });
    this.box = h("div", { class: "plot" });
    this.legend = h("ul", { class: "legend" });
    this.element = h("figure", { class: "chart" },
      title && h("figcaption", {}, title), this.box, this.readout, this.legend);
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.box);
  }

  show(series, at = this.at) {
    this.series = series.map((one) => ({ ...one, points: one.points.filter(([x]) => Number.isFinite(x)) }));
    this.at = at;
    this.legend.replaceChildren(...(series.length > 1 ? series.map((one, i) => h("li", {},
      h("i", { class: `series-${i % COLOURS}` }), one.name)) : []));
    this.draw();
  }

  draw() {
    const wide = Math.floor(this.box.clientWidth);
    const points = this.series.flatMap((one) => one.points).filter(([, y]) => Number.isFinite(y));
    if (!wide) return;
    if (!points.length) {
      this.box.replaceChildren(h("p", { class: "help" }, t("study.nothing_to_draw")));
      return;
    }
    const [x0, x1] = spread(points.map(([x]) => x));
    const [y0, y1] = spread([...points.map(([, y]) => y), ...[this.low, this.high].filter((v) => v !== null)], 0.04,
      [this.low, this.high]);
    const x = (v) => LEFT + (wide - LEFT - RIGHT) * (v - x0) / (x1 - x0);
    const y = (v) => TOP + (this.height - TOP - BOTTOM) * (1 - (v - y0) / (y1 - y0));
    this.scale = { x0, x1, wide, y };
    const svg = s("svg", {
      width: wide, height: this.height, role: "img", tabindex: this.pick ? 0 : null,
      "aria-label": `${this.title ?? this.yName}: ${this.series.map(spoken).join("; ")}`,
    },
      ticks(y0, y1, 4).map((v) => [
        s("line", { class: "grid", x1: LEFT, x2: wide - RIGHT, y1: y(v), y2: y(v) }),
        s("text", { class: "tick", x: LEFT - 6, y: y(v) + 4, "text-anchor": "end" }, short(v)),
      ]),
      ticks(x0, x1, Math.max(2, Math.floor(wide / 90))).map((v) =>
        s("text", { class: "tick", x: x(v), y: this.height - BOTTOM + 16, "text-anchor": "middle" }, short(v))),
      s("text", { class: "axis", x: wide - RIGHT, y: this.height - 4, "text-anchor": "end" }, this.xName),
      s("text", { class: "axis", x: 2, y: this.height - 4 }, this.yName),
      y0 < 0 && y1 > 0 && s("line", { class: "zero", x1: LEFT, x2: wide - RIGHT, y1: y(0), y2: y(0) }),
      this.series.map((one, i) => [
        ...(one.bars ?? []).map(([a, low, high]) => s("path", { class: `bar series-${i % COLOURS}`, d: `M${x(a)} ${y(low)}V${y(high)}` })),
        ...this.#lines(one).flatMap(([points, kind]) => pieces(thinned(points)).map((piece) => piece.length > 1
          ? s("polyline", { class: `line series-${i % COLOURS}${kind}`, points: piece.map(([a, b]) => `${x(a).toFixed(1)},${y(b).toFixed(1)}`).join(" ") })
          : s("circle", { class: `spot series-${i % COLOURS}`, cx: x(piece[0][0]), cy: y(piece[0][1]), r: 2.5 }))),
      ]),
      this.series.flatMap((one) => one.dots ?? []).map(({ x: a, y: b, kind, title }) =>
        s("circle", { class: `dot-mark ${kind}`, cx: x(a), cy: y(b), r: 4.5 }, s("title", {}, title))),
      this.at !== null && s("line", { class: "here", x1: x(this.at), x2: x(this.at), y1: TOP, y2: this.height - BOTTOM }),
    );
    this.cursor = s("line", { class: "cursor", y1: TOP, y2: this.height - BOTTOM, x1: -9, x2: -9 });
    svg.append(this.cursor);
    this.#listen(svg, x);
    this.box.replaceChildren(svg);
  }

  // The lines that show a series: [points, class].
  #lines(one) {
    const own = [one.points, one.dashed ? " dashed" : ""];
    return this.smooth && one.points.length > MANY ? [[one.points, " pale"], [running(one.points), ""]] : [own];
  }

  #listen(svg, x) {
    const where = (event) => {
      const { left } = svg.getBoundingClientRect();
      const { x0, x1, wide } = this.scale;
      const wanted = x0 + (x1 - x0) * (event.clientX - left - LEFT) / (wide - LEFT - RIGHT);
      return nearest(this.series, wanted);
    };
    svg.addEventListener("pointermove", (event) => this.read(where(event), x));
    svg.addEventListener("pointerleave", () => this.read(null, x));
    if (!this.pick) return;
    svg.addEventListener("click", (event) => this.pick(where(event)));
    svg.addEventListener("keydown", (event) => {
      const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!way) return;
      event.preventDefault();
      const known = [...new Set(this.series.flatMap((one) => one.points.map(([v]) => v)))].sort((a, b) => a - b);
      const here = known.indexOf(nearest(this.series, this.at ?? known[0]));
      const next = known[Math.min(Math.max(here + way, 0), known.length - 1)];
      this.pick(next);
      requestAnimationFrame(() => this.box.querySelector("svg")?.focus());
    });
  }

  // Says the values at an x.
  read(at, x) {
    this.cursor.setAttribute("x1", at === null ? -9 : x(at));
    this.cursor.setAttribute("x2", at === null ? -9 : x(at));
    const said = at === null ? [] : this.series.map((one) => {
      const found = one.points.find(([v]) => v === at);
      return found && Number.isFinite(found[1]) ? `${this.series.length > 1 ? `${one.name} ` : ""}${short(found[1])}` : "";
    }).filter(Boolean);
    this.readout.textContent = at === null ? "" : `${this.xName} ${short(at)}: ${said.join(", ")}`;
  }

  remove() {
    this.observer.disconnect();
    this.element.remove();
  }
}

// An interval with its middle and, if there is one, what was published: one row of a table.
export function interval({ low, high, ours, published, least, most }) {
  const known = [low, high, ours, published].filter(Number.isFinite);
  if (!known.length) return s("svg", { class: "interval", width: 140, height: 18 });
  const [from, to] = [least ?? Math.min(...known), most ?? Math.max(...known)];
  const x = (v) => 6 + 128 * (Math.min(Math.max(v, from), to) - from) / (to - from || 1);
  const described = [
    Number.isFinite(ours) && `${t("report.col_ours")} ${short(ours)}`,
    Number.isFinite(low) && Number.isFinite(high) && t("runs.to", { low: short(low), high: short(high) }),
    Number.isFinite(published) && `${t("report.col_published")} ${short(published)}`,
  ].filter(Boolean).join(", ");
  return s("svg", { class: "interval", width: 140, height: 18, role: "img", "aria-label": described },
    s("line", { class: "grid", x1: 6, x2: 134, y1: 9, y2: 9 }),
    Number.isFinite(low) && Number.isFinite(high) && s("path", { class: "whisker", d: `M${x(low)} 9H${x(high)}M${x(low)} 5V13M${x(high)} 5V13` }),
    Number.isFinite(ours) && s("circle", { class: "ours", cx: x(ours), cy: 9, r: 4 }),
    Number.isFinite(published) && s("path", { class: "published", d: `M${x(published)} 3L${x(published) + 5} 9L${x(published)} 15L${x(published) - 5} 9Z` }));
}

// A number as people read it: 0.4312, 12.5, 1,300, 2.4M.
export function short(value) {
  if (value === null || value === undefined) return "";
  if (typeof value !== "number") return String(value);
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  for (const [unit, letter] of [[1e12, "T"], [1e9, "G"], [1e6, "M"]]) {
    if (size >= unit) return `${trimmed(value / unit, 2)}${letter}`;
  }
  if (size >= 1000) return Math.round(value).toLocaleString("en");
  if (Number.isInteger(value)) return trimmed(value, 0);
  if (size >= 0.001) return trimmed(value, size >= 100 ? 1 : size >= 10 ? 2 : size >= 0.1 ? 3 : 4);
  return size === 0 ? "0" : value.toExponential(1);
}

const trimmed = (value, digits) => String(Number(value.toFixed(digits))).replace("-", "−");

function spread(values, room = 0, fixed = [null, null]) {
  let low = Infinity;
  let high = -Infinity;
  for (const v of values) {
    if (v < low) low = v;
    if (v > high) high = v;
  }
  if (low === high) [low, high] = [low - 0.5, high + 0.5];
  const more = room * (high - low);
  return [fixed[0] ?? low - more, fixed[1] ?? high + more];
}

// Round numbers between two ends.
function ticks(low, high, count) {
  const rough = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((v) => v >= rough) ?? rough;
  const found = [];
  for (let i = Math.ceil(low / step); i * step <= high + step * 1e-9; i++) found.push(Number((i * step).toPrecision(12)));
  return found;
}

function thinned(points) {
  if (points.length <= MOST_POINTS) return points;
  const every = Math.ceil(points.length / MOST_POINTS);
  return points.filter((_, i) => i % every === 0 || i === points.length - 1);
}

// The mean of what came before each point, the nearest the most.
function running(points) {
  const share = 40 / points.length;
  let mean = null;
  return points.map(([x, y]) => {
    if (!Number.isFinite(y)) return [x, y];
    mean = mean === null ? y : mean + share * (y - mean);
    return [x, mean];
  });
}

// A line breaks where a value is missing.
function pieces(points) {
  const found = [[]];
  for (const point of points) {
    if (Number.isFinite(point[1])) found.at(-1).push(point);
    else if (found.at(-1).length) found.push([]);
  }
  return found.filter((piece) => piece.length);
}

function nearest(series, wanted) {
  let best = null;
  for (const { points } of series) {
    for (const [x] of points) if (best === null || Math.abs(x - wanted) < Math.abs(best - wanted)) best = x;
  }
  return best;
}

function spoken({ name, points }) {
  const known = points.filter(([, y]) => Number.isFinite(y));
  if (!known.length) return `${name}: ${t("study.nothing_to_draw")}`;
  return `${name}: ${t("study.curve", { first: short(known[0][1]), last: short(known.at(-1)[1]), n: known.length })}`;
}
