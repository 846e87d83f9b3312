#include "options.h"

#include <charconv>
#include <system_error>

namespace tempo {

std::string option_value_text(const OptionRange& range, std::int16_t value) {
  if (range.names.empty()) return std::to_string(value);
  return std::string(range.names[static_cast<std::size_t>(value - range.low)]);
}

std::string option_choices(const OptionRange& range) {
  if (range.names.empty()) return std::to_string(range.low) + " to " + std::to_string(range.high);
  std::string text;
  for (const auto name : range.names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

std::int16_t option_value(std::string_view game, std::string_view name, const OptionRange& range,
                          std::string_view text) {
  for (std::size_t i = 0; i < range.names.size(); ++i) {
    if (range.names[i] == text) return static_cast<std::int16_t>(range.low + static_cast<int>(i));
  }
  std::int16_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  if (range.names.empty() && whole && number >= range.low && number <= range.high) return number;
  throw ParseError("option " + std::string(name) + " of " + std::string(game) + " cannot be '" +
                   std::string(text) + "'; it takes " + option_choices(range));
}

void no_such_option(std::string_view game, std::string_view name, const std::string& known) {
  throw ParseError(std::string(game) + " has no option '" + std::string(name) + "'; " +
                   (known.empty() ? "it has none" : "it has " + known));
}

}  // namespace tempo
