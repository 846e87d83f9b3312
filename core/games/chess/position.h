// Chess as a `Game`: the position and how a move changes it. Text is in notation.h, soundness in
// check.h; docs/games/chess.md tells the rules as implemented.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "../../game.h"
#include "moves.h"
#include "outcome.h"
#include "perft.h"
#include "types.h"
#include "zobrist.h"

namespace tempo::chess {

inline constexpr std::string_view repetition_names[] = {"three", "five"};
inline constexpr std::string_view quiet_names[] = {"fifty", "seventy_five"};

// By default the draws that a player could claim are taken at once (FIDE 9.2, 9.3); with the other
// values only those that end a game unasked (FIDE 9.6).
struct Options {
  std::int16_t repetition = 0;
  std::int16_t quiet = 0;

  static constexpr std::array<OptionField<Options>, 2> fields() {
    return {{{"repetition", "how many equal positions are a draw", &Options::repetition, 0, 1,
              repetition_names},
             {"quiet", "how many moves of each side without capture or pawn move are a draw",
              &Options::quiet, 0, 1, quiet_names}}};
  }
  friend bool operator==(const Options&, const Options&) = default;
};

class Position {
 public:
  using Options = chess::Options;
  using Moves = chess::Moves;

  static constexpr std::string_view name = "chess";
  static constexpr std::string_view rules_version = "chess-rules/1.0";
  static constexpr std::string_view summary = "chess by the laws of FIDE";
  static constexpr int seats = 2;
  static constexpr int longest_clock = 150;  // plies of the seventy-five-move rule
  static constexpr int last_number = 9999;   // the move number stays there; no game gets so far

  static constexpr std::string_view seat_name(Seat seat) {
    return index(seat) == 0 ? "white" : "black";
  }
  static constexpr Team team_of(Seat seat) { return Team{static_cast<std::uint8_t>(index(seat))}; }
  static int move_numbers(const Options&) { return move_number_count; }
  // At most 96 pawn moves and 30 captures, 8 of which at least are both, each ending a run of
  // quiet moves.
  static int length_bound(const Options& options) { return (96 + 30 - 8) * clock_limit(options); }

  static Position start(const Options& options = {});
  // From pieces on a board; ParseError says what is unsound. An en passant square is forgotten
  // unless some pawn may really capture there.
  static Position of(const Board& board, Colour turn, int clock = 0, int number = 1,
                     const Options& options = {});

  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] Seat turn() const { return Seat{turn_}; }
  void legal_moves(Moves& moves) const;
  [[nodiscard]] bool is_legal(Move move) const;
  void play(Move move);
  // Checkmate comes before every draw (FIDE 5.1, 9.6.2).
  [[nodiscard]] std::optional<Outcome> outcome() const;
  [[nodiscard]] int count_moves() const;
  Move random_move(Random& random) const;

  // Captures and promotions, in the order of legal_moves.
  void noisy_moves(Moves& moves) const;
  // Most valuable victim first, least valuable attacker among equals.
  [[nodiscard]] int order_hint(Move move) const;

  // Covers placement, turn, castling rights, an en passant capture that is really possible, and
  // the clock of quiet plies once it is within 20 of ending the game; not the move number, not
  // the options. So equal keys mean equal legal moves and equal outcome().
  [[nodiscard]] std::uint64_t key() const { return key_ ^ clock_key(); }
  [[nodiscard]] std::uint64_t scratch_key() const {
    return zobrist::key(board_, colour()) ^ clock_key();
  }
  [[nodiscard]] std::string check() const;

  // Repetition (FIDE 9.2.2): the same without the clock.
  [[nodiscard]] std::uint64_t repetition_key() const { return key_; }
  [[nodiscard]] int reversible_moves() const { return clock_; }
  [[nodiscard]] std::uint8_t history_tag() const { return 0; }
  [[nodiscard]] std::optional<Outcome> outcome_by_past(const History& past) const;

  // Text: FEN for positions, UCI for moves; SAN is understood too.
  [[nodiscard]] std::string text() const;
  static Position parse(std::string_view text, const Options& options = {});
  [[nodiscard]] std::string move_text(Move move) const;
  [[nodiscard]] std::string san(Move move) const;  // of a legal move
  [[nodiscard]] Move parse_move(std::string_view text) const;
  [[nodiscard]] std::string why_illegal(Move move) const;
  [[nodiscard]] std::string board() const;

  // What features and evaluators look at.
  [[nodiscard]] const Board& pieces() const { return board_; }
  [[nodiscard]] Colour colour() const { return static_cast<Colour>(turn_); }
  [[nodiscard]] bool in_check() const;
  [[nodiscard]] int clock() const { return clock_; }    // quiet plies so far
  [[nodiscard]] int number() const { return number_; }  // of the move, as printed in a game score
  // Moves by the movement rules alone, whether or not the game is drawn.
  void generate(Moves& moves) const;

