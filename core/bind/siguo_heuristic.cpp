// Binds Siguo's rules of thumb. Letters: M moves.
#include "../games/siguo/heuristic.h"

#include <nanobind/nanobind.h>

#include "arrays.h"
#include "binding.h"

namespace tempo::bind {

namespace {

namespace nb = nanobind;
using namespace nb::literals;
using namespace siguo;

Moves moves_of(const View& view) {
  Moves moves;
  view.legal_moves(moves);
  if (moves.empty()) throw IllegalMove("it is not this seat's turn, or the game is over");
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

auto quick_chances(const View& view) {
  const RunningBelief belief(view);
  auto array = new_array<float>({at(pieces), at(kinds)});
  for (int piece = 0; piece < pieces; ++piece)
    std::copy_n(belief.chances(piece).data(), kinds, array.data() + kinds * piece);
  return array;
}

const Binding bind_siguo_heuristic("siguo_heuristic", [](nb::module_& core) {
  auto m = core.def_submodule("siguo_heuristic", "Siguo by rules of thumb.");
  m.def("choose", &choose, "view"_a, "seed"_a, nb::call_guard<nb::gil_scoped_release>(),
        nb::sig("def choose(view: tempo._core.siguo.View, seed: int) -> int"),
        "The move that the rules of thumb like best; the seed decides between nearly equal ones.");
  m.def("scores", &scores, "view"_a,
        nb::sig("def scores(view: tempo._core.siguo.View) -> "
                "numpy.typing.NDArray[numpy.float32]"),
        "[M] what each legal move is thought to be worth; only comparisons mean something.");
  m.def("chances", &quick_chances, "view"_a,
        nb::sig("def chances(view: tempo._core.siguo.View) -> "
                "numpy.typing.NDArray[numpy.float32]"),
        "[100, 12] quick chances of each kind for each piece, by seat and home.");
});

}  // namespace
}  // namespace tempo::bind
