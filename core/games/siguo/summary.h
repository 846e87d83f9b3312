// The summary of siguo-rules/1.0 (its vector B): 130 numbers that a player might count in place of
// looking at stations. Seats come in the order self, right, partner, left; all lies from -1 to 1.
//
//     0  material     of each seat: pieces of each kind still there, expected, of those it had
//    48  camps        of each arm: +1 own team, -1 others, 0 empty
//    68  headquarters of each arm: the chance that the flag stands there
//    76  known flags  76 + seat; from 80 on whether it is in play
//    84  centre       what stands on C1 to C9 in the seat's order, as in `stations`
//    93  flag safety  of each seat's likelier headquarters: moves of the nearest foe / 8,
//                     foes within 3 moves / 8, pieces of its team within 2 / 8,
//                     all moving as ordinary pieces
//   105  mobility     of each seat: moves / 100, foreign pieces being ordinary ones;
//                     share that moved
//   113  top ranks    of right, partner, left: the highest possible / 9;
//                     the chance that one of its ranks is above the own highest
//   119  threats      what the foes could take of the own pieces next, and the best of
//                     what could be taken of them; the same two for the partner; each / 2
//   123  clock        quiet plies and plies of their limits
//   125  the move     is an attack; chances to win, tie, lose;
//                     summary-sapper: only a sapper runs so
//                     (summary: 1, for networks without biases)
//
// After a move the inputs up to 92 are expected over how a battle ends; those from 93 to 122 are of
// the board that is likeliest then, what pieces may be being as before the battle (outlook.h).
#pragma once

#include "outlook.h"

namespace tempo::siguo {

class Summary {
 public:
  Summary(const Encoder& encoder, const View& view, const RunningBelief& belief);

  void now(Inputs& x) const;
  void after(Move move, Inputs& x) const;  // a legal one of the view's seat

 private:
  using enum Outlook::Block;
  // The input that a camp, a headquarters or a station of the centre has to itself, by where it
  // lies for the seat; none for others.
  static constexpr std::array<std::uint8_t, stations> inputs_of = [] {
    std::array<std::uint8_t, stations> all{};
    all.fill(none);
    const auto note = [&](int place, int input) {
      all[at(place)] = static_cast<std::uint8_t>(input);
    };
    for (int arm = 0; arm < 4; ++arm) {
      for (int i = 0; i < 5; ++i) note(arm_size * arm + camp_offsets[at(i)], Camps + 5 * arm + i);
      for (int i = 0; i < 2; ++i)
        note(arm_size * arm + headquarters_offsets[at(i)], Quarters + 2 * arm + i);
    }
    for (int i = 0; i < 9; ++i) note(centre_first + i, Centre + i);
    return all;
  }();

  struct Odds {  // of an attack
    float wins = 0;
    float ties = 0;
    float loses = 0;
    float flag = 0;  // part of wins, or of ties for a bomb
  };

  [[nodiscard]] int relative(int seat) const { return outlook_.relative(seat); }
  [[nodiscard]] const Chances& chances(int piece) const { return belief_.chances(piece); }
  void count_pieces();
  [[nodiscard]] Odds odds(Kind attacker, const Chances& defender) const;
  [[nodiscard]] int input_of(int station) const {
    return inputs_of[at(Encoder::place(station, own_))];
  }
  void stands(int station, float sign, float value, Inputs& x) const;
  void expect_battle(Kind attacker, int to, int defender, const Odds& odds, Inputs& x) const;
  [[nodiscard]] PublicState likeliest(Move move, const Odds& odds) const;
  void clock(int quiet, int ply, Inputs& x) const;

