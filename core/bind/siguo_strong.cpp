// Binds the searches of Siguo, what they know and their training games, the GIL released. Letters:
// D deals, M moves, P numbers of the policy, T terms.
#include "../games/siguo/strong.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <string>

#include "../games/siguo/first_strong.h"
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
template <class Search>
nb::tuple searched(std::uint64_t seed, Search&& search) {
  Halved halved;
  {
    const nb::gil_scoped_release release;
    Random random(seed);
    halved = search(random);
  }
  if (halved.moves.empty()) throw IllegalMove("it is not this seat's turn, or the game is over");
  const std::size_t count = halved.moves.size();
  auto moves = new_array<std::int32_t>({count});
  auto worths = new_array<double>({count});
  auto values = new_array<double>({count});
  auto visits = new_array<std::int32_t>({count});
  for (std::size_t i = 0; i < count; ++i) {
    moves.data()[i] = tempo::index(halved.moves[i].move);
    worths.data()[i] = halved.moves[i].worth;
    values.data()[i] = halved.moves[i].value();
    visits.data()[i] = halved.moves[i].visits;
  }
  return nb::make_tuple(moves, worths, values, visits, halved.determinizations, halved.simulations,
                        halved.positions);
}

HalvingBudget budget_of(int determinizations, int simulations, double seconds, int moves,
                        int plies) {
  require(determinizations >= 0 && simulations >= 0, "budgets are 0 or more");
  require(seconds >= 0 && seconds <= longest_seconds, "seconds must be 0 to 1e9");
  require(determinizations > 0 || simulations > 0 || seconds > 0, "a budget is needed");
  require(moves > 0 && plies >= 0, "moves are 1 or more, plies 0 or more");
  return {determinizations, simulations, seconds};
}

using Numbers = Input<float, 1>;

PolicyWeights policy_of_array(const std::optional<Numbers>& numbers) {
  if (!numbers) return policy_of(tuned_policy);
  require(numbers->shape(0) == at(policy_terms), "the policy's numbers are not one for each term");
  require_finite(*numbers, "policy");
  PolicyNumbers all;
  std::copy_n(numbers->data(), all.size(), all.begin());
  return policy_of(all);
}

Tells tells_of(const Numbers& weights) {
  require(weights.shape(0) == at(Tells::terms), "the weights are not one for each tell and kind");
  require_finite(weights, "weights");
  return Tells(std::span(weights.data(), weights.shape(0)));
}

nb::tuple search(const View& view, const Judgement& judgement, std::uint64_t seed,
                 const Tells* tells, const std::optional<Numbers>& policy, int determinizations,
                 int simulations, double seconds, int moves, int plies, float anchor) {
  const HalvingBudget budget = budget_of(determinizations, simulations, seconds, moves, plies);
  const StrongSettings settings{budget, moves, plies, anchor};
  const StrongKnowledge knowledge{&judgement, policy_of_array(policy), tells};
  return searched(seed,
                  [&](Random& random) { return search_strong(view, knowledge, settings, random); });
}

nb::tuple search_as_first(const View& view, const Judgement& judgement, std::uint64_t seed,
                          int determinizations, int simulations, double seconds, int moves,
                          int plies, int depth, float anchor, double explore, double widen) {
  const HalvingBudget budget = budget_of(determinizations, simulations, seconds, moves, plies);
  require(depth >= 0 && depth <= InformationTree::deepest, "depths are from 0 to 16");
  require(explore >= 0 && widen > 0, "explore is 0 or more, widen more than 0");
  const FirstSettings settings{budget, moves, anchor, {depth, plies, explore, widen}};
  return searched(seed,
                  [&](Random& random) { return search_first(view, judgement, settings, random); });
}

