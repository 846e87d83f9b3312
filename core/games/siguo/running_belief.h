// What a seat believes, kept up from move to move: quick deduction (puzzle.h), then the chances
// that fit both what each piece may be and how many of each kind its army has (iterative
// proportional fitting). Exact at the start; later it overlooks that battles bind pieces to each
// other, which belief.h does not. Nothing depends on the way here: a view gives the same chances
// whether it was followed or is new.
#pragma once

#include "belief.h"

namespace tempo::siguo {

class RunningBelief {
 public:
  RunningBelief() = default;
  explicit RunningBelief(const View& view) { update(view); }

  // Takes in a view. Those of one game and seat in turn are quick: most moves tell nothing.
  void update(const View& view) {
    if (!is_news(view)) return;
    const Puzzle puzzle(view);
    for (int seat = 0; seat < 4; ++seat) {
      bool same = fitted_;
      for (int piece = slots * seat; piece < slots * (seat + 1); ++piece) {
        same &= possible_[at(piece)] == puzzle.possible(piece);
        possible_[at(piece)] = puzzle.possible(piece);
      }
      if (!same) fit(seat);
    }
    fitted_ = true;
  }

  [[nodiscard]] KindSet possible(int piece) const { return possible_[at(piece)]; }
  [[nodiscard]] const Chances& chances(int piece) const { return chances_[at(piece)]; }
  [[nodiscard]] float chance(int piece, Kind kind) const { return chances_[at(piece)][kind]; }

 private:
  static constexpr int most_rounds = 40;
  static constexpr float close_enough = 1e-4F;

  // Whether something has changed that a deduction starts from; notes it.
  bool is_news(const View& view) {
    const PublicState& state = view.public_state();
    bool news = !fitted_ || !(seen_options_ == view.options());
    seen_options_ = view.options();
    for (int piece = 0; piece < pieces; ++piece) {
      const auto marks = static_cast<std::uint8_t>(state.marks(piece));
      const auto foe = static_cast<std::uint8_t>(state.foe(piece));
      const Kind kind = view.kind(piece);
      news |=
          (marks ^ marks_[at(piece)]) != 0 || foe != foes_[at(piece)] || kind != kinds_[at(piece)];
      marks_[at(piece)] = marks;
      foes_[at(piece)] = foe;
      kinds_[at(piece)] = kind;
    }
    for (int seat = 0; seat < 4; ++seat) {
      const auto flag = static_cast<std::uint8_t>(state.public_flag(seat));
      news |= flag != flags_[at(seat)];
      flags_[at(seat)] = flag;
    }
    return news;
  }

  // Pieces that may be the same are alike: one row of chances for each set, which is
  // share * weights[kind] within it. Rounds fit the weights to the army and the shares to 1.
  void fit(int seat) {
    std::array<KindSet, slots> sets;
    std::array<float, slots> sizes;
    std::array<std::uint8_t, slots> class_of;
    Counts left = inventory;
    int classes = 0;
    for (int slot = 0; slot < slots; ++slot) {
      const KindSet set = possible_[at(slots * seat + slot)];
      if (std::has_single_bit(set)) --left[at(std::countr_zero(set))];
      int c = 0;
      while (c < classes && sets[at(c)] != set) ++c;
      if (c == classes) {
        sets[at(classes)] = set;
        sizes[at(classes++)] = 0;
      }
      sizes[at(c)] += 1;
      class_of[at(slot)] = static_cast<std::uint8_t>(c);
    }
    std::array<Chances, slots> rows{};
    for (int c = 0; c < classes; ++c)
      for (KindSet set = sets[at(c)]; set != 0; set &= static_cast<KindSet>(set - 1))
        rows[at(c)][at(std::countr_zero(set))] = 1;
    std::array<float, slots> shares;
    shares.fill(1);
    Chances weights{};
    float change = 1;
    for (int round = 0; round < most_rounds && change > close_enough; ++round) {
      Chances sums{};
      for (int c = 0; c < classes; ++c) {
        if (std::has_single_bit(sets[at(c)])) continue;
        const float heft = sizes[at(c)] * shares[at(c)];
        for (std::size_t kind = 0; kind < kinds; ++kind) sums[kind] += heft * rows[at(c)][kind];
      }
      for (std::size_t kind = 0; kind < kinds; ++kind)
        weights[kind] = sums[kind] > 0 ? static_cast<float>(left[kind]) / sums[kind] : 0;
      change = 0;
      for (int c = 0; c < classes; ++c) {
        if (std::has_single_bit(sets[at(c)])) continue;
        float sum = 0;
        for (std::size_t kind = 0; kind < kinds; ++kind) sum += weights[kind] * rows[at(c)][kind];
        change = std::max(change, std::abs(1 - shares[at(c)] * sum));
        shares[at(c)] = sum > 0 ? 1 / sum : 0;
      }
    }
    for (int c = 0; c < classes; ++c) {
      if (std::has_single_bit(sets[at(c)])) continue;
      for (std::size_t kind = 0; kind < kinds; ++kind)
        rows[at(c)][kind] *= shares[at(c)] * weights[kind];
    }
    for (int slot = 0; slot < slots; ++slot)
      chances_[at(slots * seat + slot)] = rows[class_of[at(slot)]];
  }

  bool fitted_ = false;
  Options seen_options_;
  std::array<std::uint8_t, pieces> marks_{};
  std::array<std::uint8_t, pieces> foes_{};
  Kinds kinds_{};
  std::array<std::uint8_t, 4> flags_{};
  std::array<KindSet, pieces> possible_{};
  std::array<Chances, pieces> chances_{};
};

}  // namespace tempo::siguo
