// Learnt values as an evaluator: a position is looked up by what its seat to move may know.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "../evaluator.h"
#include "value_table.h"

namespace tempo {

// The key under which a table keeps a position: its own, or in a hidden game that of the view of
// the seat to move.
template <Game P>
std::uint64_t input_key(const P& position) {
  if constexpr (Hidden<P>) {
    return position.view(position.turn()).key();
  } else {
    return position.key();
  }
}

// Values of a table belong to the seat to move; a position that is not stored is even. Nobody may
// write to the table meanwhile.
template <Game P>
void read_scores(const ValueTable& table, std::span<const P> positions, std::span<Scores> values) {
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const float stored = table.find(input_key(positions[i])).value;
    const float mover = std::clamp(stored, -1.0F, 1.0F);
    values[i] = scores_by_team_of<P>(positions[i].turn(), mover);
  }
}

}  // namespace tempo
