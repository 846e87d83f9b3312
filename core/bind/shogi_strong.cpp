// The strong search of shogi. The names that learners of terms ask of a game (`Evaluator`,
// `AlphaBeta`, `terms`, ...) are here, since the terms belong to this search.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <limits>
#include <string>
#include <vector>

#include "../games/shogi/strong.h"
#include "../learning/leaf_game.h"
#include "../parallel/pool.h"
#include "arrays.h"
#include "binding.h"
#include "played.h"
#include "search.h"

namespace tempo::bind {

namespace {

using Board = shogi::Full;
using At = Played<shogi::PositionOf<Board>>;
using Position = shogi::Searched<Board>;
using Linear = shogi::StrongSearch<Board>::Linear;
using ShogiTerms = Terms<Position>;
constexpr auto term_count = static_cast<std::size_t>(ShogiTerms::count);

Linear linear_of(const Input<float, 1>& weights) {
  Linear::Weights all{};
  if (weights.shape(0) != all.size()) {
    throw ParseError("the search of shogi has " + std::to_string(all.size()) + " terms, not " +
                     std::to_string(weights.shape(0)));
  }
  require_finite(weights, "weights");
  std::copy_n(weights.data(), all.size(), all.begin());
  return Linear(all);
}

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

  Found search(const At& at) {
    return one_at_a_time_([&]() -> Found { return {search_.search(at.position, at.past), 2}; });
  }
  void reset() {
    one_at_a_time_([&] { search_.clear(); });
  }

  [[nodiscard]] nb::tuple nodes() {
    return one_at_a_time_([&] { return arrays(); });
  }
  [[nodiscard]] nb::tuple lesson(const Linear& linear) {
    return one_at_a_time_([&] { return lesson_of_nodes(linear); });
  }

 private:
  [[nodiscard]] nb::tuple arrays() const {
    std::vector<Position> positions;
    std::vector<float> lows;
    std::vector<float> highs;
    search_.each_node([&](const Position& position, Value low, Value high) {
      positions.push_back(position);
      lows.push_back(bound_of(low));
      highs.push_back(bound_of(high));
    });
    auto terms = new_array<float>({positions.size(), term_count});
    auto low = new_array<float>({positions.size()});
    auto high = new_array<float>({positions.size()});
    for (std::size_t i = 0; i < positions.size(); ++i) {
      ShogiTerms::write(positions[i], terms.data() + i * term_count);
    }
    std::copy(lows.begin(), lows.end(), low.data());
    std::copy(highs.begin(), highs.end(), high.data());
    return nb::make_tuple(terms, low, high);
  }

  // TreeStrap's lesson of the last search without writing terms down: the gradient of half the
  // squared distance of every interior position's value from its bounds, summed.
  [[nodiscard]] nb::tuple lesson_of_nodes(const Linear& linear) const {
    auto gradient = new_array<double>({term_count});
    std::fill_n(gradient.data(), term_count, 0.0);
    double squares = 0;
    std::int64_t count = 0;
    {
      const nb::gil_scoped_release release;
      constexpr double half = ShogiTerms::half;
      search_.each_node([&](const Position& position, Value low, Value high) {
        const double sum = linear.advantage(position);
        const double scale = std::abs(sum) + half;
        const double value = sum / scale;
        const double error = value - std::clamp<double>(value, bound_of(low), bound_of(high));
        ++count;
        if (error == 0) return;
        squares += error * error;
        ShogiTerms::add(position, error * half / (scale * scale), gradient.data());
      });
    }
    return nb::make_tuple(gradient, squares, count);
  }

  static float bound_of(Value value) {
    constexpr float unknown = std::numeric_limits<float>::infinity();
    return value == infinite ? unknown : value == -infinite ? -unknown : score_of_value(value);
  }

