// What a seat can see coming on a board: how safe the flags are, how freely everyone moves, whose
// ranks are above its own, and what is about to be taken. These are the inputs 93 to 122 of the
// summary (summary.h), which are of the board that a move most likely leads to. One move changes
// little of a board, so what was found before it is looked at again only where it may differ.
#pragma once

#include "inputs.h"

namespace tempo::siguo {

// Which attackers do not lose against which defenders, as factors 1 and 0.
struct Unbeaten {
  std::array<Chances, kinds> by_attacker{};
  std::array<Chances, kinds> by_defender{};

  constexpr explicit Unbeaten(bool mine_goes_too) {
    for (int a = 0; a < kinds; ++a)
      for (int d = 0; d < kinds; ++d) {
        const auto attacker = static_cast<Kind>(a);
        if ((movable & set_of(attacker)) == 0 ||
            battle(attacker, static_cast<Kind>(d), mine_goes_too) == Battle::Loses)
          continue;
        by_attacker[at(a)][at(d)] = 1;
        by_defender[at(d)][at(a)] = 1;
      }
  }
};
inline constexpr std::array<Unbeaten, 2> unbeaten{Unbeaten(false), Unbeaten(true)};

class Outlook {
 public:
  enum Block {  // where the parts of the summary begin
    Material,
    Camps = 48,
    Quarters = 68,
    Known = 76,
    Alive = 80,
    Centre = 84,
    Safety = 93,
    Mobility = 105,
    Tops = 113,
    Threats = 119,
    Clock = 123,
    Action = 125
  };

  Outlook(const Encoder& encoder, const View& view, const RunningBelief& belief);

  [[nodiscard]] int relative(int seat) const { return (seat - own_ + 4) & 3; }
  // Both read the material in `x`.
  void now(Inputs& x) const;
  void after(Move move, const PublicState& board, Inputs& x) const;  // the board that it led to

 private:
  static constexpr int farthest = 8;

  // How safe a seat's flag is, and every station that this was found by looking at.
  struct Guarded {
    std::array<float, 3> safety{1, 0, 0};
    Set seen;
  };
  [[nodiscard]] Guarded guard(const PublicState& state, const Set& fixed, int seat) const;
  // What a piece could do next, and every station that this was found by looking at.
  struct Reach {
    Set seen;
    bool runs_anywhere;  // a sapper of the own: it sees all railways
    int moves;
    float capture;   // of the own team: what the best attack takes
    int threatened;  // of the others: whom it attacks, and what that costs
    std::array<std::uint8_t, 2 * slots> to;
    std::array<float, 2 * slots> risk;
  };
  void reach(const PublicState& state, int from, const Set& open, Reach& out) const;
  [[nodiscard]] float gain(int attacker, int foe) const;
  [[nodiscard]] Chances removes(int foe) const;
  [[nodiscard]] float risk(int piece, const Chances& removed) const;
  void look(const PublicState& state, const Set& fixed, const Set& changed, Inputs& x) const;
  void move_about(const PublicState& state, const Set& fixed, const Set& changed, Inputs& x) const;
  void count_moved(const PublicState& state, const Set& moved, Inputs& x) const;
  void compare_tops(const PublicState& state, Inputs& x) const;
  [[nodiscard]] const Chances& chances(int piece) const { return belief_.chances(piece); }

