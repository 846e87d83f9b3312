// Monte-Carlo tree search over any game. Same seed and simulations, same tree; see
// docs/decisions/0003-monte-carlo-tree.md for the choices.
//
//   MonteCarlo<gomoku::Position> search({.simulations = 10000});
//   SearchResult found = search.search(position);
//   search.advance(found.move);    // keeps what lies below
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../evaluator.h"
#include "../parallel/pool.h"
#include "monte_carlo_descent.h"
#include "monte_carlo_many.h"
#include "monte_carlo_result.h"

namespace tempo {

// E answers for leaves that rollouts did not bring to an end. Each tree has a copy of it, so a copy
// must be safe to call beside another one; with `prefers_batches` a single copy is asked once for
// the leaves of all trees.
template <Game P, Evaluator<P> E = NoEvaluator<P>>
class MonteCarlo {
 public:
  // Throws std::invalid_argument when the settings make no sense or the memory is too small.
  explicit MonteCarlo(const MonteCarloSettings& settings, E evaluator = {})
      : settings_(checked(settings)) {
    const std::size_t bytes = settings.memory / static_cast<std::size_t>(settings.trees);
    trees_.reserve(count());
    for (std::size_t i = 0; i < count(); ++i) {
      MonteCarloSettings own = settings;
      if (own.nodes > 0) own.nodes = std::max<std::int64_t>(share(settings.nodes, i), 1);
      trees_.emplace_back(own, settings.stream + i, bytes);
    }
    evaluators_ = std::vector<E>(evaluator.prefers_batches ? 1 : count(), evaluator);
    pool_ = std::make_unique<Pool>(useful_threads<P>(std::min(settings.threads, settings.trees)));
  }

  // Searches a position with the past that led to it. Goes on with the tree if it stands there,
  // after advance() or an earlier search. `move` is no_move when the game is over.
  SearchResult search(const P& position, const History& past = {});

  // A move was played: the tree below it stays, the rest is given back.
  void advance(Move move) {
    for (auto& tree : trees_) tree.advance(move);
  }
  // As if newly made with this seed.
  void reset(std::uint64_t seed) {
    for (std::size_t i = 0; i < count(); ++i) trees_[i].reset(seed, settings_.stream + i);
  }

  [[nodiscard]] const MonteCarloSettings& settings() const { return settings_; }
  [[nodiscard]] const E& evaluator() const { return evaluators_.front(); }
  [[nodiscard]] std::span<E> evaluators() { return evaluators_; }
  // Visits of the root, kept ones included.
  [[nodiscard]] std::int64_t visits() const {
    std::int64_t sum = 0;
    for (const auto& tree : trees_) sum += tree.root().visits;
    return sum;
  }
  // Of all trees: roots and the children of expanded nodes, visited or not.
  [[nodiscard]] std::int64_t nodes() const {
    std::int64_t sum = 0;
    for (const auto& tree : trees_) sum += tree.tree().listed();
    return sum;
  }
  [[nodiscard]] std::size_t memory_used() const {
    std::size_t sum = 0;
    for (const auto& tree : trees_) sum += tree.tree().bytes();
    return sum;
  }
  [[nodiscard]] std::uint64_t fingerprint() const {
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < count(); ++i) hash = split_mix(hash ^ tree_fingerprint(i));
    return hash;
  }
  [[nodiscard]] std::uint64_t tree_fingerprint(std::size_t tree) const {
    return trees_[tree].tree().fingerprint();
  }
  [[nodiscard]] std::string text(int depth, std::uint32_t least_visits = 1) const {
    return tree_text(trees_[0], depth, least_visits);
  }

 private:
  using Clock = std::chrono::steady_clock;

  static const MonteCarloSettings& checked(const MonteCarloSettings& settings) {
    require_sound(settings);
    return settings;
  }

  [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(settings_.trees); }
  [[nodiscard]] bool late() const {
    const auto now = Clock::now();
    return now >= deadline_ || should_stop(now);
  }
  // Shares out simulations exactly, the first trees taking one more; 0 is no bound.
  [[nodiscard]] std::int64_t share(std::int64_t simulations, std::size_t tree) const {
    if (simulations == 0) return -1;
    const auto trees = static_cast<std::int64_t>(count());
    return simulations / trees + (static_cast<std::int64_t>(tree) < simulations % trees);
  }

  // A simulation adds a node unless it meets the end of a game again: where a tree that holds the
  // whole game has fewer nodes than it may have, as many simulations end the search.
  [[nodiscard]] std::int64_t budget() const {
    const auto [simulations, nodes] = std::pair(settings_.simulations, settings_.nodes);
    return simulations > 0 && nodes > 0 ? std::min(simulations, nodes) : simulations + nodes;
  }

