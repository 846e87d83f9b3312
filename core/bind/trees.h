// Monte-Carlo searches as Python holds them: one tree or several of one position, and trees of many
// games at once.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "../search/monte_carlo.h"
#include "arrays.h"
#include "batch.h"
#include "evaluator.h"
#include "guard.h"
#include "held_game.h"
#include "search_types.h"

namespace tempo::bind {

namespace nb = nanobind;
using namespace nb::literals;

// A Monte-Carlo search that finds its place again: if the position given is at most one move on
// from where the tree stands, what lies below is kept.
class HeldMonteCarlo {
 public:
  HeldMonteCarlo(const HeldGame& game, const HeldEvaluator& evaluator,
                 const MonteCarloSettings& settings, bool reuse);

  Found search(const void* position, const History& past) {
    return one_at_a_time_([&] { return follow_and_search(position, past); });
  }
  void reset(std::uint64_t seed);
  template <class Get>
  auto of_tree(const Get& get) const {
    return one_at_a_time_([&] { return get(search_); });
  }

  [[nodiscard]] nb::handle function() const { return evaluators_.front()->function(); }
  void drop() {
    for (auto& evaluator : evaluators_) evaluator->drop();
  }

 private:
  Found follow_and_search(const void* position, const History& past);
  void ask(const LeafQuestion& question);
  void advance(Move move);
  void follow(const void* position);

  const AnyGame* game_;
  AnyMonteCarlo search_;
  std::vector<std::unique_ptr<HeldEvaluator>> evaluators_;
  bool reuse_;
  std::uint64_t seed_;
  std::uint64_t searches_ = 0;
  AnyPosition at_;
  mutable OneAtATime one_at_a_time_;
};

// Trees of many games: searched to the end with an evaluator, or a step at a time for a network in
// Python, whose answers may come while other trees grow.
class ManyTrees {
 public:
  ManyTrees(const HeldGame& game, const MonteCarloSettings& settings, int games)
      : game_(&game), trees_(*game.trees, settings, games) {}

  // One tree for each game of a batch, with the evaluator asked once for the leaves of all of them.
  std::vector<Found> search(HeldAnyBatch& batch, const HeldEvaluator& evaluator);
  // The same with as many simulations and with a random stream for each game as are given.
  std::vector<Found> search(HeldAnyBatch& batch, const HeldEvaluator& evaluator,
                            const AnyInput<1>& simulations, const AnyInput<1>& seeds);
  void begin(HeldAnyBatch& batch, const AnyInput<1>& simulations, const AnyInput<1>& seeds);
  nb::tuple gather();
  void apply(const Copied<float, 1>& values, const Copied<float, 1>& priors);
  nb::tuple policies();
  [[nodiscard]] std::int64_t evaluations() {
    return one_at_a_time_([&] { return trees_.evaluations(); });
  }

 private:
  [[nodiscard]] const void* leaf(std::size_t i) const {
    return trees_.tree(static_cast<std::size_t>(trees_.owners()[i])).leaf();
  }
  struct Budgets {
    std::vector<std::int64_t> simulations;
    std::vector<std::uint64_t> seeds;
  };
  [[nodiscard]] Budgets budgets(const AnyInput<1>& simulations, const AnyInput<1>& seeds) const;
  void plant(HeldAnyBatch& batch, const Budgets& budgets);
  void check_size(const AnyBatch& batch) const;
  std::pair<AnyPositions, std::vector<History>> standing(
      HeldAnyBatch& batch, std::span<const std::uint64_t> seeds) const;
  [[nodiscard]] std::vector<std::uint64_t> drawn_seeds(HeldAnyBatch& batch) const;
  std::vector<Found> grown(HeldEvaluator& evaluator);

  const HeldGame* game_;
  AnyManySearch trees_;
  OneAtATime one_at_a_time_;
};

// Python has a class of each for every game.
template <Game P>
struct MonteCarloOf : HeldMonteCarlo {
  using HeldMonteCarlo::HeldMonteCarlo;
};
template <Game P>
struct ManyTreesOf : ManyTrees {
  using ManyTrees::ManyTrees;
};

void bind_monte_carlo(HeldClass search, const HeldGame& game);
void bind_many(HeldClass many, const HeldGame& game);

template <HasFeatures P>
[[gnu::cold]] void bind_trees(nb::module_& m, const HeldGame& game) {
  const HeldGame* g = &game;
  using MC = MonteCarloOf<P>;
  nb::class_<MC> one(m, "MonteCarlo", nb::type_slots(callback_slots<HeldMonteCarlo>),
                     "Monte-Carlo tree search; same seed and budget, same tree.");
  one.def(
      "__init__",
      [g](MC* self, const AnyEvaluator<P>& evaluator, const MonteCarloSettings& settings,
          bool reuse) { new (self) MC(*g, evaluator, settings, reuse); },
      "evaluator"_a, "settings"_a, "reuse"_a = true);
  bind_monte_carlo(nb::borrow<HeldClass>(one), game);
  using Many = ManyTreesOf<P>;
  nb::class_<Many> many(m, "ManySearch",
                        "One tree for each game of a batch, leaves evaluated together.");
  many.def(
      "__init__",
      [g](Many* self, const MonteCarloSettings& settings, int games) {
        new (self) Many(*g, settings, games);
      },
      "settings"_a, "games"_a);
  bind_many(nb::borrow<HeldClass>(many), game);
}

}  // namespace tempo::bind
