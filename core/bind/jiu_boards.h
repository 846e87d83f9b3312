// What bindings of Jiu's boards share: a board is a row of P numbers, point row * size + column:
// 0 nothing, 1 White's stone, 2 Black's.
#pragma once

#include <cstdint>
#include <string>

#include "../errors.h"
#include "../games/jiu/board.h"
#include "../parallel/pool.h"
#include "arrays.h"

namespace tempo::bind {

using Boards = Copied<std::uint8_t, 2>;

inline std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

inline std::string number(std::size_t n) { return std::to_string(n); }

inline void check_boards(const Boards& boards, int points, std::uint8_t highest, const char* what) {
  if (boards.shape(1) != at(points)) {
    throw ParseError(std::string(what) + " has rows of " + number(boards.shape(1)) +
                     "; expected one entry for each of " + std::to_string(points) + " points");
  }
  for (std::size_t i = 0; i < boards.size(); ++i) {
    if (boards.data()[i] > highest) {
      throw ParseError(std::string(what) + " holds " + std::to_string(boards.data()[i]) +
                       "; expected 0 to " + std::to_string(highest));
    }
  }
}

inline void check_seat(int seat) {
  if (seat == 0 || seat == 1) return;
  throw ParseError("jiu has seats 0 and 1, not " + std::to_string(seat));
}

inline int side_of(std::size_t points) {
  for (int size = 4; size <= jiu::max_size; size += 2) {
    if (at(size * size) == points) return size;
  }
  throw ParseError("no board has " + number(points) + " points; 16, 36, 64, 100, 144 and 196 do");
}

// Calls work(b) for every row, on all threads, without the GIL.
template <class Work>
void each_row(std::size_t rows, int threads, std::int64_t chunk, const Work& work) {
  const nb::gil_scoped_release release;
  Pool pool(threads);
  pool.run(static_cast<std::int64_t>(rows), [&](std::int64_t b) { work(at(b)); }, chunk);
}

}  // namespace tempo::bind
