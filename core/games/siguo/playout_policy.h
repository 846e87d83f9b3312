// Rules of thumb that are quick enough for playouts, two microseconds a move. They look at what
// heuristic.h looks at, with two differences: what needs the whole board is worked out once, at the
// root (PolicyTables), and who could attack a station is asked only where a piece stands or goes.
//
// Nobody plays by ranks that it cannot know. A seat knows its own kinds; the others have the
// chances that everyone can work out, the searching seat those of its own view. A piece that fights
// in a playout counts as known from then on, which is more than the rules show.
#pragma once

#include "policy_weights.h"
#include "roads.h"

namespace tempo::siguo {

// What an attack on a piece, and by it, is worth to each kind that may move.
struct Prospects {
  std::array<float, mover_kinds> gain{};      // attacking it
  std::array<float, mover_kinds> kills{};     // the chance that it is gone afterwards
  std::array<float, mover_kinds> survives{};  // and that the attacker is still there
  std::array<float, mover_kinds> loss{};      // being attacked by it; below 0 it loses

  Prospects() = default;
  Prospects(const Chances& chances, const PolicyWeights& weights, bool mine_goes_too);
};

// What playouts from one view share.
class PolicyTables {
 public:
  // Rows of a table: pieces by what is believed of them, the same once they have moved, and kinds.
  static constexpr int moved = pieces;
  static constexpr int known = 2 * pieces;
  using Table = std::array<Prospects, known + kinds>;

  PolicyTables(const View& view, const PolicyWeights& weights);

  [[nodiscard]] const PolicyWeights& weights() const { return weights_; }
  [[nodiscard]] const Table& table(int seat) const { return tables_[seat == searcher_ ? 1 : 0]; }
  [[nodiscard]] const Distances& way(int seat) const { return ways_[at(seat & 1)]; }
  // The chance that the flag stands in the first or second headquarters, as everyone sees it.
  [[nodiscard]] float flag_chance(int seat, int which) const { return flags_[at(seat)][at(which)]; }

 private:
  void fill(Table& table, const PublicState& state, const RunningBelief& belief) const;
  void find_ways(const PublicState& state, const RunningBelief& belief);

  PolicyWeights weights_;
  int searcher_;
  std::array<Table, 2> tables_;      // by what everyone sees; by what the searching seat sees
  std::array<Distances, 2> ways_{};  // to the nearer flag of the other team
  std::array<std::array<float, 2>, 4> flags_{};
};

// A playout: the position, and which row of the tables each piece has.
class Playout {
 public:
  explicit Playout(const Position& position) : position_(position) {
    const PublicState& state = position.public_state();
    for (int piece = 0; piece < pieces; ++piece)
      rows_[at(piece)] =
          static_cast<std::uint8_t>(piece + (state.has(piece, Moved) ? PolicyTables::moved : 0));
  }

  [[nodiscard]] const Position& position() const { return position_; }
  [[nodiscard]] const PublicState& state() const { return position_.public_state(); }
  [[nodiscard]] int row(int piece) const { return rows_[at(piece)]; }
  void play(Move move);

 private:
  void know(int piece) {
    rows_[at(piece)] = static_cast<std::uint8_t>(PolicyTables::known + position_.kind(piece));
  }

  Position position_;
  std::array<std::uint8_t, pieces> rows_{};
};

class PlayoutPolicy {
 public:
  static constexpr float noise = 0.01F;  // of scores, at most

  PlayoutPolicy(const Playout& playout, const PolicyTables& tables);

  // Visits every legal move with its score; only comparisons mean something.
  template <class Visit>
  void each_score(Visit&& visit);
  // The best by score, with a little chance where they are nearly equal.
  [[nodiscard]] Move choose(Random& random);

 private:
  static constexpr float best_follow = 1.5F;  // an attack that may follow is worth no more

  [[nodiscard]] const Prospects& prospects(int station) const {
    return table_[at(playout_.row(state_.occupant(station)))];
  }
  void find_flags();
  [[nodiscard]] const Set& attackers(int station);
  [[nodiscard]] float risk(int from, int to, Kind kind);
  [[nodiscard]] float risk_after(int from, int to, Kind kind);
  [[nodiscard]] float attack(int from, int to, Kind kind);
  [[nodiscard]] float flag_danger(const PublicState& state, int gone) const;
  [[nodiscard]] float shielding(int from, int to, float kills) const;

