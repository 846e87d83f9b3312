// Gomoku: five in a row on a board of 5x5 to 20x20, free-style (five or more wins) or exactly-five
// (an overline does not count). Rules only; notation is in text.h.
#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "../../bits.h"
#include "../../game.h"

namespace tempo::gomoku {

inline constexpr std::string_view rule_names[] = {"freestyle", "exactly_five"};

struct Options {
  std::int16_t size = 15;
  std::int16_t rule = 0;

  static constexpr std::array<OptionField<Options>, 2> fields() {
    return {
        {{"size", "points on a side", &Options::size, 5, 20},
         {"rule", "what wins: five or more, or exactly five", &Options::rule, 0, 1, rule_names}}};
  }
  friend bool operator==(const Options&, const Options&) = default;
};

// Seat 0 ("black", x) moves first. A move is the point y * size + x, y counted from the bottom, so
// a1 is 0.
class Position {
 public:
  using Options = gomoku::Options;
  using Moves = MoveList<400>;

  static constexpr std::string_view name = "gomoku";
  static constexpr std::string_view rules_version = "gomoku-rules/1.0";
  static constexpr std::string_view summary = "five in a row";
  static constexpr int seats = 2;
  static constexpr int symmetries = 8;

  static constexpr std::string_view seat_name(Seat seat) { return index(seat) ? "white" : "black"; }
  static constexpr Team team_of(Seat seat) { return Team{static_cast<std::uint8_t>(seat)}; }
  static int move_numbers(const Options& options) { return options.size * options.size; }
  static int length_bound(const Options& options) { return options.size * options.size; }

  static Position start(const Options& options) { return Position(options); }
  static Position parse(std::string_view text, const Options& options);

  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] int size() const { return options_.size; }
  [[nodiscard]] int stones() const { return stones_; }
  [[nodiscard]] Seat turn() const { return Seat{static_cast<std::uint8_t>(stones_ & 1)}; }
  [[nodiscard]] bool is_over() const { return winner_ != none || stones_ == size() * size(); }

  // The stones of a seat in row y; bit `margin + x` is column x. Rows -margin .. size + margin - 1
  // exist and are empty outside the board, so that a line through any point can be read without
  // edge tests.
  static constexpr int margin = 4;
  [[nodiscard]] std::uint32_t row(Seat seat, int y) const { return *line(index(seat), y); }

  void legal_moves(Moves& moves) const;
  [[nodiscard]] int count_moves() const { return is_over() ? 0 : size() * size() - stones_; }
  [[nodiscard]] Move nth_move(int n) const;
  [[nodiscard]] Move random_move(Random& random) const {
    const int count = count_moves();
    return count == 0 ? no_move : nth_move(static_cast<int>(random.below(count)));
  }
  [[nodiscard]] bool is_legal(Move move) const {
    return index(move) < size() * size() && !is_over() && !occupied(index(move));
  }
  void play(Move move);
  [[nodiscard]] std::optional<Outcome> outcome() const;

  // Covers the stones and the options; whose turn it is follows from the number of stones.
  [[nodiscard]] std::uint64_t key() const { return key_; }
  [[nodiscard]] std::uint64_t scratch_key() const;
  [[nodiscard]] std::string check() const;

  [[nodiscard]] Position transformed(int symmetry) const;
  [[nodiscard]] Move transformed_move(Move move, int symmetry) const {
    return Move{static_cast<std::uint16_t>(transformed_point(size(), index(move), symmetry))};
  }
  // The eight symmetries of the square: bit 2 transposes, then bit 0 mirrors x, bit 1 mirrors y.
  static int transformed_point(int size, int point, int symmetry);

  // Stones close by make a point worth trying first.
  [[nodiscard]] int order_hint(Move move) const;

  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string move_text(Move move) const;
  [[nodiscard]] Move parse_move(std::string_view text) const;
  [[nodiscard]] std::string why_illegal(Move move) const;
  [[nodiscard]] std::string board() const;

  friend bool operator==(const Position&, const Position&) = default;

 private:
  static constexpr std::int8_t none = -1;
  static constexpr int max_rows = 20 + 2 * margin;

  explicit Position(const Options& options) : options_(options), key_(start_key(options)) {}

