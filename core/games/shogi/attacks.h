// Which squares a piece reaches on a given board, by tables and by arithmetic on whole sets.
#pragma once

#include <array>

#include "board.h"

namespace tempo::shogi {

// The eight directions, so that the opposite of d is 7 - d; from 4 on squares grow along them.
enum Direction : int {
  north_west,
  north,
  north_east,
  west,
  east,
  south_west,
  south,
  south_east,
  no_direction
};
inline constexpr int rank_steps[] = {-1, -1, -1, 0, 0, 1, 1, 1};
inline constexpr int column_steps[] = {-1, 0, 1, -1, 1, -1, 0, 1};

// The four rays of a rook or of a bishop from one square, to the edge and without the square
// itself: the two along which squares fall, the two along which they grow. One cache line on the
// full board.
template <class Set>
struct Cross {
  Set falling[2];
  Set growing[2];
};

// Tables have one row more than the board has squares, and it is empty: what a king that is not
// there sees (the attacker's in a mate problem).
template <class Board>
struct Tables {
  using At = Grid<Board>;
  using Set = typename Board::Set;
  static constexpr auto rows = static_cast<std::size_t>(At::squares) + 1;
  using Row = std::array<Set, rows>;

  std::array<Row, 8> rays{};                              // to the edge, the square itself left out
  std::array<std::array<Cross<Set>, rows>, 2> crosses{};  // of bishops, of rooks
  Row kings{};
  Row straight{};  // the rays of a rook, of a bishop
  Row diagonal{};
  // From where a rook, a bishop might attack a square or one beside it.
  Row straight_near{};
  Row diagonal_near{};
  std::array<Row, 2> pawns{};  // by colour
  std::array<Row, 2> knights{};
  std::array<Row, 2> silvers{};
  std::array<Row, 2> golds{};
  // The direction from one square to another in line with it.
  std::array<std::array<std::uint8_t, rows>, rows> direction{};

  constexpr Tables() {
    for (auto& row : direction) row.fill(no_direction);
    for (Square s = 0; s < At::squares; ++s) fill(s);
    for (std::size_t s = 0; s < At::squares; ++s) {
      straight_near[s] = straight[s];
      diagonal_near[s] = diagonal[s];
      for (Set left = kings[s]; left != 0;) {
        const auto beside = static_cast<std::size_t>(take_first(left));
        straight_near[s] |= straight[beside];
        diagonal_near[s] |= diagonal[beside];
      }
    }
  }

 private:
  static constexpr Set one(Square square, int ranks, int columns) {
    const int rank = At::rank_of(square) + ranks;
    const int column = At::column_of(square) + columns;
    return At::inside(rank, column) ? At::bit(At::square_at(rank, column)) : Set{0};
  }
  constexpr void fill(Square s) {
    const auto i = static_cast<std::size_t>(s);
    for (std::size_t d = 0; d < 8; ++d) {
      int rank = At::rank_of(s) + rank_steps[d];
      int column = At::column_of(s) + column_steps[d];
      for (; At::inside(rank, column); rank += rank_steps[d], column += column_steps[d]) {
        const Square to = At::square_at(rank, column);
        rays[d][i] |= At::bit(to);
        direction[i][static_cast<std::size_t>(to)] = static_cast<std::uint8_t>(d);
      }
      kings[i] |= one(s, rank_steps[d], column_steps[d]);
    }
    crosses[0][i] = {{rays[north_west][i], rays[north_east][i]},
                     {rays[south_west][i], rays[south_east][i]}};
    crosses[1][i] = {{rays[north][i], rays[west][i]}, {rays[south][i], rays[east][i]}};
    straight[i] = rays[north][i] | rays[south][i] | rays[east][i] | rays[west][i];
    diagonal[i] =
        rays[north_west][i] | rays[north_east][i] | rays[south_west][i] | rays[south_east][i];
    for (std::size_t side = 0; side < 2; ++side) {
      const int ahead = side == black ? -1 : 1;
      const Set sides = one(s, ahead, -1) | one(s, ahead, 1);
      pawns[side][i] = one(s, ahead, 0);
      knights[side][i] = one(s, 2 * ahead, -1) | one(s, 2 * ahead, 1);
      silvers[side][i] = pawns[side][i] | sides | one(s, -ahead, -1) | one(s, -ahead, 1);
      golds[side][i] = pawns[side][i] | sides | one(s, 0, -1) | one(s, 0, 1) | one(s, -ahead, 0);
    }
  }
};

template <class Board>
inline constexpr Tables<Board> tables;

template <class Board>
struct Attacks {
  using At = Grid<Board>;
  using Set = typename Board::Set;
  using Men = Pieces<Board>;

