// The definitions of alpha_beta.h: the horizon and what lies past it.
#pragma once

#include "alpha_beta_class.h"

namespace tempo {

// Visits a position at the horizon: its end or its evaluation.
template <Game P, Evaluator<P> E>
auto AlphaBeta<P, E>::look(const P& position, int ply) -> Leaf {
  if (!visit()) return {};
  if (const auto end = position.outcome()) {
    return {value_of_end(score_to_move(position, end->scores), ply), true, false};
  }
  if (const auto end = end_by_past(position)) {
    return {value_of_end(score_to_move(position, end->scores), ply), true, true};
  }
  if (is_in_turn(position) && ply < max_ply) return {-infinite};  // it must go on
  if (keeps_leaves()) {
    Entry entry;
    if (table_->find(position.key(), entry) && entry.stand != TranspositionTable::no_stand) {
      return {entry.stand};
    }
  }
  Scores scores{};
  evaluate(std::span<const P>(&position, 1), std::span<Scores>(&scores, 1));
  if constexpr (Decides<E, P>) {
    if (const int distance = evaluator_->decided()) return {value_of_distance(distance, ply), true};
  }
  return {value_of_score(score_to_move(position, scores))};
}

// Visits the children of a node that lie on the horizon, with one call of the evaluator.
template <Game P, Evaluator<P> E>
void AlphaBeta<P, E>::hatch(const P& position, const typename P::Moves& moves, int depth, int ply) {
  std::vector<Leaf>& leaves = broods_[at(ply)];
  leaves.clear();
  asked_.clear();
  std::int64_t visited = 0;
  for (const Move move : moves) {
    P child = position;
    child.play(move);
    Leaf& leaf = leaves.emplace_back(Leaf{0, true});
    if (depth_below(child, depth, ply, [&] { return is_checked(child); }) > 0) continue;
    ++visited;
    if (const auto end = child.outcome()) {
      leaf.value = value_of_end(score_to_move(child, end->scores), ply + 1);
    } else if (const auto by_past = end_by_past(child)) {
      leaf = {value_of_end(score_to_move(child, by_past->scores), ply + 1), true, true};
    } else if (is_in_turn(child) && ply + 1 < max_ply) {
      leaf = {-infinite};
    } else {
      leaf = {0, false, false, true};
      asked_.push_back(child);
    }
  }
  if (!visit(visited) || asked_.empty()) return;
  scores_.resize(asked_.size());
  evaluate(std::span<const P>(asked_), std::span<Scores>(scores_));
  std::size_t next = 0;
  for (Leaf& leaf : leaves) {
    if (!leaf.asked) continue;
    leaf.value = value_of_score(score_to_move(asked_[next], scores_[next]));
    ++next;
  }
}

template <Game P, Evaluator<P> E>
auto AlphaBeta<P, E>::settle(const P& position, const Leaf& leaf, int ply, int turns, Value alpha,
                             Value beta) -> Answer {
  lines_[at(ply)].size = 0;
  if constexpr (Noisy<P>) {
    const int named = settings_.quiescence_turns;
    const int most = named > 0 ? named : usual_quiescence_turns<P>();
    const bool on = is_in_turn(position) || turns < most;
    if (settings_.quiescence && on && !leaf.is_over && !stopped_ && ply < max_ply) {
      return quiesce(position, leaf.value, ply, turns, alpha, beta);
    }
  }
  return {leaf.value, leaf.by_past};
}

// The team to move may take the evaluation as it stands, or try the unquiet moves; out of check, if
// asked for, it must try them all. Inside a turn nothing stands: it continues with the moves that
// the game names.
template <Game P, Evaluator<P> E>
auto AlphaBeta<P, E>::quiesce(const P& position, Value stand, int ply, int turns, Value alpha,
                              Value beta) -> Answer {
  const bool open = beta - alpha > 1;
  const bool keeps = keeps_leaves();
  const std::uint64_t key = keeps ? position.key() : 0;
  Entry entry;
  const bool known = keeps && table_->find(key, entry);
  if (known) {
    Value value = 0;
    if (!open && answers(entry, 0, ply, alpha, beta, value)) return {value, false};
  }
  const bool evades = turns < settings_.steps.evasions && is_checked(position);
  const Value floor = alpha;
  Answer best{evades ? -infinite : stand, false};
  const auto keep = [&](Move move) {
    if (!keeps || stopped_ || best.by_past || (known && entry.depth > 0)) return;
    const Bound bound = best.value >= beta   ? Bound::Lower
                        : best.value > floor ? Bound::Exact
                                             : Bound::Upper;
    table_->store(key, value_from_here(best.value, ply), move, 0, bound, stand);
  };
  if (best.value >= beta) {
    keep(no_move);
    return best;
  }
  alpha = std::max(alpha, best.value);

  RankedMoves<P> list;
  if (evades) {
    position.legal_moves(list.moves);
    order_.rank(position, list, entry.move, ply);
  } else if constexpr (Noisy<P>) {
    position.noisy_moves(list.moves);
  }
  if (list.moves.empty()) {
    keep(no_move);
    return best;
  }
  if (!evades) order_.rank_noisy(position, list);
  remember(position, past_);
  if (batches()) {
    list.sort();
    hatch(position, list.moves, 0, ply);
  }

  const Team team = team_to_move(position);
  Move best_move = no_move;
  bool any_by_past = false;
  for (int i = 0; i < list.moves.size() && !stopped_; ++i) {
    const Move move = batches() ? list.moves[i] : list.pick(i);
    P child = position;
    child.play(move);
    const Leaf leaf = batches() ? broods_[at(ply)][at(i)] : look(child, ply + 1);
    const int on = is_in_turn(child) ? turns : turns + 1;
    const Answer answer = for_team(team, child, alpha, beta, [&](Value low, Value high) {
      return settle(child, leaf, ply + 1, on, low, high);
    });
    if (stopped_) break;
    any_by_past |= answer.by_past;
    if (answer.value <= best.value) continue;
    best = answer;
    best_move = move;
    if (answer.value <= alpha) continue;
    alpha = answer.value;
    if (open) extend_line(ply, move);
    if (alpha >= beta) break;
  }
  forget(position);
  if (best.value < beta) best.by_past = any_by_past;
  keep(best_move);
  return best;
}

}  // namespace tempo