  friend bool operator==(const Position&, const Position&) = default;

 private:
  Position(const Board& board, Colour turn, int clock, int number, const Options& options);

  static int clock_limit(const Options& options) { return options.quiet == 0 ? 100 : 150; }
  [[nodiscard]] std::uint64_t clock_key() const {
    return clock_ + 20 >= clock_limit(options_) ? zobrist::numbers.clock[clock_] : 0;
  }
  // Over whatever the moves: a draw, or a mate in the very last quiet move.
  [[nodiscard]] bool is_spent() const {
    return clock_ >= clock_limit(options_) || material_is_insufficient(board_);
  }

  // Calls a function template with the side to move.
  template <class Function>
  decltype(auto) as_mover(Function function) const {
    if (turn_ == white) return function(std::integral_constant<Colour, white>{});
    return function(std::integral_constant<Colour, black>{});
  }
  void make(Move move);  // as play, in drawn positions too
  template <Colour us>
  void make_as(Move move);
  template <Colour us>
  void finish_pawn(Square from, Square to, Kind promotion);
  [[nodiscard]] std::string why_unreachable(Square from, Square to, Kind kind) const;
  [[nodiscard]] std::string why_no_castling(Square to) const;
  [[nodiscard]] Move parse_san(std::string_view text) const;
  [[nodiscard]] std::string where() const;

  Board board_;
  std::uint64_t key_;  // without the clock
  Options options_;
  std::uint16_t number_;
  std::uint8_t clock_;
  std::uint8_t turn_;
};

inline Position::Position(const Board& board, Colour turn, int clock, int number,
                          const Options& options)
    : board_(board),
      key_(zobrist::key(board, turn)),
      options_(options),
      number_(static_cast<std::uint16_t>(number)),
      clock_(static_cast<std::uint8_t>(clock)),
      turn_(static_cast<std::uint8_t>(turn)) {}

inline Position Position::start(const Options& options) {
  constexpr Bitboard ends = rank_set(0) | rank_set(7);
  constexpr Board board = {{rank_set(1) | rank_set(6), 0x42 * file_a & ends, 0x24 * file_a & ends,
                            0x81 * file_a & ends, 0x08 * file_a & ends, 0x10 * file_a & ends},
                           {rank_set(0) | rank_set(1), rank_set(6) | rank_set(7)},
                           white_short | white_long | black_short | black_long,
                           0};
  return {board, white, 0, 1, options};
}

inline void Position::generate(Moves& moves) const {
  moves.clear();
  as_mover([&]<Colour us>(std::integral_constant<Colour, us>) {
    Lister<us> lister{moves};
    visit_moves<us>(board_, restraint<us>(board_), lister);
  });
}

inline void Position::legal_moves(Moves& moves) const {
  moves.clear();
  if (!is_spent()) generate(moves);
}

inline void Position::noisy_moves(Moves& moves) const {
  moves.clear();
  if (is_spent()) return;
  as_mover([&]<Colour us>(std::integral_constant<Colour, us>) {
    Lister<us> lister{moves};
    visit_moves<us, Wanted::noisy>(board_, restraint<us>(board_), lister);
  });
}

inline bool Position::is_legal(Move move) const {
  if (index(move) >= move_number_count || is_spent()) return false;
  return as_mover([&]<Colour us>(std::integral_constant<Colour, us>) {
    if ((board_.sides[us] & bit(from_of(move))) == 0) return false;
    Finder<us> finder(move);
    visit_moves<us>(board_, restraint<us>(board_), finder);
    return finder.found;
  });
}

inline int Position::count_moves() const {
  if (is_spent()) return 0;
  return as_mover([&]<Colour us>(std::integral_constant<Colour, us>) {
    return chess::count_moves<us>(board_);
  });
}

inline Move Position::random_move(Random& random) const {
  if (is_spent()) return no_move;
  return as_mover([&]<Colour us>(std::integral_constant<Colour, us>) {
    Chooser<us> chooser;
    visit_moves<us>(board_, restraint<us>(board_), chooser);
    if (chooser.total() == 0) return no_move;
    return chooser[static_cast<int>(random.below(chooser.total()))];
  });
}

inline bool Position::in_check() const {
  return attackers(board_, board_.king_of(colour()), other(colour()), board_.occupied()) != 0;
}

inline int Position::order_hint(Move move) const {
  constexpr int worth[] = {1, 3, 3, 5, 9, 10, 0};
  const Kind mover = board_.kind_at(from_of(move));
  const bool passing = mover == pawn && board_.en_passant != 0 && to_of(move) == board_.en_passant;
  const int victim = worth[passing ? pawn : board_.kind_at(to_of(move))];
  const Kind promotion = promotion_of(move);
  if (promotion != pawn) return 16 * (victim + worth[promotion] - 1);
  return victim == 0 ? 0 : 16 * victim - worth[mover];
}

