// Othello on 8x8, 6x6 or 4x4, by the rules of the World Othello Federation: black moves first; a
// disc is placed so that it encloses discs of the other seat in lines, and these change sides; a
// seat that can enclose nothing must pass; when neither can, more discs win.
//
// The smallest complete game, to start another one from: the options, the position with its rules,
// its notation. What learners and searches see of it is in features.h.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "../../bits.h"
#include "../../game.h"

namespace tempo::othello {

inline constexpr std::string_view sizes[] = {"4", "6", "8"};

struct Options {
  std::int16_t size = 2;  // which of `sizes`

  static constexpr std::array<OptionField<Options>, 1> fields() {
    return {{{"size", "points on a side", &Options::size, 0, 2, sizes}}};
  }
  [[nodiscard]] int side() const { return 4 + 2 * size; }
  friend bool operator==(const Options&, const Options&) = default;
};

// A set of points. Bit y * side + x is column x of row y, counted from the top left as players do,
// so a1 is bit 0.
using Points = std::uint64_t;

constexpr Points point_bit(int point) { return Points{1} << point; }
constexpr Move move_of(int number) { return Move{static_cast<std::uint16_t>(number)}; }
constexpr Seat other(Seat seat) { return Seat{static_cast<std::uint8_t>(1 - index(seat))}; }

// The parts of a board that rules and evaluation ask for.
struct Regions {
  Points all = 0;
  Points inner_columns = 0;  // all but the first and the last
  Points edges = 0;
  Points corners = 0;
  Points x_squares = 0;  // diagonally beside a corner

  constexpr explicit Regions(int side) {
    for (int point = 0; point < side * side; ++point) {
      const int x = std::min(point % side, side - 1 - point % side);  // from the nearer edge
      const int y = std::min(point / side, side - 1 - point / side);
      all |= point_bit(point);
      if (x > 0) inner_columns |= point_bit(point);
      if (x == 0 || y == 0) edges |= point_bit(point);
      if (x + y == 0) corners |= point_bit(point);
      if (x == 1 && y == 1) x_squares |= point_bit(point);
    }
  }
};

inline constexpr std::array<Regions, 3> regions_by_size{Regions(4), Regions(6), Regions(8)};

// Seat 0 ("black", x) moves first. A move is the number of the point where a disc is placed; the
// number after the last point is a pass.
class Position {
 public:
  using Options = othello::Options;
  using Moves = MoveList<60>;  // a disc on each point that is empty at the start

  static constexpr std::string_view name = "othello";
  static constexpr std::string_view rules_version = "othello-rules/1.0";
  static constexpr std::string_view summary = "enclose discs to turn them over; most discs win";
  static constexpr int seats = 2;
  static constexpr int symmetries = 8;

  static constexpr std::string_view seat_name(Seat seat) { return index(seat) ? "white" : "black"; }
  static constexpr Team team_of(Seat seat) { return Team{static_cast<std::uint8_t>(seat)}; }
  static int area(const Options& options) { return options.side() * options.side(); }
  static int move_numbers(const Options& options) { return area(options) + 1; }
  // Four discs lie at the start, and nobody passes twice in a row.
  static int length_bound(const Options& options) { return 2 * (area(options) - 4); }

  static Position start(const Options& options);
  static Position parse(std::string_view text, const Options& options);

  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] int side() const { return options_.side(); }
  [[nodiscard]] const Regions& regions() const {
    return regions_by_size[static_cast<std::size_t>(options_.size)];
  }
  [[nodiscard]] Move pass() const { return move_of(area(options_)); }

  [[nodiscard]] Seat turn() const { return Seat{turn_}; }
  [[nodiscard]] Points discs(Seat seat) const { return discs_[static_cast<std::size_t>(seat)]; }
  [[nodiscard]] Points empty() const { return regions().all & ~(discs_[0] | discs_[1]); }
  [[nodiscard]] bool is_over() const { return over_; }

  // Where the seat to move may place a disc, and where any seat could.
  [[nodiscard]] Points placeable() const { return placeable_; }
  [[nodiscard]] Points placeable(Seat seat) const;

  void legal_moves(Moves& moves) const;
  [[nodiscard]] int count_moves() const {
    return placeable_ != 0 ? std::popcount(placeable_) : over_ ? 0 : 1;
  }
  [[nodiscard]] Move nth_move(int n) const {
    return placeable_ == 0 ? pass() : move_of(select_bit(placeable_, n));
  }
  [[nodiscard]] Move random_move(Random& random) const {
    const int count = count_moves();
    return count == 0 ? no_move : nth_move(static_cast<int>(random.below(count)));
  }
  [[nodiscard]] bool is_legal(Move move) const {
    if (index(move) < area(options_)) return (placeable_ & point_bit(index(move))) != 0;
    return move == pass() && placeable_ == 0 && !over_;
  }
  void play(Move move);
  [[nodiscard]] std::optional<Outcome> outcome() const;

