// The order of root moves after a Monte-Carlo search.
#pragma once

#include <vector>

#include "monte_carlo_rules.h"
#include "result.h"

namespace tempo {

// Best first for the seat to move. Ties go to more visits, then to the higher reward, then to the
// move that legal_moves lists first; unvisited moves come last.
void rank_root(std::vector<RootMove>& root, Seat seat, FinalChoice rule, double security);

// Whether the most visited move is also the one with the highest mean reward.
bool is_robust_max(std::vector<RootMove> root, Seat seat);

}  // namespace tempo
