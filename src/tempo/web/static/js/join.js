// An invitation: take the seat under a name. #/join/TABLE/CODE; the code is used up by it.

import { ask, keep, tokensOf } from "./api.js";
import { h, memory } from "./dom.js";
import { t } from "./text.js";

export function open(main, [table, code]) {
  if (tokensOf(table).length) {
    location.replace(`#/table/${table}`);
    return;
  }
  const name = h("input", { value: memory.get("name", ""), maxlength: 40, autocomplete: "nickname" });
  const fault = h("p", { class: "fault", role: "alert", hidden: true });
  const take = async () => {
    try {
      memory.set("name", name.value.trim());
      const { token } = await ask(`/api/tables/${table}/join`, { invite: code, name: name.value.trim() });
      keep(table, { tokens: [token], title: t("join.invited") });
      location.replace(`#/table/${table}`);
    } catch (error) {
      fault.textContent = error.message;
      fault.hidden = false;
    }
  };
  main.append(h("section", { class: "card welcome" },
    h("h1", {}, t("join.title")),
    h("label", {}, t("new.name"), name),
    h("p", { class: "help" }, t("join.stays")),
    fault,
    h("div", { class: "row" },
      h("button", { type: "button", class: "strong", onclick: take }, t("join.take")),
      h("a", { class: "button", href: `#/table/${table}` }, t("join.watch")))));
}