  shogi::StrongSearch<Board> search_;
  OneAtATime one_at_a_time_;
};

// Whole games of the search against itself, each with a stream of its own, and TD-Leaf's lesson of
// them all.
LeafLesson leaf_games(const Linear& linear, const At& start, const AlphaBetaSettings& search,
                      const LeafGameSettings& rule, std::uint64_t seed, std::uint64_t first,
                      int count, int threads) {
  if (count < 1) throw ParseError("games to learn from: " + std::to_string(count));
  if (!(rule.trace >= 0 && rule.trace <= 1)) throw ParseError("a trace is from 0 to 1");
  if (rule.opening < 0 || rule.opening > 1'000'000) {
    throw ParseError("an opening is of 0 to 1000000 moves");
  }
  std::vector<LeafLesson> lessons(static_cast<std::size_t>(count));
  Pool pool(threads);
  pool.run(
      count,
      [&](std::int64_t i) {
        shogi::MateEvaluator<Board> evaluator(linear, 1);
        AlphaBeta<Position, shogi::MateEvaluator<Board>> player(search, evaluator);
        const Random random(seed, first + static_cast<std::uint64_t>(i));
        lessons[static_cast<std::size_t>(i)] =
            LeafGame<Position>(linear, rule)
                .play(Position(start.position), random,
                      [&](const Position& position, const History& past) {
                        return player.search(position, past);
                      });
      },
      1);
  LeafLesson all;
  for (const LeafLesson& lesson : lessons) all += lesson;  // in their order, for the same sum
  return all;
}

void bind_leaf_games(nb::module_& m) {
  nb::class_<LeafLesson>(m, "LeafLesson", "What games of the search against itself teach.")
      .def_prop_ro(
          "gradient",
          [](const LeafLesson& lesson) {
            auto gradient = new_array<double>({lesson.gradient.size()});
            std::copy(lesson.gradient.begin(), lesson.gradient.end(), gradient.data());
            return gradient;
          },
          nb::rv_policy::move,
          nb::sig("def gradient(self, /) -> numpy.typing.NDArray[numpy.float64]"),
          "[terms] of the loss whose slope by the weighted sum is the error, summed over leaves.")
      .def_ro("squares", &LeafLesson::squares, "The squared errors, summed.")
      .def_ro("leaves", &LeafLesson::leaves, "Leaves that were weighed and not decided.")
      .def_ro("moves", &LeafLesson::moves, "Moves searched for.")
      .def_ro("positions", &LeafLesson::positions, "Positions the searches visited.")
      .def_ro("evaluations", &LeafLesson::evaluations, "Positions they weighed.")
      .def_prop_ro(
          "score", [](const LeafLesson& lesson) { return lesson.scores[0]; },
          "What seat 0 got in all games together.");
  m.def(
      "leaf_games",
      [](const Linear& evaluator, const At& start, const AlphaBetaSettings& settings, double trace,
         double random_share, int opening, std::uint64_t seed, std::uint64_t first, int count,
         int threads) {
        return leaf_games(evaluator, start, settings, {trace, random_share, opening}, seed, first,
                          count, threads);
      },
      "evaluator"_a, "start"_a, "settings"_a, "trace"_a, "random_share"_a, "opening"_a, "seed"_a,
      "first"_a, "count"_a, "threads"_a = 1, nb::call_guard<nb::gil_scoped_release>(),
      nb::sig("def leaf_games(evaluator: Evaluator, start: tempo._core.shogi.Position, settings: "
              "tempo._core.AlphaBetaSettings, trace: float, random_share: float, opening: int, "
              "seed: int, first: int, count: int, threads: int = 1) -> LeafLesson"),
      "TD-Leaf's lesson of `count` games of the search against itself, numbered from `first`: the "
      "number and the seed fix a game's random moves, so that threads change nothing.");
}

void bind_terms(nb::module_& m) {
  nb::list names;
  for (const auto& name : ShogiTerms::names) names.append(nb::str(name.data(), name.size()));
  m.attr("term_names") = nb::tuple(names);
  m.attr("half_win") = ShogiTerms::half;
  m.def(
      "typed_in_weights",
      [] {
        auto weights = new_array<float>({term_count});
        std::copy_n(ShogiTerms::typed_in.begin(), term_count, weights.data());
        return weights;
      },
      nb::sig("def typed_in_weights() -> numpy.typing.NDArray[numpy.float32]"),
      "[terms] material counted by hand, and nothing else.");
  m.def(
      "terms",
      [](const At& at) {
        auto terms = new_array<float>({term_count});
        ShogiTerms::write(Position(at.position), terms.data());
        return terms;
      },
      "position"_a,
      nb::sig("def terms(position: tempo._core.shogi.Position) -> "
              "numpy.typing.NDArray[numpy.float32]"),
      "[terms] what the weighted sum is of, as the seat to move sees it.");
}

const Binding binding("shogi_strong", [](nb::module_& core) {
  auto m = core.def_submodule("shogi_strong", "The strong search of shogi, and what it weighs.");
  nb::class_<Linear>(m, "Evaluator", "Weights of the terms that the search weighs.")
      .def_static("linear", &linear_of, "weights"_a,
                  nb::sig("def linear(weights: numpy.typing.NDArray[numpy.float32]) -> Evaluator"),
                  "A weighted sum of the terms.")
      .def_static(
          "static", [] { return Linear(); }, "The count of material set by hand.")
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
      .def("search", &ShogiStrong::search, "position"_a, nb::call_guard<nb::gil_scoped_release>(),
           nb::sig("def search(self, position: tempo._core.shogi.Position) -> "
                   "tempo._core.SearchResult"),
           "The best move within the budget, values by seat and the principal line.")
      .def("reset", &ShogiStrong::reset, "Forgets earlier searches, as before a new game.")
      .def("nodes", &ShogiStrong::nodes,
           nb::sig("def nodes(self) -> tuple[numpy.typing.NDArray[numpy.float32], "
                   "numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32]]"),
           "What the last search proved of up to `record` interior positions, those left out in "
           "which the mover mates at once: terms [N, terms] and low [N] <= value <= high [N], for "
           "the seat to move at each.")
      .def("lesson", &ShogiStrong::lesson, "evaluator"_a,
           nb::sig("def lesson(self, evaluator: Evaluator) -> "
                   "tuple[numpy.typing.NDArray[numpy.float64], float, int]"),
           "Of the same positions: the summed gradient [terms] of half the squared distance of "
           "their value from the bounds, the summed squared distance, and their number.");
  bind_terms(m);
  bind_leaf_games(m);
});

}  // namespace
}  // namespace tempo::bind
