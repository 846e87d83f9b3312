// What ends a game of chess apart from the moves themselves: material that cannot mate, and having
// no move at all.
#pragma once

#include "moves.h"
#include "types.h"

namespace tempo::chess {

// Whether no sequence of legal moves can mate for lack of material (FIDE 5.2.2, the part that every
// implementation agrees on): bare kings, one knight or bishop more, or bishops alone that all
// stand on squares of one colour. Blocked pawn walls are dead too but are not recognised.
inline bool material_is_insufficient(const Board& board) {
  if ((board.kinds[pawn] | board.kinds[rook] | board.kinds[queen]) != 0) return false;
  const Bitboard bishops = board.kinds[bishop];
  if (board.kinds[knight] != 0) return bishops == 0 && !more_than_one(board.kinds[knight]);
  return (bishops & light_squares) == 0 || (bishops & ~light_squares) == 0;
}

template <Colour us>
inline bool has_moves(const Board& board, const Restraint& held) {
  // Nearly always some free pawn can step, which is cheap to see.
  const Bitboard steppers = board.of(us, pawn) & ~held.pinned;
  if (held.checkers == 0 && (shifted<Side<us>::forward>(steppers) & ~board.occupied()) != 0)
    return true;
  Counter counter;
  visit_moves<us>(board, held, counter);
  return counter.total != 0;
}

}  // namespace tempo::chess
