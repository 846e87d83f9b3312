// Binds Siguo's rules of thumb and the trials that build on them, the GIL released. Letters: M
// moves.
#include "../siguo/trials.h"

#include <nanobind/nanobind.h>

#include <string>

#include "arrays.h"
#include "games.h"

namespace tempo::bind {

namespace {

namespace nb = nanobind;
using namespace nb::literals;
using namespace siguo;

Moves moves_of(const View& view) {
  Moves moves;
  view.legal_moves(moves);
  if (moves.size() == 0) throw IllegalMove("it is not this seat's turn, or the game is over");
  return moves;
}

int choose(const View& view, std::uint64_t seed) {
  const Moves moves = moves_of(view);
  Random random(seed);
  return tempo::index(Heuristic(view).choose(moves, random));
}

auto scores(const View& view) {
  const Moves moves = moves_of(view);
  const Heuristic heuristic(view);
  auto array = new_array<float>({at(moves.size())});
  float* out = array.data();
  for (const Move move : moves) *out++ = heuristic.score(move);
  return array;
}

auto chances(const View& view) {
  const Hunch hunch(view);
  auto array = new_array<float>({at(pieces), at(kinds)});
  for (int piece = 0; piece < pieces; ++piece)
    std::copy_n(hunch.chances(piece).data(), kinds, array.data() + kinds * piece);
  return array;
}

// (moves [M], worths [M], truths, positions), best first.
nb::tuple try_moves(const View& view, std::uint64_t seed, const TrialSettings& settings) {
  moves_of(view);
  Trials trials;
  {
    const nb::gil_scoped_release release;
    Random random(seed);
    trials = Trying(view, settings)(random);
  }
  auto moves = new_array<std::int32_t>({trials.moves.size()});
  auto worths = new_array<double>({trials.moves.size()});
  for (std::size_t i = 0; i < trials.moves.size(); ++i) {
    moves.data()[i] = tempo::index(trials.moves[i].move);
    worths.data()[i] = trials.moves[i].worth;
  }
  return nb::make_tuple(moves, worths, trials.truths, trials.positions);
}

nb::tuple try_checked(const View& view, std::uint64_t seed, int truths, double seconds, int moves,
                      int plies, float anchor) {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw ParseError(std::string("trials of siguo: ") + what);
  };
  require(truths >= 0 && seconds >= 0, "truths and seconds are 0 or more");
  require(truths > 0 || seconds > 0, "a number of truths or of seconds is needed");
  require(moves > 0 && plies >= 0, "moves are 1 or more, plies 0 or more");
  return try_moves(view, seed, {truths, seconds, moves, plies, anchor});
}

}  // namespace

void bind_siguo_heuristic(nb::module_& core) {
  auto m = core.def_submodule("siguo_heuristic", "Siguo by rules of thumb.");
  m.def("choose", &choose, "view"_a, "seed"_a, nb::call_guard<nb::gil_scoped_release>(),
        nb::sig("def choose(view: tempo._core.siguo.View, seed: int) -> int"),
        "The move that the rules of thumb like best; the seed decides between nearly equal ones.");
  m.def("scores", &scores, "view"_a,
        nb::sig("def scores(view: tempo._core.siguo.View) -> "
                "numpy.typing.NDArray[numpy.float32]"),
        "[M] what each legal move is thought to be worth; only comparisons mean something.");
  m.def("chances", &chances, "view"_a,
        nb::sig("def chances(view: tempo._core.siguo.View) -> "
                "numpy.typing.NDArray[numpy.float32]"),
        "[100, 12] quick chances of each kind for each piece, by seat and home.");
  m.def("try_moves", &try_checked, "view"_a, "seed"_a, "truths"_a = 100, "seconds"_a = 0.0,
        "moves"_a = 16, "plies"_a = 8, "anchor"_a = 1.0F,
        nb::sig("def try_moves(view: tempo._core.siguo.View, seed: int, truths: int = 100, "
                "seconds: float = 0.0, moves: int = 16, plies: int = 8, anchor: float = 1.0) -> "
                "tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float64], "
                "int, int]"),
        "Tries the moves that score highest on truths drawn from the view: [M] moves, best first, "
        "[M] the lead of the seat's team after each plus its score, truths and positions.");
}

}  // namespace tempo::bind
