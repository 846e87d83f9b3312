// The definitions of alpha_beta.h: what is searched less deep, or not at all.
#pragma once

#include "alpha_beta_class.h"

namespace tempo {

// ln n in 1024ths, rounded down, by whole numbers alone: the binary logarithm digit by digit.
constexpr int log_1024(int n) {
  std::int64_t whole = std::bit_width(static_cast<unsigned>(n)) - 1;
  std::uint64_t x = (static_cast<std::uint64_t>(n) << 30) >> whole;  // from 1 to 2, in 2^-30
  std::int64_t binary = whole << 16;
  for (int bit = 15; bit >= 0; --bit) {
    x = (x * x) >> 30;
    if (x < (std::uint64_t{2} << 30)) continue;
    x >>= 1;
    binary += std::int64_t{1} << bit;
  }
  return static_cast<int>(binary * 45426 >> 22);  // ln 2 is 45426 / 65536
}
inline constexpr auto logs_1024 = [] {
  std::array<int, 256> all{};
  for (int i = 1; i < 256; ++i) all[static_cast<std::size_t>(i)] = log_1024(i);
  return all;
}();

// Only where the window is closed, the mover is not in check and nothing is decided yet.
template <Game P, Evaluator<P> E>
bool AlphaBeta<P, E>::may_cut(const P& position, Value alpha, Value beta) const {
  const bool asked =
      (settings_.null_move && Passes<P>) || settings_.margin > 0 || settings_.steps.probcut > 0;
  return asked && beta - alpha == 1 && !is_decided(alpha) && !is_decided(beta) &&
         !is_in_turn(position) && !is_checked(position);
}

template <Game P, Evaluator<P> E>
Value AlphaBeta<P, E>::stand_at(const P& position) {
  Scores scores{};
  evaluate(std::span<const P>(&position, 1), std::span<Scores>(&scores, 1));
  return value_of_score(score_to_move(position, scores));
}

// The ways to be done with a node before its moves are tried: futile from above, good enough
// without a move, good enough by a capture.
template <Game P, Evaluator<P> E>
auto AlphaBeta<P, E>::cut_early(const P& position, int depth, int ply, Value beta, bool cut)
    -> std::optional<Answer> {
  const Value stand = frames_[at(ply)].stand;
  if (depth <= near_horizon && settings_.margin > 0 && stand - margin_of(depth) >= beta) {
    return Answer{stand, false};
  }
  if (stand >= beta && settings_.null_move) {
    if (const auto answer = cut_by_passing(position, depth, ply, beta, cut)) return answer;
    if (stopped_) return std::nullopt;
  }
  if (settings_.steps.probcut > 0) return cut_by_capture(position, depth, ply, beta, cut);
  return std::nullopt;
}

// The null move (Beal 1989; Donninger 1993): if the other side cannot use a move for nothing, a
// less deep search says enough. Never twice running, or both sides would pass away the depth.
template <Game P, Evaluator<P> E>
auto AlphaBeta<P, E>::cut_by_passing(const P& position, int depth, int ply, Value beta, bool cut)
    -> std::optional<Answer> {
  if constexpr (Passes<P>) {
    if (!settings_.null_move || depth < 2 || ply == passed_) return std::nullopt;
    const AlphaBetaSteps& steps = settings_.steps;
    const Value ahead = frames_[at(ply)].stand - beta;
    const int gain =
        steps.null_gain > 0 ? std::min(ahead / (steps.null_gain * (whole_score / 1000)), 3) : 0;
    const int left = std::max(depth - 3 - depth / 4 - gain, 0);
    const int before = passed_;
    passed_ = ply + 1;
    frames_[at(ply)].move = no_move;
    frames_[at(ply)].sort = -1;
    remember(position, past_);
    const P child = position.passed();
    const Answer answer = for_team(
        team_to_move(position), child, beta - 1, beta,
        [&](Value low, Value high) { return search_node(child, left, ply + 1, low, high, !cut); });
    forget(position);
    passed_ = before;
    lines_[at(ply)].size = 0;
    if (stopped_ || answer.value < beta) return std::nullopt;
    if (steps.verify > 0 && depth >= steps.verify) {  // zugzwang: does a move do as well?
      passed_ = ply;
      const Answer again = search_node(position, left, ply, beta - 1, beta, false);
      passed_ = before;
      lines_[at(ply)].size = 0;
      if (stopped_ || again.value < beta) return std::nullopt;
    }
    // A win that needs the other side to pass is none.
    return Answer{is_decided(answer.value) ? beta : answer.value, answer.by_past};
  } else {
    return std::nullopt;
  }
}

// ProbCut (Buro 1995), with captures as their own witnesses: one that beats the window by a margin
// past the horizon and again four plies less deep will most likely do so in full.
template <Game P, Evaluator<P> E>
auto AlphaBeta<P, E>::cut_by_capture(const P& position, int depth, int ply, Value beta, bool cut)
    -> std::optional<Answer> {
  constexpr int least = 5;
  const Value goal = beta + settings_.steps.probcut * (whole_score / 1000);
  if (depth < least || batches() || is_decided(goal)) return std::nullopt;
  RankedMoves<P> list;
  if constexpr (Noisy<P>) position.noisy_moves(list.moves);
  if (list.moves.empty()) return std::nullopt;
  order_.rank_noisy(position, list);
  const Team team = team_to_move(position);
  std::optional<Answer> found;
  remember(position, past_);
  for (int i = 0; i < list.moves.size() && !stopped_ && !found; ++i) {
    const Move move = list.pick(i);
    P child = position;
    child.play(move);
    enter(position, move, ply, true);
    const Leaf leaf = look(child, ply + 1);
    Answer answer = for_team(team, child, goal - 1, goal, [&](Value low, Value high) {
      return settle(child, leaf, ply + 1, 0, low, high);
    });
    if (stopped_ || answer.value < goal) continue;
    answer = for_team(team, child, goal - 1, goal, [&](Value low, Value high) {
      return search_node(child, depth - 4, ply + 1, low, high, !cut);
    });
    if (!stopped_ && answer.value >= goal && !is_decided(answer.value)) {
      found = Answer{answer.value, answer.by_past};
    }
  }
  forget(position);
  lines_[at(ply)].size = 0;
  return found;
}

// Quiet moves that come so late, or would have to change so much, that they are left out.
template <Game P, Evaluator<P> E>
bool AlphaBeta<P, E>::is_futile(Value stand, int depth, int place, int rank, Value alpha) const {
  if (settings_.margin <= 0 || depth > near_horizon || MoveOrder<P>::is_unquiet(rank)) return false;
  return place >= 6 + 3 * depth * depth || stand + margin_of(depth) <= alpha;
}

// How much less deep a late move is searched at first: one turn, two if it is very late; if steep,
// by the product of the logarithms of place and depth. Moves that the order marks as unquiet are
// spared, except the captures inside a turn, of which there are many and the first few are the
// likely ones.
template <Game P, Evaluator<P> E>
int AlphaBeta<P, E>::reduction(const P& position, int depth, int place, int rank, bool open,
                               bool cut) const {
  const AlphaBetaSteps& steps = settings_.steps;
  if (!settings_.reduce || depth < 2 || place < (steps.late > 0 ? 1 : 3)) return 0;
  if (MoveOrder<P>::is_unquiet(rank) && !is_in_turn(position)) return 0;
  if (steps.late > 0) {
    const int product = logs_1024[at(std::min(depth, 255))] * logs_1024[at(std::min(place, 255))];
    int less = steps.late_base * 1024 / 100 + product / 1024 * steps.late / 100;
    if (open) less -= 1024;
    if (cut) less += 1024;
    if (MoveOrder<P>::is_refuter(rank)) {
      less -= 1024;
    } else {
      less -= std::clamp(rank, -4096, 4096) / 4;  // what history says of it
    }
    return std::max(less / 1024, 0);
  }
  if (settings_.steep) {
    const auto length = [](int n) {
      return static_cast<int>(std::bit_width(static_cast<unsigned>(n)));
    };
    return std::max(length(depth) * length(place) / 5, 1);
  }
  return place >= 12 && depth >= 3 ? 2 : 1;
}

// Whether an unquiet move arrives where the unquiet move before it did.
template <Game P, Evaluator<P> E>
bool AlphaBeta<P, E>::takes_back(Move move, int rank, int ply) const {
  if constexpr (Arrives<P>) {
    if (settings_.steps.recaptures == 0 || ply == 0 || ply >= 2 * iteration_) return false;
    const Move last = frames_[at(ply - 1)].move;
    return MoveOrder<P>::is_unquiet(rank) && last != no_move && P::to_of(last) == P::to_of(move);
  }
  return false;
}

}  // namespace tempo
