// What learners see of Othello: planes for networks, and a few counts for a weighted sum. The
// weights by hand make the game's static evaluation.
#pragma once

#include "../../game_features.h"
#include "../../nets/linear.h"
#include "../../nets/sparse_features.h"
#include "rules.h"

namespace tempo {

// Planes [4, side, side], row 0 at the top: own discs, opposing discs, the points where the seat
// to move may place a disc, and ones when that is the seat that asks.
template <>
struct Features<othello::Position> {
  static constexpr std::array<int, 0> scaled{};
  static std::array<int, 3> shape(const othello::Options& options) {
    return {4, options.side(), options.side()};
  }

  static void write(const othello::Position& position, Seat seat, float* out) {
    const int area = position.side() * position.side();
    const othello::Points turn = position.turn() == seat ? position.regions().all : 0;
    for (const othello::Points plane :
         {position.discs(seat), position.discs(othello::other(seat)), position.placeable(), turn}) {
      for (int i = 0; i < area; ++i) *out++ = static_cast<float>(plane >> i & 1U);
    }
  }

  static int transformed(const othello::Options& options, int i, int symmetry) {
    const int area = options.side() * options.side();
    return i / area * area +
           othello::Position::transformed_point(options.side(), i % area, symmetry);
  }
};

// For incremental networks: own discs, then the other seat's, by point.
template <>
struct SparseFeatures<othello::Position> {
  using Board = std::array<othello::Points, 2>;
  static constexpr std::string_view version = "othello-discs/1";
  static constexpr int most = 64;
  static constexpr int count = 2 * most;
  static constexpr int kinds = count;
  static constexpr int groups = 1;

  static Board board(const othello::Position& position) {
    return {position.discs(Seat{0}), position.discs(Seat{1})};
  }
  static int group(const Board&, Seat) { return 0; }
  static void active(const Board& discs, Seat seat, FeatureList<most>& list) {
    list.clear();
    push(discs, seat, list);
  }
  static bool changes(const Board& before, const Board& after, Seat seat, FeatureList<most>& added,
                      FeatureList<most>& removed) {
    push({after[0] & ~before[0], after[1] & ~before[1]}, seat, added);
    push({before[0] & ~after[0], before[1] & ~after[1]}, seat, removed);
    return added.size() + removed.size() < std::popcount(after[0] | after[1]);
  }

 private:
  static void push(const Board& discs, Seat seat, FeatureList<most>& list) {
    for (const Seat whose : {seat, othello::other(seat)}) {
      for (auto left = discs[static_cast<std::size_t>(whose)]; left != 0; left &= left - 1) {
        list.push((whose == seat ? 0 : most) + std::countr_zero(left));
      }
    }
  }
};

// Counts of the seat to move less those of the other. What players go by: have more moves than the
// other, leave few discs open to the empty points, take corners and do not give them away; discs
// themselves count at the end.
template <>
struct Terms<othello::Position> {
  static constexpr int count = 8;
  static constexpr float half = 10.0F;
  static constexpr std::array<std::string_view, count> names = {
      "turn", "mobility", "frontier", "corners", "X-squares", "edges", "discs", "late discs"};
  static constexpr std::array<float, count> hand_tuned = {0.5F,  1.0F, -0.4F, 8.0F,
                                                          -4.0F, 0.5F, -0.2F, 1.5F};

  static void write(const othello::Position& position, float* out) {
    const othello::Regions& regions = position.regions();
    const othello::Points empty = position.empty();
    const Seat mover = position.turn();
    const auto lead = [&](othello::Points where) {
      return number(position.discs(mover) & where) -
             number(position.discs(othello::other(mover)) & where);
    };
    const othello::Points open_corners = around(position, empty & regions.corners);
    const float discs = lead(regions.all);
    const float filled = 1.0F - number(empty) / number(regions.all);
    out[0] = 1.0F;
    out[1] = number(position.placeable()) - number(position.placeable(othello::other(mover)));
    out[2] = lead(around(position, empty));
    out[3] = lead(regions.corners);
    out[4] = lead(open_corners & regions.x_squares);
    out[5] = lead(regions.edges & ~regions.corners);
    out[6] = discs;
    out[7] = discs * filled * filled * filled * filled;
  }

 private:
  static float number(othello::Points points) { return static_cast<float>(std::popcount(points)); }

  // The points beside given ones in all eight directions, edges left out: so none is a step from
  // one end of a row to the other.
  static othello::Points around(const othello::Position& position, othello::Points given) {
    const int side = position.side();
    const othello::Points row = given | given << 1 | given >> 1;
    return (row | row << side | row >> side) & ~position.regions().edges;
  }
};

}  // namespace tempo
