// The room of runs: what was trained, measured and reported, and how it goes on.

import { ask } from "./api.js";
import { LineChart, interval, short } from "./chart.js";
import { announce, h } from "./dom.js";
import { language, t, word } from "./text.js";
import { SCORE, trainCard, runControls, strengthOnTheWay, playCard } from "./train.js";

const EVERY = 2000; // milliseconds between looks at a run that goes on
const SLOW = 15000; // the same at all runs
const VERDICTS = ["reproduced", "same direction", "undecided", "refuted", "untestable"];
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
  main.append(h("h1", {}, t("runs.title")), page);
  let shown = "";
  const draw = async () => {
    const found = await ask("/api/runs");
    if (JSON.stringify(found) === shown) return; // what was unfolded stays so
    shown = JSON.stringify(found);
    const unfolded = new Map([...page.querySelectorAll("details")].map((one) => [one.dataset.of, one.open]));
    page.replaceChildren(...[reportsCard(found.reports), runsCard(found), ...found.matches.map(strengthCard)].filter(Boolean));
    for (const one of page.querySelectorAll("details")) one.open = unfolded.get(one.dataset.of) ?? one.open;
  };
  const starting = await trainCard();
  if (starting) page.before(starting);
  await draw();
  const timer = setInterval(() => { if (!document.hidden) draw().catch(() => {}); }, SLOW);
  return () => clearInterval(timer);
}

function runsCard({ folder, runs }) {
  if (!runs.length) {
    return h("section", { class: "card" }, h("h2", {}, t("runs.trainings")),
      h("p", { class: "help" }, t("runs.none", { folder, command: "tempo train krk" })));
  }
  const sorted = [...runs].sort((a, b) => Number(b.live) - Number(a.live) || b.changed - a.changed);
  return h("section", { class: "card wide" }, h("h2", {}, t("runs.trainings_in", { folder })),
    table([t("runs.run"), t("runs.learns"), t("runs.step"), t("runs.games"), t("runs.changed")], sorted.map((run) => [
      [h("a", { href: link("run", run.name) }, run.name), run.live && h("span", { class: "live" }, t("runs.live"))],
      aboutOf(run),
      short(run.step),
      short(run.last?.games),
      run.changed ? new Date(1000 * run.changed).toLocaleString() : "",
    ])));
}

function reportsCard(reports) {
  if (!reports.length) return null;
  return h("section", { class: "card wide" }, h("h2", {}, t("runs.papers")),
    stacked([t("runs.paper"), t("runs.claims"), t("runs.verdicts"), t("runs.seeds")], reports.map((report) => [
      h("a", { href: link("report", report.name) }, word("paper", `${report.paper}.title`).replace(`${report.paper}.title`, report.name)),
      String(report.claims),
      verdictsOf(report),
      Array.isArray(report.seeds) ? String(report.seeds.length) : "",
    ])));
}

function strengthCard({ folder, rows, ratings }) {
  const ends = [Math.min(...rows.map((r) => r.low)), Math.max(...rows.map((r) => r.high))];
  const details = h("details", { open: rows.length <= 30, "data-of": folder },
    h("summary", {}, t("runs.matches", { n: rows.length })),
    table(["A", "B", t("runs.games"), t("runs.score_of_a"), "95 %", "Elo", ""], rows.slice(0, 500).map((row) => [
      row.label ? `${row.a} (${row.label})` : row.a, row.b, String(row.games), percent(row.score), t("runs.to", { low: percent(row.low), high: percent(row.high) }),
      `${signed(row.elo)} (${t("runs.to", { low: signed(row.elo_low), high: signed(row.elo_high) })})`,
      interval({ low: row.low, high: row.high, ours: row.score, least: ends[0], most: ends[1] }),
    ])));
  return h("section", { class: "card wide" }, h("h2", {}, folder ? t("runs.strength_of", { folder }) : t("runs.strength")),
    ratings.length > 0 && ratingsTable(ratings), details);
}

