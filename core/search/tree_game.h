// What a Monte-Carlo tree asks of a game besides its rules: rollouts, which are compiled for each
// game, and what moves are worth.
#pragma once

#include <cstdint>
#include <optional>

#include "../any_game.h"
#include "../random.h"
#include "move_values.h"

namespace tempo {

// A rollout to come: from which position, with which past, and how long.
struct Rollout {
  void* position;
  History& past;
  Random& random;
  int moves;
  bool counts;  // what the moves are worth
  Winnings& winnings;
  std::int64_t& positions;  // how many were reached, by a move each
};

struct TreeGame {
  AnyGame rules;
  double won = 0;                                                        // 0: moves have no values
  void (*play_counted)(void* position, Move move, Winnings&) = nullptr;  // where they have
  // Random moves; the scores if the game ends on the way.
  std::optional<Scores> (*roll_out)(const Rollout& rollout);
};

template <Game P>
std::optional<Scores> roll_out(const Rollout& rollout) {
  P& position = as<P>(rollout.position);
  for (int n = 0; n < rollout.moves; ++n) {
    // One move generation a move: drawing the move tells whether the game is over by itself.
    const Move move = random_move(position, rollout.random);
    if (move == no_move) return position.outcome()->scores;
    if constexpr (Remembers<P>) {
      if (const auto end = position.outcome_by_past(rollout.past)) return end->scores;
    }
    remember(position, rollout.past);
    ++rollout.positions;
    if constexpr (MoveValued<P>) {
      if (rollout.counts) {
        rollout.winnings.play(position, move);
        continue;
      }
    }
    position.play(move);
  }
  const auto end = outcome(position, rollout.past);
  return end ? std::optional(end->scores) : std::nullopt;
}

template <Game P>
constexpr TreeGame make_tree_game() {
  TreeGame game{.rules = make_any_game<P>(), .roll_out = &roll_out<P>};
  if constexpr (MoveValued<P>) {
    game.won = MoveValues<P>::won;
    game.play_counted = [](void* at, Move move, Winnings& winnings) {
      winnings.play(as<P>(at), move);
    };
  }
  return game;
}

template <Game P>
inline constexpr TreeGame tree_game = make_tree_game<P>();

}  // namespace tempo