  const Encoder& encoder_;
  const View& view_;
  const RunningBelief& belief_;
  int own_;
  bool mine_goes_too_;
  Outlook outlook_;
  Inputs now_{};  // without what depends on the board after the move
};

inline Summary::Summary(const Encoder& encoder, const View& view, const RunningBelief& belief)
    : encoder_(encoder),
      view_(view),
      belief_(belief),
      own_(tempo::index(view.seat())),
      mine_goes_too_(view.options().mine_hit != 0),
      outlook_(encoder, view, belief) {
  count_pieces();
}

inline void Summary::count_pieces() {
  constexpr Chances had = [] {
    Chances all{};
    for (std::size_t k = 0; k < kinds; ++k) all[k] = inventory[k];
    return all;
  }();
  const PublicState& state = view_.public_state();
  for (int seat = 0; seat < 4; ++seat) {
    Chances material{};
    for (int piece = slots * seat; piece < slots * (seat + 1); ++piece) {
      const int station = state.station(piece);
      if (station == none) continue;
      const Chances& its = chances(piece);
      for (std::size_t k = 0; k < kinds; ++k) material[k] += its[k] / had[k];
      if (input_of(station) == none) continue;
      if (headquarters.has(station)) now_[at(input_of(station))] = its[Flag];
      const float value = is_centre(station) ? encoder_.expected(its) : 0;
      stands(station, encoder_.sign(own_, seat), value, now_);
    }
    std::copy(material.begin(), material.end(), &now_[at(12 * relative(seat))]);
  }
  for (int i = 0; i < Camps; ++i) now_[at(i)] = std::min(1.0F, now_[at(i)]);  // rounding
  for (int seat = 0; seat < 4; ++seat) {
    const bool in_play = state.in_play(seat);
    now_[at(Known + relative(seat))] = in_play && state.public_flag(seat) != none ? 1.0F : 0.0F;
    now_[at(Alive + relative(seat))] = in_play ? 1.0F : 0.0F;
  }
}

// Puts a piece on a camp or on the centre.
inline void Summary::stands(int station, float sign, float value, Inputs& x) const {
  if (is_centre(station)) x[at(input_of(station))] = sign * value;
  if (camps.has(station)) x[at(input_of(station))] = sign == 0 ? 0.0F : sign > 0 ? 1.0F : -1.0F;
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
  view_.public_state().stations_of(seat_of(defender)).each([&](int station) {
    if (station != to && input_of(station) != none) x[at(input_of(station))] *= keeps;
  });
}

// The board after the likeliest end of a move.
inline PublicState Summary::likeliest(Move move, const Odds& odds) const {
  PublicState state = view_.public_state();
  if (move == pass_move) return state;
  const int piece = state.occupant(from_of(move));
  const int target = state.occupant(to_of(move));
  if (target != none) {
    const bool bomb = view_.kind(piece) == Bomb;
    const float wins = odds.wins - (bomb ? 0 : odds.flag);
    const float ties = odds.ties - (bomb ? odds.flag : 0);
    const float most = std::max({odds.flag, wins, odds.loses, ties});
    if (odds.flag == most) {
      state.kill(target, piece);
      state.eliminate(seat_of(target));
      if (bomb) state.kill(piece, target);
    } else {
      if (wins == most || odds.loses != most) state.kill(target, piece);
      if (wins != most) state.kill(piece, target);
    }
    if (!state.on_board(piece)) return state;
  }
  state.mark(piece, Moved);
  state.shift(piece, to_of(move));
  return state;
}

inline void Summary::now(Inputs& x) const {
  x = now_;
  outlook_.now(x);
  clock(view_.public_state().quiet(), view_.public_state().ply(), x);
  x[stations] = encoder_.kind() == InputKind::Summary ? 1.0F : 0.0F;
}

inline void Summary::after(Move move, Inputs& x) const {
  const PublicState& state = view_.public_state();
  x = now_;
  Odds chance;
  bool attacks = false;
  if (move != pass_move) {
    const int to = to_of(move);
    const int target = state.occupant(to);
    const Kind kind = view_.kind(state.occupant(from_of(move)));
    attacks = target != none;
    stands(from_of(move), 0, 0, x);
    if (attacks) {
      chance = odds(kind, chances(target));
      if (headquarters.has(to)) x[at(input_of(to))] = 0;
      expect_battle(kind, to, target, chance, x);
    } else {
      stands(to, 1, encoder_.worth(kind), x);
    }
  }
  outlook_.after(move, likeliest(move, chance), x);
  clock(attacks ? 0 : state.quiet() + 1, state.ply() + 1, x);
  x[Action] = attacks ? 1.0F : 0.0F;
  x[Action + 1] = chance.wins;
  x[Action + 2] = chance.ties;
  x[Action + 3] = chance.loses;
  const bool shown = move != pass_move && encoder_.kind() == InputKind::SummarySapper &&
                     state.shows_sapper(from_of(move), to_of(move));
  x[stations] = encoder_.kind() == InputKind::Summary || shown ? 1.0F : 0.0F;
}

inline void Summary::clock(int quiet, int ply, Inputs& x) const {
  const Options& options = view_.options();
  const int limit = options.no_capture_draw > 0 ? options.no_capture_draw : 70;
  x[Clock] = std::min(1.0F, static_cast<float>(quiet) / static_cast<float>(limit));
  x[Clock + 1] = std::min(1.0F, static_cast<float>(ply) / static_cast<float>(options.max_plies));
}

}  // namespace tempo::siguo
