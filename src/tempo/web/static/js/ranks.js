// The kinds of pieces from the highest to the lowest: characters, letters, names, how many there are.

import { h } from "./dom.js";
import { pictureOf } from "./pieces.js";
import { t } from "./text.js";

export function rankTable(layout, seat) {
  const { kinds, lineups, ranks } = layout.deployment;
  const count = (kind) => [...lineups[0]].filter((letter) => letter === kind).length;
  const row = (kind) => {
    const [text, short, name] = kinds[kind];
    return h("tr", {}, h("td", {}, pictureOf({ seat, form: "tile", text, short }, layout, false)),
      h("td", {}, short), h("td", {}, name), h("td", { class: "help" }, `× ${count(kind)}`));
  };
  return h("table", { class: "ranks", "aria-label": t("tool.ranks") }, ranks.map(row));
}

export function showRanks(layout, seat) {
  const dialog = h("dialog", { class: "ask", "aria-label": t("tool.ranks") }, h("h2", {}, t("tool.ranks")),
    rankTable(layout, seat),
    h("p", { class: "help" }, t("ranks.help")),
    h("div", { class: "answers" }, h("button", { type: "button", onclick: () => dialog.close() }, t("ask.close"))));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  dialog.scrollTop = 0; // the list from its top, not from the button that has the focus
}
