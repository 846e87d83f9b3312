// A Gomoku position that knows its patterns and lists only the moves worth searching, best first:
// what alpha-beta searches in place of the plain position, which stays small for playouts.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "patterns.h"
#include "threats.h"

namespace tempo::gomoku {

// What a stone in the middle of nine points is worth to both seats together, for ordering moves:
// for each window of five through the middle that holds stones of one seat only, the more stones
// the more. Indexed by the eight other points, two bits each as in PatternBoard.
class StoneWorth {
 public:
  static int of(const PatternBoard& board, int x, int y) {
    static const std::vector<std::uint8_t> table = make();
    int worth = 0;
    for (int direction = 0; direction < PatternBoard::directions; ++direction) {
      const std::uint32_t eleven = board.around(direction, x, y);
      const std::uint32_t before = eleven >> 2 & 0xFFU;
      const std::uint32_t behind = eleven >> 12 & 0xFFU;
      worth += table[before | behind << 8];
    }
    return worth;
  }

 private:
  static std::vector<std::uint8_t> make() {
    constexpr std::array<int, 5> by_stones{1, 3, 8, 20, 50};
    std::vector<std::uint8_t> table(std::size_t{1} << 16);
    for (std::size_t code = 0; code < table.size(); ++code) {
      int worth = 0;
      for (unsigned first = 0; first <= 4; ++first) {
        std::array<int, 4> cells{};  // empty, seat 0, seat 1, off the board
        for (unsigned i = first; i < first + 5; ++i) {
          if (i != 4) ++cells[code >> (2 * (i < 4 ? i : i - 1)) & 3U];
        }
        if (cells[3] > 0 || (cells[1] > 0 && cells[2] > 0)) continue;
        worth += by_stones[static_cast<std::size_t>(cells[1] + cells[2])];
      }
      table[code] = static_cast<std::uint8_t>(std::min(worth, 255));
    }
    return table;
  }
};

class Counted {
 public:
  using Options = Position::Options;
  using Moves = Position::Moves;

  static constexpr std::string_view name = Position::name;
  static constexpr std::string_view rules_version = Position::rules_version;
  static constexpr std::string_view summary = Position::summary;
  static constexpr int seats = Position::seats;
  static constexpr int most_quiet_moves = 12;  // searched where nothing is forced

  static constexpr std::string_view seat_name(Seat seat) { return Position::seat_name(seat); }
  static constexpr Team team_of(Seat seat) { return Position::team_of(seat); }
  static int move_numbers(const Options& options) { return Position::move_numbers(options); }
  static int length_bound(const Options& options) { return Position::length_bound(options); }
  static Counted start(const Options& options) { return Counted(Position::start(options)); }
  static Counted parse(std::string_view text, const Options& options) {
    return Counted(Position::parse(text, options));
  }

  explicit Counted(const Position& position) : position_(position), patterns_(position) {}

  [[nodiscard]] const Position& position() const { return position_; }
  [[nodiscard]] const PatternBoard& patterns() const { return patterns_; }
  [[nodiscard]] const Options& options() const { return position_.options(); }
  [[nodiscard]] Seat turn() const { return position_.turn(); }
  [[nodiscard]] std::optional<Outcome> outcome() const { return position_.outcome(); }
  [[nodiscard]] std::uint64_t key() const { return position_.key(); }
  [[nodiscard]] std::uint64_t scratch_key() const { return position_.scratch_key(); }
  [[nodiscard]] std::string text() const { return position_.text(); }
  [[nodiscard]] std::string move_text(Move move) const { return position_.move_text(move); }
  [[nodiscard]] Move parse_move(std::string_view text) const { return position_.parse_move(text); }
  [[nodiscard]] std::string why_illegal(Move move) const { return position_.why_illegal(move); }
  [[nodiscard]] std::string board() const { return position_.board(); }
  [[nodiscard]] bool is_legal(Move move) const { return position_.is_legal(move); }
  [[nodiscard]] std::string check() const {
    if (patterns_.counts() != patterns_.scratch_counts()) return "the pattern counts are wrong";
    return position_.check();
  }

  void play(Move move) {
    patterns_.put(position_.turn(), index(move));
    position_.play(move);
  }

  // The moves worth searching, best first. A five that is there is taken, one that threatens is
  // stopped; a four that cannot be stopped is made; against one that threatens there are its
  // stopping points and fours of one's own. All of this is exact. Otherwise: the points close to
  // stones, as many as promise most.
  void legal_moves(Moves& moves) const;

  // Appends the next most promising moves of a list that legal_moves made; false where nothing that
  // matters was left out of it.
  bool widen(Moves& moves) const;

  // The moves come best first.
  [[nodiscard]] int order_hint(Move) const { return 0; }
  void order_hints(const Moves& moves, int* hints) const {
    for (int i = 0; i < moves.size(); ++i) hints[i] = (most_quiet_moves - i) * 64;
  }

  // Whether the other seat has a four, so that the reply is forced. An overline that does not count
  // is taken for one: alpha-beta then looks a move further than it need.
  [[nodiscard]] bool in_check() const {
    const Seat waiting = other(turn());
    return patterns_.count(waiting, 2) + patterns_.count(waiting, 3) + patterns_.count(waiting, 4) >
           0;
  }

