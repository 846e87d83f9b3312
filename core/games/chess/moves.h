// Which moves the pieces can make: movement rules only, draws by rule are outcome.h's business.
//
// One walk over the position (`visit_moves`) names sets of moves to a sink; listing, counting,
// picking at random and perft are sinks. The order of the walk is the fixed order of legal moves:
//   pawns: single steps, double steps, captures towards the a-file, captures towards the h-file,
//     then promotions by step, by capture towards a, towards h (each N, B, R, Q), then en passant;
//   knights, bishops, rooks, queens, king; castling short, then long.
// Within a set moves go by target square (pawns) or by origin, then target (pieces), a1 to h8.
#pragma once

#include <array>
#include <cstdint>

#include "../../game.h"
#include "attacks.h"
#include "types.h"

namespace tempo::chess {

// A move number is from | to << 6 | promotion << 12, promotion 0 for none, else 1 to 4 for knight,
// bishop, rook, queen. Castling is the king's move.
inline constexpr int move_number_count = 5 << 12;
constexpr Move make_move(Square from, Square to, Kind promotion = pawn) {
  return Move{static_cast<std::uint16_t>(from | to << 6 | promotion << 12)};
}
constexpr Square from_of(Move move) { return index(move) & 63; }
constexpr Square to_of(Move move) { return index(move) >> 6 & 63; }
// The kind a pawn turns into; `pawn` when it stays one.
constexpr Kind promotion_of(Move move) { return static_cast<Kind>(index(move) >> 12); }

// More than any position has: 218 is the known maximum (Petrovic 1964).
using Moves = MoveList<256>;

// Numbers of a colour that the templates below need.
template <Colour us>
struct Side {
  static constexpr Colour them = other(us);
  static constexpr int forward = us == white ? 8 : -8;
  static constexpr int towards_a = forward - 1;
  static constexpr int towards_h = forward + 1;
  static constexpr Bitboard third_rank = rank_set(us == white ? 2 : 5);
  static constexpr Bitboard last_rank = rank_set(us == white ? 7 : 0);
  static constexpr Square king_home = us == white ? 4 : 60;
  static constexpr std::uint8_t short_right = us == white ? white_short : black_short;
  static constexpr std::uint8_t long_right = us == white ? white_long : black_long;
};

// What keeps the mover's pieces from moving freely.
struct Restraint {
  Square king;
  Bitboard checkers;
  Bitboard pinned;   // own pieces that may only move along the line to their king
  Bitboard answers;  // where a piece other than the king must go: anywhere unless in check
};

template <Colour us>
inline Restraint restraint(const Board& board) {
  constexpr Colour them = other(us);
  const Bitboard occupied = board.occupied();
  Restraint found{board.king_of(us), 0, 0, everywhere};
  const auto k = static_cast<std::size_t>(found.king);
  found.checkers = ((pawn_attacks<us>(bit(found.king)) & board.kinds[pawn]) |
                    (knight_attacks(found.king) & board.kinds[knight])) &
                   board.sides[them];
  Bitboard snipers =
      (rook_rays[k] & board.straight(them)) | (bishop_rays[k] & board.diagonal(them));
  while (snipers != 0) {
    const Square sniper = take_first(snipers);
    const Bitboard blockers = between(found.king, sniper) & occupied;
    found.checkers |= blockers == 0 ? bit(sniper) : 0;
    found.pinned |= more_than_one(blockers) ? 0 : blockers & board.sides[us];
  }
  if (found.checkers != 0) {
    found.answers = more_than_one(found.checkers)
                        ? 0
                        : found.checkers | between(found.king, first(found.checkers));
  }
  return found;
}

// Whether the king of `us` is safe after an en passant capture: two pawns leave one rank at once,
// which pins do not foresee.
template <Colour us>
inline bool en_passant_is_safe(const Board& board, Square from, Square to) {
  constexpr Colour them = other(us);
  const Bitboard taken = bit(to - Side<us>::forward);
  const Bitboard occupied = (board.occupied() ^ bit(from) ^ taken) | bit(to);
  return (attackers(board, board.king_of(us), them, occupied) & ~taken) == 0;
}

// The pawns of `us` that may capture en passant on `to`.
template <Colour us>
inline Bitboard en_passant_capturers(const Board& board, Square to) {
  Bitboard found = 0;
  for (Bitboard left = pawn_attacks<other(us)>(bit(to)) & board.of(us, pawn); left != 0;) {
    const Square from = take_first(left);
    if (en_passant_is_safe<us>(board, from, to)) found |= bit(from);
  }
  return found;
}

// `noisy`: only captures and promotions, in the same order.
enum class Wanted { all, noisy };

template <Colour us, Wanted wanted, class Sink>
inline void visit_pawns(const Board& board, const Restraint& held, Sink& sink) {
  using S = Side<us>;
  const Bitboard pawns = board.of(us, pawn);
  const Bitboard empty = ~board.occupied();
  const Bitboard enemies = board.sides[S::them] & held.answers;
  const auto k = static_cast<std::size_t>(held.king);
  // A pinned pawn still goes along its pin, and one that goes along a line through its king is on
  // that line already.
  const auto free_on = [&](Bitboard line) { return pawns & (~held.pinned | line); };
  const auto& a_lines = us == white ? falling_lines : rising_lines;
  const auto& h_lines = us == white ? rising_lines : falling_lines;

  const Bitboard single = shifted<S::forward>(free_on(file_lines[k])) & empty;
  const Bitboard steps = single & held.answers;
  const Bitboard to_a = shifted<S::towards_a>(free_on(a_lines[k])) & enemies;
  const Bitboard to_h = shifted<S::towards_h>(free_on(h_lines[k])) & enemies;
  if constexpr (wanted == Wanted::all) {
    sink.template pawns<S::forward>(steps & ~S::last_rank);
    sink.double_steps(shifted<S::forward>(single & S::third_rank) & empty & held.answers);
  }
  sink.template pawns<S::towards_a>(to_a & ~S::last_rank);
  sink.template pawns<S::towards_h>(to_h & ~S::last_rank);
  if (((steps | to_a | to_h) & S::last_rank) != 0) [[unlikely]] {
    sink.template promotions<S::forward>(steps & S::last_rank);
    sink.template promotions<S::towards_a>(to_a & S::last_rank);
    sink.template promotions<S::towards_h>(to_h & S::last_rank);
  }
  if (board.en_passant != 0) [[unlikely]]
    sink.en_passant(en_passant_capturers<us>(board, board.en_passant), board.en_passant);
}

template <Kind kind, Colour us, class Sink>
inline void visit_pieces(const Board& board, const Restraint& held, Bitboard targets, Sink& sink) {
  const Bitboard occupied = board.occupied();
  Bitboard pieces = board.of(us, kind);
  if constexpr (kind == knight) pieces &= ~held.pinned;  // a pinned knight never moves
  while (pieces != 0) {
    const Square from = take_first(pieces);
    Bitboard reach = attacks_from<kind>(from, occupied) & targets;
    if constexpr (kind != knight) {
      if (held.pinned & bit(from)) [[unlikely]]
        reach &= line_through(held.king, from);
    }
    sink.template piece<kind>(from, reach);
  }
}

template <Colour us, Wanted wanted, class Sink>
inline void visit_king(const Board& board, const Restraint& held, Sink& sink) {
  using S = Side<us>;
  Bitboard reach = king_attacks(held.king) & ~board.sides[us];
  if constexpr (wanted == Wanted::noisy) reach &= board.sides[S::them];
  if (reach == 0) return;
  // The king does not hide from a slider behind himself.
  const Bitboard danger = attacked_squares<S::them>(board, board.occupied() ^ bit(held.king));
  sink.template piece<king>(held.king, reach & ~danger);
  if constexpr (wanted == Wanted::all) {
    constexpr Square home = S::king_home;
    if ((board.castling & (S::short_right | S::long_right)) == 0 || held.checkers != 0) return;
    const Bitboard occupied = board.occupied();
    constexpr Bitboard short_path = bit(home + 1) | bit(home + 2);
    constexpr Bitboard long_path = bit(home - 1) | bit(home - 2);
    if ((board.castling & S::short_right) && ((occupied | danger) & short_path) == 0)
      sink.castle(home, home + 2);
    if ((board.castling & S::long_right) && ((occupied | danger) & long_path) == 0 &&
        (occupied & bit(home - 3)) == 0)
      sink.castle(home, home - 2);
  }
}

template <Colour us, Wanted wanted = Wanted::all, class Sink>
inline void visit_moves(const Board& board, const Restraint& held, Sink& sink) {
  if (held.answers != 0) {
    Bitboard targets = ~board.sides[us] & held.answers;
    if constexpr (wanted == Wanted::noisy) targets &= board.sides[other(us)];
    visit_pawns<us, wanted>(board, held, sink);
    visit_pieces<knight, us>(board, held, targets, sink);
    visit_pieces<bishop, us>(board, held, targets, sink);
    visit_pieces<rook, us>(board, held, targets, sink);
    visit_pieces<queen, us>(board, held, targets, sink);
  }
  visit_king<us, wanted>(board, held, sink);
}

// Lists moves.
template <Colour us>
struct Lister {
  Moves& moves;

