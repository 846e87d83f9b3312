// What Gomoku's search weighs: the patterns of the seat to move and of the other, and the points at
// which they could make a four, an open three or both at once.
#pragma once

#include <algorithm>

#include "../gomoku/counted.h"
#include "../gomoku/fours.h"
#include "linear.h"

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
  static constexpr std::array<float, count> typed_in = {
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

namespace gomoku {

// After how many moves threats alone decide: positive if the seat to move wins, negative if it
// loses, 0 where they do not decide.
inline int sure_distance(const Threats& own, const Threats& enemy) {
  if (own.five.any()) return 1;
  if (enemy.five.any()) return enemy.five.count() > 1 ? -2 : 0;
  return own.winning.any() ? 3 : 0;
}

// Whether a leaf is weighed at all, and not decided by what anybody can see.
inline bool is_open(const Counted& counted) {
  return with_threats(counted.position(), [&](const auto& finder) {
    return sure_distance(finder.of(counted.turn()), finder.of(other(counted.turn()))) == 0;
  });
}

// Leaves of the search: wins within reach are seen, a short search of fours looks for more, and
// the rest is weighed. The positions of that search count as positions of whoever asks.
class FoursEvaluator {
 public:
  static constexpr bool prefers_batches = false;
  using Linear = LinearEvaluator<Counted>;

  // `fours` positions at most for each leaf. With `inner` the search is told of decided games, and
  // looks for fours with so many positions at interior positions that it has not seen before.
  FoursEvaluator(const Linear& linear, int fours, int inner = 0)
      : linear_(linear), fours_(fours), inner_(inner), search_(inner > 0 ? many : few) {}

  [[nodiscard]] bool decides() const { return inner_ > 0; }
  [[nodiscard]] int decided() const { return decides() ? distance_ : 0; }
  int decide(const Counted& counted) {
    visited_ = 0;
    if (!decides() || counted.position().is_over()) return 0;
    return with_threats(counted.position(), [&](const auto& finder) {
      const Threats own = finder.of(counted.turn());
      return distance(counted.position(), own, finder.of(other(counted.turn())), inner_);
    });
  }

  void allow(std::int64_t most) { most_ = most; }
  [[nodiscard]] std::int64_t visited() const { return visited_; }
  // Makes what follows independent of what came before.
  void forget() { search_.forget(); }

  void operator()(std::span<const Counted> positions, std::span<Scores> values) {
    visited_ = 0;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const float mover = value_to_mover(positions[i]);
      values[i] = team_scores<Counted>(index(positions[i].turn()) == 0 ? mover : -mover);
    }
  }

 private:
  float value_to_mover(const Counted& counted) {
    return with_threats(counted.position(), [&](const auto& finder) {
      const Seat mover = counted.turn();
      const Threats own = finder.of(mover);
      const Threats enemy = finder.of(other(mover));
      distance_ = distance(counted.position(), own, enemy, fours_);
      if (distance_ != 0) return distance_ > 0 ? 1.0F : -1.0F;
      Linear::Weights terms;
      Terms<Counted>::write(counted, own, enemy, terms.data());
      return squash(linear_.weigh(terms), Terms<Counted>::half);
    });
  }

  // What threats decide, or continuous fours within a number of positions.
  int distance(const Position& position, const Threats& own, const Threats& enemy, int positions) {
    if (const int sure = sure_distance(own, enemy)) return sure;
    const std::int64_t most = std::min<std::int64_t>(positions, most_ - visited_);
    if (!own.four.any() || most <= 0) return 0;
    const Verdict verdict = search_.search(position, own.four, enemy.five, most);
    visited_ += search_.visited();
    return verdict == Verdict::Win ? static_cast<int>(search_.line().size()) : 0;
  }

  static constexpr std::size_t few = std::size_t{1} << 15;  // failures remembered
  static constexpr std::size_t many = std::size_t{1} << 18;

  Linear linear_;
  int fours_;
  int inner_;
  int distance_ = 0;  // of the position evaluated last
  FourSearch search_;
  std::int64_t most_ = 0;
  std::int64_t visited_ = 0;
};

}  // namespace gomoku

}  // namespace tempo
