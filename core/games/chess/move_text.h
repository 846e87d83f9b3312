// Moves as text. UCI (e2e4, e7e8q) is what is written; standard algebraic notation (Nf3, exd5,
// O-O, e8=Q+) is understood as well. A move that means something but cannot be played is refused
// with the reason.
#pragma once

#include <string>
#include <string_view>

#include "../../errors.h"
#include "check.h"
#include "position.h"

namespace tempo::chess {

namespace detail {

// The kind of a letter N, B, R, Q (and K), else no_kind.
inline Kind kind_of_letter(char letter) {
  const std::size_t kind = std::string_view("PNBRQK").find(letter);
  return kind == std::string_view::npos || kind == 0 ? no_kind : static_cast<Kind>(kind);
}
inline bool is_file(char c) { return c >= 'a' && c <= 'h'; }
inline bool is_rank(char c) { return c >= '1' && c <= '8'; }

}  // namespace detail

inline std::string Position::move_text(Move move) const {
  const std::string text = square_text(from_of(move)) + square_text(to_of(move));
  return promotion_of(move) == pawn ? text : text + ".nbrq"[promotion_of(move)];
}

inline std::string Position::where() const {
  return " (chess, move " + std::to_string(number_) + ")";
}

inline std::string Position::san(Move move) const {
  const Square from = from_of(move);
  const Square to = to_of(move);
  const Kind kind = board_.kind_at(from);
  const bool captures =
      (board_.occupied() & bit(to)) != 0 || (kind == pawn && file_of(from) != file_of(to));
  std::string text;
  if (kind == king && (to - from == 2 || from - to == 2)) {
    text = to > from ? "O-O" : "O-O-O";
  } else if (kind == pawn) {
    if (captures) text = square_text(from).substr(0, 1) + "x";
    text += square_text(to);
    if (promotion_of(move) != pawn) text += std::string("=") + "PNBRQ"[promotion_of(move)];
  } else {
    // Name the file of the origin where that suffices, else the rank, else both.
    Bitboard rivals = 0;
    Moves moves;
    generate(moves);
    for (const Move rival : moves) {
      if (to_of(rival) == to && from_of(rival) != from && board_.kind_at(from_of(rival)) == kind)
        rivals |= bit(from_of(rival));
    }
    text = std::string(1, "PNBRQK"[kind]);
    const bool same_file = (rivals & file_a << file_of(from)) != 0;
    const bool same_rank = (rivals & rank_set(rank_of(from))) != 0;
    if (rivals != 0 && (!same_file || same_rank)) text += square_text(from)[0];
    if (same_file) text += square_text(from)[1];
    text += (captures ? "x" : "") + square_text(to);
  }
  Position next = *this;
  next.make(move);
  if (!next.in_check()) return text;
  Moves answers;
  next.generate(answers);
  return text + (answers.empty() ? "#" : "+");
}

// Why a castling move of the king from home is refused.
inline std::string Position::why_no_castling(Square to) const {
  const Square home = board_.king_of(colour());
  const bool is_short = to > home;
  const std::uint8_t right = colour() == white ? (is_short ? white_short : white_long)
                                               : (is_short ? black_short : black_long);
  const std::string what = is_short ? "castling short" : "castling long";
  if ((board_.castling & right) == 0)
    return is_short ? "the right to castle short is gone" : "the right to castle long is gone";
  if (board_.occupied() & between(home, is_short ? home + 3 : home - 4))
    return what + " needs the squares between king and rook empty";
  if (in_check()) return what + " is not possible in check";
  return what + " is not possible through or into check";
}

// Why a piece does not get to a square, or nothing where only its own king's safety forbids it.
inline std::string Position::why_unreachable(Square from, Square to, Kind kind) const {
  const std::string cannot = "a " + std::string(kind_name(kind)) + " cannot go there";
  const Bitboard occupied = board_.occupied();
  Bitboard reach = 0;
  if (kind == pawn) {
    const int forward = colour() == white ? 8 : -8;
    const bool at_home = rank_of(from) == (colour() == white ? 1 : 6);
    const Bitboard step = bit(from + forward) & ~occupied;
    reach =
        step |
        (pawn_attacks(colour(), bit(from)) &
         (board_.sides[other(colour())] | (board_.en_passant != 0 ? bit(board_.en_passant) : 0)));
    if (at_home && step != 0) reach |= bit(from + 2 * forward) & ~occupied;
  } else {
    reach = kind == knight   ? knight_attacks(from)
            : kind == bishop ? bishop_attacks(from, occupied)
            : kind == rook   ? rook_attacks(from, occupied)
            : kind == queen  ? attacks_from<queen>(from, occupied)
                             : king_attacks(from);
    const Square home = colour() == white ? 4 : 60;
    if (kind == king && from == home && (to == home + 2 || to == home - 2))
      return why_no_castling(to);
  }
  return (reach & bit(to)) != 0 ? "" : cannot;
}

inline std::string Position::why_illegal(Move move) const {
  if (is_legal(move)) return "";
  if (index(move) >= move_number_count) {
    return "move number " + std::to_string(index(move)) + " does not exist; numbers go from 0 to " +
           std::to_string(move_number_count - 1) + where();
  }
  const Square from = from_of(move);
  const Square to = to_of(move);
  const Kind kind = board_.kind_at(from);
  const auto because = [&](const std::string& why) {
    return move_text(move) + ": " + why + where();
  };
  if (const auto end = outcome()) return because("the game is over: " + std::string(end->reason));
  if (kind == no_kind) return because("there is no piece on " + square_text(from));
  if ((board_.sides[colour()] & bit(from)) == 0)
    return because("the " + std::string(kind_name(kind)) + " on " + square_text(from) +
                   " is the opponent's piece");
  if (from == to) return because("the piece does not move");
  if (board_.sides[colour()] & bit(to))
    return because("the mover's own " + std::string(kind_name(board_.kind_at(to))) + " stands on " +
                   square_text(to));
  if (const auto why = why_unreachable(from, to, kind); !why.empty()) return because(why);
  const bool arrives = kind == pawn && (rank_of(to) == 0 || rank_of(to) == 7);
  if (arrives && promotion_of(move) == pawn)
    return because("the pawn must promote, as in " + move_text(make_move(from, to, queen)));
  if (!arrives && promotion_of(move) != pawn)
    return because("only a pawn that reaches the last rank promotes");
  return because("it leaves the king in check");
}

inline Move Position::parse_move(std::string_view text) const {
  const bool squares = (text.size() == 4 || text.size() == 5) && detail::is_file(text[0]) &&
                       detail::is_rank(text[1]) && detail::is_file(text[2]) &&
                       detail::is_rank(text[3]);
  const std::size_t promotion =
      text.size() == 5 ? std::string_view(".nbrq").find(text[4], 1) : std::size_t{0};
  if (!squares || promotion == std::string_view::npos) return parse_san(text);
  const Move move =
      make_move(square_at(text[0] - 'a', text[1] - '1'), square_at(text[2] - 'a', text[3] - '1'),
                static_cast<Kind>(promotion));
  if (!is_legal(move)) throw IllegalMove(why_illegal(move));
  return move;
}

inline Move Position::parse_san(std::string_view text) const {
  const std::string quoted = "'" + std::string(text) + "'";
  const auto nonsense = [&] {
    return ParseError(quoted +
                      " is not a move; expected UCI, as in e2e4 or e7e8q, or SAN, as in "
                      "Nf3, exd5, O-O or e8=Q");
  };
  std::string_view rest = text;
  while (!rest.empty() && (rest.back() == '+' || rest.back() == '#')) rest.remove_suffix(1);
  if (rest == "O-O" || rest == "O-O-O" || rest == "0-0" || rest == "0-0-0") {
    const Square home = colour() == white ? 4 : 60;
    const Move move = make_move(home, rest.size() == 3 ? home + 2 : home - 2);
    if (board_.kind_at(home) == king && is_legal(move)) return move;
    const auto why = board_.king_of(colour()) == home
                         ? why_illegal(move)
                         : std::string(text) + ": the king is not on its home square" + where();
    throw IllegalMove(why);
  }

  Kind kind = pawn;
  Kind promotion = pawn;
  if (!rest.empty() && detail::kind_of_letter(rest.front()) != no_kind) {
    kind = detail::kind_of_letter(rest.front());
    rest.remove_prefix(1);
  } else if (rest.size() > 2 && detail::kind_of_letter(rest.back()) != no_kind) {
    promotion = detail::kind_of_letter(rest.back());
    rest.remove_suffix(rest[rest.size() - 2] == '=' ? 2 : 1);
    if (promotion == king) throw nonsense();
  }
  if (rest.size() < 2 || !detail::is_file(rest[rest.size() - 2]) || !detail::is_rank(rest.back()))
    throw nonsense();
  const Square to = square_at(rest[rest.size() - 2] - 'a', rest.back() - '1');
  rest.remove_suffix(2);
  const bool captures = !rest.empty() && rest.back() == 'x';
  if (captures) rest.remove_suffix(1);
  Bitboard origins = everywhere;
  if (!rest.empty() && detail::is_file(rest.front())) {
    origins &= file_a << (rest.front() - 'a');
    rest.remove_prefix(1);
  } else if (kind == pawn) {
    origins &= file_a << file_of(to);  // a pawn without a file goes straight ahead
  }
  if (!rest.empty() && detail::is_rank(rest.front())) {
    origins &= rank_set(rest.front() - '1');
    rest.remove_prefix(1);
  }
  if (!rest.empty()) throw nonsense();

  if (const auto end = outcome())
    throw IllegalMove(std::string(text) + ": the game is over: " + std::string(end->reason) +
                      where());
  Moves moves;
  generate(moves);
  Move found = no_move;
  bool must_promote = false;
  for (const Move move : moves) {
    if (to_of(move) != to || (origins & bit(from_of(move))) == 0) continue;
    if (board_.kind_at(from_of(move)) != kind) continue;
    if (promotion_of(move) != promotion) {
      must_promote = promotion == pawn;
      continue;
    }
    if (found != no_move) {
      throw ParseError(quoted + " may be " + move_text(found) + " or " + move_text(move) +
                       "; name the origin");
    }
    found = move;
  }
  if (found != no_move) {
    const bool taking = san(found).find('x') != std::string::npos;
    if (captures && !taking)
      throw IllegalMove(std::string(text) + ": there is nothing to capture on " + square_text(to) +
                        where());
    return found;
  }
  if (must_promote)
    throw IllegalMove(std::string(text) + ": the pawn must promote, as in " + std::string(text) +
                      "=Q" + where());
  const Bitboard candidates = board_.of(colour(), kind) & origins;
  if (count(candidates) == 1) {
    if (const auto why = why_illegal(make_move(first(candidates), to, promotion)); !why.empty())
      throw IllegalMove(why);
  }
  throw IllegalMove(std::string(text) + ": no " + std::string(kind_name(kind)) + " of " +
                    colour_name(colour()) + " can go to " + square_text(to) + where());
}

}  // namespace tempo::chess
