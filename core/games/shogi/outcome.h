// What ends a game of shogi, seen from the pieces: check, being out of moves, the declaration.
#pragma once

#include "attacks.h"
#include "board.h"
#include "moves.h"

namespace tempo::shogi {

// Whether `by` attacks a square (never, where there is no king to attack).
template <class Board, Colour by>
inline bool is_attacked(const Pieces<Board>& men, Square square) {
  using Reach = Attacks<Board>;
  if (Reach::template near_attackers<by>(men, square) != 0) return true;
  if (has(Reach::king(square), men.king_of(by))) return true;
  for (auto left = Reach::template snipers<by>(men, square); left != 0;) {
    if ((Reach::between(square, take_first(left)) & men.occupied()) == 0) return true;
  }
  return false;
}

// Whether the side to move has any move. Most positions have a free pawn to push, or a square for
// the king when in check; only the others are counted out.
template <class Board, Colour us>
inline bool has_moves(const Pieces<Board>& men, const Restraint<Board>& held) {
  using S = Side<Board, us>;
  using At = Grid<Board>;
  const auto pawns = men.plain(us, pawn) & ~held.pinned;
  const auto steps = At::template shifted<S::ahead, 0>(pawns) & ~men.sides[us] & held.answers;
  if (steps != 0) return true;
  Counter<Board> counter;
  visit_moves<Board, us>(men, held, counter);
  return counter.total != 0;
}

// The 27-point declaration (Computer Shogi Association, rule 25; Nihon Shogi Renmei's nyugyoku
// declaration): the king stands in the promotion zone and not in check, at least ten other pieces
// stand there with it, and those with the hand are worth 28 points for Black, 27 for White: rooks
// and bishops five, others one.
template <class Board>
inline bool may_declare(const Pieces<Board>& men, Colour side) {
  using At = Grid<Board>;
  const auto zone = At::far_ranks(side, Board::zone);
  const Square own = men.king_of(side);
  if (own >= At::squares || !has(zone, own)) return false;
  const auto inside = men.sides[side] & zone & ~At::bit(own);
  if (count(inside) < 10) return false;
  const auto great = (men.kinds[bishop] | men.kinds[rook]) & inside;
  int points = count(inside) + 4 * count(great);
  for (int kind = pawn; kind <= rook; ++kind)
    points += men.hands[side][kind] * (kind >= bishop ? 5 : 1);
  if (points < (side == black ? 28 : 27)) return false;
  return side == black ? !is_attacked<Board, white>(men, own)
                       : !is_attacked<Board, black>(men, own);
}

}  // namespace tempo::shogi
