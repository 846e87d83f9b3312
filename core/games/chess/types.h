// Squares, sets of squares and the bare board of chess. No rules here.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#ifdef __BMI2__
#include <immintrin.h>
#endif

namespace tempo::chess {

// Unscoped on purpose: colours and kinds are array indices everywhere below.
enum Colour : int { white, black };
enum Kind : int { pawn, knight, bishop, rook, queen, king, no_kind };

constexpr Colour other(Colour colour) { return static_cast<Colour>(colour ^ 1); }

// a1 = 0, b1 = 1, ... h8 = 63.
using Square = int;
constexpr int file_of(Square square) { return square & 7; }
constexpr int rank_of(Square square) { return square >> 3; }
constexpr Square square_at(int file, int rank) { return rank * 8 + file; }

// A set of squares, bit i for square i.
using Bitboard = std::uint64_t;
inline constexpr Bitboard everywhere = ~Bitboard{0};
inline constexpr Bitboard file_a = 0x0101010101010101ULL;
inline constexpr Bitboard file_h = file_a << 7;
inline constexpr Bitboard rank_1 = 0xFF;
inline constexpr Bitboard light_squares = 0x55AA55AA55AA55AAULL;

constexpr Bitboard bit(Square square) { return Bitboard{1} << square; }
constexpr Bitboard rank_set(int rank) { return rank_1 << (8 * rank); }
constexpr int count(Bitboard set) { return std::popcount(set); }
constexpr bool more_than_one(Bitboard set) { return (set & (set - 1)) != 0; }
constexpr Square first(Bitboard set) { return std::countr_zero(set); }
constexpr Square take_first(Bitboard& set) {
  const Square square = first(set);
  set &= set - 1;
  return square;
}

// The n-th lowest square of a set, n from 0.
constexpr Square nth_portable(Bitboard set, int n) {
  while (n-- > 0) set &= set - 1;
  return first(set);
}
inline Square nth(Bitboard set, int n) {
#ifdef __BMI2__
  return first(_pdep_u64(Bitboard{1} << n, set));
#else
  return nth_portable(set, n);
#endif
}

// Moves every square of a set by `step`, dropping what would wrap round the edge.
template <int step>
constexpr Bitboard shifted(Bitboard set) {
  constexpr int sideways = ((step % 8) + 12) % 8 - 4;
  if constexpr (sideways == 1) set &= ~file_h;
  if constexpr (sideways == -1) set &= ~file_a;
  if constexpr (step >= 0) {
    return set << step;
  } else {
    return set >> -step;
  }
}

// The castling rights, one bit each.
enum Right : std::uint8_t { white_short = 1, white_long = 2, black_short = 4, black_long = 8 };

// The castling rights that outlive a move from or to a square.
inline constexpr auto kept_rights = [] {
  std::array<std::uint8_t, 64> kept{};
  for (auto& rights : kept) rights = 15;
  kept[0] = 15 & ~white_long;
  kept[4] = 15 & ~(white_short | white_long);
  kept[7] = 15 & ~white_short;
  kept[56] = 15 & ~black_long;
  kept[60] = 15 & ~(black_short | black_long);
  kept[63] = 15 & ~black_short;
  return kept;
}();
constexpr std::uint8_t rights_after(std::uint8_t rights, Square from, Square to) {
  return rights & kept_rights[static_cast<std::size_t>(from)] &
         kept_rights[static_cast<std::size_t>(to)];
}

// What stands where, and the two rights that the placement does not show. The turn
// is kept with the position.
struct Board {
  Bitboard kinds[6];  // squares of a kind, both colours
  Bitboard sides[2];  // squares of a colour
  std::uint8_t castling;
  std::uint8_t en_passant;  // the square a capturing pawn goes to; 0 for none

  [[nodiscard]] Bitboard occupied() const { return sides[white] | sides[black]; }
  [[nodiscard]] Bitboard of(Colour colour, Kind kind) const { return kinds[kind] & sides[colour]; }
  [[nodiscard]] Square king_of(Colour colour) const { return first(of(colour, king)); }

  // Straight and diagonal sliders of a colour.
  [[nodiscard]] Bitboard straight(Colour colour) const {
    return (kinds[rook] | kinds[queen]) & sides[colour];
  }
  [[nodiscard]] Bitboard diagonal(Colour colour) const {
    return (kinds[bishop] | kinds[queen]) & sides[colour];
  }

  // Without branches: which kind stands on a square is as good as random to a processor.
  [[nodiscard]] Kind kind_at(Square square) const {
    const auto has = [&](Kind kind) { return static_cast<int>(kinds[kind] >> square & 1); };
    const int some = static_cast<int>(occupied() >> square & 1);
    return static_cast<Kind>(has(knight) + 2 * has(bishop) + 3 * has(rook) + 4 * has(queen) +
                             5 * has(king) + 6 * (1 - some));
  }

  void toggle(Colour colour, Kind kind, Bitboard squares) {
    kinds[kind] ^= squares;
    sides[colour] ^= squares;
  }
  // Empties squares of whatever stands there.
  void clear(Bitboard squares) {
    for (auto& set : kinds) set &= ~squares;
    for (auto& set : sides) set &= ~squares;
  }

  friend bool operator==(const Board&, const Board&) = default;
};

}  // namespace tempo::chess
