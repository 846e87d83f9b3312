// Gomoku's threats, its search of continuous fours, and the strong search that uses both. The names
// that learners of terms ask of a game (`Evaluator`, `AlphaBeta`, `terms`, ...) are here, since the
// terms belong to this search; and the games that teach its network.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "../games/gomoku/training_games.h"
#include "../parallel/pool.h"
#include "arrays.h"
#include "binding.h"
#include "evaluator.h"
#include "played.h"
#include "search.h"

namespace tempo::bind {

namespace {

using At = Played<gomoku::Position>;
using gomoku::NetworkInputs;
using gomoku::Weigher;
using Linear = Weigher::Linear;
using CountedTerms = Terms<gomoku::Counted>;
constexpr auto term_count = static_cast<std::size_t>(CountedTerms::count);

std::vector<int> numbers(const gomoku::Points& points, int size) {
  std::vector<int> found;
  points.each([&](int x, int y) { found.push_back(y * size + x); });
  return found;
}

std::map<std::string, std::vector<int>> threats(const At& at, int seat) {
  if (seat != 0 && seat != 1) {
    throw ParseError("gomoku has seats 0 and 1, not " + std::to_string(seat));
  }
  const auto found = gomoku::threats_of(at.position, Seat{static_cast<std::uint8_t>(seat)});
  const int size = at.position.size();
  return {{"five", numbers(found.five, size)},
          {"four", numbers(found.four, size)},
          {"winning", numbers(found.winning, size)},
          {"three", numbers(found.three, size)},
          {"stops", numbers(found.stops, size)}};
}

nb::tuple fours(const At& at, std::int64_t positions, double seconds) {
  if (at.position.is_over()) throw ParseError("the game is over: there are no fours to make");
  if (positions < 0) throw ParseError("a search cannot visit fewer than 0 positions");
  if (!(seconds >= 0 && seconds <= longest_seconds)) {
    throw ParseError("a search lasts 0 to 1e9 seconds");
  }
  gomoku::FourSearch search(std::size_t{1} << 14);
  Verdict verdict = Verdict::Unknown;
  {
    const nb::gil_scoped_release release;
    verdict = search.search(at.position, positions, seconds);
  }
  constexpr const char* names[] = {"win", "none", "unknown"};
  std::vector<int> line;
  if (verdict == Verdict::Win) {
    for (const Move move : search.line()) line.push_back(index(move));
  }
  return nb::make_tuple(names[static_cast<int>(verdict)], line, search.visited());
}

Weigher linear_of(const Input<float, 1>& weights) {
  Linear::Weights all{};
  if (weights.shape(0) != all.size()) {
    throw ParseError("the search of gomoku has " + std::to_string(all.size()) + " terms, not " +
                     std::to_string(weights.shape(0)));
  }
  require_finite(weights, "weights");
  std::copy_n(weights.data(), all.size(), all.begin());
  return Linear(all);
}

Weigher network_weigher(const std::vector<LayerInput>& layers) {
  const auto network = network_of(layers);
  if (network->inputs() != NetworkInputs::count || network->outputs() != 1) {
    throw ParseError("a network of gomoku takes " + std::to_string(NetworkInputs::count) +
                     " inputs and gives one output, not " + std::to_string(network->inputs()) +
                     " and " + std::to_string(network->outputs()));
  }
  return Weigher(network);
}

int checked_fours(std::int64_t positions, const char* where) {
  constexpr int most = std::numeric_limits<int>::max();
  if (positions >= 0 && positions <= most) return static_cast<int>(positions);
  throw ParseError("a search of fours at " + std::string(where) + " visits 0 to " +
                   std::to_string(most) + " positions, not " + std::to_string(positions));
}

// One search as Python holds it.
class Strong {
 public:
  Strong(const Weigher& weigher, const AlphaBetaSettings& settings, std::int64_t leaf_fours,
         std::int64_t inner_fours)
      : search_(weigher, settings, checked_fours(leaf_fours, "leaves"),
                checked_fours(inner_fours, "inner positions")) {}

  Found search(const At& at) {
    return one_at_a_time_([&]() -> Found { return {search_.search(at.position), 2}; });
  }
  void reset() {
    one_at_a_time_([&] { search_.clear(); });
  }
  [[nodiscard]] nb::tuple nodes() {
    return one_at_a_time_([&] { return arrays(); });
  }