  template <int step>
  void pawns(Bitboard targets) {
    while (targets != 0) {
      const Square to = take_first(targets);
      moves.push(make_move(to - step, to));
    }
  }
  void double_steps(Bitboard targets) { pawns<2 * Side<us>::forward>(targets); }
  template <int step>
  void promotions(Bitboard targets) {
    while (targets != 0) {
      const Square to = take_first(targets);
      for (const Kind kind : {knight, bishop, rook, queen})
        moves.push(make_move(to - step, to, kind));
    }
  }
  void en_passant(Bitboard from, Square to) {
    while (from != 0) moves.push(make_move(take_first(from), to));
  }
  template <Kind kind>
  void piece(Square from, Bitboard targets) {
    while (targets != 0) moves.push(make_move(from, take_first(targets)));
  }
  void castle(Square from, Square to) { moves.push(make_move(from, to)); }
};

// Counts moves without naming them.
struct Counter {
  int total = 0;

  template <int step>
  void pawns(Bitboard targets) {
    total += count(targets);
  }
  void double_steps(Bitboard targets) { total += count(targets); }
  template <int step>
  void promotions(Bitboard targets) {
    total += 4 * count(targets);
  }
  void en_passant(Bitboard from, Square) { total += count(from); }
  template <Kind kind>
  void piece(Square, Bitboard targets) {
    total += count(targets);
  }
  void castle(Square, Square) { ++total; }
};

// Says whether one move is among those visited.
template <Colour us>
struct Finder {
  Square from;
  Square to;
  Kind promotion;
  bool found = false;

