// Binds the search of Siguo, its evaluation and its training games, the GIL
// released. Letters: M moves, T terms.
#include "../games/siguo/strong.h"

#include <nanobind/nanobind.h>

#include <string>

#include "../games/siguo/training_games.h"
#include "../search/result.h"
#include "arrays.h"
#include "binding.h"
#include "played.h"

namespace tempo::bind {

namespace {

namespace nb = nanobind;
using namespace nb::literals;
using namespace siguo;

void require(bool holds, const char* what) {
  if (!holds) throw ParseError(std::string("search of siguo: ") + what);
}

Judgement judgement_of(const Input<float, 1>& weights) {
  require(weights.shape(0) == at(Judgement::terms), "the weights are not one for each term");
  require_finite(weights, "weights");
  return Judgement(std::span(weights.data(), weights.shape(0)));
}

auto hand_tuned_weights() {
  const std::vector<float> weights = Judgement::hand_tuned();
  auto array = new_array<float>({weights.size()});
  std::copy(weights.begin(), weights.end(), array.data());
  return array;
}

// (moves [M], worths [M], values [M], visits [M], determinizations, simulations, positions), best
// first.
nb::tuple search(const View& view, const Judgement& judgement, std::uint64_t seed,
                 const StrongSettings& settings) {
  Tried tried;
  {
    const nb::gil_scoped_release release;
    Random random(seed);
    tried = Strong(view, judgement, settings)(random);
  }
  if (tried.moves.empty()) throw IllegalMove("it is not this seat's turn, or the game is over");
  const std::size_t count = tried.moves.size();
  auto moves = new_array<std::int32_t>({count});
  auto worths = new_array<double>({count});
  auto values = new_array<double>({count});
  auto visits = new_array<std::int32_t>({count});
  for (std::size_t i = 0; i < count; ++i) {
    moves.data()[i] = tempo::index(tried.moves[i].move);
    worths.data()[i] = tried.moves[i].worth;
    values.data()[i] = tried.moves[i].value();
    visits.data()[i] = tried.moves[i].visits;
  }
  return nb::make_tuple(moves, worths, values, visits, tried.determinizations, tried.simulations,
                        tried.positions);
}

nb::tuple search_checked(const View& view, const Judgement& judgement, std::uint64_t seed,
                         int determinizations, int simulations, double seconds, int moves,
                         int plies, int depth, float anchor, double explore, double widen) {
  require(determinizations >= 0 && simulations >= 0, "budgets are 0 or more");
  require(seconds >= 0 && seconds <= longest_seconds, "seconds must be 0 to 1e9");
  require(determinizations > 0 || simulations > 0 || seconds > 0, "a budget is needed");
  require(moves > 0 && plies >= 0, "moves are 1 or more, plies 0 or more");
  require(depth >= 0 && depth <= InformationTree::deepest, "depths are from 0 to 16");
  require(explore >= 0 && widen > 0, "explore is 0 or more, widen more than 0");
  return search(
      view, judgement, seed,
      {determinizations, simulations, seconds, moves, anchor, {depth, plies, explore, widen}});
}

// (gradient [T], loss, positions, moves, won), summed over games; game i by (seed, begin + i)
// alone.
nb::tuple result_gradient(const Judgement& judgement, int games, std::uint64_t seed,
                          std::uint64_t begin, double random_share, int threads) {
  require(games > 0 && threads > 0, "games and threads are 1 or more");
  require(random_share >= 0 && random_share <= 1, "shares are from 0 to 1");
  ResultGradient sum;
  {
    const nb::gil_scoped_release release;
    sum =
        play_training_games(judgement, games, seed, begin, {.random_share = random_share}, threads);
  }
  auto gradient = new_array<double>({sum.gradient.size()});
  std::copy(sum.gradient.begin(), sum.gradient.end(), gradient.data());
  return nb::make_tuple(gradient, sum.loss, sum.positions, sum.moves, sum.won);
}

const Binding bind_siguo_strong("siguo_strong", [](nb::module_& core) {
  auto m = core.def_submodule("siguo_strong", "Siguo by search on determinizations.");
  m.attr("terms") = Judgement::terms;
  m.attr("deepest") = InformationTree::deepest;
  nb::class_<Judgement>(m, "Evaluator",
                        "How well a team stands: worths of pieces by kind and station.")
      .def_static("linear", &judgement_of, "weights"_a,
                  nb::sig("def linear(weights: numpy.typing.NDArray[numpy.float32]) -> Evaluator"),
                  "By one weight for each term.")
      .def(
          "value",
          [](const Judgement& judgement, const Played<Position>& at) {
            return judgement.value(at.position);
          },
          "position"_a, nb::sig("def value(self, position: tempo._core.siguo.Position) -> float"),
          "The score that seat 0 and its partner may expect, from -1 to 1.");
  m.def("hand_tuned_weights", &hand_tuned_weights,
        nb::sig("def hand_tuned_weights() -> numpy.typing.NDArray[numpy.float32]"),
        "[T] the worths of pieces that the rules of thumb go by, and nothing else.");
  const StrongSettings usual;
  m.def(
      "search", &search_checked, "view"_a, "evaluator"_a, "seed"_a,
      "determinizations"_a = usual.determinizations, "simulations"_a = usual.simulations,
      "seconds"_a = usual.seconds, "moves"_a = usual.moves, "plies"_a = usual.tree.plies,
      "depth"_a = usual.tree.depth, "anchor"_a = usual.anchor, "explore"_a = usual.tree.explore,
      "widen"_a = usual.tree.widen,
      nb::sig(
          "def search(view: tempo._core.siguo.View, evaluator: Evaluator, seed: int, "
          "determinizations: int = 0, simulations: int = 0, seconds: float = 0.0, moves: int = 16, "
          "plies: int = 8, depth: int = 4, anchor: float = 0.33, explore: float = 0.3, "
          "widen: float = 1.0) -> tuple[numpy.typing.NDArray[numpy.int32], "
          "numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], "
          "numpy.typing.NDArray[numpy.int32], int, int, int]"),
      "Tries the moves that score highest on determinizations of the view: [M] moves, best first, "
      "[M] what decided, [M] the score their team may expect, [M] visits; determinizations, "
      "simulations "
      "and positions.");
  m.def("result_gradient", &result_gradient, "evaluator"_a, "games"_a, "seed"_a, "begin"_a,
        "random_share"_a = 0.1, "threads"_a = 1,
        nb::sig("def result_gradient(evaluator: Evaluator, games: int, seed: int, begin: int, "
                "random_share: float = 0.1, threads: int = 1) -> "
                "tuple[numpy.typing.NDArray[numpy.float64], float, int, int, float]"),
        "Games of the rules of thumb against themselves: [T] the gradient of the log loss of "
        "results, the loss, both summed over positions; positions, moves, and games that seat 0 "
        "won, draws counting half.");
});

}  // namespace
}  // namespace tempo::bind
