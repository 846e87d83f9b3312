// How a move changes what stands where, and the tree of moves counted: movement rules alone.
#pragma once

#include <cstdint>

#include "../../stop.h"
#include "board.h"
#include "moves.h"

namespace tempo::shogi {

// What a move moved (as it was before promoting) and what it took, if anything.
struct Change {
  Kind moved;
  Kind taken;
};

template <class Board, Colour us>
inline Change make_move(Pieces<Board>& men, Move move) {
  using At = Grid<Board>;
  using Set = typename Board::Set;
  constexpr Colour them = other(us);
  const Square from = Numbers<Board>::from_of(move);
  const Square to = Numbers<Board>::to_of(move);
  const Set there = At::bit(to);
  if (from >= At::squares) {
    const Kind kind = Numbers<Board>::dropped_kind(move);
    men.kinds[kind] |= there;
    men.sides[us] |= there;
    --men.hands[us][kind];
    return {kind, no_kind};
  }
  Kind taken = no_kind;
  if ((men.sides[them] & there) != 0) {
    const Kind base = men.base_at(to);
    taken = (men.promoted & there) != 0 ? promoted(base) : base;
    men.kinds[base] ^= there;
    men.promoted &= ~there;
    men.sides[them] ^= there;
    ++men.hands[us][base];
  }
  const Set here = At::bit(from);
  men.sides[us] ^= here | there;
  if (from == men.kings[us]) {
    men.kings[us] = static_cast<std::uint8_t>(to);
    return {king, taken};
  }
  const Kind base = men.base_at(from);
  const bool was_promoted = (men.promoted & here) != 0;
  men.kinds[base] ^= here | there;
  men.promoted &= ~here;
  if (was_promoted || Numbers<Board>::promotes(move)) men.promoted |= there;
  return {was_promoted ? promoted(base) : base, taken};
}

// The last ply is counted, not played.
template <class Board, Colour us>
std::uint64_t count_tree(const Pieces<Board>& men, int depth, StopPoll& poll) {
  if (depth == 0) return 1;
  if (depth == 1) return static_cast<std::uint64_t>(count_moves<Board, us>(men));
  if (depth > 2) poll.check();
  Moves moves;
  Lister<Board> lister{moves};
  visit_moves<Board, us>(men, Side<Board, us>::restraint(men), lister);
  std::uint64_t total = 0;
  for (const Move move : moves) {
    Pieces<Board> next = men;
    make_move<Board, us>(next, move);
    total += count_tree<Board, other(us)>(next, depth - 1, poll);
  }
  return total;
}

}  // namespace tempo::shogi
