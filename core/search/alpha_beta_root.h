// The moves at the root of an alpha-beta search.
#pragma once

#include <cstdint>
#include <vector>

#include "../game.h"
#include "alpha_beta_value.h"

namespace tempo {

struct RootEntry {
  Move move = no_move;
  Value value = -infinite;
  std::int64_t visits = 0;
};

// Leaves the first, which is the best, where it stands; equal ones keep their order.
void sort_behind_first(std::vector<RootEntry>& root);

}  // namespace tempo
