#include "../games/jiu/rules.h"

#include "../games/jiu/features.h"
#include "../games/jiu/terms.h"
#include "binding.h"
#include "game.h"

namespace {

namespace nb = nanobind;
using namespace tempo::jiu;
using At = tempo::bind::Played<Position>;

// Points of a shape as numbers, ascending.
nb::list points_of(const Position& position, const Board& points) {
  nb::list list;
  points.each([&](Cell cell) { list.append(position.cell_point(cell)); });
  return list;
}

// Every shape of a seat as (kind, points, hole); the hole is -1 where a shape has none. In
// preparation the two points that will be emptied count as empty, whichever stones are on them.
nb::list shapes_of(const At& at, const nb::object& who) {
  const Position& position = at.position;
  const int seat = index(tempo::bind::seat_of<Position>(who));
  Board own = position.stones(seat);
  Board empty = position.empty();
  if (position.stage() == Stage::Preparation) {
    const Board ends = Board::of(position.centre_end(0)) | Board::of(position.centre_end(1));
    empty |= ends;
    own = own - ends;
  }
  nb::list list;
  const auto add = [&](const char* kind, const Board& points, int hole) {
    list.append(nb::make_tuple(kind, points_of(position, points), hole));
  };
  const auto lines = [&]<int way>() {
    pairs<way>(own).each([&](Cell cell) {
      add("pair", Board::of(cell) | Board::of(static_cast<Cell>(cell + way)), -1);
    });
    chains<way>(own).each([&](Cell cell) {
      add("chain",
          Board::of(cell) | Board::of(static_cast<Cell>(cell + way)) |
              Board::of(static_cast<Cell>(cell + 2 * way)),
          -1);
    });
  };
  lines.template operator()<1>();
  lines.template operator()<stride>();
  squares(own).each([&](Cell cell) { add("square", points_of_cells(Board::of(cell)), -1); });
  const Board field = position.field();
  const Board reach = step_gates(own, empty);
  each_corner([&]<int across, int along>() {
    ((field - own) & closing<across, along>(own)).each([&](Cell hole) {
      Board three;
      for (const int way : {across, along, across + along}) {
        three.add(static_cast<Cell>(hole + way));
      }
      const int point = position.cell_point(hole);
      add("triangle", three, point);
      if (empty.has(hole)) add("gate", three, point);
    });
  });
  each_dalian(own, empty, [&](const Dalian& dalian) {
    add(dalian.flat ? "flat dalian" : "slant dalian", dalian.stones,
        position.cell_point(dalian.hole));
  });
  reach.each([&](Cell hole) { add("mobility gate", Board::of(hole), position.cell_point(hole)); });
  return list;
}

}  // namespace

namespace tempo::bind {
namespace {

const Binding bind_jiu("jiu", [](nb::module_& core) {
  auto m = core.def_submodule("jiu", "Tibetan Jiu.");
  bind_game<jiu::Position>(m);
  nb::borrow<nb::class_<At>>(m.attr("Position"))
      .def_prop_ro(
          "is_battle", [](const At& at) { return at.position.stage() == Stage::Battle; },
          "Whether the board has been filled.")
      .def_prop_ro(
          "in_turn", [](const At& at) { return at.position.in_turn(); },
          "Whether a turn is under way: the same seat goes on.")
      .def_prop_ro(
          "due", [](const At& at) { return at.position.due(); }, "Captures still to be taken.")
      .def_prop_ro(
          "plies", [](const At& at) { return at.position.plies(); },
          "Battle turns so far, or stones placed.")
      .def_prop_ro(
          "counts",
          [](const At& at) {
            return std::make_pair(at.position.count(white), at.position.count(black));
          },
          "Stones on the board, White's and Black's.")
      .def(
          "flies",
          [](const At& at, const nb::object& seat) {
            return at.position.flies(index(seat_of<Position>(seat)));
          },
          "seat"_a, nb::sig("def flies(self, seat: int | str) -> bool"),
          "Whether a seat has so few stones that they fly.")
      .def(
          "has_gate",
          [](const At& at, const nb::object& seat) {
            return at.position.has_gate(index(seat_of<Position>(seat)));
          },
          "seat"_a, nb::sig("def has_gate(self, seat: int | str) -> bool"),
          "Whether a seat, were it to move, could complete a square.")
      .def("shapes", &shapes_of, "seat"_a,
           nb::sig("def shapes(self, seat: int | str) -> list[tuple[str, list[int], int]]"),
           "The shapes of a seat: kind, points, and the point that is waited for (or -1).");
});

}  // namespace
}  // namespace tempo::bind
