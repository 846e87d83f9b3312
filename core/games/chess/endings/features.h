// What a learner sees of an ending: for each kind of piece and each colour where it stands and
// where it can go, as sets of squares, and six numbers about the whole. Sets stay sets (64 bits a
// plane) until a network unpacks them: a million positions are 64 MB, not 2 GB.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "../attacks.h"
#include "family.h"

namespace tempo::endings {

inline constexpr int global_count = 6;

// The kinds that occur anywhere in a family, king first, then from queen to pawn.
inline std::vector<Kind> kinds_of(const Family& family) {
  std::array<bool, 6> occurs{};
  occurs[chess::king] = true;
  for (const auto& member : family.members()) {
    const Material& material = member.space->material();
    for (int i = 0; i < material.size(); ++i)
      occurs[static_cast<std::size_t>(material[i].kind)] = true;
  }
  std::vector<Kind> kinds;
  for (int kind = chess::king; kind >= chess::pawn; --kind) {
    if (occurs[static_cast<std::size_t>(kind)]) kinds.push_back(static_cast<Kind>(kind));
  }
  return kinds;
}

// Where the pieces of a kind can go by their own movement: attacked squares that no own piece
// holds; a pawn's pushes and captures.
inline Bitboard reach(const Board& board, Colour colour, Kind kind) {
  const Bitboard occupied = board.occupied();
  const Bitboard own = board.sides[colour];
  Bitboard set = 0;
  for (Bitboard left = board.of(colour, kind); left != 0;) {
    const Square square = chess::take_first(left);
    switch (kind) {
      case chess::king:
        set |= chess::king_attacks(square);
        break;
      case chess::queen:
        set |= chess::attacks_from<chess::queen>(square, occupied);
        break;
      case chess::rook:
        set |= chess::rook_attacks(square, occupied);
        break;
      case chess::bishop:
        set |= chess::bishop_attacks(square, occupied);
        break;
      case chess::knight:
        set |= chess::knight_attacks(square);
        break;
      default: {
        const bool up = colour == chess::white;
        const Bitboard pawn = chess::bit(square);
        const Bitboard one = (up ? pawn << 8 : pawn >> 8) & ~occupied;
        const Bitboard home = chess::rank_set(up ? 2 : 5);
        const Bitboard two = (up ? (one & home) << 8 : (one & home) >> 8) & ~occupied;
        set |= one | two | (chess::pawn_attacks(colour, pawn) & board.sides[chess::other(colour)]);
      }
    }
  }
  return set & ~own;
}

// planes [2 * 2 * kinds]: for each kind, White stands, White goes, Black stands, Black goes.
// globals [6]: 1 for White's turn and -1 for Black's, in check, White's and Black's pieces besides
// the king / 2, the kings' distance / 7, and 1.
inline void write_features(const Place& at, std::span<const Kind> kinds, std::uint64_t* planes,
                           float* globals) {
  for (const Kind kind : kinds) {
    for (const Colour colour : {chess::white, chess::black}) {
      *planes++ = at.board.of(colour, kind);
      *planes++ = reach(at.board, colour, kind);
    }
  }
  const Square own = at.board.king_of(at.turn);
  const Square white_king = at.board.king_of(chess::white);
  const Square black_king = at.board.king_of(chess::black);
  const auto apart = [&](auto of) { return std::abs(of(white_king) - of(black_king)); };
  const int distance = std::max(apart(chess::file_of), apart(chess::rank_of));
  const bool checked =
      chess::attackers(at.board, own, chess::other(at.turn), at.board.occupied()) != 0;
  globals[0] = at.turn == chess::white ? 1.0F : -1.0F;
  globals[1] = checked ? 1.0F : 0.0F;
  globals[2] = static_cast<float>(chess::count(at.board.sides[chess::white]) - 1) / 2.0F;
  globals[3] = static_cast<float>(chess::count(at.board.sides[chess::black]) - 1) / 2.0F;
  globals[4] = static_cast<float>(distance) / 7.0F;
  globals[5] = 1.0F;
}

}  // namespace tempo::endings
