// The random numbers whose exclusive or is a position's key.
#pragma once

#include <cstdint>

#include "../../random.h"
#include "board.h"

namespace tempo::shogi::zobrist {

inline constexpr int last_moves = 20;  // the length limit is in the key when it is this near

template <class Board>
struct Keys {
  static constexpr int squares = Grid<Board>::squares;
  static constexpr int most = Board::pieces[pawn];  // in one hand

  std::uint64_t pieces[2][all_kinds][squares];
  std::uint64_t hands[2][hand_kinds][most + 1];  // number 0 is 0: nothing in hand
  std::uint64_t white_to_move;
  std::uint64_t moves_left[last_moves + 1];

  constexpr Keys() : pieces{}, hands{}, white_to_move{}, moves_left{} {
    std::uint64_t next = (0x5406100ULL + squares) << 32;  // the game's own stream
    for (auto& colour : pieces)
      for (auto& kind : colour)
        for (auto& number : kind) number = split_mix(next++);
    for (auto& colour : hands)
      for (auto& kind : colour) {
        for (auto& number : kind) number = split_mix(next++);
        kind[0] = 0;
      }
    white_to_move = split_mix(next++);
    for (auto& number : moves_left) number = split_mix(next++);
  }
};

template <class Board>
inline constexpr Keys<Board> keys;

// The key from scratch.
template <class Board>
inline std::uint64_t key(const Pieces<Board>& men, Colour turn) {
  std::uint64_t key = turn == white ? keys<Board>.white_to_move : 0;
  for (const Colour side : {black, white}) {
    for (auto left = men.sides[side]; left != 0;) {
      const Square square = take_first(left);
      key ^= keys<Board>.pieces[side][men.kind_at(square)][square];
    }
    for (int kind = pawn; kind <= rook; ++kind)
      key ^= keys<Board>.hands[side][kind][men.hands[side][kind]];
  }
  return key;
}

}  // namespace tempo::shogi::zobrist
