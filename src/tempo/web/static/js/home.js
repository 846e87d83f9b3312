// Home: a game that waits to be continued, and a tile for every game.

import { ask, forget, keep, recentTables } from "./api.js";
import { capital, h, memory } from "./dom.js";
import { t, word } from "./text.js";

const LEVEL = "beginner"; // of somebody who has not chosen one
const SHOWN = 3; // games that may be continued

export async function open(main) {
  const { games } = await ask("/api/games");
  const tables = recentTables().filter((one) => !one.over).slice(0, SHOWN);
  main.append(h("div", { class: "home" },
    h("h1", { class: "unseen" }, t("home.title")),
    tables.length > 0 && continued(tables),
    h("ul", { class: "games" }, games.map(tile))));
}

// The games of this browser that are not over, the last one first.
function continued(tables) {
  const row = ({ table, title: kept }, first) => {
    const title = kept || t("table.label");
    return h("li", {},
      h("a", { class: `button${first ? " strong" : ""}`, href: `#/table/${table}` }, first ? `${t("home.continue")}: ${title}` : title),
      h("button", {
        type: "button", class: "quiet", "aria-label": t("home.forget", { game: title }),
        onclick: (event) => { forget(table); event.target.closest("li").remove(); },
      }, "×"));
  };
  return h("ul", { class: "continue", "aria-label": t("home.continue") }, tables.map((one, i) => row(one, i === 0)));
}

function tile(game) {
  const level = memory.get(`level.${game.name}`, LEVEL);
  const opponent = word("level", level);
  const rating = game.ratings[level];
  const fault = h("p", { class: "fault", role: "alert", hidden: true });
  const play = h("button", {
    type: "button", class: "strong play", "data-play": game.name, "aria-label": t("home.play_against", { game: game.title, level: opponent }),
    onclick: async () => {
      play.disabled = true;
      try {
        location.hash = `#/table/${await begin(game, level)}`;
      } catch (error) {
        fault.textContent = error.message;
        fault.hidden = false;
        play.disabled = false;
      }
    },
  }, t("home.play"));
  const picture = h("img", { src: `/api/picture?game=${game.name}&portrait=1`, alt: "", width: 96, height: 96 });
  const link = (room, name) => h("a", { href: `#/${room}/${name}`, "aria-label": t(`home.${room}_game`, { game: game.title }) }, t(`home.${room}`));
  return h("li", { class: "game", "data-game": game.name },
    picture,
    h("div", { class: "about" }, h("h2", {}, game.title), h("small", { class: "help" }, game.summary), h("small", { class: "opponent" }, t("home.against", { level: opponent }), rating !== undefined && ` · ${rating}`)),
    h("div", { class: "doors" }, play,
      link("learn", game.name), link("study", `game/${game.name}`),
      h("a", { href: `#/new/${game.name}`, title: t("home.customise"), "aria-label": t("home.customise_game", { game: game.title }) }, "⚙")),
    fault);
}

// Makes a table against agents of a level, the person first; where pieces are put up, by the last line-up or a drawn one.
export async function begin(game, level, { start = "" } = {}) {
  const agent = { kind: "agent", agent: level };
  const name = memory.get("name", "");
  const person = { kind: "person", ...(name && { name }) };
  const made = await ask("/api/tables", { game: game.name, seats: game.seats.map((_, seat) => (seat === 0 ? person : agent)), start });
  keep(made.table, { tokens: Object.values(made.tokens), invites: made.invites, title: capital(game.title), quick: true });
  return made.table;
}
