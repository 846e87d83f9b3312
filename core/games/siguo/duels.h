// What attacks are worth on average, by the chances of what is hidden: of an own piece on a foe,
// and of a foe on an own piece. In units of a General, roughly.
#pragma once

#include "running_belief.h"

namespace tempo::siguo {

inline constexpr int mover_kinds = 10;  // General to Bomb
inline constexpr float flag_worth = 6.0F;
// A lost General also shows the flag; sappers and bombs are worth more than they beat.
inline constexpr std::array<float, kinds> piece_worths{
    1.2F, 0.9F, 0.72F, 0.5F, 0.42F, 0.28F, 0.22F, 0.16F, 0.3F, 0.5F, 0.35F, flag_worth};

class Duels {
 public:
  // `attackers`: the kinds of the own pieces that are asked about.
  Duels(const PublicState& state, int seat, const RunningBelief& belief, KindSet attackers) {
    const bool mine_goes_too = state.options().mine_hit != 0;
    for (const int foe : {(seat + 1) & 3, (seat + 3) & 3})
      state.stations_of(foe).each([&](int station) {
        const int piece = state.occupant(station);
        for (KindSet set = attackers; set != 0; set &= static_cast<KindSet>(set - 1))
          note(static_cast<Kind>(std::countr_zero(set)), piece, belief.chances(piece),
               mine_goes_too);
      });
  }

  // What the seat may expect of attacking a foe with a kind.
  [[nodiscard]] float gain(Kind own, int foe) const { return gains_[at(foe)][own]; }
  // The chance that the foe is gone afterwards, and that the own piece is still there.
  [[nodiscard]] float kills(Kind own, int foe) const { return kills_[at(foe)][own]; }
  [[nodiscard]] float survives(Kind own, int foe) const { return survives_[at(foe)][own]; }
  // What the seat must expect to lose if that foe attacks a piece of the kind; below 0 it wins.
  [[nodiscard]] float loss(Kind own, int foe) const { return losses_[at(foe)][own]; }

 private:
  void note(Kind own, int foe, const Chances& chances, bool mine_goes_too) {
    float gain = 0;
    float kills = 0;
    float survives = 0;
    float loss = 0;
    const float worth = piece_worths[own];
    for (int k = 0; k < kinds; ++k) {
      const float chance = chances[at(k)];
      if (chance == 0) continue;
      const auto kind = static_cast<Kind>(k);
      const float prize = piece_worths[kind];
      const Battle attack = battle(own, kind, mine_goes_too);
      if (attack != Battle::Loses) gain += chance * prize, kills += chance;
      if (attack != Battle::Wins) gain -= chance * worth;
      if (attack == Battle::Wins) survives += chance;
      if ((movable & set_of(kind)) == 0) continue;
      const Battle attacked = battle(kind, own, mine_goes_too);
      if (attacked != Battle::Loses) loss += chance * worth;
      if (attacked != Battle::Wins) loss -= chance * prize;
    }
    gains_[at(foe)][own] = gain;
    kills_[at(foe)][own] = kills;
    survives_[at(foe)][own] = survives;
    losses_[at(foe)][own] = loss;
  }

  using Rows = std::array<std::array<float, mover_kinds>, pieces>;
  Rows gains_{};
  Rows kills_{};
  Rows survives_{};
  Rows losses_{};
};

}  // namespace tempo::siguo
