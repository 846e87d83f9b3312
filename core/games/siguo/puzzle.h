// What a view leaves open, as a puzzle: which kinds each piece may be, and which pairs of pieces
// are bound to each other by the battle they fought. A determinization is a kind for every piece
// such that each army is complete and every battle could have gone as it did.
#pragma once

#include "position.h"

namespace tempo::siguo {

// A battle between two pieces neither of which is known for certain.
struct Bond {
  std::uint8_t attacker;
  std::uint8_t defender;
  Battle result;
};

class Puzzle {
 public:
  explicit Puzzle(const View& view)
      : state_(&view.public_state()), viewer_(tempo::index(view.seat())) {
    for (int piece = 0; piece < pieces; ++piece) possible_[at(piece)] = alone(view, piece);
    for (int piece = 0; piece < pieces; ++piece) {
      if (state_->foe(piece) == none) continue;
      const bool attacked = state_->has(piece, Attacked);
      if (state_->died_together(piece) && !attacked) continue;  // told from the attacker's side
      const auto dead = static_cast<std::uint8_t>(piece);
      const auto foe = static_cast<std::uint8_t>(state_->foe(piece));
      const Battle result = state_->died_together(piece) ? Battle::Both
                            : attacked                   ? Battle::Loses
                                                         : Battle::Wins;
      bonds_[at(bond_count_++)] = {attacked ? dead : foe, attacked ? foe : dead, result};
    }
    deduce();
  }

  [[nodiscard]] const PublicState& public_state() const { return *state_; }
  [[nodiscard]] int viewer() const { return viewer_; }
  [[nodiscard]] KindSet possible(int piece) const { return possible_[at(piece)]; }
  [[nodiscard]] bool is_certain(int piece) const { return std::has_single_bit(possible(piece)); }
  [[nodiscard]] std::span<const Bond> bonds() const { return {bonds_.data(), at(bond_count_)}; }
  [[nodiscard]] const BattleTable& battles() const {
    return battle_tables[at(state_->options().mine_hit)];
  }
  // What is left of a seat's inventory once the certain pieces have theirs.
  [[nodiscard]] Counts left(int seat) const {
    Counts counts = inventory;
    for (int piece = slots * seat; piece < slots * (seat + 1); ++piece)
      if (is_certain(piece)) --counts[at(std::countr_zero(possible(piece)))];
    return counts;
  }
  // Whether a battle says nothing that the two sets do not say already.
  [[nodiscard]] bool is_idle(const Bond& bond) const {
    const auto& met = battles().defenders[static_cast<std::size_t>(bond.result)];
    for (KindSet a = possible(bond.attacker); a != 0; a &= static_cast<KindSet>(a - 1))
      if ((possible(bond.defender) & ~met[at(std::countr_zero(a))]) != 0) return false;
    return true;
  }
  // Whether a kind is contradicted: then no determinization is left.
  [[nodiscard]] bool fails() const {
    for (const KindSet set : possible_)
      if (set == 0) return true;
    return false;
  }
  // Whether every army could be given out, battles apart: a matching of pieces and kinds. What
  // `deduce` overlooks, such as three pieces that share two kinds of one piece each, shows here.
  [[nodiscard]] bool armies_match() const {
    for (int seat = 0; seat < 4; ++seat) {
      std::array<std::array<std::uint8_t, 3>, kinds> held{};  // by kind: the slots that hold it
      Counts used{};
      for (int slot = 0; slot < slots; ++slot) {
        KindSet tried = 0;
        if (!give(seat, slot, held, used, tried)) return false;
      }
    }
    return true;
  }
  // Supposes a piece to be of a kind, and draws what follows at once.
  void suppose(int piece, Kind kind) {
    possible_[at(piece)] &= set_of(kind);
    deduce();
  }

 private:
  // Finds a kind for a slot, moving others on where that is needed (augmenting paths).
  bool give(int seat, int slot, std::array<std::array<std::uint8_t, 3>, kinds>& held, Counts& used,
            KindSet& tried) const {
    auto open = static_cast<KindSet>(possible(slots * seat + slot) & ~tried);
    for (KindSet set = open; set != 0; set &= static_cast<KindSet>(set - 1)) {
      const int kind = std::countr_zero(set);
      if (used[at(kind)] == inventory[at(kind)]) continue;
      held[at(kind)][used[at(kind)]++] = static_cast<std::uint8_t>(slot);
      return true;
    }
    for (; (open &= static_cast<KindSet>(~tried)) != 0;) {
      const int kind = std::countr_zero(open);
      tried |= static_cast<KindSet>(1U << kind);
      for (int i = 0; i < inventory[at(kind)]; ++i) {
        const int holder = held[at(kind)][at(i)];
        if (!give(seat, holder, held, used, tried)) continue;
        held[at(kind)][at(i)] = static_cast<std::uint8_t>(slot);
        return true;
      }
    }
    return false;
  }

