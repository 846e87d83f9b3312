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
#include "arrays.h"
#include "binding.h"
#include "evaluator.h"
#include "network_games.h"
#include "played.h"
#include "search_types.h"
#include "terms.h"

namespace tempo::bind {

namespace {

using At = Played<gomoku::Position>;
using gomoku::LeafEvaluation;
using gomoku::NetworkInputs;

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

void check_budget(const At& at, std::int64_t positions, double seconds) {
  if (at.position.is_over()) throw ParseError("the game is over: there are no threats to make");
  if (positions < 0) throw ParseError("a search cannot visit fewer than 0 positions");
  if (!(seconds >= 0 && seconds <= longest_seconds)) {
    throw ParseError("a search lasts 0 to 1e9 seconds");
  }
}

nb::tuple verdict_of(Verdict verdict, const std::vector<Move>& moves, std::int64_t visited) {
  constexpr const char* names[] = {"win", "none", "unknown"};
  std::vector<int> line;
  if (verdict == Verdict::Win) {
    for (const Move move : moves) line.push_back(index(move));
  }
  return nb::make_tuple(names[static_cast<int>(verdict)], line, visited);
}

nb::tuple fours(const At& at, std::int64_t positions, double seconds) {
  check_budget(at, positions, seconds);
  gomoku::FourSearch search(std::size_t{1} << 14);
  Verdict verdict = Verdict::Unknown;
  {
    const nb::gil_scoped_release release;
    verdict = search.search(at.position, positions, seconds);
  }
  return verdict_of(verdict, search.line(), search.visited());
}

nb::tuple continuous_threats(const At& at, std::int64_t positions, double seconds) {
  check_budget(at, positions, seconds);
  gomoku::ThreatSearch search(std::size_t{1} << 16);
  Verdict verdict = Verdict::Unknown;
  std::vector<Move> line;
  {
    const nb::gil_scoped_release release;
    verdict = search.search(at.position, positions, seconds);
    if (verdict == Verdict::Win) line = search.line();
  }
  return verdict_of(verdict, line, search.visited());
}

LeafEvaluation network_evaluation(const Layers& layers) {
  const auto network = layers.network();
  if (network->inputs() != NetworkInputs::count || network->outputs() != 1) {
    throw ParseError("a network of gomoku takes " + std::to_string(NetworkInputs::count) +
                     " inputs and gives one output, not " + std::to_string(network->inputs()) +
                     " and " + std::to_string(network->outputs()));
  }
  return LeafEvaluation(network);
}

Array<std::int32_t> promises(const LeafEvaluation& evaluation, const At& at) {
  if (!evaluation.lines()) throw ParseError("moves promise something by a network of lines alone");
  LineEvaluator<gomoku::Counted> own = *evaluation.lines();
  const gomoku::Counted counted(at.position);
  const LineUnits& units = own.at(counted);
  const int points = at.position.size() * at.position.size();
  auto found = new_array<std::int32_t>({static_cast<std::size_t>(points)});
  for (int i = 0; i < points; ++i) found.data()[i] = units.promise(i);
  return found;
}

nb::tuple evaluate(const LeafEvaluation& evaluation, const At& at) {
  if (const auto end = at.outcome()) return scores_tuple(end->scores, 2);
  LeafEvaluation own = evaluation;  // a network has room for one evaluation at a time
  const gomoku::Counted counted(at.position);
  const float mover = gomoku::with_threats(at.position, [&](const auto& finder) {
    const Seat turn = counted.turn();
    return own.has_network()
               ? own(counted, finder.shapes_of(turn), finder.shapes_of(gomoku::other(turn)))
               : own(counted, finder.of(turn), finder.of(gomoku::other(turn)));
  });
  return scores_tuple(team_scores<gomoku::Counted>(index(counted.turn()) == 0 ? mover : -mover), 2);
}

int checked(std::int64_t positions, const char* what) {
  constexpr int most = std::numeric_limits<int>::max();
  if (positions >= 0 && positions <= most) return static_cast<int>(positions);
  throw ParseError("a search of " + std::string(what) + " visits 0 to " + std::to_string(most) +
                   " positions, not " + std::to_string(positions));
}

// One search as Python holds it.
class Strong {
 public:
  Strong(const LeafEvaluation& evaluation, const AlphaBetaSettings& settings,
         std::int64_t leaf_fours, std::int64_t inner_fours, std::int64_t inner_threats)
      : search_(evaluation, settings, checked(leaf_fours, "fours at leaves"),
                checked(inner_fours, "fours at inner positions"),
                checked(inner_threats, "threats at inner positions")) {}

