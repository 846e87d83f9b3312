// Chances of kinds in microseconds: what quick deduction leaves open (puzzle.h), weighed by how
// many of each kind an army still has to show, with rows and columns fitted to their sums in turn
// (iterative proportional fitting). At the start this is right to 0.002; later it also overlooks
// that battles bind pieces to each other, which belief.h does not.
#pragma once

#include "belief.h"

namespace tempo::siguo {

class Hunch {
 public:
  explicit Hunch(const View& view) : Hunch(Puzzle(view)) {}
  explicit Hunch(const Puzzle& puzzle) {
    for (int seat = 0; seat < 4; ++seat) fit(puzzle, seat);
  }
  // A whole truth, for whoever plays on one that was drawn.
  explicit Hunch(const Kinds& kinds_of) {
    for (int piece = 0; piece < pieces; ++piece) chances_[at(piece)][kinds_of[at(piece)]] = 1.0F;
  }

  [[nodiscard]] const Chances& chances(int piece) const { return chances_[at(piece)]; }
  [[nodiscard]] float chance(int piece, Kind kind) const { return chances_[at(piece)][kind]; }

 private:
  static constexpr int rounds = 8;

  void fit(const Puzzle& puzzle, int seat) {
    const Counts left = puzzle.left(seat);
    std::array<int, slots> open{};
    int count = 0;
    for (int piece = slots * seat; piece < slots * (seat + 1); ++piece) {
      const KindSet set = puzzle.possible(piece);
      Chances& row = chances_[at(piece)];
      if (!puzzle.is_certain(piece)) open[at(count++)] = piece;
      for (int kind = 0; kind < kinds; ++kind)
        if ((set >> kind & 1) != 0)
          row[at(kind)] = puzzle.is_certain(piece) ? 1.0F : static_cast<float>(left[at(kind)]);
    }
    for (int round = 0; round < rounds && count > 0; ++round) {
      Chances sums{};
      for (int i = 0; i < count; ++i)
        for (int kind = 0; kind < kinds; ++kind)
          sums[at(kind)] += chances_[at(open[at(i)])][at(kind)];
      for (int kind = 0; kind < kinds; ++kind)
        sums[at(kind)] =
            sums[at(kind)] > 0 ? static_cast<float>(left[at(kind)]) / sums[at(kind)] : 0.0F;
      for (int i = 0; i < count; ++i) normalise(chances_[at(open[at(i)])], sums);
    }
  }
  static void normalise(Chances& row, const Chances& factors) {
    float sum = 0;
    for (int kind = 0; kind < kinds; ++kind) sum += row[at(kind)] *= factors[at(kind)];
    if (!(sum > 0)) return;
    for (float& chance : row) chance /= sum;
  }

  std::array<Chances, pieces> chances_{};
};

}  // namespace tempo::siguo