// (gradient [T], loss, examples, moves, won), summed over games; game i by (seed, begin + i)
// alone.
template <class Learn>
nb::tuple games_gradient(const Teacher& teacher, int terms, int games, std::uint64_t seed,
                         std::uint64_t begin, int threads, Learn&& learn) {
  require(games > 0 && threads > 0, "games and threads are 1 or more");
  require(teacher.random_share >= 0 && teacher.random_share <= 1, "shares are from 0 to 1");
  GamesGradient sum(0);
  {
    const nb::gil_scoped_release release;
    sum = play_training_games(teacher, terms, games, seed, begin, threads, learn);
  }
  auto gradient = new_array<double>({sum.gradient.size()});
  std::copy(sum.gradient.begin(), sum.gradient.end(), gradient.data());
  return nb::make_tuple(gradient, sum.loss, sum.examples, sum.moves, sum.won);
}

nb::tuple result_gradient_of(const Judgement& judgement, int games, std::uint64_t seed,
                             std::uint64_t begin, double random_share, int threads) {
  return games_gradient({.random_share = random_share}, Judgement::terms, games, seed, begin,
                        threads, [&](const TaughtGame& game, Random& random) {
                          return result_gradient(judgement, game, random);
                        });
}

nb::tuple tell_gradient_of(const Tells& tells, const Judgement& judgement, int games,
                           std::uint64_t seed, std::uint64_t begin, double random_share,
                           int simulations, int threads) {
  require(simulations >= 0, "simulations are 0 or more");
  const Teacher teacher{.by = simulations > 0 ? Teacher::By::Search : Teacher::By::Policy,
                        .knowledge = {.judgement = &judgement},
                        .simulations = simulations,
                        .random_share = random_share};
  return games_gradient(
      teacher, Tells::terms, games, seed, begin, threads,
      [&](const TaughtGame& game, Random& random) { return tell_gradient(tells, game, random); });
}

auto policy_numbers() {
  auto array = new_array<float>({tuned_policy.size()});
  std::copy(tuned_policy.begin(), tuned_policy.end(), array.data());
  return array;
}

// Who plays by a policy, alone or with a search on top.
Teacher player_of(const Judgement& judgement, const Tells* tells, const Numbers& policy,
                  int simulations) {
  require(simulations >= 0, "simulations are 0 or more");
  return {.by = simulations > 0 ? Teacher::By::Search : Teacher::By::Policy,
          .knowledge = {&judgement, policy_of_array(policy), tells},
          .simulations = simulations,
          .random_share = 0};
}

