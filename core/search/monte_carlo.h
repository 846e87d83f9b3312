// Monte-Carlo tree search over any game. Same seed and simulations, same tree; see
// docs/decisions/0003-monte-carlo-tree.md for the choices.
//
//   MonteCarlo<gomoku::Position> search({.simulations = 10000});
//   SearchResult found = search.search(position);
//   search.advance(found.move);    // keeps what lies below
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../evaluator.h"
#include "../function_ref.h"
#include "../parallel/pool.h"
#include "monte_carlo_many.h"
#include "monte_carlo_policy.h"
#include "monte_carlo_result.h"
#include "search_tree.h"

namespace tempo {

// Positions side by side, to be evaluated by the evaluator of a tree: their values, and the priors
// of the moves in `rows`, empty if there is no opinion on them.
struct LeafQuestion {
  std::size_t tree;
  const void* positions;
  std::size_t count;
  const MoveRows& rows;
  std::span<Scores> values;
  std::vector<float>& priors;
};

// The search of any game, with evaluators that lie with the caller.
class AnyMonteCarlo {
 public:
  using Ask = FunctionRef<void(const LeafQuestion&)>;

  // Throws std::invalid_argument when the settings make no sense or the memory is too small.
  AnyMonteCarlo(const TreeGame& game, const MonteCarloSettings& settings);

  // Searches a position with the past that led to it. Goes on with the trees if they stand there,
  // after advance() or an earlier search. `move` is no_move when the game is over. With `together`,
  // the evaluator of tree 0 is asked once for the leaves of all trees.
  SearchResult search(const void* position, const History& past, bool together, Ask ask);

  // A move was played: the tree below it stays, the rest is given back.
  void advance(Move move) {
    for (auto& tree : trees_) tree->advance(move);
  }
  // As if newly made with this seed.
  void reset(std::uint64_t seed) {
    for (std::size_t i = 0; i < count(); ++i) trees_[i]->reset(seed, settings_.stream + i);
  }

  [[nodiscard]] const MonteCarloSettings& settings() const { return settings_; }
  // Visits of the root, kept ones included.
  [[nodiscard]] std::int64_t visits() const;
  // Of all trees: roots and the children of expanded nodes, visited or not.
  [[nodiscard]] std::int64_t nodes() const;
  [[nodiscard]] std::size_t memory_used() const;
  [[nodiscard]] std::uint64_t fingerprint() const;
  [[nodiscard]] std::uint64_t tree_fingerprint(std::size_t tree) const {
    return trees_[tree]->fingerprint();
  }
  [[nodiscard]] std::string text(int depth, std::uint32_t least_visits = 1) const {
    return trees_[0]->text(depth, least_visits);
  }

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(settings_.trees); }
  [[nodiscard]] bool late() const;
  [[nodiscard]] std::int64_t share(std::int64_t simulations, std::size_t tree) const;
  [[nodiscard]] std::int64_t budget() const;

  void grow(std::int64_t simulations, bool together, const Ask& ask);
  void grow_alone(std::size_t tree, std::int64_t simulations, const Ask& ask);
  void grow_together(std::int64_t simulations, const Ask& ask);
  void settle(bool together, const Ask& ask);

  const AnyGame* game_;
  MonteCarloSettings settings_;
  std::vector<std::unique_ptr<SearchTree>> trees_;
  std::unique_ptr<Pool> pool_;
  std::vector<std::int64_t> evaluations_;  // by tree
  Clock::time_point deadline_;
};

// E answers for leaves that rollouts did not bring to an end. Each tree has a copy of it, so a copy
// must be safe to call beside another one; with `prefers_batches` a single copy is asked once for
// the leaves of all trees.
template <Game P, Evaluator<P> E = NoEvaluator<P>>
class MonteCarlo : public AnyMonteCarlo {
 public:
  explicit MonteCarlo(const MonteCarloSettings& settings, E evaluator = {})
      : AnyMonteCarlo(tree_game<P>, settings),
        evaluators_(evaluator.prefers_batches ? 1 : static_cast<std::size_t>(settings.trees),
                    evaluator) {}

  SearchResult search(const P& position, const History& past = {}) {
    return AnyMonteCarlo::search(
        &position, past, evaluators_.front().prefers_batches,
        [this](const LeafQuestion& question) { ask(evaluators_[question.tree], question); });
  }

 private:
  static void ask(E& evaluator, const LeafQuestion& question) {
    const std::span<const P> leaves(static_cast<const P*>(question.positions), question.count);
    question.priors.clear();
    if constexpr (PolicyEvaluator<E, P>) {
      if (evaluator.has_policy && !question.rows.moves.empty()) {
        question.priors.resize(question.rows.moves.size());
        return evaluator(leaves, question.values, question.rows, question.priors);
      }
    }
    evaluator(leaves, question.values);
  }

  std::vector<E> evaluators_;
};

}  // namespace tempo
