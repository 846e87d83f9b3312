// Chess planes [19, 8, 8], seen from the seat's own side of the board (rank 0 is its first rank):
//   0..5 own pawns, knights, bishops, rooks, queens, king; 6..11 the opponent's;
//   12, 13 own castling rights (short, long), 14, 15 the opponent's, as whole planes;
//   16 the square where an en passant capture is possible;
//   17 quiet plies / 100 as a whole plane; 18 ones when the seat is White.
#pragma once

#include <algorithm>

#include "../../game_features.h"
#include "rules.h"
#include "terms.h"

namespace tempo {

template <>
struct Features<chess::Position> {
  static constexpr int planes = 19;
  static constexpr std::array<int, 1> scaled{17};

  static std::array<int, 3> shape(const chess::Options&) { return {planes, 8, 8}; }

  static void write(const chess::Position& position, Seat seat, float* out) {
    std::fill_n(out, planes * 64, 0.0F);
    const auto own = static_cast<chess::Colour>(index(seat));
    const int turn = own == chess::white ? 0 : 56;  // flips the ranks for Black
    const auto& pieces = position.pieces();
    for (int side = 0; side < 2; ++side) {
      const auto colour = side == 0 ? own : chess::other(own);
      for (int kind = chess::pawn; kind <= chess::king; ++kind) {
        auto set = pieces.kinds[kind] & pieces.sides[colour];
        while (set != 0) out[(6 * side + kind) * 64 + (chess::take_first(set) ^ turn)] = 1.0F;
      }
      for (int length = 0; length < 2; ++length) {
        const int right = 1 << (2 * colour + length);
        if ((pieces.castling & right) != 0)
          std::fill_n(out + (12 + 2 * side + length) * 64, 64, 1.0F);
      }
    }
    if (pieces.en_passant != 0) out[16 * 64 + (pieces.en_passant ^ turn)] = 1.0F;
    std::fill_n(out + 17 * 64, 64, static_cast<float>(position.clock()) / 100.0F);
    if (own == chess::white) std::fill_n(out + 18 * 64, 64, 1.0F);
  }
};

}  // namespace tempo
