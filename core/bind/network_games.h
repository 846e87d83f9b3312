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

inline NetworkGameSettings network_game_settings(double random_share, int opening, int longest,
                                                 int count, int threads, double detours = 0,
                                                 double even = 1) {
  for (const double share : {random_share, detours, even}) {
    if (!(share >= 0 && share <= 1)) throw ParseError("a share is from 0 to 1");
  }
  if (opening < 0 || opening > 1'000'000) throw ParseError("an opening is of 0 to 1000000 moves");
  if (longest < 1 || count < 1 || threads < 1) {
    throw ParseError("games, their moves and threads are 1 or more");
  }
  return {random_share, opening, longest, detours, even};
}

// Columns of all games end to end. Call with the GIL held.
class GameColumns {
 public:
  explicit GameColumns(const std::vector<NetworkGame>& games) : games_(games) {
    for (const NetworkGame& game : games) rows_ += game.moves.size();
  }

  template <class T, class Member>
  nb::object column(Member member) const {
    auto array = new_array<T>({count(member)});
    copy(member, array.data());
    return nb::cast(array);
  }
  template <class Member>
  nb::object bytes(Member member, std::size_t width) const {
    auto array = new_array<std::uint8_t>({count(member) / width, width});
    copy(member, array.data());
    return nb::cast(array);
  }
  [[nodiscard]] nb::dict all(std::size_t width) const {
    nb::dict found;
    found["inputs"] = bytes(&NetworkGame::inputs, width);
    found["leaves"] = bytes(&NetworkGame::leaves, width);
    found["keys"] = column<std::uint64_t>(&NetworkGame::keys);
    found["leaf_keys"] = column<std::uint64_t>(&NetworkGame::leaf_keys);
    found["turn"] = column<std::uint8_t>(&NetworkGame::turns);
    found["moves"] = column<std::int32_t>(&NetworkGame::moves);
    found["value"] = column<float>(&NetworkGame::values);
    found["best"] = column<float>(&NetworkGame::best);
    found["leaf_sign"] = column<float>(&NetworkGame::leaf_signs);
    found["explored"] = column<bool>(&NetworkGame::explored);
    found["quiet"] = column<bool>(&NetworkGame::quiet);
    found["evaluated"] = column<bool>(&NetworkGame::evaluated);
    found["aside_inputs"] = bytes(&NetworkGame::aside_inputs, width);
    found["aside_keys"] = column<std::uint64_t>(&NetworkGame::aside_keys);
    found["aside_best"] = column<float>(&NetworkGame::aside_best);
    auto number = new_array<std::int64_t>({rows_});
    auto scores = new_array<float>({games_.size(), 2});
    std::int64_t* row = number.data();
    std::int64_t positions = 0;
    std::int64_t evaluations = 0;
    for (std::size_t i = 0; i < games_.size(); ++i) {
      row = std::fill_n(row, games_[i].moves.size(), static_cast<std::int64_t>(i));
      std::copy_n(games_[i].scores.begin(), 2, scores.data() + 2 * i);
      positions += games_[i].positions;
      evaluations += games_[i].evaluations;
    }
    found["game"] = nb::cast(number);
    found["scores"] = nb::cast(scores);
    found["positions"] = positions;
    found["evaluations"] = evaluations;
    return found;
  }

 private:
  template <class Member>
  std::size_t count(Member member) const {
    std::size_t all = 0;
    for (const NetworkGame& game : games_) all += (game.*member).size();
    return all;
  }
  template <class Member, class T>
  void copy(Member member, T* out) const {
    for (const NetworkGame& game : games_) {
      out = std::copy((game.*member).begin(), (game.*member).end(), out);
    }
  }

  const std::vector<NetworkGame>& games_;
  std::size_t rows_ = 0;
};

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
        return GameColumns(played).all(PackedInputs<T>::bytes(root.options()));
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
