// Jump chains of one stone, walked by copying. Rules that ask "could this side close a square" and
// "is there a second jump" use it, and so do evaluations.
#pragma once

#include "board.h"
#include "options.h"
#include "shapes.h"

namespace tempo::jiu {

struct Chain {
  Board own;        // without the moving stone
  Board enemy;      // stones that can still be jumped
  Board blocked;    // jumped stones that stand until the end of the turn
  Board barred;     // points that must not be visited again
  Cell at = 0;      // where the moving stone is
  Cell origin = 0;  // where it was when the turn began
  int jumps = 0;
};

// Where a jump from `at` in a direction leads, or -1 if it is none.
inline int landing(const Chain& chain, const Board& field, int direction) {
  const int way = ways[static_cast<std::size_t>(direction)];
  const int over = chain.at + way;
  const int to = over + way;
  if (to < 0 || to > 255 || over < 0 || over > 255) return -1;
  const auto cell = static_cast<Cell>(to);
  if (!chain.enemy.has(static_cast<Cell>(over)) || !field.has(cell)) return -1;
  const bool full = chain.own.has(cell) || chain.enemy.has(cell) || chain.blocked.has(cell) ||
                    chain.barred.has(cell);
  return full ? -1 : to;
}

inline Chain jumped(const Chain& chain, const Options& options, int direction) {
  Chain next = chain;
  const auto over = static_cast<Cell>(chain.at + ways[static_cast<std::size_t>(direction)]);
  next.enemy.remove(over);
  if (options.jumped_removed != 0) next.blocked.add(over);
  if (options.chain_revisit != 0) next.barred.add(chain.at);
  next.at = static_cast<Cell>(over + ways[static_cast<std::size_t>(direction)]);
  ++next.jumps;
  return next;
}

inline bool goes_on(const Chain& chain, const Board& field, const Options& options) {
  const int ways_on = options.jump_dirs == 0 ? 4 : 8;
  for (int direction = 0; direction < ways_on; ++direction) {
    if (landing(chain, field, direction) >= 0) return true;
  }
  return false;
}

// Walks every chain from here; `visit(chain)` after each jump may return true to end the walk.
template <class Visit>
bool walk_chains(const Chain& chain, const Board& field, const Options& options,
                 const Visit& visit) {
  const int ways_on = options.jump_dirs == 0 ? 4 : 8;
  for (int direction = 0; direction < ways_on; ++direction) {
    if (landing(chain, field, direction) < 0) continue;
    const Chain next = jumped(chain, options, direction);
    if (visit(next) || walk_chains(next, field, options, visit)) return true;
  }
  return false;
}

}  // namespace tempo::jiu
