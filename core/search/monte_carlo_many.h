// Leaves gathered over many games: trees that take a step together, so that a costly
// evaluator (a network, Python) is called once for all of them.
//
//   many.begin(positions);
//   while (!many.gather().empty()) {          // leaves() and rows() say what is asked
//     ... values[i] for leaves()[i], priors[k] for rows().moves[k] ...
//     many.apply(values, priors);
//   }
//   many.result(game);
//
// Between gather and apply nothing runs, so a binding may take and release locks around each step.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "../parallel/pool.h"
#include "monte_carlo_policy.h"
#include "search_tree.h"

namespace tempo {

// The step itself, over trees that someone else owns. A tree has one leaf open at a time, so each
// tree grows exactly as it would alone, whatever the others do and however many threads help.
class LeafGatherer {
 public:
  explicit LeafGatherer(const AnyGame& game) : leaves_(game) {}

  // How many simulations each tree still runs; -1: no bound.
  void begin(std::span<const std::int64_t> budgets);

  // Runs every tree up to its next leaf that is not the end of a game. None has one when all
  // budgets are spent; trees that were stopped on the way have no leaf. Returns how many have.
  std::size_t open(SearchTree::Trees trees, Pool& pool);
  // The same, with the leaves themselves.
  const AnyPositions& gather(SearchTree::Trees trees, Pool& pool);

  // `values` as many as leaves; `priors` as many as rows().moves, or none for equal ones. Throws
  // std::invalid_argument on any other number.
  void apply(SearchTree::Trees trees, Pool& pool, std::span<const Scores> values,
             std::span<const float> priors);

  [[nodiscard]] const AnyPositions& leaves() const { return leaves_; }
  [[nodiscard]] std::span<const std::int32_t> owners() const {
    return owners_;
  }  // tree of each leaf
  [[nodiscard]] MoveRows rows() const { return {moves_, offsets_}; }
  [[nodiscard]] std::int64_t evaluations() const { return evaluations_; }
  // Of one tree, since begin().
  [[nodiscard]] std::int64_t evaluations(std::size_t tree) const { return asked_[tree]; }

 private:
  void forget();
  static bool to_leaf(SearchTree& tree, std::int64_t& left);

  std::vector<std::int64_t> left_;
  std::vector<char> open_;
  std::vector<std::int64_t> asked_;  // by tree
  AnyPositions leaves_;
  std::vector<std::int32_t> owners_;
  std::vector<Move> moves_;
  std::vector<std::uint32_t> offsets_;
  std::int64_t evaluations_ = 0;
};

// Searches of many games side by side, one tree each. Game i draws from Random(seed, stream + i)
// and equals a MonteCarlo of that stream with the same evaluator. `settings.memory` is for all
// games together and `nodes` for each; `seconds` and `extra_simulations` are not used: the
// caller may stop after any step.
class AnyManySearch {
 public:
  AnyManySearch(const TreeGame& game, const MonteCarloSettings& settings, int games);

  [[nodiscard]] int games() const { return static_cast<int>(trees_.size()); }

  // New budgets. A game whose position is where its tree stands keeps that tree. `positions` are
  // side by side, `pasts` as many as games or none. Games that are over take no part.
  void begin(const void* positions, std::span<const History> pasts);
  // The same with as many simulations in each game as `budgets` say, and with new random streams:
  // game i draws from Random(seeds[i], 0), so that a search depends on nothing before it.
  void begin(const void* positions, std::span<const History> pasts,
             std::span<const std::int64_t> budgets, std::span<const std::uint64_t> seeds = {});
  // Without copying leaves: `tree(owners()[i]).leaf()` is the i-th.
  std::size_t open() { return gatherer_.open(trees_, *pool_); }
  [[nodiscard]] const SearchTree& tree(std::size_t game) const { return *trees_[game]; }
  [[nodiscard]] Pool& pool() { return *pool_; }
  [[nodiscard]] const MonteCarloSettings& settings() const { return settings_; }
  const AnyPositions& gather() { return gatherer_.gather(trees_, *pool_); }
  [[nodiscard]] const AnyPositions& leaves() const { return gatherer_.leaves(); }
  [[nodiscard]] std::span<const std::int32_t> owners() const { return gatherer_.owners(); }
  [[nodiscard]] MoveRows rows() const { return gatherer_.rows(); }
  void apply(std::span<const Scores> values, std::span<const float> priors = {}) {
    gatherer_.apply(trees_, *pool_, values, priors);
  }

  [[nodiscard]] SearchResult result(int game) const;
  void advance(int game, Move move) { trees_[static_cast<std::size_t>(game)]->advance(move); }
  [[nodiscard]] std::int64_t evaluations() const { return gatherer_.evaluations(); }
  [[nodiscard]] std::uint64_t fingerprint(int game) const {
    return trees_[static_cast<std::size_t>(game)]->fingerprint();
  }

 private:
  const AnyGame* game_;
  MonteCarloSettings settings_;
  std::unique_ptr<Pool> pool_;
  std::vector<std::unique_ptr<SearchTree>> trees_;
  std::vector<std::int64_t> before_;  // positions of each tree when its search began
  LeafGatherer gatherer_;
};

// The same with positions of a game.
template <Game P>
class ManySearch : public AnyManySearch {
 public:
  ManySearch(const MonteCarloSettings& settings, int games)
      : AnyManySearch(tree_game<P>, settings, games) {}

  void begin(std::span<const P> positions, std::span<const History> pasts = {}) {
    AnyManySearch::begin(checked(positions), pasts);
  }
  void begin(std::span<const P> positions, std::span<const History> pasts,
             std::span<const std::int64_t> budgets, std::span<const std::uint64_t> seeds = {}) {
    AnyManySearch::begin(checked(positions), pasts, budgets, seeds);
  }
  std::span<const P> gather() {
    AnyManySearch::gather();
    return leaves();
  }
  [[nodiscard]] std::span<const P> leaves() const {
    const AnyPositions& all = AnyManySearch::leaves();
    return {static_cast<const P*>(all.data()), all.size()};
  }

 private:
  const P* checked(std::span<const P> positions) const {
    if (positions.size() == static_cast<std::size_t>(games())) return positions.data();
    throw std::invalid_argument(std::to_string(positions.size()) + " positions for " +
                                std::to_string(games()) + " games");
  }
};

}  // namespace tempo