  // What is known of a piece without looking at any other: deployment, marks, its death.
  static KindSet alone(const View& view, int piece) {
    const PublicState& state = view.public_state();
    const Options& options = state.options();
    if (view.kind(piece) != Unknown) return set_of(view.kind(piece));
    KindSet set = deployable(piece % slots, options.one_headquarters());
    const auto without = [&](KindSet gone) { set &= static_cast<KindSet>(~gone); };
    if (state.has(piece, Moved)) set &= movable;
    if (state.has(piece, Ran)) set &= set_of(Sapper);
    if (state.has(piece, Stormed)) {
      const bool could = !state.has(piece, Stuck);
      for (int k = 0; k < kinds; ++k) {
        const auto kind = static_cast<Kind>(k);
        if ((movable & set_of(kind)) != 0 && may_storm(options, kind) != could)
          without(set_of(kind));
      }
    } else if (state.has(piece, Stuck)) {
      set &= set_of(Mine);
    }
    if (state.has(piece, Uncovered)) set &= set_of(General);
    if (state.has(piece, Taken)) set &= set_of(Flag);
    const bool died = state.foe(piece) != none;
    if (died && !state.has(piece, Uncovered) && options.flag_reveal == 0) without(set_of(General));
    if (died && !state.has(piece, Taken)) without(set_of(Flag));
    const int flag = state.public_flag(seat_of(piece));
    if (flag != none) {
      if (homes[at(piece)] == flag) {
        set &= set_of(Flag);
      } else {
        without(set_of(Flag));
      }
    }
    return set;
  }

  // Carries sets along the battles and through each army until nothing changes.
  void deduce() {
    bool changed = true;
    while (changed) {
      changed = false;
      for (const Bond& bond : bonds()) changed |= carry(bond);
      for (int seat = 0; seat < 4; ++seat) changed |= count(seat);
    }
  }
  bool narrow(int piece, KindSet to) {
    const KindSet before = possible_[at(piece)];
    possible_[at(piece)] &= to;
    return possible_[at(piece)] != before;
  }
  bool carry(const Bond& bond) {
    const auto result = static_cast<std::size_t>(bond.result);
    KindSet met = 0;
    for (KindSet a = possible(bond.attacker); a != 0; a &= static_cast<KindSet>(a - 1))
      met |= battles().defenders[result][at(std::countr_zero(a))];
    bool changed = narrow(bond.defender, met);
    met = 0;
    for (KindSet d = possible(bond.defender); d != 0; d &= static_cast<KindSet>(d - 1))
      met |= battles().attackers[result][at(std::countr_zero(d))];
    return narrow(bond.attacker, met) || changed;
  }
  // Six kinds, one bit each, as counters of five bits.
  static constexpr std::array<std::uint64_t, 64> spread = [] {
    std::array<std::uint64_t, 64> all{};
    for (std::size_t set = 0; set < 64; ++set)
      for (int k = 0; k < 6; ++k) all[set] |= std::uint64_t{set >> k & 1} << 5 * k;
    return all;
  }();
  // A kind that the certain pieces use up is nobody else's; one that only as many pieces can be as
  // there are of it is theirs.
  bool count(int seat) {
    // Twelve counters of five bits in a word: no count exceeds the 25 pieces.
    std::uint64_t opens = 0;
    std::uint64_t sures = 0;
    for (int piece = slots * seat; piece < slots * (seat + 1); ++piece) {
      const KindSet set = possible(piece);
      const std::uint64_t ones = spread[set & 63] | spread[at(set >> 6)] << 30;
      const bool single = std::has_single_bit(set);
      sures += single ? ones : 0;
      opens += single ? 0 : ones;
    }
    std::array<int, kinds> open{};
    std::array<int, kinds> sure{};
    for (int kind = 0; kind < kinds; ++kind) {
      open[at(kind)] = static_cast<int>(opens >> 5 * kind & 31);
      sure[at(kind)] = static_cast<int>(sures >> 5 * kind & 31);
    }
    bool changed = false;
    for (int kind = 0; kind < kinds; ++kind) {
      const auto one = static_cast<KindSet>(1U << kind);
      const int wanted = inventory[at(kind)] - sure[at(kind)];
      if (open[at(kind)] == 0 && wanted == 0) continue;
      const bool none_left = wanted <= 0;
      if (!none_left && open[at(kind)] > wanted) continue;
      for (int piece = slots * seat; piece < slots * (seat + 1); ++piece) {
        const bool undecided = !is_certain(piece) && (possible(piece) & one) != 0;
        const bool fault = wanted < 0 || open[at(kind)] < wanted;
        if (fault) changed |= narrow(piece, 0);
        if (!fault && undecided)
          changed |= narrow(piece, none_left ? static_cast<KindSet>(~one) : one);
      }
      if (changed) return true;  // the numbers are stale
    }
    return false;
  }

  const PublicState* state_;
  int viewer_;
  int bond_count_ = 0;
  std::array<KindSet, pieces> possible_{};
  std::array<Bond, pieces> bonds_{};
};

}  // namespace tempo::siguo
