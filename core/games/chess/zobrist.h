// The random numbers whose exclusive or is a position's key.
#pragma once

#include <array>
#include <cstdint>

#include "../../random.h"
#include "types.h"

namespace tempo::chess::zobrist {

struct Numbers {
  std::uint64_t pieces[2][6][64];
  std::uint64_t castling[16];
  std::uint64_t en_passant[64];  // number 0 is 0: no en passant
  std::uint64_t black_to_move;
  std::uint64_t clock[151];

  constexpr Numbers() : pieces{}, castling{}, en_passant{}, black_to_move{}, clock{} {
    std::uint64_t next = 0xC4E55ULL << 32;  // the game's own stream
    for (auto& colour : pieces)
      for (auto& kind : colour)
        for (auto& number : kind) number = split_mix(next++);
    for (auto& number : castling) number = split_mix(next++);
    for (auto& number : en_passant) number = split_mix(next++);
    en_passant[0] = 0;
    black_to_move = split_mix(next++);
    for (auto& number : clock) number = split_mix(next++);
  }
};

inline constexpr Numbers numbers;

// The key of a board from scratch.
inline std::uint64_t key(const Board& board, Colour turn) {
  std::uint64_t key = numbers.castling[board.castling] ^ numbers.en_passant[board.en_passant] ^
                      (turn == black ? numbers.black_to_move : 0);
  for (const Colour colour : {white, black}) {
    for (int kind = pawn; kind <= king; ++kind) {
      for (Bitboard left = board.of(colour, static_cast<Kind>(kind)); left != 0;)
        key ^= numbers.pieces[colour][kind][take_first(left)];
    }
  }
  return key;
}

}  // namespace tempo::chess::zobrist
