// Binds games written down as graphs: sweeps of minimax and self-play along arrows, on NumPy
// arrays.
#include "../learning/graph.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <memory>
#include <utility>

#include "arrays.h"
#include "binding.h"
#include "guard.h"

namespace tempo::bind {

namespace {

using namespace nb::literals;
using graph::Node;

// A graph with its own copy of its arrays, which are followed blindly once they are checked, and
// with the threads that work on it. Nothing in it changes, so that Python's threads may share it.
class HeldGraph {
 public:
  using Offsets = Copied<std::int64_t, 1>;
  using Nodes = Copied<Node, 1>;
  using Turns = Copied<std::uint8_t, 1>;
  using Ends = Copied<std::int8_t, 1>;

  HeldGraph(Offsets offsets, Nodes next, Turns turn, Ends end, int threads)
      : offsets_(std::move(offsets)),
        next_(std::move(next)),
        turn_(std::move(turn)),
        end_(std::move(end)),
        pool_(std::make_unique<Pool>(threads)) {
    view().check();
  }

  [[nodiscard]] graph::Graph view() const { return {offsets_, next_, turn_, end_}; }
  [[nodiscard]] Pool& pool() const { return *pool_; }

 private:
  Offsets offsets_;
  Nodes next_;
  Turns turn_;
  Ends end_;
  std::unique_ptr<Pool> pool_;
};

template <class T>
std::span<const T> span_of(const Input<T, 1>& array) {
  return {array.data(), array.shape(0)};
}

void check_nodes(std::span<const Node> nodes, Node size, bool ends_too, const char* what) {
  for (const Node node : nodes) {
    if (node < (ends_too ? graph::nowhere : 0) || node >= size) {
      throw ParseError(std::string(what) + " has " + std::to_string(node) + ", which is no node");
    }
  }
}

nb::tuple sweep(const HeldGraph& held, const Input<float, 1>& values, const Input<Node, 1>& leaves,
                float discount) {
  const graph::Graph view = held.view();
  const auto size = static_cast<std::size_t>(view.size());
  check_length(values, view.size(), "values");
  check_length(leaves, view.size(), "leaves");
  auto values_out = new_array<float>({size});
  auto leaves_out = new_array<Node>({size});
  auto best_out = new_array<Node>({size});
  {
    const nb::gil_scoped_release release;
    graph::sweep(view,
                 {span_of(values),
                  span_of(leaves),
                  discount,
                  {values_out.data(), size},
                  {leaves_out.data(), size},
                  {best_out.data(), size}},
                 held.pool());
  }
  return nb::make_tuple(values_out, leaves_out, best_out);
}

nb::tuple play(const HeldGraph& held, const Copied<Node, 1>& best, const Copied<Node, 1>& starts,
               double random_share, int opening, int cap, std::uint64_t seed,
               std::uint64_t first_game) {
  const graph::Graph view = held.view();
  check_length(best, view.size(), "best");
  check_nodes(best, view.size(), true, "best");
  check_nodes(starts, view.size(), false, "starts");
  constexpr int most = 1'000'000;
  if (cap < 1 || cap > most || opening < 0 || opening > most) {
    throw ParseError("cap is 1 to 1000000 and opening 0 to 1000000");
  }
  for (Node node = 0; node < view.size(); ++node) {
    if (view.end_of(node) == graph::End::None && best.data()[node] == graph::nowhere) {
      throw ParseError("best has no move at node " + std::to_string(node));
    }
  }
  const std::size_t games = starts.shape(0);
  auto states = new_array<Node>({games, static_cast<std::size_t>(cap)});
  auto lengths = new_array<std::int32_t>({games});
  auto outcomes = new_array<float>({games});
  {
    const nb::gil_scoped_release release;
    graph::play(view, {best, starts, random_share, opening, cap, seed, first_game},
                {states.data(), states.size()}, {lengths.data(), games}, {outcomes.data(), games},
                held.pool());
  }
  return nb::make_tuple(states, lengths, outcomes);
}

const Binding bind_graph("graph", [](nb::module_& core) {
  auto m = core.def_submodule("graph", "Games small enough to be written down.");
  nb::class_<HeldGraph>(
      m, "Graph",
      "Positions as nodes, moves as edges: offsets [n + 1] and next [edges] in "
      "compressed rows, turn [n] the seat to move, end [n] 0 none, 1 won, 2 lost, "
      "3 drawn, for seat 0.")
      .def(nb::init<HeldGraph::Offsets, HeldGraph::Nodes, HeldGraph::Turns, HeldGraph::Ends, int>(),
           "offsets"_a, "next"_a, "turn"_a, "end"_a, "threads"_a = 1,
           nb::sig("def __init__(self, offsets: numpy.typing.NDArray[numpy.int64], "
                   "next: numpy.typing.NDArray[numpy.int32], "
                   "turn: numpy.typing.NDArray[numpy.uint8], "
                   "end: numpy.typing.NDArray[numpy.int8], threads: int = 1) -> None"))
      .def("__len__", [](const HeldGraph& g) { return g.view().size(); })
      .def("sweep", &sweep, "values"_a, "leaves"_a, "discount"_a = 1.0F,
           nb::sig("def sweep(self, values: numpy.typing.NDArray[numpy.float32], "
                   "leaves: numpy.typing.NDArray[numpy.int32], discount: float = 1.0) -> "
                   "tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.int32], "
                   "numpy.typing.NDArray[numpy.int32]]"),
           "One ply of minimax everywhere: values, leaves and best successors, one deeper.")
      .def("play", &play, "best"_a, "starts"_a, nb::kw_only(), "random_share"_a = 0.0,
           "opening"_a = 0, "cap"_a = 100, "seed"_a = 0, "first_game"_a = 0,
           nb::sig("def play(self, best: numpy.typing.NDArray[numpy.int32], "
                   "starts: numpy.typing.NDArray[numpy.int32], *, random_share: float = 0.0, "
                   "opening: int = 0, cap: int = 100, seed: int = 0, first_game: int = 0) -> "
                   "tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int32], "
                   "numpy.typing.NDArray[numpy.float32]]"),
           "Games along `best`: states [games, cap] padded by -1, lengths and outcomes [games].");
});

}  // namespace
}  // namespace tempo::bind
