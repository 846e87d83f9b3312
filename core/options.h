// Rule options: the choices fixed at the start of a game, and their one-line text form
// `name(key=value,...)`, which is the same in code, command line, logs and checkpoints.
//
// A game's Options is a struct of std::int16_t members with `static constexpr std::array fields()`
// describing them; every option is a small integer, with names where numbers would be cryptic.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "errors.h"

namespace tempo {

// What the value of an option may be: low to high.
struct OptionRange {
  std::int16_t low;
  std::int16_t high;
  // names[i] is the value low + i; empty for plain numbers.
  std::span<const std::string_view> names{};
};

template <class Options>
struct OptionField {
  std::string_view name;
  std::string_view help;
  std::int16_t Options::* member;
  std::int16_t low;
  std::int16_t high;
  std::span<const std::string_view> names{};

  [[nodiscard]] OptionRange range() const { return {low, high, names}; }
};

inline constexpr std::string_view no_yes[] = {"no", "yes"};

std::string option_value_text(const OptionRange& range, std::int16_t value);
std::string option_choices(const OptionRange& range);
// Throws ParseError on a value out of range.
std::int16_t option_value(std::string_view game, std::string_view name, const OptionRange& range,
                          std::string_view text);
// Throws ParseError: the game has no such option. `known` names those it has.
[[noreturn]] void no_such_option(std::string_view game, std::string_view name,
                                 const std::string& known);

// Sets one option from its text. Throws ParseError on an unknown name or a value out of range.
template <class Options>
void set_option(Options& options, std::string_view game, std::string_view name,
                std::string_view value) {
  std::string known;
  for (const auto& field : Options::fields()) {
    if (field.name == name) {
      options.*field.member = option_value(game, name, field.range(), value);
      return;
    }
    known.append(known.empty() ? "" : ", ").append(field.name);
  }
  no_such_option(game, name, known);
}

// `name` or `name(key=value,...)`, listing only what differs from the defaults.
template <class Options>
std::string game_spec(std::string_view game, const Options& options) {
  const Options defaults{};
  std::string spec(game);
  for (const auto& field : Options::fields()) {
    if (options.*field.member == defaults.*field.member) continue;
    spec.append(spec.size() == game.size() ? "(" : ",").append(field.name).append("=");
    spec.append(option_value_text(field.range(), options.*field.member));
  }
  if (spec.size() > game.size()) spec.append(")");
  return spec;
}

}  // namespace tempo
