// What the tests of alpha-beta share: an evaluator of arbitrary numbers, random positions, and a
// look at the principal line.
#pragma once

#include <doctest/doctest.h>

#include <span>
#include <vector>

#include "search/alpha_beta.h"

namespace tempo::alpha_beta_tests {

inline constexpr std::uint64_t seed = 20260;

// Stands in for an evaluator: an arbitrary number that depends on the whole position. Few different
// numbers, so that ties and cut-offs at equality are common.
template <Game P, bool Batches>
struct HashEvaluator {
  static constexpr bool prefers_batches = Batches;
  std::uint64_t salt = 0;
  int calls = 0;

  [[nodiscard]] HashEvaluator fork() const { return *this; }
  void operator()(std::span<const P> positions, std::span<Scores> values) {
    ++calls;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const auto number = static_cast<int>(split_mix(positions[i].key() + salt) % 41) - 20;
      values[i] = team_scores<P>(static_cast<float>(number) / 20.0F);
    }
  }
};

// Steps that keep the value of minimax: each alone, and all together.
inline std::vector<AlphaBetaSteps> exact_steps() {
  constexpr int AlphaBetaSteps::* exact[] = {
      &AlphaBetaSteps::aspiration, &AlphaBetaSteps::counters, &AlphaBetaSteps::continuation,
      &AlphaBetaSteps::malus,      &AlphaBetaSteps::stands,   &AlphaBetaSteps::ageing};
  std::vector<AlphaBetaSteps> found;
  AlphaBetaSteps all;
  for (const auto step : exact) {
    AlphaBetaSteps one;
    one.*step = all.*step = 60;  // as a window, narrower than most steps of the evaluator
    found.push_back(one);
  }
  found.push_back(all);
  return found;
}
inline AlphaBetaSteps all_steps() {
  AlphaBetaSteps steps;
  for (const StepName& step : step_names) steps.*step.step = step.usual;
  return steps;
}

template <Game P>
float team0_score(const Scores& scores) {
  for (int s = 0; s < P::seats; ++s) {
    const auto seat = Seat{static_cast<std::uint8_t>(s)};
    if (index(P::team_of(seat)) == 0) return scores[static_cast<std::size_t>(s)];
  }
  return 0;
}

template <Game P>
P random_position(const P& start, int moves, Random& random) {
  P position = start;
  for (int i = 0; i < moves; ++i) {
    P next = position;
    if (const Move move = random_move(next, random); move != no_move) next.play(move);
    if (next.outcome()) break;
    position = next;
  }
  return position;
}

template <Game P>
P after(P position, const std::vector<Move>& line) {
  for (const Move move : line) {
    REQUIRE(position.is_legal(move));
    position.play(move);
  }
  return position;
}

// The result's scores are those of the position at the end of its line.
template <Game P, class E>
void check_line(const P& root, const SearchResult& result, E& evaluator) {
  REQUIRE(!result.line.empty());
  CHECK(result.line[0] == result.move);
  const P leaf = after(root, result.line);
  Scores scores{};
  if (const auto end = leaf.outcome()) {
    scores = end->scores;
  } else {
    evaluator(std::span<const P>(&leaf, 1), std::span<Scores>(&scores, 1));
  }
  CHECK(value_of_score(team0_score<P>(result.scores)) == value_of_score(team0_score<P>(scores)));
}

}  // namespace tempo::alpha_beta_tests
