// Choosing who sits at a seat: a person, a strength in plain words, or an exact agent.

import { h } from "./dom.js";

let count = 0;

// `who` is the answer of /api/agents. seat(name) gives what the server is told, agent() the spec alone.
// offer(who) offers others; what was chosen stays chosen if it is among them.
export function agentPicker(who, { people = false, chosen = "", label = "Agent" } = {}) {
  const id = `agents-${count += 1}`;
  const levels = h("optgroup", { label: "Agents" });
  const select = h("select", { "aria-label": label },
    people && h("option", { value: "person" }, "You, at this screen"),
    people && h("option", { value: "open" }, "A person you invite"),
    levels, h("option", { value: "exact" }, "An exact agent…"));
  const exact = h("input", {
    list: id, placeholder: "mcts:sims=2000", spellcheck: "false", autocapitalize: "off", "aria-label": `${label}: exact agent`, hidden: true,
  });
  const list = h("datalist", { id });
  const help = h("small", { class: "help" });
  const update = () => {
    const level = who.levels.find((one) => `level:${one.name}` === select.value);
    exact.hidden = select.value !== "exact";
    if (level) help.textContent = `${level.help} (${level.agent})`;
    else if (select.value === "exact") help.textContent = settingsOf(who, exact.value);
    else help.textContent = select.value === "open" ? "gets a link from you" : "";
  };
  const offer = (others, wanted = select.value) => {
    who = others;
    const names = [...who.agents.map((one) => [one.name, one.summary]), ...who.runs.map((one) => [one.agent, one.summary])];
    levels.replaceChildren(...who.levels.map((level) => h("option", { value: `level:${level.name}` }, level.words)));
    list.replaceChildren(...names.map(([name, summary]) => h("option", { value: name }, summary)));
    const usual = who.levels.find((level) => level.name === "club") ?? who.levels[0];
    select.value = wanted;
    if (!select.value) select.value = usual ? `level:${usual.name}` : "exact";
    update();
  };
  offer(who, chosen);
  select.addEventListener("change", update);
  exact.addEventListener("input", update);
  const agent = () => (select.value === "exact" ? exact.value.trim() : select.value.slice("level:".length));
  return {
    element: h("div", { class: "choices" }, select, exact, list, help),
    agent,
    offer,
    seat(name) {
      if (select.value === "person") return { kind: "person", ...(name && { name }) };
      return select.value === "open" ? { kind: "open" } : { kind: "agent", agent: agent() };
    },
  };
}

function settingsOf(who, spec) {
  const one = who.agents.find((agent) => agent.name === spec.split(":")[0]);
  if (!one) return "a name, with settings after a colon: alphabeta:depth=4";
  const settings = (one.settings ?? []).map((setting) => `${setting.name}=${setting.default}`).join(", ");
  return settings ? `${one.summary}; settings: ${settings}` : one.summary;
}
