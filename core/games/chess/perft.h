// Counts the tree of moves by movement rules alone, as published perft numbers do: no draw ends a
// line. The last ply is counted, not played.
#pragma once

#include <cstdint>

#include "moves.h"
#include "types.h"

namespace tempo::chess {

template <Colour us>
std::uint64_t count_tree(const Board& board, int depth);

// Plays every visited move on a copy of the board and counts what follows.
template <Colour us>
struct TreeCounter {
  const Board& board;
  int depth;  // plies left after the visited move
  std::uint64_t total = 0;

  static constexpr Colour them = other(us);

  void go_on(const Board& next) { total += count_tree<them>(next, depth); }

  Board moved(Kind kind, Square from, Square to) const {
    Board next = board;
    next.clear(bit(to));
    next.toggle(us, kind, bit(from) | bit(to));
    next.castling = rights_after(board.castling, from, to);
    next.en_passant = 0;
    return next;
  }
  template <int step>
  void pawns(Bitboard targets) {
    while (targets != 0) {
      const Square to = take_first(targets);
      go_on(moved(pawn, to - step, to));
    }
  }
  void double_steps(Bitboard targets) {
    while (targets != 0) {
      const Square to = take_first(targets);
      Board next = moved(pawn, to - 2 * Side<us>::forward, to);
      const Square passed = to - Side<us>::forward;
      if (pawn_attacks<us>(bit(passed)) & board.of(them, pawn))
        next.en_passant = static_cast<std::uint8_t>(passed);
      go_on(next);
    }
  }
  template <int step>
  void promotions(Bitboard targets) {
    while (targets != 0) {
      const Square to = take_first(targets);
      for (const Kind kind : {knight, bishop, rook, queen}) {
        Board next = moved(pawn, to - step, to);
        next.kinds[pawn] ^= bit(to);
        next.kinds[kind] ^= bit(to);
        go_on(next);
      }
    }
  }
  void en_passant(Bitboard origins, Square to) {
    while (origins != 0) {
      Board next = moved(pawn, take_first(origins), to);
      next.toggle(them, pawn, bit(to - Side<us>::forward));
      go_on(next);
    }
  }
  template <Kind kind>
  void piece(Square from, Bitboard targets) {
    while (targets != 0) go_on(moved(kind, from, take_first(targets)));
  }
  void castle(Square from, Square to) {
    Board next = moved(king, from, to);
    next.toggle(us, rook, to > from ? bit(to + 1) | bit(to - 1) : bit(to - 2) | bit(to + 1));
    go_on(next);
  }
};

template <Colour us>
std::uint64_t count_tree(const Board& board, int depth) {
  if (depth == 0) return 1;
  if (depth == 1) return static_cast<std::uint64_t>(count_moves<us>(board));
  TreeCounter<us> counter{board, depth - 1};
  visit_moves<us>(board, restraint<us>(board), counter);
  return counter.total;
}

}  // namespace tempo::chess
