// The class of alpha_beta.h: what a search is asked and what it keeps. Its definitions are in
// alpha_beta_search.h and alpha_beta_cuts.h.
#pragma once

#include <algorithm>
#include <bit>
#include <chrono>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "../evaluator.h"
#include "../game.h"
#include "../stop.h"
#include "alpha_beta_order.h"
#include "alpha_beta_root.h"
#include "alpha_beta_settings.h"
#include "alpha_beta_value.h"
#include "result.h"
#include "transposition.h"

namespace tempo {

// Games that can say whether the side to move is in check: such positions are searched one move
// deeper.
template <class P>
concept Checks = Game<P> && requires(const P c) {
  { c.in_check() } -> std::same_as<bool>;
};

// Games that can be thought on as if the side to move had passed; only asked where it is not in
// check. Passing is no move of the game: a side that stands well enough even then need not be
// searched in full.
template <class P>
concept Passes = Checks<P> && requires(const P c) {
  { c.passed() } -> std::same_as<P>;
};

// Games whose turns may take several moves of one seat (Jiu) and say whether one is under way.
// Depth then counts whole turns, and nothing is evaluated in the middle of one.
template <class P>
concept LongTurns = Game<P> && requires(const P c) {
  { c.in_turn() } -> std::same_as<bool>;
};

template <Game P>
bool is_in_turn(const P& position) {
  if constexpr (LongTurns<P>) {
    return position.in_turn();
  } else {
    return false;
  }
}

// How many turns past the horizon a search follows unquiet moves: to the quiet end, unless a game
// in which there is always something to capture names a number.
template <Game P>
constexpr int usual_quiescence_turns() {
  if constexpr (requires { P::quiescence_turns; }) {
    return P::quiescence_turns;
  } else {
    return 1000;
  }
}

// An interior position of a search and what the search proved of it, for the team to move there:
// low <= value <= high, by a search of `depth`.
template <Game P>
struct SearchedNode {
  P position;
  Value low;
  Value high;
  int depth;
};

template <Game P, Evaluator<P> E>
class AlphaBeta {
  static constexpr bool has_coalition = teams_of<P>() > 2;

 public:
  static constexpr int max_depth = 100;

  // The evaluator stays with the caller and must outlive the search.
  AlphaBeta(const AlphaBetaSettings& settings, E& evaluator)
      : settings_(settings),
        evaluator_(&evaluator),
        table_(settings.table_bytes),
        order_(max_ply + 1),
        lines_(max_ply + 2),
        broods_(max_ply + 1) {
    require_sound(settings);
  }

  [[nodiscard]] const AlphaBetaSettings& settings() const { return settings_; }

  // Other budgets for the searches to come; the depth stays.
  void limit(std::int64_t positions, double seconds) {
    settings_.positions = positions;
    settings_.seconds = seconds;
  }

  // Forgets what `keep` carried from search to search.
  void clear() {
    table_.clear();
    fresh_ = true;
  }

  // Searches `root`, reached through `past`. The line of the result leads to the position whose
  // evaluation (or end) is the result's value. Scores of root moves behind the best are upper
  // bounds for the team to move unless `exact_root`. A finished game gives its scores and no move.
  SearchResult search(const P& root, const History& past = {});

  // Whether the last search got to the end of one move. If not, its value is the evaluation of the
  // root, and its line leads nowhere.
  [[nodiscard]] bool has_line() const { return !line_.empty(); }

  // What the last iteration of the last search proved of its interior positions, up to
  // `settings.record` of them. Ends, positions inside a turn and values that the past had a part in
  // are left out.
  [[nodiscard]] const std::vector<SearchedNode<P>>& nodes() const { return nodes_; }

 private:
  static constexpr int max_ply = 127;
  static constexpr int shallow = 3;  // at most so deep is near the horizon

  // A value, and whether an earlier occurrence of a position had a part in it.
  struct Answer {
    Value value = 0;
    bool by_past = false;
  };
  // A position at the horizon: its value for the team that moves there.
  struct Leaf {
    Value value = 0;
    bool is_over = false;
    bool by_past = false;
    bool asked = false;  // the evaluator's answer is still to come
  };
  struct Line {
    int size = 0;
    Move moves[max_ply + 1];
  };

  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }
  // Of several teams, all but the root's are one.
  [[nodiscard]] Team team_to_move(const P& position) const {
    const Team team = P::team_of(position.turn());
    if constexpr (has_coalition) return team == P::team_of(root_seat_) ? Team{0} : Team{1};
    return team;
  }
  [[nodiscard]] float score_to_move(const P& position, const Scores& scores) const {
    if constexpr (has_coalition) {
      const float score = scores[at(index(root_seat_))];
      return index(team_to_move(position)) == 0 ? score : -score;
    }
    return scores[at(index(position.turn()))];
  }

