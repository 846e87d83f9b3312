// Squares, sets of squares, kinds of piece, and what stands where: for the full board and for 5x5
// mini-shogi alike. No rules here.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "../../bits.h"

namespace tempo::shogi {

// Unscoped on purpose: colours and kinds are array indices everywhere below. Black moves first and
// plays upwards, towards rank a.
enum Colour : int { black, white };
enum Kind : int {
  pawn,
  lance,
  knight,
  silver,
  gold,
  bishop,
  rook,
  king,
  promoted_pawn,
  promoted_lance,
  promoted_knight,
  promoted_silver,
  horse,   // a promoted bishop
  dragon,  // a promoted rook
  no_kind
};
inline constexpr int hand_kinds = 7;  // pawn to rook
inline constexpr int all_kinds = 14;

constexpr Colour other(Colour colour) { return static_cast<Colour>(colour ^ 1); }
constexpr bool is_promoted(Kind kind) { return kind > king && kind < no_kind; }
constexpr bool can_promote(Kind kind) { return kind < king && kind != gold; }
// What a kind becomes when it promotes, and what it was before.
constexpr Kind promoted(Kind kind) { return static_cast<Kind>(kind < gold ? kind + 8 : kind + 7); }
constexpr Kind unpromoted(Kind kind) {
  return !is_promoted(kind) ? kind : static_cast<Kind>(kind < horse ? kind - 8 : kind - 7);
}

// Row by row as the board is drawn: on the full board 9a is 0, 1a is 8, 1i is 80.
using Square = int;

// A set of squares, bit i for square i. 81 do not fit into one machine word.
__extension__ using Wide = unsigned __int128;

// The boards: how large, how deep the promotion zone, and how many pieces of a hand kind there are.
struct Full {
  using Set = Wide;
  static constexpr std::string_view name = "shogi";
  static constexpr std::string_view rules_version = "shogi-rules/1.0";
  static constexpr std::string_view summary = "shogi, with drops, on the board of 9x9";
  static constexpr bool has_declaration = true;
  static constexpr int size = 9;
  static constexpr int zone = 3;
  static constexpr std::array<int, hand_kinds> pieces = {18, 4, 4, 4, 4, 2, 2};
  static constexpr std::string_view start =
      "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
};
struct Mini {
  using Set = std::uint64_t;
  static constexpr std::string_view name = "minishogi";
  static constexpr std::string_view rules_version = "minishogi-rules/1.0";
  static constexpr std::string_view summary = "shogi on 5x5, with six kinds of piece";
  static constexpr bool has_declaration = false;
  static constexpr int size = 5;
  static constexpr int zone = 1;
  static constexpr std::array<int, hand_kinds> pieces = {2, 0, 0, 2, 2, 2, 2};
  static constexpr std::string_view start = "rbsgk/4p/5/P4/KGSBR b - 1";
};

// Sets of either width.
constexpr std::uint64_t low(Wide set) { return static_cast<std::uint64_t>(set); }
constexpr std::uint64_t high(Wide set) { return static_cast<std::uint64_t>(set >> 64); }
constexpr int count(std::uint64_t set) { return std::popcount(set); }
constexpr int count(Wide set) { return std::popcount(low(set)) + std::popcount(high(set)); }
constexpr Square first(std::uint32_t set) { return std::countr_zero(set); }
constexpr Square first(std::uint64_t set) { return std::countr_zero(set); }
// Without a branch: in which half the square lies is as good as random to a processor. An empty
// half counts 64.
constexpr Square first(Wide set) {
  const int beyond = low(set) == 0 ? -1 : 0;
  return std::countr_zero(low(set)) + (std::countr_zero(high(set)) & beyond);
}
template <class Set>
constexpr Square take_first(Set& set) {
  const Square square = first(set);
  set &= set - 1;
  return square;
}
template <class Set>
constexpr bool more_than_one(Set set) {
  return (set & (set - 1)) != 0;
}
constexpr bool has(std::uint64_t set, Square square) { return (set >> square & 1) != 0; }
constexpr bool has(Wide set, Square square) {
  return ((square < 64 ? low(set) : high(set)) >> (square & 63) & 1) != 0;
}
// The n-th lowest square of a set, n from 0.
inline Square nth(std::uint64_t set, int n) { return select_bit(set, n); }
inline Square nth(Wide set, int n) {
  const int below = count(low(set));
  return n < below ? select_bit(low(set), n) : 64 + select_bit(high(set), n - below);
}
// Shifts by a constant. Of the wide ones the halves are put together by addition: as an exclusive
// or they would become the double-word shift that AMD's processors are slow at.
template <int step>
constexpr std::uint64_t shifted_up(std::uint64_t set) {
  return set << step;
}
template <int step>
constexpr std::uint64_t shifted_down(std::uint64_t set) {
  return set >> step;
}
template <int step>
constexpr Wide shifted_up(Wide set) {
  const std::uint64_t top = (high(set) << step) + (low(set) >> (64 - step));
  return Wide{top} << 64 | (low(set) << step);
}
template <int step>
constexpr Wide shifted_down(Wide set) {
  const std::uint64_t bottom = (low(set) >> step) + (high(set) << (64 - step));
  return Wide{high(set) >> step} << 64 | bottom;
}
// Everything from the highest square of a set upwards; everything at all from an empty set.
constexpr std::uint64_t from_last(std::uint64_t set) {
  return static_cast<std::uint64_t>(INT64_MIN >> std::countl_zero(set | 1));
}
constexpr Wide from_last(Wide set) {
  const std::uint64_t below = high(set) == 0 ? ~std::uint64_t{0} : 0;
  return Wide{from_last(high(set))} << 64 | (from_last(low(set)) & below);
}

// The geometry of a board.
template <class Board>
struct Grid {
  using Set = typename Board::Set;
  static constexpr int size = Board::size;
  static constexpr int squares = size * size;
  static constexpr Square nowhere = squares;  // where a king is that is not on the board

