// Binds what one seat may know of a position, in games that hide something.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <string>

#include "../game.h"
#include "../game_features.h"
#include "arrays.h"
#include "guard.h"
#include "held_game.h"
#include "played.h"

namespace tempo::bind {

namespace nb = nanobind;
using namespace nb::literals;

template <Hidden P>
[[gnu::cold]] void bind_view(nb::module_& m) {
  using View = typename P::View;
  auto bound = nb::class_<View>(m, "View", "What one seat may know of a position.");
  bound
      .def_prop_ro(
          "game", [](const View& v) { return game_spec(P::name, v.options()); },
          "The game and its options in one string.")
      .def_prop_ro("seat", [](const View& v) { return index(v.seat()); })
      .def_prop_ro("turn", [](const View& v) { return index(v.turn()); })
      .def_prop_ro(
          "legal_moves",
          [](const View& v) {
            typename P::Moves moves;
            v.legal_moves(moves);
            nb::list list;
            for (const Move move : moves) list.append(index(move));
            return list;
          },
          nb::sig("def legal_moves(self) -> list[int]"))
      .def_prop_ro("outcome", [](const View& v) { return end_of_game(v.outcome(), P::seats); })
      .def_prop_ro("is_over", [](const View& v) { return v.outcome().has_value(); })
      .def_prop_ro("key", [](const View& v) { return v.key(); })
      .def_prop_ro("text", [](const View& v) { return v.text(); })
      .def_prop_ro("board", [](const View& v) { return v.board(); })
      .def(
          "move_text",
          [](const View& v, std::int64_t move) { return v.move_text(checked_move<P>(v, move)); },
          "move"_a)
      .def(
          "sample",
          [](const View& v, std::uint64_t seed) {
            Random random(seed);
            return Played<P>{P::sample(v, random), {}};
          },
          "seed"_a, "A position consistent with this view, drawn at random.")
      .def("_repr_svg_",
           [](nb::handle self) {
             return nb::cast<std::string>(
                 nb::module_::import_("tempo.games.drawing").attr("shown")(self));
           })
      .def(
          "__eq__", [](const View& a, const View& b) { return a == b; }, nb::is_operator())
      .def("__hash__", [](const View& v) { return v.key(); })
      .def("__str__", [](const View& v) { return v.board(); });
  if constexpr (HasFeatures<P>) {
    bound.def(
        "features",
        [](const View& v) {
          auto array = feature_array(Features<P>::shape(v.options()));
          Features<P>::write(v, array.data());
          return array;
        },
        nb::sig("def features(self) -> numpy.typing.NDArray[numpy.float32]"),
        "[planes, rows, columns] as this seat sees it.");
  }
}

}  // namespace tempo::bind
