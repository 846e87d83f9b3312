// Shogi as a `Game`: the position and how a move changes it. Text is in notation.h and move_text.h,
// soundness in check.h; docs/games/shogi.md tells the rules as implemented.
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
#include "options.h"
#include "outcome.h"
#include "play.h"
#include "zobrist.h"

namespace tempo::shogi {

// What a text may describe: a position of a game, or a mate problem, in which kings may be missing.
enum class Door { game, problem };

// A piece on the board: whose, and what.
struct Piece {
  Seat seat;
  Kind kind;

  friend bool operator==(const Piece&, const Piece&) = default;
};

template <class Board>
class PositionOf {
 public:
  using Options = OptionsOf<Board>;
  using Moves = shogi::Moves;
  using Men = Pieces<Board>;
  using Set = typename Board::Set;

  static constexpr std::string_view name = Board::name;
  static constexpr std::string_view rules_version = Board::rules_version;
  static constexpr std::string_view summary = Board::summary;
  static constexpr int seats = 2;
  static constexpr int size = Board::size;
  static constexpr int squares = Grid<Board>::squares;
  static constexpr Square nowhere = Grid<Board>::nowhere;
  static constexpr int last_number = 32000;  // the highest move number that is read

  static constexpr std::string_view seat_name(Seat seat) {
    return index(seat) == 0 ? "black" : "white";
  }
  static constexpr Team team_of(Seat seat) { return Team{static_cast<std::uint8_t>(index(seat))}; }
  static int move_numbers(const Options&) { return Numbers<Board>::count; }
  static int length_bound(const Options& options) { return options.length; }

  static PositionOf start(const Options& options = {}) { return parse(Board::start, options); }
  // From pieces on a board; ParseError says what is unsound.
  static PositionOf of(const Men& men, Colour turn, int number = 1, const Options& options = {},
                       Door door = Door::game);

  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] Seat turn() const { return Seat{turn_}; }
  void legal_moves(Moves& moves) const;
  [[nodiscard]] bool is_legal(Move move) const;
  void play(Move move);
  // A declaration comes before everything, then being out of moves, then the length limit.
  [[nodiscard]] std::optional<Outcome> outcome() const;
  [[nodiscard]] int count_moves() const;
  [[nodiscard]] Move random_move(Random& random) const;

  // Captures, and promotions of pawns, bishops and rooks, in the order of legal_moves.
  void noisy_moves(Moves& moves) const;
  // Most valuable victim first, least valuable attacker among equals, then promotions.
  [[nodiscard]] int order_hint(Move move) const;

  // Covers placement, hands, turn, and the moves left once they are 20 or fewer; not the number
  // of the move, not the options. So equal keys mean equal legal moves and equal outcome().
  [[nodiscard]] std::uint64_t key() const { return key_ ^ length_key(); }
  [[nodiscard]] std::uint64_t scratch_key() const {
    return zobrist::key(men_, colour()) ^ length_key();
  }
  [[nodiscard]] std::string check() const;

  // Repetition counts board, hands and turn. No move of shogi is irreversible: what was captured
  // can be dropped and captured back.
  [[nodiscard]] std::uint64_t repetition_key() const { return key_; }
  [[nodiscard]] int reversible_moves() const { return number_ - 1; }
  // Whether the side to move is in check, where perpetual check matters.
  [[nodiscard]] std::uint8_t history_tag() const {
    return options_.repetition == 0 ? 0 : static_cast<std::uint8_t>(in_check());
  }
  [[nodiscard]] std::optional<Outcome> outcome_by_past(const History& past) const;

  // The mirror image, files swapped.
  static constexpr int symmetries = 2;
  [[nodiscard]] PositionOf transformed(int symmetry) const;
  [[nodiscard]] Move transformed_move(Move move, int symmetry) const;

  // Text: SFEN for positions, USI for moves.
  [[nodiscard]] std::string text() const;
  static PositionOf parse(std::string_view text, const Options& options = {});
  // As parse, but a side may lack its king, as the attacker does in a mate problem.
  static PositionOf parse_problem(std::string_view text, const Options& options = {});
  [[nodiscard]] std::string move_text(Move move) const;
  [[nodiscard]] Move parse_move(std::string_view text) const;
  [[nodiscard]] std::string why_illegal(Move move) const;
  [[nodiscard]] std::string board() const;

