// Jiu planes [7, size, size], row 0 at the top:
//   0 own stones, 1 opposing stones, 2 the stone that moves in an unfinished turn,
//   3 captures still due / 4, 4 battle, 5 the seat flies, 6 the opponent flies (whole planes).
#pragma once

#include <algorithm>

#include "../../game_features.h"
#include "rules.h"

namespace tempo {

template <>
struct Features<jiu::Position> {
  static constexpr int planes = 7;
  static constexpr std::array<int, 1> scaled{3};

  static std::array<int, 3> shape(const jiu::Options& options) {
    return {planes, options.size(), options.size()};
  }

  static void write(const jiu::Position& position, Seat seat, float* out) {
    const int area = position.size() * position.size();
    const int own = index(seat);
    std::fill_n(out, planes * area, 0.0F);
    for (int side = 0; side < 2; ++side) {
      position.stones(side == 0 ? own : 1 - own).each([&](jiu::Cell cell) {
        out[side * area + position.cell_point(cell)] = 1.0F;
      });
    }
    if (position.in_turn()) out[2 * area + position.cell_point(position.mover())] = 1.0F;
    const bool battle = position.stage() == jiu::Stage::Battle;
    std::fill_n(out + 3 * area, area, static_cast<float>(position.due()) / 4.0F);
    std::fill_n(out + 4 * area, area, battle ? 1.0F : 0.0F);
    std::fill_n(out + 5 * area, area, battle && position.flies(own) ? 1.0F : 0.0F);
    std::fill_n(out + 6 * area, area, battle && position.flies(1 - own) ? 1.0F : 0.0F);
  }

  static int transformed(const jiu::Options& options, int i, int symmetry) {
    const int size = options.size();
    const int area = size * size;
    int row = i % area / size;
    int column = i % size;
    if ((symmetry & 1) != 0) std::swap(row, column);
    if ((symmetry & 2) != 0) row = size - 1 - row, column = size - 1 - column;
    return i / area * area + row * size + column;
  }
};

}  // namespace tempo
