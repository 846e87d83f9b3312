// Binds the preparation stage of Jiu as an environment: moves in, keys and rewards out, by arrays.
#include "../games/jiu/preparation.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>

#include "arrays.h"
#include "binding.h"
#include "guard.h"

namespace tempo::bind {

namespace {

using namespace nb::literals;
using jiu::Preparation;

// Games as Python holds them: threads take turns.
struct HeldPreparation : Preparation {
  using Preparation::Preparation;
  Alone alone;
};

// Which of two words; ParseError names both.
bool is_second(const Text& given, const char* what, const char* first, const char* second) {
  const std::string word = given.string();
  if (word == first || word == second) return word == second;
  throw ParseError(std::string(what) + " '" + word + "'; expected " + first + " or " + second);
}

void make(HeldPreparation* self, int games, int size, bool either_end, const Text& keys, bool place,
          bool control, bool shape, const Text& unfilled, const Text& chain, int threads) {
  if (games < 1) throw ParseError(std::to_string(games) + " games; expected at least one");
  if (size < jiu::area_side || size > jiu::max_size || size % 2 != 0) {
    throw ParseError("a board of size " + std::to_string(size) + "; expected 6, 8, 10, 12 or 14");
  }
  jiu::PreparationRules rules;
  rules.size = size;
  rules.either_end = either_end;
  rules.keys = is_second(keys, "keys", "sequence", "position") ? jiu::KeyKind::Position
                                                               : jiu::KeyKind::Sequence;
  rules.reward = {
      place, control, shape, is_second(unfilled, "unfilled", "wall", "empty"),
      is_second(chain, "chain", "pair", "line") ? jiu::ChainShape::Line : jiu::ChainShape::Pair};
  new (self) HeldPreparation(rules, games, threads);
}

template <class T, class Write>
Array<T> by_move(HeldPreparation& games, Write write) {
  auto array = new_array<T>({static_cast<std::size_t>(games.games()), jiu::area_points});
  {
    const nb::gil_scoped_release release;
    games.alone([&] { (games.*write)(array.data()); });
  }
  return array;
}

Array<double> play(HeldPreparation& games, const AnyInput<1>& moves) {
  const std::vector<Preparation::Move> all = whole_numbers(moves, "moves");
  check_length(moves, games.games(), "moves");
  auto rewards = new_array<double>({all.size()});
  const nb::gil_scoped_release release;
  games.alone([&] { games.play(all, rewards.data()); });
  return rewards;
}

Array<std::uint8_t> turns(HeldPreparation& games) {
  auto array = new_array<std::uint8_t>({static_cast<std::size_t>(games.games())});
  const int turn = games.alone.briefly([&] { return games.turn(); });
  std::fill_n(array.data(), array.size(), static_cast<std::uint8_t>(turn));
  return array;
}

Array<std::int32_t> points(const HeldPreparation& games) {
  auto array = new_array<std::int32_t>({jiu::area_points});
  for (int move = 0; move < jiu::area_points; ++move) array.data()[move] = games.point(move);
  return array;
}

const Binding bind_jiu_preparation("jiu_preparation", [](nb::module_& core) {
  auto m = core.def_submodule("jiu_preparation", "The preparation stage of Jiu, to learn from.");
  nb::class_<HeldPreparation>(
      m, "Preparation",
      "`games` games side by side in which the central 6x6 points are filled, White first. Moves "
      "are row * 6 + column there. White begins on the upper left end of the marked diagonal, "
      "unless `either_end`. `keys` tell apart each `sequence` of moves, or each `position` up to "
      "symmetry. A reward is the sum of `place` (e1), `control` (e2) and `shape` (e3), each of "
      "which can be switched off; unfilled points count there as `wall` or `empty`, and a chain "
      "is a `pair` or a `line` of three.")
      .def("__init__", &make, "games"_a, nb::kw_only(), "size"_a = jiu::max_size,
           "either_end"_a = false, "keys"_a = "sequence", "place"_a = true, "control"_a = true,
           "shape"_a = true, "unfilled"_a = "wall", "chain"_a = "pair", "threads"_a = 1)
      .def_prop_ro(
          "games", [](const HeldPreparation& games) { return games.games(); },
          "How many games there are.")
      .def_prop_ro(
          "seats", [](const HeldPreparation&) { return Preparation::seats; }, "White and Black: 2.")
      .def_prop_ro(
          "size", [](HeldPreparation& games) { return games.rules().size; },
          "Points on a side of the whole board.")
      .def_prop_ro(
          "is_tree",
          [](HeldPreparation& games) { return games.rules().keys == jiu::KeyKind::Sequence; },
          "Whether every key is reached in one way only, as those of sequences are.")
      .def_prop_ro(
          "placed",
          [](HeldPreparation& games) {
            return games.alone.briefly([&] { return games.placed(); });
          },
          "Stones in each game.")
      .def_prop_ro("turns", &turns, nb::sig("def turns(self) -> numpy.typing.NDArray[numpy.uint8]"),
                   nb::rv_policy::move, "[B] the seat to move in each game: 0 White, 1 Black.")
      .def_prop_ro("points", &points,
                   nb::sig("def points(self) -> numpy.typing.NDArray[numpy.int32]"),
                   nb::rv_policy::move,
                   "[36] the point of each move on the whole board, row * size + column.")
      .def(
          "restart",
          [](HeldPreparation& games) {
            const nb::gil_scoped_release release;
            games.alone([&] { games.restart(); });
          },
          "Begins all games anew.")
      .def(
          "legal_mask",
          [](HeldPreparation& games) { return by_move<bool>(games, &Preparation::legal_mask); },
          nb::sig("def legal_mask(self) -> numpy.typing.NDArray[numpy.bool_]"),
          "[B, 36] which moves are legal; none when the points are filled.")
      .def(
          "next_keys",
          [](HeldPreparation& games) {
            return by_move<std::uint64_t>(games, &Preparation::next_keys);
          },
          nb::sig("def next_keys(self) -> numpy.typing.NDArray[numpy.uint64]"),
          "[B, 36] the key of what each legal move leads to; 0 for the others.")
      .def("play", &play, "moves"_a,
           nb::sig("def play(self, moves: numpy.typing.NDArray[numpy.integer]) -> "
                   "numpy.typing.NDArray[numpy.float64]"),
           "Plays a move in every game; [B] what each earns its seat. An illegal move raises "
           "IllegalMove and nothing is played.");
});

}  // namespace
}  // namespace tempo::bind
