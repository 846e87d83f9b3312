// The 2x2 blocks of a board and how placements change them: what the Bayesian network of shapes
// learns from and plays by.
//
// A block is seen from the side that is about to place: X its own stones, O the enemy's, . nothing.
// Blocks that turn or mirror into each other are of one class; there are 21. The network knows, for
// a block of class s in phase g and ring z, with the enemy's last stone near it or not (l), how
// likely it is of class s' after the placement.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "placing.h"

namespace tempo::jiu {

inline constexpr int block_classes = 21;
inline constexpr int phases = 8;  // equal parts of the placements
inline constexpr int rings = 4;   // within the central 2x2, 4x4, 6x6, or not
inline constexpr int block_codes = 81;

// The name of each class: its points row by row, the smallest of the eight images with . < O < X.
inline constexpr std::array<std::string_view, block_classes> block_names = {
    "....", "...O", "...X", "..OO", "..OX", "..XX", ".OO.", ".OOO", ".OOX", ".OX.", ".OXO",
    ".OXX", ".XX.", ".XXO", ".XXX", "OOOO", "OOOX", "OOXX", "OXXO", "OXXX", "XXXX"};

// A block as a number: its points row by row as digits of base 3, the first the most significant;
// 0 empty, 1 enemy, 2 own. The order of codes is the order of names.
inline constexpr std::array<int, 4> digit_worth = {27, 9, 3, 1};

constexpr int digit(int code, int place) {
  return code / digit_worth[static_cast<std::size_t>(place)] % 3;
}

constexpr int smallest_image(int code) {
  constexpr std::array<std::array<int, 4>, 8> images = {{{0, 1, 2, 3},
                                                         {2, 0, 3, 1},
                                                         {3, 2, 1, 0},
                                                         {1, 3, 0, 2},
                                                         {1, 0, 3, 2},
                                                         {2, 3, 0, 1},
                                                         {0, 2, 1, 3},
                                                         {3, 1, 2, 0}}};
  int smallest = block_codes;
  for (const auto& image : images) {
    int seen = 0;
    for (const int place : image) seen = 3 * seen + digit(code, place);
    smallest = seen < smallest ? seen : smallest;
  }
  return smallest;
}

// [81] the class of every code.
inline constexpr auto class_of_code = [] {
  std::array<std::uint8_t, block_codes> classes{};
  std::uint8_t next = 0;
  for (int code = 0; code < block_codes; ++code) {
    const int image = smallest_image(code);
    classes[static_cast<std::size_t>(code)] =
        image == code ? next++ : classes[static_cast<std::size_t>(image)];
  }
  return classes;
}();

// What the neighbourhood of a block offers its side: own stones less enemy ones; of equals the
// class that comes later in the list.
inline constexpr auto merit_of_class = [] {
  std::array<int, block_classes> merits{};
  for (std::size_t i = 0; i < block_classes; ++i) {
    int merit = 0;
    for (const char point : block_names[i]) merit += point == 'X' ? 1 : point == 'O' ? -1 : 0;
    merits[i] = block_classes * merit + static_cast<int>(i);
  }
  return merits;
}();

struct BlockContext {
  int shape;
  int phase;
  int ring;
  int near;       // 1: the enemy's last stone lies in the block or next to it, diagonally too
  int neighbour;  // class of the best block that shares a point with this one; only if asked for
};

// The geometry of the blocks of a board.
class Blocks {
 public:
  explicit Blocks(int size) : size_(size), rings_(static_cast<std::size_t>(count())) {
    for (int block = 0; block < count(); ++block) {
      rings_[static_cast<std::size_t>(block)] = static_cast<std::uint8_t>(ring_of(block));
    }
  }

  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] int across() const { return size_ - 1; }
  [[nodiscard]] int count() const { return across() * across(); }
  [[nodiscard]] int ring(int block) const { return rings_[static_cast<std::size_t>(block)]; }
  [[nodiscard]] int phase(int placed) const { return phases * placed / (size_ * size_); }
  [[nodiscard]] bool is_near(int block, int point) const {
    if (point < 0) return false;
    const int down = point / size_ - block / across();
    const int right = point % size_ - block % across();
    return down >= -1 && down <= 2 && right >= -1 && right <= 2;
  }

  // Calls visit(block, place) for the blocks that contain a point, and the point's place in each.
  template <class Visit>
  void each_around(int point, const Visit& visit) const {
    const int row = point / size_;
    const int column = point % size_;
    for (int place = 0; place < 4; ++place) {
      const int top = row - place / 2;
      const int left = column - place % 2;
      if (top < 0 || left < 0 || top >= across() || left >= across()) continue;
      visit(top * across() + left, place);
    }
  }

  // Calls visit(block) for the blocks that share a point with a block, itself left out.
  template <class Visit>
  void each_neighbour(int block, const Visit& visit) const {
    const int top = block / across();
    const int left = block % across();
    for (int row = std::max(top - 1, 0); row <= std::min(top + 1, across() - 1); ++row) {
      for (int column = std::max(left - 1, 0); column <= std::min(left + 1, across() - 1);
           ++column) {
        if (row != top || column != left) visit(row * across() + column);
      }
    }
  }

 private:
  // The smallest of the central squares of 2, 4 and 6 points a side that holds the whole block.
  [[nodiscard]] int ring_of(int block) const {
    const int middle = size_ / 2 - 1;
    const int off =
        std::max(std::abs(block / across() - middle), std::abs(block % across() - middle));
    return std::min(off, rings - 1);
  }

  int size_;
  std::vector<std::uint8_t> rings_;
};

