// A static evaluation of Siguo on a whole position: the worth of each team's pieces on the board,
// in hundredths of a General. The worths are the constants proposed with the 130 station features
// of siguo-rules/1.0; a seat that is out has lost its flag's worth too.
#pragma once

#include "../../evaluator.h"
#include "rules.h"

namespace tempo::siguo {

inline constexpr std::array<int, kinds> worths{100, 90, 72, 50, 42, 28, 22, 18, 40, 52, 45, 100};

struct StaticEvaluator {
  static constexpr bool prefers_batches = false;
  static constexpr int half = 400;  // an advantage of four Generals is worth half a win

  void operator()(std::span<const Position> positions, std::span<Scores> values) const {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const PublicState& state = positions[i].public_state();
      int lead = 0;
      for (int piece = 0; piece < pieces; ++piece) {
        if (!state.on_board(piece)) continue;
        const int worth = worths[positions[i].kind(piece)];
        lead += seats_of[at(piece)] % 2 == 0 ? worth : -worth;
      }
      values[i] = team_scores<Position>(squash(lead, half));
    }
  }
};

}  // namespace tempo::siguo

template <>
struct tempo::StaticEvaluatorOf<tempo::siguo::Position>
    : std::type_identity<tempo::siguo::StaticEvaluator> {};
