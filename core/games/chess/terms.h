// The terms of the evaluation of chess: material, where pieces stand, their freedom, pairs of
// bishops, passed pawns, and how far a bare king is driven. Every term is what the mover has less
// what the other has, each seen from its own side and mirrored onto one wing. All but the last two
// are there twice: for the middlegame and for the ending, each with its share of what is left of
// the pieces.
//
// The weights by hand are those of the static evaluation, in pawns; they come to the same numbers
// but for its whole centipawns.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "../../nets/linear.h"
#include "evaluation.h"

namespace tempo {

template <>
struct Terms<chess::Position> : VisitedTerms<Terms<chess::Position>, chess::Position> {
  using P = chess::Position;
  using Static = chess::StaticEvaluator;

  static constexpr int kinds = 6;
  static constexpr int files = 4;  // on one wing
  static constexpr int places = 8 * files;
  static constexpr int ranks = 6;  // on which a pawn stands

  // Where each group of terms begins; in a group that of the ending follows that of the middlegame.
  static constexpr int material = 1;  // pawn to queen
  static constexpr int freedom = material + 2 * 5;
  static constexpr int bishops = freedom + 2 * 4;
  static constexpr int passed = bishops + 2;
  static constexpr int place = passed + 2 * ranks;
  static constexpr int outward = place + 2 * kinds * places;
  static constexpr int close = outward + 1;
  static constexpr int count = close + 1;

  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

  static constexpr float half = 4.0F;  // pawns
  // As in shogi: learners that step equally far along every term learn what pieces are worth before
  // they learn where each belongs. The same for squares that a piece is free to go to.
  static constexpr float fine = 0.125F;

  static const inline std::vector<std::string> names = [] {
    const std::array<std::string, kinds> kind{"pawn", "knight", "bishop", "rook", "queen", "king"};
    std::vector<std::string> all(count);
    const auto both = [&](int i, const std::string& name) {
      all[at(i)] = name + ", middlegame";
      all[at(i + 1)] = name + ", ending";
    };
    all[0] = "turn";
    for (int k = 0; k < 5; ++k) both(material + 2 * k, kind[at(k)]);
    for (int k = 1; k < 5; ++k) both(freedom + 2 * (k - 1), kind[at(k)] + " free to go");
    both(bishops, "two bishops");
    for (int i = 0; i < ranks; ++i) {
      both(passed + 2 * i, "passed pawn on rank " + std::to_string(i + 2));
    }
    for (int k = 0; k < kinds; ++k) {
      for (int i = 0; i < places; ++i) {
        const std::string file(1, "abcd"[i % files]);
        both(place + 2 * (k * places + i),
             kind[at(k)] + " on " + file + std::to_string(i / files + 1));
      }
    }
    all[at(outward)] = "bare king outward";
    all[at(close)] = "close to the bare king";
    return all;
  }();

  static const inline std::vector<float> hand_tuned = [] {
    namespace worth = chess::worth;
    std::vector<float> all(count);
    const auto both = [&](int i, chess::Worth given, float share) {
      all[at(i)] = static_cast<float>(given.middle) / (100 * share);
      all[at(i + 1)] = static_cast<float>(given.ending) / (100 * share);
    };
    all[0] = static_cast<float>(worth::to_move) / 100;
    for (int k = 0; k < 5; ++k) both(material + 2 * k, worth::material[at(k)], 1);
    for (int k = 1; k < 5; ++k) both(freedom + 2 * (k - 1), worth::freedom[at(k)], fine);
    both(bishops, worth::two_bishops, 1);
    for (int i = 0; i < ranks; ++i) both(passed + 2 * i, worth::passed_by_rank[at(i + 1)], 1);
    for (int k = 0; k < kinds; ++k) {
      for (int i = 0; i < places; ++i) {
        chess::Worth there = worth::by_square[at(k)][at(8 * (i / files) + i % files)];
        there += -1 * worth::material[at(k)];
        both(place + 2 * (k * places + i), there, fine);
      }
    }
    all[at(outward)] = static_cast<float>(worth::outward) / 100;
    all[at(close)] = static_cast<float>(worth::close) / 100;
    return all;
  }();

  // Calls `term(number, value)` for every term that the position has; what is named twice adds up.
  template <class Term>
  static void each(const P& position, const Term& term) {
    const chess::Board& board = position.pieces();
    const auto us = position.colour();
    const float left = static_cast<float>(Static::middle_left(board)) /
                       static_cast<float>(chess::worth::whole_middle);
    term(0, 1.0F);
    side<chess::white>(board, us == chess::white ? 1.0F : -1.0F, left, term);
    side<chess::black>(board, us == chess::black ? 1.0F : -1.0F, left, term);
    if (const auto kings = Static::drive(board)) {
      const float sign = kings->loser == us ? -1.0F : 1.0F;
      term(outward, sign * static_cast<float>(kings->outward));
      term(close, sign * static_cast<float>(kings->close));
    }
  }

 private:
  // A side's terms, `left` of them for the middlegame.
  template <chess::Colour us, class Term>
  static void side(const chess::Board& board, float sign, float left, const Term& term) {
    const auto both = [&](int i, float value) {
      term(i, value * left);
      term(i + 1, value * (1 - left));
    };
    const auto free = Static::goals<us>(board);
    const auto pieces = [&]<chess::Kind kind>() {
      const auto own = board.of(us, kind);
      if constexpr (kind != chess::king) {
        if (own != 0) both(material + 2 * kind, sign * static_cast<float>(chess::count(own)));
      }
      for (auto rest = own; rest != 0;) {
        const chess::Square square = chess::take_first(rest);
        const chess::Square seen = Static::from_white<us>(square);
        const int wing = std::min(chess::file_of(seen), 7 - chess::file_of(seen));
        const int spot = chess::rank_of(seen) * files + wing;
        both(place + 2 * (kind * places + spot), sign * fine);
        if constexpr (kind != chess::pawn && kind != chess::king) {
          const auto reach = chess::attacks_from<kind>(square, board.occupied()) & free;
          const auto squares = static_cast<float>(chess::count(reach));
          both(freedom + 2 * (kind - 1), sign * fine * squares);
        }
      }
    };
    pieces.template operator()<chess::pawn>();
    pieces.template operator()<chess::knight>();
    pieces.template operator()<chess::bishop>();
    pieces.template operator()<chess::rook>();
    pieces.template operator()<chess::queen>();
    pieces.template operator()<chess::king>();
    if (chess::more_than_one(board.of(us, chess::bishop))) both(bishops, sign);
    for (auto pawns = Static::passed_pawns<us>(board); pawns != 0;) {
      const int rank = chess::rank_of(Static::from_white<us>(chess::take_first(pawns)));
      both(passed + 2 * (rank - 1), sign);
    }
  }
};

}  // namespace tempo
