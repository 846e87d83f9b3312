// Mate search: does the side to move mate by checks alone, and how fast? First proof-number search
// for the verdict, then the shortest length within what is left of the budget.
#pragma once

#include <chrono>
#include <vector>

#include "mate_quick.h"
#include "shortest_mate.h"

namespace tempo::shogi {

struct MateResult {
  Verdict verdict = Verdict::Unknown;
  std::vector<Move> line;  // of a win, the last move mates
  int length = 0;          // plies; with `shortest` as problem books count them
  bool shortest = false;   // whether no mate is faster
  std::int64_t positions = 0;
};

template <class Board>
class MateSearch {
 public:
  // Entries of the two tables.
  explicit MateSearch(std::size_t entries = std::size_t{1} << 16)
      : proofs_({}, entries), shortest_(entries) {}

  // Looks into at most `positions` of them, and with `seconds` stops soon after that time.
  MateResult search(const PositionOf<Board>& position, std::int64_t positions, double seconds = 0) {
    const auto begun = Clock::now();
    const auto node = MateNode<Board>::of(position);
    if (proofs_.attack().attacker != position.colour()) forget();
    proofs_.attack().attacker = position.colour();
    MateResult result;
    result.verdict = proofs_.search(node, positions, seconds);
    result.positions = proofs_.visited();
    if (result.verdict != Verdict::Win) return result;
    result.length = proofs_.length();
    shortest_.begin(position.colour(), &proofs_, positions - result.positions,
                    seconds > 0 ? begun + duration(seconds) : Clock::time_point::max());
    const int length = shortest_.length(node, result.length);
    std::vector<Move> line = length > 0 ? shortest_.line(node, length) : std::vector<Move>{};
    result.shortest = static_cast<int>(line.size()) == length && length > 0;
    if (result.shortest) {
      result.length = length;
      result.line = std::move(line);
    } else {
      result.line = proofs_.line();
    }
    result.positions += shortest_.visited();
    return result;
  }

  // What one search finds helps the next of the same attacker; forgetting makes a search depend on
  // its position alone.
  void forget() {
    proofs_.forget();
    shortest_.forget();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static Clock::duration duration(double seconds) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }

  ProofSearch<MateAttack<Board>> proofs_;
  ShortestMate<Board> shortest_;
};

}  // namespace tempo::shogi
