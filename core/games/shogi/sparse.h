// What an incremental network sees of shogi, on either board: every piece on the board and in hand,
// as a seat sees it, by where that seat's king stands (half king, half piece).
//
// A seat sees its own camp at the bottom, and its king on the left half: if he stands on the right,
// the board is mirrored. His square is rounded to one of a few buckets, since tables for each would
// be large and learn slowly; that he is a piece as well says where exactly he stands.
#pragma once

#include <algorithm>

#include "../../nets/sparse_features.h"
#include "rules.h"

namespace tempo {

template <class Board_>
struct SparseFeatures<shogi::PositionOf<Board_>> {
  using Position = shogi::PositionOf<Board_>;
  using Board = shogi::Pieces<Board_>;
  using At = shogi::Grid<Board_>;
  using Set = typename Board_::Set;

  static constexpr std::string_view version =
      Board_::size == 9 ? "shogi-king-pieces/1" : "minishogi-king-pieces/1";

  // Small pieces that have promoted move like golds and count as such; a promoted pawn is worth
  // less when it is taken.
  static constexpr std::array<int, shogi::all_kinds> class_of = {0, 1, 2, 3, 4, 5, 6,
                                                                 7, 8, 4, 4, 4, 9, 10};
  static constexpr int classes = 11;
  static constexpr int on_board = 2 * classes * At::squares;
  static constexpr std::array<int, shogi::hand_kinds> hand_begins = [] {
    std::array<int, shogi::hand_kinds> begins{};
    for (std::size_t k = 1; k < begins.size(); ++k)
      begins[k] = begins[k - 1] + Board_::pieces[k - 1];
    return begins;
  }();
  static constexpr int in_hand = hand_begins.back() + Board_::pieces.back();  // of one seat
  static constexpr int kinds = on_board + 2 * in_hand;
  static constexpr int king_files = std::min((Board_::size + 1) / 2, 4);
  static constexpr int king_ranks = 3;
  static constexpr int buckets = king_files * king_ranks;
  static constexpr int count = buckets * kinds;
  static constexpr int groups = 2 * buckets;  // mirrored or not
  static constexpr int most = in_hand + 2;    // every piece is somewhere, and the kings

  static const Board& board(const Position& position) { return position.pieces(); }

  static int group(const Board& men, Seat seat) {
    const auto us = static_cast<shogi::Colour>(index(seat));
    if (!men.has_king(us)) return 0;
    const shogi::Square king = seen(men.king_of(us), us);
    const int column = At::column_of(king);
    const bool mirrored = 2 * column > Board_::size - 1;
    const int file = std::min(mirrored ? Board_::size - 1 - column : column, king_files - 1);
    const int rank = std::min(Board_::size - 1 - At::rank_of(king), king_ranks - 1);
    return (mirrored ? buckets : 0) + rank * king_files + file;
  }

  static void active(const Board& men, Seat seat, FeatureList<most>& list) {
    const Numbers number(men, seat);
    list.clear();
    for (Set left = men.occupied(); left != 0;) {
      list.push(number.piece(men, shogi::take_first(left)));
    }
    for (const shogi::Colour side : {shogi::black, shogi::white}) {
      for (int k = 0; k < shogi::hand_kinds; ++k) {
        for (int i = 0; i < men.hands[side][k]; ++i) list.push(number.held(side, k, i));
      }
    }
  }

  static bool changes(const Board& before, const Board& after, Seat seat, FeatureList<most>& added,
                      FeatureList<most>& removed) {
    Set changed = (before.promoted ^ after.promoted) | (before.sides[0] ^ after.sides[0]) |
                  (before.sides[1] ^ after.sides[1]);
    for (int k = 0; k < shogi::hand_kinds; ++k) changed |= before.kinds[k] ^ after.kinds[k];
    if (2 * shogi::count(changed) > most) return false;
    const Numbers number(after, seat);
    const Set was = before.occupied();
    const Set is = after.occupied();
    while (changed != 0) {
      const shogi::Square square = shogi::take_first(changed);
      if (shogi::has(was, square)) removed.push(number.piece(before, square));
      if (shogi::has(is, square)) added.push(number.piece(after, square));
    }
    for (const shogi::Colour side : {shogi::black, shogi::white}) {
      for (int k = 0; k < shogi::hand_kinds; ++k) {
        const int then = before.hands[side][k];
        const int now = after.hands[side][k];
        for (int i = then; i < now; ++i) added.push(number.held(side, k, i));
        for (int i = now; i < then; ++i) removed.push(number.held(side, k, i));
      }
    }
    return true;
  }

 private:
  static shogi::Square seen(shogi::Square square, shogi::Colour by) {
    return by == shogi::black ? square : At::squares - 1 - square;
  }

  // The features of one seat on boards of one group.
  class Numbers {
   public:
    Numbers(const Board& men, Seat seat) : us_(static_cast<shogi::Colour>(index(seat))) {
      const int group = SparseFeatures::group(men, seat);
      mirrored_ = group >= buckets;
      begin_ = group % buckets * kinds;
    }
    [[nodiscard]] int piece(const Board& men, shogi::Square square) const {
      const auto kind = static_cast<std::size_t>(men.kind_at(square));
      const int whose = men.is_side(us_, square) ? 0 : classes;
      const shogi::Square at = seen(square, us_);
      const int column = At::column_of(at);
      const shogi::Square place = mirrored_ ? at + Board_::size - 1 - 2 * column : at;
      return begin_ + (whose + class_of[kind]) * At::squares + place;
    }
    [[nodiscard]] int held(shogi::Colour side, int kind, int nth) const {
      return begin_ + on_board + (side == us_ ? 0 : in_hand) +
             hand_begins[static_cast<std::size_t>(kind)] + nth;
    }

   private:
    shogi::Colour us_;
    bool mirrored_;
    int begin_;
  };
};

}  // namespace tempo

static_assert(tempo::HasSparseFeatures<tempo::shogi::Position>);
