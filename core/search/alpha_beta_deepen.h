// The definitions of alpha_beta.h: the root, iterations, time and threads.
#pragma once

#include "alpha_beta_class.h"

namespace tempo {

// Lists the root's moves in the order of the first iteration.
template <Game P, Evaluator<P> E>
void AlphaBeta<P, E>::prepare(const P& root) {
  RankedMoves<P> list;
  root.legal_moves(list.moves);
  Entry entry;
  const bool known = table_->find(root.key(), entry);
  order_.rank(root, list, known ? entry.move : no_move, 0);
  list.sort();
  root_.clear();
  for (const Move move : list.moves) root_.push_back({move});
}

// One search of all root moves within a window; whether one came out above its lower end. The best
// move so far is always in front, so that it and its line stand when the budget runs out in the
// middle.
template <Game P, Evaluator<P> E>
bool AlphaBeta<P, E>::pass(const P& root, Value low, Value high) {
  nodes_.clear();
  remember(root, past_);
  const bool brood = batches() && iteration_ == 1;
  if (brood) {
    typename P::Moves moves;
    for (const RootEntry& entry : root_) moves.push(entry.move);
    hatch(root, moves, iteration_, 0);
  }
  const Team team = team_to_move(root);
  Value alpha = low;
  std::size_t i = 0;
  for (; !stopped_ && alpha < high && (i < root_.size() || widen_root(root, alpha)); ++i) {
    P child = root;
    child.play(root_[i].move);
    const int below = depth_below(child, iteration_, 0, [&] { return is_checked(child); });
    enter(root, root_[i].move, 0, false);
    const auto ask = [&](Value least, Value most) {
      if (brood && below == 0) return settle(child, broods_[0][i], 1, 0, least, most);
      const bool refuted = most - least == 1 && team_to_move(child) != team;
      return search_node(child, below, 1, least, most, refuted);
    };
    const std::int64_t before = positions_;
    const bool narrow = i > 0 && !settings_.exact_root;
    const Value least = settings_.exact_root ? -infinite : alpha;
    Answer answer = for_team(team, child, least, narrow ? alpha + 1 : high, ask);
    if (narrow && answer.value > alpha && !stopped_) {
      answer = for_team(team, child, alpha, high, ask);
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
  if (stopped_ && settings_.widen && alpha > low && alpha < -whole_score) leave_lost(i);
  return alpha > low;
}

// One iteration. With aspiration the first window lies closely around the value of the last one,
// and is opened further on the side where the value falls out.
template <Game P, Evaluator<P> E>
void AlphaBeta<P, E>::iterate(const P& root) {
  constexpr int first = 2;
  const Value last = root_[0].value;
  Value half = settings_.steps.aspiration * (whole_score / 1000);
  Value low = -infinite;
  Value high = infinite;
  if (half > 0 && iteration_ >= first && !settings_.exact_root && !is_decided(last)) {
    low = last - half;
    high = last + half;
  }
  while (!stopped_) {
    const bool rose = pass(root, low, high);
    const Value value = root_[0].value;
    if (stopped_ && !rose) root_[0].value = last;  // what the line is worth, not a bound
    if (stopped_ || (rose && value < high)) return;
    half = std::min(4 * half, whole_score);
    if (!rose) low = half == whole_score ? -infinite : std::max(low - half, -infinite);
    if (rose) high = half == whole_score ? infinite : std::min(value + half, infinite);
  }
}

// Whether a search with a clock has done enough: sooner where one move is all there is or has been
// best for long, later where the value falls.
template <Game P, Evaluator<P> E>
bool AlphaBeta<P, E>::is_time(Move before, Value value) {
  steady_ = root_[0].move == before ? steady_ + 1 : 0;
  if (settings_.soft_seconds <= 0) return false;
  if (root_.size() == 1) return true;
  double share = steady_ >= 6 ? 0.6 : steady_ >= 3 ? 0.8 : steady_ == 0 ? 1.3 : 1.0;
  if (value != -infinite && root_[0].value < value - whole_score / 25) share *= 1.5;
  return ThreadTime::now() - begun_ >= settings_.soft_seconds * share;
}

template <Game P, Evaluator<P> E>
void AlphaBeta<P, E>::begin(const P& root, const History& past, bool forget) {
  begun_ = ThreadTime::now();
  past_ = past;
  root_seat_ = root.turn();
  order_.next_search(root.options(), !forget);
  std::fill(frames_.begin(), frames_.end(), Frame{});
  root_.clear();
  line_.clear();
  completed_ = steady_ = 0;
  stopped_ = false;
  passed_ = -1;
  positions_ = evaluations_ = 0;
  poll_.limit(settings_.seconds);
  visit();
}

template <Game P, Evaluator<P> E>
void AlphaBeta<P, E>::deepen(const P& root) {
  prepare(root);
  const int deepest = settings_.depth > 0 ? settings_.depth : max_depth;
  for (iteration_ = 1; iteration_ <= deepest && !stopped_; ++iteration_) {
    // Threads would do the same work if each went through the same iterations.
    const bool skips = number_ > 0 && iteration_ > 2 && (iteration_ + number_) % 3 == 0;
    if (skips && iteration_ < deepest) continue;
    const Move before = root_[0].move;
    const Value value = root_[0].value;
    iterate(root);
    if (stopped_) break;
    note_node(root, root_[0].value, Bound::Exact, iteration_);
    completed_ = iteration_;
    if (is_decided(root_[0].value)) break;  // nothing deeper is shorter
    if (is_time(before, value)) break;
    if (watch_) watch_(report(root));
  }
}

template <Game P, Evaluator<P> E>
void AlphaBeta<P, E>::raise_helpers() {
  if constexpr (Forks<E>) {
    for (int i = 1; i < settings_.threads; ++i) {
      helpers_.push_back(std::make_unique<Helper>(settings_, evaluator_->fork(), table_));
      helpers_.back()->search.number_ = i;
    }
    if (!helpers_.empty()) pool_ = std::make_unique<Pool>(settings_.threads);
  }
}

// Lazy SMP: every thread searches the root by itself, and finds in the table what others have done.
// The first one ends the search.
template <Game P, Evaluator<P> E>
void AlphaBeta<P, E>::search_together(const P& root, const History& past, bool forget) {
  Stop done;
  pool_->run_anytime(
      settings_.threads,
      [&](std::int64_t i) {
        const ThreadTime counts(settings_.thread_time);
        if (i == 0) {
          struct Ends {
            Stop& stop;
            ~Ends() { stop.set(); }
          } const ends{done};
          begun_ = ThreadTime::now();
          poll_.limit(settings_.seconds);
          return deepen(root);
        }
        const StopScope scope(done);
        AlphaBeta& helper = helpers_[static_cast<std::size_t>(i - 1)]->search;
        helper.settings_.depth = settings_.depth;
        helper.settings_.seconds = settings_.seconds;
        helper.most_positions_ = most_positions_;
        helper.begin(root, past, forget);
        helper.deepen(root);
      },
      1);
  AlphaBeta* deepest = this;
  for (const auto& helper : helpers_) {
    AlphaBeta& other = helper->search;
    positions_ += other.positions_;
    evaluations_ += other.evaluations_;
    if (other.completed_ > deepest->completed_ && other.has_line()) deepest = &other;
  }
  if (deepest == this) return;
  root_ = deepest->root_;
  line_ = deepest->line_;
  completed_ = deepest->completed_;
}

template <Game P, Evaluator<P> E>
SearchResult AlphaBeta<P, E>::search(const P& root, const History& past) {
  const ThreadTime counts(settings_.thread_time);
  if (has_coalition && root.turn() != root_seat_) fresh_ = true;  // values are those of a seat
  const bool forget = !settings_.keep || fresh_;
  fresh_ = false;
  table_->next_search(forget, settings_.steps.ageing != 0);
  const auto threads = static_cast<std::int64_t>(helpers_.size()) + 1;
  most_positions_ =
      settings_.positions > 0 ? std::max<std::int64_t>(settings_.positions / threads, 1) : 0;
  begin(root, past, forget);
  if (const auto end = outcome(root, past_)) {
    SearchResult result;
    result.scores = end->scores;
    result.positions = positions_;
    return result;
  }
  if (helpers_.empty()) {
    deepen(root);
  } else {
    search_together(root, past, forget);
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
  std::vector<RootEntry> entries = root_;
  sort_behind_first(entries);
  for (const RootEntry& entry : entries) {
    const bool seen = entry.value != -infinite;
    result.root.push_back({entry.move, entry.visits, seen ? scores_of(entry.value) : Scores{}});
  }
  result.positions = positions_;
  result.evaluations = evaluations_;
  result.seconds = ThreadTime::now() - begun_;
  return result;
}

}  // namespace tempo
