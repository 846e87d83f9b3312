// The leaves of Gomoku's search: what threats decide is decided, a short search looks for
// continuous fours, and the rest is evaluated.
#pragma once

#include "fours.h"
#include "network.h"

namespace tempo::gomoku {

// After how many moves threats alone decide: positive if the seat to move wins, negative if it
// loses, 0 where they do not decide.
inline int sure_distance(const Threats& own, const Threats& enemy) {
  if (own.five.any()) return 1;
  if (enemy.five.any()) return enemy.five.count() > 1 ? -2 : 0;
  return own.winning.any() ? 3 : 0;
}

// Whether a leaf is evaluated at all, and not decided by what anybody can see.
inline bool is_open(const Counted& counted) {
  return with_threats(counted.position(), [&](const auto& finder) {
    return sure_distance(finder.of(counted.turn()), finder.of(other(counted.turn()))) == 0;
  });
}

// Leaves of the search: wins within reach are seen, a short search of fours looks for more, and
// the rest is evaluated. The positions of that search count as positions of the caller.
class FoursEvaluator {
 public:
  static constexpr bool prefers_batches = false;

  // `fours` positions at most for each leaf. With `inner` the search learns of decided games, and
  // looks for fours, with `inner` positions, at interior positions that it has not seen before.
  FoursEvaluator(const LeafEvaluation& evaluation, int fours, int inner = 0)
      : evaluation_(evaluation), fours_(fours), inner_(inner), search_(inner > 0 ? many : few) {}

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
      return evaluation_.has_network()
                 ? value(counted, finder.shapes_of(mover), finder.shapes_of(other(mover)))
                 : value(counted, finder.of(mover), finder.of(other(mover)));
    });
  }

  // By Threats or, with a network, by Shapes.
  template <class Seen>
  float value(const Counted& counted, const Seen& own, const Seen& enemy) {
    distance_ = distance(counted.position(), own, enemy, fours_);
    if (distance_ != 0) return distance_ > 0 ? 1.0F : -1.0F;
    return evaluation_(counted, own, enemy);
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

  LeafEvaluation evaluation_;
  int fours_;
  int inner_;
  int distance_ = 0;  // of the position evaluated last
  FourSearch search_;
  std::int64_t most_ = 0;
  std::int64_t visited_ = 0;
};

}  // namespace tempo::gomoku
