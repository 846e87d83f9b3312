// What the tests of Monte-Carlo search share: settings, an evaluator of arbitrary numbers, an empty
// board.
#pragma once

#include <span>

#include "games/gomoku/rules.h"
#include "search/monte_carlo.h"
#include "toy.h"

namespace tempo::monte_carlo_tests {

inline constexpr std::uint64_t seed = 11;

inline gomoku::Position gomoku_start(int size) {
  return gomoku::Position::start({.size = static_cast<std::int16_t>(size)});
}

// Stands in for a network: values and priors are a hash of the position, in eighths and sixteenths
// so that sums are exact.
template <Game P, bool Batches = false>
struct HashEvaluator {
  static constexpr bool prefers_batches = Batches;
  static constexpr bool has_policy = true;
  void operator()(std::span<const P> positions, std::span<Scores> values) const {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const auto bits = split_mix(positions[i].key()) >> 60;
      values[i] = team_scores<P>(static_cast<float>(bits) / 8.0F - 1.0F);
    }
  }
  void operator()(std::span<const P> positions, std::span<Scores> values, const MoveRows& rows,
                  std::span<float> priors) const {
    (*this)(positions, values);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t k = rows.offsets[i]; k < rows.offsets[i + 1]; ++k) {
        const auto move = static_cast<std::uint64_t>(rows.moves[k]);
        priors[k] = static_cast<float>(split_mix(positions[i].key() ^ move) >> 60) + 1.0F;
      }
    }
  }
};
static_assert(PolicyEvaluator<HashEvaluator<toy::Position>, toy::Position>);
static_assert(!PolicyEvaluator<NoEvaluator<toy::Position>, toy::Position>);

inline std::int64_t sum_of_visits(const SearchResult& result) {
  std::int64_t sum = 0;
  for (const auto& move : result.root) sum += move.visits;
  return sum;
}

template <Game P, class E = NoEvaluator<P>>
SearchResult search(const P& position, const MonteCarloSettings& settings, E evaluator = {}) {
  return MonteCarlo<P, E>(settings, evaluator).search(position);
}

inline MonteCarloSettings settings_of(std::int64_t simulations) {
  MonteCarloSettings settings;
  settings.simulations = simulations;
  settings.seed = seed;
  settings.memory = 64 << 20;
  return settings;
}

inline MonteCarloSettings guided(std::int64_t simulations) {
  MonteCarloSettings settings = settings_of(simulations);
  settings.selection = Selection::Puct;
  settings.exploration = 1.25;
  settings.rollout_moves = 0;
  return settings;
}

}  // namespace tempo::monte_carlo_tests