  const Playout& playout_;
  const PublicState& state_;
  const PolicyTables& tables_;
  const PolicyWeights& weights_;
  int seat_;
  const PolicyTables::Table& table_;
  Set foes_;
  Set free_foes_;  // those that may move, if they are of a kind that does
  Set friends_;
  Set asked_;  // stations whose attackers are known
  std::array<Set, stations> attackers_;
  struct Guarded {
    int station;
    float chance;
  };
  std::array<Guarded, 4> flags_;
  int flag_count_ = 0;
  Set hunters_;
  float danger_ = 0;
};

inline Prospects::Prospects(const Chances& chances, const PolicyWeights& weights,
                            bool mine_goes_too) {
  for (int k = 0; k < kinds; ++k) {
    const float chance = chances[at(k)];
    if (chance == 0) continue;
    const auto kind = static_cast<Kind>(k);
    const float prize = weights.worth[at(k)];
    const bool moves = (movable & set_of(kind)) != 0;
    for (int o = 0; o < mover_kinds; ++o) {
      const auto own = static_cast<Kind>(o);
      const float worth = weights.worth[at(o)];
      const Battle attack = battle(own, kind, mine_goes_too);
      if (attack != Battle::Loses) gain[at(o)] += chance * prize, kills[at(o)] += chance;
      if (attack != Battle::Wins) gain[at(o)] -= chance * worth;
      if (attack == Battle::Wins) survives[at(o)] += chance;
      if (!moves) continue;
      const Battle attacked = battle(kind, own, mine_goes_too);
      if (attacked != Battle::Loses) loss[at(o)] += chance * worth;
      if (attacked != Battle::Wins) loss[at(o)] -= chance * prize;
    }
  }
}

// The kinds in a view that everyone else knows too: none by the usual rules, all when ranks are
// open.
inline Kinds shown_to_all(const View& view) {
  Kinds shown = view.all_kinds();
  for (int seat = 0; seat < 4; ++seat) {
    const View other(view.public_state(), view.all_kinds(), Seat{static_cast<std::uint8_t>(seat)});
    for (int piece = 0; piece < pieces; ++piece)
      if (seat_of(piece) != seat && other.kind(piece) == Unknown) shown[at(piece)] = Unknown;
  }
  return shown;
}

inline PolicyTables::PolicyTables(const View& view, const PolicyWeights& weights)
    : weights_(weights), searcher_(tempo::index(view.seat())) {
  const PublicState& state = view.public_state();
  const RunningBelief everyone(View(state, shown_to_all(view), view.seat()));
  fill(tables_[0], state, everyone);
  fill(tables_[1], state, RunningBelief(view));
  find_ways(state, everyone);
  for (int seat = 0; seat < 4; ++seat)
    for (int which = 0; which < 2; ++which) {
      const int piece = state.occupant(arm_size * seat + headquarters_offsets[at(which)]);
      if (piece != none && seat_of(piece) == seat)
        flags_[at(seat)][at(which)] = everyone.chance(piece, Flag);
    }
}

inline void PolicyTables::fill(Table& table, const PublicState& state,
                               const RunningBelief& belief) const {
  const bool mine_goes_too = state.options().mine_hit != 0;
  for (int piece = 0; piece < pieces; ++piece) {
    if (!state.on_board(piece)) continue;
    Chances chances = belief.chances(piece);
    table[at(piece)] = table[at(moved + piece)] = Prospects(chances, weights_, mine_goes_too);
    if (state.has(piece, Moved)) continue;
    const float still = chances[Mine] + chances[Flag];
    if (still == 0 || still > 0.999F) continue;
    chances[Mine] = chances[Flag] = 0;
    for (float& chance : chances) chance /= 1 - still;
    table[at(moved + piece)] = Prospects(chances, weights_, mine_goes_too);
  }
  for (int kind = 0; kind < kinds; ++kind) {
    Chances sure{};
    sure[at(kind)] = 1;
    table[at(known + kind)] = Prospects(sure, weights_, mine_goes_too);
  }
}

// Towards the nearer of the two flags, an army being the further the more of it is left.
inline void PolicyTables::find_ways(const PublicState& state, const RunningBelief& belief) {
  for (int team = 0; team < 2; ++team) {
    Distances& way = ways_[at(team)];
    way.fill(far_away);
    for (const int foe : {1 - team, 3 - team}) {
      if (!state.in_play(foe)) continue;
      const Distances roads = roads_to_flag(state, foe, belief);
      const int bias = state.stations_of(foe).count() / 2;
      for (int station = 0; station < stations; ++station)
        way[at(station)] = std::min(way[at(station)], roads[at(station)] + bias);
    }
  }
}

inline void Playout::play(Move move) {
  if (move != pass_move) {
    const int piece = state().occupant(from_of(move));
    const int target = state().occupant(to_of(move));
    if (target != none) {
      know(piece);
      know(target);
    } else if (rows_[at(piece)] < PolicyTables::moved) {
      rows_[at(piece)] = static_cast<std::uint8_t>(piece + PolicyTables::moved);
    }
  }
  position_.play(move);
}

inline PlayoutPolicy::PlayoutPolicy(const Playout& playout, const PolicyTables& tables)
    : playout_(playout),
      state_(playout.state()),
      tables_(tables),
      weights_(tables.weights()),
      seat_(state_.turn()),
      table_(tables.table(seat_)) {
  const Set& locked = headquarters_of(state_.options());
  foes_ = state_.stations_of((seat_ + 1) & 3) | state_.stations_of((seat_ + 3) & 3);
  free_foes_ = foes_ - locked;
  friends_ = (state_.stations_of(seat_) | state_.stations_of(seat_ ^ 2)) - locked;
  find_flags();
}

// The own flag for certain, the partner's by its chances; only those that a foe could take next.
inline void PlayoutPolicy::find_flags() {
  for (const int owner : {seat_, seat_ ^ 2})
    for (int which = 0; which < 2; ++which) {
      const int station = arm_size * owner + headquarters_offsets[at(which)];
      const int piece = state_.occupant(station);
      if (piece == none || seat_of(piece) != owner) continue;
      const bool own = owner == seat_;
      const int shown = state_.public_flag(owner);
      const bool sure = own || shown != none;
      const bool is_flag = own ? playout_.position().kind(piece) == Flag : shown == station;
      const float chance = (sure ? (is_flag ? 1.0F : 0.0F) : tables_.flag_chance(owner, which)) *
                           (own ? 1.0F : weights_.partner_flag);
      const Set& near = attackers(station);
      if (chance <= 0 || near.empty()) continue;
      flags_[at(flag_count_++)] = {station, chance};
      hunters_ |= near;
      danger_ = std::max(danger_, chance);
    }
}

// The foes that could get to a station next; sappers that turn are overlooked.
inline const Set& PlayoutPolicy::attackers(int station) {
  if (!asked_.has(station)) {
    asked_.add(station);
    attackers_[at(station)] = state_.joined(station) & free_foes_;
  }
  return attackers_[at(station)];
}

// What a piece risks at a station, and less if a friend other than itself could strike back.
inline float PlayoutPolicy::risk(int from, int to, Kind kind) {
  if (is_camp(to)) return 0;
  float worst = 0;
  attackers(to).each([&](int foe) { worst = std::max(worst, prospects(foe).loss[kind]); });
  if (worst <= 0) return 0;
  Set friends = friends_;
  friends -= Set::of(from);
  friends -= Set::of(to);
  const bool supported = !(state_.joined(to) & friends).empty();
  return supported ? worst * (1 - weights_.support) : worst;
}

// A foe that runs at a piece now may run on behind it.
inline float PlayoutPolicy::risk_after(int from, int to, Kind kind) {
  float worst = risk(from, to, kind);
  if (is_camp(to) || is_camp(from) || attackers(from).empty()) return worst;
  PublicState after = state_;
  after.shift(after.occupant(from), to);
  attackers(from).each([&](int foe) {
    if (after.targets(foe, Unknown, Set::of(to)).has(to))
      worst = std::max(worst, prospects(foe).loss[kind]);
  });
  return worst;
}

inline float PlayoutPolicy::attack(int from, int to, Kind kind) {
  const Prospects& foe = prospects(to);
  const float cost = is_headquarters(to) ? weights_.locked * weights_.worth[kind]
                                         : weights_.following * risk(from, to, kind);
  return foe.gain[kind] - foe.survives[kind] * cost;
}

// How badly the flags stand, if `gone` is no longer there: by the likeliest one within reach.
inline float PlayoutPolicy::flag_danger(const PublicState& state, int gone) const {
  float worst = 0;
  hunters_.each([&](int from) {
    if (from == gone) return;
    const Set reach = state.targets(from, Unknown, Set::all());
    for (int i = 0; i < flag_count_; ++i)
      if (reach.has(flags_[at(i)].station)) worst = std::max(worst, flags_[at(i)].chance);
  });
  return worst;
}

// What a move does about it; moves that open a way for others are not seen.
inline float PlayoutPolicy::shielding(int from, int to, float kills) const {
  if (danger_ == 0) return 0;
  if (kills > 0) return weights_.flag_risk * kills * (danger_ - flag_danger(state_, to));
  PublicState after = state_;
  after.shift(after.occupant(from), to);
  return weights_.flag_risk * (danger_ - flag_danger(after, none));
}

template <class Visit>
void PlayoutPolicy::each_score(Visit&& visit) {
  const int limit = state_.options().no_capture_draw;
  const float quiet =
      limit > 0 ? static_cast<float>(state_.quiet()) / static_cast<float>(limit) : 0.0F;
  const float restless = weights_.restless + weights_.more_restless * quiet * quiet;
  const Distances& way = tables_.way(seat_);
  const Set open = state_.open_to(seat_);
  (state_.stations_of(seat_) - headquarters_of(state_.options())).each([&](int from) {
    const int piece = state_.occupant(from);
    const Kind kind = playout_.position().kind(piece);
    if ((movable & set_of(kind)) == 0) return;
    const Set targets = state_.targets(from, kind, open);
    if (targets.empty()) return;
    const float stayed = weights_.staying * risk(from, from, kind);
    float attack_now = 0;
    (targets & foes_).each([&](int to) {
      const float worth = attack(from, to, kind);
      attack_now = std::max(attack_now, worth);
      const float shield = hunters_.has(to) ? shielding(from, to, prospects(to).kills[kind]) : 0.0F;
      visit(move_of(from, to), worth + restless + stayed + shield);
    });
    attack_now = std::min(attack_now, best_follow);
    const float pace = weights_.step * weights_.eagerness[kind] *
                       (row_of(homes[at(piece)]) >= 5 ? weights_.rear : 1.0F);
    const float leaving = state_.has(piece, Moved) ? 0.0F : weights_.first_move;
    (targets - foes_).each([&](int to) {
      if (is_headquarters(to)) {
        visit(move_of(from, to), -weights_.worth[kind]);
        return;
      }
      float attack_next = 0;
      state_.targets(to, Unknown, foes_ - camps).each([&](int next) {
        attack_next = std::max(attack_next, attack(from, next, kind));
      });
      visit(move_of(from, to),
            stayed - leaving - weights_.caution * risk_after(from, to, kind) +
                pace * static_cast<float>(way[at(from)] - way[at(to)]) +
                weights_.foresight * (std::min(attack_next, best_follow) - attack_now) +
                shielding(from, to, 0));
    });
  });
  if (state_.can_pass(seat_)) visit(pass_move, -0.05F);
}

inline Move PlayoutPolicy::choose(Random& random) {
  Move best = no_move;
  float highest = 0;
  each_score([&](Move move, float score) {
    const float worth = score + noise * static_cast<float>(random.uniform());
    if (best != no_move && worth <= highest) return;
    best = move;
    highest = worth;
  });
  return best;
}

}  // namespace tempo::siguo
