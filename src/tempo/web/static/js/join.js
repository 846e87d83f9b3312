// An invitation: take the seat under a name. #/join/TABLE/CODE; the code is used up by it.

import { ask, keep, tokensOf } from "./api.js";
import { h, memory } from "./dom.js";

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
      keep(table, { tokens: [token], title: "Invited" });
      location.replace(`#/table/${table}`);
    } catch (error) {
      fault.textContent = error.message;
      fault.hidden = false;
    }
  };
  main.append(h("section", { class: "card welcome" },
    h("h1", {}, "You are invited to a game"),
    h("label", {}, "Your name", name),
    h("p", { class: "help" }, "The seat stays yours in this browser, also when the connection is lost."),
    fault,
    h("div", { class: "row" },
      h("button", { type: "button", class: "strong", onclick: take }, "Take the seat"),
      h("a", { class: "button", href: `#/table/${table}` }, "Only watch"))));
}
