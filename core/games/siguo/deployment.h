// Deployments: what is legal, drawing one uniformly, their text, and a few sound ones by hand.
#pragma once

#include <algorithm>
#include <span>

#include "../../errors.h"
#include "../../random.h"
#include "pieces.h"

namespace tempo::siguo {

// The kinds of one seat by slot.
using Deployment = std::array<Kind, slots>;
using Counts = std::array<std::uint8_t, kinds>;

// Puts what `counts` holds on the given pieces, each way equally likely. The pieces are those of
// one seat that nothing but the rules of deployment (and of moving) is known of, so the sets of
// kinds are nested: every piece may have any rank, and where a flag may be, a mine may be, and
// where a mine may be, a bomb. Then there is a formula for the number of ways.
class Filling {
 public:
  static constexpr int not_nested = -1;
  // Which of the nested sets `possible` is, kinds that are used up apart.
  static constexpr int group_of(KindSet possible, const Counts& counts) {
    KindSet left = 0;
    for (int kind = 0; kind < kinds; ++kind)
      if (counts[at(kind)] > 0) left = static_cast<KindSet>(left | 1U << kind);
    const auto missing = static_cast<KindSet>(left & ~possible);
    if ((missing & ranks) != 0) return not_nested;
    for (int group = 3; group > 0; --group) {
      const auto special = static_cast<Kind>(Bomb + group - 1);
      if ((possible & left & set_of(special)) == 0) continue;
      const auto below = static_cast<KindSet>((set_of(special) - 1) & ~ranks);
      return (missing & below) == 0 ? group : not_nested;
    }
    return 0;
  }
  void add(int piece, int group) {
    auto& to = groups_[at(group)];
    to.pieces[at(to.size++)] = static_cast<std::uint8_t>(piece);
  }
  void clear() {
    for (auto& group : groups_) group.size = 0;
  }
  [[nodiscard]] int size() const {
    int all = 0;
    for (const auto& group : groups_) all += group.size;
    return all;
  }
  // Pieces that may be a flag, a mine, a bomb.
  [[nodiscard]] int for_flag() const { return groups_[3].size; }
  [[nodiscard]] int for_mine() const { return groups_[2].size + for_flag(); }
  [[nodiscard]] int for_bomb() const { return groups_[1].size + for_mine(); }

  // Visits every piece with its group.
  template <class Visit>
  void each(Visit&& visit) const {
    for (int group = 0; group < 4; ++group)
      for (int i = 0; i < groups_[at(group)].size; ++i)
        visit(int{groups_[at(group)].pieces[at(i)]}, group);
  }
  // The chance of each kind for a piece of a group, when `counts` is put on the pieces.
  [[nodiscard]] std::array<double, kinds> chances(int group, const Counts& counts) const {
    std::array<double, kinds> all{};
    double rest = 1;
    int taken = 0;
    for (int special = 3; special > 0; --special) {
      const int kind = Bomb + special - 1;
      const int places = special == 3 ? for_flag() : special == 2 ? for_mine() : for_bomb();
      if (group >= special && counts[at(kind)] > 0) {
        all[at(kind)] = rest * counts[at(kind)] / (places - taken);
        rest -= all[at(kind)];
      }
      taken += counts[at(kind)];
    }
    int cards = 0;
    for (int kind = 0; kind < ranked; ++kind) cards += counts[at(kind)];
    for (int kind = 0; kind < ranked && cards > 0; ++kind)
      all[at(kind)] = rest * counts[at(kind)] / cards;
    return all;
  }

  // In how many ways `counts` can be put on the pieces; the sums must agree.
  [[nodiscard]] double ways(const Counts& counts) const {
    const int flags = counts[Flag];
    const int mines = counts[Mine];
    const int bombs = counts[Bomb];
    double product = choose(for_flag(), flags) * choose(for_mine() - flags, mines) *
                     choose(for_bomb() - flags - mines, bombs);
    if (product == 0) return 0;
    product *= factorials[at(size() - flags - mines - bombs)];
    for (int kind = 0; kind < ranked; ++kind) product *= inverse_factorials[counts[at(kind)]];
    return product;
  }

  // Draws one of those ways; the pieces are used up by it.
  void fill(const Counts& counts, std::span<Kind> out, Random& random) {
    for (int kind = Flag; kind >= Bomb; --kind) {
      int open = kind == Flag ? for_flag() : kind == Mine ? for_mine() : for_bomb();
      for (int left = counts[at(kind)]; left > 0; --left, --open) {
        int n = static_cast<int>(random.below(open));
        int group = 3;
        for (; n >= groups_[at(group)].size; --group) n -= groups_[at(group)].size;
        out[take(group, n)] = static_cast<Kind>(kind);
      }
    }
    Kind deck[slots];
    int cards = 0;
    for (int kind = 0; kind < ranked; ++kind)
      for (int left = counts[at(kind)]; left > 0; --left) deck[cards++] = static_cast<Kind>(kind);
    for (auto& group : groups_) {
      while (group.size > 0) {
        const auto n = random.below(cards);
        out[group.pieces[at(--group.size)]] = deck[n];
        deck[n] = deck[--cards];
      }
    }
  }

 private:
  struct Group {
    std::array<std::uint8_t, slots> pieces;
    int size = 0;
  };

