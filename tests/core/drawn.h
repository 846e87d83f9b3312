// Positions of Gomoku as they are drawn.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "games/gomoku/rules.h"

namespace tempo::testing {

// A gomoku position drawn as a board, top row first; whose turn it is follows from the stones.
inline gomoku::Position drawn(std::initializer_list<std::string_view> rows) {
  std::string text;
  int stones = 0;
  for (const auto row : rows) {
    if (!text.empty()) text += '/';
    int run = 0;
    for (const char c : row) {
      if (c == ' ') continue;
      if (c == '.') {
        ++run;
        continue;
      }
      if (run > 0) text += std::to_string(run);
      run = 0;
      text += c;
      ++stones;
    }
    if (run > 0) text += std::to_string(run);
  }
  const auto size = static_cast<std::int16_t>(rows.size());
  return gomoku::Position::parse(text + (stones % 2 == 0 ? " x" : " o"), {.size = size});
}

}  // namespace tempo::testing