  [[nodiscard]] const std::uint32_t* line(int seat, int y) const {
    return &rows_[static_cast<std::size_t>(seat)][static_cast<std::size_t>(y + margin)];
  }
  [[nodiscard]] std::uint32_t empty_in_row(int y) const {
    const std::uint32_t whole = ((1U << size()) - 1) << margin;
    return whole & ~(*line(0, y) | *line(1, y));
  }
  [[nodiscard]] bool occupied(int point) const {
    const int y = point / size();
    return ((*line(0, y) | *line(1, y)) >> (point % size() + margin) & 1U) != 0;
  }
  [[nodiscard]] bool makes_five(int seat, int x, int y) const;
  [[nodiscard]] int run_length(int seat, int x, int y, int dx, int dy) const;
  [[nodiscard]] bool has_five(int seat) const;
  void put(int seat, int point);
  void lift(int seat, int point);

  static std::uint64_t start_key(const Options& options) {
    return split_mix(static_cast<std::uint64_t>(options.size * 2 + options.rule));
  }
  static std::uint64_t stone_key(int seat, int point) {
    return stone_keys_[static_cast<std::size_t>(seat)][static_cast<std::size_t>(point)];
  }
  static constexpr auto stone_keys_ = [] {
    std::array<std::array<std::uint64_t, 400>, 2> keys{};
    std::uint64_t x = 0x6F6D6F6B75;
    for (auto& seat : keys) {
      for (auto& key : seat) key = x = split_mix(x);
    }
    return keys;
  }();

  Options options_;
  std::int16_t stones_ = 0;
  std::int8_t winner_ = none;
  std::uint64_t key_;
  std::array<std::array<std::uint32_t, max_rows>, 2> rows_{};
};

inline void Position::legal_moves(Moves& moves) const {
  moves.clear();
  if (is_over()) return;
  for (int y = 0; y < size(); ++y) {
    for (std::uint32_t bits = empty_in_row(y); bits != 0; bits &= bits - 1) {
      moves.push(Move{static_cast<std::uint16_t>(y * size() + std::countr_zero(bits) - margin)});
    }
  }
}

inline Move Position::nth_move(int n) const {
  for (int y = 0;; y += 2) {  // two rows a step; the row past the last is empty of points
    const std::uint64_t upper = y + 1 < size() ? empty_in_row(y + 1) : 0;
    const std::uint64_t bits = empty_in_row(y) | upper << 32;
    const int here = std::popcount(bits);
    if (n < here) {
      const int bit = select_bit(bits, n);
      return Move{static_cast<std::uint16_t>((y + (bit >> 5)) * size() + (bit & 31) - margin)};
    }
    n -= here;
  }
}

inline void Position::put(int seat, int point) {
  const int y = point / size();
  rows_[static_cast<std::size_t>(seat)][static_cast<std::size_t>(y + margin)] |=
      1U << (point - y * size() + margin);
  key_ ^= stone_key(seat, point);
  ++stones_;
}

inline void Position::lift(int seat, int point) {
  const int y = point / size();
  rows_[static_cast<std::size_t>(seat)][static_cast<std::size_t>(y + margin)] &=
      ~(1U << (point - y * size() + margin));
  key_ ^= stone_key(seat, point);
  --stones_;
}

inline void Position::play(Move move) {
  assert(is_legal(move));
  const int seat = stones_ & 1;
  const int point = index(move);
  put(seat, point);
  const int y = point / size();
  if (makes_five(seat, point - y * size(), y)) winner_ = static_cast<std::int8_t>(seat);
}

// Reads the nine points around (x, y) in each direction as nine bits. Five neighbouring ones among
// nine always contain the middle. Written as one loop over rows so that the compiler shifts them
// side by side.
inline bool Position::makes_five(int seat, int x, int y) const {
  const std::uint32_t* rows = line(seat, y - margin);
  const auto at = static_cast<unsigned>(x);
  std::uint32_t column = 0;
  std::uint32_t rising = 0;
  std::uint32_t falling = 0;
  for (unsigned k = 0; k < 2 * margin + 1; ++k) {
    column |= (rows[k] >> (at + 4) & 1U) << k;
    rising |= (rows[k] >> (at + k) & 1U) << k;
    falling |= (rows[k] >> (at + 8 - k) & 1U) << k;
  }
  const auto five = [](std::uint32_t m) { return m & m >> 1 & m >> 2 & m >> 3 & m >> 4; };
  const std::uint32_t across = rows[margin] >> at & 0x1FFU;
  if ((five(across) | five(column) | five(rising) | five(falling)) == 0) return false;
  if (options_.rule == 0) return true;
  return run_length(seat, x, y, 1, 0) == 5 || run_length(seat, x, y, 0, 1) == 5 ||
         run_length(seat, x, y, 1, 1) == 5 || run_length(seat, x, y, 1, -1) == 5;
}

