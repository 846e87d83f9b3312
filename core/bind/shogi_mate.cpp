// The mate search of shogi on both boards.
#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <vector>

#include "../errors.h"
#include "../games/shogi/mate.h"
#include "../search/result.h"
#include "binding.h"
#include "played.h"

namespace tempo::bind {

namespace {

namespace nb = nanobind;
using namespace nb::literals;

struct Mate {
  Verdict verdict;
  std::vector<int> line;
  int length;
  bool shortest;
  std::int64_t positions;
};

template <class Board>
using PlayedOn = Played<shogi::PositionOf<Board>>;

template <class Board>
Mate search(const PlayedOn<Board>& at, std::int64_t positions, double seconds) {
  if (positions < 0) throw ParseError("a search cannot visit fewer than 0 positions");
  if (!(seconds >= 0 && seconds <= longest_seconds)) {
    throw ParseError("a search lasts 0 to 1e9 seconds");
  }
  if (!at.position.pieces().has_king(shogi::other(at.position.colour())))
    throw ParseError("there is no king to mate: the side to move attacks");
  shogi::MateResult found;
  {
    const nb::gil_scoped_release release;
    shogi::MateSearch<Board> search;
    found = search.search(at.position, positions, seconds);
  }
  Mate mate{found.verdict, {}, found.length, found.shortest, found.positions};
  for (const Move move : found.line) mate.line.push_back(index(move));
  return mate;
}

// A number of plies for which there is a quick way.
template <class Board>
int quick(const PlayedOn<Board>& at, int plies) {
  if (plies != 1 && plies != 3)
    throw ParseError("mates are found quickly in 1 or 3 plies, not in " + std::to_string(plies));
  const Move move = plies == 1 ? mate_in_one(at.position) : mate_in_three(at.position);
  return move == no_move ? -1 : index(move);
}

template <class Board>
void bind_board(nb::module_& m, const char* search_signature, const char* quick_signature) {
  m.def("search", &search<Board>, "position"_a, "positions"_a, "seconds"_a = 0.0,
        nb::sig(search_signature),
        "Whether the side to move mates by giving check with every move, and how fast.");
  m.def("quick", &quick<Board>, "position"_a, "plies"_a, nb::sig(quick_signature),
        "The number of a move that mates within 1 or 3 plies, or -1.");
}

const Binding bind_shogi_mate("shogi_mate", [](nb::module_& core) {
  auto m = core.def_submodule("shogi_mate", "Mates of shogi and mini-shogi, by checks alone.");
  nb::class_<Mate>(m, "Mate", "What a mate search found.")
      .def_prop_ro(
          "verdict",
          [](const Mate& mate) {
            constexpr const char* names[] = {"win", "none", "unknown"};
            return names[static_cast<int>(mate.verdict)];
          },
          "`win`, `none`, or `unknown` where the budget ended first.")
      .def_ro("line", &Mate::line, "Of a win: move numbers up to the mate.")
      .def_ro("length", &Mate::length,
              "Plies of the mate, useless interpositions left out; 0 without one.")
      .def_ro("shortest", &Mate::shortest, "Whether no mate is faster.")
      .def_ro("positions", &Mate::positions, "How many positions were looked into.");
  bind_board<shogi::Full>(
      m,
      "def search(position: tempo._core.shogi.Position, positions: int, seconds: float = 0.0) -> "
      "Mate",
      "def quick(position: tempo._core.shogi.Position, plies: int) -> int");
  bind_board<shogi::Mini>(
      m,
      "def search(position: tempo._core.minishogi.Position, positions: int, seconds: float = 0.0) "
      "-> Mate",
      "def quick(position: tempo._core.minishogi.Position, plies: int) -> int");
});

}  // namespace
}  // namespace tempo::bind
