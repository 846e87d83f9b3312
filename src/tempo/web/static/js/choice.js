// Small questions: in the middle of the page, or at a place of the board.

import { capital, h } from "./dom.js";
import { pictureOf } from "./pieces.js";
import { t } from "./text.js";

// Lets a person pick one of several moves that were entered alike; null when none is wanted. `at` is where
// the question stands (a rectangle of the screen), `layout` and `letters` how its pieces are drawn.
export async function choose(steps, { at = null, layout = null, letters = false } = {}) {
  // Moves are listed from the least to the most: the last is what is mostly meant.
  const answer = await pick(t("ask.which"), steps.toReversed().map((step) => ({
    text: capital(step.choice || step.text), value: String(step.move), picture: step.shows && layout && pictureOf(step.shows, layout, letters),
  })), at);
  return steps.find((step) => String(step.move) === answer) ?? null;
}

// Asks for a yes; what would happen is named on the button.
export async function confirm(question, yes) {
  return (await pick(question, [{ text: yes, value: "yes" }])) === "yes";
}

// The value of the answer {text, value, picture} that was picked; "" when none was.
export function pick(question, answers, at = null) {
  return new Promise((resolve) => {
    const button = ({ text, value, picture }) => h("button", {
      type: "button", class: picture ? "pictured" : answers.length > 1 ? "" : "strong", "aria-label": text, title: text, onclick: () => dialog.close(value),
    }, picture || text);
    const dialog = h("dialog", { class: `ask${at ? " here" : ""}`, "aria-label": question },
      h("h2", { class: at ? "unseen" : "" }, question),
      h("div", { class: "answers" }, answers.map(button),
        h("button", { type: "button", class: "quiet", "aria-label": t("ask.cancel"), onclick: () => dialog.close("") }, at ? "×" : t("ask.cancel"))));
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue);
    });
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close("");
    });
    document.body.append(dialog);
    dialog.showModal();
    if (at) stand(dialog, at);
  });
}

// Puts a question beside a rectangle, within the screen.
function stand(dialog, at) {
  const { width, height } = dialog.getBoundingClientRect();
  const within = (v, size, most) => Math.max(4, Math.min(v, most - size - 4));
  const below = at.bottom + height + 8 < innerHeight;
  dialog.style.setProperty("left", `${within(at.left + at.width / 2 - width / 2, width, innerWidth)}px`);
  dialog.style.setProperty("top", `${within(below ? at.bottom + 4 : at.top - height - 4, height, innerHeight)}px`);
}
