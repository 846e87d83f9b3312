// The strong search of shogi. The names that learners of terms ask of a game (`Evaluator`,
// `AlphaBeta`, `terms`, ...) are here, since the terms belong to this search.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <limits>
#include <string>
#include <vector>

#include "../games/shogi/strong.h"
#include "../learning/tree_strap.h"
#include "arrays.h"
#include "binding.h"
#include "network_games.h"
#include "networks.h"
#include "played.h"
#include "search_types.h"
#include "terms.h"

namespace tempo::bind {

namespace {

using Board = shogi::Full;
using At = Played<shogi::PositionOf<Board>>;
using Position = shogi::Searched<Board>;
using Linear = LinearEvaluator<Position>;
using Evaluation = shogi::Evaluation<Board>;

const Linear& linear_of(const Evaluation& evaluation) {
  if (const Linear* linear = evaluation.linear()) return *linear;
  throw ParseError("weights of terms are learnt with an evaluator that is linear");
}

nb::tuple evaluate(const Evaluation& evaluation, const At& at) {
  std::array<Scores, 1> values{};
  if (const auto end = at.outcome()) {
    values[0] = end->scores;
  } else {
    const Position position(at.position);
    Evaluation own = evaluation;  // a network has room for one evaluation at a time
    own({&position, 1}, values);
  }
  return scores_tuple(values[0], 2);
}

// One search as Python holds it. Its name is its own: nanobind tells types of anonymous namespaces
// apart by nothing else.
class ShogiStrong {
 public:
  ShogiStrong(const Evaluation& evaluation, const AlphaBetaSettings& settings, int leaf_mates,
              int root_share)
      : search_(evaluation, {settings, leaf_mates, root_share}) {
    if (leaf_mates != 0 && leaf_mates != 1 && leaf_mates != 3) {
      throw ParseError("mates at leaves are of 0, 1 or 3 plies, not " + std::to_string(leaf_mates));
    }
    if (root_share < 0) throw ParseError("a share of the budget is not negative");
  }

  Found search(const At& at, nb::handle watch) {
    return one_at_a_time_([&]() -> Found {
      Watching watching(watch, 2);
      return {search_.search(at.position, at.past, watching.watch()), 2};
    });
  }
  void limit(std::int64_t positions, double seconds, double soft_seconds, int depth) {
    one_at_a_time_([&] { search_.limit(positions, seconds, soft_seconds, depth); });
  }
  void reset() {
    one_at_a_time_([&] { search_.clear(); });
  }

  [[nodiscard]] nb::tuple nodes() {
    return one_at_a_time_([&] { return node_arrays(search_.nodes()); });
  }
  [[nodiscard]] nb::tuple gradient(const Evaluation& evaluation) {
    const Linear& linear = linear_of(evaluation);
    return one_at_a_time_([&] {
      TreeStrapGradient<Position> sums;
      {
        const nb::gil_scoped_release release;
        for (const auto& node : search_.nodes()) {
          sums.add(linear, node.position, node.low, node.high);
        }
      }
      auto gradient = new_array<double>({sums.gradient.size()});
      std::copy(sums.gradient.begin(), sums.gradient.end(), gradient.data());
      return nb::make_tuple(gradient, sums.squares, sums.positions);
    });
  }

 private:
  shogi::StrongSearch<Board> search_;
  OneAtATime one_at_a_time_;
};

const Binding bind_shogi_strong("shogi_strong", [](nb::module_& core) {
  auto m = core.def_submodule("shogi_strong", "The strong search of shogi, and its evaluation.");
  nb::class_<Evaluation>(m, "Evaluator",
                         "The evaluation of the search: a weighted sum of terms, or a network.")
      .def_static(
          "linear",
          [](const Input<float, 1>& weights) {
            return Evaluation(bind::linear_of<Position>(weights));
          },
          "weights"_a,
          nb::sig("def linear(weights: numpy.typing.NDArray[numpy.float32]) -> Evaluator"),
          "A weighted sum of the terms.")
      .def_static(
          "static", [] { return Evaluation(); }, "The hand-tuned count of material.")
      .def_static(
          "quantized",
          [](const HeldIncremental& held) { return Evaluation(Evaluation::Network(held.network)); },
          "network"_a,
          nb::sig("def quantized(network: tempo._core.networks.Incremental) -> Evaluator"),
          "An incremental network on half-king-piece features.")
      .def("__call__", &evaluate, "position"_a,
           nb::sig("def __call__(self, position: tempo._core.shogi.Position) -> "
                   "tuple[float, ...]"),
           "The scores by seat of one position; a finished game gives its own.")
      .def_prop_ro(
          "multiply_adds", [](const Evaluation& evaluation) { return evaluation.multiply_adds(); },
          "Of one evaluation, were every term there; a position has less than a tenth of them.");
  nb::class_<ShogiStrong>(m, "AlphaBeta",
                          "Mates at the root and at the leaves, alpha-beta between.")
      .def(nb::init<const Evaluation&, const AlphaBetaSettings&, int, int>(), "evaluator"_a,
           "settings"_a, "leaf_mates"_a = 1, "root_share"_a = 0)
      .def("search", &ShogiStrong::search, "position"_a, "watch"_a = nb::none(),
           nb::call_guard<nb::gil_scoped_release>(),
           nb::sig("def search(self, position: tempo._core.shogi.Position, watch: "
                   "collections.abc.Callable[[tempo._core.SearchResult], object] | None = None) "
                   "-> tempo._core.SearchResult"),
           "The best move within the budget, values by seat and the principal line. `watch` is "
           "called with what is known after an iteration, twenty times a second at most.")
      .def("limit", &ShogiStrong::limit, "positions"_a = 0, "seconds"_a = 0.0,
           "soft_seconds"_a = 0.0, "depth"_a = 0, "Other budgets for the searches to come.")
      .def("reset", &ShogiStrong::reset, "Forgets earlier searches, as before a new game.")
      .def("nodes", &ShogiStrong::nodes,
           nb::sig("def nodes(self) -> tuple[numpy.typing.NDArray[numpy.float32], "
                   "numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32]]"),
           "What the last search proved of up to `record` interior positions, those left out in "
           "which the mover mates at once: terms [N, terms] and low [N] <= value <= high [N], for "
           "the seat to move at each.")
      .def("gradient", &ShogiStrong::gradient, "evaluator"_a,
           nb::sig("def gradient(self, evaluator: Evaluator) -> "
                   "tuple[numpy.typing.NDArray[numpy.float64], float, int]"),
           "Of the same positions: the summed gradient [terms] of half the squared distance of "
           "their value from the bounds, the summed squared distance, and their number.");
  bind_terms<Position, shogi::Position>(m);
  bind_leaf_games<Position, shogi::Position, Evaluation>(
      m, [](const Evaluation& evaluation) { return linear_of(evaluation); },
      [](const Evaluation& evaluation, const AlphaBetaSettings& settings) {
        return shogi::QuickSearch<Board>(evaluation, settings);
      });
  bind_network_games<Position, shogi::Position, Evaluation>(
      m, [](const Evaluation& evaluation, const AlphaBetaSettings& settings) {
        return std::make_unique<shogi::TeachingSearch<Board>>(evaluation, settings);
      });
});

}  // namespace
}  // namespace tempo::bind