inline int Position::run_length(int seat, int x, int y, int dx, int dy) const {
  const auto reach = [&](int step) {
    int n = 0;
    for (int k = step;; k += step, ++n) {
      const int px = x + k * dx;
      const int py = y + k * dy;
      if (px < 0 || py < 0 || px >= size() || py >= size()) return n;
      if ((*line(seat, py) >> (px + margin) & 1U) == 0) return n;
    }
  };
  return 1 + reach(1) + reach(-1);
}

inline std::optional<Outcome> Position::outcome() const {
  if (winner_ == 0) return Outcome{"five in a row", {1, -1}};
  if (winner_ == 1) return Outcome{"five in a row", {-1, 1}};
  if (stones_ == size() * size()) return Outcome{"board full", {0, 0}};
  return std::nullopt;
}

inline bool Position::has_five(int seat) const {
  for (int point = 0; point < size() * size(); ++point) {
    const int y = point / size();
    const int x = point % size();
    if ((*line(seat, y) >> (x + margin) & 1U) != 0 && makes_five(seat, x, y)) return true;
  }
  return false;
}

inline std::uint64_t Position::scratch_key() const {
  std::uint64_t key = start_key(options_);
  for (int point = 0; point < size() * size(); ++point) {
    const int y = point / size();
    for (int seat = 0; seat < seats; ++seat) {
      if ((*line(seat, y) >> (point % size() + margin) & 1U) != 0) key ^= stone_key(seat, point);
    }
  }
  return key;
}

inline std::string Position::check() const {
  int count[2] = {0, 0};
  for (int y = -margin; y < 20 + margin; ++y) {
    const std::uint32_t inside = y >= 0 && y < size() ? ((1U << size()) - 1) << margin : 0U;
    const std::uint32_t first = *line(0, y);
    const std::uint32_t second = *line(1, y);
    if ((first & second) != 0) return "two stones on one point";
    if (((first | second) & ~inside) != 0) return "a stone off the board";
    count[0] += std::popcount(first);
    count[1] += std::popcount(second);
  }
  if (count[0] + count[1] != stones_) return "the stone count is wrong";
  if (count[0] != count[1] && count[0] != count[1] + 1) {
    return "black has " + std::to_string(count[0]) + " stones and white " +
           std::to_string(count[1]) + "; black must have as many as white or one more";
  }
  if (has_five(0) && has_five(1)) return "both black and white have five";
  for (int seat = 0; seat < seats; ++seat) {
    const bool five = has_five(seat);
    if (five != (winner_ == seat)) return "the winner is wrong";
    if (!five) continue;
    if (index(turn()) == seat) {
      return std::string(seat_name(turn())) + " has five but is to move";
    }
    // The game ends with the five, so one stone must be able to have made all of it.
    const auto breaks = [&](int point) {
      const int y = point / size();
      if ((*line(seat, y) >> (point % size() + margin) & 1U) == 0) return false;
      Position before = *this;
      before.lift(seat, point);
      return !before.has_five(seat);
    };
    bool one_stone = false;
    for (int point = 0; point < size() * size() && !one_stone; ++point) one_stone = breaks(point);
    if (!one_stone) return "no single last stone can have made these fives";
  }
  return "";
}

inline int Position::transformed_point(int size, int point, int symmetry) {
  int x = point % size;
  int y = point / size;
  if ((symmetry & 4) != 0) std::swap(x, y);
  if ((symmetry & 1) != 0) x = size - 1 - x;
  if ((symmetry & 2) != 0) y = size - 1 - y;
  return y * size + x;
}

inline Position Position::transformed(int symmetry) const {
  Position result(options_);
  for (int point = 0; point < size() * size(); ++point) {
    const int y = point / size();
    for (int seat = 0; seat < seats; ++seat) {
      if ((*line(seat, y) >> (point % size() + margin) & 1U) != 0) {
        result.put(seat, transformed_point(size(), point, symmetry));
      }
    }
  }
  result.winner_ = winner_;
  return result;
}

inline int Position::order_hint(Move move) const {
  const int y = index(move) / size();
  const int x = index(move) % size();
  int near = 0;
  for (int dy = -2; dy <= 2; ++dy) {
    const std::uint32_t all = (*line(0, y + dy) | *line(1, y + dy)) >> (x + margin - 2);
    const std::uint32_t ring = dy >= -1 && dy <= 1 ? all & 0b01110U : 0U;
    near += std::popcount(all & 0b11111U) + 2 * std::popcount(ring);
  }
  const int middle = size() - std::abs(2 * x + 1 - size()) / 2 - std::abs(2 * y + 1 - size()) / 2;
  return near * 64 + middle;
}

}  // namespace tempo::gomoku
