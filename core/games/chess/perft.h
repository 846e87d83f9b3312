// Counts the tree of moves by movement rules alone, as published perft numbers do: no draw ends a
// line. The last ply is counted, not played.
#pragma once

#include <cstdint>

#include "../../stop.h"
#include "children.h"
#include "moves.h"
#include "types.h"

namespace tempo::chess {

template <Colour us>
std::uint64_t count_tree(const Board& board, int depth, StopPoll& poll);

template <Colour us>
struct TreeCounter : Children<us, TreeCounter<us>> {
  int depth;  // plies left after the visited move
  StopPoll& poll;
  std::uint64_t total = 0;

  TreeCounter(const Board& board, int depth, StopPoll& poll)
      : Children<us, TreeCounter<us>>(board), depth(depth), poll(poll) {}
  void go_on(const Board& next) { total += count_tree<other(us)>(next, depth, poll); }
};

template <Colour us>
std::uint64_t count_tree(const Board& board, int depth, StopPoll& poll) {
  if (depth == 0) return 1;
  if (depth == 1) return static_cast<std::uint64_t>(count_moves<us>(board));
  if (depth > 2) poll.check();
  TreeCounter<us> counter(board, depth - 1, poll);
  visit_moves<us>(board, restraint<us>(board), counter);
  return counter.total;
}

}  // namespace tempo::chess
