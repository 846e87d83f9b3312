// The definitions of alpha_beta.h: nodes, horizon, root.
#pragma once

#include "alpha_beta_class.h"

namespace tempo {

// Counts positions about to be visited; false when the budget does not reach that far.
template <Game P, Evaluator<P> E>
bool AlphaBeta<P, E>::visit(std::int64_t count) {
  if (settings_.positions > 0 && positions_ + count > settings_.positions) stopped_ = true;
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
    evaluator_->allow(settings_.positions > 0 ? settings_.positions - positions_ : most);
  }
}

template <Game P, Evaluator<P> E>
int AlphaBeta<P, E>::decide(const P& position) {
  if constexpr (Decides<E, P>) {
    allow_evaluator();
    const int distance = evaluator_->decide(position);
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
bool AlphaBeta<P, E>::answers(const TranspositionTable::Entry& entry, int depth, int ply,
                              Value alpha, Value beta, Value& value) const {
  const bool sure = decides() && is_decided(entry.value);
  if (settings_.equal_depth ? entry.depth != depth : entry.depth < depth && !sure) return false;
  value = value_from_root(entry.value, ply);
  switch (entry.kind()) {
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
auto AlphaBeta<P, E>::search_node(const P& position, int depth, int ply, Value alpha, Value beta)
    -> Answer {
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
  Move table_move = no_move;
  if (const auto* entry = table_.find(key)) {
    Value value = 0;
    if (!open && answers(*entry, depth, ply, alpha, beta, value)) return {value, false};
    table_move = entry->move;
  } else if (const int distance = decide(position)) {
    const Value value = value_of_distance(distance, ply);
    table_.store(key, value_from_here(value, ply), no_move, depth, Bound::Exact);
    return {value, false};
  }

  RankedMoves<P> list;
  position.legal_moves(list.moves);
  if (list.moves.empty()) {
    return {value_of_end(score_to_move(position, position.outcome()->scores), ply), false};
  }
  const bool cuts = may_cut(position, alpha, beta);
  const Value stand = cuts ? stand_at(position) : 0;
  if (cuts) {
    if (depth <= shallow && settings_.margin > 0 && stand - margin_of(depth) >= beta) {
      return {stand, false};
    }
    if (stand >= beta) {
      if (const auto answer = cut_by_passing(position, depth, ply, beta)) return *answer;
      if (stopped_) return {};
    }
  }
  order_.rank(position, list, table_move, ply);

  remember(position, past_);
  const bool brood = batches() && depth == 1;
  if (brood) {
    list.sort();
    hatch(position, list.moves, depth, ply);
  }

  const Team team = team_to_move(position);
  const Value floor = alpha;
  Answer best{-infinite, false};
  Move best_move = no_move;
  bool any_by_past = false;
  for (int i = 0; i < list.moves.size() && !stopped_; ++i) {
    const Move move = brood ? list.moves[i] : list.pick(i);
    P child = position;
    child.play(move);
    const int below = depth_below(child, depth, ply);
    if (cuts && below < depth && is_futile(stand, depth, i, list.rank[i], alpha)) {
      best.value = std::max(best.value, std::min(alpha, stand + margin_of(depth)));
      continue;
    }
    int reached = below;
    const auto ask = [&](Value low, Value high) {
      if (brood && below == 0) {
        return settle(child, broods_[at(ply)][at(i)], ply + 1, 0, low, high);
      }
      return search_node(child, reached, ply + 1, low, high);
    };
    const bool narrow = open && i > 0;
    const Value high = narrow ? alpha + 1 : beta;
    reached = std::max(below - reduction(position, below, i, list.rank[i]), std::min(below, 1));
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
      order_.reward(position, move, ply, depth);
      break;
    }
  }
  forget(position);
  if (stopped_) return {};

  // One good move proves a lower bound; anything else rests on all the moves.
  const Bound bound = best.value >= beta   ? Bound::Lower
                      : best.value > floor ? Bound::Exact
                                           : Bound::Upper;
  if (bound != Bound::Lower) best.by_past = any_by_past;
  if (!best.by_past) note_node(position, best.value, bound, depth);
  table_.store(key, value_from_here(best.value, ply), best_move, depth,
               best.by_past ? Bound::None : bound);
  return best;
}

template <Game P, Evaluator<P> E>
void AlphaBeta<P, E>::note_node(const P& position, Value value, Bound bound, int depth) {
  if (nodes_.size() >= settings_.record || is_in_turn(position)) return;
  const Value low = bound == Bound::Upper ? -infinite : value;
  const Value high = bound == Bound::Lower ? infinite : value;
  nodes_.push_back({position, low, high, depth});
}

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
    if (depth_below(child, depth, ply) > 0) continue;
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

// The team to move may take the evaluation as it stands, or try the unquiet moves. Inside a turn
// nothing stands: it continues with the moves that the game names.
template <Game P, Evaluator<P> E>
auto AlphaBeta<P, E>::quiesce(const P& position, Value stand, int ply, int turns, Value alpha,
                              Value beta) -> Answer {
  Answer best{stand, false};
  if (stand >= beta) return best;
  const bool open = beta - alpha > 1;
  alpha = std::max(alpha, stand);

  RankedMoves<P> list;
  if constexpr (Noisy<P>) position.noisy_moves(list.moves);
  if (list.moves.empty()) return best;
  order_.rank_noisy(position, list);
  remember(position, past_);
  if (batches()) {
    list.sort();
    hatch(position, list.moves, 0, ply);
  }

  const Team team = team_to_move(position);
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
    if (answer.value <= alpha) continue;
    alpha = answer.value;
    if (open) extend_line(ply, move);
    if (alpha >= beta) break;
  }
  forget(position);
  if (best.value < beta) best.by_past = any_by_past;
  return best;
}

// Lists the root's moves in the order of the first iteration.
template <Game P, Evaluator<P> E>
void AlphaBeta<P, E>::prepare(const P& root) {
  RankedMoves<P> list;
  root.legal_moves(list.moves);
  const auto* entry = table_.find(root.key());
  order_.rank(root, list, entry != nullptr ? entry->move : no_move, 0);
  list.sort();
  root_.clear();
  for (const Move move : list.moves) root_.push_back({move});
}

// One iteration at the root. The best move so far is always in front, so that it and its line stand
// when the budget runs out in the middle.
template <Game P, Evaluator<P> E>
void AlphaBeta<P, E>::iterate(const P& root) {
  nodes_.clear();
  remember(root, past_);
  const bool brood = batches() && iteration_ == 1;
  if (brood) {
    typename P::Moves moves;
    for (const RootEntry& entry : root_) moves.push(entry.move);
    hatch(root, moves, iteration_, 0);
  }
  const Team team = team_to_move(root);
  Value alpha = -infinite;
  for (std::size_t i = 0; i < root_.size() && !stopped_; ++i) {
    P child = root;
    child.play(root_[i].move);
    const int below = depth_below(child, iteration_, 0);
    const auto ask = [&](Value low, Value high) {
      if (brood && below == 0) return settle(child, broods_[0][i], 1, 0, low, high);
      return search_node(child, below, 1, low, high);
    };
    const std::int64_t before = positions_;
    const bool narrow = i > 0 && !settings_.exact_root;
    const Value low = settings_.exact_root ? -infinite : alpha;
    Answer answer = for_team(team, child, low, narrow ? alpha + 1 : infinite, ask);
    if (narrow && answer.value > alpha && !stopped_) {
      answer = for_team(team, child, alpha, infinite, ask);
    }
    root_[i].visits += positions_ - before;
    if (stopped_) break;
    root_[i].value = answer.value;
    if (answer.value <= alpha) continue;
    alpha = answer.value;
    extend_line(0, root_[i].move);
    line_.assign(lines_[0].moves, lines_[0].moves + lines_[0].size);
    const auto here = root_.begin() + static_cast<std::ptrdiff_t>(i);
    std::rotate(root_.begin(), here, here + 1);
  }
  forget(root);
}

template <Game P, Evaluator<P> E>
SearchResult AlphaBeta<P, E>::search(const P& root, const History& past) {
  begun_ = std::chrono::steady_clock::now();
  past_ = past;
  if (has_coalition && root.turn() != root_seat_) fresh_ = true;  // values are those of a seat
  root_seat_ = root.turn();
  table_.next_search(!settings_.keep || fresh_);
  order_.next_search(root.options(), settings_.keep && !fresh_);
  fresh_ = false;
  root_.clear();
  line_.clear();
  completed_ = 0;
  stopped_ = false;
  passed_ = -1;
  positions_ = evaluations_ = 0;
  poll_.limit(settings_.seconds);
  visit();
  if (const auto end = outcome(root, past_)) {
    SearchResult result;
    result.scores = end->scores;
    result.positions = positions_;
    return result;
  }
  prepare(root);
  const int deepest = settings_.depth > 0 ? settings_.depth : max_depth;
  for (iteration_ = 1; iteration_ <= deepest && !stopped_; ++iteration_) {
    iterate(root);
    if (stopped_) break;
    note_node(root, root_[0].value, Bound::Exact, iteration_);
    completed_ = iteration_;
    if (is_decided(root_[0].value)) break;  // nothing deeper is shorter
  }
  return report(root);
}

template <Game P, Evaluator<P> E>
SearchResult AlphaBeta<P, E>::report(const P& root) {
  const auto scores_of = [&](Value value) {
    return scores_by_team_of<P>(root.turn(), score_of_value(value));
  };
  SearchResult result;
  result.move = root_[0].move;
  result.depth = completed_;
  if (line_.empty()) {  // the budget did not even reach the end of one move
    result.line = {result.move};
    evaluate(std::span<const P>(&root, 1), std::span<Scores>(&result.scores, 1));
  } else {
    result.line = line_;
    result.scores = scores_of(root_[0].value);
  }
  sort_behind_first(root_);
  for (const RootEntry& entry : root_) {
    const bool seen = entry.value != -infinite;
    result.root.push_back({entry.move, entry.visits, seen ? scores_of(entry.value) : Scores{}});
  }
  result.positions = positions_;
  result.evaluations = evaluations_;
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begun_;
  result.seconds = spent.count();
  return result;
}

}  // namespace tempo
