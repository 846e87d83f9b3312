// The room of runs: what was trained, measured and reported, and how it goes on.

import { ask } from "./api.js";
import { LineChart, interval, short } from "./chart.js";
import { announce, h } from "./dom.js";

const EVERY = 2000; // milliseconds between looks at a run that goes on
const SLOW = 15000; // the same at all runs
const AXES = ["games", "step", "cpu_seconds", "wall_seconds"]; // what curves are drawn over

const link = (kind, name) => `#/runs/${kind}/${encodeURIComponent(name)}`;
const at = (path, given) => `/api/runs/${path}?${new URLSearchParams(given)}`;

export async function open(main, [kind, ...rest]) {
  const name = rest.join("/");
  if (kind === "run") return showRun(main, name);
  if (kind === "report") return showReport(main, name);
  return showAll(main);
}

// ---- everything ----------------------------------------------------------------------------------

async function showAll(main) {
  const page = h("div", { class: "runs" });
  main.append(h("h1", {}, "Runs"), page);
  let shown = "";
  const draw = async () => {
    const found = await ask("/api/runs");
    if (JSON.stringify(found) === shown) return; // what was unfolded stays so
    shown = JSON.stringify(found);
    const unfolded = new Map([...page.querySelectorAll("details")].map((one) => [one.dataset.of, one.open]));
    page.replaceChildren(...[reportsCard(found.reports), runsCard(found), ...found.matches.map(strengthCard)].filter(Boolean));
    for (const one of page.querySelectorAll("details")) one.open = unfolded.get(one.dataset.of) ?? one.open;
  };
  await draw();
  const timer = setInterval(() => { if (!document.hidden) draw().catch(() => {}); }, SLOW);
  return () => clearInterval(timer);
}

function runsCard({ folder, runs }) {
  if (!runs.length) {
    return h("section", { class: "card" }, h("h2", {}, "Trainings"),
      h("p", { class: "help" }, `There is no run in ${folder}. `, h("code", {}, "tempo train krk"), " makes one."));
  }
  const sorted = [...runs].sort((a, b) => Number(b.live) - Number(a.live) || b.changed - a.changed);
  return h("section", { class: "card wide" }, h("h2", {}, `Trainings in ${folder}`),
    table(["Run", "What it learns", "Step", "Games", "Last change"], sorted.map((run) => [
      [h("a", { href: link("run", run.name) }, run.name), run.live && h("span", { class: "live" }, "live")],
      run.about || `${run.game} ${run.learner}`,
      short(run.step),
      short(run.last?.games),
      run.changed ? new Date(1000 * run.changed).toLocaleString() : "",
    ])));
}

function reportsCard(reports) {
  if (!reports.length) return null;
  return h("section", { class: "card wide" }, h("h2", {}, "Papers, published beside ours"),
    table(["Paper", "Claims", "Verdicts", "Seeds"], reports.map((report) => [
      h("a", { href: link("report", report.name) }, report.name),
      String(report.claims),
      Object.entries(report.verdicts).map(([verdict, count]) => verdictMark(verdict, `${count} ${verdict}`)),
      Array.isArray(report.seeds) ? String(report.seeds.length) : "",
    ])));
}

function strengthCard({ folder, rows, ratings }) {
  const ends = [Math.min(...rows.map((r) => r.low)), Math.max(...rows.map((r) => r.high))];
  const details = h("details", { open: rows.length <= 30, "data-of": folder },
    h("summary", {}, `${rows.length} ${rows.length === 1 ? "match" : "matches"}`),
    table(["A", "B", "Games", "Score of A", "95 %", "Elo", ""], rows.slice(0, 500).map((row) => [
      row.label ? `${row.a} (${row.label})` : row.a, row.b, String(row.games), percent(row.score), `${percent(row.low)} to ${percent(row.high)}`,
      `${signed(row.elo)} (${signed(row.elo_low)} to ${signed(row.elo_high)})`,
      interval({ low: row.low, high: row.high, ours: row.score, least: ends[0], most: ends[1] }),
    ])));
  return h("section", { class: "card wide" }, h("h2", {}, folder ? `Strength: ${folder}` : "Strength"),
    ratings.length > 0 && ratingsTable(ratings), details);
}

function ratingsTable(ratings) {
  const [least, most] = [Math.min(...ratings.map((r) => r.low)), Math.max(...ratings.map((r) => r.high))];
  return table(["Agent", "Elo", "95 %", ""], ratings.map((r) => [
    r.name, signed(r.rating), `${signed(r.low)} to ${signed(r.high)}`,
    interval({ low: r.low, high: r.high, ours: r.rating, least, most }),
  ]));
}

// ---- one run -------------------------------------------------------------------------------------

