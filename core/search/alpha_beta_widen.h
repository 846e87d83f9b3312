// The definitions of alpha_beta.h: games that list only the most promising moves. A position counts
// as lost only when every move is; one whose other moves were not searched deep enough to say so is
// worth as little as a score can say.
#pragma once

#include "alpha_beta_class.h"

namespace tempo {

// Searching all moves in full would cost more than most proofs are worth: a list is lengthened a
// few times, and `value_of_loss` looks at the rest.
template <Game P, Evaluator<P> E>
bool AlphaBeta<P, E>::widen(const P& position, RankedMoves<P>& list, Value best, int& times) const {
  if constexpr (Selective<P>) {
    if (!settings_.widen || best > most_unproven || times == most_widenings || batches()) {
      return false;
    }
    const int before = list.moves.size();
    if (!position.widen(list.moves)) return false;
    for (int i = before; i < list.moves.size(); ++i) list.rank[i] = -i;
    ++times;
    return true;
  } else {
    return false;
  }
}

// What a position is worth whose searched moves all lose: the loss, if the evaluator sees at once
// that every other move loses as well.
template <Game P, Evaluator<P> E>
Value AlphaBeta<P, E>::value_of_loss(const P& position, RankedMoves<P>& list, Value best, int ply) {
  if constexpr (Selective<P>) {
    if (!settings_.widen || best >= -whole_score || batches()) return best;
    const Team team = team_to_move(position);
    for (int i = list.moves.size(); i < list.moves.size() || position.widen(list.moves); ++i) {
      P child = position;
      child.play(list.moves[i]);
      const Leaf leaf = look(child, ply + 1);
      const Value value = team_to_move(child) == team ? leaf.value : -leaf.value;
      if (stopped_) break;
      if (value >= -whole_score) return unproven_loss(ply);
      best = std::max(best, value);
    }
  }
  return best;
}

// At the root every move is searched in full before the game is given up.
template <Game P, Evaluator<P> E>
bool AlphaBeta<P, E>::widen_root(const P& root, Value best) {
  RankedMoves<P> list;
  for (const RootEntry& entry : root_) list.moves.push(entry.move);
  int times = 0;
  if (!widen(root, list, best, times)) return false;
  for (int i = static_cast<int>(root_.size()); i < list.moves.size(); ++i) {
    root_.push_back({list.moves[i]});
  }
  return true;
}

// The budget ran out when every move searched in this iteration had lost: the next one may not, and
// nothing is lost yet.
template <Game P, Evaluator<P> E>
void AlphaBeta<P, E>::leave_lost(std::size_t next) {
  if (next < root_.size()) {
    const auto here = root_.begin() + static_cast<std::ptrdiff_t>(next);
    std::rotate(root_.begin(), here, here + 1);
    line_ = {root_[0].move};
  }
  root_[0].value = std::max(root_[0].value, unproven_loss(0));
}

}  // namespace tempo