  // Covers discs, turn and options. Three words are quicker mixed anew than kept up to date.
  [[nodiscard]] std::uint64_t key() const {
    const auto rest = static_cast<std::uint64_t>(options_.size * 2 + turn_);
    return split_mix(discs_[0] ^ split_mix(discs_[1] ^ split_mix(rest)));
  }
  [[nodiscard]] std::uint64_t scratch_key() const { return key(); }
  [[nodiscard]] std::string check() const;

  [[nodiscard]] Position transformed(int symmetry) const;
  [[nodiscard]] Move transformed_move(Move move, int symmetry) const {
    return move == pass() ? move : move_of(transformed_point(side(), index(move), symmetry));
  }
  // The eight symmetries of the square: bit 2 transposes, then bit 0 mirrors x, bit 1 mirrors y.
  static int transformed_point(int side, int point, int symmetry);

  // Corners first, then edges; what may give a corner away last.
  [[nodiscard]] int order_hint(Move move) const;

  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string move_text(Move move) const;
  [[nodiscard]] Move parse_move(std::string_view text) const;
  [[nodiscard]] std::string why_illegal(Move move) const;
  [[nodiscard]] std::string board() const;

  friend bool operator==(const Position&, const Position&) = default;

 private:
  explicit Position(const Options& options) : options_(options) {}

  // For each of the eight directions calls visit(line, beyond): the discs of `seat` in unbroken
  // lines from the given points, and the points one step on from them.
  template <class Visit>
  void each_line(Points from, Seat seat, Visit visit) const {
    // A step is the distance of two bits. Where the compiler does not inline this by itself,
    // searches lose a tenth of their speed.
    const auto along = [&](int step, Points discs) __attribute__((always_inline)) {
      Points up = discs & from << step;
      Points down = discs & from >> step;
      for (int i = 3; i < side(); ++i) {  // at most side - 2 discs lie between two others
        up |= discs & up << step;
        down |= discs & down >> step;
      }
      visit(up, up << step);
      visit(down, down >> step);
    };
    // No line goes on from an outer column, except up and down; and without those discs none runs
    // over the edge into the next row.
    const Points inner = discs(seat) & regions().inner_columns;
    along(1, inner);
    along(side() - 1, inner);
    along(side(), discs(seat));
    along(side() + 1, inner);
  }
  [[nodiscard]] Points enclosed_by(int point) const;
  [[nodiscard]] char letter(int point) const;
  void find_moves();

  Options options_;
  std::uint8_t turn_ = 0;
  bool over_ = false;
  std::array<Points, 2> discs_{};
  Points placeable_ = 0;  // follows from the rest, and is asked for several times
};

inline Position Position::start(const Options& options) {
  Position position(options);
  const int side = options.side();
  const int middle = side * (side / 2 - 1) + side / 2 - 1;  // d4, of the four the upper left
  position.discs_[0] = point_bit(middle + 1) | point_bit(middle + side);
  position.discs_[1] = point_bit(middle) | point_bit(middle + side + 1);
  position.find_moves();
  return position;
}

inline Points Position::placeable(Seat seat) const {
  Points found = 0;
  each_line(discs(seat), other(seat), [&](Points, Points beyond) { found |= beyond; });
  return found & empty();
}

// The discs that change sides when the seat to move places one on `point`.
inline Points Position::enclosed_by(int point) const {
  Points found = 0;
  each_line(point_bit(point), other(turn()), [&](Points line, Points beyond) {
    if ((beyond & discs(turn())) != 0) found |= line;
  });
  return found;
}

inline void Position::find_moves() {
  placeable_ = placeable(turn());
  over_ = placeable_ == 0 && placeable(other(turn())) == 0;
}

inline void Position::legal_moves(Moves& moves) const {
  moves.clear();
  for (Points left = placeable_; left != 0; left &= left - 1) {
    moves.push(move_of(std::countr_zero(left)));
  }
  if (moves.empty() && !over_) moves.push(pass());
}

inline void Position::play(Move move) {
  assert(is_legal(move));
  if (move != pass()) {
    const Points turned = enclosed_by(index(move));
    discs_[turn_] |= turned | point_bit(index(move));
    discs_[1 - turn_] &= ~turned;
  }
  turn_ ^= 1;
  find_moves();
}

inline std::optional<Outcome> Position::outcome() const {
  if (!over_) return std::nullopt;
  const int lead = std::popcount(discs_[0]) - std::popcount(discs_[1]);
  if (lead == 0) return Outcome{"equal discs", {0, 0}};
  return lead > 0 ? Outcome{"more discs", {1, -1}} : Outcome{"more discs", {-1, 1}};
}

inline std::string Position::check() const {
  if ((discs_[0] & discs_[1]) != 0) return "two discs on one point";
  if (((discs_[0] | discs_[1]) & ~regions().all) != 0) return "a disc off the board";
  const Position first = start(options_);
  if ((empty() & (first.discs_[0] | first.discs_[1])) != 0) {
    return "an empty point among the four in the middle, where discs lie from the start";
  }
  Position again = *this;
  again.find_moves();
  return again == *this ? "" : "the legal moves are wrong";
}

