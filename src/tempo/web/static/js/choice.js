// A small question in the middle of the page.

import { capital, h } from "./dom.js";

// Lets a person pick one of several moves that were entered alike; null when none is wanted.
export async function choose(steps) {
  // Moves are listed from the least to the most: the last is what is mostly meant.
  const answer = await pick("Which move?", steps.toReversed().map((step) => ({
    text: capital(step.choice || step.text), value: String(step.move),
  })));
  return steps.find((step) => String(step.move) === answer) ?? null;
}

// Asks for a yes; what would happen is named on the button.
export async function confirm(question, yes) {
  return (await pick(question, [{ text: yes, value: "yes" }])) === "yes";
}

// The value of the answer {text, value} that was picked; "" when none was.
export function pick(question, answers) {
  return new Promise((resolve) => {
    const dialog = h("dialog", { class: "ask", "aria-label": question },
      h("h2", {}, question),
      h("div", { class: "answers" },
        answers.map(({ text, value }) => h("button",
          { type: "button", class: "strong", onclick: () => dialog.close(value) }, text)),
        h("button", { type: "button", class: "quiet", onclick: () => dialog.close("") }, "Cancel")));
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue);
    });
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close("");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
