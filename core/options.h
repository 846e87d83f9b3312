// Rule options: the choices fixed at the start of a game, and their one-line text form
// `name(key=value,...)`, which is the same in code, command line, logs and checkpoints.
//
// A game's Options is a struct of std::int16_t members with `static constexpr std::array fields()`
// describing them; every option is a small integer, with names where numbers would be cryptic.
#pragma once

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "errors.h"

namespace tempo {

template <class Options>
struct OptionField {
  std::string_view name;
  std::string_view help;
  std::int16_t Options::* member;
  std::int16_t low;
  std::int16_t high;
  // names[i] is the value low + i; empty for plain numbers.
  std::span<const std::string_view> names{};
};

inline constexpr std::string_view no_yes[] = {"no", "yes"};

template <class Options>
std::string option_value_text(const OptionField<Options>& field, std::int16_t value) {
  if (field.names.empty()) return std::to_string(value);
  return std::string(field.names[static_cast<std::size_t>(value - field.low)]);
}

template <class Options>
std::string option_choices(const OptionField<Options>& field) {
  if (field.names.empty()) return std::to_string(field.low) + " to " + std::to_string(field.high);
  std::string text;
  for (const auto name : field.names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

// Sets one option from its text. Throws ParseError on an unknown name or a value out of range.
template <class Options>
void set_option(Options& options, std::string_view game, std::string_view name,
                std::string_view value) {
  std::string known;
  for (const auto& field : Options::fields()) {
    known += (known.empty() ? "" : ", ") + std::string(field.name);
    if (field.name != name) continue;
    for (std::size_t i = 0; i < field.names.size(); ++i) {
      if (field.names[i] == value) {
        options.*field.member = static_cast<std::int16_t>(field.low + static_cast<int>(i));
        return;
      }
    }
    std::int16_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    const bool whole = error == std::errc{} && end == value.data() + value.size();
    if (field.names.empty() && whole && number >= field.low && number <= field.high) {
      options.*field.member = number;
      return;
    }
    throw ParseError("option " + std::string(name) + " of " + std::string(game) + " cannot be '" +
                     std::string(value) + "'; it takes " + option_choices(field));
  }
  throw ParseError(std::string(game) + " has no option '" + std::string(name) + "'; " +
                   (known.empty() ? "it has none" : "it has " + known));
}

// `name` or `name(key=value,...)`, listing only what differs from the defaults.
template <class Options>
std::string game_spec(std::string_view game, const Options& options) {
  const Options defaults{};
  std::string inside;
  for (const auto& field : Options::fields()) {
    if (options.*field.member == defaults.*field.member) continue;
    inside += (inside.empty() ? "" : ",") + std::string(field.name) + "=" +
              option_value_text(field, options.*field.member);
  }
  return std::string(game) + (inside.empty() ? "" : "(" + inside + ")");
}

}  // namespace tempo
