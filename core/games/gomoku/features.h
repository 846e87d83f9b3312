// Gomoku planes [3, size, size], row 0 at the bottom: own stones, opposing stones, and a plane of
// ones when the seat looking on is the one that moved first.
#pragma once

#include <algorithm>

#include "../../game_features.h"
#include "../../nets/lines.h"
#include "rules.h"
#include "terms.h"

namespace tempo {

template <>
struct Features<gomoku::Position> {
  static constexpr std::array<int, 0> scaled{};
  static std::array<int, 3> shape(const gomoku::Options& options) {
    return {3, options.size, options.size};
  }

  static void write(const gomoku::Position& position, Seat seat, float* out) {
    const int size = position.size();
    const int area = size * size;
    const Seat other{static_cast<std::uint8_t>(1 - index(seat))};
    for (int y = 0; y < size; ++y) {
      const std::uint32_t own = position.row(seat, y) >> gomoku::Position::margin;
      const std::uint32_t opposing = position.row(other, y) >> gomoku::Position::margin;
      for (int x = 0; x < size; ++x) {
        out[y * size + x] = static_cast<float>(own >> x & 1U);
        out[area + y * size + x] = static_cast<float>(opposing >> x & 1U);
      }
    }
    std::fill_n(out + 2 * area, area, index(seat) == 0 ? 1.0F : 0.0F);
  }

  static int transformed(const gomoku::Options& options, int i, int symmetry) {
    const int area = options.size * options.size;
    return i / area * area + gomoku::Position::transformed_point(options.size, i % area, symmetry);
  }
};

// For networks of line patterns.
template <>
struct LineBoard<gomoku::Position> {
  static constexpr std::string_view version = "gomoku-lines/1";

  static int size(const gomoku::Position& position) { return position.size(); }
  static std::uint32_t row(const gomoku::Position& position, Seat seat, int y) {
    return position.row(seat, y) >> gomoku::Position::margin;
  }
};

}  // namespace tempo