  const Encoder& encoder_;
  const View& view_;
  const RunningBelief& belief_;
  const Unbeaten& unbeaten_;
  int own_;
  bool plain_moves_;                   // no rule but the roads says where an ordinary piece goes
  Set fixed_;                          // stations of what cannot move
  Set moved_;                          // and of what has moved
  std::array<KindSet, 4> possible_{};  // by seat: what some piece of it may be
  std::array<Guarded, 4> guarded_{};   // by seat, before the move
  std::array<Reach, pieces> reaches_;  // of those that can move
};

inline Outlook::Outlook(const Encoder& encoder, const View& view, const RunningBelief& belief)
    : encoder_(encoder),
      view_(view),
      belief_(belief),
      unbeaten_(unbeaten[view.options().mine_hit != 0 ? 1 : 0]),
      own_(tempo::index(view.seat())),
      plain_moves_(!view.options().guards_headquarters() && view.options().repetition == 0),
      fixed_(headquarters_of(view.options())) {
  const PublicState& state = view.public_state();
  for (int seat = 0; seat < 4; ++seat)
    state.stations_of(seat).each([&](int station) {
      const int piece = state.occupant(station);
      possible_[at(seat)] |= belief.possible(piece);
      if ((belief.possible(piece) & movable) == 0) fixed_.add(station);
      if (state.has(piece, Moved)) moved_.add(station);
    });
  for (int seat = 0; seat < 4; ++seat) {
    guarded_[at(seat)] = guard(state, fixed_, seat);
    const Set open = state.open_to(seat);
    (state.stations_of(seat) - fixed_).each([&](int station) {
      reach(state, station, open, reaches_[at(state.occupant(station))]);
    });
  }
}

inline void Outlook::now(Inputs& x) const {
  look(view_.public_state(), fixed_, {}, x);
  count_moved(view_.public_state(), moved_, x);
}

inline void Outlook::after(Move move, const PublicState& board, Inputs& x) const {
  if (move == pass_move) return now(x);
  const PublicState& state = view_.public_state();
  const int from = from_of(move);
  const int to = to_of(move);
  Set changed;
  for (int seat = 0; seat < 4; ++seat) {
    const Set before = state.stations_of(seat);
    const Set later = board.stations_of(seat);
    changed |= (before - later) | (later - before);
  }
  Set fixed = fixed_;
  if (state.occupant(to) != none && board.occupant(to) != state.occupant(to))
    fixed = (fixed - Set::of(to)) | headquarters_of(view_.options());
  Set moved = moved_ - Set::of(from);
  if (board.occupant(to) == state.occupant(from)) moved.add(to);
  look(board, fixed, changed, x);
  count_moved(board, moved, x);
}

// `changed` are the stations at which the board is another than before the move.
inline void Outlook::look(const PublicState& state, const Set& fixed, const Set& changed,
                          Inputs& x) const {
  for (int seat = 0; seat < 4; ++seat) {
    const bool same = (guarded_[at(seat)].seen & changed).empty();
    const auto& safety = same ? guarded_[at(seat)].safety : guard(state, fixed, seat).safety;
    std::copy(safety.begin(), safety.end(), &x[at(Safety + 3 * relative(seat))]);
  }
  move_about(state, fixed, changed, x);
  compare_tops(state, x);
}

inline Outlook::Guarded Outlook::guard(const PublicState& state, const Set& fixed, int seat) const {
  Guarded found;
  int flag = none;
  float likeliest = 0;
  for (const int offset : headquarters_offsets) {
    const int piece = state.occupant(arm_size * seat + offset);
    if (piece == none || seat_of(piece) != seat || chances(piece)[Flag] <= likeliest) continue;
    flag = state.station(piece);
    likeliest = chances(piece)[Flag];
  }
  found.seen = Set::of(arm_size * seat + headquarters_offsets[0]) |
               Set::of(arm_size * seat + headquarters_offsets[1]);
  if (flag == none) return found;
  const Set occupied = state.occupied();
  const Set team = (state.stations_of(seat) | state.stations_of(seat ^ 2)) - fixed;
  const Set foes = occupied - state.stations_of(seat) - state.stations_of(seat ^ 2) - fixed;
  Set frontier = Set::of(flag);
  Set seen = frontier;
  int nearest = farthest;
  int near = 0;
  int guards = 0;
  for (int steps = 1; steps < farthest && !frontier.empty(); ++steps) {
    Set next;
    frontier.each([&](int station) { next |= state.joined(station); });
    next -= seen;
    seen |= next;
    const int found = (next & foes).count();
    if (found > 0) nearest = std::min(nearest, steps);
    if (steps <= 3) near += found;
    if (steps <= 2) guards += (next & team).count();
    if (steps >= 3 && nearest < farthest) break;
    frontier = next - occupied;
  }
  found.seen |= seen;
  found.safety = {static_cast<float>(nearest) / farthest,
                  std::min(1.0F, static_cast<float>(near) / 8),
                  std::min(1.0F, static_cast<float>(guards) / 8)};
  return found;
}

inline void Outlook::reach(const PublicState& state, int from, const Set& open, Reach& out) const {
  const int piece = state.occupant(from);
  const int seat = seats_of[at(piece)];
  const Kind kind = seat == own_ ? view_.kind(piece) : Unknown;
  const Set joined = state.joined(from);
  const Set targets =
      kind != Sapper && plain_moves_ ? joined & open : state.targets(from, kind, open);
  out.runs_anywhere = kind == Sapper;
  out.seen = joined | Set::of(from);
  out.moves = targets.count();
  out.capture = 0;
  out.threatened = 0;
  const int other = (seat + 1) & 3;
  const Set attacked = targets & (state.stations_of(other) | state.stations_of(other ^ 2));
  if (attacked.empty()) return;
  if (((seat ^ own_) & 1) == 0) {
    attacked.each(
        [&](int to) { out.capture = std::max(out.capture, gain(piece, state.occupant(to))); });
    return;
  }
  const Chances removed = removes(piece);
  attacked.each([&](int to) {
    out.to[at(out.threatened)] = static_cast<std::uint8_t>(to);
    out.risk[at(out.threatened++)] = risk(state.occupant(to), removed);
  });
}

// What an attack takes of a foe's worth.
inline float Outlook::gain(int attacker, int foe) const {
  Chances taken{};  // by each kind
  for (int k = 0; k < kinds; ++k) {
    const float worth = chances(foe)[at(k)] * encoder_.worth(static_cast<Kind>(k));
    const Chances& by = unbeaten_.by_defender[at(k)];
    for (std::size_t other = 0; other < kinds; ++other) taken[other] += worth * by[other];
  }
  float sum = 0;
  for (KindSet set = belief_.possible(attacker); set != 0; set &= static_cast<KindSet>(set - 1)) {
    const auto k = at(std::countr_zero(set));
    sum += chances(attacker)[k] * taken[k];
  }
  return sum;
}

// How surely a foe removes a piece of each kind that it attacks.
inline Chances Outlook::removes(int foe) const {
  Chances sure{};
  for (int k = 0; k < kinds; ++k) {
    const float chance = chances(foe)[at(k)];
    const Chances& of = unbeaten_.by_attacker[at(k)];
    for (std::size_t other = 0; other < kinds; ++other) sure[other] += chance * of[other];
  }
  return sure;
}

// What that costs, of a piece's worth.
inline float Outlook::risk(int piece, const Chances& removed) const {
  float sum = 0;
  for (KindSet set = belief_.possible(piece); set != 0; set &= static_cast<KindSet>(set - 1)) {
    const int k = std::countr_zero(set);
    sum += chances(piece)[at(k)] * removed[at(k)] * encoder_.worth(static_cast<Kind>(k));
  }
  return sum;
}

inline void Outlook::move_about(const PublicState& state, const Set& fixed, const Set& changed,
                                Inputs& x) const {
  std::array<float, stations> risks{};
  std::array<float, 2> captures{};  // own, partner
  Reach anew;
  for (int seat = 0; seat < 4; ++seat) {
    int moves = 0;
    const Set open = state.open_to(seat);
    (state.stations_of(seat) - fixed).each([&](int from) {
      const Reach* found = &reaches_[at(state.occupant(from))];
      if (!changed.empty() && (found->runs_anywhere || !(found->seen & changed).empty())) {
        reach(state, from, open, anew);
        found = &anew;
      }
      moves += found->moves;
      for (int i = 0; i < found->threatened; ++i) {
        float& worst = risks[found->to[at(i)]];
        worst = std::max(worst, found->risk[at(i)]);
      }
      float& best = captures[seat == own_ ? 0 : 1];
      best = std::max(best, found->capture);
    });
    x[at(Mobility + 2 * relative(seat))] = std::min(1.0F, static_cast<float>(moves) / 100);
  }
  for (const int side : {0, 1}) {
    float risk = 0;
    state.stations_of(side == 0 ? own_ : own_ ^ 2).each([&](int station) {
      risk += risks[at(station)];
    });
    x[at(Threats + 2 * side)] = std::min(1.0F, risk / 2);
    x[at(Threats + 2 * side + 1)] = std::min(1.0F, captures[at(side)] / 2);
  }
}

inline void Outlook::count_moved(const PublicState& state, const Set& moved, Inputs& x) const {
  for (int seat = 0; seat < 4; ++seat) {
    const Set& all = state.stations_of(seat);
    const auto share = static_cast<float>((all & moved).count());
    x[at(Mobility + 2 * relative(seat) + 1)] =
        all.empty() ? 0.0F : share / static_cast<float>(all.count());
  }
}

inline void Outlook::compare_tops(const PublicState& state, Inputs& x) const {
  const auto top = [&](int seat) {
    KindSet all = possible_[at(seat)];
    if (state.stations_of(seat).count() != view_.public_state().stations_of(seat).count()) {
      all = 0;
      state.stations_of(seat).each(
          [&](int station) { all |= belief_.possible(state.occupant(station)); });
    }
    all &= ranks;
    return all == 0 ? ranked : std::countr_zero(all);  // kinds from the highest
  };
  const int own = top(own_);
  for (int p = 1; p < 4; ++p) {
    float none_above = 1;
    for (int k = 0; k < own; ++k)
      for (int n = 0; n < inventory[at(k)]; ++n)
        none_above *= 1 - std::min(1.0F, x[at(12 * p + k)]);
    x[at(Tops + 2 * (p - 1))] = static_cast<float>(ranked - top((own_ + p) & 3)) / ranked;
    x[at(Tops + 2 * (p - 1) + 1)] = 1 - none_above;
  }
}

}  // namespace tempo::siguo
