// What the critic of Gomoku sees of a board: five ways to write it as numbers, of which few are not
// zero (Zhao, Zhang, Dai 2012, with the variants they compare).
//
// Player 1 and player 2 of the paper are players 0 and 1 here. Either may have begun the game:
// seat 0 (black) belongs to the player who did.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>

#include "patterns.h"

namespace tempo::gomoku {

// P patterns, t the player to move, f the player who began.
//   patterns  274  for each player: five in a row or not, and for each of the other 19 patterns
//   five
//                  numbers that fill up with the count; then for each pattern of each player a pair
//                  that says whose turn it is, if the pattern is there; then f as a pair
//   counts    122  the 20 counts of each player as they are; the pairs by pattern; f
//   one_turn  196  as patterns, with a single pair for t
//   no_turn   194  as patterns, without t
//   board     452  for each player a 1 where he has a stone (on 15x15); then t as a pair
enum class InputKind : std::uint8_t { Patterns, Counts, OneTurn, NoTurn, Board };

inline constexpr std::array<std::string_view, 5> input_kind_names = {
    "patterns", "counts", "one_turn", "no_turn", "board"};

// The inputs that are not zero, or that change.
class Inputs {
 public:
  // A full board of 20x20 and a pair, or 40 patterns by 6 and two pairs.
  static constexpr int most = 512;
  struct Input {
    std::int32_t index;
    float value;
  };

  void clear() { size_ = 0; }
  void add(int index, float value) { all_[static_cast<std::size_t>(size_++)] = {index, value}; }
  [[nodiscard]] const Input* begin() const { return all_.data(); }
  [[nodiscard]] const Input* end() const { return all_.data() + size_; }
  [[nodiscard]] int size() const { return size_; }

  // Σ x_j y_j; both in the order in which an encoder writes.
  [[nodiscard]] float dot(const Inputs& other) const {
    float sum = 0;
    const Input* b = other.begin();
    for (const Input& a : *this) {
      while (b != other.end() && b->index < a.index) ++b;
      if (b != other.end() && b->index == a.index) sum += a.value * b->value;
    }
    return sum;
  }

 private:
  int size_ = 0;
  std::array<Input, most> all_;
};

// A count as five numbers: n of 1 .. 4 fills the first n, and what goes beyond 4 counts half in the
// last.
constexpr float thermometer(int count, int node) {
  if (node < 4) return count > node ? 1.0F : 0.0F;
  return count > 4 ? static_cast<float>(count - 4) / 2 : 0.0F;
}

class Encoder {
 public:
  Encoder(InputKind kind, int size) : kind_(kind), points_(size * size) {}

  [[nodiscard]] InputKind kind() const { return kind_; }
  [[nodiscard]] int points() const { return points_; }
  [[nodiscard]] int count() const {
    switch (kind_) {
      case InputKind::Patterns:
        return shapes + turns + 2;
      case InputKind::Counts:
        return pattern_places + turns + 2;
      case InputKind::OneTurn:
        return shapes + 2 + 2;
      case InputKind::NoTurn:
        return shapes + 2;
      case InputKind::Board:
        return 2 * points_ + 2;
    }
    return 0;
  }

  // All inputs of a board, in ascending order. `first` is the player who began, `turn` the player
  // to move.
  void write(const PatternBoard& board, int first, int turn, Inputs& out) const {
    out.clear();
    if (kind_ == InputKind::Board) return write_board(board, first, turn, out);
    for (int player = 0; player < 2; ++player) {
      for (int pattern = 0; pattern < pattern_kinds; ++pattern) {
        shape(player, pattern, 0, board.count(seat_of(player, first), pattern), out);
      }
    }
    const int others = kind_ == InputKind::Counts ? pattern_places : shapes;
    if (has_pairs()) {
      for (int player = 0; player < 2; ++player) {
        for (int pattern = 0; pattern < pattern_kinds; ++pattern) {
          pair(player, pattern, 0, board.count(seat_of(player, first), pattern), turn, out);
        }
      }
    } else if (kind_ == InputKind::OneTurn) {
      out.add(others + turn, 1);
    }
    out.add(count() - 2 + first, 1);
  }

  // What changes when a seat puts a stone, seen with the same player to move before and after.
  void write_change(const PatternBoard& board, Seat seat, int point, const PatternChange& change,
                    int first, int turn, Inputs& out) const {
    out.clear();
    if (kind_ == InputKind::Board) {
      out.add(player_of(seat, first) * points_ + point, 1);
      return;
    }
    const auto words = std::bit_cast<std::array<std::uint64_t, 6>>(change);
    for (std::size_t word = 0; word < 5; ++word) {  // 40 places, eight in a word
      for (std::uint64_t bits = words[word]; bits != 0;) {
        const auto byte = static_cast<std::size_t>(std::countr_zero(bits)) / 8;
        bits &= ~(std::uint64_t{0xFF} << (8 * byte));
        const std::size_t place = 8 * word + byte;
        const int before = board.counts()[place];
        const int after = before + change[place];
        const int owner = place < pattern_kinds ? first : 1 - first;
        const int pattern = static_cast<int>(place) % pattern_kinds;
        shape(owner, pattern, before, after, out);
        if (has_pairs()) pair(owner, pattern, before, after, turn, out);
      }
    }
  }

  static constexpr int player_of(Seat seat, int first) { return index(seat) ^ first; }
  static constexpr Seat seat_of(int player, int first) {
    return Seat{static_cast<std::uint8_t>(player ^ first)};
  }

 private:
  static constexpr int player_shapes = 1 + 5 * (pattern_kinds - 1);
  static constexpr int shapes = 2 * player_shapes;  // 192
  static constexpr int turns = 2 * pattern_places;  // 80

  [[nodiscard]] bool has_pairs() const {
    return kind_ == InputKind::Patterns || kind_ == InputKind::Counts;
  }

  // How the nodes of a pattern's count differ between two counts.
  void shape(int player, int pattern, int before, int after, Inputs& out) const {
    const auto add = [&](int index, float difference) {
      if (difference != 0) out.add(index, difference);
    };
    if (kind_ == InputKind::Counts) {
      return add(player * pattern_kinds + pattern, static_cast<float>(after - before));
    }
    const int begin = player * player_shapes;
    if (pattern == five_in_a_row) {
      return add(begin, static_cast<float>(after > 0) - static_cast<float>(before > 0));
    }
    for (int node = 0; node < 5; ++node) {
      add(begin + 1 + 5 * (pattern - 1) + node,
          thermometer(after, node) - thermometer(before, node));
    }
  }

  // The pair of a pattern: who is to move, if the pattern is there.
  void pair(int player, int pattern, int before, int after, int turn, Inputs& out) const {
    if ((before > 0) == (after > 0)) return;
    const int begin = kind_ == InputKind::Counts ? pattern_places : shapes;
    out.add(begin + 2 * (player * pattern_kinds + pattern) + turn, after > 0 ? 1.0F : -1.0F);
  }

  void write_board(const PatternBoard& board, int first, int turn, Inputs& out) const {
    for (int player = 0; player < 2; ++player) {
      const int stone = index(seat_of(player, first)) + 1;
      for (int point = 0; point < points_; ++point) {
        if (board.stone_at(point) == stone) out.add(player * points_ + point, 1);
      }
    }
    out.add(2 * points_ + turn, 1);
  }

  InputKind kind_;
  int points_;
};

}  // namespace tempo::gomoku
