// A static evaluation of Gomoku: for each seat the windows of five points in a row that hold 1 to 4
// of its stones and none of the other's, weighed by that number. Whole numbers only. It does not
// look at open ends or overlines; a pattern engine that does is a thing of its own.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>

#include "../games/gomoku.h"
#include "../search/evaluator.h"

namespace tempo::gomoku {

// counts[seat][n]: windows with n stones of that seat alone, n from 1 to 4.
using WindowCounts = std::array<std::array<int, 5>, 2>;

// Counts all windows at once, a row of them per machine word: bit x of `slide(k)` is the k-th point
// of the window that begins at column x, and the stones of five such words are added as 3-bit
// numbers, bit by bit.
inline WindowCounts count_windows(const Position& position) {
  constexpr int rows = 20 + 4;  // windows begin in the first 20 rows and reach four rows up
  std::array<std::array<std::uint32_t, rows>, 2> stones{};
  const int size = position.size();
  for (int seat = 0; seat < 2; ++seat) {
    for (int y = 0; y < size; ++y) {
      stones[static_cast<std::size_t>(seat)][static_cast<std::size_t>(y)] =
          position.row(Seat{static_cast<std::uint8_t>(seat)}, y) >> Position::margin;
    }
  }
  struct Direction {
    int up;
    int shift;  // a diagonal to the left is read from its right end
    bool left;
  };
  constexpr std::array<Direction, 4> directions{
      {{0, 1, false}, {1, 0, false}, {1, 1, false}, {1, 1, true}}};

  WindowCounts counts{};
  const std::uint32_t all = (1U << size) - 1;
  for (const auto [up, shift, left] : directions) {
    const std::uint32_t begins = shift == 0 ? all : left ? all & ~0xFU : all >> 4;
    const int last = up == 0 ? size : size - 4;
    for (int y = 0; y < last; ++y) {
      std::array<std::array<std::uint32_t, 3>, 2> sum{};
      for (std::size_t seat = 0; seat < 2; ++seat) {
        std::array<std::uint32_t, 5> word{};
        for (int k = 0; k < 5; ++k) {
          const std::uint32_t row = stones[seat][static_cast<std::size_t>(y + k * up)];
          word[static_cast<std::size_t>(k)] = left ? row << (k * shift) : row >> (k * shift);
        }
        const std::uint32_t ones = word[0] ^ word[1] ^ word[2];
        const std::uint32_t carry = (word[0] & word[1]) | (word[0] & word[2]) | (word[1] & word[2]);
        const std::uint32_t low = ones ^ word[3] ^ word[4];
        const std::uint32_t more = (ones & word[3]) | (ones & word[4]) | (word[3] & word[4]);
        sum[seat] = {low, carry ^ more, carry & more};
      }
      for (std::size_t seat = 0; seat < 2; ++seat) {
        const auto& other = sum[1 - seat];
        const std::uint32_t free = begins & ~(other[0] | other[1] | other[2]);
        const auto [one, two, four] = sum[seat];
        auto& count = counts[seat];
        count[1] += std::popcount(free & one & ~two & ~four);
        count[2] += std::popcount(free & two & ~one);
        count[3] += std::popcount(free & one & two);
        count[4] += std::popcount(free & four & ~one);
      }
    }
  }
  return counts;
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
