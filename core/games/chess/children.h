// The boards after each move, in the order of the moves, by movement rules alone. Made for walks
// over many positions that need neither keys nor clocks: perft, tablebases.
#pragma once

#include <cstdint>

#include "moves.h"
#include "types.h"

namespace tempo::chess {

// A sink of visit_moves that plays every visited move on a copy of the board and hands it on. After
// a double step the en passant square is set if an enemy pawn stands beside, pinned or not. `Sink`
// derives from this and has go_on(Board); a function object in its place costs perft a fifth of its
// speed.
template <Colour us, class Sink>
class Children {
 public:
  static constexpr Colour them = other(us);

  void go_on(const Board& next) { static_cast<Sink*>(this)->go_on(next); }

  Board moved(Kind kind, Square from, Square to) const {
    Board next = board_;
    next.clear(bit(to));
    next.toggle(us, kind, bit(from) | bit(to));
    next.castling = rights_after(board_.castling, from, to);
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
      if (pawn_attacks<us>(bit(passed)) & board_.of(them, pawn))
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

 private:
  friend Sink;
  explicit Children(const Board& from) : board_(from) {}

  const Board& board_;
};

}  // namespace tempo::chess
