// Choosing who sits at a seat: a person, a strength on a slider, or an exact agent.

import { h } from "./dom.js";
import { t, word } from "./text.js";

let count = 0;

// `who` is the answer of /api/agents. seat(name) gives what the server is told, agent() the spec alone.
// offer(who) offers others; what was chosen stays chosen if it is among them. `level` is where the slider begins.
export function agentPicker(who, { people = false, chosen = "", label = "", level = "club" } = {}) {
  const id = `agents-${count += 1}`;
  const select = h("select", { "aria-label": label || t("agent.agent") },
    people && h("option", { value: "person" }, t("agent.person")),
    people && h("option", { value: "open" }, t("agent.open")),
    h("option", { value: "agent" }, t("agent.agent")), h("option", { value: "exact" }, t("agent.exact")));
  const slider = h("input", { type: "range", min: 0, step: 1, "aria-label": t("agent.strength", { seat: label }) });
  const words = h("output", { class: "step" });
  const strength = h("div", { class: "strength" }, slider, words);
  const exact = h("input", {
    list: id, placeholder: "mcts:sims=2000", spellcheck: "false", autocapitalize: "off", "aria-label": t("agent.exact_label", { seat: label }), hidden: true,
  });
  const list = h("datalist", { id });
  const help = h("small", { class: "help" });
  const step = () => who.levels[Number(slider.value)];
  const update = () => {
    exact.hidden = select.value !== "exact";
    strength.hidden = select.value !== "agent";
    const one = step();
    words.replaceChildren(h("b", {}, `${Number(slider.value) + 1} · ${word("level", one.name)}`), ` · ${rated(one)}`);
    slider.setAttribute("aria-valuetext", `${word("level", one.name)}, ${rated(one)}`);
    if (select.value === "agent") help.replaceChildren(one.help, " · ", h("code", { title: one.agent }, one.agent.replace(/steps=.{30,}/, "steps=…")));
    else if (select.value === "exact") help.textContent = settingsOf(who, exact.value);
    else help.textContent = select.value === "open" ? t("agent.open_help") : "";
  };
  const offer = (others, wanted = step()?.name ?? level) => {
    who = others;
    const names = [...who.agents.map((one) => [one.name, one.summary]), ...who.runs.map((one) => [one.agent, one.summary])];
    slider.max = who.levels.length - 1;
    const at = who.levels.findIndex((one) => one.name === wanted);
    slider.value = at < 0 ? Math.floor((who.levels.length - 1) / 2) : at;
    list.replaceChildren(...names.map(([name, summary]) => h("option", { value: name }, summary)));
    update();
  };
  select.value = chosen || "agent";
  offer(who, level);
  select.addEventListener("change", update);
  slider.addEventListener("input", update);
  exact.addEventListener("input", update);
  const agent = () => (select.value === "exact" ? exact.value.trim() : step().name);
  return {
    element: h("div", { class: "choices" }, select, strength, exact, list, help),
    agent,
    offer,
    level: () => (select.value === "agent" ? step().name : ""),
    seat(name) {
      if (select.value === "person") return { kind: "person", ...(name && { name }) };
      return select.value === "open" ? { kind: "open" } : { kind: "agent", agent: agent() };
    },
  };
}

// The measured rating of a level, or that there is none.
function rated({ rating }) {
  return rating ? t("agent.rating", { rating: Math.round(rating.rating), spread: Math.round((rating.high - rating.low) / 2) }) : t("agent.unmeasured");
}

function settingsOf(who, spec) {
  const one = who.agents.find((agent) => agent.name === spec.split(":")[0]);
  if (!one) return t("agent.exact_help");
  const settings = (one.settings ?? []).map((setting) => `${setting.name}=${setting.default}`).join(", ");
  return settings ? t("agent.settings", { summary: one.summary, settings }) : one.summary;
}
