// The room "replay": its content is still to come.

import { h } from "./dom.js";

export function open(main) {
  main.append(h("section", { class: "card" }, h("h1", {}, "Replay"), h("p", {}, "Nothing here yet.")));
}
