// A move in a microsecond, for playing determinizations on.
#pragma once

#include "duels.h"

namespace tempo::siguo {

// A move for the seat to move: mostly the best capture, else anything. Cheap, and as if
// all ranks were open, as is usual for policies that play determinizations on.
inline Move quick_move(const Position& position, Random& random) {
  static constexpr float least = 0.05F;  // a capture worth noticing
  static constexpr double noticed = 0.85;
  const PublicState& state = position.public_state();
  const int seat = state.turn();
  const Set foes = (state.stations_of((seat + 1) & 3) | state.stations_of((seat + 3) & 3)) - camps;
  const bool mine_goes_too = state.options().mine_hit != 0;
  Move best = no_move;
  float highest = least;
  (state.stations_of(seat) - headquarters_of(state.options())).each([&](int from) {
    const Kind own = position.kind(state.occupant(from));
    if ((movable & set_of(own)) == 0) return;
    state.targets(from, own, foes).each([&](int to) {
      const Kind foe = position.kind(state.occupant(to));
      const Battle result = battle(own, foe, mine_goes_too);
      const float gain = (result != Battle::Loses ? piece_worths[foe] : 0.0F) -
                         (result != Battle::Wins ? piece_worths[own] : 0.0F);
      if (gain <= highest) return;
      highest = gain;
      best = move_of(from, to);
    });
  });
  if (best != no_move && random.uniform() < noticed) return best;
  return position.random_move(random);
}

}  // namespace tempo::siguo