  explicit Finder(Move move)
      : from(from_of(move)), to(to_of(move)), promotion(promotion_of(move)) {}

  void note(bool matches) { found |= matches; }
  template <int step>
  void pawns(Bitboard targets) {
    note(promotion == pawn && to - from == step && (targets & bit(to)) != 0);
  }
  void double_steps(Bitboard targets) { pawns<2 * Side<us>::forward>(targets); }
  template <int step>
  void promotions(Bitboard targets) {
    note(promotion != pawn && to - from == step && (targets & bit(to)) != 0);
  }
  void en_passant(Bitboard origins, Square target) {
    note(promotion == pawn && to == target && (origins & bit(from)) != 0);
  }
  template <Kind kind>
  void piece(Square origin, Bitboard targets) {
    note(promotion == pawn && from == origin && (targets & bit(to)) != 0);
  }
  void castle(Square origin, Square target) {
    note(promotion == pawn && from == origin && to == target);
  }
};

// Keeps the visited sets, so that the n-th move is found without listing those before it.
template <Colour us>
class Chooser {
 public:
  Chooser() { starts_[0] = 0; }
  [[nodiscard]] int total() const { return total_; }

  [[nodiscard]] Move operator[](int n) const {
    int i = 0;
    while (n >= starts_[i + 1]) ++i;
    n -= starts_[i];
    const unsigned code = codes_[i];
    const int promotes = static_cast<int>(code >> 24);
    const auto square = static_cast<unsigned>(nth(squares_[i], n >> (2 * promotes)));
    const int promotion = promotes * (knight + (n & 3));
    return Move{static_cast<std::uint16_t>(code + square * (code >> 16 & 0xFF) +
                                           static_cast<unsigned>(promotion << 12))};
  }

  template <int step>
  void pawns(Bitboard targets) {
    add(targets, count(targets), code(-step, 65));
  }
  void double_steps(Bitboard targets) { pawns<2 * Side<us>::forward>(targets); }
  template <int step>
  void promotions(Bitboard targets) {
    add(targets, 4 * count(targets), code(-step, 65) | 1U << 24);
  }
  void en_passant(Bitboard from, Square to) { add(from, count(from), code(to << 6, 1)); }
  template <Kind kind>
  void piece(Square from, Bitboard targets) {
    add(targets, count(targets), code(from, 64));
  }
  void castle(Square from, Square to) { add(bit(to), 1, code(from, 64)); }

 private:
  // The moves of a group are base + square * factor for the squares of a set: a pawn's target
  // counts 64 and, less its step, as origin once more; a piece's target counts 64.
  static constexpr unsigned code(int base, unsigned factor) {
    return (static_cast<unsigned>(base) & 0xFFFF) | factor << 16;
  }
  void add(Bitboard squares, int moves, unsigned code) {
    squares_[size_] = squares;
    codes_[size_] = code;
    total_ += moves;
    starts_[++size_] = total_;
  }

  static constexpr int capacity = 26;  // 7 pawn sets, en passant, 15 pieces, king, 2 castlings
  int size_ = 0;
  int total_ = 0;
  Bitboard squares_[capacity];
  unsigned codes_[capacity];
  int starts_[capacity + 1];  // how many moves come before a group
};

template <Colour us>
inline int count_moves(const Board& board) {
  Counter counter;
  visit_moves<us>(board, restraint<us>(board), counter);
  return counter.total;
}

}  // namespace tempo::chess
