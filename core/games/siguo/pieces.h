// The twelve kinds, the hundred pieces and what happens when two of them meet. Everyone can tell a
// piece by its home, the station it was deployed on: piece = 25 * seat + slot, slots numbered as
// the stations of an arm without its camps. What only the owner knows is its kind.
#pragma once

#include "stations.h"

namespace tempo::siguo {

enum Kind : std::uint8_t {
  General,
  LieutenantGeneral,
  MajorGeneral,
  Brigadier,
  Colonel,
  LieutenantColonel,
  Captain,
  Lieutenant,
  Sapper,
  Bomb,
  Mine,
  Flag,
  Unknown
};
inline constexpr int kinds = 12;
inline constexpr int ranked = 9;  // General to Sapper
inline constexpr std::string_view kind_letters = "987654321BMF?";
inline constexpr std::array<std::uint8_t, kinds> inventory{1, 1, 2, 2, 2, 2, 3, 3, 3, 2, 3, 1};

// A set of kinds, one bit each.
using KindSet = std::uint16_t;
constexpr KindSet set_of(Kind kind) { return static_cast<KindSet>(1U << kind); }
inline constexpr KindSet ranks = 0x1FF;
inline constexpr KindSet every_kind = 0xFFF;
inline constexpr KindSet movable = ranks | 1U << Bomb;

inline constexpr int slots = 25;
inline constexpr int pieces = 4 * slots;
constexpr int seat_of(int piece) { return piece / slots; }
constexpr bool are_opposed(int piece, int other) { return (seat_of(piece) ^ seat_of(other)) & 1; }

inline constexpr std::array<std::uint8_t, slots> slot_offsets = [] {
  std::array<std::uint8_t, slots> offsets{};
  int slot = 0;
  for (int offset = 0; offset < arm_size; ++offset)
    if (!is_camp(offset)) offsets[at(slot++)] = static_cast<std::uint8_t>(offset);
  return offsets;
}();
inline constexpr std::array<std::uint8_t, pieces> homes = [] {
  std::array<std::uint8_t, pieces> all{};
  for (int piece = 0; piece < pieces; ++piece)
    all[at(piece)] =
        static_cast<std::uint8_t>(arm_size * seat_of(piece) + slot_offsets[at(piece % slots)]);
  return all;
}();
// The piece whose home a station is, or none.
inline constexpr std::array<std::uint8_t, stations> residents = [] {
  std::array<std::uint8_t, stations> all{};
  all.fill(none);
  for (int piece = 0; piece < pieces; ++piece)
    all[homes[at(piece)]] = static_cast<std::uint8_t>(piece);
  return all;
}();
inline constexpr std::array<std::uint8_t, pieces> seats_of = [] {
  std::array<std::uint8_t, pieces> all{};
  for (int piece = 0; piece < pieces; ++piece)
    all[at(piece)] = static_cast<std::uint8_t>(seat_of(piece));
  return all;
}();

// By piece; Unknown where it is hidden.
using Kinds = std::array<Kind, pieces>;

// What may be deployed where: the flag in a headquarters, mines in the two rear rows, no bomb in
// the front row. `one` is the rule with a single headquarters, which holds the flag.
constexpr KindSet deployable(int slot, bool one_headquarters) {
  const int offset = slot_offsets[at(slot)];
  if (one_headquarters && offset == headquarters_offsets[0]) return set_of(Flag);
  if (offset < 5) return ranks;
  if (offset < 20) return movable;
  if (is_headquarters(offset) && !one_headquarters) return every_kind;
  return movable | set_of(Mine);
}

// What an attack comes to, flags apart: a flag is always lost.
enum class Battle : std::uint8_t { Wins, Loses, Both };
constexpr Battle battle(Kind attacker, Kind defender, bool mine_goes_too) {
  if (attacker == Bomb || defender == Bomb) return Battle::Both;
  if (defender == Flag) return Battle::Wins;
  if (defender == Mine) {
    if (attacker == Sapper) return Battle::Wins;
    return mine_goes_too ? Battle::Both : Battle::Loses;
  }
  if (attacker == defender) return Battle::Both;
  return attacker < defender ? Battle::Wins : Battle::Loses;  // high ranks come first
}

// defenders[result][attacker]: the kinds that such an attacker may have met, and the other way
// round.
struct BattleTable {
  std::array<std::array<KindSet, kinds>, 3> defenders{};
  std::array<std::array<KindSet, kinds>, 3> attackers{};

  constexpr explicit BattleTable(bool mine_goes_too) {
    for (int a = 0; a < kinds; ++a) {
      const auto attacker = static_cast<Kind>(a);
      if ((movable & set_of(attacker)) == 0) continue;
      for (int d = 0; d < kinds; ++d) {
        const auto defender = static_cast<Kind>(d);
        const auto result = static_cast<int>(battle(attacker, defender, mine_goes_too));
        defenders[at(result)][at(a)] |= set_of(defender);
        attackers[at(result)][at(d)] |= set_of(attacker);
      }
    }
  }
};
inline constexpr std::array<BattleTable, 2> battle_tables{BattleTable(false), BattleTable(true)};

}  // namespace tempo::siguo
