// What the bindings of shogi on its two boards share.
#pragma once

#include "../games/shogi/rules.h"

#include "../games/shogi/evaluation.h"
#include "../games/shogi/features.h"
#include "../games/shogi/move_values.h"
#include "game.h"

namespace tempo::bind {

template <class P>
nb::dict hand_of(const Played<P>& at, const nb::object& who) {
  const Seat seat = seat_of<P>(who);
  nb::dict hand;
  for (const shogi::Kind kind : shogi::hand_order) {
    const int held = at.position.hand(seat, kind);
    if (held != 0) hand[shogi::kind_name(kind).data()] = held;
  }
  return hand;
}

template <class P>
nb::list checks_of(const Played<P>& at) {
  nb::list list;
  if (at.is_over()) return list;
  typename P::Moves moves;
  at.position.checks(moves);
  for (const Move move : moves) list.append(index(move));
  return list;
}

// What only shogi has.
template <class P>
[[gnu::cold]] void bind_shogi_position(nb::module_& m) {
  using At = Played<P>;
  nb::borrow<nb::class_<At>>(m.attr("Position"))
      .def_prop_ro(
          "in_check", [](const At& at) { return at.position.in_check(); },
          "Whether the side to move is in check.")
      .def_prop_ro("checks", &checks_of<P>, nb::sig("def checks(self) -> list[int]"),
                   "The legal moves that give check.")
      .def("hand", &hand_of<P>, "seat"_a,
           nb::sig("def hand(self, seat: int | str) -> dict[str, int]"),
           "What a seat holds: how many of each kind, from rook to pawn.");
  m.def(
      "parse_problem",
      [](const Text& text, const typename P::Options& options) {
        return At{P::parse_problem(plain(text), options), {}};
      },
      "text"_a, "options"_a,
      "As parse, but a side may lack its king, as the attacker does in a mate problem.");
}

}  // namespace tempo::bind