async function showRun(main, name) {
  const detail = await ask(at("detail", { name }));
  const others = (await ask("/api/runs")).runs.filter((run) => run.name !== name);
  const live = h("span", { class: "live", hidden: !detail.live }, "live");
  const curves = h("div", { class: "curves" });
  const axis = h("select", { "aria-label": "Horizontal axis" });
  const compare = h("select", { "aria-label": "Compare with" },
    h("option", { value: "" }, "Compare with …"), others.map((run) => h("option", { value: run.name }, run.name)));
  const ledger = h("div", {}, ledgerTable(detail.ledger));
  main.append(
    h("p", { class: "crumb" }, h("a", { href: "#/runs" }, "Runs")),
    h("div", { class: "row" }, h("h1", {}, name), live),
    h("p", {}, detail.about),
    h("div", { class: "runs" },
      h("section", { class: "card wide" }, h("div", { class: "row spaced" }, h("h2", {}, "Learning curves"), h("div", { class: "row" }, axis, compare)), curves),
      h("section", { class: "card" }, h("h2", {}, "What it has cost"), ledger),
      h("section", { class: "card" }, h("h2", {}, "Settings"), settings(detail.config))));

  const tails = [new Tail(name)];
  const charts = new Map();
  const draw = () => {
    const keys = keysOf(tails[0].rows);
    fillAxis(axis, tails[0].rows);
    for (const key of keys) {
      if (!charts.has(key)) {
        charts.set(key, new LineChart({ title: key.replaceAll("_", " "), height: 190 }));
        curves.append(charts.get(key).element);
      }
      const chart = charts.get(key);
      chart.xName = axis.value;
      chart.show(tails.map((tail) => ({ name: tail.name, points: tail.rows.map((row) => [row[axis.value], row[key]]) })));
    }
    if (!keys.length) curves.replaceChildren(h("p", { class: "help" }, "The log is still empty."));
  };
  const look = async () => {
    let news = 0;
    for (const tail of tails) news += await tail.read();
    if (news) {
      if (!charts.size) curves.replaceChildren();
      draw();
      live.hidden = !tails[0].fresh;
      ledger.replaceChildren(ledgerTable((await ask(at("detail", { name }))).ledger));
    }
    return news;
  };
  axis.addEventListener("change", draw);
  compare.addEventListener("change", async () => {
    if (compare.value) tails.push(new Tail(compare.value));
    compare.value = "";
    await look();
    draw();
  });
  if (!(await look())) draw();
  tails[0].fresh = detail.live;
  live.hidden = !detail.live;
  const timer = setInterval(async () => {
    if (document.hidden) return;
    const news = await look().catch(() => 0);
    if (news) announce(`${news} new rows`);
  }, EVERY);
  return () => {
    clearInterval(timer);
    for (const chart of charts.values()) chart.remove();
  };
}

// A log that is read on from where it was read to.
class Tail {
  constructor(name) {
    Object.assign(this, { name, rows: [], begin: 0, mark: "", fresh: false });
  }

  async read() {
    let news = 0;
    let more = true;
    while (more) {
      const found = await ask(at("log", { name: this.name, begin: this.begin, mark: this.mark }));
      if (found.again) this.rows = [];
      this.rows.push(...found.rows);
      [this.begin, this.mark, more] = [found.next, found.mark, found.more];
      news += found.rows.length || Number(found.again);
    }
    if (news) this.fresh = true;
    return news;
  }
}

function keysOf(rows) {
  const found = new Set();
  for (const row of [...rows.slice(0, 50), ...rows.slice(-50)]) {
    for (const [key, value] of Object.entries(row)) if (typeof value === "number" && !AXES.includes(key)) found.add(key);
  }
  return [...found];
}

function fillAxis(axis, rows) {
  if (axis.options.length || !rows.length) return;
  const known = AXES.filter((key) => rows.some((row) => typeof row[key] === "number" && row[key] > 0));
  axis.replaceChildren(...known.map((key) => h("option", { value: key }, `by ${key.replaceAll("_", " ")}`)));
  axis.value = known.includes("step") ? "step" : known[0] ?? "";
}

const LEDGER = {
  wall_seconds: "wall time", cpu_seconds: "processor time", games: "games", moves: "moves", positions: "positions",
  evaluations: "evaluations", multiply_adds: "multiply-adds", gradient_steps: "gradient steps", gpu_seconds: "GPU time",
  peak_memory: "peak memory",
};

function ledgerTable(ledger) {
  if (!ledger) return h("p", { class: "help" }, "No ledger yet: it is written with the first checkpoint.");
  const rows = Object.entries(LEDGER).filter(([key]) => ledger[key])
    .map(([key, words]) => [words, key.endsWith("seconds") ? duration(ledger[key]) : key === "peak_memory" ? `${short(ledger[key] / 2 ** 20)} MiB` : short(ledger[key])]);
  const machines = [...new Set((ledger.machines ?? []).map((m) => `${m.cpu}, ${m.cores} cores`))];
  return h("div", {}, table(["", ""], rows), machines.length > 0 && h("p", { class: "help" }, machines.join("; ")));
}

