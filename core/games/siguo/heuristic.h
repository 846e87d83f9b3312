// Siguo by rules of thumb, from what a seat may know alone. Every legal move gets a score, and the
// highest is played:
//
//   attack   what it wins on average by the chances of the foe's kind, a little for what it shows,
//            more for a foe that is on its way to a flag of the team
//   safety   what the piece risks where it stands, less what it risks where it goes; camps are safe
//   way      how much nearer it gets to the flag that is easiest to take; both partners judge that
//            by what everyone sees, so they go for the same army
//   chance   the best attack it could make from there next
//   flag     whether a foe could step on the own flag next, or a likely one of the partner
//
// The longer nothing was lost, the more an attack is worth: a game that nobody decides is a draw.
#pragma once

#include "duels.h"
#include "roads.h"

namespace tempo::siguo {

class Heuristic {
 public:
  explicit Heuristic(const View& view)
      : Heuristic(view.public_state(), view.all_kinds(), tempo::index(view.seat()),
                  RunningBelief(view)) {}
  Heuristic(const PublicState& state, const Kinds& own, int seat, const RunningBelief& belief);

  // What a legal move is thought to be worth; only comparisons mean something.
  [[nodiscard]] float score(Move move) const;
  // The best by score, with a little chance where they are nearly equal.
  [[nodiscard]] Move choose(const Moves& moves, Random& random) const;

 private:
  static constexpr float noise = 0.01F;
  static constexpr float caution = 0.6F;     // how surely a foe takes what it could win
  static constexpr float foresight = 0.25F;  // what an attack is worth that may follow
  static constexpr float per_step = 0.012F;  // of the way to a flag
  static constexpr float flag_risk = 1.5F;   // a foe that could take the flag next
  // How eagerly each kind goes: the high ones and sappers wait until the others have cleared.
  static constexpr std::array<float, mover_kinds> eagerness{0.5F, 0.8F, 1.0F, 1.0F, 1.0F,
                                                            1.0F, 1.0F, 1.0F, 0.4F, 0.5F};

  [[nodiscard]] Kind kind_at(int station) const { return own_[at(state_.occupant(station))]; }
  static KindSet kinds_among(const PublicState& state, const Kinds& own, int seat);
  void find_threats(const RunningBelief& belief);
  void find_way(const RunningBelief& belief);
  void find_flags(const RunningBelief& belief);
  [[nodiscard]] float risk(int station, Kind kind) const {
    return is_camp(station) ? 0.0F : std::max(0.0F, threats_[at(station)][kind]);
  }
  [[nodiscard]] float risk_after(int from, int to, Kind kind) const;
  [[nodiscard]] float best_attack(int from, Kind kind) const;
  [[nodiscard]] float attack(Kind kind, int to) const;
  [[nodiscard]] float flag_danger(const PublicState& state, int gone) const;
  [[nodiscard]] float shielding(int from, int to, float kills) const;
  [[nodiscard]] float closeness_to_flags(int station) const;

