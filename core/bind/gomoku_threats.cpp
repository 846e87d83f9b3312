// Gomoku's threats, its search of continuous fours, and the strong search that uses both. The names
// that learners of terms ask of a game (`Evaluator`, `AlphaBeta`, `terms`, ...) are here, since the
// terms belong to this search.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "../gomoku/strong.h"
#include "arrays.h"
#include "games.h"
#include "played.h"
#include "search.h"

namespace tempo::bind {

namespace {

using At = Played<gomoku::Position>;
using Linear = gomoku::StrongSearch::Linear;
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

Linear linear_of(const Input<float, 1>& weights) {
  Linear::Weights all{};
  if (weights.shape(0) != all.size()) {
    throw ParseError("the search of gomoku has " + std::to_string(all.size()) + " terms, not " +
                     std::to_string(weights.shape(0)));
  }
  std::copy_n(weights.data(), all.size(), all.begin());
  return Linear(all);
}

// One search as Python holds it.
class Strong {
 public:
  Strong(const Linear& linear, const AlphaBetaSettings& settings, int leaf_fours, int inner_fours)
      : search_(linear, settings, leaf_fours, inner_fours) {}

  Found search(const At& at) {
    return one_at_a_time_([&]() -> Found { return {search_.search(at.position), 2}; });
  }
  void reset() {
    one_at_a_time_([&] { search_.clear(); });
  }
  [[nodiscard]] nb::tuple nodes() const {
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

 private:
  static float bound_of(Value value) {
    constexpr float unknown = std::numeric_limits<float>::infinity();
    return value == infinite ? unknown : value == -infinite ? -unknown : score_of_value(value);
  }

  gomoku::StrongSearch search_;
  OneAtATime one_at_a_time_;
};

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

}  // namespace

void bind_gomoku_threats(nb::module_& core) {
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
  nb::class_<Linear>(m, "Evaluator", "Weights of the terms that the search weighs.")
      .def_static("linear", &linear_of, "weights"_a,
                  nb::sig("def linear(weights: numpy.typing.NDArray[numpy.float32]) -> Evaluator"),
                  "A weighted sum of the terms.")
      .def_static(
          "static", [] { return Linear(); }, "The weights set by hand.")
      .def_prop_ro(
          "multiply_adds", [](const Linear&) { return Linear::count; }, "Of one evaluation.");
  nb::class_<Strong>(m, "AlphaBeta",
                     "Continuous fours at the root and at the leaves, alpha-beta between.")
      .def(nb::init<const Linear&, const AlphaBetaSettings&, int, int>(), "evaluator"_a,
           "settings"_a, "leaf_fours"_a = 60, "inner_fours"_a = 0)
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
}

}  // namespace tempo::bind
