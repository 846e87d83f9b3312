// A battle engine that looks ahead: alpha-beta over whole turns with a weighted sum of terms, on a
// budget of positions for each search, so that a battle depends on nothing but its start.
#pragma once

#include <cstdint>

#include "../../search/alpha_beta.h"
#include "battle.h"
#include "terms.h"

namespace tempo::jiu {

class SearchBattle final : public BattleEngine {
 public:
  using Evaluator = LinearEvaluator<Position>;

  SearchBattle(std::int64_t positions, const Evaluator& evaluator)
      : evaluator_(evaluator), search_(settings(positions), evaluator_) {}

  // The turn of the line found. A small budget may cut it short: then its rest is searched too.
  void choose(const Position& position, const History& past, Random& /*random*/,
              Turn& turn) override {
    Position now = position;
    History path = past;
    turn.clear();
    do {
      for (const Move move : search_.search(now, path).line) {
        turn.push_back(move);
        tempo::play(now, path, move);
        if (!now.in_turn()) return;
      }
    } while (now.in_turn());
  }

 private:
  static AlphaBetaSettings settings(std::int64_t positions) {
    AlphaBetaSettings settings;
    settings.positions = positions;
    settings.table_bytes = std::size_t{1} << 18;  // ample for a few thousand positions
    return settings;
  }

  Evaluator evaluator_;
  AlphaBeta<Position, Evaluator> search_;
};

}  // namespace tempo::jiu
