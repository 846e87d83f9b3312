// Moves as USI writes them: 7g7f, 8h2b+ with promotion, P*5e for a drop. A move that means
// something but cannot be played is refused with the reason.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "../../errors.h"
#include "check.h"
#include "notation.h"
#include "position.h"

namespace tempo::shogi {

template <class Board>
std::string PositionOf<Board>::move_text(Move move) const {
  const std::string to = square_text<Board>(to_of(move));
  if (is_drop(move)) return std::string(1, letter_of(black, dropped_kind(move))) + "*" + to;
  return square_text<Board>(from_of(move)) + to + (promotes(move) ? "+" : "");
}

template <class Board>
std::string PositionOf<Board>::where() const {
  return " (" + std::string(name) + ", move " + std::to_string(number_) + ")";
}

// Why a hand piece cannot be dropped on a square, or nothing where only check forbids it.
template <class Board>
std::string PositionOf<Board>::why_no_drop(Kind kind, Square to) const {
  const std::string what(kind_name(kind));
  if (men_.hands[colour()][kind] == 0)
    return colour_name(colour()) + " has no " + what + " in hand";
  if (has(men_.occupied(), to)) return square_text<Board>(to) + " is occupied";
  return as_mover([&]<Colour us>(std::integral_constant<Colour, us>) -> std::string {
    using S = Side<Board, us>;
    if (has(S::dead(kind), to)) return "a " + what + " there could never move";
    if (kind != pawn || S::restraint(men_).answers == 0) return "";
    if (has(Grid<Board>::columns_of(men_.plain(us, pawn)), to))
      return "there is a pawn of " + colour_name(us) + " on this file already";
    const bool answers = has(S::restraint(men_).answers, to);
    if (answers && !has(S::pawn_drops(men_, men_.empty()), to))
      return "a pawn may not be dropped to give mate";
    return "";
  });
}

// The same of a move on the board; `from` holds a piece of the mover's.
template <class Board>
std::string PositionOf<Board>::why_no_step(Square from, Square to, bool promotes) const {
  const Kind kind = men_.kind_at(from);
  const std::string what(kind_name(kind));
  if (from == to) return "the piece does not move";
  if (has(men_.sides[colour()], to))
    return "the mover's own " + std::string(kind_name(men_.kind_at(to))) + " stands on " +
           square_text<Board>(to);
  if (!has(attacks_from(from), to)) return "a " + what + " cannot go there";
  return as_mover([&]<Colour us>(std::integral_constant<Colour, us>) -> std::string {
    using S = Side<Board, us>;
    if (promotes && !can_promote(kind)) return "a " + what + " cannot promote";
    if (promotes && !has(S::zone, from) && !has(S::zone, to))
      return "only a move from or to the promotion zone promotes";
    if (!promotes && !is_promoted(kind) && has(S::dead(kind), to))
      return "the " + what + " must promote, as in " +
             move_text(Numbers<Board>::make(from, to, true));
    return "";
  });
}

template <class Board>
std::string PositionOf<Board>::why_illegal(Move move) const {
  if (is_legal(move)) return "";
  if (index(move) >= Numbers<Board>::count) {
    return "move number " + std::to_string(index(move)) + " does not exist; numbers go from 0 to " +
           std::to_string(Numbers<Board>::count - 1) + where();
  }
  const auto because = [&](const std::string& why) {
    return move_text(move) + ": " + why + where();
  };
  if (const auto end = outcome()) return because("the game is over: " + std::string(end->reason));
  const Square from = from_of(move);
  const Square to = to_of(move);
  std::string why;
  if (is_drop(move)) {
    if (promotes(move)) return because("a piece is never dropped promoted");
    why = why_no_drop(dropped_kind(move), to);
  } else {
    const auto piece = piece_at(from);
    if (!piece) return because("there is no piece on " + square_text<Board>(from));
    if (piece->seat != turn())
      return because("the " + std::string(kind_name(piece->kind)) + " on " +
                     square_text<Board>(from) + " is the opponent's piece");
    why = why_no_step(from, to, promotes(move));
  }
  return because(why.empty() ? "it leaves the king in check" : why);
}

namespace usi {

// The square of two characters, or nothing.
template <class Board>
std::optional<Square> square_of(std::string_view text) {
  const int file = text[0] - '0';
  const int rank = text[1] - 'a';
  if (file < 1 || file > Board::size || rank < 0 || rank >= Board::size) return std::nullopt;
  return Grid<Board>::square_at(rank, Board::size - file);
}

// The number of a move in USI, whether or not it can be played.
template <class Board>
std::optional<Move> move_of(std::string_view text) {
  const bool promotes = text.size() == 5 && text[4] == '+';
  if (text.size() != 4 && !promotes) return std::nullopt;
  const auto to = square_of<Board>(text.substr(2, 2));
  if (!to) return std::nullopt;
  if (text[1] == '*') {
    const auto [side, kind] = sfen::piece_of<Board>(text[0]);
    if (side != black || kind == no_kind || kind == king || promotes) return std::nullopt;
    return Numbers<Board>::drop(kind, *to);
  }
  const auto from = square_of<Board>(text.substr(0, 2));
  if (!from) return std::nullopt;
  return Numbers<Board>::make(*from, *to, promotes);
}

}  // namespace usi

template <class Board>
Move PositionOf<Board>::parse_move(std::string_view text) const {
  const auto move = usi::move_of<Board>(text);
  if (!move) {
    throw ParseError("'" + std::string(text) + "' is not a move; expected USI, as in " +
                     (size == 9 ? "7g7f, 8h2b+ or P*5e" : "1e1d, 1b1a+ or P*3c"));
  }
  if (!is_legal(*move)) throw IllegalMove(why_illegal(*move));
  return *move;
}

}  // namespace tempo::shogi
