// Binds what learners of a weighted sum ask of a game: its terms, what a search proved of
// positions, and games of a search against itself. P is the game's position, T the one that has the
// terms: the same, or one that the game's own search makes of it.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

#include "../learning/leaf_game.h"
#include "../nets/linear.h"
#include "../search/alpha_beta_class.h"
#include "arrays.h"
#include "played.h"

namespace tempo::bind {

namespace nb = nanobind;
using namespace nb::literals;

// How stubs name the position of a game, in its own module or in another.
template <Game P, bool Own>
std::string position_name() {
  return Own ? "Position" : "tempo._core." + std::string(P::name) + ".Position";
}

template <HasTerms T>
LinearEvaluator<T> linear_of(const Input<float, 1>& weights) {
  typename LinearEvaluator<T>::Weights all;
  if (weights.shape(0) != all.size()) {
    throw ParseError(std::string(T::name) + " has " + std::to_string(all.size()) + " terms, not " +
                     std::to_string(weights.shape(0)));
  }
  require_finite(weights, "weights");
  std::copy_n(weights.data(), all.size(), all.begin());
  return LinearEvaluator<T>(all);
}

// For the seat to move at each node: terms [N, terms], low [N], high [N].
template <HasTerms T>
nb::tuple node_arrays(const std::vector<SearchedNode<T>>& nodes) {
  constexpr auto count = static_cast<std::size_t>(Terms<T>::count);
  auto terms = new_array<float>({nodes.size(), count});
  auto low = new_array<float>({nodes.size()});
  auto high = new_array<float>({nodes.size()});
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    Terms<T>::write(nodes[i].position, terms.data() + i * count);
    low.data()[i] = score_of_bound(nodes[i].low);
    high.data()[i] = score_of_bound(nodes[i].high);
  }
  return nb::make_tuple(terms, low, high);
}

template <HasTerms T, Game P = T>
[[gnu::cold]] void bind_terms(nb::module_& m) {
  constexpr auto count = static_cast<std::size_t>(Terms<T>::count);
  nb::list names;
  for (const auto& name : Terms<T>::names) names.append(nb::str(name.data(), name.size()));
  m.attr("term_names") = nb::tuple(names);
  m.attr("half_win") = Terms<T>::half;
  m.def(
      "hand_tuned_weights",
      [] {
        auto weights = new_array<float>({count});
        std::copy_n(std::begin(Terms<T>::hand_tuned), count, weights.data());
        return weights;
      },
      nb::sig("def hand_tuned_weights() -> numpy.typing.NDArray[numpy.float32]"),
      "[terms] hand-tuned weights, where learning starts.");
  const std::string signature = "def terms(position: " + position_name<P, std::is_same_v<T, P>>() +
                                ") -> numpy.typing.NDArray[numpy.float32]";
  m.def(
      "terms",
      [](const Played<P>& at) {
        auto terms = new_array<float>({count});
        Terms<T>::write(T(at.position), terms.data());
        return terms;
      },
      "position"_a, nb::sig(signature.c_str()),
      "[terms] what the weighted sum is of, as the seat to move sees it.");
}

// TD-Leaf from games of a search against itself. `linear(evaluator)` gives the weighted sum of an
// evaluator; `make_search(evaluator, settings)` a search for one game.
template <HasTerms T, Game P, class E, class LinearOf, class MakeSearch>
[[gnu::cold]] void bind_leaf_games(nb::module_& m, LinearOf linear, MakeSearch make_search) {
  const std::string signature =
      "def leaf_games(evaluator: Evaluator, start: " + position_name<P, std::is_same_v<T, P>>() +
      ", settings: tempo._core.AlphaBetaSettings, trace: float, random_share: float, opening: int, "
      "seed: int, first: int, count: int, threads: int = 1) -> tempo._core.LeafGradient";
  m.def(
      "leaf_games",
      [=](const E& evaluator, const Played<P>& start, const AlphaBetaSettings& settings,
          double trace, double random_share, int opening, std::uint64_t seed, std::uint64_t first,
          int count, int threads) {
        if (count < 1) throw ParseError("games to learn from: " + std::to_string(count));
        if (!(trace >= 0 && trace <= 1)) throw ParseError("a trace is from 0 to 1");
        if (opening < 0 || opening > 1'000'000) {
          throw ParseError("an opening is of 0 to 1000000 moves");
        }
        return play_leaf_games(linear(evaluator), T(start.position), {trace, random_share, opening},
                               seed, first, count, threads,
                               [&] { return make_search(evaluator, settings); });
      },
      "evaluator"_a, "start"_a, "settings"_a, "trace"_a, "random_share"_a, "opening"_a, "seed"_a,
      "first"_a, "count"_a, "threads"_a = 1, nb::call_guard<nb::gil_scoped_release>(),
      nb::sig(signature.c_str()),
      "TD-Leaf's gradient from `count` games of the search against itself, numbered from `first`: "
      "the number and the seed fix a game's random moves, so that threads change nothing.");
}

}  // namespace tempo::bind