inline std::optional<Outcome> Position::outcome() const {
  constexpr Scores draw{};
  if (material_is_insufficient(board_)) return Outcome{"insufficient material", draw};
  const auto [checked, stuck] = as_mover([&]<Colour us>(std::integral_constant<Colour, us>) {
    const Restraint held = restraint<us>(board_);
    return std::pair{held.checkers != 0, !has_moves<us>(board_, held)};
  });
  if (stuck && checked) {
    const float white_score = turn_ == white ? -1.0F : 1.0F;
    return Outcome{"checkmate", {white_score, -white_score}};
  }
  if (stuck) return Outcome{"stalemate", draw};
  if (clock_ >= clock_limit(options_))
    return Outcome{options_.quiet == 0 ? "fifty-move rule" : "seventy-five-move rule", draw};
  return std::nullopt;
}

inline std::optional<Outcome> Position::outcome_by_past(const History& past) const {
  const int needed = options_.repetition == 0 ? 3 : 5;
  // An equal position lies at least four plies back, with the same side to move.
  if (clock_ < 4 * (needed - 1)) return std::nullopt;
  const int reach = std::min(static_cast<int>(clock_), static_cast<int>(past.size()));
  int seen = 1;
  for (int i = 3; i < reach; i += 2)
    seen += past.newest(static_cast<std::size_t>(i)).key == key_ ? 1 : 0;
  if (seen < needed) return std::nullopt;
  return Outcome{options_.repetition == 0 ? "threefold repetition" : "fivefold repetition", {}};
}

inline void Position::play(Move move) {
  assert(is_legal(move));
  make(move);
}

inline void Position::make(Move move) {
  if (turn_ == white) return make_as<white>(move);
  make_as<black>(move);
}

template <Colour us>
void Position::make_as(Move move) {
  constexpr Colour them = other(us);
  const auto& numbers = zobrist::numbers;
  const Square from = from_of(move);
  const Square to = to_of(move);
  const Kind kind = board_.kind_at(from);
  const std::uint8_t passed = board_.en_passant;

  key_ ^= numbers.black_to_move ^ numbers.en_passant[passed];
  board_.en_passant = 0;
  clock_ = kind == pawn ? 0 : static_cast<std::uint8_t>(clock_ + 1);
  if ((board_.sides[them] & bit(to)) != 0) {
    const Kind taken = board_.kind_at(to);
    board_.toggle(them, taken, bit(to));
    key_ ^= numbers.pieces[them][taken][to];
    clock_ = 0;
  }
  board_.toggle(us, kind, bit(from) | bit(to));
  key_ ^= numbers.pieces[us][kind][from] ^ numbers.pieces[us][kind][to];
  if (kind == pawn) {
    if (to == passed && passed != 0) {
      constexpr int forward = Side<us>::forward;
      board_.toggle(them, pawn, bit(to - forward));
      key_ ^= numbers.pieces[them][pawn][to - forward];
    }
    finish_pawn<us>(from, to, promotion_of(move));
  } else if (kind == king && (to - from == 2 || from - to == 2)) {
    const Square corner = to > from ? to + 1 : to - 2;
    const Square beside = (from + to) / 2;
    board_.toggle(us, rook, bit(corner) | bit(beside));
    key_ ^= numbers.pieces[us][rook][corner] ^ numbers.pieces[us][rook][beside];
  }
  const std::uint8_t rights = rights_after(board_.castling, from, to);
  key_ ^= numbers.castling[board_.castling] ^ numbers.castling[rights];
  board_.castling = rights;
  if constexpr (us == black) number_ = std::min<std::uint16_t>(last_number, number_ + 1);
  turn_ = them;
}

// Promotion, and the right to take a pawn that passed, kept only when some pawn really may.
template <Colour us>
void Position::finish_pawn(Square from, Square to, Kind promotion) {
  constexpr Colour them = other(us);
  const auto& numbers = zobrist::numbers;
  if (promotion != pawn) {
    board_.kinds[pawn] ^= bit(to);
    board_.kinds[promotion] ^= bit(to);
    key_ ^= numbers.pieces[us][pawn][to] ^ numbers.pieces[us][promotion][to];
  } else if (to - from == 2 * Side<us>::forward) {
    const Square passed = to - Side<us>::forward;
    if (en_passant_capturers<them>(board_, passed) != 0) {
      board_.en_passant = static_cast<std::uint8_t>(passed);
      key_ ^= numbers.en_passant[passed];
    }
  }
}

// Counts move sequences of a length by the movement rules alone, so that the numbers equal the
// published ones; tempo's generic perft ends a line at a draw.
inline std::uint64_t perft(const Position& position, int depth) {
  StopPoll poll;
  return position.colour() == white ? count_deep_tree<white>(position.pieces(), depth, poll)
                                    : count_deep_tree<black>(position.pieces(), depth, poll);
}

}  // namespace tempo::chess
