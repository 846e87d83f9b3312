// The summary of siguo-rules/1.0 (its vector B): 130 numbers that a player might count in place of
// looking at stations. Seats come in the order self, right, partner, left; all lies from -1 to 1.
//
//     0  material     of each seat: pieces of each kind still there, expected, of those it had
//    48  camps        of each arm: +1 own team, -1 others, 0 empty
//    68  headquarters of each arm: the chance that the flag stands there
//    76  known flags  76 + seat; from 80 on whether it is in play
//    84  centre       what stands on C1 to C9 in the seat's order, as in `stations`
//    93  flag safety  of each seat's likelier headquarters: moves of the nearest foe / 8, foes
//    within
//                     3 moves / 8, pieces of its team within 2 / 8, all moving as ordinary pieces
//   105  mobility     of each seat: moves / 100, foreign pieces being ordinary ones; share that
//   moved 113  top ranks    of right, partner, left: the highest possible / 9; the chance that one
//   of its
//                     ranks is above the own highest
//   119  threats      what the foes could take of the own pieces next, and the best of what could
//   be
//                     taken of them; then the same two for the partner; each / 2
//   123  clock        quiet plies and plies of their limits
//   125  the move     is an attack; chances to win, tie, lose; summary-sapper: only a sapper runs
//   so
//                     (summary: 1, for networks without biases)
//
// After a move the inputs up to 92 are expected over how a battle ends; those from 93 to 122 are of
// the board that is likeliest then, what pieces may be being as before the battle.
#pragma once

#include "inputs.h"

namespace tempo::siguo {

class Summary {
 public:
  Summary(const Encoder& encoder, const View& view, const RunningBelief& belief);

  void now(Inputs& x) const;
  void after(Move move, Inputs& x) const;  // a legal one of the view's seat

 private:
  enum Block {
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
  static constexpr int farthest = 8;

  struct Odds {  // of an attack
    float wins = 0;
    float ties = 0;
    float loses = 0;
    float flag = 0;  // part of wins, or of ties for a bomb
  };

  [[nodiscard]] int relative(int seat) const { return (seat - own_ + 4) & 3; }
  [[nodiscard]] const Chances& chances(int piece) const { return belief_.chances(piece); }
  void count_pieces();
  [[nodiscard]] Odds odds(Kind attacker, const Chances& defender) const;
  [[nodiscard]] int input_of(int station) const;
  void stands(int station, float sign, float value, Inputs& x) const;
  void expect_battle(Kind attacker, int to, int defender, const Odds& odds, Inputs& x) const;
  [[nodiscard]] Table likeliest(Move move, const Odds& odds) const;
  void look(const Table& table, const Set& fixed, const Set& changed, Inputs& x) const;
  // How safe a seat's flag is, and every station that this was found by looking at.
  struct Guarded {
    std::array<float, 3> safety{1, 0, 0};
    Set seen;
  };
  [[nodiscard]] Guarded guard(const Table& table, const Set& fixed, int seat) const;
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
  void reach(const Table& table, int from, Reach& out) const;
  void move_about(const Table& table, const Set& fixed, const Set& changed, Inputs& x) const;
  void compare_tops(const Table& table, Inputs& x) const;
  void clock(int quiet, int ply, Inputs& x) const;

