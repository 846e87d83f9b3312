// Solves an ending: distance to mate for every legal position, by going backwards from the ends.
//
// A first pass over all positions plays every move. Captures and promotions are looked up in the
// tables of smaller endings; of the other moves only their number is kept. Then mates are followed
// backwards, one ply after the other: a side that can move to a position lost for the other side
// has won; one whose every move leads to a position won by the other side has lost. What is never
// reached is drawn. Moves are made and taken back as they are needed, so three bytes a position are
// all the memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "../../../parallel/pool.h"
#include "../../../stop.h"
#include "../outcome.h"
#include "family.h"
#include "space.h"
#include "tables.h"
#include "unmoves.h"

namespace tempo::endings {

// Told what is being done, how much is done and how much there is.
using Progress = std::function<void(std::string_view phase, std::int64_t done, std::int64_t total)>;

class Solver {
 public:
  // The tables must hold every smaller ending.
  Solver(const Space& space, const Tables& smaller)
      : space_(space), smaller_(smaller), mirrors_(!space.material().has_pawns()) {
    const auto size = static_cast<std::size_t>(space.size());
    verdicts_.resize(size);
    left_.resize(size);
    exits_.resize(size);
    for (const Material& exit : space.material().exits()) {
      if (!exit.is_dead() && smaller.find(exit) == nullptr)
        throw std::invalid_argument(space.material().name() + " needs the table of " +
                                    exit.canonical().name() + " first");
    }
  }

  // Threads share the first pass; the verdicts do not depend on them.
  std::vector<Verdict> run(Pool& pool, const Progress& progress = {}) {
    open_all(pool, progress);
    const auto last_exit = *std::max_element(exits_.begin(), exits_.end());
    std::int64_t solved = 0;
    for (Verdict verdict = mated; verdict < last_verdict; ++verdict) {
      const std::int64_t found = settle(verdict);
      solved += found;
      if (progress) progress("mates backwards", solved, space_.size());
      if (found == 0 && verdict >= last_exit) break;
    }
    if (progress) progress("mates backwards", space_.size(), space_.size());
    return std::move(verdicts_);
  }

 private:
  static constexpr std::uint8_t never = 255;  // in left_: cannot lose
  static constexpr Verdict last_verdict = 254;

  static std::size_t at(Number number) { return static_cast<std::size_t>(number); }

  // Numbers without repetition. Mirrored moves lead to the same number, forwards as backwards: each
  // pair of positions must count once.
  class Distinct {
   public:
    void add(Number number) { numbers_[size_++] = number; }
    std::span<const Number> all(bool mirrors) {
      const auto end = numbers_.begin() + static_cast<std::ptrdiff_t>(size_);
      if (!mirrors) return {numbers_.begin(), end};
      std::sort(numbers_.begin(), end);
      return {numbers_.begin(), std::unique(numbers_.begin(), end)};
    }

   private:
    std::array<Number, 128> numbers_;
    std::size_t size_ = 0;
  };

  void open_all(Pool& pool, const Progress& progress) {
    constexpr Number slab = 1 << 18;
    for (Number begin = 0; begin < space_.size(); begin += slab) {
      if (progress) progress("moves forwards", begin, space_.size());
      const Number count = std::min(slab, space_.size() - begin);
      pool.run(count, [&](std::int64_t i) { open(begin + static_cast<Number>(i)); }, 1024);
    }
  }

  // Plays every move of a position.
  void open(Number number) {
    const Place here = space_.place(number);
    const Colour next_turn = chess::other(here.turn);
    if (chess::material_is_insufficient(here.board)) {
      left_[at(number)] = never;
      return;
    }
    const int men = chess::count(here.board.occupied());
    const int pawns = chess::count(here.board.kinds[chess::pawn]);
    bool any = false;
    bool holds = false;        // some exit does not lose
    Verdict quickest = drawn;  // of the exits that win
    Verdict slowest = drawn;   // of the exits that lose
    Distinct quiet;
    const bool checked = visit_replies(here, [&](const Board& next) {
      any = true;
      if (chess::count(next.occupied()) == men && chess::count(next.kinds[chess::pawn]) == pawns) {
        quiet.add(space_.number_of(next, next_turn));
        return;
      }
      const Verdict verdict = before(smaller_.probe({next, next_turn}).value());
      holds = holds || !is_lost(verdict);
      if (is_won(verdict) && (quickest == drawn || verdict < quickest)) quickest = verdict;
      if (is_lost(verdict)) slowest = std::max(slowest, verdict);
    });
    if (!any) {
      verdicts_[at(number)] = checked ? mated : drawn;
      left_[at(number)] = never;
      return;
    }
    exits_[at(number)] = holds ? quickest : slowest;
    left_[at(number)] = holds ? never : static_cast<std::uint8_t>(quiet.all(mirrors_).size());
  }

  // Whether the exits alone settle a position now: a win, or a loss when no other move is left.
  [[nodiscard]] bool leaves_at(std::size_t i, Verdict verdict) const {
    return exits_[i] == verdict && verdicts_[i] == drawn && (is_won(verdict) || left_[i] == 0);
  }

  // Carries a verdict one ply backwards from every position that has it; how many there are.
  std::int64_t settle(Verdict verdict) {
    std::int64_t found = 0;
    throw_if_stopped();
    for (Number number = 0; number < space_.size(); ++number) {
      const std::size_t i = at(number);
      if (leaves_at(i, verdict)) verdicts_[i] = verdict;
      if (verdicts_[i] != verdict) continue;
      poll_.check();
      ++found;
      Distinct earlier;
      visit_predecessors(space_, space_.place(number), [&](Number n) { earlier.add(n); });
      for (const Number n : earlier.all(mirrors_)) {
        if (is_lost(verdict)) {
          win(n, before(verdict));
        } else {
          strike(n, before(verdict));
        }
      }
    }
    return found;
  }
  void win(Number number, Verdict verdict) {
    if (verdicts_[at(number)] == drawn) verdicts_[at(number)] = verdict;
  }
  // One move less that might not lose.
  void strike(Number number, Verdict verdict) {
    const std::size_t i = at(number);
    if (verdicts_[i] != drawn || left_[i] == never) return;
    --left_[i];
    // When an exit loses more slowly, leaves_at settles it later.
    if (left_[i] == 0 && exits_[i] <= verdict) verdicts_[i] = verdict;
  }

  const Space& space_;
  const Tables& smaller_;
  bool mirrors_;
  StopPoll poll_;
  std::vector<Verdict> verdicts_;
  std::vector<std::uint8_t> left_;  // quiet moves not known to lose
  std::vector<Verdict> exits_;      // the best that captures and promotions give; drawn for none
};

}  // namespace tempo::endings