  friend bool operator==(const Counted& a, const Counted& b) { return a.position_ == b.position_; }

 private:
  [[nodiscard]] Move move_at(int x, int y) const {
    return Move{static_cast<std::uint16_t>(y * position_.size() + x)};
  }
  void push(const Points& points, Moves& moves) const {
    points.each([&](int x, int y) { moves.push(move_at(x, y)); });
  }
  void push_best(const Points& points, const Threats& own, const Threats& enemy, int most,
                 Moves& moves) const;
  [[nodiscard]] Points near_stones() const;
  [[nodiscard]] Points empty_points() const;

  Position position_;
  PatternBoard patterns_;
};

inline void Counted::legal_moves(Moves& moves) const {
  moves.clear();
  if (position_.is_over()) return;
  with_threats(position_, [&](const auto& finder) {
    const Threats own = finder.of(turn());
    if (own.five.any()) return push(own.five, moves);
    const Threats enemy = finder.of(other(turn()));
    if (enemy.five.any()) return push(enemy.five, moves);
    if (own.winning.any()) return push(own.winning, moves);
    if (enemy.winning.any()) {
      // Fours of two directions in one point are stopped on any of their points.
      const Points stops = enemy.stops | enemy.four | own.four;
      return push_best(stops, own, enemy, Moves::capacity, moves);
    }
    push_best(near_stones(), own, enemy, most_quiet_moves, moves);
  });
}

inline bool Counted::widen(Moves& moves) const {
  const int before = moves.size();
  with_threats(position_, [&](const auto& finder) {
    const Threats own = finder.of(turn());
    const Threats enemy = finder.of(other(turn()));
    if (own.five.any() || enemy.five.any() || own.winning.any() || enemy.winning.any()) return;
    Points left = empty_points();
    for (const Move move : moves) {
      const int y = index(move) / position_.size();
      left.remove(index(move) - y * position_.size(), y);
    }
    push_best(left, own, enemy, most_quiet_moves, moves);
  });
  return moves.size() > before;
}

inline void Counted::push_best(const Points& points, const Threats& own, const Threats& enemy,
                               int most, Moves& moves) const {
  // Rank and point in one number, so that equal ranks go by the earlier point. The best so far
  // stand in order; most points come behind the last of them and cost one comparison.
  std::array<std::uint32_t, Moves::capacity + 1> ranked;
  int kept = 0;
  points.each([&](int x, int y) {
    int rank = StoneWorth::of(patterns_, x, y);
    const auto add = [&](const Points& set, int worth) { rank += set.has(x, y) ? worth : 0; };
    add(own.four, 150);
    add(own.three, 100);
    add(enemy.winning, 300);
    add(enemy.four, 60);
    add(enemy.three, 60);
    const auto point = static_cast<std::uint32_t>(y * position_.size() + x);
    const std::uint32_t number = static_cast<std::uint32_t>(rank) << 9 | (511 - point);
    int place = kept;
    for (; place > 0 && ranked[static_cast<std::size_t>(place - 1)] < number; --place) {
      ranked[static_cast<std::size_t>(place)] = ranked[static_cast<std::size_t>(place - 1)];
    }
    if (place == most) return;
    ranked[static_cast<std::size_t>(place)] = number;
    kept = std::min(kept + 1, most);
  });
  for (int i = 0; i < kept; ++i) {
    const std::uint32_t point = 511 - (ranked[static_cast<std::size_t>(i)] & 511U);
    moves.push(Move{static_cast<std::uint16_t>(point)});
  }
}

inline Points Counted::empty_points() const {
  const std::uint32_t whole = (1U << position_.size()) - 1;
  Points empty;
  for (int y = 0; y < position_.size(); ++y) {
    const std::uint32_t stones = position_.row(Seat{0}, y) | position_.row(Seat{1}, y);
    empty.rows[static_cast<std::size_t>(y)] = whole & ~(stones >> Position::margin);
  }
  return empty;
}

// Empty points at most two steps from a stone in each coordinate; on an empty board the middle; if
// every point close by is taken, all that are left.
inline Points Counted::near_stones() const {
  const int size = position_.size();
  const std::uint32_t whole = (1U << size) - 1;
  std::array<std::uint32_t, 24> stones{};  // two rows off the board on either side
  std::array<std::uint32_t, 24> wide{};
  for (int y = 0; y < size; ++y) {
    const auto at = static_cast<std::size_t>(y) + 2;
    stones[at] = (position_.row(Seat{0}, y) | position_.row(Seat{1}, y)) >> Position::margin;
    const std::uint32_t row = stones[at];
    wide[at] = row | row << 1 | row << 2 | row >> 1 | row >> 2;
  }
  Points near;
  for (std::size_t y = 0; y < static_cast<std::size_t>(size); ++y) {
    near.rows[y] =
        (wide[y] | wide[y + 1] | wide[y + 2] | wide[y + 3] | wide[y + 4]) & whole & ~stones[y + 2];
  }
  if (near.any()) return near;
  if (position_.stones() > 0) return empty_points();
  near.rows[static_cast<std::size_t>(size / 2)] = 1U << (size / 2);
  return near;
}

}  // namespace tempo::gomoku

static_assert(tempo::Game<tempo::gomoku::Counted>);
static_assert(tempo::OrderedTogether<tempo::gomoku::Counted>);
