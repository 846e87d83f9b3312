// Gomoku notation. A point is a column letter and a row number from the bottom: h8. A position is
// its rows from the top, `x` and `o` for stones and numbers for runs of empty points, then the seat
// to move: `15/15/.../7x7/15/... o`.
#pragma once

#include <cctype>
#include <charconv>

#include "position.h"

namespace tempo::gomoku {

inline std::string Position::move_text(Move move) const {
  const int point = index(move);
  return std::string(1, static_cast<char>('a' + point % size())) +
         std::to_string(point / size() + 1);
}

inline Move Position::parse_move(std::string_view text) const {
  int row = 0;
  const bool letter = !text.empty() && text[0] >= 'a' && text[0] < 'a' + size();
  const char* end = text.data() + text.size();
  const bool number = letter && text.size() <= 3 && text[1] != '0' &&
                      std::from_chars(text.data() + 1, end, row).ptr == end;
  if (!number || row < 1 || row > size()) {
    throw ParseError("'" + std::string(text) + "' is not a point; expected a letter a to " +
                     std::string(1, static_cast<char>('a' + size() - 1)) + " and a number 1 to " +
                     std::to_string(size()) + ", as in " + move_text(Move{0}));
  }
  const Move move{static_cast<std::uint16_t>((row - 1) * size() + text[0] - 'a')};
  if (!is_legal(move)) throw IllegalMove(why_illegal(move));
  return move;
}

inline std::string Position::why_illegal(Move move) const {
  const std::string where = " (gomoku, move " + std::to_string(stones_ + 1) + ")";
  if (index(move) >= size() * size()) {
    return "move number " + std::to_string(index(move)) +
           " is off the board; numbers go from 0 to " + std::to_string(size() * size() - 1) + where;
  }
  if (const auto end = outcome()) return "the game is over: " + std::string(end->reason) + where;
  if (occupied(index(move))) return move_text(move) + " is occupied" + where;
  return "";
}

inline std::string Position::text() const {
  std::string text;
  for (int y = size() - 1; y >= 0; --y) {
    int run = 0;
    const auto close_run = [&] {
      if (run > 0) text += std::to_string(run);
      run = 0;
    };
    for (int x = 0; x < size(); ++x) {
      const bool first = (*line(0, y) >> (x + margin) & 1U) != 0;
      const bool second = (*line(1, y) >> (x + margin) & 1U) != 0;
      if (!first && !second) {
        ++run;
        continue;
      }
      close_run();
      text += first ? 'x' : 'o';
    }
    close_run();
    text += y > 0 ? "/" : "";
  }
  return text + (index(turn()) == 0 ? " x" : " o");
}

// The stones of one row, left to right. Throws if the row is not exactly `size` points of canonical
// text.
template <class Put>
void parse_row(std::string_view row, int size, int number, Put put) {
  const auto fail = [&](const std::string& what) {
    throw ParseError("row " + std::to_string(number) + " '" + std::string(row) + "': " + what);
  };
  int x = 0;
  bool after_run = false;
  for (std::size_t i = 0; i < row.size();) {
    if (row[i] == 'x' || row[i] == 'o') {
      if (x < size) put(x, row[i] == 'x' ? 0 : 1);
      ++x, ++i, after_run = false;
      continue;
    }
    int run = 0;
    const auto [end, error] = std::from_chars(row.data() + i, row.data() + row.size(), run);
    if (error != std::errc{} || run < 1 || run > size || row[i] == '0' || after_run) {
      fail("expected x, o or the length of a run of empty points");
    }
    i = static_cast<std::size_t>(end - row.data());
    x += run;
    after_run = true;
  }
  if (x != size) fail("it has " + std::to_string(x) + " points; expected " + std::to_string(size));
}

inline Position Position::parse(std::string_view text, const Options& options) {
  Position position(options);
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos || space + 2 != text.size() ||
      (text[space + 1] != 'x' && text[space + 1] != 'o')) {
    throw ParseError(
        "a gomoku position is rows joined by '/', then a space and the seat to move, x or o");
  }
  std::string_view rows = text.substr(0, space);
  for (int y = options.size - 1; y >= 0; --y) {
    const std::size_t slash = rows.find('/');
    if ((slash == std::string_view::npos) != (y == 0)) {
      throw ParseError("expected " + std::to_string(options.size) + " rows joined by '/'");
    }
    parse_row(rows.substr(0, slash), options.size, y + 1,
              [&](int x, int seat) { position.put(seat, y * options.size + x); });
    if (y > 0) rows.remove_prefix(slash + 1);
  }
  for (std::int8_t seat = 0; seat < seats; ++seat) {
    if (position.has_five(seat)) position.winner_ = seat;
  }
  if (const std::string unsound = position.check(); !unsound.empty()) throw ParseError(unsound);
  if ((text.back() == 'o') != (index(position.turn()) == 1)) {
    throw ParseError("the stones say that it is " +
                     std::string(index(position.turn()) ? "o" : "x") + "'s turn, the text says " +
                     text.back());
  }
  return position;
}

inline std::string Position::board() const {
  std::string text;
  for (int y = size() - 1; y >= 0; --y) {
    if (y < 9) text += ' ';
    text += std::to_string(y + 1);
    for (int x = 0; x < size(); ++x) {
      const bool first = (*line(0, y) >> (x + margin) & 1U) != 0;
      const bool second = (*line(1, y) >> (x + margin) & 1U) != 0;
      text += first ? " x" : second ? " o" : " .";
    }
    text += '\n';
  }
  text += "  ";
  for (int x = 0; x < size(); ++x) text += std::string(" ") + static_cast<char>('a' + x);
  return text + '\n';
}

}  // namespace tempo::gomoku