  void grow(std::int64_t simulations);
  void grow_alone(std::size_t tree, std::int64_t simulations);
  void grow_together(std::int64_t simulations);
  void ask(E& evaluator, std::span<const P> leaves, const MoveRows& rows, std::span<Scores> values,
           std::vector<float>& priors);
  void settle();

  MonteCarloSettings settings_;
  std::vector<MonteCarloDescent<P>> trees_;
  std::vector<E> evaluators_;
  std::unique_ptr<Pool> pool_;
  std::vector<std::int64_t> evaluations_;  // by tree
  Clock::time_point deadline_;
};

template <Game P, Evaluator<P> E>
SearchResult MonteCarlo<P, E>::search(const P& position, const History& past) {
  const auto begin = Clock::now();
  deadline_ = settings_.seconds > 0 ? deadline_after(settings_.seconds) : Clock::time_point::max();
  std::int64_t positions = 0;
  for (std::size_t i = 0; i < count(); ++i) {
    trees_[i].start(position, past, std::max<std::int64_t>(share(budget(), i), 0));
    positions += trees_[i].positions();
  }
  evaluations_.assign(count(), 0);
  if (!trees_[0].is_over()) {
    grow(budget());
    if (settings_.final_choice == FinalChoice::RobustMax) settle();
  }
  SearchResult result = monte_carlo_result<P>(trees_, settings_);
  result.positions -= positions;
  for (const std::int64_t evaluations : evaluations_) result.evaluations += evaluations;
  result.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return result;
}

template <Game P, Evaluator<P> E>
void MonteCarlo<P, E>::grow(std::int64_t simulations) {
  if (evaluator().prefers_batches) {
    grow_together(simulations);
  } else {
    pool_->run_anytime(
        static_cast<std::int64_t>(count()),
        [&](std::int64_t i) {
          const auto tree = static_cast<std::size_t>(i);
          grow_alone(tree, share(simulations, tree));
        },
        1);
  }
}

template <Game P, Evaluator<P> E>
void MonteCarlo<P, E>::grow_alone(std::size_t tree, std::int64_t simulations) {
  MonteCarloDescent<P>& descent = trees_[tree];
  std::vector<float> priors;
  StopPoll poll;
  poll.limit(deadline_);
  for (std::int64_t n = 0; n != simulations; ++n) {
    // One simulation at least, however little time there is: some move has to be chosen.
    if (n > 0 && (descent.is_spent() || poll())) return;
    if (const auto scores = descent.descend()) {
      descent.back_up(*scores);
      continue;
    }
    std::array<Scores, 1> value;
    const auto moves = descent.leaf_moves();
    const std::array<std::uint32_t, 2> offsets{0, static_cast<std::uint32_t>(moves.size())};
    ask(evaluators_[tree], {&descent.leaf(), 1}, {moves, offsets}, value, priors);
    ++evaluations_[tree];
    descent.back_up(value[0], priors);
  }
}

template <Game P, Evaluator<P> E>
void MonteCarlo<P, E>::grow_together(std::int64_t simulations) {
  std::vector<std::int64_t> budgets(count());
  for (std::size_t i = 0; i < count(); ++i) budgets[i] = share(simulations, i);
  LeafGatherer<P> gatherer;
  gatherer.begin(budgets);
  std::vector<Scores> values;
  std::vector<float> priors;
  while (!gatherer.gather(trees_, *pool_).empty()) {
    const auto leaves = gatherer.leaves();
    values.resize(leaves.size());
    ask(evaluators_[0], leaves, gatherer.rows(), values, priors);
    gatherer.apply(trees_, *pool_, values, priors);
    if (late()) break;
  }
  evaluations_[0] += gatherer.evaluations();
}

// Values of the leaves, and priors if moves are listed and the evaluator has any.
template <Game P, Evaluator<P> E>
void MonteCarlo<P, E>::ask(E& evaluator, std::span<const P> leaves, const MoveRows& rows,
                           std::span<Scores> values, std::vector<float>& priors) {
  priors.clear();
  if constexpr (PolicyEvaluator<E, P>) {
    if (evaluator.has_policy && !rows.moves.empty()) {
      priors.resize(rows.moves.size());
      return evaluator(leaves, values, rows, priors);
    }
  }
  evaluator(leaves, values);
}

// Robust-max: goes on, a little at a time, while the most visited move is not the best one.
template <Game P, Evaluator<P> E>
void MonteCarlo<P, E>::settle() {
  std::int64_t left = settings_.extra_simulations;
  const std::int64_t step = std::max<std::int64_t>(left / 16, settings_.trees);
  for (auto& tree : trees_) tree.linger();
  while (left > 0 && !late()) {
    if (is_robust_max<P>(trees_)) return;
    grow(std::min(left, step));
    left -= step;
  }
}

}  // namespace tempo