  static constexpr auto at(Square square) { return static_cast<std::size_t>(square); }
  static constexpr Direction ahead(Colour side) { return side == black ? north : south; }

  static Set ray(Direction direction, Square s) {
    return tables<Board>.rays[static_cast<std::size_t>(direction)][at(s)];
  }
  // The squares seen along a ray, the first occupied one included. Taking one from the blockers
  // flips everything up to the nearest; where squares fall, the nearest is the highest.
  static Set seen_growing(Set ray, Set occupied) {
    const Set blockers = ray & occupied;
    return ray & (blockers ^ (blockers - 1));
  }
  static Set seen_falling(Set ray, Set occupied) { return ray & from_last(ray & occupied); }
  // Of a bishop, or of a rook: one piece of code, so that a loop over both need not branch.
  static Set slider(bool is_rook, Square s, Set occupied) {
    const Cross<Set>& cross = tables<Board>.crosses[is_rook ? 1 : 0][at(s)];
    return seen_falling(cross.falling[0], occupied) | seen_falling(cross.falling[1], occupied) |
           seen_growing(cross.growing[0], occupied) | seen_growing(cross.growing[1], occupied);
  }
  static Set rook(Square s, Set occupied) { return slider(true, s, occupied); }
  static Set bishop(Square s, Set occupied) { return slider(false, s, occupied); }
  template <Colour side>
  static Set lance(Square s, Set occupied) {
    const Set ray = tables<Board>.rays[ahead(side)][at(s)];
    return side == black ? seen_falling(ray, occupied) : seen_growing(ray, occupied);
  }
  static Set king(Square s) { return tables<Board>.kings[at(s)]; }
  static Set pawn(Colour side, Square s) { return tables<Board>.pawns[at(side)][at(s)]; }
  static Set knight(Colour side, Square s) { return tables<Board>.knights[at(side)][at(s)]; }
  static Set silver(Colour side, Square s) { return tables<Board>.silvers[at(side)][at(s)]; }
  static Set gold(Colour side, Square s) { return tables<Board>.golds[at(side)][at(s)]; }

  // Squares strictly between two squares of one line (else none); the line from a through b to the
  // edges, without a.
  static Set between(Square a, Square b) {
    const auto d = tables<Board>.direction[at(a)][at(b)];
    if (d == no_direction) return 0;
    return tables<Board>.rays[d][at(a)] & tables<Board>.rays[7 - std::size_t{d}][at(b)];
  }
  static Set line_from(Square a, Square b) {
    const auto d = tables<Board>.direction[at(a)][at(b)];
    if (d == no_direction) return 0;
    return tables<Board>.rays[d][at(a)] | tables<Board>.rays[7 - std::size_t{d}][at(a)];
  }

  // What a piece of a kind attacks from a square.
  static Set from(Colour side, Kind kind, Square s, Set occupied) {
    switch (kind) {
      case shogi::pawn:
        return pawn(side, s);
      case shogi::lance:
        return side == black ? lance<black>(s, occupied) : lance<white>(s, occupied);
      case shogi::knight:
        return knight(side, s);
      case shogi::silver:
        return silver(side, s);
      case shogi::bishop:
        return bishop(s, occupied);
      case shogi::rook:
        return rook(s, occupied);
      case shogi::king:
        return king(s);
      case shogi::horse:
        return bishop(s, occupied) | king(s);
      case shogi::dragon:
        return rook(s, occupied) | king(s);
      case shogi::no_kind:
        return 0;
      default:
        return gold(side, s);
    }
  }