inline int Position::transformed_point(int side, int point, int symmetry) {
  int x = point % side;
  int y = point / side;
  if ((symmetry & 4) != 0) std::swap(x, y);
  if ((symmetry & 1) != 0) x = side - 1 - x;
  if ((symmetry & 2) != 0) y = side - 1 - y;
  return y * side + x;
}

inline Position Position::transformed(int symmetry) const {
  Position result = *this;
  for (std::size_t seat = 0; seat < seats; ++seat) {
    result.discs_[seat] = 0;
    for (Points left = discs_[seat]; left != 0; left &= left - 1) {
      const int point = transformed_point(side(), std::countr_zero(left), symmetry);
      result.discs_[seat] |= point_bit(point);
    }
  }
  result.find_moves();
  return result;
}

inline int Position::order_hint(Move move) const {
  if (move == pass()) return 0;
  const Points point = point_bit(index(move));
  if ((point & regions().corners) != 0) return 2;
  if ((point & regions().x_squares) != 0) return -1;
  return (point & regions().edges) != 0 ? 1 : 0;
}

// Notation. A point is a column letter and a row number from the top, as players write it: d3; a
// pass is `pass`. A position is its rows from the top, `x` and `o` for discs and numbers for runs
// of empty points, then the seat to move: `8/8/8/3ox3/3xo3/8/8/8 x`.

inline std::string Position::move_text(Move move) const {
  if (move == pass()) return "pass";
  return {static_cast<char>('a' + index(move) % side()),
          static_cast<char>('1' + index(move) / side())};
}

inline Move Position::parse_move(std::string_view text) const {
  for (int number = 0; number < move_numbers(options_); ++number) {
    const Move move = move_of(number);
    if (move_text(move) != text) continue;
    if (!is_legal(move)) throw IllegalMove(why_illegal(move));
    return move;
  }
  throw ParseError("'" + std::string(text) +
                   "' is not a move; expected pass or a point from a1 to " +
                   move_text(move_of(area(options_) - 1)));
}

inline std::string Position::why_illegal(Move move) const {
  const std::string where = " (othello, " + std::string(seat_name(turn())) + " to move)";
  if (index(move) > index(pass())) {
    return "there is no move number " + std::to_string(index(move)) + "; numbers go from 0 to " +
           std::to_string(index(pass())) + where;
  }
  if (is_legal(move)) return "";
  if (const auto end = outcome()) return "the game is over: " + std::string(end->reason) + where;
  if (move == pass()) return "a seat that can place a disc may not pass" + where;
  if ((empty() & point_bit(index(move))) == 0) return move_text(move) + " is occupied" + where;
  return "a disc on " + move_text(move) + " would enclose nothing" + where;
}

inline char Position::letter(int point) const {
  if ((discs_[0] & point_bit(point)) != 0) return 'x';
  return (discs_[1] & point_bit(point)) != 0 ? 'o' : '.';
}

inline std::string Position::text() const {
  std::string text;
  for (int y = 0; y < side(); ++y) {
    char run = '0';
    for (int x = 0; x < side(); ++x) {
      const char found = letter(y * side() + x);
      if (found == '.') ++run;
      if (run > '0' && (found != '.' || x == side() - 1)) text += std::exchange(run, '0');
      if (found != '.') text += found;
    }
    text += y < side() - 1 ? '/' : ' ';
  }
  return text + (turn_ == 0 ? 'x' : 'o');
}

// Reads points as they come and leaves the exact form to the comparison with what is printed.
inline Position Position::parse(std::string_view text, const Options& options) {
  Position position(options);
  int point = 0;
  for (const char found : text.substr(0, text.find(' '))) {
    if ((found == 'x' || found == 'o') && point < area(options)) {
      position.discs_[found == 'x' ? 0 : 1] |= point_bit(point++);
    } else if (found >= '1' && found <= '8') {
      point += found - '0';
    }
  }
  position.turn_ = text.ends_with('o') ? 1 : 0;
  if (position.text() != text) {
    throw ParseError("a position of othello is " + std::to_string(options.side()) +
                     " rows joined by '/', of discs x and o and numbers for runs of empty points, "
                     "then a space and the seat to move, as in " +
                     start(options).text());
  }
  position.find_moves();
  if (const std::string unsound = position.check(); !unsound.empty()) throw ParseError(unsound);
  return position;
}

inline std::string Position::board() const {
  std::string text = "  ";
  for (int x = 0; x < side(); ++x) text += {' ', static_cast<char>('a' + x)};
  for (int y = 0; y < side(); ++y) {
    text += {'\n', ' ', static_cast<char>('1' + y)};
    for (int x = 0; x < side(); ++x) text += {' ', letter(y * side() + x)};
  }
  return text + '\n';
}

}  // namespace tempo::othello

// `Game` is what every game must have; each of the others makes something possible, or faster.
static_assert(tempo::Game<tempo::othello::Position>);
static_assert(tempo::Symmetric<tempo::othello::Position>);
static_assert(tempo::Ordered<tempo::othello::Position>);
static_assert(tempo::QuickRandom<tempo::othello::Position>);
static_assert(tempo::QuickNth<tempo::othello::Position>);
