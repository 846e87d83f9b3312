// What moves are worth to their player, in games that say so: rollouts that are cut short can
// then be valued by what was won on the way, without an evaluator.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>

#include "../game.h"

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
template <Game P>
class Winnings {
 public:
  void clear() { by_team_.fill(0); }
  void play(P& position, Move move)
    requires MoveValued<P>
  {
    double& own = by_team_[place(index(position.turn()))];
    own += MoveValues<P>::play(position, move);
  }

  // A team's lead over the mean of the others, cut at a won game.
  [[nodiscard]] Scores scores() const
    requires MoveValued<P>
  {
    double all = 0;
    for (const double team : by_team_) all += team;
    Scores scores{};
    for (int s = 0; s < P::seats; ++s) {
      const double own = by_team_[place(s)];
      const double lead = own - (all - own) / (teams - 1);
      const double share = std::clamp(lead / MoveValues<P>::won, -1.0, 1.0);
      scores[static_cast<std::size_t>(s)] = static_cast<float>(share);
    }
    return scores;
  }

 private:
  static constexpr int teams = teams_of<P>();
  static constexpr std::size_t place(int seat) {
    return static_cast<std::size_t>(index(P::team_of(Seat{static_cast<std::uint8_t>(seat)})));
  }

  std::array<double, static_cast<std::size_t>(teams)> by_team_{};
};

}  // namespace tempo
