// The definitions of alpha_beta.h: what is searched less deep, or not at all.
#pragma once

#include "alpha_beta_class.h"

namespace tempo {

// Only where the window is closed, the mover is not in check and nothing is decided yet.
template <Game P, Evaluator<P> E>
bool AlphaBeta<P, E>::may_cut(const P& position, Value alpha, Value beta) const {
  if (!(settings_.null_move && Passes<P>) && settings_.margin <= 0) return false;
  return beta - alpha == 1 && !is_decided(alpha) && !is_decided(beta) && !is_in_turn(position) &&
         !is_checked(position);
}

template <Game P, Evaluator<P> E>
Value AlphaBeta<P, E>::stand_at(const P& position) {
  Scores scores{};
  evaluate(std::span<const P>(&position, 1), std::span<Scores>(&scores, 1));
  return value_of_score(score_to_move(position, scores));
}

// The null move (Beal 1989; Donninger 1993): if the other side cannot use a move for nothing, a
// less deep search says enough. Never twice running, or both sides would pass away the depth.
template <Game P, Evaluator<P> E>
auto AlphaBeta<P, E>::cut_by_passing(const P& position, int depth, int ply, Value beta)
    -> std::optional<Answer> {
  if constexpr (Passes<P>) {
    if (!settings_.null_move || depth < 2 || ply == passed_) return std::nullopt;
    const int left = std::max(depth - 3 - depth / 4, 0);
    const int before = passed_;
    passed_ = ply + 1;
    remember(position, past_);
    const P child = position.passed();
    const Answer answer = for_team(
        team_to_move(position), child, beta - 1, beta,
        [&](Value low, Value high) { return search_node(child, left, ply + 1, low, high); });
    forget(position);
    passed_ = before;
    lines_[at(ply)].size = 0;
    if (stopped_ || answer.value < beta) return std::nullopt;
    // A win that needs the other side to pass is none.
    return Answer{is_decided(answer.value) ? beta : answer.value, answer.by_past};
  } else {
    return std::nullopt;
  }
}

// Quiet moves that come so late, or would have to change so much, that they are left out.
template <Game P, Evaluator<P> E>
bool AlphaBeta<P, E>::is_futile(Value stand, int depth, int place, int rank, Value alpha) const {
  if (settings_.margin <= 0 || depth > shallow || MoveOrder<P>::is_unquiet(rank)) return false;
  return place >= 6 + 3 * depth * depth || stand + margin_of(depth) <= alpha;
}

// How much less deep a late move is searched at first: one turn, two if it is very late; if steep,
// by the product of the logarithms of place and depth. Moves that the order marks as unquiet are
// spared, except the captures inside a turn, of which there are many and the first few are the
// likely ones.
template <Game P, Evaluator<P> E>
int AlphaBeta<P, E>::reduction(const P& position, int depth, int place, int rank) const {
  if (!settings_.reduce || depth < 2 || place < 3) return 0;
  if (MoveOrder<P>::is_unquiet(rank) && !is_in_turn(position)) return 0;
  if (settings_.steep) {
    const auto length = [](int n) {
      return static_cast<int>(std::bit_width(static_cast<unsigned>(n)));
    };
    return std::max(length(depth) * length(place) / 5, 1);
  }
  return place >= 12 && depth >= 3 ? 2 : 1;
}

}  // namespace tempo
