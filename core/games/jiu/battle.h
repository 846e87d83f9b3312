// Battles played out by engines: what an engine is, and whole games between two of them.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "../../stop.h"
#include "rules.h"

namespace tempo::jiu {

// The moves of one turn, in the order in which they are played.
using Turn = std::vector<Move>;

// A player of the battle, turn by turn. An engine may keep what it likes between turns of one game;
// another game gets another engine, so that threads share nothing.
class BattleEngine {
 public:
  BattleEngine() = default;
  BattleEngine(const BattleEngine&) = delete;
  BattleEngine& operator=(const BattleEngine&) = delete;
  virtual ~BattleEngine() = default;

  // The rest of the turn of the seat to move, in a battle that is not over.
  virtual void choose(const Position& position, const History& past, Random& random,
                      Turn& turn) = 0;
};

using EngineMaker = std::function<std::unique_ptr<BattleEngine>()>;

// Any legal move, each as likely as the next, until the turn is over.
class RandomBattle final : public BattleEngine {
 public:
  void choose(const Position& position, const History& /*past*/, Random& random,
              Turn& turn) override {
    Position now = position;
    turn.clear();
    do {
      turn.push_back(now.random_move(random));
      now.play(turn.back());
    } while (now.in_turn());
  }
};

struct BattleResult {
  Outcome outcome;
  int plies = 0;            // turns of this battle
  std::vector<Move> moves;  // all of them, if they were asked for
};

// Plays a battle to its end, engine by seat.
inline BattleResult play_battle(Position position, History past,
                                const std::array<EngineMaker, 2>& makers, Random& random,
                                bool keep_moves) {
  const std::array<std::unique_ptr<BattleEngine>, 2> engines = {makers[0](), makers[1]()};
  Turn turn;
  BattleResult result;
  StopPoll poll(16);
  for (;;) {
    poll.check();
    if (const auto end = tempo::outcome(position, past)) {
      throw_if_stopped();  // a search that was stopped plays on, but worse
      result.outcome = *end;
      return result;
    }
    engines[static_cast<std::size_t>(index(position.turn()))]->choose(position, past, random, turn);
    for (const Move move : turn) tempo::play(position, past, move);
    if (keep_moves) result.moves.insert(result.moves.end(), turn.begin(), turn.end());
    ++result.plies;
  }
}

}  // namespace tempo::jiu