  // The pieces of `side` other than sliders from afar that attack a square; a king may be among
  // them.
  template <Colour side>
  static Set near_attackers(const Men& men, Square s) {
    constexpr Colour them = other(side);
    const Set near = (pawn(them, s) & men.kinds[shogi::pawn]) |
                     (knight(them, s) & men.kinds[shogi::knight]) |
                     (silver(them, s) & men.kinds[shogi::silver]);
    const Set great = men.promoted & (men.kinds[shogi::bishop] | men.kinds[shogi::rook]);
    return (near & ~men.promoted & men.sides[side]) | (gold(them, s) & men.golds(side)) |
           (king(s) & great & men.sides[side]);
  }
  // The sliders of `side` that would attack a square if nothing stood between.
  template <Colour side>
  static Set snipers(const Men& men, Square s) {
    const Set found = ((tables<Board>.straight[at(s)] & men.kinds[shogi::rook]) |
                       (tables<Board>.diagonal[at(s)] & men.kinds[shogi::bishop])) &
                      men.sides[side];
    return found | (ray(ahead(other(side)), s) & men.plain(side, shogi::lance));
  }
  // All pieces of `side` that attack a square, its king included, seen through an occupation.
  template <Colour side>
  static Set attackers(const Men& men, Square s, Set occupied) {
    const Set own = men.sides[side];
    Set found = near_attackers<side>(men, s);
    found |= bishop(s, occupied) & men.kinds[shogi::bishop] & own;
    found |= rook(s, occupied) & men.kinds[shogi::rook] & own;
    found |= lance<other(side)>(s, occupied) & men.plain(side, shogi::lance);
    const Square royal = men.king_of(side);
    if (royal < At::squares) found |= king(s) & At::bit(royal);
    return found;
  }

  // Every square that `side` attacks, seen through an occupation.
  template <Colour side>
  static Set attacked(const Men& men, Set occupied) {
    return stepped<side>(men) | slid<side>(men, occupied, At::everywhere, At::everywhere);
  }
  // The same, exact only on the squares beside `s`: most sliders need not be looked at.
  template <Colour side>
  static Set attacked_near(const Men& men, Set occupied, Square s) {
    return stepped<side>(men) | slid<side>(men, occupied, tables<Board>.straight_near[at(s)],
                                           tables<Board>.diagonal_near[at(s)]);
  }

 private:
  // What a side's pieces attack by steps: those in one direction are one shift of all pieces that
  // make them.
  template <Colour side>
  static Set stepped(const Men& men) {
    constexpr int ahead = side == black ? -1 : 1;
    const Set pawns = men.plain(side, shogi::pawn);
    const Set knights = men.plain(side, shogi::knight);
    const Set silvers = men.plain(side, shogi::silver);
    const Set golds = men.golds(side);
    const Set horses = men.horses(side);
    const Set dragons = men.dragons(side);
    Set found = king(men.king_of(side));
    const Set both = silvers | golds | dragons;
    const Set flat = golds | horses;
    found |= At::template shifted<ahead, 0>(pawns | silvers | flat);
    found |= At::template shifted<ahead, -1>(both) | At::template shifted<ahead, 1>(both);
    found |= At::template shifted<0, -1>(flat) | At::template shifted<0, 1>(flat);
    found |= At::template shifted<-ahead, 0>(flat);
    found |= At::template shifted<-ahead, -1>(silvers | dragons) |
             At::template shifted<-ahead, 1>(silvers | dragons);
    if constexpr (Board::pieces[shogi::knight] != 0) {
      found |= At::template shifted<2 * ahead, -1>(knights) |
               At::template shifted<2 * ahead, 1>(knights);
    }
    return found;
  }
  // What those of a side's sliders attack that stand on the given squares.
  template <Colour side>
  static Set slid(const Men& men, Set occupied, Set straight, Set diagonal) {
    const Set own = men.sides[side];
    Set found = 0;
    if constexpr (Board::pieces[shogi::lance] != 0) {
      for (Set left = men.plain(side, shogi::lance) & straight; left != 0;)
        found |= lance<side>(take_first(left), occupied);
    }
    const Set rooks = men.kinds[shogi::rook] & straight;
    for (Set left = ((men.kinds[shogi::bishop] & diagonal) | rooks) & own; left != 0;) {
      const Square from = take_first(left);
      found |= slider(has(rooks, from), from, occupied);
    }
    return found;
  }
};

}  // namespace tempo::shogi
