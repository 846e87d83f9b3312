// Sets of points of a Jiu board: 16 rows of 16 bits, of which at most 14 by 14 are board. The spare
// rows and columns stay empty, so that looking one or two points in any direction needs no edge
// test, and a question about every point of the board is a handful of instructions.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "../../bits.h"

namespace tempo::jiu {

// A point inside a set: row * 16 + column. Texts and move numbers count row * size + column.
using Cell = std::uint8_t;

inline constexpr int stride = 16;
inline constexpr int max_size = 14;

constexpr Cell cell_at(int row, int column) { return static_cast<Cell>(row * stride + column); }
constexpr int row_of(Cell cell) { return cell / stride; }
constexpr int column_of(Cell cell) { return cell % stride; }

class Board {
 public:
  constexpr Board() = default;
  static constexpr Board of(Cell cell) {
    Board board;
    board.words_[cell >> 6] = std::uint64_t{1} << (cell & 63);
    return board;
  }
  // All points of a board of this size.
  static constexpr Board field(int size) {
    Board board;
    for (int row = 0; row < size; ++row) {
      board.words_[static_cast<std::size_t>(row) / 4] |= ((std::uint64_t{1} << size) - 1)
                                                         << (row % 4 * stride);
    }
    return board;
  }

  [[nodiscard]] constexpr bool has(Cell cell) const {
    return (words_[cell >> 6] >> (cell & 63) & 1) != 0;
  }
  constexpr void add(Cell cell) { words_[cell >> 6] |= std::uint64_t{1} << (cell & 63); }
  constexpr void remove(Cell cell) { words_[cell >> 6] &= ~(std::uint64_t{1} << (cell & 63)); }
  [[nodiscard]] constexpr bool any() const {
    return (words_[0] | words_[1] | words_[2] | words_[3]) != 0;
  }
  [[nodiscard]] constexpr int count() const {
    return std::popcount(words_[0]) + std::popcount(words_[1]) + std::popcount(words_[2]) +
           std::popcount(words_[3]);
  }
  // The lowest point of a set that is not empty.
  [[nodiscard]] constexpr Cell first() const {
    for (std::size_t i = 0; i < 3; ++i) {
      if (words_[i] != 0) return static_cast<Cell>(64 * i + std::countr_zero(words_[i]));
    }
    return static_cast<Cell>(192 + std::countr_zero(words_[3]));
  }
  // The highest point of a set that is not empty.
  [[nodiscard]] constexpr Cell last() const {
    for (std::size_t i = 3; i > 0; --i) {
      if (words_[i] != 0) return static_cast<Cell>(64 * i + 63 - std::countl_zero(words_[i]));
    }
    return static_cast<Cell>(63 - std::countl_zero(words_[0]));
  }
  // The n-th lowest point, n from 0 and below count().
  [[nodiscard]] Cell nth(int n) const {
    for (std::size_t i = 0; i < 3; ++i) {
      const int here = std::popcount(words_[i]);
      if (n < here) return static_cast<Cell>(64 * i + select_bit(words_[i], n));
      n -= here;
    }
    return static_cast<Cell>(192 + select_bit(words_[3], n));
  }
  // The points above a cell.
  [[nodiscard]] constexpr Board above(Cell cell) const {
    Board board = *this;
    for (std::size_t i = 0; i < std::size_t{cell} / 64; ++i) board.words_[i] = 0;
    board.words_[cell >> 6] &= ~((std::uint64_t{2} << (cell & 63)) - 1);
    return board;
  }

  template <class Visit>
  constexpr void each(const Visit& visit) const {
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::uint64_t bits = words_[i]; bits != 0; bits &= bits - 1) {
        visit(static_cast<Cell>(64 * i + std::countr_zero(bits)));
      }
    }
  }

  friend constexpr Board operator&(const Board& a, const Board& b) {
    Board c;
    for (std::size_t i = 0; i < 4; ++i) c.words_[i] = a.words_[i] & b.words_[i];
    return c;
  }
  friend constexpr Board operator|(const Board& a, const Board& b) {
    Board c;
    for (std::size_t i = 0; i < 4; ++i) c.words_[i] = a.words_[i] | b.words_[i];
    return c;
  }
  // The points of `a` that are not in `b`.
  friend constexpr Board operator-(const Board& a, const Board& b) {
    Board c;
    for (std::size_t i = 0; i < 4; ++i) c.words_[i] = a.words_[i] & ~b.words_[i];
    return c;
  }
  constexpr Board& operator|=(const Board& b) { return *this = *this | b; }
  constexpr Board& operator&=(const Board& b) { return *this = *this & b; }
  friend constexpr bool operator==(const Board&, const Board&) = default;

  // The points from which `way` leads into this set. Ask only about points of the board: those of
  // the margin would see round the edge.
  template <int way>
  [[nodiscard]] constexpr Board seen() const {
    static_assert(way > -64 && way < 64 && way != 0);
    Board c;
    if (!std::is_constant_evaluated()) {
      // All four words in one register where the machine has such. The builtins, not std::bit_cast:
      // a function that returned such a register would have another ABI on older machines.
      const auto here = __builtin_bit_cast(Words, words_);
      if constexpr (way > 0) {
        const Words next = __builtin_shufflevector(here, Words{}, 1, 2, 3, 4);
        c.words_ = __builtin_bit_cast(decltype(words_), here >> way | next << (64 - way));
      } else {
        const Words before = __builtin_shufflevector(here, Words{}, 4, 0, 1, 2);
        c.words_ = __builtin_bit_cast(decltype(words_), here << -way | before >> (64 + way));
      }
      return c;
    }
    if constexpr (way > 0) {
      for (std::size_t i = 0; i < 3; ++i) {
        c.words_[i] = words_[i] >> way | words_[i + 1] << (64 - way);
      }
      c.words_[3] = words_[3] >> way;
    } else {
      for (std::size_t i = 3; i > 0; --i) {
        c.words_[i] = words_[i] << -way | words_[i - 1] >> (64 + way);
      }
      c.words_[0] = words_[0] << -way;
    }
    return c;
  }

 private:
  using Words [[gnu::vector_size(32)]] = std::uint64_t;

  std::array<std::uint64_t, 4> words_{};
};

// Directions: 0 to 3 up, left, right, down; 4 to 7 the diagonals, which some rules allow.
inline constexpr int directions = 8;
inline constexpr std::array<int, directions> ways = {
    -stride, -1, 1, stride, -stride - 1, -stride + 1, stride - 1, stride + 1};
constexpr int opposite(int direction) { return direction < 4 ? 3 - direction : 11 - direction; }

// Calls `body(std::integral_constant<int, d>{})` for the directions 0 to n - 1.
template <int n, class Body>
constexpr void each_direction(const Body& body) {
  [&]<int... d>(std::integer_sequence<int, d...>) {
    (body(std::integral_constant<int, d>{}), ...);
  }(std::make_integer_sequence<int, n>{});
}

}  // namespace tempo::jiu
