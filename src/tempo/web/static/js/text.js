// The texts of the page, in the language that the browser asks for or that was chosen by hand.

import { memory } from "./dom.js";

export const LANGUAGES = { en: "English", zh: "中文", ja: "日本語" };
const texts = {};
const loaded = new Map(); // parts, by name

function preferred() {
  const chosen = memory.get("language", "");
  const wanted = [chosen, ...(navigator.languages ?? [])].map((tag) => tag.toLowerCase().split("-")[0]);
  return wanted.find((tag) => tag in LANGUAGES) ?? "en";
}

export const language = preferred();

// Loads the texts that all rooms need, or a further part of them; once.
export function load(part = "") {
  if (!loaded.has(part)) {
    const query = new URLSearchParams({ language, ...(part && { part }) });
    loaded.set(part, fetch(`/api/texts?${query}`).then((answer) => answer.json()).then((found) => { Object.assign(texts, found); }));
  }
  return loaded.get(part);
}

// A text by its key with its gaps filled; of a text with a bar, the form for one where n is one.
export function t(key, given = {}) {
  const forms = (texts[key] ?? key).split("|");
  const text = forms.length > 1 && given.n !== 1 ? forms[1] : forms[0];
  return text.replace(/\{(\w+)\}/g, (gap, name) => given[name] ?? gap);
}

// A word by its English name; one without an entry stays as it is.
export const word = (group, name) => texts[`${group}.${name}`] ?? name;

export function choose(tag) {
  memory.set("language", tag);
  location.reload();
}

// Fills what index.html says in English: data-t is the text, data-t-label a name to be read aloud.
export function fillPage(root = document) {
  document.documentElement.lang = language === "zh" ? "zh-Hans" : language;
  for (const element of root.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
  for (const element of root.querySelectorAll("[data-t-label]")) element.setAttribute("aria-label", t(element.dataset.tLabel));
  for (const element of root.querySelectorAll("[data-t-title]")) element.title = t(element.dataset.tTitle);
}