function ratingsTable(ratings) {
  const [least, most] = [Math.min(...ratings.map((r) => r.low)), Math.max(...ratings.map((r) => r.high))];
  return table([t("runs.rated_agent"), "Elo", "95 %", ""], ratings.map((r) => [
    r.name, signed(r.rating), t("runs.to", { low: signed(r.low), high: signed(r.high) }),
    interval({ low: r.low, high: r.high, ours: r.rating, least, most }),
  ]));
}

// What a run learns: in its own words, or by its learner and its game.
function aboutOf({ about, learner, game }) {
  return about && about !== `${learner} on ${game}` ? about : [learner, game].filter(Boolean).join(" · ");
}

// ---- one run -------------------------------------------------------------------------------------

async function showRun(main, name) {
  const detail = await ask(at("detail", { name }));
  const others = (await ask("/api/runs")).runs.filter((run) => run.name !== name);
  const live = h("span", { class: "live", hidden: !detail.live }, t("runs.live"));
  const curves = h("div", { class: "curves" });
  const axis = h("select", { "aria-label": t("runs.axis") });
  const compare = h("select", { "aria-label": t("runs.compare") },
    h("option", { value: "" }, t("runs.compare")), others.map((run) => h("option", { value: run.name }, run.name)));
  const ledger = h("div", {}, ledgerTable(detail.ledger));
  const controls = await runControls(name, detail);
  const strength = strengthOnTheWay(detail, others);
  const play = h("div", {}, playCard(detail));
  main.append(
    h("p", { class: "crumb" }, h("a", { href: "#/runs" }, t("runs.title"))),
    h("div", { class: "row" }, h("h1", {}, name), live),
    h("p", {}, aboutOf(detail)), controls.element,
    h("div", { class: "runs" },
      strength.element, play,
      h("section", { class: "card wide" }, h("div", { class: "row spaced" }, h("h2", {}, t("runs.curves")), h("div", { class: "row" }, axis, compare)), curves),
      h("section", { class: "card" }, h("h2", {}, t("runs.cost")), ledger),
      h("section", { class: "card" }, h("h2", {}, t("runs.settings")), settings(detail.config))));

  const tails = [new Tail(name)];
  const charts = new Map();
  const draw = () => {
    const keys = keysOf(tails[0].rows).filter((key) => key !== SCORE); // exams have a chart of their own
    fillAxis(axis, tails[0].rows);
    for (const key of keys) {
      if (!charts.has(key)) {
        charts.set(key, new LineChart({ title: columnName(key), height: 190, smooth: true }));
        curves.append(charts.get(key).element);
      }
      const chart = charts.get(key);
      chart.xName = columnName(axis.value);
      chart.show(tails.map((tail) => ({
        name: tail.name, points: tail.rows.map((row) => [row[axis.value], row[key]]),
        bars: tail.rows.filter((row) => Number.isFinite(row[`${key}_low`])).map((row) => [row[axis.value], row[`${key}_low`], row[`${key}_high`]]),
      })));
    }
    if (!keys.length) curves.replaceChildren(h("p", { class: "help" }, t("runs.empty_log")));
  };
  const look = async () => {
    let news = 0;
    for (const tail of tails) news += await tail.read();
    if (news) {
      if (!charts.size) curves.replaceChildren();
      draw();
      controls.read(tails[0].rows);
      strength.show(tails[0].rows, controls.expected(tails[0].rows));
      const now = await ask(at("detail", { name }));
      live.hidden = !now.live;
      ledger.replaceChildren(ledgerTable(now.ledger));
      if (!play.contains(document.activeElement)) play.replaceChildren(...[playCard(now)].filter(Boolean));
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
  const timer = setInterval(async () => {
    if (document.hidden) return;
    const news = await look().catch(() => 0);
    await controls.look();
    if (controls.hasEnded()) live.hidden = true;
    if (news) announce(t("runs.news", { n: news }));
  }, EVERY);
  return () => {
    clearInterval(timer);
    strength.remove();
    for (const chart of charts.values()) chart.remove();
  };
}

// What a column of a log is called; one without a name of its own is called as it is.
const columnName = (key) => {
  const found = word("column", key);
  return found === key ? key.replaceAll("_", " ") : found;
};

// A log that is read on from where it was read to.
class Tail {
  constructor(name) {
    Object.assign(this, { name, rows: [], begin: 0, mark: "" });
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
    return news;
  }
}

function keysOf(rows) {
  const found = new Set();
  for (const row of [...rows.slice(0, 50), ...rows.slice(-50)]) {
    for (const [key, value] of Object.entries(row)) if (typeof value === "number" && !AXES.includes(key)) found.add(key);
  }
  return [...found].filter((key) => !/_(low|high)$/.test(key) || !found.has(key.replace(/_(low|high)$/, ""))); // ends of intervals are drawn with their middle
}

function fillAxis(axis, rows) {
  if (axis.options.length || !rows.length) return;
  const known = AXES.filter((key) => rows.some((row) => typeof row[key] === "number" && row[key] > 0));
  axis.replaceChildren(...known.map((key) => h("option", { value: key }, t("runs.by", { key: columnName(key) }))));
  axis.value = known.includes("step") ? "step" : known[0] ?? "";
}

const LEDGER = ["wall_seconds", "cpu_seconds", "games", "moves", "positions", "evaluations", "multiply_adds", "gradient_steps", "gpu_seconds", "peak_memory"];

function ledgerTable(ledger) {
  if (!ledger) return h("p", { class: "help" }, t("runs.no_ledger"));
  const rows = LEDGER.filter((key) => ledger[key])
    .map((key) => [t(`ledger.${key}`), key.endsWith("seconds") ? duration(ledger[key]) : key === "peak_memory" ? `${short(ledger[key] / 2 ** 20)} MiB` : short(ledger[key])]);
  const machines = [...new Set((ledger.machines ?? []).map((m) => t("runs.cores", { cpu: m.cpu, n: m.cores })))];
  return h("div", {}, table(["", ""], rows, t("runs.cost")), machines.length > 0 && h("p", { class: "help" }, machines.join(" · ")));
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
  return table(["", ""], rows, t("runs.settings"));
}

// ---- one report ----------------------------------------------------------------------------------

async function showReport(main, name) {
  const report = await ask(at("report", { name }));
  const groups = Map.groupBy ? Map.groupBy(report.rows, groupOf) : grouped(report.rows);
  const known = (found, key, otherwise) => (found === key ? otherwise : found);
  const about = (part) => `${report.paper}.${part}`;
  const caption = (figure) => {
    const key = figure.replace(/\.\w+$/, "");
    return known(word("caption", about(key)), about(key), key.replaceAll("-", " "));
  };
  main.append(
    h("p", { class: "crumb" }, h("a", { href: "#/runs" }, t("runs.title"))),
    h("h1", {}, known(word("paper", about("title")), about("title"), report.paper)),
    h("p", { class: "authors" }, known(word("paper", about("authors")), about("authors"), "")),
    h("p", { class: "help" }, [report.command && h("code", {}, report.command), report.commit && ` ${t("report.at", { commit: report.commit.slice(0, 10) })}`]),
    h("p", { class: "row" }, verdictsOf(report)),
    meanings(report),
    h("div", { class: "runs report-page" },
      report.figures.length > 0 && h("section", { class: "card wide" }, h("h2", {}, t("report.figures")),
        h("div", { class: "figures" }, report.figures.map((figure) => {
          const source = at("figure", { name, figure, language });
          const words = caption(figure);
          return h("figure", {}, h("a", { href: source, target: "_blank", rel: "noopener" }, h("img", { src: source, alt: t("report.figure", { words }), loading: "lazy" })), h("figcaption", {}, words));
        }))),
      h("section", { class: "card wide" }, h("h2", {}, t("report.beside")),
        h("p", { class: "help key" }, interval({ published: 0.5, least: 0, most: 1 }), t("report.published"), interval({ ours: 0.5, low: 0.2, high: 0.8, least: 0, most: 1 }), t("report.ours")),
        claims([t("report.claim"), t("report.col_published"), t("report.col_ours"), "95 %", "", t("runs.games"), t("report.verdict"), t("report.reason")],
          [...groups.values()].flatMap((rows) => claimRows(rows)))),
      report.ledger && h("section", { class: "card" }, h("h2", {}, t("runs.cost")), ledgerTable(report.ledger)),
      report.text && h("section", { class: "card wide" }, h("details", {}, h("summary", {}, t("report.whole")), h("pre", { class: "report", tabindex: 0 }, report.text)))));
}

// What each verdict means, one touch away; the marks above and in the table open it.
function meanings(report) {
  const rows = VERDICTS.filter((verdict) => verdict in report.verdicts);
  return h("details", { class: "meanings", id: "meanings" }, h("summary", {}, t("report.meaning")),
    h("ul", {}, rows.map((verdict) => h("li", {}, word("meaning", verdict)))));
}

// Claims of one table share an axis.
const groupOf = (row) => `${/^(.*?)[:：]/.exec(row.claim)?.[1] ?? ""} ${Math.abs(row.published ?? row.ours ?? 0) <= 1}`;

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
    Number.isFinite(row.low) ? t("runs.to", { low: short(row.low), high: short(row.high) }) : "",
    interval({ ...row, least, most }), short(row.games), verdictMark(row.verdict, word("verdict", row.verdict), true), row.reason ?? "",
  ]);
}