  // Taking a move number apart.
  static constexpr Square from_of(Move move) { return Numbers<Board>::from_of(move); }
  static constexpr Square to_of(Move move) { return Numbers<Board>::to_of(move); }
  static constexpr bool promotes(Move move) { return Numbers<Board>::promotes(move); }
  static constexpr bool is_drop(Move move) { return Numbers<Board>::is_drop(move); }
  static constexpr Kind dropped_kind(Move move) { return Numbers<Board>::dropped_kind(move); }

  // What features, evaluators and other searches look at.
  [[nodiscard]] const Men& pieces() const { return men_; }
  [[nodiscard]] Colour colour() const { return static_cast<Colour>(turn_); }
  [[nodiscard]] int number() const { return number_; }  // of the next move, from 1
  [[nodiscard]] std::optional<Piece> piece_at(Square square) const;
  [[nodiscard]] int hand(Seat seat, Kind kind) const { return men_.hands[index(seat)][kind]; }
  [[nodiscard]] Square king(Seat seat) const { return men_.kings[index(seat)]; }
  [[nodiscard]] Set occupied() const { return men_.occupied(); }
  [[nodiscard]] Set occupied(Seat seat) const { return men_.sides[index(seat)]; }
  // The squares that the piece on a square attacks; none from an empty one.
  [[nodiscard]] Set attacks_from(Square square) const;
  [[nodiscard]] bool in_check() const;
  // Of a legal move: whether it gives check, what it moves (before promoting), what it takes.
  [[nodiscard]] bool gives_check(Move move) const;
  [[nodiscard]] Kind moved_kind(Move move) const {
    return is_drop(move) ? dropped_kind(move) : men_.kind_at(from_of(move));
  }
  [[nodiscard]] std::optional<Kind> captured_kind(Move move) const;
  // The legal moves that give check, in the order of legal_moves.
  void checks(Moves& moves) const;
  // The other side to move, as a search's null move has it; only where nobody is in check.
  [[nodiscard]] PositionOf passed() const;

  friend bool operator==(const PositionOf&, const PositionOf&) = default;

 private:
  PositionOf(const Men& men, Colour turn, int number, const Options& options)
      : men_(men),
        key_(zobrist::key(men, turn)),
        options_(options),
        number_(static_cast<std::uint16_t>(number)),
        turn_(static_cast<std::uint8_t>(turn)) {}

  static PositionOf read(std::string_view text, const Options& options, Door door);
  [[nodiscard]] int moves_left() const { return std::max(options_.length - number_ + 1, 0); }
  [[nodiscard]] std::uint64_t length_key() const {
    const int left = moves_left();
    return left <= zobrist::last_moves ? zobrist::keys<Board>.moves_left[left] : 0;
  }
  [[nodiscard]] bool declares() const {
    if constexpr (!Board::has_declaration) return false;
    return options_.declaration != 0 && may_declare(men_, colour());
  }
  // Over whatever the moves.
  [[nodiscard]] bool is_spent() const { return moves_left() == 0 || declares(); }

  // Calls a function template with the side to move.
  template <class Function>
  decltype(auto) as_mover(Function function) const {
    if (turn_ == black) return function(std::integral_constant<Colour, black>{});
    return function(std::integral_constant<Colour, white>{});
  }
  template <Colour us>
  void make_as(Move move);
  [[nodiscard]] std::string where() const;
  [[nodiscard]] std::string why_no_drop(Kind kind, Square to) const;
  [[nodiscard]] std::string why_no_step(Square from, Square to, bool promotes) const;

  Men men_;
  std::uint64_t key_;  // without the moves left
  Options options_;
  std::uint16_t number_;
  std::uint8_t turn_;
};

template <class Board>
void PositionOf<Board>::legal_moves(Moves& moves) const {
  moves.clear();
  if (is_spent()) return;
  as_mover([&]<Colour us>(std::integral_constant<Colour, us>) {
    Lister<Board> lister{moves};
    visit_moves<Board, us>(men_, Side<Board, us>::restraint(men_), lister);
  });
}