  static constexpr Set bit(Square square) { return Set{1} << square; }
  static constexpr Set everywhere = bit(squares) - 1;
  static constexpr int rank_of(Square square) { return square / size; }
  static constexpr int column_of(Square square) { return square % size; }  // 0 is file 9 (or 5)
  static constexpr Square square_at(int rank, int column) { return rank * size + column; }
  static constexpr bool inside(int rank, int column) {
    return rank >= 0 && rank < size && column >= 0 && column < size;
  }
  static constexpr Set rank_set(int rank) { return (bit(size) - 1) << (rank * size); }
  static constexpr Set first_column = [] {
    Set set = 0;
    for (int rank = 0; rank < size; ++rank) set |= bit(rank * size);
    return set;
  }();
  static constexpr Set column_set(int column) { return first_column << column; }

  // The `ranks` ranks farthest from a side's own: the last one, the promotion zone.
  static constexpr Set far_ranks(Colour side, int ranks) {
    const Set top = bit(ranks * size) - 1;
    return side == black ? top : top << ((size - ranks) * size);
  }
  template <Colour side>
  static constexpr Set zone = far_ranks(side, Board::zone);

  // Moves every square of a set by some ranks and columns, dropping what leaves the board sideways
  // or upwards. What leaves it downwards stays as bits beyond the board: the caller's masks drop
  // it.
  template <int ranks, int columns>
  static constexpr Set shifted(Set set) {
    static_assert(columns >= -1 && columns <= 1);
    if constexpr (columns == 1) set &= ~column_set(size - 1);
    if constexpr (columns == -1) set &= ~first_column;
    constexpr int step = ranks * size + columns;
    if constexpr (step >= 0) {
      return shifted_up<step>(set);
    } else {
      return shifted_down<-step>(set);
    }
  }
  // All squares of every column in which the set has one.
  static constexpr Set columns_of(Set set) {
    for (int ranks = 1; ranks < size; ranks *= 2) set |= set >> (ranks * size);
    return (set & rank_set(0)) * first_column;
  }
};

// What stands where and who holds what. The turn is kept with the position. Kings are
// in `sides` but in no set of `kinds`; of a promoted piece `kinds` says what it was.
template <class Board>
struct Pieces {
  using Set = typename Board::Set;
  using At = Grid<Board>;

  Set kinds[hand_kinds];
  Set promoted;
  Set sides[2];
  std::uint8_t hands[2][hand_kinds];
  std::uint8_t kings[2];

  [[nodiscard]] Set occupied() const { return sides[black] | sides[white]; }
  [[nodiscard]] Set empty() const { return At::everywhere & ~occupied(); }
  [[nodiscard]] Square king_of(Colour side) const { return kings[side]; }
  [[nodiscard]] bool has_king(Colour side) const { return kings[side] < At::squares; }
  // A side's pieces of a kind that have not promoted.
  [[nodiscard]] Set plain(Colour side, Kind kind) const {
    return kinds[kind] & sides[side] & ~promoted;
  }
  // A side's pieces that move like a gold: golds, and all small pieces that have promoted.
  [[nodiscard]] Set golds(Colour side) const {
    return (kinds[gold] | (promoted & ~(kinds[bishop] | kinds[rook]))) & sides[side];
  }
  [[nodiscard]] Set horses(Colour side) const { return kinds[bishop] & promoted & sides[side]; }
  [[nodiscard]] Set dragons(Colour side) const { return kinds[rook] & promoted & sides[side]; }

  [[nodiscard]] bool is_side(Colour side, Square square) const { return has(sides[side], square); }
  // Without branches: which kind stands on a square is as good as random to a processor.
  [[nodiscard]] Kind base_at(Square square) const {
    int base = 0;
    for (int kind = lance; kind <= rook; ++kind)
      base += kind * static_cast<int>(has(kinds[kind], square));
    return static_cast<Kind>(base);
  }
  // The kind on a square, promotion included; no_kind on an empty one.
  [[nodiscard]] Kind kind_at(Square square) const {
    if (!has(occupied(), square)) return no_kind;
    if (square == kings[black] || square == kings[white]) return king;
    const Kind base = base_at(square);
    return has(promoted, square) ? shogi::promoted(base) : base;
  }

  // Puts a piece on an empty square.
  void put(Colour side, Kind kind, Square square) {
    const Set here = At::bit(square);
    sides[side] |= here;
    if (kind == king) {
      kings[side] = static_cast<std::uint8_t>(square);
      return;
    }
    kinds[unpromoted(kind)] |= here;
    if (is_promoted(kind)) promoted |= here;
  }

  friend bool operator==(const Pieces&, const Pieces&) = default;
};

template <class Board>
constexpr Pieces<Board> no_pieces() {
  Pieces<Board> none{};
  none.kings[black] = none.kings[white] = Grid<Board>::nowhere;
  return none;
}

}  // namespace tempo::shogi
