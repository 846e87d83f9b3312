// Trainings from the page: starting, stopping, resuming them; strength on the way; playing what was learnt.

import { ask, keep } from "./api.js";
import { LineChart } from "./chart.js";
import { h, memory } from "./dom.js";
import { t, word } from "./text.js";
import { nameOf } from "./worth.js";

const TOKENS = "trainings"; // in the browser's memory: the token of each run that was started here
export const SCORE = "random"; // the column of a log that has the exams
const FURTHER = 60; // seconds of a run that is resumed
const SHOWN = ["iterations", "games", "depth", "exam"]; // the settings that the form offers

const tokenOf = (name) => memory.get(TOKENS, {})[name] ?? "";

// ---- starting --------------------------------------------------------------------------------------

// The form that starts a training; null on a server that allows none.
export async function trainCard() {
  const { allowed, learners, nets, most } = await ask("/api/training");
  if (!allowed) return null;
  const learner = h("select", { "aria-label": t("train.learner") }, learners.map((one) => h("option", { value: one.name, title: one.summary, selected: one.name === "td_leaf" }, one.name)));
  const game = h("select", { "aria-label": t("train.game") });
  const net = h("select", { "aria-label": t("train.net") }, Object.entries(nets).map(([name, words]) => h("option", { value: name, title: words }, name)));
  const seconds = h("input", { type: "number", min: 1, max: most.seconds, value: "60", "aria-label": t("train.seconds") });
  const numbers = SHOWN.map((name) => [name, h("input", { type: "number", min: 0, max: most[name], "aria-label": t(`train.${name}`) })]);
  const fault = h("p", { class: "fault", role: "alert" });
  const help = h("p", { class: "help" });

  async function offer() {
    const usual = learners.find((one) => one.name === learner.value);
    help.textContent = usual.summary;
    net.value = usual.settings.net;
    for (const [name, input] of numbers) input.value = String(name === "iterations" ? most.iterations : usual.settings[name]); // the time ends it
    const { games } = await ask(`/api/training/games?${new URLSearchParams({ learner: learner.value })}`);
    const chosen = game.value;
    game.replaceChildren(...games.map((one, i) => h("option", { value: i, disabled: Boolean(one.refused), title: one.refused || null }, [one.title, one.spec.match(/\(.*\)/)?.[0], one.start].filter(Boolean).join(" "))));
    game.offered = games;
    game.value = chosen || String(games.findIndex((one) => !one.refused));
  }
  learner.addEventListener("change", () => offer().catch((error) => { fault.textContent = error.message; }));

  async function start() {
    fault.textContent = "";
    const { spec, start: from } = game.offered[Number(game.value)];
    const settings = Object.fromEntries(numbers.map(([name, input]) => [name, Number(input.value)]));
    try {
      const { name, token } = await ask("/api/training/start", {
        learner: learner.value, game: spec, start: from, seconds: Number(seconds.value), settings: { ...settings, net: net.value },
      });
      memory.set(TOKENS, { ...memory.get(TOKENS, {}), [name]: token });
      help.textContent = t("train.starting");
      await begun(name);
      location.hash = `#/runs/run/${encodeURIComponent(name)}`;
    } catch (error) {
      fault.textContent = error.message;
    }
  }

  await offer();
  return h("section", { class: "card train" }, h("h2", {}, t("train.title")), h("p", { class: "help" }, t("train.help")),
    h("div", { class: "fields" }, h("label", {}, t("train.learner"), learner), h("label", {}, t("train.game"), game), h("label", {}, t("train.seconds"), seconds),
      h("button", { type: "button", class: "strong start", onclick: start }, t("train.start"))),
    help,
    h("details", {}, h("summary", {}, t("train.more")), h("div", { class: "fields" }, h("label", {}, t("train.net"), net),
      numbers.map(([name, input]) => h("label", {}, t(`train.${name}`), input)))), fault);
}