  const Encoder& encoder_;
  const View& view_;
  const RunningBelief& belief_;
  int own_;
  bool mine_goes_too_;
  Set fixed_;                          // stations of what cannot move
  Inputs now_{};                       // without what depends on the board after the move
  std::array<Guarded, 4> guarded_{};   // by seat, before the move
  std::array<Reach, pieces> reaches_;  // of those that can move
  // By foe: how surely it removes a piece of each kind that it attacks, and what of its worth each
  // kind that attacks it takes.
  std::array<Chances, pieces> removes_{};
  std::array<Chances, pieces> taken_{};
};

inline Summary::Summary(const Encoder& encoder, const View& view, const RunningBelief& belief)
    : encoder_(encoder),
      view_(view),
      belief_(belief),
      own_(tempo::index(view.seat())),
      mine_goes_too_(view.options().mine_hit != 0),
      fixed_(headquarters_of(view.options())) {
  count_pieces();
  const Table& table = view.table();
  const BattleTable& battles = battle_tables[mine_goes_too_ ? 1 : 0];
  constexpr auto loses = static_cast<std::size_t>(Battle::Loses);
  for (int piece = 0; piece < pieces; ++piece) {
    if (!table.on_board(piece)) continue;
    if ((belief.possible(piece) & movable) == 0) fixed_.add(table.station(piece));
    if (((seat_of(piece) ^ own_) & 1) == 0) continue;
    const Chances& its = chances(piece);
    for (int k = 0; k < kinds; ++k)
      for (int other = 0; other < kinds; ++other) {
        const KindSet bit = set_of(static_cast<Kind>(other));
        if ((movable & bit) != 0 && (battles.attackers[loses][at(k)] & bit) == 0)
          removes_[at(piece)][at(k)] += its[at(other)];
        if ((movable >> k & 1) != 0 && (battles.defenders[loses][at(k)] & bit) == 0)
          taken_[at(piece)][at(k)] += its[at(other)] * encoder.worth(static_cast<Kind>(other));
      }
  }
  for (int seat = 0; seat < 4; ++seat) guarded_[at(seat)] = guard(table, fixed_, seat);
  (table.occupied() - fixed_).each([&](int station) {
    reach(table, station, reaches_[at(table.occupant(station))]);
  });
}

inline void Summary::count_pieces() {
  const Table& table = view_.table();
  for (int piece = 0; piece < pieces; ++piece) {
    if (!table.on_board(piece)) continue;
    const int seat = seat_of(piece);
    const Chances& its = chances(piece);
    for (int k = 0; k < kinds; ++k)
      now_[at(12 * relative(seat) + k)] += its[at(k)] / inventory[at(k)];
    stands(table.station(piece), encoder_.sign(own_, seat), encoder_.expected(its), now_);
    const int station = table.station(piece);
    if (is_headquarters(station)) now_[at(input_of(station))] = its[Flag];
  }
  for (int i = 0; i < Camps; ++i) now_[at(i)] = std::min(1.0F, now_[at(i)]);  // rounding
  for (int seat = 0; seat < 4; ++seat) {
    const bool in_play = table.in_play(seat);
    now_[at(Known + relative(seat))] = in_play && table.public_flag(seat) != none ? 1.0F : 0.0F;
    now_[at(Alive + relative(seat))] = in_play ? 1.0F : 0.0F;
  }
}

// The input that a camp, a headquarters or a station of the centre has to itself; none for others.
inline int Summary::input_of(int station) const {
  if (is_centre(station)) return Centre + Encoder::place(station, own_) - centre_first;
  const int arm = relative(arm_of(station));
  for (int camp = 0; camp < 5; ++camp)
    if (offset_of(station) == camp_offsets[at(camp)]) return Camps + 5 * arm + camp;
  for (int place = 0; place < 2; ++place)
    if (offset_of(station) == headquarters_offsets[at(place)]) return Quarters + 2 * arm + place;
  return none;
}

// Puts a piece on a camp or on the centre.
inline void Summary::stands(int station, float sign, float value, Inputs& x) const {
  if (is_centre(station)) x[at(input_of(station))] = sign * value;
  if (is_camp(station)) x[at(input_of(station))] = sign == 0 ? 0.0F : sign > 0 ? 1.0F : -1.0F;
}

inline Summary::Odds Summary::odds(Kind attacker, const Chances& defender) const {
  Odds all;
  for (int k = 0; k < kinds; ++k) {
    const Battle result = battle(attacker, static_cast<Kind>(k), mine_goes_too_);
    (result == Battle::Wins    ? all.wins
     : result == Battle::Loses ? all.loses
                               : all.ties) += defender[at(k)];
  }
  all.flag = defender[Flag];
  return all;
}

// What a battle changes on average: who is left, flags that it shows, and the army of a flag.
inline void Summary::expect_battle(Kind attacker, int to, int defender, const Odds& odds,
                                   Inputs& x) const {
  const int owner = relative(seat_of(defender));
  const Chances& its = chances(defender);
  const float dies = odds.ties + odds.loses;
  const bool shows = view_.options().flag_reveal == 0;
  x[attacker] -= dies / inventory[attacker];
  if (attacker == General && shows) x[Known] = std::max(x[Known], dies);
  const float keeps = 1 - odds.flag;
  float left = 0;
  for (int k = 0; k < kinds; ++k) {
    const auto kind = static_cast<Kind>(k);
    const bool stays = kind != Flag && battle(attacker, kind, mine_goes_too_) == Battle::Loses;
    float& alive = x[at(12 * owner + k)];
    alive = keeps * (alive - its[at(k)] / inventory[at(k)]) +
            (stays ? its[at(k)] / inventory[at(k)] : 0.0F);
    alive = std::max(alive, 0.0F);  // rounding
    if (stays) left += its[at(k)] * encoder_.worth(kind);
  }
  const float general =
      its[General] * (battle(attacker, General, mine_goes_too_) == Battle::Loses ? 0.0F : 1.0F);
  if (shows) x[at(Known + owner)] += (1 - x[at(Known + owner)]) * general;
  stands(to, 1, odds.wins * encoder_.worth(attacker) - left, x);
  if (odds.flag == 0) return;
  x[at(Known + owner)] *= keeps;
  x[at(Alive + owner)] *= keeps;
  view_.table().stations_of(seat_of(defender)).each([&](int station) {
    if (station != to && input_of(station) != none) x[at(input_of(station))] *= keeps;
  });
}

// The board after the likeliest end of a move.
inline Table Summary::likeliest(Move move, const Odds& odds) const {
  Table table = view_.table();
  if (move == pass_move) return table;
  const int piece = table.occupant(from_of(move));
  const int target = table.occupant(to_of(move));
  if (target != none) {
    const bool bomb = view_.kind(piece) == Bomb;
    const float wins = odds.wins - (bomb ? 0 : odds.flag);
    const float ties = odds.ties - (bomb ? odds.flag : 0);
    const float most = std::max({odds.flag, wins, odds.loses, ties});
    if (odds.flag == most) {
      table.kill(target, piece);
      table.eliminate(seat_of(target));
      if (bomb) table.kill(piece, target);
    } else {
      if (wins == most || odds.loses != most) table.kill(target, piece);
      if (wins != most) table.kill(piece, target);
    }
    if (!table.on_board(piece)) return table;
  }
  table.mark(piece, Moved);
  table.shift(piece, to_of(move));
  return table;
}

inline void Summary::now(Inputs& x) const {
  x = now_;
  look(view_.table(), fixed_, {}, x);
  clock(view_.table().quiet(), view_.table().ply(), x);
  x[stations] = encoder_.kind() == InputKind::Summary ? 1.0F : 0.0F;
}

inline void Summary::after(Move move, Inputs& x) const {
  const Table& table = view_.table();
  x = now_;
  Odds chance;
  Set fixed = fixed_;
  bool attacks = false;
  if (move != pass_move) {
    const int to = to_of(move);
    const int target = table.occupant(to);
    const Kind kind = view_.kind(table.occupant(from_of(move)));
    attacks = target != none;
    stands(from_of(move), 0, 0, x);
    if (attacks) {
      chance = odds(kind, chances(target));
      if (is_headquarters(to)) x[at(input_of(to))] = 0;
      expect_battle(kind, to, target, chance, x);
    } else {
      stands(to, 1, encoder_.worth(kind), x);
    }
  }
  const Table board = likeliest(move, chance);
  Set changed;
  for (int seat = 0; seat < 4; ++seat) {
    const Set before = table.stations_of(seat);
    const Set later = board.stations_of(seat);
    changed |= (before - later) | (later - before);
  }
  if (attacks && board.occupant(to_of(move)) != table.occupant(to_of(move)))
    fixed = (fixed - Set::of(to_of(move))) | headquarters_of(view_.options());
  look(board, fixed, changed, x);
  clock(attacks ? 0 : table.quiet() + 1, table.ply() + 1, x);
  x[Action] = attacks ? 1.0F : 0.0F;
  x[Action + 1] = chance.wins;
  x[Action + 2] = chance.ties;
  x[Action + 3] = chance.loses;
  const bool shown = move != pass_move && encoder_.kind() == InputKind::SummarySapper &&
                     table.shows_sapper(from_of(move), to_of(move));
  x[stations] = encoder_.kind() == InputKind::Summary || shown ? 1.0F : 0.0F;
}

// `changed` are the stations at which the board is another than before the move.
inline void Summary::look(const Table& table, const Set& fixed, const Set& changed,
                          Inputs& x) const {
  for (int seat = 0; seat < 4; ++seat) {
    const bool same = (guarded_[at(seat)].seen & changed).empty();
    const auto& safety = same ? guarded_[at(seat)].safety : guard(table, fixed, seat).safety;
    std::copy(safety.begin(), safety.end(), &x[at(Safety + 3 * relative(seat))]);
  }
  move_about(table, fixed, changed, x);
  compare_tops(table, x);
}

inline Summary::Guarded Summary::guard(const Table& table, const Set& fixed, int seat) const {
  Guarded found;
  int flag = none;
  float likeliest = 0;
  for (const int offset : headquarters_offsets) {
    const int piece = table.occupant(arm_size * seat + offset);
    if (piece == none || seat_of(piece) != seat || chances(piece)[Flag] <= likeliest) continue;
    flag = table.station(piece);
    likeliest = chances(piece)[Flag];
  }
  found.seen = Set::of(arm_size * seat + headquarters_offsets[0]) |
               Set::of(arm_size * seat + headquarters_offsets[1]);
  if (flag == none) return found;
  const Set occupied = table.occupied();
  const Set team = (table.stations_of(seat) | table.stations_of(seat ^ 2)) - fixed;
  const Set foes = occupied - table.stations_of(seat) - table.stations_of(seat ^ 2) - fixed;
  Set frontier = Set::of(flag);
  Set seen = frontier;
  int nearest = farthest;
  int near = 0;
  int guards = 0;
  for (int steps = 1; steps < farthest && !frontier.empty(); ++steps) {
    Set next;
    frontier.each([&](int station) { next |= table.joined(station); });
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

inline void Summary::reach(const Table& table, int from, Reach& out) const {
  const int piece = table.occupant(from);
  const int seat = seat_of(piece);
  const bool foe = ((seat ^ own_) & 1) != 0;
  const Kind kind = seat == own_ ? view_.kind(piece) : Unknown;
  const Set targets = table.targets(from, kind, table.open_to(seat));
  out.runs_anywhere = kind == Sapper;
  out.seen = table.joined(from) | Set::of(from);
  out.moves = targets.count();
  out.capture = 0;
  out.threatened = 0;
  const int other = (seat + 1) & 3;
  (targets & (table.stations_of(other) | table.stations_of(other ^ 2))).each([&](int to) {
    const int met = table.occupant(to);
    const Chances& its = foe ? chances(met) : chances(piece);
    const Chances& by = foe ? removes_[at(piece)] : taken_[at(met)];
    float sum = 0;
    for (std::size_t k = 0; k < kinds; ++k)
      sum += its[k] * by[k] * (foe ? encoder_.worth(static_cast<Kind>(k)) : 1.0F);
    if (!foe) {
      out.capture = std::max(out.capture, sum);
    } else {
      out.to[at(out.threatened)] = static_cast<std::uint8_t>(to);
      out.risk[at(out.threatened++)] = sum;
    }
  });
}

inline void Summary::move_about(const Table& table, const Set& fixed, const Set& changed,
                                Inputs& x) const {
  std::array<float, stations> risks{};
  std::array<float, 2> captures{};  // own, partner
  Reach anew;
  for (int seat = 0; seat < 4; ++seat) {
    int moves = 0;
    int moved = 0;
    table.stations_of(seat).each([&](int from) {
      const int piece = table.occupant(from);
      moved += table.has(piece, Moved) ? 1 : 0;
      if (fixed.has(from)) return;
      const Reach* found = &reaches_[at(piece)];
      if (!changed.empty() && (found->runs_anywhere || !(found->seen & changed).empty())) {
        reach(table, from, anew);
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
    const int count = table.stations_of(seat).count();
    float* out = &x[at(Mobility + 2 * relative(seat))];
    out[0] = std::min(1.0F, static_cast<float>(moves) / 100);
    out[1] = count > 0 ? static_cast<float>(moved) / static_cast<float>(count) : 0.0F;
  }
  for (const int side : {0, 1}) {
    float risk = 0;
    table.stations_of(side == 0 ? own_ : own_ ^ 2).each([&](int station) {
      risk += risks[at(station)];
    });
    x[at(Threats + 2 * side)] = std::min(1.0F, risk / 2);
    x[at(Threats + 2 * side + 1)] = std::min(1.0F, captures[at(side)] / 2);
  }
}

inline void Summary::compare_tops(const Table& table, Inputs& x) const {
  const auto top = [&](int seat) {
    KindSet all = 0;
    table.stations_of(seat).each(
        [&](int station) { all |= belief_.possible(table.occupant(station)); });
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

inline void Summary::clock(int quiet, int ply, Inputs& x) const {
  const Options& options = view_.options();
  const int limit = options.no_capture_draw > 0 ? options.no_capture_draw : 70;
  x[Clock] = std::min(1.0F, static_cast<float>(quiet) / static_cast<float>(limit));
  x[Clock + 1] = std::min(1.0F, static_cast<float>(ply) / static_cast<float>(options.max_plies));
}

}  // namespace tempo::siguo