template <class Board>
void PositionOf<Board>::noisy_moves(Moves& moves) const {
  moves.clear();
  if (is_spent()) return;
  as_mover([&]<Colour us>(std::integral_constant<Colour, us>) {
    Lister<Board> lister{moves};
    visit_moves<Board, us, Wanted::noisy>(men_, Side<Board, us>::restraint(men_), lister);
  });
}

template <class Board>
bool PositionOf<Board>::is_legal(Move move) const {
  if (index(move) >= Numbers<Board>::count || is_spent()) return false;
  return as_mover([&]<Colour us>(std::integral_constant<Colour, us>) {
    const Square from = from_of(move);
    const bool mine =
        is_drop(move) ? men_.hands[us][dropped_kind(move)] != 0 : has(men_.sides[us], from);
    if (!mine) return false;
    Finder<Board> finder(move);
    visit_moves<Board, us>(men_, Side<Board, us>::restraint(men_), finder);
    return finder.found;
  });
}

template <class Board>
int PositionOf<Board>::count_moves() const {
  if (is_spent()) return 0;
  return as_mover([&]<Colour us>(std::integral_constant<Colour, us>) {
    return shogi::count_moves<Board, us>(men_);
  });
}

template <class Board>
Move PositionOf<Board>::random_move(Random& random) const {
  if (is_spent()) return no_move;
  return as_mover([&]<Colour us>(std::integral_constant<Colour, us>) {
    Chooser<Board> chooser;
    visit_moves<Board, us>(men_, Side<Board, us>::restraint(men_), chooser);
    if (chooser.total() == 0) return no_move;
    return chooser[static_cast<int>(random.below(chooser.total()))];
  });
}

template <class Board>
std::optional<Piece> PositionOf<Board>::piece_at(Square square) const {
  const Kind kind = men_.kind_at(square);
  if (kind == no_kind) return std::nullopt;
  return Piece{Seat{static_cast<std::uint8_t>(has(men_.sides[white], square))}, kind};
}

template <class Board>
typename Board::Set PositionOf<Board>::attacks_from(Square square) const {
  const auto piece = piece_at(square);
  if (!piece) return 0;
  const auto side = static_cast<Colour>(index(piece->seat));
  return Attacks<Board>::from(side, piece->kind, square, men_.occupied());
}

template <class Board>
bool PositionOf<Board>::in_check() const {
  return as_mover([&]<Colour us>(std::integral_constant<Colour, us>) {
    return is_attacked<Board, other(us)>(men_, men_.king_of(us));
  });
}

template <class Board>
bool PositionOf<Board>::gives_check(Move move) const {
  return as_mover([&]<Colour us>(std::integral_constant<Colour, us>) {
    Men next = men_;
    make_move<Board, us>(next, move);
    return is_attacked<Board, us>(next, next.king_of(other(us)));
  });
}

template <class Board>
std::optional<Kind> PositionOf<Board>::captured_kind(Move move) const {
  const Kind kind = men_.kind_at(to_of(move));
  return kind == no_kind ? std::nullopt : std::optional(kind);
}

template <class Board>
void PositionOf<Board>::checks(Moves& moves) const {
  Moves all;
  legal_moves(all);
  moves.clear();
  for (const Move move : all) {
    if (gives_check(move)) moves.push(move);
  }
}

template <class Board>
PositionOf<Board> PositionOf<Board>::passed() const {
  assert(!in_check());
  PositionOf next = *this;
  next.key_ ^= zobrist::keys<Board>.white_to_move;
  next.turn_ = static_cast<std::uint8_t>(other(colour()));
  ++next.number_;
  return next;
}

