// The rules of mygame: tic-tac-toe until you change them. Two seats mark squares in turn, and three
// in a row win; by the option `misere` they lose. All that searches, batches and learners ask of a
// game is here, and nothing else: tempo/game.h has the whole list, and concepts for more.
#pragma once

#include <tempo/game.h>
#include <tempo/game_features.h>
#include <tempo/nets/linear.h>

#include <algorithm>
#include <array>
#include <bit>

namespace tempo_mygame {

using tempo::Move;
using tempo::Outcome;
using tempo::Seat;
using tempo::Team;

// Rule options are small numbers: `mygame(misere=yes)`.
struct Options {
  std::int16_t misere = 0;

  static constexpr std::array<tempo::OptionField<Options>, 1> fields() {
    return {{{"misere", "three in a row lose", &Options::misere, 0, 1, tempo::no_yes}}};
  }
  friend bool operator==(const Options&, const Options&) = default;
};

// A set of squares. Bit 3 * y + x is column x of row y, counted from the top left.
using Squares = std::uint16_t;

inline constexpr int side = 3;
inline constexpr int area = side * side;
inline constexpr std::array<Squares, 8> lines{0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};

constexpr Squares square(int number) { return static_cast<Squares>(1 << number); }
constexpr Move move_of(int number) { return Move{static_cast<std::uint16_t>(number)}; }
constexpr Seat other(Seat seat) { return Seat{static_cast<std::uint8_t>(1 - index(seat))}; }

// A value: searches copy it and play on the copy. A move is the number of a square.
class Position {
 public:
  using Options = tempo_mygame::Options;
  using Moves = tempo::MoveList<area>;

  static constexpr std::string_view name = "mygame";
  static constexpr std::string_view rules_version = "mygame-rules/1.0";  // moves when rules do
  static constexpr std::string_view summary = "three in a row on nine squares";
  static constexpr int seats = 2;

  static constexpr std::string_view seat_name(Seat seat) { return index(seat) == 0 ? "x" : "o"; }
  static constexpr Team team_of(Seat seat) { return Team{static_cast<std::uint8_t>(seat)}; }
  static int move_numbers(const Options&) { return area; }
  static int length_bound(const Options&) { return area; }

  static Position start(const Options& options) { return Position(options); }
  [[nodiscard]] const Options& options() const { return options_; }

  [[nodiscard]] Squares marks(Seat seat) const { return marks_[static_cast<std::size_t>(seat)]; }
  [[nodiscard]] Squares marked() const { return marks_[0] | marks_[1]; }
  [[nodiscard]] bool has_line(Seat seat) const {
    return std::ranges::any_of(lines, [&](Squares line) { return (marks(seat) & line) == line; });
  }

  // Playing.

  [[nodiscard]] Seat turn() const {
    return Seat{static_cast<std::uint8_t>(std::popcount(marked()) % 2)};
  }
  void legal_moves(Moves& moves) const {
    moves.clear();
    for (int number = 0; number < area; ++number) {
      if (is_legal(move_of(number))) moves.push(move_of(number));
    }
  }
  [[nodiscard]] bool is_legal(Move move) const {
    return index(move) < area && (marked() & square(index(move))) == 0 && !outcome();
  }
  void play(Move move) {
    assert(is_legal(move));
    marks_[static_cast<std::size_t>(turn())] |= square(index(move));
  }
  [[nodiscard]] std::optional<Outcome> outcome() const {
    for (const Seat seat : {Seat{0}, Seat{1}}) {
      if (!has_line(seat)) continue;
      const float score = (seat == Seat{0}) == (options_.misere == 0) ? 1.0F : -1.0F;
      return Outcome{"three in a row", {score, -score}};
    }
    if (std::popcount(marked()) == area) return Outcome{"a full board", {0, 0}};
    return std::nullopt;
  }

  // Identity. A game whose key is costly keeps it up to date in `play`; here both are the same.

  [[nodiscard]] std::uint64_t key() const {
    const auto rest = static_cast<std::uint64_t>(options_.misere);
    return tempo::split_mix(marks_[0] ^ tempo::split_mix(marks_[1] ^ tempo::split_mix(rest)));
  }
  [[nodiscard]] std::uint64_t scratch_key() const { return key(); }
  [[nodiscard]] std::string check() const {
    const int lead = std::popcount(marks_[0]) - std::popcount(marks_[1]);
    if ((marks_[0] & marks_[1]) != 0) return "two marks on one square";
    if (lead != 0 && lead != 1) return "x marks first, and then each seat in turn";
    if (has_line(turn())) return "a mark after the end of the game";
    return "";
  }
  friend bool operator==(const Position&, const Position&) = default;

