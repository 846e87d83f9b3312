// The room of replay: opens a record of any game and puts it on a desk.

import { Desk } from "./desk.js";
import { capital, h } from "./dom.js";

const MOST = 1024 * 1024; // bytes of a file; the server has the same bound

export async function open(main) {
  let desk = null;
  const fault = h("p", { class: "fault", role: "alert" });
  const file = h("input", { type: "file", "aria-label": "A record file", accept: ".sgf,.pgn,.kif,.kifu,.csa,.psq,.txt,.siguo,.jql,text/plain" });
  const text = h("textarea", { rows: 5, "aria-label": "The text of a record", placeholder: "… or paste a record here: SGF, PGN, KIF, CSA, PSQ, Siguo", spellcheck: "false" });
  const games = h("div", { class: "found" });
  const place = h("div");
  const button = h("button", { type: "button", class: "strong", onclick: () => read(new Blob([text.value])) }, "Open");
  const pasted = h("details", { open: true }, h("summary", {}, "Or a text"), text, h("div", { class: "row" }, button));
  const opener = h("section", { class: "card opener" },
    h("h1", {}, "Replay a game"),
    h("p", { class: "help" }, "Gomoku and Jiu (SGF), chess (PGN), shogi (KIF, CSA), Piskvork (PSQ), Siguo. The format is recognised by itself."),
    h("label", {}, "A file", file), pasted, fault, games);
  main.append(opener, place);

  file.addEventListener("change", () => file.files[0] && read(file.files[0]));
  for (const name of ["dragover", "drop"]) {
    opener.addEventListener(name, (event) => {
      event.preventDefault();
      if (name === "drop" && event.dataTransfer.files[0]) read(event.dataTransfer.files[0]);
    });
  }

  async function read(blob) {
    fault.textContent = "";
    games.replaceChildren();
    try {
      if (blob.size > MOST) throw new Error(`This file has ${Math.round(blob.size / 1024)} KiB; ${MOST / 1024} are the most.`);
      if (!blob.size) throw new Error("There is nothing to read.");
      const answer = await fetch("/api/replay/open", { method: "POST", headers: { "content-type": "application/octet-stream" }, body: blob });
      const data = await answer.json();
      if (!answer.ok) throw new Error(capital(data.error?.text ?? `The server refused (${answer.status}).`));
      if (data.games.length > 1) games.append(list(data));
      pasted.open = false;
      await show(data.games[0]);
    } catch (error) {
      fault.textContent = error.message;
    }
  }

  function list(data) {
    const select = h("select", { "aria-label": "Games in this file" }, data.games.map((game, i) =>
      h("option", { value: i }, `${i + 1}. ${game.title || game.game} (${game.result})`)));
    select.addEventListener("change", () => show(data.games[Number(select.value)]));
    return h("label", {}, `${data.more ? `The first ${data.games.length}` : data.games.length} games`, select);
  }

  async function show(game) {
    desk?.close();
    desk = new Desk(game);
    const said = Object.entries(game.headers).filter(([key]) => key !== "C" && key !== "MS").map(([key, value]) => `${HEADERS[key] ?? key}: ${value}`);
    place.replaceChildren(h("p", { class: "headers help" }, [game.game, ...said, game.result !== "?" ? `Result: ${game.result}` : ""].filter(Boolean).join(" · ")), desk.element);
    await desk.open();
    desk.element.scrollIntoView({ block: "start", behavior: "smooth" });
  }

  return () => desk?.close();
}

const HEADERS = { PB: "Black", PW: "White", EV: "Event", PC: "Place", DT: "Date", RO: "Round", ON: "Opening", GC: "Note", LV: "Levels" };
