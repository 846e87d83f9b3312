// Binds what one seat may know of a position, in games that hide something.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "../game.h"
#include "../game_features.h"
#include "arrays.h"
#include "guard.h"
#include "held_game.h"
#include "played.h"

namespace tempo::bind {

namespace nb = nanobind;
using namespace nb::literals;

// A move that a seat may make, from its number or its text. Parsing with the whole position would
// leak hidden information by what is refused.
template <Hidden P>
bool is_move_of(const typename P::View& view, std::int64_t number) {
  typename P::Moves moves;
  view.legal_moves(moves);
  return std::any_of(moves.begin(), moves.end(), [&](Move move) { return index(move) == number; });
}
template <Hidden P>
int parsed_move(const typename P::View& view, std::string_view text) {
  typename P::Moves moves;
  view.legal_moves(moves);
  for (const Move move : moves) {
    if (view.move_text(move) == text) return index(move);
  }
  // Refused as a position refuses: what is written like a move of the game is no legal one.
  bool is_written_so = false;
  const int numbers = P::move_numbers(view.options());
  for (int m = 0; m < numbers && !is_written_so; ++m) {
    is_written_so = view.move_text(static_cast<Move>(m)) == text;
  }
  if (is_written_so) {
    throw IllegalMove(std::string(text) + ": this seat cannot make that move now (" +
                      std::string(P::name) + ")");
  }
  throw ParseError(std::string(P::name) + " move '" + std::string(text) + "': " +
                   (moves.size() > 0 ? "expected one such as " + view.move_text(moves[0])
                                     : "this seat has none to make"));
}

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
          "is_legal", [](const View& v, std::int64_t move) { return is_move_of<P>(v, move); },
          "move"_a, "Whether this seat may make a move now.")
      .def(
          "parse_move",
          [](const View& v, const Text& text) { return parsed_move<P>(v, plain(text)); }, "text"_a,
          "The number of a move that this seat may make, given as text.")
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
