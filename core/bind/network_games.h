// Binds games of a search against itself, as learners of networks need them, and matches of two
// evaluators. P is the game's position, T the one that is searched: the same, or one that the
// game's own search makes of it.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "../learning/network_games.h"
#include "arrays.h"
#include "played.h"
#include "terms.h"

namespace tempo::bind {

namespace nb = nanobind;
using namespace nb::literals;

// Throws ParseError on numbers that make no sense.
NetworkGameSettings network_game_settings(double random_share, int opening, int longest, int count,
                                          int threads, double detours = 0, double even = 1);

// Columns of all games end to end, inputs being of `width` bytes. Call with the GIL held.
nb::dict game_columns(const std::vector<NetworkGame>& games, std::size_t width);

// `make_search(evaluator, settings)` gives a pointer to a NetworkSearch.
template <HasPackedInputs T, Game P, class E, class MakeSearch>
void bind_network_games(nb::module_& m, MakeSearch make_search) {
  static_assert(P::seats == 2);
  const std::string start = position_name<P, std::is_same_v<T, P>>();
  const std::string games =
      "def network_games(evaluator: Evaluator, start: " + start +
      ", settings: tempo._core.AlphaBetaSettings, random_share: float, opening: int, longest: int, "
      "seed: int, first: int, count: int, threads: int = 1, detours: float = 0.0, even: float = "
      "1.0) -> dict[str, numpy.typing.NDArray[numpy.generic]]";
  m.def(
      "network_games",
      [=](const E& evaluator, const Played<P>& at, const AlphaBetaSettings& settings,
          double random_share, int opening, int longest, std::uint64_t seed, std::uint64_t first,
          int count, int threads, double detours, double even) {
        const auto chosen =
            network_game_settings(random_share, opening, longest, count, threads, detours, even);
        if (at.outcome()) throw ParseError("the game to start from is over");
        const T root(at.position);
        std::vector<NetworkGame> played;
        {
          const nb::gil_scoped_release release;
          played = play_network_games(root, chosen, seed, first, count, threads,
                                      [&] { return make_search(evaluator, settings); });
        }
        return game_columns(played, PackedInputs<T>::bytes(root.options()));
      },
      "evaluator"_a, "start"_a, "settings"_a, "random_share"_a, "opening"_a, "longest"_a, "seed"_a,
      "first"_a, "count"_a, "threads"_a = 1, "detours"_a = 0.0, "even"_a = 1.0,
      nb::sig(games.c_str()),
      "Games `first` to `first + count` of the search against itself, end to end: of every move "
      "`inputs` and `leaves` [N, bytes] packed, `keys`, `leaf_keys`, `turn`, `moves`, `value` by "
      "the evaluator, `best` by the search, `leaf_sign`, `explored`, `quiet`, `evaluated` and "
      "`game`; `scores` [games, 2]; `positions` and `evaluations` in all. Before a share `detours` "
      "of the moves, one to four drawn moves lead off the line, and what is quiet there is valued "
      "by "
      "a search: `aside_inputs`, `aside_keys`, `aside_best`. Openings that the search values "
      "beyond "
      "`even` are drawn again. The seed and a game's number fix what is drawn, so that threads "
      "change nothing.");
  const std::string match =
      "def network_match(evaluator: Evaluator, other: Evaluator, start: " + start +
      ", settings: tempo._core.AlphaBetaSettings, opening: int, longest: int, seed: int, pairs: "
      "int, threads: int = 1) -> numpy.typing.NDArray[numpy.float32]";
  m.def(
      "network_match",
      [=](const E& evaluator, const E& other, const Played<P>& at,
          const AlphaBetaSettings& settings, int opening, int longest, std::uint64_t seed,
          int pairs, int threads) {
        const auto chosen = network_game_settings(0, opening, longest, pairs, threads);
        if (at.outcome()) throw ParseError("the game to start from is over");
        const T root(at.position);
        auto scores = new_array<float>({static_cast<std::size_t>(pairs), 2});
        const nb::gil_scoped_release release;
        const auto make = [&](const E& own) { return [&] { return make_search(own, settings); }; };
        const auto got =
            play_network_match(root, chosen, seed, pairs, threads, make(evaluator), make(other));
        std::copy(got.begin(), got.end(), scores.data());
        return scores;
      },
      "evaluator"_a, "other"_a, "start"_a, "settings"_a, "opening"_a, "longest"_a, "seed"_a,
      "pairs"_a, "threads"_a = 1, nb::sig(match.c_str()),
      "[pairs, 2] what the first evaluator's search gets against the other's, from random openings "
      "that both play from both sides.");
}

}  // namespace tempo::bind
