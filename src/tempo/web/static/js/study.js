// The room of study: any game from any position, or a table as its seat may know it.

import { ask, tokensOf } from "./api.js";
import { Desk } from "./desk.js";
import { h } from "./dom.js";

export async function open(main, [kind, first = "", second = ""]) {
  if (kind === "table") return openTable(main, first);
  return openGame(main, kind === "game" ? first : "", kind === "game" ? second : "");
}

async function openGame(main, given, start) {
  let desk = null;
  const { games } = await ask("/api/games");
  const name = given.split("(")[0];
  const game = h("select", { "aria-label": "Game" }, games.map((one) => h("option", { value: one.name, selected: one.name === name }, one.title)));
  const options = h("input", { "aria-label": "Rules", placeholder: "as usual", value: given.match(/\((.*)\)/s)?.[1] ?? "", maxlength: 400 });
  const position = h("input", { "aria-label": "Position", placeholder: "the start, or a position's text (FEN, SFEN, …)", value: start, maxlength: 4000 });
  const fault = h("p", { class: "fault", role: "alert" });
  const place = h("div");
  main.append(
    h("section", { class: "card opener" }, h("h1", {}, "Study a position"),
      h("div", { class: "chosen" }, h("label", {}, "Game", game), h("label", {}, "Rules", options), h("label", { class: "long" }, "Position", position),
        h("button", { type: "button", class: "strong", onclick: () => show() }, "Set up")),
      fault),
    place);
  game.addEventListener("change", () => { options.value = ""; position.value = ""; show(); });
  // What the rules may say is named by an example.
  function hint() {
    const [option] = games.find((one) => one.name === game.value).options;
    options.placeholder = option ? `as usual, or ${option.name}=…` : "as usual";
  }

  async function show() {
    fault.textContent = "";
    hint();
    const spec = options.value.trim() ? `${game.value}(${options.value.trim()})` : game.value;
    const next = new Desk({ game: spec, start: position.value.trim() });
    try {
      desk?.close();
      place.replaceChildren(next.element);
      await next.open();
      desk = next;
      const words = [spec, position.value.trim()].filter(Boolean).map(encodeURIComponent);
      history.replaceState(null, "", `#/study/game/${words.join("/")}`); // a reload comes back here
    } catch (error) {
      fault.textContent = error.message;
    }
  }
  await show();
  if (start) desk?.element.scrollIntoView({ block: "start" });
  return () => desk?.close();
}

// A table: the whole game where nothing is hidden, else the own view with what follows from it.
async function openTable(main, table) {
  const token = tokensOf(table).at(-1);
  const found = await ask("/api/analysis/table", { table, ...(token ? { token } : {}) });
  main.append(h("p", { class: "crumb" }, h("a", { href: `#/table/${table}` }, "Back to the table")));
  const nodes = (found.line?.moves ?? []).map((move, i) => ({ move, text: found.line.texts[i], seat: found.line.seats[i], parent: i - 1 }));
  const desk = found.line
    ? new Desk({ game: found.game, start: found.line.start, nodes })
    : new Desk({ game: found.game }, { ...found, table, token });
  main.append(desk.element);
  await desk.open();
  if (found.line) await desk.last();
  return () => desk.close();
}
