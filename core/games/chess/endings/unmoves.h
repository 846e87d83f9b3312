// Moves taken back: from which boards of the same material a position may have come by one move
// that neither captures nor promotes.
#pragma once

#include "../attacks.h"
#include "../moves.h"
#include "space.h"

namespace tempo::endings {

namespace detail {

// Where a pawn of `us` on `square` may have stepped from. A double step that could be answered en
// passant leads to a position that says so, not to this one.
template <Colour us>
inline Bitboard pawn_origins(const Board& board, Square square) {
  constexpr int forward = chess::Side<us>::forward;
  constexpr int second_rank = us == chess::white ? 1 : 6;
  const Bitboard empty = ~board.occupied();
  const Square behind = square - forward;
  if (chess::rank_of(square) == second_rank || (empty & chess::bit(behind)) == 0) return 0;
  Bitboard origins = chess::bit(behind);
  const Square start = behind - forward;
  if (chess::rank_of(start) == second_rank && (empty & chess::bit(start)) != 0 &&
      chess::en_passant_capturers<chess::other(us)>(board, behind) == 0) {
    origins |= chess::bit(start);
  }
  return origins;
}

template <Colour us>
inline Bitboard origins(const Board& board, Kind kind, Square square) {
  const Bitboard occupied = board.occupied();
  switch (kind) {
    case chess::pawn:
      return pawn_origins<us>(board, square);
    case chess::knight:
      return chess::knight_attacks(square) & ~occupied;
    case chess::bishop:
      return chess::bishop_attacks(square, occupied) & ~occupied;
    case chess::rook:
      return chess::rook_attacks(square, occupied) & ~occupied;
    case chess::queen:
      return chess::attacks_from<chess::queen>(square, occupied) & ~occupied;
    default:
      return chess::king_attacks(square) & ~occupied;
  }
}

// The en passant square that the position before may have had, with `us` to move and the enemy's
// pawn just passed: a candidate only, for endings of one pawn a side.
template <Colour us>
inline Square passing_candidate(const Board& board) {
  constexpr int rank = us == chess::white ? 4 : 3;
  const Bitboard own = board.of(us, chess::pawn) & chess::rank_set(rank);
  const Bitboard theirs = board.of(chess::other(us), chess::pawn) & chess::rank_set(rank);
  const Bitboard beside = theirs & (chess::shifted<1>(own) | chess::shifted<-1>(own));
  return beside == 0 ? 0 : chess::first(beside) + chess::Side<us>::forward;
}

template <Colour us, class Function>
void visit_origins(const Space& space, const Board& board, Function function) {
  const auto before = [&](Kind kind, Square from, Square to) {
    Board earlier = board;
    earlier.en_passant = 0;
    earlier.toggle(us, kind, chess::bit(from) | chess::bit(to));
    if (const Number number = space.number_of(earlier, us); number != none) function(number);
    if (!space.material().has_en_passant()) return;
    earlier.en_passant = static_cast<std::uint8_t>(passing_candidate<us>(earlier));
    if (earlier.en_passant == 0) return;
    if (const Number number = space.number_of(earlier, us); number != none) function(number);
  };
  if (board.en_passant != 0) {
    constexpr int forward = chess::Side<us>::forward;
    return before(chess::pawn, board.en_passant - forward, board.en_passant + forward);
  }
  for (Bitboard pieces = board.sides[us]; pieces != 0;) {
    const Square to = chess::take_first(pieces);
    const Kind kind = board.kind_at(to);
    for (Bitboard left = origins<us>(board, kind, to); left != 0;)
      before(kind, chess::take_first(left), to);
  }
}

}  // namespace detail

// Calls function(number) for the positions that lead to `at` by a quiet move; one may come twice,
// when mirrored moves lead from it to the same number.
template <class Function>
void visit_predecessors(const Space& space, const Place& at, Function function) {
  if (at.turn == chess::black)
    return detail::visit_origins<chess::white>(space, at.board, function);
  detail::visit_origins<chess::black>(space, at.board, function);
}

}  // namespace tempo::endings
