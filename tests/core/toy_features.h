// What a learner sees of the toy: [3, 4, 3], rows are seats counted from the one looking on,
// columns their tokens; planes: alive, own rank / 3, chosen in this turn. Made from the View alone.
#pragma once

#include <algorithm>

#include "game_features.h"
#include "toy.h"

namespace tempo {

template <>
struct Features<toy::Position> {
  static std::array<int, 3> shape(const toy::Options&) { return {3, 4, toy::slots}; }

  static void write(const toy::View& view, float* out) {
    std::fill_n(out, 3 * toy::all_tokens, 0.0F);
    for (int token = 0; token < toy::all_tokens; ++token) {
      const int row = (toy::seat_of(token) - index(view.seat()) + 4) % 4;
      float* cell = out + row * toy::slots + token % toy::slots;
      cell[0] = view.public_state().alive(token) ? 1.0F : 0.0F;
      cell[toy::all_tokens] = static_cast<float>(view.ranks()[toy::at(token)]) / 3.0F;
      cell[2 * toy::all_tokens] = view.public_state().chosen() == token ? 1.0F : 0.0F;
    }
  }
};

}  // namespace tempo
