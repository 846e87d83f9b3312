// A static evaluation of chess in whole centipawns: material, the place of each piece, its freedom,
// passed pawns, and what drives a bare king to the edge. Numbers for the middlegame and for the
// ending are blended by the pieces left. The numbers are ours: formulas of file and rank rather
// than tables, set by hand and not tuned.
#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <span>

#include "../../evaluator.h"
#include "rules.h"

namespace tempo::chess {

// Worth in the middlegame and in the ending, in centipawns.
struct Worth {
  int middle = 0;
  int ending = 0;

  constexpr Worth& operator+=(const Worth& other) {
    middle += other.middle;
    ending += other.ending;
    return *this;
  }
  friend constexpr Worth operator*(int times, const Worth& worth) {
    return {times * worth.middle, times * worth.ending};
  }
};

namespace worth {

inline constexpr std::array<Worth, 6> material{
    {{85, 110}, {325, 300}, {340, 315}, {480, 530}, {970, 980}, {0, 0}}};
// Per square a piece could go to, from knight to queen.
inline constexpr std::array<Worth, 6> freedom{{{}, {4, 4}, {4, 5}, {2, 4}, {1, 2}, {}}};
inline constexpr Worth two_bishops{30, 45};
inline constexpr std::array<Worth, 8> passed_by_rank{
    {{}, {2, 8}, {4, 14}, {8, 28}, {18, 50}, {35, 85}, {60, 130}, {}}};
inline constexpr int to_move = 10;
// Of a bare king: by step to the edge, and by step of the other king towards it.
inline constexpr int outward = 20;
inline constexpr int close = 6;
// Blending: how much of the middlegame a piece stands for; 24 with all of them.
inline constexpr std::array<int, 6> middle_share{0, 1, 1, 2, 4, 0};
inline constexpr int whole_middle = 24;

// What a piece is worth on a square, seen from white: material and place together.
constexpr Worth on_square(Kind kind, Square square) {
  const int file = file_of(square);
  const int rank = rank_of(square);
  const int inward = std::min(file, 7 - file);            // 0 at the edge, 3 in the middle
  const int central = inward + std::min(rank, 7 - rank);  // 0 in a corner, 6 in the middle
  Worth place{};
  switch (kind) {
    case pawn:
      place = {3 * (rank - 1) * (inward > 1 ? 2 : 1) - (inward == 0 ? 6 : 0), 5 * (rank - 1)};
      break;
    case knight:
      place = {9 * central - 32, 8 * central - 30};
      break;
    case bishop:
      place = {5 * central - 14, 4 * central - 12};
      break;
    case rook:
      place = {3 * inward + (rank == 6 ? 20 : 0) - 5, rank == 6 ? 12 : 0};
      break;
    case queen:
      place = {central - 3, 4 * central - 12};
      break;
    case king:
      place = {-14 * std::min(rank, 4) - 8 * inward + (rank == 0 && inward == 1 ? 14 : 0),
               11 * central - 33};
      break;
    case no_kind:
      break;
  }
  const auto index = static_cast<std::size_t>(kind);
  place += material[index];
  return place;
}

inline constexpr auto by_square = [] {
  std::array<std::array<Worth, 64>, 6> table{};
  for (std::size_t kind = 0; kind < 6; ++kind) {
    for (std::size_t square = 0; square < 64; ++square) {
      table[kind][square] = on_square(static_cast<Kind>(kind), static_cast<Square>(square));
    }
  }
  return table;
}();

}  // namespace worth

class StaticEvaluator {
 public:
  static constexpr bool prefers_batches = false;

  // In centipawns, for the side to move.
  static int advantage(const Position& position) {
    const Board& board = position.pieces();
    const Worth first = side_worth<white>(board);
    const Worth second = side_worth<black>(board);
    const int share = middle_left(board);
    const int middle = first.middle - second.middle;
    const int ending = first.ending - second.ending;
    const int blended =
        (middle * share + ending * (worth::whole_middle - share)) / worth::whole_middle;
    const int for_white = blended + driven_king(board);
    return (position.colour() == white ? for_white : -for_white) + worth::to_move;
  }

  // What is counted, shared with the terms that learners give their own weights (terms.h).

