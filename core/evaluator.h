// What a search asks about positions that are not over: a score per seat in [-1, 1] for each of a
// span of positions. One interface, three speeds (design: evaluators): a static function, a small
// dense network in the core, and a batch callback into Python. Nobody is asked about a finished
// game: its scores are exact.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include "game.h"

namespace tempo {

template <class E, class P>
concept Evaluator =
    Game<P> && requires(E& evaluator, std::span<const P> positions, std::span<Scores> values) {
      { evaluator(positions, values) } -> std::same_as<void>;
      // True when many positions in one call are much cheaper than many calls: searches then gather
      // leaves. A constant, unless it is known at run time only.
      { evaluator.prefers_batches } -> std::convertible_to<bool>;
    };

// Evaluators that search on by themselves: told beforehand how many positions a call may visit,
// they say afterwards how many it did, and the search counts them as its own.
template <class E>
concept Visits = requires(E& evaluator, const E& asked, std::int64_t most) {
  { evaluator.allow(most) } -> std::same_as<void>;
  { asked.visited() } -> std::same_as<std::int64_t>;
};

// Evaluators that see some games decided before they end. A distance is a number of moves: positive
// if the seat to move wins, negative if it loses, 0 if nobody can tell. `decided` belongs to the
// position evaluated last, `decide` asks about another that is to be searched so deep; one that
// does not decide says 0 always.
template <class E, class P>
concept Decides = Visits<E> && requires(E& evaluator, const E& asked, const P& position) {
  { asked.decides() } -> std::same_as<bool>;
  { asked.decided() } -> std::same_as<int>;
  { evaluator.decide(position, 1) } -> std::same_as<int>;
};

// Squashes an advantage in a game's own units (centipawns, pattern points) into (-1, 1). Division
// is exactly rounded on every machine, which tanh is not: searches with a static evaluator give one
// signature everywhere.
inline float squash(int advantage, int half) {
  const auto x = static_cast<float>(advantage);
  return x / ((x < 0 ? -x : x) + static_cast<float>(half));
}

// The scores of a zero-sum game from what it is worth to the team of a seat: the other teams share
// what that team does not get.
template <Game P>
Scores scores_by_team_of(Seat seat, float value) {
  const float others = -value / static_cast<float>(teams_of<P>() - 1);
  Scores scores{};
  for (int s = 0; s < P::seats; ++s) {
    const bool own = P::team_of(Seat{static_cast<std::uint8_t>(s)}) == P::team_of(seat);
    scores[static_cast<std::size_t>(s)] = own ? value : others;
  }
  return scores;
}

// The scores of a two-team zero-sum game from the value of team 0.
template <Game P>
Scores team_scores(float team0) {
  Scores scores{};
  for (int s = 0; s < P::seats; ++s) {
    const auto seat = Seat{static_cast<std::uint8_t>(s)};
    scores[static_cast<std::size_t>(s)] = index(P::team_of(seat)) == 0 ? team0 : -team0;
  }
  return scores;
}

// Knows nothing: every unfinished position is even. What a search without an evaluator uses.
template <Game P>
struct NoEvaluator {
  static constexpr bool prefers_batches = false;
  void operator()(std::span<const P>, std::span<Scores> values) const {
    for (auto& value : values) value = Scores{};
  }
};

// Names a game's static evaluator; specialised in its evaluation.h, where it has one.
template <Game P>
struct StaticEvaluatorOf : std::type_identity<NoEvaluator<P>> {};

template <Game P>
inline constexpr bool has_static_evaluator =
    !std::is_same_v<typename StaticEvaluatorOf<P>::type, NoEvaluator<P>>;

}  // namespace tempo
