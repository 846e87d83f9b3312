// Binds the searches of any game: alpha-beta, a Monte-Carlo tree, and trees of many games at once.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../search/alpha_beta.h"
#include "evaluator.h"
#include "network_games.h"
#include "played.h"
#include "search_types.h"
#include "terms.h"
#include "trees.h"

namespace tempo::bind {

namespace nb = nanobind;
using namespace nb::literals;

// Alpha-beta as Python holds it.
template <HasFeatures P>
class HeldAlphaBeta {
 public:
  HeldAlphaBeta(const AnyEvaluator<P>& evaluator, const AlphaBetaSettings& settings)
      : evaluator_(std::make_unique<AnyEvaluator<P>>(evaluator)),
        search_(checked(settings, evaluator), *evaluator_) {}

  Found search(const Played<P>& at, nb::handle watch) {
    return one_at_a_time_([&]() -> Found {
      Watching watching(watch, P::seats);
      search_.watch(watching.watch());
      return {search_.search(at.position, at.past), P::seats};
    });
  }
  void limit(std::int64_t positions, double seconds, double soft_seconds, int depth) {
    one_at_a_time_([&] { search_.limit(positions, seconds, soft_seconds, depth); });
  }
  // What the evaluator says to the seat to move.
  float value(const P& position) {
    Scores scores{};
    (*evaluator_)(std::span<const P>(&position, 1), std::span<Scores>(&scores, 1));
    return scores[static_cast<std::size_t>(index(position.turn()))];
  }
  // The same without a lock, for a search that nobody else holds.
  SearchResult operator()(const P& position, const History& past) {
    return search_.search(position, past);
  }
  [[nodiscard]] nb::tuple nodes()
    requires HasTerms<P>
  {
    return one_at_a_time_([&] { return node_arrays(search_.nodes()); });
  }
  // Forgets what earlier searches left in the table. Alpha-beta draws nothing from a seed.
  void reset() {
    one_at_a_time_([&] { search_.clear(); });
  }

  [[nodiscard]] nb::handle function() const { return evaluator_->function(); }
  void drop() { evaluator_->drop(); }

 private:
  // What runs in Python runs one thread at a time.
  static const AlphaBetaSettings& checked(const AlphaBetaSettings& settings,
                                          const AnyEvaluator<P>& evaluator) {
    const bool in_python = evaluator.prefers_batches || requires { P::is_handle; };
    if (settings.threads > 1 && in_python) {
      throw ParseError("several threads need a game and an evaluator of the core");
    }
    return settings;
  }

  std::unique_ptr<AnyEvaluator<P>> evaluator_;  // at a fixed address: the search points to it
  AlphaBeta<P, AnyEvaluator<P>> search_;
  OneAtATime one_at_a_time_;
};

template <HasFeatures P>
[[gnu::cold]] void bind_search(nb::module_& m, HeldGame& game) {
  bind_evaluators<P>(m, game);

  using AB = HeldAlphaBeta<P>;
  auto alpha_beta =
      nb::class_<AB>(m, "AlphaBeta", nb::type_slots(callback_slots<AB>),
                     "Principal-variation search with exact budgets.")
          .def(nb::init<const AnyEvaluator<P>&, const AlphaBetaSettings&>(), "evaluator"_a,
               "settings"_a)
          .def("search", &AB::search, "position"_a, "watch"_a = nb::none(),
               nb::call_guard<nb::gil_scoped_release>(),
               nb::sig("def search(self, position: Position, watch: collections.abc.Callable["
                       "[tempo._core.SearchResult], object] | None = None) -> "
                       "tempo._core.SearchResult"),
               "The best move within the budget, values by seat and the principal line. `watch` is "
               "called with what is known after an iteration, twenty times a second at most.")
          .def("limit", &AB::limit, "positions"_a = 0, "seconds"_a = 0.0, "soft_seconds"_a = 0.0,
               "depth"_a = 0, "Other budgets for the searches to come.")
          .def("reset", &AB::reset, "Forgets earlier searches, as before a new game.");
  if constexpr (HasTerms<P>) {
    alpha_beta.def("nodes", &AB::nodes,
                   nb::sig("def nodes(self) -> tuple[numpy.typing.NDArray[numpy.float32], "
                           "numpy.typing.NDArray[numpy.float32], "
                           "numpy.typing.NDArray[numpy.float32]]"),
                   "What the last search proved of up to `record` interior positions: terms "
                   "[N, terms] and low [N] <= value <= high [N], for the seat to move at each.");
    bind_leaf_games<P, P, AnyEvaluator<P>>(
        m,
        [](const AnyEvaluator<P>& evaluator) {
          if (const auto* linear = evaluator.core().linear()) return *linear;
          throw ParseError("games to learn from need an evaluator that is linear");
        },
        [](const AnyEvaluator<P>& evaluator, const AlphaBetaSettings& settings) {
          return AB(evaluator, settings);
        });
  }

  if constexpr (HasPackedInputs<P>) {
    bind_network_games<P, P, AnyEvaluator<P>>(
        m, [](const AnyEvaluator<P>& evaluator, const AlphaBetaSettings& settings) {
          if (evaluator.prefers_batches)
            throw ParseError("such games are not played by a callback");
          return std::make_unique<AB>(evaluator, settings);
        });
  }

  bind_trees<P>(m, game);
}

}  // namespace tempo::bind
