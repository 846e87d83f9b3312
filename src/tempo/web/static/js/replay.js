// The room of replay: opens a record of any game and puts it on a desk.

import { speech } from "./api.js";
import { Desk } from "./desk.js";
import { capital, h } from "./dom.js";
import { t } from "./text.js";

const MOST = 1024 * 1024; // bytes of a file; the server has the same bound

export async function open(main) {
  let desk = null;
  const fault = h("p", { class: "fault", role: "alert" });
  const file = h("input", { type: "file", class: "unseen", "aria-label": t("replay.file"), accept: ".sgf,.pgn,.kif,.kifu,.csa,.psq,.txt,.siguo,.jql,text/plain" });
  const text = h("textarea", { rows: 5, "aria-label": t("replay.text"), placeholder: t("replay.paste"), spellcheck: "false" });
  const games = h("div", { class: "found" });
  const place = h("div");
  const button = h("button", { type: "button", class: "strong", onclick: () => read(new Blob([text.value])) }, t("replay.open"));
  const pasted = h("details", { open: true }, h("summary", {}, t("replay.or_text")), text, h("div", { class: "row" }, button));
  const opener = h("details", { class: "card opener", open: true },
    h("summary", {}, h("h1", {}, t("replay.title"))),
    h("p", { class: "help" }, t("replay.help")),
    h("label", { class: "button file" }, t("replay.choose"), file), pasted, fault, games);
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
    try {
      if (blob.size > MOST) throw new Error(t("replay.too_big", { size: Math.round(blob.size / 1024), most: MOST / 1024 }));
      if (!blob.size) throw new Error(t("replay.nothing"));
      const answer = await fetch("/api/replay/open", { method: "POST", headers: { "content-type": "application/octet-stream", ...speech() }, body: blob });
      const data = await answer.json();
      if (!answer.ok) throw new Error(capital(data.error?.text ?? t("page.refused", { status: answer.status })));
      games.replaceChildren(...(data.games.length > 1 ? [list(data)] : []));
      opener.open = false;
      await show(data.games[0]);
    } catch (error) {
      fault.textContent = error.message;
    }
  }

  function list(data) {
    const select = h("select", { "aria-label": t("replay.games") }, data.games.map((game, i) =>
      h("option", { value: i }, `${i + 1}. ${game.title || game.game_words} (${game.result_words})`)));
    select.addEventListener("change", () => show(data.games[Number(select.value)]));
    return h("label", {}, t(data.more ? "replay.first_games" : "replay.n_games", { n: data.games.length }), select);
  }

  async function show(game) {
    const next = new Desk(game);
    next.edit = (start) => { location.hash = `#/study/game/${[game.game, start, "edit"].map(encodeURIComponent).join("/")}`; };
    const said = Object.entries(game.headers).filter(([key]) => key !== "C" && key !== "MS").map(([key, value]) => `${HEADERS.has(key) ? t(`replay.header.${key}`) : key}: ${value}`);
    place.replaceChildren(h("p", { class: "headers help" }, [game.game_words, ...said, game.result !== "?" && game.result_words].filter(Boolean).join(" · ")), next.element);
    desk?.close();
    desk = next;
    await desk.open();
    desk.element.scrollIntoView({ block: "start", behavior: "smooth" });
  }

  return () => desk?.close();
}

const HEADERS = new Set(["PB", "PW", "EV", "PC", "DT", "RO", "ON", "GC", "LV"]);
