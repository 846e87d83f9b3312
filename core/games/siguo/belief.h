// What a seat can be sure of, and how likely the rest is: the deductions D1 to D20 of
// siguo-rules/1.0 in full. Candidates are exact: a kind is one if and only if some determinization
// has it; only where ruling a kind out takes too long does it stay one. Chances are exact where the
// determinizations can be counted; elsewhere they are weighted draws, and `error` says how far off
// they may be.
#pragma once

#include "../../stop.h"
#include "rules.h"

namespace tempo::siguo {

using Chances = std::array<float, kinds>;

class Belief {
 public:
  // Steps after which counting gives way to drawing, and draws then made.
  static constexpr std::int64_t count_limit = 20000;
  static constexpr int default_draws = 2000;
  // Suppositions made to rule out what no draw has shown. Many pieces bound by battles in a late
  // game could take for ever.
  static constexpr int most_suppositions = 20000;

  explicit Belief(const View& view, std::uint64_t seed = 1, int draws = default_draws,
                  std::int64_t limit = count_limit)
      : Belief(view, Puzzle(view), seed, draws, limit) {}
  Belief(const View& view, const Puzzle& puzzle, std::uint64_t seed, int draws, std::int64_t limit);

  // The kinds that a piece has in some determinization.
  [[nodiscard]] KindSet candidates(int piece) const { return candidates_[at(piece)]; }
  // How likely each kind is for a piece, every determinization being equally likely.
  [[nodiscard]] const Chances& chances(int piece) const { return chances_[at(piece)]; }
  // Whether the chances are counted; else one standard error of a chance at worst, from the number
  // of equal draws that the weighted ones are worth.
  [[nodiscard]] bool is_exact() const { return exact_; }
  [[nodiscard]] double error() const { return error_; }
  // The number of determinizations, an estimate unless exact.
  [[nodiscard]] double determinizations() const { return count_; }

 private:
  // What the drafts so far add up to. Pieces that are dealt in the end are alike within a group.
  struct Tally {
    double weight = 0;
    double squares = 0;
    std::array<std::array<double, kinds>, pieces> hard{};
    std::array<std::array<std::array<double, kinds>, 4>, 4> dealt{};  // by seat, group, kind
    void add(const Determinizations& determinizations, const Determinizations::Draft& draft);
  };
  static bool may_exist(const View& view, const Puzzle& puzzle, Random& random, int& left);
  void conclude(const Determinizations& determinizations, const Tally& tally);

  std::array<KindSet, pieces> candidates_{};
  std::array<Chances, pieces> chances_{};
  bool exact_ = false;
  double error_ = 0;
  double count_ = 0;
};

// A draft stands for all the ways to deal its rest.
inline void Belief::Tally::add(const Determinizations& determinizations,
                               const Determinizations::Draft& draft) {
  weight += draft.weight;
  squares += draft.weight * draft.weight;
  for (int i = 0; i < determinizations.hard_pieces(); ++i) {
    const int piece = determinizations.hard_piece(i);
    hard[at(piece)][draft.kinds_of[at(piece)]] += draft.weight;
  }
  for (int seat = 0; seat < 4; ++seat) {
    if (determinizations.rest(seat).size() == 0) continue;
    for (int group = 0; group < 4; ++group) {
      const auto chances = determinizations.rest(seat).chances(group, draft.left[at(seat)]);
      for (int kind = 0; kind < kinds; ++kind)
        dealt[at(seat)][at(group)][at(kind)] += draft.weight * chances[at(kind)];
    }
  }
}

// Turns sums into chances, and notes as candidates what was seen.
inline void Belief::conclude(const Determinizations& determinizations, const Tally& tally) {
  const auto tell = [&](int piece, const std::array<double, kinds>& sums) {
    for (int kind = 0; kind < kinds; ++kind) {
      const double chance = sums[at(kind)] / tally.weight;
      chances_[at(piece)][at(kind)] = static_cast<float>(chance);
      if (chance > 1e-13) candidates_[at(piece)] |= set_of(static_cast<Kind>(kind));
    }
  };
  for (int i = 0; i < determinizations.hard_pieces(); ++i) {
    const int piece = determinizations.hard_piece(i);
    tell(piece, tally.hard[at(piece)]);
  }
  for (int seat = 0; seat < 4; ++seat)
    determinizations.rest(seat).each(
        [&](int piece, int group) { tell(piece, tally.dealt[at(seat)][at(group)]); });
}

// Whether a puzzle has a solution: draws are quick to find one, a search to rule one out. True too
// when no supposition is left for that.
inline bool Belief::may_exist(const View& view, const Puzzle& puzzle, Random& random, int& left) {
  if (puzzle.fails() || !puzzle.armies_match()) return false;
  if (--left < 0) return true;
  const Determinizations determinizations(view, puzzle);
  for (int tries = 0; tries < 24; ++tries)
    if (determinizations.draft(random).weight > 0) return true;
  int narrowest = none;
  for (int i = 0; i < determinizations.hard_pieces(); ++i) {
    const int piece = determinizations.hard_piece(i);
    if (narrowest == none ||
        std::popcount(puzzle.possible(piece)) < std::popcount(puzzle.possible(narrowest)))
      narrowest = piece;
  }
  if (narrowest == none) return false;  // nothing was left to chance
  throw_if_stopped();
  for (KindSet set = puzzle.possible(narrowest); set != 0; set &= static_cast<KindSet>(set - 1)) {
    Puzzle supposed = puzzle;
    supposed.suppose(narrowest, static_cast<Kind>(std::countr_zero(set)));
    if (may_exist(view, supposed, random, left)) return true;
  }
  return false;
}

inline Belief::Belief(const View& view, const Puzzle& puzzle, std::uint64_t seed, int draws,
                      std::int64_t limit) {
  Random random(seed);
  const Determinizations determinizations(view, puzzle);
  Tally tally;
  StopPoll poll;
  exact_ = determinizations.each_draft(
      [&](const Determinizations::Draft& draft) {
        poll.check();
        tally.add(determinizations, draft);
      },
      limit);
  if (!exact_) {
    tally = {};
    // Draws that lead nowhere are rare; a view made by play always has one.
    for (int i = 0; i < draws || tally.weight == 0; ++i) {
      poll.check();
      const Determinizations::Draft draft = determinizations.draft(random);
      if (draft.weight > 0) tally.add(determinizations, draft);
    }
    error_ = 0.5 * std::sqrt(tally.squares) / tally.weight;
  }
  if (!(tally.weight > 0)) throw std::logic_error("no position fits this view of siguo");
  conclude(determinizations, tally);
  count_ = exact_ ? tally.weight : tally.weight / draws;
  int left = most_suppositions;
  for (int piece = 0; piece < pieces; ++piece) {
    const KindSet open = puzzle.possible(piece);
    if (puzzle.is_certain(piece)) {
      candidates_[at(piece)] = open;
      chances_[at(piece)][at(std::countr_zero(open))] = 1.0F;
    }
    if (exact_) continue;
    // What no draw has shown may still be possible.
    auto unseen = static_cast<KindSet>(open & ~candidates_[at(piece)]);
    for (; unseen != 0; unseen &= static_cast<KindSet>(unseen - 1)) {
      const auto kind = static_cast<Kind>(std::countr_zero(unseen));
      Puzzle supposed = puzzle;
      supposed.suppose(piece, kind);
      if (may_exist(view, supposed, random, left)) candidates_[at(piece)] |= set_of(kind);
    }
  }
}

}  // namespace tempo::siguo
