// The page: which room is shown, and the two settings that hold everywhere.

import { banner, byId, h, memory } from "./dom.js";
import { lacksCharacters } from "./pieces.js";

// A room is a module with open(main, rest) that returns what closes it. It is loaded when asked for.
const ROOMS = {
  new: () => import("./lobby.js"),
  join: () => import("./join.js"),
  table: () => import("./table.js"),
  study: () => import("./study.js"),
  replay: () => import("./replay.js"),
  runs: () => import("./runs.js"),
};
// In the navigation, a game under way and an invitation belong to play.
const SHOWN_AS = { join: "new", table: "new" };

let close = () => {};
let visit = 0; // counts rooms asked for: who is overtaken while opening closes again

async function route() {
  const mine = visit += 1;
  const [name, ...rest] = location.hash.replace(/^#\/?/, "").split("/");
  const room = name in ROOMS ? name : "new";
  close();
  close = () => {};
  banner("");
  const place = h("div", { class: "room" });
  const main = byId("main");
  main.replaceChildren(place);
  main.dataset.room = room;
  for (const link of document.querySelectorAll("a[data-room]")) {
    const here = link.dataset.room === (SHOWN_AS[room] ?? room);
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  try {
    const module = await ROOMS[room]();
    if (mine !== visit) return;
    const closing = (await module.open(place, rest.map(decodeURIComponent))) ?? (() => {});
    if (mine === visit) close = closing;
    else closing();
  } catch (error) {
    place.replaceChildren(h("p", { class: "card" }, `This room cannot be opened: ${error.message}`));
  }
}

function settings() {
  const theme = memory.get("theme", "");
  if (theme) document.documentElement.dataset.theme = theme;
  byId("theme").addEventListener("click", () => {
    const dark = document.documentElement.dataset.theme
      ? document.documentElement.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    document.documentElement.dataset.theme = dark ? "light" : "dark";
    memory.set("theme", document.documentElement.dataset.theme);
  });
  const letters = byId("letters");
  const show = (on) => letters.setAttribute("aria-pressed", String(on));
  show(memory.get("letters", lacksCharacters()));
  letters.addEventListener("click", () => {
    const on = letters.getAttribute("aria-pressed") !== "true";
    memory.set("letters", on);
    show(on);
    window.dispatchEvent(new Event("tempo:letters"));
  });
}

settings();
window.addEventListener("hashchange", route);
route();
