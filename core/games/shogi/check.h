// What makes a position unsound: used at the door, for every parsed position, and by `check`.
#pragma once

#include <string>
#include <string_view>

#include "../../errors.h"
#include "position.h"

namespace tempo::shogi {

// As USI writes it: file from the right, rank from the top, 7g.
template <class Board>
std::string square_text(Square square) {
  using At = Grid<Board>;
  return {static_cast<char>('0' + At::size - At::column_of(square)),
          static_cast<char>('a' + At::rank_of(square))};
}
inline std::string_view kind_name(Kind kind) {
  constexpr std::string_view names[] = {"pawn",
                                        "lance",
                                        "knight",
                                        "silver",
                                        "gold",
                                        "bishop",
                                        "rook",
                                        "king",
                                        "promoted pawn",
                                        "promoted lance",
                                        "promoted knight",
                                        "promoted silver",
                                        "horse",
                                        "dragon",
                                        "nothing"};
  return names[kind];
}
inline std::string colour_name(Colour colour) { return colour == black ? "black" : "white"; }

namespace detail {

template <class Board>
std::string bad_material(const Pieces<Board>& men) {
  for (int kind = pawn; kind <= rook; ++kind) {
    const int most = Board::pieces[static_cast<std::size_t>(kind)];
    const int all = count(men.kinds[kind]) + men.hands[black][kind] + men.hands[white][kind];
    if (all > most) {
      return "there are " + std::to_string(all) + " pieces of the kind " +
             std::string(kind_name(static_cast<Kind>(kind))) + ", not at most " +
             std::to_string(most);
    }
  }
  return "";
}

template <class Board>
std::string bad_places(const Pieces<Board>& men, Colour side) {
  using At = Grid<Board>;
  for (const Kind kind : {pawn, lance, knight}) {
    const auto dead =
        side == black ? Side<Board, black>::dead(kind) : Side<Board, white>::dead(kind);
    if (const auto lost = men.plain(side, kind) & dead; lost != 0) {
      return "a " + std::string(kind_name(kind)) + " of " + colour_name(side) + " stands on " +
             square_text<Board>(first(lost)) + ", where it could never move";
    }
  }
  for (int column = 0; column < At::size; ++column) {
    if (more_than_one(men.plain(side, pawn) & At::column_set(column)))
      return colour_name(side) + " has two pawns on file " + std::to_string(At::size - column);
  }
  return "";
}

}  // namespace detail

// The first thing wrong with a position, or nothing. Not a proof that a game can lead there.
template <class Board>
std::string unsound(const Pieces<Board>& men, Colour turn, Door door) {
  for (const Colour side : {black, white}) {
    if (door == Door::game && !men.has_king(side)) return colour_name(side) + " has no king";
  }
  if (!men.has_king(black) && !men.has_king(white)) return "there is no king";
  if (auto bad = detail::bad_material(men); !bad.empty()) return bad;
  for (const Colour side : {black, white}) {
    if (auto bad = detail::bad_places(men, side); !bad.empty()) return bad;
  }
  const Colour waiter = other(turn);
  const bool caught = waiter == white ? is_attacked<Board, black>(men, men.king_of(white))
                                      : is_attacked<Board, white>(men, men.king_of(black));
  if (caught)
    return colour_name(waiter) + " is in check but it is " + colour_name(turn) + "'s turn";
  const auto checkers = turn == black ? Side<Board, black>::restraint(men).checkers
                                      : Side<Board, white>::restraint(men).checkers;
  if (count(checkers) > 2)
    return colour_name(turn) + " is in check by " + std::to_string(count(checkers)) + " pieces";
  return "";
}

template <class Board>
PositionOf<Board> PositionOf<Board>::of(const Men& men, Colour turn, int number,
                                        const Options& options, Door door) {
  if (const auto bad = unsound(men, turn, door); !bad.empty()) throw ParseError(bad);
  return {men, turn, number, options};
}

template <class Board>
std::string PositionOf<Board>::check() const {
  using At = Grid<Board>;
  Set seen = 0;
  for (const Set set : men_.kinds) {
    if ((seen & set) != 0) return "two kinds of piece on " + square_text<Board>(first(seen & set));
    seen |= set;
  }
  if ((men_.promoted & ~(seen & ~men_.kinds[gold])) != 0) return "something promoted that cannot";
  for (const Square royal : men_.kings) {
    if (royal < At::squares && has(seen, royal)) return "a king shares its square";
    if (royal < At::squares) seen |= At::bit(royal);
  }
  if ((men_.sides[black] & men_.sides[white]) != 0) return "two colours on one square";
  if (seen != men_.occupied()) return "kinds and colours do not cover the same squares";
  if ((seen & ~At::everywhere) != 0) return "something stands beside the board";
  const bool whole = men_.has_king(black) && men_.has_king(white);
  if (auto bad = unsound(men_, colour(), whole ? Door::game : Door::problem); !bad.empty())
    return bad;
  if (key() != scratch_key()) return "the key is not that of the pieces";
  if (number_ < 1) return "the move number is out of range";
  return "";
}

}  // namespace tempo::shogi
