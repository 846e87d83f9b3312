// The page: which room is shown, and the settings that hold everywhere.

import { banner, byId, h, memory, styles } from "./dom.js";
import { lacksCharacters } from "./pieces.js";
import { LANGUAGES, choose, fillPage, language, load, t } from "./text.js";

// A room is a module with open(main, rest) that returns what closes it. It is loaded when asked for, with
// the styles that it needs and its part of the texts.
const ROOMS = {
  home: { module: () => import("./home.js") },
  new: { module: () => import("./lobby.js") },
  join: { module: () => import("./join.js"), styles: ["table"] },
  table: { module: () => import("./table.js"), styles: ["board", "table"] },
  learn: { module: () => import("./learn.js"), styles: ["board", "table", "learn"], part: "learn" },
  study: { module: () => import("./study.js"), styles: ["board", "study"], part: "study" },
  replay: { module: () => import("./replay.js"), styles: ["board", "study"], part: "study" },
  runs: { module: () => import("./runs.js"), styles: ["study"], part: "study" },
};
// In the navigation, a game under way, a new one and an invitation belong to play.
const SHOWN_AS = { new: "home", join: "home", table: "home" };

let close = () => {};
let visit = 0; // counts rooms asked for: who is overtaken while opening closes again

async function route() {
  const mine = visit += 1;
  const [name, ...rest] = location.hash.replace(/^#\/?/, "").split("/");
  const room = name in ROOMS ? name : "home";
  close();
  close = () => {};
  banner("");
  const place = h("div", { class: "room" });
  const main = byId("main");
  main.replaceChildren(place);
  document.body.dataset.room = room;
  for (const link of document.querySelectorAll("a[data-room]")) {
    const here = link.dataset.room === (SHOWN_AS[room] ?? room);
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  try {
    const { module, styles: needed = [], part = "" } = ROOMS[room];
    const [found] = await Promise.all([module(), load(), part && load(part), styles(needed)]);
    if (mine !== visit) return;
    const closing = (await found.open(place, rest.map(decodeURIComponent))) ?? (() => {});
    if (mine === visit) close = closing;
    else closing();
  } catch (error) {
    place.replaceChildren(h("p", { class: "card" }, t("page.no_room", { why: error.message })));
  }
}

// A button that is pressed or not, and remembered.
function toggle(id, usual) {
  const button = byId(id);
  const show = (on) => button.setAttribute("aria-pressed", String(on));
  show(memory.get(id, usual));
  button.addEventListener("click", () => {
    const on = button.getAttribute("aria-pressed") !== "true";
    memory.set(id, on);
    show(on);
    window.dispatchEvent(new Event(`tempo:${id}`));
  });
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
  toggle("letters", lacksCharacters());
  toggle("sound", true);
  const tongues = byId("language");
  tongues.append(...Object.entries(LANGUAGES).map(([tag, name]) => h("option", { value: tag, lang: tag }, name)));
  tongues.value = language;
  tongues.addEventListener("change", () => choose(tongues.value));
}

settings();
load().then(() => fillPage());
window.addEventListener("hashchange", route);
route();