template <class Board>
int PositionOf<Board>::order_hint(Move move) const {
  // In the order of the kinds; the last is an empty square.
  constexpr int worth[] = {1, 3, 4, 5, 6, 8, 10, 20, 6, 6, 6, 6, 12, 14, 0};
  if (is_drop(move)) return 0;
  const Kind mover = men_.kind_at(from_of(move));
  const int victim = worth[men_.kind_at(to_of(move))];
  const int gain = promotes(move) ? worth[promoted(mover)] - worth[mover] : 0;
  return victim == 0 ? 4 * gain : 32 * victim + 4 * gain - worth[mover];
}

template <class Board>
std::optional<Outcome> PositionOf<Board>::outcome() const {
  const float mover = turn_ == black ? 1.0F : -1.0F;
  if (declares()) return Outcome{"declaration", {mover, -mover}};
  const auto [checked, stuck] = as_mover([&]<Colour us>(std::integral_constant<Colour, us>) {
    const auto held = Side<Board, us>::restraint(men_);
    return std::pair{held.checkers != 0, !has_moves<Board, us>(men_, held)};
  });
  if (stuck) return Outcome{checked ? "checkmate" : "stalemate", {-mover, mover}};
  if (moves_left() == 0) return Outcome{"length limit", {}};
  return std::nullopt;
}

template <class Board>
std::optional<Outcome> PositionOf<Board>::outcome_by_past(const History& past) const {
  // An equal position lies at least four plies back, with the same side to move; this is the
  // fourth.
  constexpr int earlier = 3;
  const int reach = std::min(reversible_moves(), static_cast<int>(past.size()));
  if (reach < 4 * earlier) return std::nullopt;
  if (past.count(key_, static_cast<std::size_t>(reach)) < earlier) return std::nullopt;
  if (options_.repetition != 0) {
    // The side that gave check with every move since the first of the four loses. The mover's moves
    // led to newest(0), newest(2), ...; the other side's to newest(1), ... and here.
    int since = 3;
    for (int seen = 0; seen < earlier; since += 2)
      seen += past.newest(static_cast<std::size_t>(since)).key == key_ ? 1 : 0;
    bool mover_checks = true;
    bool waiter_checks = in_check();
    for (int back = 0; back < since - 2; ++back) {
      bool& all = back % 2 == 0 ? mover_checks : waiter_checks;
      all = all && past.newest(static_cast<std::size_t>(back)).tag != 0;
    }
    const float mover = turn_ == black ? 1.0F : -1.0F;
    if (waiter_checks && !mover_checks) return Outcome{"perpetual check", {mover, -mover}};
    if (mover_checks && !waiter_checks) return Outcome{"perpetual check", {-mover, mover}};
  }
  return Outcome{"fourfold repetition", {}};
}

template <class Board>
void PositionOf<Board>::play(Move move) {
  assert(is_legal(move));
  if (turn_ == black) return make_as<black>(move);
  make_as<white>(move);
}

template <class Board>
template <Colour us>
void PositionOf<Board>::make_as(Move move) {
  constexpr Colour them = other(us);
  const auto& keys = zobrist::keys<Board>;
  const auto to = to_of(move);
  const auto [moved, taken] = make_move<Board, us>(men_, move);
  key_ ^= keys.white_to_move;
  if (is_drop(move)) {
    const auto& held = keys.hands[us][moved];
    const int left = men_.hands[us][moved];
    key_ ^= keys.pieces[us][moved][to] ^ held[left] ^ held[left + 1];
  } else {
    const Kind now = promotes(move) ? promoted(moved) : moved;
    key_ ^= keys.pieces[us][moved][from_of(move)] ^ keys.pieces[us][now][to];
    if (taken != no_kind) {
      const Kind base = unpromoted(taken);
      const auto& held = keys.hands[us][base];
      const int holds = men_.hands[us][base];
      key_ ^= keys.pieces[them][taken][to] ^ held[holds] ^ held[holds - 1];
    }
  }
  ++number_;
  turn_ = them;
}

// Counts move sequences of a length by the movement rules alone, as published numbers do.
template <class Board>
inline std::uint64_t perft(const PositionOf<Board>& position, int depth) {
  StopPoll poll;
  return position.colour() == black ? count_tree<Board, black>(position.pieces(), depth, poll)
                                    : count_tree<Board, white>(position.pieces(), depth, poll);
}

}  // namespace tempo::shogi
