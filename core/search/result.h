// What every search hands back.
#pragma once

#include <cstdint>
#include <vector>

#include "../game.h"

namespace tempo {

// No budget of time is longer, so that deadlines stay within what a clock can count.
inline constexpr double longest_seconds = 1e9;

// One move at the root: how much was spent below it and what it is worth to each seat.
struct RootMove {
  Move move = no_move;
  std::int64_t visits = 0;  // simulations (Monte-Carlo) or positions (alpha-beta)
  Scores scores{};
};

struct SearchResult {
  Move move = no_move;
  Scores scores{};
  std::vector<Move> line;      // principal variation, beginning with `move`
  std::vector<RootMove> root;  // best first
  int depth = 0;               // deepest completed iteration, or length of `line` in a tree search
  std::int64_t positions = 0;  // positions visited
  std::int64_t evaluations = 0;  // positions handed to the evaluator
  double seconds = 0;            // wall time
};

}  // namespace tempo