  Found search(const At& at, nb::handle watch) {
    return one_at_a_time_([&]() -> Found {
      Watching watching(watch, 2);
      return {search_.search(at.position, watching.watch()), 2};
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

 private:
  gomoku::StrongSearch search_;
  OneAtATime one_at_a_time_;
};

// (inputs [N, I], values [N], results [N], won, moves, positions, evaluations) of games side by
// side; game i by (seed, begin + i) alone.
nb::tuple self_play_samples(const LeafEvaluation& evaluation, const At& start, int games,
                            std::uint64_t seed, std::uint64_t begin, std::int64_t positions,
                            int threads) {
  if (games < 1 || threads < 1 || positions < 1) {
    throw ParseError("training games of gomoku need games, positions and threads of 1 or more");
  }
  if (start.position.stones() > 0)
    throw ParseError("training games of gomoku begin on an empty board");
  std::vector<gomoku::TrainingGame> played;
  {
    const nb::gil_scoped_release release;
    played = gomoku::play_training_games(evaluation, start.position, games, seed, begin, positions,
                                         threads);
  }
  std::size_t rows = 0;
  double won = 0;
  std::int64_t moves = 0;
  std::int64_t visited = 0;
  std::int64_t evaluations = 0;
  for (const gomoku::TrainingGame& game : played) {
    rows += game.examples.size();
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
  for (const gomoku::TrainingGame& game : played) {
    for (const gomoku::Example& example : game.examples) {
      row = std::copy(example.inputs.begin(), example.inputs.end(), row);
      values.data()[n] = example.value;
      results.data()[n++] = example.result;
    }
  }
  return nb::make_tuple(inputs, values, results, won, moves, visited, evaluations);
}

void bind_self_play_samples(nb::module_& m) {
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
  m.def("self_play_samples", &self_play_samples, "evaluator"_a, "start"_a, "games"_a, "seed"_a,
        "begin"_a = 0, "positions"_a = 5000, "threads"_a = 1,
        nb::sig("def self_play_samples(evaluator: Evaluator, start: tempo._core.gomoku.Position, "
                "games: int, "
                "seed: int, begin: int = 0, positions: int = 5000, threads: int = 1) -> "
                "tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32], "
                "numpy.typing.NDArray[numpy.float32], float, int, int, int]"),
        "Games of the search against itself on the board of `start`, with slips: [N, I] inputs of "
        "positions that nothing decides at once, on the line of the games and off it; [N] their "
        "values by a search of `positions` and [N] results, NaN where the game says nothing about "
        "them, both for the seat to move; games that seat 0 won, moves, positions, evaluations.");
}

const Binding bind_gomoku_threats("gomoku_threats", [](nb::module_& core) {
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
  m.def("continuous_threats", &continuous_threats, "position"_a, "positions"_a, "seconds"_a = 0.0,
        nb::sig("def continuous_threats(position: tempo._core.gomoku.Position, positions: int, "
                "seconds: float = 0.0) -> tuple[str, list[int], int]"),
        "Whether the seat to move wins by fours and open threes alone, whatever the reply: `win`, "
        "`none` or, where looking into `positions` was not enough, `unknown`; a line from the "
        "first threat on; positions that were looked at.");
  nb::class_<LeafEvaluation>(m, "Evaluator", "The evaluation of leaves.")
      .def_static(
          "linear",
          [](const Input<float, 1>& weights) {
            return LeafEvaluation(linear_of<gomoku::Counted>(weights));
          },
          "weights"_a,
          nb::sig("def linear(weights: numpy.typing.NDArray[numpy.float32]) -> Evaluator"),
          "A weighted sum of the terms.")
      .def_static(
          "static", [] { return LeafEvaluation(); }, "The hand-tuned weights.")
      .def_static(
          "network", &network_evaluation, "layers"_a,
          nb::sig("def network(layers: "
                  "collections.abc.Sequence[tuple[numpy.typing.NDArray[numpy.float32], "
                  "numpy.typing.NDArray[numpy.float32], str]]) -> Evaluator"),
          "A network on `inputs`, whose one output is the log odds of the seat to move: layers of "
          "(weights [out, in], bias [out], activation).")
      .def_static(
          "quantized",
          [](const HeldLines& held) {
            return LeafEvaluation(LineEvaluator<gomoku::Counted>(held.network));
          },
          "network"_a, nb::sig("def quantized(network: tempo._core.networks.Lines) -> Evaluator"),
          "A network of line patterns.")
      .def("__call__", &evaluate, "position"_a,
           nb::sig("def __call__(self, position: tempo._core.gomoku.Position) -> "
                   "tuple[float, ...]"),
           "The scores by seat of one position, threats not looked into; a finished game gives its "
           "own.")
      .def("promises", &promises, "position"_a,
           nb::sig("def promises(self, position: tempo._core.gomoku.Position) -> "
                   "numpy.typing.NDArray[numpy.int32]"),
           "[points] how much a move at each promises, by a network of line patterns: larger is "
           "better.")
      .def_prop_ro("multiply_adds", &LeafEvaluation::multiply_adds, "Of one evaluation.");
  nb::class_<Strong>(m, "AlphaBeta",
                     "Continuous fours at the root and at the leaves, alpha-beta between.")
      .def(nb::init<const LeafEvaluation&, const AlphaBetaSettings&, std::int64_t, std::int64_t,
                    std::int64_t>(),
           "evaluator"_a, "settings"_a, "leaf_fours"_a = 60, "inner_fours"_a = 0,
           "inner_threats"_a = 0)
      .def("search", &Strong::search, "position"_a, "watch"_a = nb::none(),
           nb::call_guard<nb::gil_scoped_release>(),
           nb::sig("def search(self, position: tempo._core.gomoku.Position, watch: "
                   "collections.abc.Callable[[tempo._core.SearchResult], object] | None = None) "
                   "-> tempo._core.SearchResult"),
           "The best move within the budget, values by seat and the principal line. `watch` is "
           "called with what is known after an iteration, twenty times a second at most.")
      .def("limit", &Strong::limit, "positions"_a = 0, "seconds"_a = 0.0, "soft_seconds"_a = 0.0,
           "depth"_a = 0, "Other budgets for the searches to come.")
      .def("reset", &Strong::reset, "Forgets earlier searches, as before a new game.")
      .def("nodes", &Strong::nodes,
           nb::sig("def nodes(self) -> tuple[numpy.typing.NDArray[numpy.float32], "
                   "numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32]]"),
           "What the last search proved of up to `record` interior positions, those left out that "
           "threats alone decide: terms [N, terms] and low [N] <= value <= high [N], for the seat "
           "to move at each.");
  bind_terms<gomoku::Counted, gomoku::Position>(m);
  bind_self_play_samples(m);
  bind_network_games<gomoku::Counted, gomoku::Position, LeafEvaluation>(
      m, [](const LeafEvaluation& evaluation, const AlphaBetaSettings& settings) {
        return std::make_unique<gomoku::TeachingSearch>(evaluation, settings);
      });
});

}  // namespace
}  // namespace tempo::bind
