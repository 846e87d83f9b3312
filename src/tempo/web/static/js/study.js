// The room of study: any game from any position, or a table as its seat may know it.

import { ask, tokensOf } from "./api.js";
import { Desk } from "./desk.js";
import { h, isPlain } from "./dom.js";
import { Editor } from "./editor.js";
import { t } from "./text.js";

export async function open(main, [kind, first = "", second = "", third = ""]) {
  if (kind === "table") return openTable(main, first);
  return kind === "game" ? openGame(main, first, second, third === "edit") : openGame(main, "", "");
}

async function openGame(main, given, start, editing = false) {
  let desk = null;
  let editor = null;
  const { games } = await ask("/api/games");
  const name = given.split("(")[0];
  const game = h("select", { "aria-label": t("study.game") }, games.map((one) => h("option", { value: one.name, selected: one.name === name }, one.title)));
  const options = h("input", { "aria-label": t("study.rules"), value: given.match(/\((.*)\)/s)?.[1] ?? "", maxlength: 400 });
  const position = h("input", { "aria-label": t("study.position"), placeholder: t("study.position_help"), value: start, maxlength: 4000 });
  const fault = h("p", { class: "fault", role: "alert" });
  const place = h("div");
  const more = h("details", {}, h("summary", {}, t("study.set_up")),
    h("div", { class: "chosen" }, h("label", {}, t("study.rules"), options), h("label", { class: "long" }, t("study.position"), position),
      h("button", { type: "button", class: "strong", onclick: () => show() }, t("study.set_up"))));
  main.append(h("section", { class: "opener slim" }, h("h1", { class: "unseen" }, t("study.title")), game, more, fault), place);
  game.addEventListener("change", () => { options.value = ""; position.value = ""; show(); });
  // What the rules may say is named by an example.
  function hint() {
    const [option] = games.find((one) => one.name === game.value).options;
    options.placeholder = option ? t("study.rules_help", { option: option.name }) : t("study.rules_usual");
  }

  // Opens a position; what was there stays until it is open, and if it cannot be.
  async function show() {
    fault.textContent = "";
    hint();
    const spec = options.value.trim() ? `${game.value}(${options.value.trim()})` : game.value;
    const next = new Desk({ game: spec, start: position.value.trim() });
    next.edit = (text) => edit(next, text);
    const spare = h("div", { hidden: true }, next.element);
    place.append(spare);
    try {
      await next.open();
    } catch (error) {
      next.close();
      spare.remove();
      fault.textContent = error.message;
      more.open = true;
      return;
    }
    editor?.close();
    editor = null;
    desk?.close();
    desk = next;
    place.replaceChildren(next.element);
    next.shown();
    const words = [spec, position.value.trim()].filter(Boolean).map(encodeURIComponent);
    history.replaceState(null, "", `#/study/game/${words.join("/")}`); // a reload comes back here
  }

  // The board editor in place of the desk, which comes back if nothing is made of it.
  async function edit(from, text) {
    from.analysis.toggle(false);
    editor = new Editor({
      game: from.game, start: text, layout: from.layout, letters: isPlain(),
      done: (made) => { position.value = made; show(); },
      leave: () => { editor.close(); editor = null; from.element.hidden = false; },
    });
    try {
      await editor.open();
      from.element.hidden = true;
      place.append(editor.element);
    } catch (error) {
      fault.textContent = error.message;
    }
  }

  await show();
  if (editing) await edit(desk, start);
  return () => { editor?.close(); desk?.close(); };
}

// A table: the whole game where nothing is hidden, else the own view with what follows from it.
async function openTable(main, table) {
  const token = tokensOf(table).at(-1);
  const found = await ask("/api/analysis/table", { table, ...(token ? { token } : {}) });
  main.append(h("p", { class: "crumb" }, h("a", { href: `#/table/${table}` }, t("study.back_to_table"))));
  const nodes = (found.line?.moves ?? []).map((move, i) => ({ move, text: found.line.texts[i], seat: found.line.seats[i], parent: i - 1 }));
  const desk = found.line
    ? new Desk({ game: found.game, start: found.line.start, nodes })
    : new Desk({ game: found.game }, { ...found, table, token });
  main.append(desk.element);
  await desk.open();
  if (found.line) await desk.last();
  return () => desk.close();
}
