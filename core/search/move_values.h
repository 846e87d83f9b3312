// What moves are worth to their player, in games that say so: rollouts that are cut short can
// then be valued by what was won on the way, without an evaluator.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>

#include "../any_game.h"

namespace tempo {

// Specialised where a game has values of moves, and included wherever that game is searched.
template <Game P>
struct MoveValues;

template <class P>
concept MoveValued = Game<P> && requires(P& position, Move move) {
  // Plays a legal move and says what it was worth to the team that played it. Moves that end the
  // game need no value: its scores are exact.
  { MoveValues<P>::play(position, move) } -> std::same_as<double>;
  // A lead of so much counts as a won game.
  { MoveValues<P>::won } -> std::convertible_to<double>;
};

// What the moves of each team were worth since clear().
class Winnings {
 public:
  void clear() { by_team_.fill(0); }
  template <MoveValued P>
  void play(P& position, Move move) {
    double& own = by_team_[static_cast<std::size_t>(index(P::team_of(position.turn())))];
    own += MoveValues<P>::play(position, move);
  }

  // A team's lead over the mean of the others, cut at a won game.
  [[nodiscard]] Scores scores(const AnyGame& game, double won) const {
    double all = 0;
    for (int t = 0; t < game.teams; ++t) all += by_team_[static_cast<std::size_t>(t)];
    Scores scores{};
    for (std::size_t s = 0; s < static_cast<std::size_t>(game.seats); ++s) {
      const double own = by_team_[game.team[s]];
      const double lead = own - (all - own) / (game.teams - 1);
      scores[s] = static_cast<float>(std::clamp(lead / won, -1.0, 1.0));
    }
    return scores;
  }

 private:
  std::array<double, max_seats> by_team_{};
};

}  // namespace tempo