  std::size_t take(int group, int n) {
    auto& from = groups_[at(group)];
    const std::uint8_t piece = from.pieces[at(n)];
    from.pieces[at(n)] = from.pieces[at(--from.size)];
    return piece;
  }

  static constexpr std::array<double, slots + 1> factorials = [] {
    std::array<double, slots + 1> all{1};
    for (int n = 1; n <= slots; ++n) all[at(n)] = all[at(n - 1)] * n;
    return all;
  }();
  static constexpr std::array<double, slots + 1> inverse_factorials = [] {
    std::array<double, slots + 1> all{};
    for (int n = 0; n <= slots; ++n) all[at(n)] = 1 / factorials[at(n)];
    return all;
  }();
  static double choose(int n, int k) {
    if (k > n || n < 0) return 0;
    return factorials[at(n)] * inverse_factorials[at(k)] * inverse_factorials[at(n - k)];
  }

  std::array<Group, 4> groups_;
};

// Draws a deployment, every legal one equally likely.
inline Deployment draw_deployment(bool one_headquarters, Random& random) {
  Filling filling;
  Deployment drawn{};
  Counts left = inventory;
  for (int slot = 0; slot < slots; ++slot) {
    const KindSet possible = deployable(slot, one_headquarters);
    if (possible == set_of(Flag)) {
      drawn[at(slot)] = Flag;
      --left[Flag];
    } else {
      filling.add(slot, Filling::group_of(possible, inventory));
    }
  }
  filling.fill(left, drawn, random);
  return drawn;
}

// What is wrong with a deployment; empty when it is legal.
inline std::string deployment_fault(std::span<const Kind> kinds_of, bool one_headquarters) {
  Counts held{};
  for (int slot = 0; slot < slots; ++slot) {
    const Kind kind = kinds_of[at(slot)];
    const int offset = slot_offsets[at(slot)];
    const std::string where =
        "row " + std::to_string(offset / 5 + 1) + " column " + std::to_string(offset % 5 + 1);
    if (kind == Unknown) return "the kind of the piece in " + where + " is not given";
    ++held[kind];
    if (deployable(slot, one_headquarters) & set_of(kind)) continue;
    if (kind == Bomb && offset < 5) return "a bomb may not stand in row 1 (" + where + ")";
    if (kind == Mine && offset < 20) return "mines stand in rows 5 and 6, not in " + where;
    if (kind == Flag) return "the flag stands in a headquarters, not in " + where;
    return "only the flag may stand in the one headquarters (" + where + ")";
  }
  for (int kind = 0; kind < kinds; ++kind) {
    if (held[at(kind)] == inventory[at(kind)]) continue;
    return "an army has " + std::to_string(inventory[at(kind)]) + " of " + kind_letters[at(kind)] +
           ", not " + std::to_string(held[at(kind)]);
  }
  return "";
}

// Six rows of five letters from the front, `.` for camps: 61573/7.4.5/82.B3/3.9.4/M26M2/1FM1B.
inline std::string deployment_text(std::span<const Kind> kinds_of) {
  std::string text;
  int slot = 0;
  for (int offset = 0; offset < arm_size; ++offset) {
    if (offset > 0 && offset % 5 == 0) text += '/';
    text += is_camp(offset) ? '.' : kind_letters[kinds_of[at(slot++)]];
  }
  return text;
}
inline Deployment read_deployment(std::string_view text) {
  const auto fail = [&](const std::string& what) {
    return ParseError("setup '" + std::string(text) + "': " + what);
  };
  constexpr std::size_t length = arm_size + 5;
  if (text.size() != length)
    throw fail(
        "expected six rows of five letters with '/' between them, as in "
        "61573/7.4.5/82.B3/3.9.4/M26M2/1FM1B");
  Deployment read{};
  int slot = 0;
  for (int offset = 0; offset < arm_size; ++offset) {
    const char letter = text[at(offset + offset / 5)];
    const std::string where =
        "row " + std::to_string(offset / 5 + 1) + " column " + std::to_string(offset % 5 + 1);
    if (offset % 5 == 4 && offset < arm_size - 1 && text[at(offset + offset / 5 + 1)] != '/')
      throw fail("expected '/' after row " + std::to_string(offset / 5 + 1));
    if (is_camp(offset)) {
      if (letter != '.') throw fail("the camp in " + where + " starts empty; write '.'");
      continue;
    }
    const std::size_t kind = kind_letters.find(letter);
    if (kind == std::string_view::npos)
      throw fail("expected one of " + std::string(kind_letters) + " in " + where);
    read[at(slot++)] = static_cast<Kind>(kind);
  }
  return read;
}

// Sound ways to deploy, by hand: the flag behind mines, bombs within reach of the front, sappers
// on or near the railway behind stronger pieces, the front row mixed so that it tells nothing. A
// start gives the first to south and north and the second to east and west.
inline constexpr std::string_view sound_deployments[] = {
    "61573/7.4.5/82.B3/3.9.4/M26M2/1FM1B", "37586/4.5.2/69.27/1.B.3/14M3B/2FM1M",
    "75368/6.2.4/97.B5/3.1.2/4B211/MFM3M", "58647/3.9.2/7B.65/4.1.3/2MB13/1FM2M",
    "86753/5.7.4/9B.62/2.3.1/31BM2/41MFM", "67548/2.9.6/B5.73/1.4.3/2MB31/MFM21",
};

}  // namespace tempo::siguo
