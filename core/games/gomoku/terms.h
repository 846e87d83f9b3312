// The terms of Gomoku's evaluation: the patterns of the seat to move and of the other, and the
// points at which they could make a four, an open three or both at once. A search keeps the
// patterns up from move to move (Counted); of a plain position they are counted anew.
#pragma once

#include <algorithm>

#include "../../nets/linear.h"
#include "counted.h"
#include "evaluation.h"

namespace tempo {

template <>
struct Terms<gomoku::Counted> {
  static constexpr int patterns = gomoku::pattern_kinds - 1;  // five in a row has ended the game
  static constexpr int points = 4;
  static constexpr int side = patterns + points;
  static constexpr int count = 1 + 2 * side;
  static constexpr float half = 8.0F;

  static constexpr std::array<std::string_view, count> names = {"turn",
                                                                "own _XXXX_",
                                                                "own XXXX_",
                                                                "own XXX_X",
                                                                "own XX_XX",
                                                                "own __XXX_",
                                                                "own _X_XX_",
                                                                "own XXX__",
                                                                "own XX_X_",
                                                                "own X_XX_",
                                                                "own XX__X",
                                                                "own X_X_X",
                                                                "own _XX___",
                                                                "own _X_X__",
                                                                "own _X__X_",
                                                                "own XX___",
                                                                "own X_X__",
                                                                "own X__X_",
                                                                "own X___X",
                                                                "own _X____",
                                                                "own four",
                                                                "own open three",
                                                                "own four-three",
                                                                "own winning",
                                                                "enemy _XXXX_",
                                                                "enemy XXXX_",
                                                                "enemy XXX_X",
                                                                "enemy XX_XX",
                                                                "enemy __XXX_",
                                                                "enemy _X_XX_",
                                                                "enemy XXX__",
                                                                "enemy XX_X_",
                                                                "enemy X_XX_",
                                                                "enemy XX__X",
                                                                "enemy X_X_X",
                                                                "enemy _XX___",
                                                                "enemy _X_X__",
                                                                "enemy _X__X_",
                                                                "enemy XX___",
                                                                "enemy X_X__",
                                                                "enemy X__X_",
                                                                "enemy X___X",
                                                                "enemy _X____",
                                                                "enemy four",
                                                                "enemy open three",
                                                                "enemy four-three",
                                                                "enemy winning"};

  // By hand, from the usual worth of shapes: a three that can still become five is worth several
  // twos, and what the mover has counts more than what the other can do about it next.
  static constexpr std::array<float, count> hand_tuned = {
      1.0F,                                                    //
      0.0F,  0.0F,  0.0F,  0.0F,  1.5F,  1.5F,                 // fours; open threes
      0.5F,  0.5F,  0.5F,  0.5F,  0.5F,                        // threes
      0.6F,  0.6F,  0.5F,  0.15F, 0.15F, 0.15F, 0.1F,  0.1F,   // twos; a stone
      0.3F,  0.2F,  2.0F,  8.0F,                               //
      0.0F,  -2.0F, -2.0F, -2.0F, -1.0F, -1.0F,                //
      -0.4F, -0.4F, -0.4F, -0.4F, -0.4F,                       //
      -0.5F, -0.5F, -0.4F, -0.1F, -0.1F, -0.1F, -0.1F, -0.1F,  //
      -0.2F, -0.2F, -1.0F, -3.0F};

  static void write(const gomoku::Counted& counted, float* out) {
    gomoku::with_threats(counted.position(), [&](const auto& finder) {
      const Seat mover = counted.turn();
      write(counted, finder.of(mover), finder.of(gomoku::other(mover)), out);
    });
  }

  // With the threats of both seats, where they are known already.
  static void write(const gomoku::Counted& counted, const gomoku::Threats& own,
                    const gomoku::Threats& enemy, float* out) {
    out[0] = 1.0F;
    write_side(counted, counted.turn(), own, out + 1);
    write_side(counted, gomoku::other(counted.turn()), enemy, out + 1 + side);
  }

 private:
  static void write_side(const gomoku::Counted& counted, Seat seat, const gomoku::Threats& threats,
                         float* out) {
    for (int i = 0; i < patterns; ++i) {
      out[i] = static_cast<float>(counted.patterns().count(seat, i + 1));
    }
    const auto number = [](const gomoku::Points& set, int most) {
      return static_cast<float>(std::min(set.count(), most));
    };
    out[patterns] = number(threats.four, 8);
    out[patterns + 1] = number(threats.three, 12);
    out[patterns + 2] = number(threats.four & threats.three, 3);
    out[patterns + 3] = number(threats.winning, 3);
  }
};

// The same numbers, for learners and searches of any game.
template <>
struct Terms<gomoku::Position> : Terms<gomoku::Counted> {
  static void write(const gomoku::Position& position, float* out) {
    Terms<gomoku::Counted>::write(gomoku::Counted(position), out);
  }
};

}  // namespace tempo