  // Text. A move is a square such as b3, row 1 at the top; a position is its rows: `x.o/.x./...`.

  [[nodiscard]] std::string text() const {
    std::string text;
    for (int number = 0; number < area; ++number) {
      if (number > 0 && number % side == 0) text += '/';
      text += letter(number);
    }
    return text;
  }
  static Position parse(std::string_view text, const Options& options) {
    Position position(options);
    int number = 0;
    for (const char found : text) {
      if (found == '/' || number == area) continue;
      if (found == 'x') position.marks_[0] |= square(number);
      if (found == 'o') position.marks_[1] |= square(number);
      ++number;
    }
    if (position.text() != text) {
      throw tempo::ParseError(
          "a position of mygame is three rows of x, o and ., as in x.o/.x./...");
    }
    if (const std::string fault = position.check(); !fault.empty()) throw tempo::ParseError(fault);
    return position;
  }
  [[nodiscard]] std::string move_text(Move move) const {
    return {static_cast<char>('a' + index(move) % side),
            static_cast<char>('1' + index(move) / side)};
  }
  [[nodiscard]] Move parse_move(std::string_view text) const {
    for (int number = 0; number < area; ++number) {
      const Move move = move_of(number);
      if (move_text(move) != text) continue;
      if (!is_legal(move)) throw tempo::IllegalMove(why_illegal(move));
      return move;
    }
    throw tempo::ParseError("'" + std::string(text) + "' is not a move; expected a1 to c3");
  }
  [[nodiscard]] std::string why_illegal(Move move) const {
    if (index(move) >= area) return "there is no such move in mygame; moves are 0 to 8";
    if (const auto end = outcome()) return "the game is over: " + std::string(end->reason);
    return is_legal(move) ? "" : move_text(move) + " is marked already (mygame)";
  }
  [[nodiscard]] std::string board() const {
    std::string text = "  a b c\n";
    for (int number = 0; number < area; ++number) {
      if (number % side == 0) text += static_cast<char>('1' + number / side);
      text += {' ', letter(number)};
      if (number % side == side - 1) text += '\n';
    }
    return text;
  }

 private:
  explicit Position(const Options& options) : options_(options) {}

  [[nodiscard]] char letter(int number) const {
    if ((marks_[0] & square(number)) != 0) return 'x';
    return (marks_[1] & square(number)) != 0 ? 'o' : '.';
  }

  Options options_;
  std::array<Squares, 2> marks_{};  // by seat
};

}  // namespace tempo_mygame

// What networks see: planes [3, 3, 3] of own marks, the other's marks, and ones for the seat to
// move.
template <>
struct tempo::Features<tempo_mygame::Position> {
  static std::array<int, 3> shape(const tempo_mygame::Options&) {
    return {3, tempo_mygame::side, tempo_mygame::side};
  }
  static void write(const tempo_mygame::Position& position, Seat seat, float* out) {
    const tempo_mygame::Squares turn = position.turn() == seat ? 0777 : 0;
    for (const tempo_mygame::Squares plane :
         {position.marks(seat), position.marks(tempo_mygame::other(seat)), turn}) {
      for (int i = 0; i < tempo_mygame::area; ++i) *out++ = static_cast<float>(plane >> i & 1);
    }
  }
};

// What linear learners see: counts of the seat to move less those of the other, of lines that only
// one of them can complete. The weights by hand are the static evaluation of alpha-beta.
template <>
struct tempo::Terms<tempo_mygame::Position> {
  static constexpr int count = 3;
  static constexpr float half = 4.0F;  // a sum of this size is half a win
  static constexpr std::array<std::string_view, count> names = {"turn", "one mark", "two marks"};
  static constexpr std::array<float, count> hand_tuned = {0.1F, 0.3F, 1.0F};

  static void write(const tempo_mygame::Position& position, float* out) {
    const float sign = position.options().misere == 0 ? 1.0F : -1.0F;
    const Seat mover = position.turn();
    const Seat other = tempo_mygame::other(mover);
    std::fill_n(out, count, 0.0F);
    out[0] = sign;
    for (const tempo_mygame::Squares line : tempo_mygame::lines) {
      const int own = std::popcount(static_cast<unsigned>(position.marks(mover) & line));
      const int others = std::popcount(static_cast<unsigned>(position.marks(other) & line));
      if (own > 0 && own < count && others == 0) out[own] += sign;
      if (others > 0 && others < count && own == 0) out[others] -= sign;
    }
  }
};

static_assert(tempo::HasFeatures<tempo_mygame::Position> &&
              tempo::HasTerms<tempo_mygame::Position>);