// ---- small things --------------------------------------------------------------------------------

// How many claims have each verdict, from the best to the worst.
function verdictsOf({ verdicts }) {
  const order = (verdict) => (VERDICTS.indexOf(verdict) + 1) || VERDICTS.length + 1;
  return Object.entries(verdicts).sort(([a], [b]) => order(a) - order(b))
    .map(([verdict, count]) => verdictMark(verdict, `${count} ${word("verdict", verdict)}`));
}

// A verdict; on the page of a report a touch shows what it means.
function verdictMark(verdict, words, means = false) {
  const kind = { reproduced: "good", "same direction": "near", refuted: "bad", "not reproduced": "bad" }[verdict] ?? "open";
  const meaning = word("meaning", verdict);
  if (!means || meaning === verdict) return h("span", { class: `verdict ${kind}`, title: meaning === verdict ? null : meaning }, words);
  return h("button", { type: "button", class: `verdict ${kind}`, title: meaning, onclick: () => {
    const box = document.getElementById("meanings");
    box.open = true;
    box.scrollIntoView({ block: "nearest" });
    announce(meaning);
  } }, words);
}

// The claims of a paper: a table, on a narrow screen a card each.
function claims(names, rows) {
  const box = table(names, rows);
  box.classList.add("claims");
  return box;
}

// A table whose rows are cards on a narrow screen.
function stacked(names, rows) {
  const box = table(names, rows);
  box.classList.add("stacked");
  return box;
}

// A table that scrolls by itself where it is too wide.
function table(names, rows, label = "") {
  const head = names.some(Boolean) && h("thead", {}, h("tr", {}, names.map((name) => name ? h("th", { scope: "col" }, name) : h("td"))));
  const cell = (value, i) => h(i === 0 ? "th" : "td", i === 0 ? { scope: "row" } : { "data-name": names[i] || null }, value);
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label || names.filter(Boolean).join(", ") },
    h("table", {}, head, h("tbody", {}, rows.map((row) => h("tr", {}, row.map(cell))))));
}

const percent = (value) => `${(100 * value).toFixed(1)} %`;
const signed = (value) => `${value >= 0 ? "+" : "−"}${Math.abs(Math.round(value))}`;

export function duration(seconds) {
  if (seconds < 120) return `${short(Number(seconds.toFixed(1)))} s`;
  if (seconds < 7200) return `${short(Number((seconds / 60).toFixed(1)))} min`;
  return `${short(Number((seconds / 3600).toFixed(1)))} h`;
}
