// The definitions of alpha_beta.h: interior nodes.
#pragma once

#include "alpha_beta_class.h"

namespace tempo {

// Counts positions about to be visited; false when the budget does not reach that far.
template <Game P, Evaluator<P> E>
bool AlphaBeta<P, E>::visit(std::int64_t count) {
  if (most_positions_ > 0 && positions_ + count > most_positions_) stopped_ = true;
  if (stopped_) return false;
  positions_ += count;
  if (poll_(count)) stopped_ = true;
  return !stopped_;
}

// Tells an evaluator that searches how many positions are left to it.
template <Game P, Evaluator<P> E>
void AlphaBeta<P, E>::allow_evaluator() {
  if constexpr (Visits<E>) {
    const std::int64_t most = std::numeric_limits<std::int64_t>::max();
    evaluator_->allow(most_positions_ > 0 ? most_positions_ - positions_ : most);
  }
}

template <Game P, Evaluator<P> E>
int AlphaBeta<P, E>::decide(const P& position, int depth) {
  if constexpr (Decides<E, P>) {
    allow_evaluator();
    const int distance = evaluator_->decide(position, depth);
    positions_ += evaluator_->visited();
    return distance;
  }
  return 0;
}

template <Game P, Evaluator<P> E>
void AlphaBeta<P, E>::evaluate(std::span<const P> positions, std::span<Scores> values) {
  allow_evaluator();
  (*evaluator_)(positions, values);
  evaluations_ += static_cast<std::int64_t>(positions.size());
  if constexpr (Visits<E>) positions_ += evaluator_->visited();
}

// Whether a table entry settles a node with this depth and window. A game that somebody has decided
// stays so, however little was searched; but only who sees decided games takes that shortcut.
template <Game P, Evaluator<P> E>
bool AlphaBeta<P, E>::answers(const Entry& entry, int depth, int ply, Value alpha, Value beta,
                              Value& value) const {
  const bool sure = decides() && is_decided(entry.value);
  if (settings_.equal_depth ? entry.depth != depth : entry.depth < depth && !sure) return false;
  value = value_from_root(entry.value, ply);
  switch (entry.bound) {
    case Bound::Exact:
      return true;
    case Bound::Lower:
      return value >= beta;
    case Bound::Upper:
      return value <= alpha;
    case Bound::None:
      break;
  }
  return false;
}

template <Game P, Evaluator<P> E>
auto AlphaBeta<P, E>::search_node(const P& position, int depth, int ply, Value alpha, Value beta,
                                  bool cut) -> Answer {
  if (depth <= 0 || ply >= max_ply) {
    return settle(position, look(position, ply), ply, 0, alpha, beta);
  }
  lines_[at(ply)].size = 0;
  if (!visit()) return {};
  if (const auto end = end_by_past(position)) {
    return {value_of_end(score_to_move(position, end->scores), ply), true};
  }

  // A node with an open window may be on the principal variation: it is searched in full, so that
  // the line always reaches the position its value came from.
  const bool open = beta - alpha > 1;
  const std::uint64_t key = position.key();
  Entry entry;
  const bool known = table_->find(key, entry);
  if (known) {
    Value value = 0;
    if (!open && answers(entry, depth, ply, alpha, beta, value)) return {value, false};
  } else if (const int distance = decide(position, depth)) {
    const Value value = value_of_distance(distance, ply);
    table_->store(key, value_from_here(value, ply), no_move, depth, Bound::Exact);
    return {value, false};
  }

  const bool cuts = may_cut(position, alpha, beta);
  if (cuts) {  // nobody evaluates a finished game
    if (const auto end = position.outcome()) {
      return {value_of_end(score_to_move(position, end->scores), ply), false};
    }
  }
  const Value kept = known && entry.stand != TranspositionTable::no_stand ? entry.stand : unknown;
  frames_[at(ply)].stand = !cuts ? unknown : kept != unknown ? kept : stand_at(position);
  if (cuts) {
    if (const auto answer = cut_early(position, depth, ply, beta, cut)) return *answer;
  }
  if (stopped_) return {};
  const int internal = settings_.steps.internal;
  if (internal > 0 && depth >= internal && entry.move == no_move && (open || cut)) --depth;
  return search_moves(position, depth, ply, alpha, beta, cut, cuts, entry.move);
}

template <Game P, Evaluator<P> E>
auto AlphaBeta<P, E>::search_moves(const P& position, int depth, int ply, Value alpha, Value beta,
                                   bool cut, bool cuts, Move table_move) -> Answer {
  RankedMoves<P> list;
  position.legal_moves(list.moves);
  if (list.moves.empty()) {
    return {value_of_end(score_to_move(position, position.outcome()->scores), ply), false};
  }
  const bool open = beta - alpha > 1;
  const Value stand = frames_[at(ply)].stand;
  const MovesBefore before = moves_before(ply);
  order_.rank(position, list, table_move, ply, before);

  remember(position, past_);
  const bool brood = batches() && depth == 1;
  if (brood) {
    list.sort();
    hatch(position, list.moves, depth, ply);
  }

  const CheckTest<P> test(position);
  const Team team = team_to_move(position);
  const Value floor = alpha;
  Answer best{-infinite, false};
  Move best_move = no_move;
  bool any_by_past = false;
  int widenings = 0;
  const int follow = is_in_turn(position) ? settings_.steps.follow : 0;
  const auto more = [&] { return widen(position, list, best.value, widenings); };
  for (int i = 0; !stopped_ && (i < list.moves.size() || more()); ++i) {
    if (follow > 0 && i >= follow && !is_decided(best.value)) break;  // a loss needs every move
    const Move move = brood ? list.moves[i] : list.pick(i);
    const bool futile = cuts && is_futile(stand, depth, i, list.rank[i], alpha);
    const auto leave_out = [&] {
      best.value = std::max(best.value, std::min(alpha, stand + margin_of(depth)));
    };
    if constexpr (CheckTest<P>::foresees) {
      if (futile && !extends(test.gives_check(move), ply)) {
        leave_out();
        continue;
      }
    }
    P child = position;
    child.play(move);
    int below = depth_below(child, depth, ply, [&] { return test.checks(move, child); });
    if (below < depth && futile) {
      leave_out();
      continue;
    }
    if constexpr (QuickKey<P>) table_->prefetch(child.key());
    if (below < depth && takes_back(move, list.rank[i], ply)) ++below;
    enter(position, move, ply, MoveOrder<P>::is_unquiet(list.rank[i]));
    int reached = below;
    const auto ask = [&](Value low, Value high) {
      if (brood && below == 0) {
        return settle(child, broods_[at(ply)][at(i)], ply + 1, 0, low, high);
      }
      const bool turns = team_to_move(child) != team;
      const bool refuted = high - low == 1 && (turns ? open || !cut : !open && cut);
      return search_node(child, reached, ply + 1, low, high, refuted);
    };
    const bool narrow = open && i > 0;
    const Value high = narrow ? alpha + 1 : beta;
    const int less = reduction(position, below, i, list.rank[i], open, cut);
    reached = std::max(below - less, std::min(below, 1));
    Answer answer = for_team(team, child, alpha, reached < below ? alpha + 1 : high, ask);
    if (reached < below && answer.value > alpha && !stopped_) {
      reached = below;
      answer = for_team(team, child, alpha, high, ask);
    }
    if (narrow && answer.value > alpha && answer.value < beta && !stopped_) {
      answer = for_team(team, child, alpha, beta, ask);
    }
    if (stopped_) break;

    any_by_past |= answer.by_past;
    if (answer.value <= best.value) continue;
    best = answer;
    best_move = move;
    if (answer.value <= alpha) continue;
    alpha = answer.value;
    if (open) extend_line(ply, move);
    if (alpha >= beta) {
      order_.reward(position, move, ply, depth, before);
      for (int k = 0; settings_.steps.malus != 0 && k < i; ++k) {
        if (MoveOrder<P>::is_unquiet(list.rank[k])) continue;
        order_.punish(position, list.moves[k], depth, before);
      }
      break;
    }
  }
  if (!stopped_) best.value = value_of_loss(position, list, best.value, ply);
  forget(position);
  if (stopped_) return {};

  // One good move proves a lower bound; anything else rests on all the moves.
  const Bound bound = best.value >= beta   ? Bound::Lower
                      : best.value > floor ? Bound::Exact
                                           : Bound::Upper;
  if (bound != Bound::Lower) best.by_past = any_by_past;
  if (!best.by_past) note_node(position, best.value, bound, depth);
  const bool keeps = settings_.steps.stands != 0 && stand != unknown;
  table_->store(position.key(), value_from_here(best.value, ply), best_move, depth,
                best.by_past ? Bound::None : bound, keeps ? stand : TranspositionTable::no_stand);
  return best;
}

template <Game P, Evaluator<P> E>
void AlphaBeta<P, E>::note_node(const P& position, Value value, Bound bound, int depth) {
  if (nodes_.size() >= settings_.record || is_in_turn(position)) return;
  const Value low = bound == Bound::Upper ? -infinite : value;
  const Value high = bound == Bound::Lower ? infinite : value;
  nodes_.push_back({position, low, high, depth});
}

}  // namespace tempo
