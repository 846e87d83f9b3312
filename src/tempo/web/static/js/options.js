// The rule options of a game as fields, and the game's spec with what was chosen.

import { capital, h } from "./dom.js";
import { t, word } from "./text.js";

export function optionFields(game, changed) {
  const fields = new Map(game.options.map((option) => [option.name, field(option, game.seats, changed)]));
  const profiles = Object.keys(game.profiles ?? {});
  const profile = profiles.length ? h("select", {},
    profiles.map((name) => h("option", { value: name }, capital(word("profile", name).replaceAll("_", " "))))) : null;
  profile?.addEventListener("change", () => {
    const chosen = game.profiles[profile.value];
    for (const option of game.options) fields.get(option.name).value = chosen[option.name] ?? usual(option);
    changed();
  });
  const words = (option) => capital(word("option", option.name).replaceAll("_", " "));
  const element = h("div", { class: "options" },
    profile && h("label", {}, t("new.profile"), profile, h("small", {}, t("new.profile_help"))),
    game.options.map((option) => h("label", {}, words(option), fields.get(option.name), h("small", {}, option.help))));
  return {
    element,
    spec() {
      const given = game.options
        .map((option) => [option, fields.get(option.name).value.trim()])
        .filter(([option, value]) => value && value !== usual(option))
        .map(([option, value]) => `${option.name}=${value}`);
      return given.length ? `${game.name}(${given.join(",")})` : game.name;
    },
  };
}

// What an option is unless it is chosen: its default, or nothing where the table draws lots.
const usual = (option) => (option.lot ? "" : option.default);

// A choice's word for this option, or the one that it has everywhere ("two" is twice or two headquarters).
function choiceName(option, choice) {
  const own = `${option.name}.${choice}`;
  const found = word("choice", own);
  return (found === own ? word("choice", choice) : found).replaceAll("_", " ");
}

function field(option, seats, changed) {
  if (Array.isArray(option.choices)) {
    const seatOf = (choice) => seats.find((seat) => seat[0].toUpperCase() === choice);
    const words = (choice) => capital(seatOf(choice) ? word("seat", seatOf(choice)) : choiceName(option, choice));
    const select = h("select", { onchange: changed }, option.lot && h("option", { value: "" }, t("new.by_lot")), option.choices.map((choice) => h("option", { value: choice }, words(choice))));
    select.value = usual(option);
    return select;
  }
  const [low, high] = option.choices.split(" to ");
  return h("input", { type: "number", min: low, max: high, value: option.default, oninput: changed });
}
