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

#include <algorithm>
#include <cassert>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "../parallel/pool.h"
#include "monte_carlo_descent.h"
#include "monte_carlo_result.h"

namespace tempo {

// The step itself, over trees that someone else owns. A tree has one leaf open at a time, so each
// tree grows exactly as it would alone, whatever the others do and however many threads help.
template <Game P>
class LeafGatherer {
 public:
  // How many simulations each tree still runs; -1: no bound.
  void begin(std::span<const std::int64_t> budgets) {
    left_.assign(budgets.begin(), budgets.end());
    open_.assign(budgets.size(), 0);
    asked_.assign(budgets.size(), 0);
    leaves_.clear();  // what was gathered is not asked any more
    owners_.clear();
    moves_.clear();
    offsets_.assign(1, 0);
  }

  // Runs every tree up to its next leaf that is not the end of a game. None has one when all
  // budgets are spent; trees that were stopped on the way have no leaf. Returns how many have.
  std::size_t open(std::span<MonteCarloDescent<P>> trees, Pool& pool) {
    pool.run_anytime(static_cast<std::int64_t>(trees.size()), [&](std::int64_t i) {
      const auto t = static_cast<std::size_t>(i);
      open_[t] = to_leaf(trees[t], left_[t]);
    });
    leaves_.clear();
    owners_.clear();
    offsets_.assign(1, 0);
    for (std::size_t t = 0; t < trees.size(); ++t) {
      if (!open_[t]) continue;
      owners_.push_back(static_cast<std::int32_t>(t));
      const auto moves = static_cast<std::uint32_t>(trees[t].leaf_moves().size());
      offsets_.push_back(offsets_.back() + moves);
    }
    moves_.resize(offsets_.back());
    pool.run_whole(static_cast<std::int64_t>(owners_.size()), [&](std::int64_t i) {
      const auto l = static_cast<std::size_t>(i);
      const auto moves = trees[static_cast<std::size_t>(owners_[l])].leaf_moves();
      std::copy(moves.begin(), moves.end(), moves_.begin() + offsets_[l]);
    });
    return owners_.size();
  }
  // The same, with the leaves themselves.
  std::span<const P> gather(std::span<MonteCarloDescent<P>> trees, Pool& pool) {
    open(trees, pool);
    for (const std::int32_t tree : owners_)
      leaves_.push_back(trees[static_cast<std::size_t>(tree)].leaf());
    return leaves_;
  }

  // `values` as many as leaves; `priors` as many as rows().moves, or none for equal ones. Throws
  // std::invalid_argument on any other number.
  void apply(std::span<MonteCarloDescent<P>> trees, Pool& pool, std::span<const Scores> values,
             std::span<const float> priors) {
    if (values.size() != owners_.size())
      throw std::invalid_argument(std::to_string(values.size()) + " values for " +
                                  std::to_string(owners_.size()) + " leaves");
    if (!priors.empty() && priors.size() != moves_.size())
      throw std::invalid_argument(std::to_string(priors.size()) + " priors for " +
                                  std::to_string(moves_.size()) + " moves");
    pool.run_anytime(static_cast<std::int64_t>(owners_.size()), [&](std::int64_t i) {
      const auto l = static_cast<std::size_t>(i);
      const std::size_t first = offsets_[l];
      const std::size_t count = priors.empty() ? 0 : offsets_[l + 1] - first;
      trees[static_cast<std::size_t>(owners_[l])].back_up(
          values[l], priors.subspan(first * (count > 0), count));
    });
    for (const std::int32_t tree : owners_) ++asked_[static_cast<std::size_t>(tree)];
    evaluations_ += static_cast<std::int64_t>(owners_.size());
    leaves_.clear();
    owners_.clear();
    moves_.clear();
    offsets_.assign(1, 0);
  }

  [[nodiscard]] std::span<const P> leaves() const { return leaves_; }
  [[nodiscard]] std::span<const std::int32_t> owners() const {
    return owners_;
  }  // tree of each leaf
  [[nodiscard]] MoveRows rows() const { return {moves_, offsets_}; }
  [[nodiscard]] std::int64_t evaluations() const { return evaluations_; }
  // Of one tree, since begin().
  [[nodiscard]] std::int64_t evaluations(std::size_t tree) const { return asked_[tree]; }

 private:
  static bool to_leaf(MonteCarloDescent<P>& tree, std::int64_t& left) {
    StopPoll poll(16);
    while (left != 0 && !tree.is_over() && !tree.is_spent()) {
      left -= left > 0;
      const auto scores = tree.descend();
      if (!scores) return true;
      tree.back_up(*scores);
      if (poll()) break;
    }
    return false;
  }

