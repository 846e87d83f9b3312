// The 20 patterns a side that the critic of Gomoku looks at, counted stone by stone.
//
// Zhao, Zhang and Dai (2012) use 20 patterns and print eight of them; the other twelve are ours. A
// window of five or six points in a line counts for a pattern if it equals the pattern or its
// mirror image point by point: X an own stone, _ an empty point, so that an opposing stone or the
// edge inside a window spoils it. Windows overlap freely: an open four is once `_XXXX_` and twice
// `XXXX_`. A stone stands in at most 5 windows of five and 6 of six in each direction, 44 in all,
// and only these are looked at when it comes or goes.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <string_view>
#include <vector>

#include "rules.h"

namespace tempo::gomoku {

inline constexpr int pattern_kinds = 20;

// Pattern 0 is the paper's five in a row; P1 .. P20 of our documents are 0 .. 19 here.
inline constexpr std::array<std::string_view, pattern_kinds> pattern_texts = {
    "XXXXX",  "_XXXX_", "XXXX_", "XXX_X", "XX_XX", "__XXX_", "_X_XX_",
    "XXX__",  "XX_X_",  "X_XX_", "XX__X", "X_X_X", "_XX___", "_X_X__",
    "_X__X_", "XX___",  "X_X__", "X__X_", "X___X", "_X____"};

inline constexpr int five_in_a_row = 0;

// A place for every pattern of every seat; what no pattern matches is counted in a place of its own
// and forgotten, which costs less than asking.
inline constexpr int pattern_places = 2 * pattern_kinds;
constexpr int pattern_place(Seat seat, int pattern) {
  return index(seat) * pattern_kinds + pattern;
}

// What one stone changes, by place: at most 44 windows, so that a byte is enough.
using PatternChange = std::array<std::int8_t, 48>;
using PatternCounts = std::array<std::int16_t, 48>;

namespace windows {

// A point takes two bits: 0 empty, 1 and 2 a stone of seat 0 and 1, 3 off the board. Then a window
// is a shift and a mask, and nothing has to be asked about edges. Tables of 4^5 and 4^6 entries, of
// which the 3^5 and 3^6 without an edge can match.
inline constexpr std::uint64_t off_board = 3;
inline constexpr std::uint8_t no_place = pattern_places;

template <int Points>
constexpr auto make_table() {
  std::array<std::uint8_t, std::size_t{1} << (2 * Points)> table{};
  table.fill(no_place);
  for (int pattern = 0; pattern < pattern_kinds; ++pattern) {
    const std::string_view text = pattern_texts[static_cast<std::size_t>(pattern)];
    if (text.size() != Points) continue;
    for (int seat = 0; seat < 2; ++seat) {
      std::size_t code = 0;
      std::size_t mirrored = 0;
      for (int i = 0; i < Points; ++i) {
        if (text[static_cast<std::size_t>(i)] != 'X') continue;
        code |= static_cast<std::size_t>(seat + 1) << (2 * i);
        mirrored |= static_cast<std::size_t>(seat + 1) << (2 * (Points - 1 - i));
      }
      table[code] = table[mirrored] =
          static_cast<std::uint8_t>(pattern_place(Seat{static_cast<std::uint8_t>(seat)}, pattern));
    }
  }
  return table;
}

inline constexpr auto fives = make_table<5>();
inline constexpr auto sixes = make_table<6>();

// A stone alone on its line matches no window of five, which saves looking.
static_assert([] {
  for (int i = 0; i < 5; ++i) {
    if (fives[std::size_t{1} << (2 * i)] != no_place) return false;
  }
  return fives[0] == no_place && sixes[0] == no_place;
}());

}  // namespace windows

// The stones of a board as lines in four directions, with the counts of all patterns. A small value
// (about 1 KiB): copy it, or put and lift stones.
class PatternBoard {
 public:
  static constexpr int directions = 4;  // row, column, rising and falling diagonal
  static constexpr int reach = 5;       // the furthest point of a window through a point

  explicit PatternBoard(int size) : PatternBoard(empty(size)) {}

  explicit PatternBoard(const Position& position) : PatternBoard(position.size()) {
    for (int y = 0; y < size_; ++y) {
      for (std::uint8_t seat = 0; seat < 2; ++seat) {
        for (std::uint32_t bits = position.row(Seat{seat}, y); bits != 0; bits &= bits - 1) {
          flip(Seat{seat}, y * size_ + std::countr_zero(bits) - Position::margin);
        }
      }
    }
    counts_ = scratch_counts();
  }

  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] int count(Seat seat, int pattern) const {
    return counts_[static_cast<std::size_t>(pattern_place(seat, pattern))];
  }
  // By pattern_place; the places behind the first 40 are 0.
  [[nodiscard]] const PatternCounts& counts() const { return counts_; }

  // 0 nothing, 1 and 2 a stone of seat 0 and 1.
  [[nodiscard]] int stone_at(int point) const {
    return static_cast<int>(around(0, point) >> (2 * reach) & 3U);
  }
  [[nodiscard]] bool is_empty(int point) const { return stone_at(point) == 0; }

  // The eleven points around a point in one direction, the point itself in the middle (bits 10 and
  // 11), two bits each: 0 empty, 1 and 2 a stone of seat 0 and 1, 3 off the board.
  [[nodiscard]] std::uint32_t around(int direction, int point) const {
    const int y = point / size_;
    return around(direction, point - y * size_, y);
  }
  [[nodiscard]] std::uint32_t around(int direction, int x, int y) const {
    const auto [line, shift] = place(direction, x, y);
    return static_cast<std::uint32_t>(lines_[line] >> (shift - 2 * reach)) & 0x3FFFFFU;
  }

