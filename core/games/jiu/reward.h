// What a placement earns (Li et al. 2019, Tables 2 to 4): the point, what the stone can do, and the
// shapes it completes. The paper names the terms and their numbers; what they mean in a position is
// settled here, and docs/learners/tabular.md says where the paper leaves it open.
#pragma once

#include <algorithm>
#include <cstdint>

#include "board.h"
#include "chain.h"
#include "shapes.h"

namespace tempo::jiu {

// What the paper's "chain" is: two stones side by side, or three in a line.
enum class ChainShape : std::uint8_t { Pair, Line };

struct RewardRules {
  bool place = true;            // e1
  bool control = true;          // e2
  bool shape = true;            // e3
  bool unfilled_empty = false;  // unfilled points are empty in battle; if not, they are walls
  ChainShape chain = ChainShape::Pair;
};

inline constexpr double dalian_reward = 1e4;

// The two points whose stones leave before the battle: the marked diagonal of the central cell.
constexpr Board centre_ends(int size) {
  return Board::of(cell_at(size / 2 - 1, size / 2 - 1)) | Board::of(cell_at(size / 2, size / 2));
}

// e1, Table 2: rings around the central cell, whose marked diagonal is worth most.
constexpr double place_reward(int size, Cell cell) {
  const auto steps_off = [size](int at) {
    return at < size / 2 ? size / 2 - 1 - at : at - size / 2;
  };
  switch (std::max(steps_off(row_of(cell)), steps_off(column_of(cell)))) {
    case 0:
      return row_of(cell) == column_of(cell) ? 1e6 : 1e5;
    case 1:
      return 50;
    case 2:
      return 1;
    default:
      return 0;
  }
}

// e2, Table 3: the most that one displacement of the stone on `cell` can do: a step 1, a chain of n
// jumps 5n, becoming part of a live Dalian 10^4 (after a step, or wherever a chain may stop).
// `own` holds the stone; points in none of the three sets are walls.
inline double control_reward(const Board& own, const Board& enemy, const Board& empty, Cell cell) {
  const Board others = own - Board::of(cell);
  const Board vacated = empty | Board::of(cell);
  double best = 0;
  const auto reach = [&](Cell to, const Board& free, double worth) {
    const bool builds = in_dalian(others | Board::of(to), free - Board::of(to), to);
    best = std::max(best, builds ? dalian_reward : worth);
  };
  for (std::size_t direction = 0; direction < 4; ++direction) {
    const int to = cell + ways[direction];
    if (to >= 0 && to < 256 && empty.has(static_cast<Cell>(to))) {
      reach(static_cast<Cell>(to), vacated, 1);
    }
  }
  const Chain start{others, enemy, {}, {}, cell, cell};
  const Board landings = vacated | enemy;  // enemy points only once they are empty
  walk_chains(start, landings, Options{}, [&](const Chain& chain) {
    reach(chain.at, landings - chain.enemy, 5.0 * chain.jumps);
    return false;
  });
  return best;
}

// e3, Table 4: 2 for every new chain, 2 for every new triangle (a cell of exactly three own stones
// and an unfilled point), 10^4 if the stone is part of a live Dalian. A shape is new if the stone
// on `cell` belongs to it. Chains and triangles are read on the board as it stands, with
// `unfilled`; Dalians on the board of the battle, with the stones `own_later` and the points
// `empty`.
inline double shape_reward(const Board& own, const Board& unfilled, const Board& own_later,
                           const Board& empty, Cell cell, ChainShape chain) {
  const Board before = own - Board::of(cell);
  const int chains = chain == ChainShape::Pair ? count_pairs(own) - count_pairs(before)
                                               : count_chains(own) - count_chains(before);
  const int triangles = count_gates(own, unfilled) - count_gates(before, unfilled);
  const double dalian = in_dalian(own_later, empty, cell) ? dalian_reward : 0;
  return 2.0 * chains + 2.0 * triangles + dalian;
}

// e1 + e2 + e3 for a stone just placed on `cell`, on a board of this size. A stone on an end of the
// marked diagonal is not there in battle, so it controls nothing.
inline double reward(const Board& own, const Board& enemy, int size, Cell cell,
                     const RewardRules& rules) {
  const Board ends = centre_ends(size);
  const Board unfilled = Board::field(size) - own - enemy;
  const Board empty = rules.unfilled_empty ? ends | unfilled : ends;
  double sum = rules.place ? place_reward(size, cell) : 0;
  if (rules.control && !ends.has(cell)) {
    sum += control_reward(own - ends, enemy - ends, empty, cell);
  }
  if (rules.shape) sum += shape_reward(own, unfilled, own - ends, empty, cell, rules.chain);
  return sum;
}

}  // namespace tempo::jiu
