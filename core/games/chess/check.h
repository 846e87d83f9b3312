// What makes a board unsound: used at the door, for every parsed position, and by `check`.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "../../errors.h"
#include "position.h"

namespace tempo::chess {

inline std::string square_text(Square square) {
  return {static_cast<char>('a' + file_of(square)), static_cast<char>('1' + rank_of(square))};
}
inline std::string_view kind_name(Kind kind) {
  constexpr std::string_view names[] = {"pawn", "knight", "bishop", "rook", "queen", "king"};
  return names[kind];
}
inline std::string colour_name(Colour colour) { return colour == white ? "white" : "black"; }

namespace detail {

// No side has more than sixteen men, nor more promoted men than pawns gone.
inline std::string bad_material(const Board& board, Colour colour) {
  const auto men = [&](Kind kind) { return count(board.of(colour, kind)); };
  const std::string who = colour_name(colour);
  if (men(king) != 1) return who + " has " + std::to_string(men(king)) + " kings, not 1";
  const int all = count(board.sides[colour]);
  if (all > 16) return who + " has " + std::to_string(all) + " pieces, more than 16";
  if (men(pawn) > 8) return who + " has " + std::to_string(men(pawn)) + " pawns, more than 8";
  const Bitboard bishops = board.of(colour, bishop);
  const int promoted = std::max(men(queen) - 1, 0) + std::max(men(rook) - 2, 0) +
                       std::max(men(knight) - 2, 0) +
                       std::max(count(bishops & light_squares) - 1, 0) +
                       std::max(count(bishops & ~light_squares) - 1, 0);
  if (promoted > 8 - men(pawn)) {
    return who + " has at least " + std::to_string(promoted) + " promoted pieces but only " +
           std::to_string(8 - men(pawn)) + " pawns gone";
  }
  return "";
}

inline std::string bad_castling(const Board& board) {
  constexpr struct {
    Right right;
    Colour colour;
    Square king;
    Square rook;
    char letter;
  } rights[] = {{white_short, white, 4, 7, 'K'},
                {white_long, white, 4, 0, 'Q'},
                {black_short, black, 60, 63, 'k'},
                {black_long, black, 60, 56, 'q'}};
  for (const auto& r : rights) {
    if ((board.castling & r.right) == 0) continue;
    const std::string what =
        std::string("castling right ") + r.letter + " needs a " + colour_name(r.colour);
    if ((board.of(r.colour, king) & bit(r.king)) == 0)
      return what + " king on " + square_text(r.king);
    if ((board.of(r.colour, rook) & bit(r.rook)) == 0)
      return what + " rook on " + square_text(r.rook);
  }
  return "";
}

// An en passant square says that the pawn beyond it has just made a double step.
inline std::string bad_en_passant(const Board& board, Colour turn) {
  const Square target = board.en_passant;
  if (target == 0) return "";
  const int forward = turn == white ? 8 : -8;  // of the capturing side
  const std::string what = "en passant square " + square_text(target);
  if (rank_of(target) != (turn == white ? 5 : 2)) {
    return what + " is not on rank " + (turn == white ? "6" : "3") + " with " + colour_name(turn) +
           " to move";
  }
  const Bitboard pushed = bit(target - forward);
  const Bitboard origin = bit(target + forward);
  if ((board.of(other(turn), pawn) & pushed) == 0) {
    return what + " has no " + colour_name(other(turn)) + " pawn in front on " +
           square_text(target - forward);
  }
  if (board.occupied() & bit(target)) return what + " is occupied";
  if (board.occupied() & origin) {
    return what + " is impossible: " + square_text(target + forward) +
           ", where the pawn came from, is occupied";
  }
  // A check stems from the double step: by the pawn itself, or along a line that it opened.
  const Square own = board.king_of(turn);
  const Bitboard before = board.occupied() ^ pushed ^ origin;
  if (attackers(board, own, other(turn), board.occupied()) &
      attackers(board, own, other(turn), before) & ~pushed) {
    return what + " is impossible: the king was in check before the double step";
  }
  return "";
}

// A check comes from the last move: the piece that moved and at most one line that it opened (two
// by an en passant capture, which leaves no en passant square and two sliders).
inline std::string bad_checks(const Board& board, Colour turn) {
  const Square own = board.king_of(turn);
  const Square theirs = board.king_of(other(turn));
  if (attackers(board, theirs, turn, board.occupied()) != 0)
    return colour_name(other(turn)) + " is in check but it is " + colour_name(turn) + "'s turn";
  const Bitboard checkers = attackers(board, own, other(turn), board.occupied());
  if (count(checkers) > 2)
    return colour_name(turn) + " is in check by " + std::to_string(count(checkers)) + " pieces";
  if (count(checkers) == 2) {
    const Square a = first(checkers);
    const Square b = first(checkers & (checkers - 1));
    const bool leapers = (checkers & ~(board.kinds[pawn] | board.kinds[knight])) == 0;
    if (leapers || (line_through(a, b) & bit(own)) != 0) {
      return colour_name(turn) + " is in check from " + square_text(a) + " and " + square_text(b) +
             " at once, which no move can bring about";
    }
  }
  return "";
}

}  // namespace detail

// The first thing wrong with a board, or nothing. Not a proof that a game can lead there.
inline std::string unsound(const Board& board, Colour turn) {
  for (const Colour colour : {white, black}) {
    if (auto bad = detail::bad_material(board, colour); !bad.empty()) return bad;
  }
  if (const Bitboard lost = board.kinds[pawn] & (rank_set(0) | rank_set(7)); lost != 0)
    return "a pawn stands on " + square_text(first(lost)) + ", where no pawn can be";
  if (auto bad = detail::bad_castling(board); !bad.empty()) return bad;
  if (auto bad = detail::bad_checks(board, turn); !bad.empty()) return bad;
  return detail::bad_en_passant(board, turn);
}

inline Position Position::of(const Board& board, Colour turn, int clock, int number,
                             const Options& options) {
  if (const auto bad = unsound(board, turn); !bad.empty()) throw ParseError(bad);
  Board kept = board;
  if (board.en_passant != 0) {
    if (clock != 0) throw ParseError("the clock of quiet plies is not 0 right after a double step");
    const Bitboard capturers = turn == white ? en_passant_capturers<white>(board, board.en_passant)
                                             : en_passant_capturers<black>(board, board.en_passant);
    if (capturers == 0) kept.en_passant = 0;
  }
  return {kept, turn, clock, number, options};
}

inline std::string Position::check() const {
  Bitboard seen = 0;
  for (const Bitboard set : board_.kinds) {
    if (seen & set) return "two kinds of piece on " + square_text(first(seen & set));
    seen |= set;
  }
  if (board_.sides[white] & board_.sides[black]) return "two colours on one square";
  if (seen != board_.occupied()) return "kinds and colours do not cover the same squares";
  if (auto bad = unsound(board_, colour()); !bad.empty()) return bad;
  if (key() != scratch_key()) return "the key is not that of the board";
  if (board_.en_passant != 0) {
    const bool possible = as_mover([&]<Colour us>(std::integral_constant<Colour, us>) {
      return en_passant_capturers<us>(board_, board_.en_passant) != 0;
    });
    if (!possible) return "an en passant square is kept though no pawn can capture there";
    if (clock_ != 0) return "the clock runs right after a double step";
  }
  if (clock_ > longest_clock) return "the clock is past its end";
  if (number_ < 1 || number_ > last_number) return "the move number is out of range";
  return "";
}

}  // namespace tempo::chess