  // How much of the middlegame is left, of worth::whole_middle.
  static int middle_left(const Board& board) {
    int share = 0;
    for (const Kind kind : {knight, bishop, rook, queen}) {
      share += worth::middle_share[static_cast<std::size_t>(kind)] * count(board.kinds[kind]);
    }
    return std::min(share, worth::whole_middle);
  }
  // A piece is free to go where it is not blocked by its own side or taken by a pawn.
  template <Colour us>
  static Bitboard goals(const Board& board) {
    constexpr Colour them = other(us);
    return ~board.sides[us] & ~pawn_attacks<them>(board.of(them, pawn));
  }
  template <Colour us>
  static Bitboard passed_pawns(const Board& board) {
    const Bitboard fronts = ahead<other(us)>(board.of(other(us), pawn));
    return board.of(us, pawn) & ~(fronts | shifted<1>(fronts) | shifted<-1>(fronts));
  }
  template <Colour us>
  static Square from_white(Square square) {
    return us == white ? square : square ^ 56;
  }
  // The kings where one side has nothing else: the bare one is better placed inward, the other
  // close to it.
  struct Drive {
    Colour loser;
    int outward;  // 0 in the middle, 6 in a corner
    int close;    // 14 less the steps between them
  };
  static std::optional<Drive> drive(const Board& board) {
    const auto bare = [&](Colour side) { return !more_than_one(board.sides[side]); };
    if (bare(white) == bare(black)) return std::nullopt;
    const Colour loser = bare(white) ? white : black;
    const Square driven = board.king_of(loser);
    const Square driver = board.king_of(other(loser));
    const int inward = std::min(file_of(driven), 7 - file_of(driven)) +
                       std::min(rank_of(driven), 7 - rank_of(driven));
    const int apart =
        std::abs(file_of(driven) - file_of(driver)) + std::abs(rank_of(driven) - rank_of(driver));
    return Drive{loser, 6 - inward, 14 - apart};
  }

  // 400 centipawns are half a win.
  void operator()(std::span<const Position> positions, std::span<Scores> values) const {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const float mover = squash(advantage(positions[i]), 400);
      values[i] = team_scores<Position>(index(positions[i].turn()) == 0 ? mover : -mover);
    }
  }

 private:
  template <Colour us, Kind kind>
  static void add_pieces(const Board& board, Bitboard goals, Worth& sum) {
    const auto& table = worth::by_square[kind];
    for (Bitboard rest = board.of(us, kind); rest != 0;) {
      const Square square = take_first(rest);
      sum += table[static_cast<std::size_t>(from_white<us>(square))];
      if constexpr (kind != pawn && kind != king) {
        const int squares = count(attacks_from<kind>(square, board.occupied()) & goals);
        sum += squares * worth::freedom[kind];
      }
    }
  }

  // The squares that pawns of a side could ever attack or pass over.
  template <Colour us>
  static Bitboard ahead(Bitboard pawns) {
    Bitboard reach = shifted<Side<us>::forward>(pawns);
    reach |= us == white ? reach << 8 : reach >> 8;
    reach |= us == white ? reach << 16 : reach >> 16;
    reach |= us == white ? reach << 32 : reach >> 32;
    return reach;
  }

  template <Colour us>
  static Worth side_worth(const Board& board) {
    const Bitboard free = goals<us>(board);
    Worth sum{};
    add_pieces<us, pawn>(board, free, sum);
    add_pieces<us, knight>(board, free, sum);
    add_pieces<us, bishop>(board, free, sum);
    add_pieces<us, rook>(board, free, sum);
    add_pieces<us, queen>(board, free, sum);
    add_pieces<us, king>(board, free, sum);
    if (more_than_one(board.of(us, bishop))) sum += worth::two_bishops;

    for (Bitboard passed = passed_pawns<us>(board); passed != 0;) {
      const int rank = rank_of(from_white<us>(take_first(passed)));
      sum += worth::passed_by_rank[static_cast<std::size_t>(rank)];
    }
    return sum;
  }

  // Against a bare king, for white. Enough for a search of a few moves to mate with a queen or a
  // rook.
  static int driven_king(const Board& board) {
    const auto kings = drive(board);
    if (!kings) return 0;
    const int points = worth::outward * kings->outward + worth::close * kings->close;
    return kings->loser == white ? -points : points;
  }
};

}  // namespace tempo::chess

template <>
struct tempo::StaticEvaluatorOf<tempo::chess::Position>
    : std::type_identity<tempo::chess::StaticEvaluator> {};
