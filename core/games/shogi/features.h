// What a network sees of shogi, on either board. Planes are sets of squares seen by one seat, whose
// pieces play upwards: White's board is turned round.
//
// The 63 planes of "Shogi: tree search against DQN" (its Table 3), which says no more than how many
// of each there are:
//    0 own pieces that have not promoted: pawn, lance, knight, silver, gold, bishop, rook, king
//    8 the opponent's
//   16 where own pieces of these kinds can go, 24 the opponent's: pins and checks are not looked at
//   32 own promoted pieces: pawn, lance, knight, silver, bishop, rook; 38 the opponent's
//   44 where own pieces of these kinds can go, 50 the opponent's
//   56 where own hand pieces may be dropped, pawn to rook: checks and mates by pawns not looked at
// and further ones:
//   63 squares that own pieces attack or cover, 64 that two of them do; 65, 66 the opponent's
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "../../game_features.h"
#include "rules.h"
#include "sparse.h"
#include "terms.h"

namespace tempo {

namespace shogi {

template <class Board>
class Planes {
 public:
  using Set = typename Board::Set;
  using At = Grid<Board>;
  static constexpr int paper = 63;
  static constexpr int all = 67;
  using Sets = std::array<Set, all>;

  static Sets of(const PositionOf<Board>& position, Colour own) {
    const Pieces<Board>& men = position.pieces();
    Sets sets{};
    add_side(men, own, 0, sets);
    add_side(men, other(own), 1, sets);
    add_drops(men, own, sets);
    if (own == white) {
      for (Set& set : sets) {
        if (set != 0) set = turned(set);
      }
    }
    return sets;
  }

 private:
  static Set& plane(Sets& sets, int i) { return sets[static_cast<std::size_t>(i)]; }

  static void add_side(const Pieces<Board>& men, Colour side, int who, Sets& sets) {
    const Set free = ~men.sides[side];
    Set once = 0;
    Set twice = 0;
    for (int k = pawn; k < all_kinds; ++k) {
      const auto kind = static_cast<Kind>(k);
      const Set here = pieces_of(men, side, kind);
      if (here == 0) continue;
      Set reached = 0;
      for (Set left = here; left != 0;) {
        const Set reach = Attacks<Board>::from(side, kind, take_first(left), men.occupied());
        twice |= once & reach;
        once |= reach;
        reached |= reach;
      }
      const bool grown = is_promoted(kind);
      const int first = grown ? 32 + 6 * who + (k - promoted_pawn) : 8 * who + k;
      plane(sets, first) = here;
      plane(sets, first + (grown ? 12 : 16)) = reached & free;
    }
    plane(sets, 63 + 2 * who) = once;
    plane(sets, 64 + 2 * who) = twice;
  }

  static Set pieces_of(const Pieces<Board>& men, Colour side, Kind kind) {
    if (kind == king) return men.has_king(side) ? At::bit(men.king_of(side)) : Set{0};
    const Set base = men.kinds[unpromoted(kind)] & men.sides[side];
    return is_promoted(kind) ? base & men.promoted : base & ~men.promoted;
  }

  static void add_drops(const Pieces<Board>& men, Colour side, Sets& sets) {
    const Set empty = men.empty();
    for (int k = pawn; k < hand_kinds; ++k) {
      if (men.hands[side][k] == 0) continue;
      Set targets = empty;
      if (k == pawn || k == lance) targets &= ~At::far_ranks(side, 1);
      if (k == knight) targets &= ~At::far_ranks(side, 2);
      if (k == pawn) targets &= ~At::columns_of(men.plain(side, pawn));
      plane(sets, 56 + k) = targets;
    }
  }

  // Half a turn: square s becomes squares - 1 - s.
  static std::uint64_t reversed(std::uint64_t bits) {
    bits = (bits >> 1 & 0x5555555555555555U) | (bits & 0x5555555555555555U) << 1;
    bits = (bits >> 2 & 0x3333333333333333U) | (bits & 0x3333333333333333U) << 2;
    bits = (bits >> 4 & 0x0F0F0F0F0F0F0F0FU) | (bits & 0x0F0F0F0F0F0F0F0FU) << 4;
    return __builtin_bswap64(bits);
  }
  static Set turned(Set set) {
    if constexpr (sizeof(Set) == 8) {
      return reversed(set) >> (64 - At::squares);
    } else {
      const Set whole = Set{reversed(low(set))} << 64 | reversed(high(set));
      return whole >> (128 - At::squares);
    }
  }
};

// A position in few bytes: every plane in whole bytes, square 0 in the lowest bit of the first;
// then what the seat has in hand (pawn to rook), what the opponent has, and whether it is in check.
template <class Board>
struct Packed {
  static constexpr int plane_bytes = (Grid<Board>::squares + 7) / 8;
  static constexpr int planes = Planes<Board>::all;
  static constexpr int numbers = 2 * hand_kinds + 1;
  static constexpr int bytes = planes * plane_bytes + numbers;

  static void write(const PositionOf<Board>& position, std::uint8_t* out) {
    const auto own = static_cast<Colour>(index(position.turn()));
    static_assert(std::endian::native == std::endian::little);  // the lowest bits come first
    for (const auto set : Planes<Board>::of(position, own)) {
      std::memcpy(out, &set, plane_bytes);
      out += plane_bytes;
    }
    for (const Colour side : {own, other(own)}) {
      for (int kind = pawn; kind < hand_kinds; ++kind) *out++ = position.pieces().hands[side][kind];
    }
    *out = position.in_check() ? 1 : 0;
  }
};

// What a move earns by the kind it takes and by the kind that it promotes.
template <class Board>
float gain(const PositionOf<Board>& position, Move move, const float* taken, const float* grown) {
  float total = 0.0F;
  if (const auto kind = position.captured_kind(move)) total += taken[*kind];
  if (PositionOf<Board>::promotes(move))
    total += grown[position.pieces().base_at(PositionOf<Board>::from_of(move))];
  return total;
}

}  // namespace shogi

// The paper's 63 planes, [63, size, size], row 0 the farthest from the seat looking on.
template <class Board>
struct Features<shogi::PositionOf<Board>> {
  using Position = shogi::PositionOf<Board>;
  static constexpr int planes = shogi::Planes<Board>::paper;
  static constexpr std::array<int, 0> scaled{};

  static std::array<int, 3> shape(const typename Position::Options&) {
    return {planes, Position::size, Position::size};
  }

  static void write(const Position& position, Seat seat, float* out) {
    const auto sets = shogi::Planes<Board>::of(position, static_cast<shogi::Colour>(index(seat)));
    std::fill_n(out, planes * Position::squares, 0.0F);
    for (int i = 0; i < planes; ++i) {
      for (auto left = sets[static_cast<std::size_t>(i)]; left != 0;)
        out[i * Position::squares + shogi::take_first(left)] = 1.0F;
    }
  }
};

}  // namespace tempo
