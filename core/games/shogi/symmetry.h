// Shogi is the same game in a mirror: every piece moves alike to its left and to its right.
// Symmetry 1 swaps the files; the start itself is not its own mirror image (rook and bishop).
#pragma once

#include "position.h"

namespace tempo::shogi {

template <class Board>
constexpr Square mirrored(Square square) {
  using At = Grid<Board>;
  return At::square_at(At::rank_of(square), At::size - 1 - At::column_of(square));
}

template <class Board>
PositionOf<Board> PositionOf<Board>::transformed(int symmetry) const {
  if (symmetry == 0) return *this;
  Men men = no_pieces<Board>();
  for (Square square = 0; square < squares; ++square) {
    if (const auto piece = piece_at(square))
      men.put(static_cast<Colour>(index(piece->seat)), piece->kind, mirrored<Board>(square));
  }
  for (const Colour side : {black, white}) {
    for (int kind = pawn; kind <= rook; ++kind) men.hands[side][kind] = men_.hands[side][kind];
  }
  return {men, colour(), number_, options_};
}

template <class Board>
Move PositionOf<Board>::transformed_move(Move move, int symmetry) const {
  if (symmetry == 0) return move;
  const Square from = is_drop(move) ? from_of(move) : mirrored<Board>(from_of(move));
  return Numbers<Board>::make(from, mirrored<Board>(to_of(move)), promotes(move));
}

}  // namespace tempo::shogi
