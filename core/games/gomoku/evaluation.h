// A static evaluation of Gomoku: for each seat the windows of five points in a row that hold 1 to 4
// of its stones and none of the other's, weighted by that number. Whole numbers only. It does not
// look at open ends or overlines; a pattern engine that does is a thing of its own.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>

#include "../../evaluator.h"
#include "rules.h"

namespace tempo::gomoku {

// counts[seat][n]: windows with n stones of that seat alone, n from 1 to 4.
using WindowCounts = std::array<std::array<int, 5>, 2>;

// Counts a whole row of windows per machine word, and several rows side by side where the compiler
// finds wide registers: bit x of word k is the k-th point of the window that begins at column x,
// and the five words are added as 3-bit numbers, bit by bit.
template <std::size_t rows>
class WindowCounter {
 public:
  explicit WindowCounter(const Position& position) : size_(position.size()) {
    for (std::size_t seat = 0; seat < 2; ++seat) {
      for (int y = 0; y < size_; ++y) {
        stones_[seat][static_cast<std::size_t>(y)] =
            position.row(Seat{static_cast<std::uint8_t>(seat)}, y) >> Position::margin;
      }
    }
    const std::uint32_t all = (1U << size_) - 1;
    count<0, 1>(all >> 4);
    count<1, 0>(all);
    count<1, 1>(all >> 4);
    count<1, -1>(all & ~0xFU);  // read from the right end
  }

  [[nodiscard]] const WindowCounts& counts() const { return counts_; }

 private:
  using Words = std::array<std::uint32_t, rows>;

  // The windows that go `up` rows and `right` columns from point to point, begun in the columns of
  // `begins`.
  template <int up, int right>
  void count(std::uint32_t begins) {
    Words sums[2][3];
    for (std::size_t seat = 0; seat < 2; ++seat) {
      for (std::size_t y = 0; y < rows; ++y) {
        const auto word = [&](std::size_t k) {
          const std::uint32_t row = stones_[seat][y + k * up];
          return right < 0 ? row << k : row >> (k * right);
        };
        const std::uint32_t a = word(0), b = word(1), c = word(2), d = word(3), e = word(4);
        const std::uint32_t odd = a ^ b ^ c;
        const std::uint32_t carry = (a & b) | (a & c) | (b & c);
        const std::uint32_t carry_more = (odd & d) | (odd & e) | (d & e);
        sums[seat][0][y] = odd ^ d ^ e;
        sums[seat][1][y] = carry ^ carry_more;
        sums[seat][2][y] = carry & carry_more;
      }
    }
    Words begin{};
    std::fill_n(begin.begin(), up == 0 ? size_ : size_ - 4, begins);
    for (std::size_t seat = 0; seat < 2; ++seat) {
      const auto& [one, two, four] = sums[seat];
      const auto& [other_one, other_two, other_four] = sums[1 - seat];
      Words held[5];
      for (std::size_t y = 0; y < rows; ++y) {
        const std::uint32_t free = begin[y] & ~(other_one[y] | other_two[y] | other_four[y]);
        held[1][y] = free & one[y] & ~two[y] & ~four[y];
        held[2][y] = free & two[y] & ~one[y];
        held[3][y] = free & two[y] & one[y];
        held[4][y] = free & four[y] & ~one[y];
      }
      for (std::size_t n = 1; n <= 4; ++n) counts_[seat][n] += ones_in(held[n]);
    }
  }

  static int ones_in(const Words& words) {
    int ones = 0;
    for (const std::uint64_t pair : std::bit_cast<std::array<std::uint64_t, rows / 2>>(words)) {
      ones += std::popcount(pair);
    }
    return ones;
  }

  int size_;
  std::array<std::array<std::uint32_t, rows + 4>, 2> stones_{};
  WindowCounts counts_{};
};

inline WindowCounts count_windows(const Position& position) {
  // Sixteen rows fill wide registers exactly, and most boards have no more.
  return position.size() <= 16 ? WindowCounter<16>(position).counts()
                               : WindowCounter<20>(position).counts();
}

// A four on the move is a win, a three on the move nearly one; the side that waits has to hope.
// Weights by hand, from the usual worth of patterns: each stone more is worth several windows with
// one fewer, since an open row of n stones counts in several windows at once.
class StaticEvaluator {
 public:
  static constexpr bool prefers_batches = false;

  // In points, for the seat to move.
  static int advantage(const Position& position) {
    constexpr std::array<int, 5> moving{0, 1, 6, 36, 2000};
    constexpr std::array<int, 5> waiting{0, 1, 5, 24, 160};
    const WindowCounts counts = count_windows(position);
    const auto seat = static_cast<std::size_t>(index(position.turn()));
    int points = 0;
    for (std::size_t n = 1; n <= 4; ++n) {
      points += moving[n] * counts[seat][n] - waiting[n] * counts[1 - seat][n];
    }
    return points;
  }

  void operator()(std::span<const Position> positions, std::span<Scores> values) const {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const float mover = squash(advantage(positions[i]), 150);
      values[i] = team_scores<Position>(index(positions[i].turn()) == 0 ? mover : -mover);
    }
  }
};

}  // namespace tempo::gomoku

template <>
struct tempo::StaticEvaluatorOf<tempo::gomoku::Position>
    : std::type_identity<tempo::gomoku::StaticEvaluator> {};
