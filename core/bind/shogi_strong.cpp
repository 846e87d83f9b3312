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
#include "played.h"
#include "search_types.h"
#include "terms.h"

namespace tempo::bind {

namespace {

using Board = shogi::Full;
using At = Played<shogi::PositionOf<Board>>;
using Position = shogi::Searched<Board>;
using Linear = LinearEvaluator<Position>;

nb::tuple evaluate(const Linear& linear, const At& at) {
  std::array<Scores, 1> values{};
  if (const auto end = at.outcome()) {
    values[0] = end->scores;
  } else {
    const Position position(at.position);
    linear({&position, 1}, values);
  }
  return scores_tuple(values[0], 2);
}

// One search as Python holds it. Its name is its own: nanobind tells types of anonymous namespaces
// apart by nothing else.
class ShogiStrong {
 public:
  ShogiStrong(const Linear& linear, const AlphaBetaSettings& settings, int leaf_mates,
              int root_share)
      : search_(linear, {settings, leaf_mates, root_share}) {
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
  [[nodiscard]] nb::tuple gradient(const Linear& linear) {
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
  nb::class_<Linear>(m, "Evaluator", "A weighted sum of terms, the evaluation of the search.")
      .def_static("linear", &linear_of<Position>, "weights"_a,
                  nb::sig("def linear(weights: numpy.typing.NDArray[numpy.float32]) -> Evaluator"),
                  "A weighted sum of the terms.")
      .def_static(
          "static", [] { return Linear(); }, "The hand-tuned count of material.")
      .def("__call__", &evaluate, "position"_a,
           nb::sig("def __call__(self, position: tempo._core.shogi.Position) -> "
                   "tuple[float, ...]"),
           "The scores by seat of one position; a finished game gives its own.")
      .def_prop_ro(
          "multiply_adds", [](const Linear&) { return Linear::count; },
          "Of one evaluation, were every term there; a position has less than a tenth of them.");
  nb::class_<ShogiStrong>(m, "AlphaBeta",
                          "Mates at the root and at the leaves, alpha-beta between.")
      .def(nb::init<const Linear&, const AlphaBetaSettings&, int, int>(), "evaluator"_a,
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
  bind_leaf_games<Position, shogi::Position, Linear>(
      m, [](const Linear& linear) { return linear; },
      [](const Linear& linear, const AlphaBetaSettings& settings) {
        return shogi::QuickSearch<Board>(linear, settings);
      });
});

}  // namespace
}  // namespace tempo::bind