  // Asks `ask(low, high)` about a child and turns the answer into the view of `team`.
  template <class Ask>
  Answer for_team(Team team, const P& child, Value alpha, Value beta, const Ask& ask) const {
    if (team_to_move(child) == team) return ask(alpha, beta);
    Answer answer = ask(-beta, -alpha);
    answer.value = -answer.value;
    return answer;
  }

  [[nodiscard]] bool batches() const { return evaluator_->prefers_batches; }
  bool visit(std::int64_t count = 1);
  void allow_evaluator();
  // Whether the evaluator sees decided games, and how many moves from here one ends.
  [[nodiscard]] bool decides() const {
    if constexpr (Decides<E, P>) return evaluator_->decides();
    return false;
  }
  int decide(const P& position);
  void evaluate(std::span<const P> positions, std::span<Scores> values);
  void forget(const P&) {
    if constexpr (Remembers<P>) past_.pop();
  }
  [[nodiscard]] std::optional<Outcome> end_by_past(const P& position) const {
    if constexpr (Remembers<P>) {
      return position.outcome_by_past(past_);
    } else {
      return std::nullopt;
    }
  }
  [[nodiscard]] int depth_below(const P& child, int depth, int ply) const {
    if (is_in_turn(child)) return depth;
    if constexpr (Checks<P>) {
      // The limit keeps a series of checks from doubling the depth more than once.
      if (settings_.extend_checks && ply < 2 * iteration_ && child.in_check()) return depth;
    }
    return depth - 1;
  }
  void extend_line(int ply, Move move) {
    Line& line = lines_[at(ply)];
    const Line& tail = lines_[at(ply + 1)];
    line.moves[0] = move;
    std::copy_n(tail.moves, tail.size, line.moves + 1);
    line.size = tail.size + 1;
  }

  [[nodiscard]] bool answers(const TranspositionTable::Entry& entry, int depth, int ply,
                             Value alpha, Value beta, Value& value) const;
  Leaf look(const P& position, int ply);
  void hatch(const P& position, const typename P::Moves& moves, int depth, int ply);
  Answer search_node(const P& position, int depth, int ply, Value alpha, Value beta);
  [[nodiscard]] bool is_checked(const P& position) const {
    if constexpr (Checks<P>) return position.in_check();
    return false;
  }
  // Whether a node may be cut short at all, and how: what it stands for without a move, that it is
  // good enough even so, and the moves not worth a look.
  [[nodiscard]] bool may_cut(const P& position, Value alpha, Value beta) const;
  Value stand_at(const P& position);
  std::optional<Answer> cut_by_passing(const P& position, int depth, int ply, Value beta);
  [[nodiscard]] bool is_futile(Value stand, int depth, int place, int rank, Value alpha) const;
  [[nodiscard]] Value margin_of(int depth) const {
    return static_cast<Value>(settings_.margin * depth * whole_score);
  }
  [[nodiscard]] int reduction(const P& position, int depth, int place, int rank) const;
  void note_node(const P& position, Value value, Bound bound, int depth);
  // `turns` is how many turns past the horizon a position lies.
  Answer settle(const P& position, const Leaf& leaf, int ply, int turns, Value alpha, Value beta);
  Answer quiesce(const P& position, Value stand, int ply, int turns, Value alpha, Value beta);

  void prepare(const P& root);
  void iterate(const P& root);
  SearchResult report(const P& root);

  AlphaBetaSettings settings_;
  E* evaluator_;
  TranspositionTable table_;
  MoveOrder<P> order_;
  History past_;
  std::vector<Line> lines_;                // [ply]: the best line found from the node at that ply
  std::vector<std::vector<Leaf>> broods_;  // [ply]: children on the horizon, evaluated together
  std::vector<P> asked_;
  std::vector<Scores> scores_;
  std::vector<RootEntry> root_;
  std::vector<Move> line_;
  std::vector<SearchedNode<P>> nodes_;
  bool fresh_ = true;
  Seat root_seat_{};  // whose search it is

  int passed_ = -1;  // the ply of the last node that was reached by passing
  int iteration_ = 0;
  int completed_ = 0;
  bool stopped_ = false;
  std::int64_t positions_ = 0;
  std::int64_t evaluations_ = 0;
  StopPoll poll_;
  std::chrono::steady_clock::time_point begun_;
};

}  // namespace tempo