// The blocks of one game, kept up to date placement by placement, seen by either side.
class BlockBoard {
 public:
  explicit BlockBoard(const Blocks& blocks)
      : blocks_(&blocks),
        codes_{Codes(static_cast<std::size_t>(blocks.count())),
               Codes(static_cast<std::size_t>(blocks.count()))} {}

  void place(int seat, int point) {
    blocks_->each_around(point, [&](int block, int place) {
      const int worth = digit_worth[static_cast<std::size_t>(place)];
      code(seat, block) = static_cast<std::uint8_t>(code(seat, block) + 2 * worth);
      code(1 - seat, block) = static_cast<std::uint8_t>(code(1 - seat, block) + worth);
    });
  }

  [[nodiscard]] int shape(int seat, int block) const { return class_of_code[code(seat, block)]; }
  // The class after `seat` puts a stone on this place, which is empty.
  [[nodiscard]] int shape_with(int seat, int block, int place) const {
    return class_of_code[static_cast<std::size_t>(
        code(seat, block) + 2 * digit_worth[static_cast<std::size_t>(place)])];
  }
  [[nodiscard]] int best_neighbour(int seat, int block) const {
    int best = -1;
    blocks_->each_neighbour(block, [&](int other) {
      const int found = shape(seat, other);
      if (best < 0 || merit_of_class[static_cast<std::size_t>(found)] >
                          merit_of_class[static_cast<std::size_t>(best)]) {
        best = found;
      }
    });
    return best;
  }

 private:
  using Codes = std::vector<std::uint8_t>;
  [[nodiscard]] std::uint8_t& code(int seat, int block) {
    return codes_[static_cast<std::size_t>(seat)][static_cast<std::size_t>(block)];
  }
  [[nodiscard]] std::uint8_t code(int seat, int block) const {
    return codes_[static_cast<std::size_t>(seat)][static_cast<std::size_t>(block)];
  }

  const Blocks* blocks_;
  std::array<Codes, 2> codes_;
};

// Calls visit(context, next class) for every block at every placement of a game that `counts(seat)`
// says yes to. The first two placements are forced and teach nothing. `neighbours` asks for the
// context's last field, which costs more than all the others.
template <class Counts, class Visit>
void each_transition(const Blocks& blocks, std::span<const std::int32_t> placements,
                     bool neighbours, const Counts& counts, const Visit& visit) {
  BlockBoard board(blocks);
  std::vector<int> next(static_cast<std::size_t>(blocks.count()));
  for (std::size_t t = 0; t < placements.size(); ++t) {
    const int seat = static_cast<int>(t % 2);
    const int last = t > 0 ? placements[t - 1] : -1;
    if (t >= 2 && counts(seat)) {
      for (int block = 0; block < blocks.count(); ++block) {
        next[static_cast<std::size_t>(block)] = board.shape(seat, block);
      }
      blocks.each_around(placements[t], [&](int block, int place) {
        next[static_cast<std::size_t>(block)] = board.shape_with(seat, block, place);
      });
      for (int block = 0; block < blocks.count(); ++block) {
        visit(BlockContext{board.shape(seat, block), blocks.phase(static_cast<int>(t)),
                           blocks.ring(block), blocks.is_near(block, last) ? 1 : 0,
                           neighbours ? board.best_neighbour(seat, block) : 0},
              next[static_cast<std::size_t>(block)]);
      }
    }
    board.place(seat, placements[t]);
  }
}

// The network's answer: log odds [s, g, z, l, s'] of a change against being left alone.
class BlockNetwork {
 public:
  static constexpr std::size_t entries =
      static_cast<std::size_t>(block_classes) * phases * rings * 2 * block_classes;

  BlockNetwork(int size, std::span<const double> log_odds) : blocks_(size), log_odds_(log_odds) {}

  [[nodiscard]] const Blocks& blocks() const { return blocks_; }

  // [P] the sum of log odds over the blocks around each empty point of `allowed`, `never`
  // elsewhere. `last` is the enemy's last stone, -1 if unknown. At the edge, where one or two
  // blocks meet, the sum is scaled up to four: every change is rarer than none, so that a plain sum
  // would always begin in the corners. Rounded to 1e-9, since the order of adding must not part
  // points that mirror each other.
  void score(const std::uint8_t* row, int seat, int last, const std::uint8_t* allowed,
             double* out) const {
    BlockBoard board(blocks_);
    const int points = blocks_.size() * blocks_.size();
    int placed = 0;
    for (int point = 0; point < points; ++point) {
      if (row[point] == no_stone) continue;
      board.place(row[point] - 1, point);
      ++placed;
    }
    for (int point = 0; point < points; ++point) {
      out[point] = never;
      if (row[point] != no_stone || allowed[point] == 0) continue;
      double sum = 0;
      int around = 0;
      blocks_.each_around(point, [&](int block, int place) {
        ++around;
        sum += log_odds_[at({board.shape(seat, block), blocks_.phase(placed), blocks_.ring(block),
                             blocks_.is_near(block, last) ? 1 : 0, 0},
                            board.shape_with(seat, block, place))];
      });
      out[point] = std::nearbyint(sum * 4 / around * 1e9) / 1e9;
    }
  }

  static constexpr std::size_t at(const BlockContext& context, int next) {
    const int place =
        (((context.shape * phases + context.phase) * rings + context.ring) * 2 + context.near) *
            block_classes +
        next;
    return static_cast<std::size_t>(place);
  }

 private:
  Blocks blocks_;
  std::span<const double> log_odds_;
};

}  // namespace tempo::jiu