  const PublicState& state_;
  const Kinds& own_;
  int seat_;
  Set foes_;  // where they stand
  Duels duels_;
  std::array<std::array<float, mover_kinds>, stations> threats_{};
  std::array<Set, stations> attackers_{};  // the foes that could get to a station next
  Distances way_{};
  float restless_ = 0;
  // The flags to be guarded, and the foes that could be there next.
  struct Guarded {
    int station = none;
    float chance = 0;
  };
  std::array<Guarded, 3> flags_{};
  int flag_count_ = 0;
  Set hunters_;
  float danger_ = 0;
};

inline KindSet Heuristic::kinds_among(const PublicState& state, const Kinds& own, int seat) {
  KindSet set = 0;
  state.stations_of(seat).each(
      [&](int station) { set |= set_of(own[at(state.occupant(station))]); });
  return set & movable;
}

inline Heuristic::Heuristic(const PublicState& state, const Kinds& own, int seat,
                            const RunningBelief& belief)
    : state_(state),
      own_(own),
      seat_(seat),
      foes_(state.stations_of((seat + 1) & 3) | state.stations_of((seat + 3) & 3)),
      duels_(state, seat, belief, kinds_among(state, own, seat)) {
  const int limit = state.options().no_capture_draw;
  if (limit > 0) {
    const float share = static_cast<float>(state.quiet()) / static_cast<float>(limit);
    restless_ = 0.02F + 0.5F * share * share;
  }
  find_flags(belief);
  find_threats(belief);
  find_way(belief);
}

// The own flag for certain, the partner's by its chances.
inline void Heuristic::find_flags(const RunningBelief& belief) {
  for (const int owner : {seat_, seat_ ^ 2})
    for (const int offset : headquarters_offsets) {
      const int piece = state_.occupant(arm_size * owner + offset);
      if (piece == none || seat_of(piece) != owner) continue;
      const float chance = belief.chance(piece, Flag) * (owner == seat_ ? 1.0F : 0.5F);
      if (chance > 0 && flag_count_ < 3)
        flags_[at(flag_count_++)] = {state_.station(piece), chance};
    }
}

inline void Heuristic::find_threats(const RunningBelief& belief) {
  for (const int foe_seat : {(seat_ + 1) & 3, (seat_ + 3) & 3}) {
    const Set open = state_.open_to(foe_seat);
    (state_.stations_of(foe_seat) - headquarters_of(state_.options())).each([&](int from) {
      const int foe = state_.occupant(from);
      if (belief.chance(foe, Mine) > 0.99F) return;
      const Set reach = state_.targets(from, Unknown, open);
      for (int i = 0; i < flag_count_; ++i)
        if (reach.has(flags_[at(i)].station)) hunters_.add(from);
      reach.each([&](int to) {
        attackers_[at(to)].add(from);
        for (int kind = 0; kind < mover_kinds; ++kind) {
          float& worst = threats_[at(to)][at(kind)];
          worst = std::max(worst, duels_.loss(static_cast<Kind>(kind), foe));
        }
      });
    });
  }
  danger_ = flag_danger(state_, none);
}

// Towards the nearer of the two flags, an army being the further the more of it is left.
inline void Heuristic::find_way(const RunningBelief& belief) {
  way_.fill(far_away);
  for (const int foe : {(seat_ + 1) & 3, (seat_ + 3) & 3}) {
    if (!state_.in_play(foe)) continue;
    const Distances roads = roads_to_flag(state_, foe, belief);
    const int bias = state_.stations_of(foe).count() / 2;
    for (int station = 0; station < stations; ++station)
      way_[at(station)] = std::min(way_[at(station)], roads[at(station)] + bias);
  }
}

// How badly the flags stand, if `gone` is no longer there: by the likeliest one within reach.
inline float Heuristic::flag_danger(const PublicState& state, int gone) const {
  float worst = 0;
  hunters_.each([&](int from) {
    if (from == gone || state.occupant(from) == none) return;
    const Set reach = state.targets(from, Unknown, state.open_to(seat_of(state.occupant(from))));
    for (int i = 0; i < flag_count_; ++i)
      if (reach.has(flags_[at(i)].station)) worst = std::max(worst, flags_[at(i)].chance);
  });
  return worst;
}

// What a move does about it; moves that open a way for others are not seen.
inline float Heuristic::shielding(int from, int to, float kills) const {
  if (danger_ == 0) return 0;
  if (kills > 0) return flag_risk * kills * (danger_ - flag_danger(state_, to));
  if (state_.occupant(to) != none) return 0;
  PublicState after = state_;
  after.shift(after.occupant(from), to);
  return flag_risk * (danger_ - flag_danger(after, none));
}

// Foes in the rear of the own or the partner's arm are on their way to a flag.
inline float Heuristic::closeness_to_flags(int station) const {
  if (is_centre(station) || ((arm_of(station) ^ seat_) & 1) != 0) return 0;
  return state_.in_play(arm_of(station)) ? 0.08F * static_cast<float>(row_of(station)) : 0.0F;
}

inline float Heuristic::attack(Kind kind, int to) const {
  const int foe = state_.occupant(to);
  const float worth = piece_worths[kind];
  const float survives = duels_.survives(kind, foe);
  float score = duels_.gain(kind, foe) + duels_.kills(kind, foe) * closeness_to_flags(to);
  // A piece that takes a headquarters without the flag stays there for good.
  if (is_headquarters(to)) return score - 0.5F * survives * worth;
  return score - caution * survives * risk(to, kind);
}

inline float Heuristic::best_attack(int from, Kind kind) const {
  float best = 0;
  (state_.targets(from, kind, foes_ - camps)).each([&](int to) {
    best = std::max(best, attack(kind, to));
  });
  return std::min(best, 1.5F);
}

// What a piece risks where it goes. A foe that runs at it now may run on behind it.
inline float Heuristic::risk_after(int from, int to, Kind kind) const {
  float worst = risk(to, kind);
  if (is_camp(to) || attackers_[at(from)].empty()) return worst;
  PublicState after = state_;
  after.shift(after.occupant(from), to);
  attackers_[at(from)].each([&](int foe) {
    if (after.targets(foe, Unknown, Set::of(to)).has(to))
      worst = std::max(worst, duels_.loss(kind, state_.occupant(foe)));
  });
  return worst;
}

inline float Heuristic::score(Move move) const {
  if (move == pass_move) return -0.05F;
  const int from = from_of(move);
  const int to = to_of(move);
  const Kind kind = kind_at(from);
  const float stayed = caution * risk(from, kind);
  const float way = per_step * eagerness[kind] * static_cast<float>(way_[at(from)] - way_[at(to)]) *
                    (row_of(homes[at(state_.occupant(from))]) >= 5 ? 0.5F : 1.0F);
  if (state_.occupant(to) != none) {
    const float kills = duels_.kills(kind, state_.occupant(to));
    return attack(kind, to) + restless_ + stayed +
           (hunters_.has(to) ? shielding(from, to, kills) : 0.0F);
  }
  if (is_headquarters(to)) return -piece_worths[kind];
  const float camp = is_camp(to) ? 0.02F : 0.0F;
  return stayed - caution * risk_after(from, to, kind) + way + camp +
         foresight * (best_attack(to, kind) - best_attack(from, kind)) + shielding(from, to, 0);
}

inline Move Heuristic::choose(const Moves& moves, Random& random) const {
  Move best = no_move;
  float highest = 0;
  for (const Move move : moves) {
    const float worth = score(move) + noise * static_cast<float>(random.uniform());
    if (best != no_move && worth <= highest) continue;
    best = move;
    highest = worth;
  }
  return best;
}

}  // namespace tempo::siguo