  std::vector<std::int64_t> left_;
  std::vector<char> open_;
  std::vector<std::int64_t> asked_;  // by tree
  std::vector<P> leaves_;
  std::vector<std::int32_t> owners_;
  std::vector<Move> moves_;
  std::vector<std::uint32_t> offsets_;
  std::int64_t evaluations_ = 0;
};

// Searches of many games side by side, one tree each. Game i draws from Random(seed, stream + i)
// and equals a MonteCarlo of that stream with the same evaluator. `settings.memory` is for all
// games together and `nodes` for each; `seconds` and `extra_simulations` are not used: the
// caller may stop after any step.
template <Game P>
class ManySearch {
 public:
  ManySearch(const MonteCarloSettings& settings, int games)
      : settings_(settings),
        pool_(std::make_unique<Pool>(
            useful_threads<P>(std::clamp(games, 1, std::max(settings.threads, 1))))) {
    require_sound(settings);
    if (games < 1) throw std::invalid_argument("a search of many games needs at least one");
    if (settings.simulations < 1)
      throw std::invalid_argument("a search of many games needs a number of simulations");
    const std::size_t bytes = settings.memory / static_cast<std::size_t>(games);
    trees_.reserve(static_cast<std::size_t>(games));
    for (int i = 0; i < games; ++i)
      trees_.emplace_back(settings, settings.stream + static_cast<std::uint64_t>(i), bytes);
    gatherer_.begin(std::vector<std::int64_t>(trees_.size(), 0));  // nothing to do yet
  }

  [[nodiscard]] int games() const { return static_cast<int>(trees_.size()); }

  // New budgets. A game whose position is where its tree stands keeps that tree. `pasts` are as
  // many as positions or none. Games that are over take no part.
  void begin(std::span<const P> positions, std::span<const History> pasts = {}) {
    const std::vector<std::int64_t> same(trees_.size(), settings_.simulations);
    begin(positions, pasts, same);
  }
  // The same with as many simulations in each game as `budgets` say, and with new random streams:
  // game i draws from Random(seeds[i], 0), so that a search depends on nothing before it.
  void begin(std::span<const P> positions, std::span<const History> pasts,
             std::span<const std::int64_t> budgets, std::span<const std::uint64_t> seeds = {}) {
    if (positions.size() != trees_.size() || (!pasts.empty() && pasts.size() != trees_.size()))
      throw std::invalid_argument(std::to_string(positions.size()) + " positions for " +
                                  std::to_string(trees_.size()) + " games");
    const History nothing;
    before_.resize(trees_.size());
    pool_->run_whole(games(), [&](std::int64_t game) {
      const auto i = static_cast<std::size_t>(game);
      if (!seeds.empty()) trees_[i].reset(seeds[i], 0);
      trees_[i].start(positions[i], pasts.empty() ? nothing : pasts[i], budgets[i]);
      before_[i] = trees_[i].positions();
    });
    gatherer_.begin(budgets);
  }
  // Without copying leaves: `tree(owners()[i]).leaf()` is the i-th.
  std::size_t open() { return gatherer_.open(trees_, *pool_); }
  [[nodiscard]] const MonteCarloDescent<P>& tree(std::size_t game) const { return trees_[game]; }
  [[nodiscard]] Pool& pool() { return *pool_; }
  [[nodiscard]] const MonteCarloSettings& settings() const { return settings_; }
  std::span<const P> gather() { return gatherer_.gather(trees_, *pool_); }
  [[nodiscard]] std::span<const P> leaves() const { return gatherer_.leaves(); }
  [[nodiscard]] std::span<const std::int32_t> owners() const { return gatherer_.owners(); }
  [[nodiscard]] MoveRows rows() const { return gatherer_.rows(); }
  void apply(std::span<const Scores> values, std::span<const float> priors = {}) {
    gatherer_.apply(trees_, *pool_, values, priors);
  }

  [[nodiscard]] SearchResult result(int game) const {
    const auto i = static_cast<std::size_t>(game);
    const std::span<const MonteCarloDescent<P>> all(trees_);
    SearchResult found = monte_carlo_result<P>(all.subspan(i, 1), settings_);
    found.positions -= before_[i];
    found.evaluations = gatherer_.evaluations(i);
    return found;
  }
  void advance(int game, Move move) { trees_[static_cast<std::size_t>(game)].advance(move); }
  [[nodiscard]] std::int64_t evaluations() const { return gatherer_.evaluations(); }
  [[nodiscard]] std::uint64_t fingerprint(int game) const {
    return trees_[static_cast<std::size_t>(game)].tree().fingerprint();
  }

 private:
  MonteCarloSettings settings_;
  std::unique_ptr<Pool> pool_;
  std::vector<MonteCarloDescent<P>> trees_;
  std::vector<std::int64_t> before_;  // positions of each tree when its search began
  LeafGatherer<P> gatherer_;
};

}  // namespace tempo
