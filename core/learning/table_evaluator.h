// Learnt values as an evaluator: a position is looked up by what its seat to move may know.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "../any_game.h"
#include "value_table.h"

namespace tempo {

// Scores of positions that lie side by side. Values of a table belong to the seat to move; a
// position that is not stored is even. Nobody may write to the table meanwhile.
inline void read_scores(const ValueTable& table, const AnyGame& game, const void* positions,
                        std::span<Scores> values) {
  const auto* position = static_cast<const std::byte*>(positions);
  for (Scores& scores : values) {
    const float stored = table.find(game.input_key(position)).value;
    scores = game.scores_by_team_of(game.turn(position), std::clamp(stored, -1.0F, 1.0F));
    position += game.size;
  }
}

}  // namespace tempo
