// What everybody who places stones shares: the board as arrays hold it, and the choice of a point
// by its score.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include "../../errors.h"
#include "../../random.h"
#include "board.h"
#include "options.h"

namespace tempo::jiu {

// A row of a board array, point row * size + column: nothing, White's stone or Black's.
inline constexpr std::uint8_t no_stone = 0;
constexpr std::uint8_t stone_of(int seat) { return static_cast<std::uint8_t>(seat + 1); }

// What no point with this score is ever chosen for.
inline constexpr double never = -std::numeric_limits<double>::infinity();

// The fixed parts of a preparation: the board and the two points that are cleared before battle.
struct Ground {
  int size;
  Board points;
  Board centre;

  explicit Ground(const Options& options)
      : size(options.size()), points(Board::field(options.size())) {
    for (int row = options.half - 1; row <= options.half; ++row) {
      centre.add(cell_at(row, options.diagonal == 0 ? row : size - 1 - row));
    }
  }
  [[nodiscard]] int count() const { return size * size; }
  [[nodiscard]] Cell cell(int point) const { return cell_at(point / size, point % size); }
  [[nodiscard]] int point(Cell cell) const { return row_of(cell) * size + column_of(cell); }
};

struct Stones {
  Board own;
  Board enemy;
};

// The stones of a row, as the seat to place sees them.
inline Stones stones_of(const Ground& ground, const std::uint8_t* row, int seat) {
  Stones stones;
  for (int point = 0; point < ground.count(); ++point) {
    if (row[point] == no_stone) continue;
    (row[point] == stone_of(seat) ? stones.own : stones.enemy).add(ground.cell(point));
  }
  return stones;
}

// Twice the distance from the middle of the board, squared: whole, so that mirrored points tie.
constexpr int distance(int size, int point) {
  const int down = 2 * (point / size) - (size - 1);
  const int right = 2 * (point % size) - (size - 1);
  return down * down + right * right;
}

// The point with the highest score; of equals the one nearest to the middle, of these any.
inline int best_point(std::span<const double> scores, int size, Random& random) {
  int best = -1;
  std::uint32_t equals = 0;
  for (int point = 0; point < static_cast<int>(scores.size()); ++point) {
    const double score = scores[static_cast<std::size_t>(point)];
    if (score == never) continue;
    const double top = best < 0 ? never : scores[static_cast<std::size_t>(best)];
    const bool same = best >= 0 && score == top;
    const int closer = same ? distance(size, best) - distance(size, point) : 0;
    if (best < 0 || score > top || (same && closer > 0)) {
      best = point;
      equals = 1;
    } else if (same && closer == 0 && random.below(++equals) == 0) {
      best = point;
    }
  }
  return best;
}

// A point with the probability of its score's softmax.
inline int drawn_point(std::span<const double> scores, double temperature, Random& random) {
  double top = never;
  for (const double score : scores) top = score > top ? score : top;
  const auto weight = [&](double score) {
    return score == never ? 0.0 : std::exp((score - top) / temperature);
  };
  double total = 0;
  for (const double score : scores) total += weight(score);
  double left = random.uniform() * total;
  int last = -1;
  for (int point = 0; point < static_cast<int>(scores.size()); ++point) {
    const double share = weight(scores[static_cast<std::size_t>(point)]);
    if (share == 0) continue;
    last = point;
    left -= share;
    if (left < 0) break;
  }
  return last;
}

// The choice by score: the best at temperature 0, drawn above. -1 where no point may be chosen.
inline int pick(std::span<const double> scores, int size, double temperature, Random& random) {
  return temperature > 0 ? drawn_point(scores, temperature, random)
                         : best_point(scores, size, random);
}

}  // namespace tempo::jiu
