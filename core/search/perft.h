// Perft: how many move sequences of a given length there are. The standard check of a rules core,
// since one wrong move anywhere changes the number. It counts by the position alone: the past
// (repetition) ends no game here.
#pragma once

#include <cstdint>
#include <vector>

#include "../game.h"
#include "../stop.h"

namespace tempo {

// A count of more moves would outlast everybody, and recursion that deep the stack.
inline constexpr int most_perft_depth = 100;

// Games that count their own tree, faster or by another convention (chess counts by the movement
// rules alone, as all published numbers do): a function `perft` beside the position type, in the
// game's namespace. Declared before the generic one below, so that it never means that.
template <class P>
concept OwnPerft = Game<P> && requires(const P& position, int depth) {
  { perft(position, depth) } -> std::convertible_to<std::uint64_t>;
};

template <OwnPerft P>
std::uint64_t own_perft(const P& position, int depth) {
  return perft(position, depth);
}

template <Game P>
int count_moves(const P& position) {
  if constexpr (QuickCount<P>) {
    return position.count_moves();
  } else {
    typename P::Moves moves;
    position.legal_moves(moves);
    return moves.size();
  }
}

// The number of sequences of exactly `depth` moves; games that end earlier do not count. The last
// move is counted, not played.
template <Game P>
std::uint64_t generic_perft(const P& position, int depth, StopPoll& poll) {
  if (depth <= 0) return 1;
  if (depth == 1) return static_cast<std::uint64_t>(count_moves(position));
  poll.check();
  typename P::Moves moves;
  position.legal_moves(moves);
  std::uint64_t total = 0;
  for (const Move move : moves) {
    P next = position;
    next.play(move);
    total += generic_perft(next, depth - 1, poll);
  }
  return total;
}

template <Game P>
std::uint64_t generic_perft(const P& position, int depth) {
  StopPoll poll;
  return generic_perft(position, depth, poll);
}

// The one to call: the game's own count where it has one. Throws Stopped.
template <Game P>
std::uint64_t perft(const P& position, int depth) {
  if constexpr (OwnPerft<P>) {
    return own_perft(position, depth);
  } else {
    return generic_perft(position, depth);
  }
}

struct Divided {
  Move move = no_move;
  std::uint64_t sequences = 0;
};

// The count below each first move, in the order of `legal_moves`: what to compare when a total is
// wrong. Depth is that of the total, so at least 1.
template <Game P>
std::vector<Divided> divide(const P& position, int depth) {
  assert(depth >= 1);
  typename P::Moves moves;
  position.legal_moves(moves);
  std::vector<Divided> parts;
  for (const Move move : moves) {
    P next = position;
    next.play(move);
    parts.push_back({move, tempo::perft(next, depth - 1)});
  }
  return parts;
}

}  // namespace tempo
