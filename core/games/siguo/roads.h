// How far it is to a seat's flag: costs of the way from every station, fights on it included.
#pragma once

#include "running_belief.h"

namespace tempo::siguo {

using Distances = std::array<int, stations>;
inline constexpr int far_away = 60;

// A railway edge costs 1, a road 2; who stands in the way costs more, mines most, and nobody gets
// past a foe in a camp or through a headquarters. The less likely a headquarters holds the flag,
// the further it is.
inline Distances roads_to_flag(const PublicState& state, int owner, const RunningBelief& belief) {
  const Board& board = state.board();
  Distances tolls{};
  for (int station = 0; station < stations; ++station) {
    const int piece = state.occupant(station);
    if (is_headquarters(station)) tolls[at(station)] = far_away;
    if (piece == none || is_headquarters(station)) continue;
    const bool foe = ((seat_of(piece) ^ owner) & 1) == 0;
    const int mine = static_cast<int>(8 * belief.chance(piece, Mine));
    tolls[at(station)] = !foe ? 2 : is_camp(station) ? far_away : 3 + mine;
  }
  Distances distances{};
  distances.fill(far_away);
  std::array<Set, far_away + 1> waiting{};
  for (const int offset : headquarters_offsets) {
    const int station = arm_size * owner + offset;
    const int piece = state.occupant(station);
    if (piece == none) continue;
    const int cost = static_cast<int>(10 * (1 - belief.chance(piece, Flag)));
    if (cost >= 10) continue;
    distances[at(station)] = cost;
    waiting[at(cost)].add(station);
  }
  for (int cost = 0; cost < far_away; ++cost) {
    while (!waiting[at(cost)].empty()) {
      const int station = waiting[at(cost)].first();
      waiting[at(cost)].flip(station);
      if (distances[at(station)] != cost) continue;
      const int toll = is_headquarters(station) ? 0 : tolls[at(station)];
      board.step[at(station)].each([&](int next) {
        const int length = board.rail[at(station)].has(next) ? 1 : 2;
        const int total = cost + toll + length;
        if (total >= distances[at(next)] || is_headquarters(next)) return;
        distances[at(next)] = total;
        waiting[at(total)].add(next);
      });
    }
  }
  return distances;
}

}  // namespace tempo::siguo
