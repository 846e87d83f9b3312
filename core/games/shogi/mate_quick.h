// Mates in one and in three plies without a table: for the leaves of other searches.
#pragma once

#include "mate_attack.h"

namespace tempo::shogi {

// The first check that leaves no answer at all, or no_move.
template <class Board, Colour us>
Move mate_in_one(const Pieces<Board>& men) {
  Moves checks;
  list_checks<Board, us>(men, checks);
  for (const Move check : checks) {
    Pieces<Board> next = men;
    make_move<Board, us>(next, check);
    if (is_mated<Board, other(us)>(next)) return check;
  }
  return no_move;
}

// Whether every answer of `us`, in check, is met by a mate in one.
template <class Board, Colour us>
bool is_mated_in_two(const Pieces<Board>& men) {
  Moves answers;
  Lister<Board> lister{answers};
  visit_moves<Board, us>(men, Side<Board, us>::restraint(men), lister);
  for (const Move answer : answers) {
    Pieces<Board> next = men;
    make_move<Board, us>(next, answer);
    if (mate_in_one<Board, other(us)>(next) == no_move) return false;
  }
  return true;
}

// The first check that mates within three plies whatever the answer, or no_move.
template <class Board, Colour us>
Move mate_in_three(const Pieces<Board>& men) {
  Moves checks;
  list_checks<Board, us>(men, checks);
  for (const Move check : checks) {
    Pieces<Board> next = men;
    make_move<Board, us>(next, check);
    if (is_mated_in_two<Board, other(us)>(next)) return check;
  }
  return no_move;
}

// The same for the side to move of a position.
template <class Board>
Move mate_in_one(const PositionOf<Board>& position) {
  return position.colour() == black ? mate_in_one<Board, black>(position.pieces())
                                    : mate_in_one<Board, white>(position.pieces());
}
template <class Board>
Move mate_in_three(const PositionOf<Board>& position) {
  const Move at_once = mate_in_one(position);
  if (at_once != no_move) return at_once;
  return position.colour() == black ? mate_in_three<Board, black>(position.pieces())
                                    : mate_in_three<Board, white>(position.pieces());
}

}  // namespace tempo::shogi