auto match(const Judgement& judgement, const Tells* tells, const Numbers& first,
           const Numbers& second, int deals, std::uint64_t seed, std::uint64_t begin,
           int simulations, int threads) {
  require(deals > 0 && threads > 0, "deals and threads are 1 or more");
  auto scores = new_array<float>({at(deals)});
  const std::array<Teacher, 2> players{player_of(judgement, tells, first, simulations),
                                       player_of(judgement, tells, second, simulations)};
  {
    const nb::gil_scoped_release release;
    play_matches(players, seed, begin, threads, std::span(scores.data(), at(deals)));
  }
  return scores;
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
  nb::class_<Tells>(m, "Tells", "What is seen of a piece says about its kind.")
      .def_static("linear", &tells_of, "weights"_a,
                  nb::sig("def linear(weights: numpy.typing.NDArray[numpy.float32]) -> Tells"),
                  "By one weight for each feature and kind.");
  m.attr("tell_terms") = Tells::terms;
  const StrongSettings usual;
  m.def(
      "search", &search, "view"_a, "evaluator"_a, "seed"_a, "tells"_a.none() = nb::none(),
      "policy"_a.none() = nb::none(), "determinizations"_a = usual.budget.determinizations,
      "simulations"_a = usual.budget.simulations, "seconds"_a = usual.budget.seconds,
      "moves"_a = usual.moves, "plies"_a = usual.plies, "anchor"_a = usual.anchor,
      nb::sig("def search(view: tempo._core.siguo.View, evaluator: Evaluator, seed: int, "
              "tells: Tells | None = None, "
              "policy: numpy.typing.NDArray[numpy.float32] | None = None, "
              "determinizations: int = 0, simulations: int = 0, seconds: float = 0.0, "
              "moves: int = 16, plies: int = 8, anchor: float = 0.33) "
              "-> tuple[numpy.typing.NDArray[numpy.int32], "
              "numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], "
              "numpy.typing.NDArray[numpy.int32], int, int, int]"),
      "Tries the moves that the policy scores highest on determinizations of the view: [M] moves, "
      "best first, [M] what decided, [M] the score their team may expect, [M] visits; "
      "determinizations, simulations and positions.");
  const FirstSettings first;
  m.def("search_first", &search_as_first, "view"_a, "evaluator"_a, "seed"_a,
        "determinizations"_a = first.budget.determinizations,
        "simulations"_a = first.budget.simulations, "seconds"_a = first.budget.seconds,
        "moves"_a = first.moves, "plies"_a = first.tree.plies, "depth"_a = first.tree.depth,
        "anchor"_a = first.anchor, "explore"_a = first.tree.explore, "widen"_a = first.tree.widen,
        nb::sig("def search_first(view: tempo._core.siguo.View, evaluator: Evaluator, seed: int, "
                "determinizations: int = 0, simulations: int = 0, seconds: float = 0.0, "
                "moves: int = 16, plies: int = 8, depth: int = 4, anchor: float = 0.33, "
                "explore: float = 0.3, widen: float = 1.0) -> "
                "tuple[numpy.typing.NDArray[numpy.int32], "
                "numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], "
                "numpy.typing.NDArray[numpy.int32], int, int, int]"),
        "The search as it first was, with the same results as `search`.");
  m.def("result_gradient", &result_gradient_of, "evaluator"_a, "games"_a, "seed"_a, "begin"_a,
        "random_share"_a = 0.1, "threads"_a = 1,
        nb::sig("def result_gradient(evaluator: Evaluator, games: int, seed: int, begin: int, "
                "random_share: float = 0.1, threads: int = 1) -> "
                "tuple[numpy.typing.NDArray[numpy.float64], float, int, int, float]"),
        "Games of the rules of thumb against themselves: [T] the gradient of the log loss of "
        "results, the loss, both summed over positions; positions, moves, and games that seat 0 "
        "won, draws counting half.");
  m.def("tell_gradient", &tell_gradient_of, "tells"_a, "evaluator"_a, "games"_a, "seed"_a,
        "begin"_a, "random_share"_a = 0.02, "simulations"_a = 100, "threads"_a = 1,
        nb::sig("def tell_gradient(tells: Tells, evaluator: Evaluator, games: int, seed: int, "
                "begin: int, random_share: float = 0.02, simulations: int = 100, "
                "threads: int = 1) -> "
                "tuple[numpy.typing.NDArray[numpy.float64], float, int, int, float]"),
        "Games of the search against itself (of the policy with 0 simulations): [T] the gradient "
        "of the log loss of telling the kinds of two pieces from the same exchanged, the loss, "
        "both summed over exchanges; exchanges, moves, and games that seat 0 won.");
  m.def("policy", &policy_numbers, nb::sig("def policy() -> numpy.typing.NDArray[numpy.float32]"),
        "[P] the numbers that the playout policy goes by.");
  m.def("match", &match, "evaluator"_a, "tells"_a.none(), "first"_a, "second"_a, "deals"_a,
        "seed"_a, "begin"_a = 0, "simulations"_a = 0, "threads"_a = 1,
        nb::sig("def match(evaluator: Evaluator, tells: Tells | None, "
                "first: numpy.typing.NDArray[numpy.float32], "
                "second: numpy.typing.NDArray[numpy.float32], deals: int, seed: int, "
                "begin: int = 0, simulations: int = 0, threads: int = 1) "
                "-> numpy.typing.NDArray[numpy.float32]"),
        "[D] what one policy scores against another on each deal, from -1 to 1: two games, teams "
        "swapped, with a search of so much on top or none. Deal i by (seed, begin + i) alone.");
});

}  // namespace
}  // namespace tempo::bind
