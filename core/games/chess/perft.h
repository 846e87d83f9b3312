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
std::uint64_t count_tree(const Board& board, int depth);

template <Colour us>
struct TreeCounter : Children<us, TreeCounter<us>> {
  int depth;  // plies left after the visited move
  std::uint64_t total = 0;

  TreeCounter(const Board& board, int depth) : Children<us, TreeCounter<us>>(board), depth(depth) {}
  void go_on(const Board& next) { total += count_tree<other(us)>(next, depth); }
};

template <Colour us>
std::uint64_t count_tree(const Board& board, int depth) {
  if (depth == 0) return 1;
  if (depth == 1) return static_cast<std::uint64_t>(count_moves<us>(board));
  TreeCounter<us> counter(board, depth - 1);
  visit_moves<us>(board, restraint<us>(board), counter);
  return counter.total;
}

// The same for deep trees, which may be stopped. Apart, because one more argument on every ply
// costs a twentieth of the speed.
inline constexpr int quick_plies = 3;  // are counted without a look

template <Colour us>
std::uint64_t count_deep_tree(const Board& board, int depth, StopPoll& poll);

template <Colour us>
struct DeepTreeCounter : Children<us, DeepTreeCounter<us>> {
  int depth;
  StopPoll& poll;
  std::uint64_t total = 0;

  DeepTreeCounter(const Board& board, int depth, StopPoll& poll)
      : Children<us, DeepTreeCounter<us>>(board), depth(depth), poll(poll) {}
  void go_on(const Board& next) { total += count_deep_tree<other(us)>(next, depth, poll); }
};

template <Colour us>
std::uint64_t count_deep_tree(const Board& board, int depth, StopPoll& poll) {
  poll.check();
  if (depth <= quick_plies) return count_tree<us>(board, depth);
  DeepTreeCounter<us> counter(board, depth - 1, poll);
  visit_moves<us>(board, restraint<us>(board), counter);
  return counter.total;
}

}  // namespace tempo::chess
