// What everyone sees of a piece says something about its kind beyond what the rules make of it:
// strong pieces are moved out to attack, mines and flags are left alone, bombs wait. A linear model
// of that (learnt: tell_games.h) tilts the determinizations. One is likelier by the sum over its
// pieces of a logit for the kind, given where the piece was deployed and stands, whether it moved
// and fought, how it died, and what it could attack or be attacked by.
//
// Nothing is excluded by it: every determinization that fits the view stays possible.
#pragma once

#include <cmath>
#include <span>

#include "determinization_draws.h"

namespace tempo::siguo {

class Tells {
 public:
  // Numbers of features, one block each; a piece has at most six.
  static constexpr int most = 4;   // counts of more are taken for this
  static constexpr int fates = 5;  // in place, moved, died attacking, died attacked, both died
  static constexpr int stages = 5;
  static constexpr int by_home = 0;
  static constexpr int by_place = by_home + fates * slots;
  static constexpr int by_kills = by_place + stations;
  static constexpr int by_stage = by_kills + 2 * (most + 1);
  static constexpr int by_danger = by_stage + 7 * stages;
  static constexpr int by_aims = by_danger + 4 * (most + 1);
  static constexpr int features = by_aims + 2 * (most + 1);
  static constexpr int terms = features * kinds;
  static constexpr int exchanges = 800;  // for a determinization, most of them refused

  struct Active {
    std::array<std::uint16_t, 6> features{};
    int count = 0;
    void add(int feature) { features[at(count++)] = static_cast<std::uint16_t>(feature); }
    [[nodiscard]] std::span<const std::uint16_t> span() const {
      return {features.data(), at(count)};
    }
  };
  using AllActive = std::array<Active, pieces>;
  static AllActive active(const PublicState& state);

  explicit Tells(std::span<const float> weights) : weights_(weights.begin(), weights.end()) {}
  [[nodiscard]] float weight(int feature, int kind) const {
    return weights_[at(kinds * feature + kind)];
  }

 private:
  std::vector<float> weights_;
};

// The logits in one public state.
class Tilt {
 public:
  Tilt(const PublicState& state, const Tells& tells) {
    const Tells::AllActive active = Tells::active(state);
    for (int piece = 0; piece < pieces; ++piece)
      for (const int feature : active[at(piece)].span())
        for (int kind = 0; kind < kinds; ++kind)
          logits_[at(piece)][at(kind)] += tells.weight(feature, kind);
  }

  // How much likelier the position is with these kinds of two pieces than with them exchanged.
  [[nodiscard]] float gain(int one, int other, Kind first, Kind second) const {
    const auto& a = logits_[at(one)];
    const auto& b = logits_[at(other)];
    return a[first] + b[second] - a[second] - b[first];
  }
  // Exchanges kinds so that determinizations that were equally likely come as often as the logits
  // say (Metropolis), if there are enough exchanges.
  void apply(const Determinizations& determinizations, Kinds& drawn, int steps,
             Random& random) const {
    determinizations.exchange(drawn, steps, random, [&](int one, int other, Kind a, Kind b) {
      const float more = gain(one, other, a, b);
      return more >= 0 || random.uniform() < static_cast<double>(std::exp(more));
    });
  }

 private:
  std::array<std::array<float, kinds>, pieces> logits_{};
};

inline Tells::AllActive Tells::active(const PublicState& state) {
  std::array<int, pieces> kills{};
  std::array<int, pieces> aims{};
  std::array<int, stations> attackers{};
  int alive = 0;
  for (int piece = 0; piece < pieces; ++piece) {
    const int foe = state.foe(piece);
    if (foe != none && !state.died_together(piece)) ++kills[at(foe)];
  }
  for (int seat = 0; seat < 4; ++seat) {
    alive += state.stations_of(seat).count();
    const Set foes =
        (state.stations_of((seat + 1) & 3) | state.stations_of((seat + 3) & 3)) - camps;
    (state.stations_of(seat) - headquarters_of(state.options())).each([&](int from) {
      const Set targets = state.targets(from, Unknown, foes);
      aims[at(state.occupant(from))] = targets.count();
      targets.each([&](int to) { ++attackers[at(to)]; });
    });
  }
  const int stage = std::min(stages - 1, (pieces - alive) / 12);
  AllActive all;
  for (int piece = 0; piece < pieces; ++piece) {
    Active& active = all[at(piece)];
    const int slot = piece % slots;
    const int fought = std::min(kills[at(piece)], most);
    const int moved = state.has(piece, Moved) ? 1 : 0;
    if (!state.on_board(piece)) {
      const int fate = state.foe(piece) == none     ? moved
                       : state.died_together(piece) ? 4
                       : state.has(piece, Attacked) ? 2
                                                    : 3;
      active.add(by_home + slots * fate + slot);
      active.add(by_kills + most + 1 + fought);
      continue;
    }
    const int station = state.station(piece);
    const int seat = seat_of(piece);
    const int at_home = !is_centre(station) && arm_of(station) == seat ? 1 : 0;
    const int danger = is_camp(station) ? 0 : std::min(attackers[at(station)], most);
    active.add(by_home + slots * moved + slot);
    active.add(by_kills + fought);
    active.add(by_stage + 7 * stage + (moved != 0 ? 6 : row_of(homes[at(piece)]) - 1));
    active.add(by_danger + (most + 1) * (moved + 2 * at_home) + danger);
    active.add(by_aims + (most + 1) * moved + std::min(aims[at(piece)], most));
    if (moved != 0) active.add(by_place + turned(station, (4 - seat) % 4));
  }
  return all;
}

}  // namespace tempo::siguo