  // What a stone on an empty point would change, or has changed where it stands.
  [[nodiscard]] PatternChange change(Seat seat, int point) const {
    // One array a direction: a count that is written and read again at once would make all wait.
    std::array<PatternChange, directions> changes{};
    const std::uint32_t stone = static_cast<std::uint32_t>(index(seat) + 1) << (2 * reach);
    for (std::size_t direction = 0; direction < directions; ++direction) {
      const std::uint32_t empty =
          around(static_cast<int>(direction), point) & ~(0x3U << (2 * reach));
      if (has_stones(empty)) {
        count_through(empty, -1, changes[direction]);
        count_through(empty | stone, 1, changes[direction]);
      } else {  // most lines: no window matches without the stone, and none of five with it
        count_sixes(empty | stone, 1, changes[direction]);
      }
    }
    PatternChange sum{};
    for (std::size_t i = 0; i < sum.size(); ++i) {
      sum[i] =
          static_cast<std::int8_t>(changes[0][i] + changes[1][i] + changes[2][i] + changes[3][i]);
    }
    sum[windows::no_place] = 0;
    return sum;
  }

  void put(Seat seat, int point) { put(seat, point, change(seat, point)); }
  // With a change that is known already.
  void put(Seat seat, int point, const PatternChange& change) {
    assert(is_empty(point));
    flip(seat, point);
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      counts_[i] = static_cast<std::int16_t>(counts_[i] + change[i]);
    }
  }
  void lift(Seat seat, int point) {
    assert(!is_empty(point));
    const PatternChange change = this->change(seat, point);
    flip(seat, point);
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      counts_[i] = static_cast<std::int16_t>(counts_[i] - change[i]);
    }
  }

  // The counts anew from the stones, window by window.
  [[nodiscard]] PatternCounts scratch_counts() const {
    std::array<PatternCounts, 4> parts{};  // as in `change`: counts should not wait for each other
    for (const std::uint64_t line : lines_) {
      if (!has_stones(line)) continue;
      for (int start = 0; start < size_ + reach; ++start) {
        const std::uint64_t points = line >> (2 * start);
        const std::size_t part = static_cast<std::size_t>(start & 1) * 2;
        ++parts[part][windows::fives[points & 0x3FFU]];
        ++parts[part + 1][windows::sixes[points & 0xFFFU]];
      }
    }
    PatternCounts counts{};
    for (std::size_t i = 0; i < pattern_places; ++i) {
      counts[i] = static_cast<std::int16_t>(parts[0][i] + parts[1][i] + parts[2][i] + parts[3][i]);
    }
    return counts;
  }

 private:
  struct Place {
    std::size_t line;
    unsigned shift;
  };

  // Where a point stands in the line of a direction. Five points off the board come first, so that
  // `around` need not ask.
  [[nodiscard]] Place place(int direction, int point) const {
    const int y = point / size_;
    return place(direction, point - y * size_, y);
  }
  [[nodiscard]] static Place place(int direction, int x, int y) {
    const int along = direction == 1 ? y : x;
    const int lines[directions] = {y, 20 + x, 40 + x - y + 19, 79 + x + y};
    return {static_cast<std::size_t>(lines[direction]), static_cast<unsigned>(2 * (along + reach))};
  }

  void flip(Seat seat, int point) {
    for (int direction = 0; direction < directions; ++direction) {
      const auto [line, shift] = place(direction, point);
      lines_[line] ^= static_cast<std::uint64_t>(index(seat) + 1) << shift;
    }
  }

  // Whether any point is 1 or 2.
  static bool has_stones(std::uint64_t points) {
    return ((points ^ points >> 1) & 0x5555555555555555U) != 0;
  }

  // Adds `sign` for every window through the middle of eleven points.
  static void count_through(std::uint32_t points, int sign, PatternChange& change) {
    for (unsigned i = 1; i <= 5; ++i) {
      std::int8_t& count = change[windows::fives[points >> (2 * i) & 0x3FFU]];
      count = static_cast<std::int8_t>(count + sign);
    }
    count_sixes(points, sign, change);
  }
  static void count_sixes(std::uint32_t points, int sign, PatternChange& change) {
    for (unsigned i = 0; i <= 5; ++i) {
      std::int8_t& count = change[windows::sixes[points >> (2 * i) & 0xFFFU]];
      count = static_cast<std::int8_t>(count + sign);
    }
  }

  // Boards without a stone, made once.
  struct Bare {};
  PatternBoard(Bare, int size) : size_(size) {
    lines_.fill(~std::uint64_t{0});
    for (int point = 0; point < size * size; ++point) {
      for (int direction = 0; direction < directions; ++direction) {
        const auto [line, shift] = place(direction, point);
        lines_[line] &= ~(windows::off_board << shift);
      }
    }
  }
  static const PatternBoard& empty(int size) {
    assert(size >= 5 && size <= 20);
    static const std::vector<PatternBoard> boards = [] {
      std::vector<PatternBoard> all;
      for (int side = 5; side <= 20; ++side) all.push_back(PatternBoard(Bare{}, side));
      return all;
    }();
    return boards[static_cast<std::size_t>(size - 5)];
  }

  int size_;
  PatternCounts counts_{};
  std::array<std::uint64_t, 118> lines_;  // 20 rows, 20 columns, 39 diagonals each way
};

}  // namespace tempo::gomoku