 private:
  [[nodiscard]] nb::tuple arrays() const {
    std::vector<const SearchedNode<gomoku::Counted>*> nodes;
    for (const auto& node : search_.nodes()) {
      if (gomoku::is_open(node.position)) nodes.push_back(&node);
    }
    auto terms = new_array<float>({nodes.size(), term_count});
    auto low = new_array<float>({nodes.size()});
    auto high = new_array<float>({nodes.size()});
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      CountedTerms::write(nodes[i]->position, terms.data() + i * term_count);
      low.data()[i] = bound_of(nodes[i]->low);
      high.data()[i] = bound_of(nodes[i]->high);
    }
    return nb::make_tuple(terms, low, high);
  }

  static float bound_of(Value value) {
    constexpr float unknown = std::numeric_limits<float>::infinity();
    return value == infinite ? unknown : value == -infinite ? -unknown : score_of_value(value);
  }

  gomoku::StrongSearch search_;
  OneAtATime one_at_a_time_;
};

// (inputs [N, I], values [N], results [N], won, moves, positions, evaluations) of games side by
// side; game i by (seed, begin + i) alone.
nb::tuple lessons(const Weigher& weigher, const At& start, int games, std::uint64_t seed,
                  std::uint64_t begin, std::int64_t positions, int threads) {
  if (games < 1 || threads < 1 || positions < 1) {
    throw ParseError("lessons of gomoku need games, positions and threads of 1 or more");
  }
  if (start.position.stones() > 0) throw ParseError("lessons of gomoku begin on an empty board");
  std::vector<gomoku::LessonGame> played(static_cast<std::size_t>(games));
  {
    const nb::gil_scoped_release release;
    Pool(threads).run(
        games,
        [&](std::int64_t i) {
          gomoku::LessonPlayer player(weigher, positions);
          played[static_cast<std::size_t>(i)] =
              player.play(start.position, Random(seed, begin + static_cast<std::uint64_t>(i)));
        },
        1);
  }
  std::size_t rows = 0;
  double won = 0;
  std::int64_t moves = 0;
  std::int64_t visited = 0;
  std::int64_t evaluations = 0;
  for (const gomoku::LessonGame& game : played) {
    rows += game.lessons.size();
    won += game.won;
    moves += game.moves;
    visited += game.positions;
    evaluations += game.evaluations;
  }
  auto inputs = new_array<float>({rows, static_cast<std::size_t>(NetworkInputs::count)});
  auto values = new_array<float>({rows});
  auto results = new_array<float>({rows});
  float* row = inputs.data();
  std::size_t n = 0;
  for (const gomoku::LessonGame& game : played) {
    for (const gomoku::Lesson& lesson : game.lessons) {
      row = std::copy(lesson.inputs.begin(), lesson.inputs.end(), row);
      values.data()[n] = lesson.value;
      results.data()[n++] = lesson.result;
    }
  }
  return nb::make_tuple(inputs, values, results, won, moves, visited, evaluations);
}

void bind_lessons(nb::module_& m) {
  m.attr("network_inputs") = static_cast<int>(NetworkInputs::count);
  m.def(
      "inputs",
      [](const At& at) {
        auto inputs = new_array<float>({static_cast<std::size_t>(NetworkInputs::count)});
        const NetworkInputs::Row row = NetworkInputs::of(gomoku::Counted(at.position));
        std::copy(row.begin(), row.end(), inputs.data());
        return inputs;
      },
      "position"_a,
      nb::sig("def inputs(position: tempo._core.gomoku.Position) -> "
              "numpy.typing.NDArray[numpy.float32]"),
      "[I] what the network is fed: the terms, then for the seat to move and for the other the "
      "points that make two open threes, an open three and a two, a four and a two.");
  m.def("lessons", &lessons, "evaluator"_a, "start"_a, "games"_a, "seed"_a, "begin"_a = 0,
        "positions"_a = 5000, "threads"_a = 1,
        nb::sig("def lessons(evaluator: Evaluator, start: tempo._core.gomoku.Position, games: int, "
                "seed: int, begin: int = 0, positions: int = 5000, threads: int = 1) -> "
                "tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32], "
                "numpy.typing.NDArray[numpy.float32], float, int, int, int]"),
        "Games of the search against itself on the board of `start`, with slips: [N, I] inputs of "
        "positions that nothing decides at once, on the line of the games and off it; [N] their "
        "values by a search of `positions` and [N] results, NaN where the game says nothing about "
        "them, both for the seat to move; games that seat 0 won, moves, positions, evaluations.");
}

void bind_terms(nb::module_& m) {
  nb::list names;
  for (const auto name : CountedTerms::names) names.append(nb::str(name.data(), name.size()));
  m.attr("term_names") = nb::tuple(names);
  m.attr("half_win") = CountedTerms::half;
  m.def(
      "typed_in_weights",
      [] {
        auto weights = new_array<float>({term_count});
        std::copy_n(std::begin(CountedTerms::typed_in), term_count, weights.data());
        return weights;
      },
      nb::sig("def typed_in_weights() -> numpy.typing.NDArray[numpy.float32]"),
      "[terms] weights set by hand, where learning starts.");
  m.def(
      "terms",
      [](const At& at) {
        auto terms = new_array<float>({term_count});
        CountedTerms::write(gomoku::Counted(at.position), terms.data());
        return terms;
      },
      "position"_a,
      nb::sig("def terms(position: tempo._core.gomoku.Position) -> "
              "numpy.typing.NDArray[numpy.float32]"),
      "[terms] what the weighted sum is of, as the seat to move sees it.");
}

const Binding binding("gomoku_threats", [](nb::module_& core) {
  auto m =
      core.def_submodule("gomoku_threats", "Threats of Gomoku, and the searches that use them.");
  m.def("threats", &threats, "position"_a, "seat"_a,
        nb::sig("def threats(position: tempo._core.gomoku.Position, seat: int) -> "
                "dict[str, list[int]]"),
        "The empty points at which a seat, were it its turn, would complete five (`five`), make a "
        "four (`four`), make a four that cannot be stopped (`winning`) or an open three (`three`), "
        "and where an open four that it could make next can be spoilt (`stops`).");
  m.def("fours", &fours, "position"_a, "positions"_a, "seconds"_a = 0.0,
        nb::sig("def fours(position: tempo._core.gomoku.Position, positions: int, seconds: float = "
                "0.0) -> tuple[str, list[int], int]"),
        "Whether the seat to move wins by continuous fours: `win`, `none` or, where the budget of "
        "positions ended first, `unknown`; the line from the first four to the five; positions "
        "visited.");
  nb::class_<Weigher>(m, "Evaluator", "What the search weighs leaves by.")
      .def_static("linear", &linear_of, "weights"_a,
                  nb::sig("def linear(weights: numpy.typing.NDArray[numpy.float32]) -> Evaluator"),
                  "A weighted sum of the terms.")
      .def_static(
          "static", [] { return Weigher(); }, "The weights set by hand.")
      .def_static(
          "network", &network_weigher, "layers"_a,
          nb::sig("def network(layers: "
                  "collections.abc.Sequence[tuple[numpy.typing.NDArray[numpy.float32], "
                  "numpy.typing.NDArray[numpy.float32], str]]) -> Evaluator"),
          "A network on `inputs`, whose one output is the log odds of the seat to move: layers of "
          "(weights [out, in], bias [out], activation).")
      .def_prop_ro("multiply_adds", &Weigher::multiply_adds, "Of one evaluation.");
  nb::class_<Strong>(m, "AlphaBeta",
                     "Continuous fours at the root and at the leaves, alpha-beta between.")
      .def(nb::init<const Weigher&, const AlphaBetaSettings&, std::int64_t, std::int64_t>(),
           "evaluator"_a, "settings"_a, "leaf_fours"_a = 60, "inner_fours"_a = 0)
      .def("search", &Strong::search, "position"_a, nb::call_guard<nb::gil_scoped_release>(),
           nb::sig("def search(self, position: tempo._core.gomoku.Position) -> "
                   "tempo._core.SearchResult"),
           "The best move within the budget, values by seat and the principal line.")
      .def("reset", &Strong::reset, "Forgets earlier searches, as before a new game.")
      .def("nodes", &Strong::nodes,
           nb::sig("def nodes(self) -> tuple[numpy.typing.NDArray[numpy.float32], "
                   "numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32]]"),
           "What the last search proved of up to `record` interior positions, those left out that "
           "threats alone decide: terms [N, terms] and low [N] <= value <= high [N], for the seat "
           "to move at each.");
  bind_terms(m);
  bind_lessons(m);
});

}  // namespace
}  // namespace tempo::bind
