// The room "study": its content is still to come.

import { h } from "./dom.js";

export function open(main) {
  main.append(h("section", { class: "card" }, h("h1", {}, "Study"), h("p", {}, "Nothing here yet.")));
}