// Waits until a training has begun; an Error with the reason where it has not.
async function begun(name) {
  for (let look = 0; look < 120; look += 1) {
    const found = await ask(`/api/runs/detail?${new URLSearchParams({ name })}`).catch(() => null);
    if (found) return;
    const { trainings } = await ask("/api/training");
    const { running, fault } = trainings.find((one) => one.name === name) ?? {};
    if (!running) throw new Error(fault || t("train.ended"));
    await new Promise((done) => { setTimeout(done, 500); });
  }
}

// ---- a run under way -------------------------------------------------------------------------------

// What can be done with a run: stop it, go on with it; and how long it will take.
export async function runControls(name, detail) {
  const element = h("div", { class: "row controls" });
  const fault = h("p", { class: "fault", role: "alert" });
  let state = null;
  let left = "";
  const act = (path, more = {}) => async () => {
    fault.textContent = "";
    try {
      await ask(`/api/training/${path}`, { name, token: tokenOf(name), ...more });
    } catch (error) {
      fault.textContent = error.message;
    }
    await look();
  };

  function draw() {
    const { training, allowed } = state;
    if (!allowed || (!training && !tokenOf(name))) return element.replaceChildren();
    const own = Boolean(tokenOf(name));
    const running = training?.running;
    const words = running ? [t("train.running"), left].filter(Boolean).join(", ") : training?.fault && training.fault !== "stopped" ? t("train.fault", { why: training.fault }) : t("train.ended");
    return element.replaceChildren(h("span", { class: "state" }, words),
      own && running ? h("button", { type: "button", class: "stop", onclick: act("stop") }, t("train.stop")) : "",
      own && !running ? h("button", { type: "button", class: "resume", onclick: act("resume", { seconds: FURTHER }) }, t("train.resume", { n: FURTHER })) : "",
      own ? "" : h("span", { class: "help" }, t("train.not_yours")), fault);
  }

  async function look() {
    const { allowed, trainings } = await ask("/api/training");
    state = { allowed, training: trainings.find((one) => one.name === name) };
    draw();
  }

  // The time that is left: by the clock, or by the iterations if those end sooner.
  function read(rows) {
    const { training } = state;
    const last = rows.at(-1);
    if (!training?.running || !last) return;
    const byClock = training.seconds - training.elapsed;
    const rate = last.step / Math.max(1, training.elapsed);
    const bySteps = (detail.config.iterations - last.step) / Math.max(rate, 1e-9);
    const seconds = Math.max(0, Math.min(byClock, Number.isFinite(bySteps) ? bySteps : byClock));
    left = t("train.left", { time: seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min` });
    draw();
  }

  // How many steps the run will have made when its time is over, at its pace so far.
  function expected(rows) {
    const { training } = state;
    const step = rows.at(-1)?.step ?? 0;
    return training?.running ? Math.round(step * Math.max(1, training.seconds / Math.max(1, training.elapsed))) : step;
  }

  await look();
  return { element, look, read, expected, hasEnded: () => state.training?.running === false };
}

// ---- strength on the way ---------------------------------------------------------------------------

// Wilson's interval of a share p of n.
function wilson(p, n) {
  const z = 1.96;
  const middle = (p + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const half = (z / (1 + (z * z) / n)) * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

// A trend a + b ln(step) through points, clipped to [0, 1].
function trend(points, steps) {
  const xs = points.map(([step]) => Math.log(step));
  const mean = (all) => all.reduce((sum, one) => sum + one, 0) / all.length;
  const [mx, my] = [mean(xs), mean(points.map(([, y]) => y))];
  const spread = xs.reduce((sum, x) => sum + (x - mx) ** 2, 0);
  const slope = spread ? points.reduce((sum, [, y], i) => sum + (xs[i] - mx) * (y - my), 0) / spread : 0;
  return steps.map((step) => [step, Math.min(1, Math.max(0, my + slope * (Math.log(step) - mx)))]);
}

// The exams of a run with their intervals, and what is to be expected of it.
export function strengthOnTheWay(detail, others) {
  const chart = new LineChart({ title: t("train.against_random"), xName: word("column", "step"), height: 190, low: 0, high: 1 });
  const element = h("section", { class: "card wide", hidden: true }, chart.element, h("p", { class: "help" }, t("train.expected_help")));
  const kin = others.filter((run) => run.learner && run.learner === detail.learner && run.game === detail.game).slice(0, 5);
  let earlier = null;

  const examsOf = (rows) => rows.filter((row) => Number.isFinite(row[SCORE])).map((row) => [row.step, row[SCORE]]);

  async function read() {
    const logs = await Promise.all(kin.map((run) => ask(`/api/runs/log?${new URLSearchParams({ name: run.name })}`).then((found) => examsOf(found.rows)).catch(() => [])));
    const by = new Map();
    for (const [step, score] of logs.flat()) by.set(step, [...(by.get(step) ?? []), score]);
    earlier = [...by].map(([step, all]) => [step, all.reduce((sum, one) => sum + one, 0) / all.length]).sort((a, b) => a[0] - b[0]);
  }

  // `steps` are those that the run will have made when its time is over.
  async function show(rows, steps) {
    const exams = examsOf(rows);
    element.hidden = !exams.length;
    if (!exams.length) return;
    if (earlier === null) await read();
    const count = detail.config.exam || 40;
    const total = Math.max(exams.at(-1)[0], Math.min(detail.config.iterations || Infinity, steps || 0));
    const at = Array.from({ length: 24 }, (_, i) => Math.max(1, Math.round((total * (i + 1)) / 24)));
    const expected = earlier.length > 1 ? earlier : exams.length > 2 ? trend(exams, at) : [];
    chart.show([
      { name: detail.name, points: exams, bars: exams.map(([step, score]) => [step, ...wilson(score, count)]) },
      ...(expected.length ? [{ name: t("train.expected"), points: expected, dashed: true }] : []),
    ]);
  }

  return { element, show, remove: () => chart.remove() };
}

// ---- playing what was learnt -----------------------------------------------------------------------

// Play the last checkpoint, or an earlier step; or let two steps play each other.
export function playCard({ agent, checkpoints, steps, config }) {
  if (!agent || !config.game) return null;
  if (!checkpoints.length && !steps.length) return h("section", { class: "card" }, h("h2", {}, t("play.title")), h("p", { class: "help" }, t("play.none")));
  const fault = h("p", { class: "fault", role: "alert" });
  const named = (step) => (step ? `${agent}/steps/${String(step).padStart(8, "0")}` : agent);
  const choice = (label, chosen) => h("select", { "aria-label": label }, steps.map((step) => h("option", { value: step, selected: step === chosen }, t("play.step", { n: step }))));
  const first = choice(t("play.first"), steps.includes(5) ? 5 : steps[0]);
  const second = choice(t("play.second"), steps.at(-1));
  const begin = async (seats) => {
    try {
      const { games } = await ask("/api/games");
      const rules = games.find((one) => one.name === config.game.split("(")[0]);
      const all = rules.seats.map((_, i) => seats[i % seats.length]);
      const start = config.start ? { start: { ending: config.start } } : {};
      const made = await ask("/api/tables", { game: config.game, seats: all, ...start });
      keep(made.table, { tokens: Object.values(made.tokens), title: nameOf({ name: rules.title }) });
      location.hash = `#/table/${made.table}`;
    } catch (error) {
      fault.textContent = error.message;
    }
  };
  const against = (step) => begin([{ kind: "person" }, { kind: "agent", agent: named(step) }]);
  return h("section", { class: "card play-card" }, h("h2", {}, t("play.title")),
    h("div", { class: "row" }, checkpoints.length > 0 && h("button", { type: "button", class: "strong play-last", onclick: () => against(0) }, t("play.last"))),
    steps.length > 0 && h("div", { class: "row steps-kept" }, steps.map((step) => h("button", { type: "button", class: "play-step", "data-step": step, onclick: () => against(step) }, t("play.step", { n: step })))),
    steps.length > 1 && h("div", { class: "row watch" }, first, second, h("button", { type: "button", class: "watch-steps", onclick: () => begin([first.value, second.value].map((step) => ({ kind: "agent", agent: named(Number(step)) }))) }, t("play.begin"))),
    fault);
}