function settings(config) {
  const rows = [];
  const walk = (value, path) => {
    if (value && typeof value === "object" && !(Array.isArray(value) && value.every((v) => typeof v !== "object"))) {
      for (const [key, inner] of Object.entries(value)) walk(inner, path ? `${path}.${key}` : key);
    } else {
      rows.push([path, Array.isArray(value) ? value.join(", ") : String(value)]);
    }
  };
  walk(config, "");
  return table(["", ""], rows);
}

// ---- one report ----------------------------------------------------------------------------------

async function showReport(main, name) {
  const report = await ask(at("report", { name }));
  const groups = Map.groupBy ? Map.groupBy(report.rows, groupOf) : grouped(report.rows);
  main.append(
    h("p", { class: "crumb" }, h("a", { href: "#/runs" }, "Runs")),
    h("h1", {}, `Paper: ${report.paper}`),
    h("p", { class: "help" }, [report.command && h("code", {}, report.command), report.commit && ` at ${report.commit.slice(0, 10)}`]),
    h("p", { class: "row" }, Object.entries(report.verdicts).map(([verdict, count]) => verdictMark(verdict, `${count} ${verdict}`))),
    h("div", { class: "runs" },
      h("section", { class: "card wide" }, h("h2", {}, "Published beside ours"),
        h("p", { class: "help key" }, interval({ published: 0.5, least: 0, most: 1 }), "published", interval({ ours: 0.5, low: 0.2, high: 0.8, least: 0, most: 1 }), "ours with its 95 % interval"),
        table(["Claim", "Published", "Ours", "95 %", "", "Games", "Verdict"],
          [...groups.values()].flatMap((rows) => claimRows(rows)))),
      report.figures.length > 0 && h("section", { class: "card wide" }, h("h2", {}, "Figures"),
        h("div", { class: "figures" }, report.figures.map((figure) => {
          const source = at("figure", { name, figure });
          const words = figure.replace(/\.\w+$/, "").replaceAll("-", " ");
          return h("figure", {}, h("a", { href: source, target: "_blank", rel: "noopener" }, h("img", { src: source, alt: `Figure: ${words}`, loading: "lazy" })), h("figcaption", {}, words));
        }))),
      report.ledger && h("section", { class: "card" }, h("h2", {}, "What it has cost"), ledgerTable(report.ledger)),
      report.text && h("section", { class: "card wide" }, h("details", {}, h("summary", {}, "The whole report"), h("pre", { class: "report", tabindex: 0 }, report.text)))));
}

// Claims of one table share an axis.
const groupOf = (row) => `${row.claim.includes(":") ? row.claim.split(":")[0] : ""} ${Math.abs(row.published ?? row.ours ?? 0) <= 1}`;

function grouped(rows) {
  const groups = new Map();
  for (const row of rows) groups.set(groupOf(row), [...(groups.get(groupOf(row)) ?? []), row]);
  return groups;
}

function claimRows(rows) {
  const known = rows.flatMap((r) => [r.published, r.ours, r.low, r.high]).filter(Number.isFinite);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  return rows.map((row) => [
    row.claim, short(row.published), short(row.ours),
    Number.isFinite(row.low) ? `${short(row.low)} to ${short(row.high)}` : "",
    interval({ ...row, least, most }), short(row.games), verdictMark(row.verdict, row.verdict),
  ]);
}

// ---- small things --------------------------------------------------------------------------------

function verdictMark(verdict, words) {
  const kind = { reproduced: "good", "same direction": "near", "not reproduced": "bad" }[verdict] ?? "open";
  return h("span", { class: `verdict ${kind}` }, words ?? verdict);
}

// A table that scrolls by itself where it is too wide.
function table(names, rows) {
  const head = names.some(Boolean) && h("thead", {}, h("tr", {}, names.map((name) => h("th", { scope: "col" }, name))));
  const cell = (value, i) => h(i === 0 ? "th" : "td", i === 0 ? { scope: "row" } : {}, value);
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": names.filter(Boolean).join(", ") || "Table" },
    h("table", {}, head, h("tbody", {}, rows.map((row) => h("tr", {}, row.map(cell))))));
}

const percent = (value) => `${(100 * value).toFixed(1)} %`;
const signed = (value) => `${value >= 0 ? "+" : "−"}${Math.abs(Math.round(value))}`;

function duration(seconds) {
  if (seconds < 120) return `${short(Number(seconds.toFixed(1)))} s`;
  if (seconds < 7200) return `${short(Number((seconds / 60).toFixed(1)))} min`;
  return `${short(Number((seconds / 3600).toFixed(1)))} h`;
}
