// The class of alpha_beta.h: what a search is asked and what it keeps. Its definitions are in
// alpha_beta_search.h (nodes), alpha_beta_cuts.h (what is searched less deep or not at all),
// alpha_beta_quiescence.h (the horizon) and alpha_beta_deepen.h (the root).
#pragma once

#include <algorithm>
#include <bit>
#include <chrono>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../evaluator.h"
#include "../game.h"
#include "../parallel/pool.h"
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

// Games that can tell which moves give check before they are played: `check_test()` looks at the
// position once and answers `gives_check(move)` for each of its legal moves.
template <class P>
concept ForeseesChecks = Checks<P> && requires(const P c, Move move) {
  { c.check_test().gives_check(move) } -> std::same_as<bool>;
};

// Games that can say where a move arrives, so that taking back is known.
template <class P>
concept Arrives = Game<P> && requires(const P c, Move move) {
  { P::to_of(move) } -> std::convertible_to<int>;
};

// Games whose key is at hand, so that the table's entry may be fetched early.
template <class P>
concept QuickKey = Game<P> && requires { requires P::quick_key; };

// Evaluators that can be copied for another thread, sharing nothing that changes.
template <class E>
concept Forks = requires(const E& evaluator) {
  { evaluator.fork() } -> std::same_as<E>;
};

// Games whose turns may take several moves of one seat (Jiu) and say whether one is under way.
// Depth then counts whole turns, and nothing is evaluated in the middle of one.
template <class P>
concept LongTurns = Game<P> && requires(const P c) {
  { c.in_turn() } -> std::same_as<bool>;
};

// Games that list only the most promising moves of some positions (Gomoku). A list can be made
// longer until nothing is left out that matters.
template <class P>
concept Selective = Game<P> && requires(const P c, typename P::Moves& moves) {
  // Appends the most promising of the moves left out; false, and nothing, if there are none.
  { c.widen(moves) } -> std::same_as<bool>;
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

// Which moves of a position give check: foreseen, where a game can, or seen once they are played.
template <Game P>
struct CheckTest {
  static constexpr bool foresees = false;
  explicit CheckTest(const P&) {}
  [[nodiscard]] bool gives_check(Move) const { return false; }
  [[nodiscard]] bool checks(Move, const P& child) const {
    if constexpr (Checks<P>) return child.in_check();
    return false;
  }
};
template <ForeseesChecks P>
struct CheckTest<P> {
  static constexpr bool foresees = !LongTurns<P>;
  explicit CheckTest(const P& position) : test_(position.check_test()) {}
  [[nodiscard]] bool gives_check(Move move) const { return test_.gives_check(move); }
  [[nodiscard]] bool checks(Move move, const P&) const { return test_.gives_check(move); }

 private:
  decltype(std::declval<const P&>().check_test()) test_;
};

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
  static constexpr int max_depth = most_depth;
  using Watch = std::function<void(const SearchResult&)>;

  // The evaluator stays with the caller and must outlive the search.
  AlphaBeta(const AlphaBetaSettings& settings, E& evaluator)
      : AlphaBeta(settings, evaluator, std::make_shared<TranspositionTable>(settings.table_bytes)) {
    require_sound(settings, Forks<E>);
    raise_helpers();
  }

  // Out of line: made and ended in many places, none of them hot.
  [[gnu::noinline]] ~AlphaBeta() = default;
  AlphaBeta(const AlphaBeta&) = delete;
  AlphaBeta& operator=(const AlphaBeta&) = delete;

  [[nodiscard]] const AlphaBetaSettings& settings() const { return settings_; }

  // Other budgets for the searches to come; the depth stays.
  void limit(std::int64_t positions, double seconds) {
    limit(positions, seconds, settings_.soft_seconds, settings_.depth);
  }
  void limit(std::int64_t positions, double seconds, double soft_seconds, int depth) {
    AlphaBetaSettings settings = settings_;
    settings.positions = positions;
    settings.seconds = seconds;
    settings.soft_seconds = soft_seconds;
    settings.depth = depth;
    require_sound(settings, Forks<E>);
    settings_ = settings;
  }

  // Calls `watch` with what is known after every iteration, on the thread that searches.
  void watch(Watch watch) { watch_ = std::move(watch); }

  // Forgets what `keep` carried from search to search.
  void clear() {
    table_->clear();
    fresh_ = true;
    for (const auto& helper : helpers_) helper->search.fresh_ = true;
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
  static constexpr int most_widenings = 2;
  // Losses that are believed but not proved lie just within the scores, the later the better.
  static constexpr Value unproven_loss(int ply) { return 1 + ply - whole_score; }
  static constexpr Value most_unproven = unproven_loss(max_ply + 1);

  // Another thread's search through the same table, with an evaluator of its own.
  struct Helper {
    E evaluator;
    AlphaBeta search;

    Helper(const AlphaBetaSettings& settings, E copy, std::shared_ptr<TranspositionTable> table)
        : evaluator(std::move(copy)), search(settings, evaluator, std::move(table)) {}
  };

  [[gnu::noinline]] AlphaBeta(const AlphaBetaSettings& settings, E& evaluator,
                              std::shared_ptr<TranspositionTable> table)
      : settings_(settings),
        evaluator_(&evaluator),
        table_(std::move(table)),
        order_(max_ply + 1, settings.steps),
        lines_(max_ply + 2),
        broods_(max_ply + 1),
        frames_(max_ply + 2) {}

  void raise_helpers();

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
  // What nodes below want to know of the node at a ply.
  struct Frame {
    int sort = -1;          // the class of the move that is being searched
    Move move = no_move;    // that move, if it is one that can be taken back
    Value stand = unknown;  // the evaluation for the team to move
  };
  static constexpr Value unknown = infinite + 1;

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
  int decide(const P& position, int depth);
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
  // Whether a move at `ply` that gives check, or does not, takes nothing from the depth. The limit
  // keeps a series of checks from doubling the depth more than once.
  [[nodiscard]] bool extends(bool gives_check, int ply) const {
    return gives_check && settings_.extend_checks && ply < 2 * iteration_;
  }
  template <class GivesCheck>
  [[nodiscard]] int depth_below(const P& child, int depth, int ply, const GivesCheck& check) const {
    if (is_in_turn(child)) return depth;
    if constexpr (Checks<P>) {
      if (settings_.extend_checks && ply < 2 * iteration_ && check()) return depth;
    }
    return depth - 1;
  }
  // Evaluations at the horizon are worth keeping if nothing but the position brought them about.
  [[nodiscard]] bool keeps_leaves() const {
    return !Decides<E, P> && !LongTurns<P> && settings_.steps.stands != 0;
  }
  void extend_line(int ply, Move move) {
    Line& line = lines_[at(ply)];
    const Line& tail = lines_[at(ply + 1)];
    line.moves[0] = move;
    std::copy_n(tail.moves, tail.size, line.moves + 1);
    line.size = tail.size + 1;
  }

  [[nodiscard]] MovesBefore moves_before(int ply) const {
    return {ply > 0 ? frames_[at(ply - 1)].sort : -1, ply > 1 ? frames_[at(ply - 2)].sort : -1};
  }
  // The move from `position` that is searched next. `taken`: something may be taken back there.
  void enter(const P& position, Move move, int ply, bool taken) {
    Frame& frame = frames_[at(ply)];
    frame.move = taken ? move : no_move;
    frame.sort = uses_classes() ? class_of(position, move) : -1;
  }
  [[nodiscard]] bool uses_classes() const {
    return settings_.steps.continuation != 0 || settings_.steps.counters != 0;
  }

  using Entry = TranspositionTable::Entry;
  [[nodiscard]] bool answers(const Entry& entry, int depth, int ply, Value alpha, Value beta,
                             Value& value) const;
  Leaf look(const P& position, int ply);
  void hatch(const P& position, const typename P::Moves& moves, int depth, int ply);
  // `cut`: the node is expected to be refuted.
  Answer search_node(const P& position, int depth, int ply, Value alpha, Value beta, bool cut);
  Answer search_moves(const P& position, int depth, int ply, Value alpha, Value beta, bool cut,
                      bool cuts, Move table_move);
  // Lengthens a list whose moves all lose; what they are worth if that did not help.
  bool widen(const P& position, RankedMoves<P>& list, Value best, int& times) const;
  Value value_of_loss(const P& position, RankedMoves<P>& list, Value best, int ply);
  bool widen_root(const P& root, Value best);
  void leave_lost(std::size_t next);
  [[nodiscard]] bool is_checked(const P& position) const {
    if constexpr (Checks<P>) return position.in_check();
    return false;
  }
  // Whether a node may be cut short at all, and how: what it stands for without a move, that it is
  // good enough even so, and the moves not worth a look.
  [[nodiscard]] bool may_cut(const P& position, Value alpha, Value beta) const;
  Value stand_at(const P& position);
  std::optional<Answer> cut_early(const P& position, int depth, int ply, Value beta, bool cut);
  std::optional<Answer> cut_by_passing(const P& position, int depth, int ply, Value beta, bool cut);
  std::optional<Answer> cut_by_capture(const P& position, int depth, int ply, Value beta, bool cut);
  static constexpr int near_horizon = 3;  // the depth up to which moves may be left out
  [[nodiscard]] bool is_futile(Value stand, int depth, int place, int rank, Value alpha) const;
  [[nodiscard]] Value margin_of(int depth) const {
    return static_cast<Value>(settings_.margin * depth * whole_score);
  }
  [[nodiscard]] int reduction(const P& position, int depth, int place, int rank, bool open,
                              bool cut) const;
  [[nodiscard]] bool takes_back(Move move, int rank, int ply) const;
  void note_node(const P& position, Value value, Bound bound, int depth);
  // `turns` is how many turns past the horizon a position lies.
  Answer settle(const P& position, const Leaf& leaf, int ply, int turns, Value alpha, Value beta);
  Answer quiesce(const P& position, Value stand, int ply, int turns, Value alpha, Value beta);

  void begin(const P& root, const History& past, bool forget);
  void prepare(const P& root);
  void deepen(const P& root);
  void iterate(const P& root);
  bool pass(const P& root, Value low, Value high);
  [[nodiscard]] bool is_time(Move before, Value value);
  void search_together(const P& root, const History& past, bool forget);
  SearchResult report(const P& root);

  AlphaBetaSettings settings_;
  E* evaluator_;
  std::shared_ptr<TranspositionTable> table_;
  MoveOrder<P> order_;
  History past_;
  std::vector<Line> lines_;                // [ply]: the best line found from the node at that ply
  std::vector<std::vector<Leaf>> broods_;  // [ply]: children on the horizon, evaluated together
  std::vector<Frame> frames_;              // [ply]
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
  std::int64_t most_positions_ = 0;  // of this thread
  int number_ = 0;                   // of this thread
  int steady_ = 0;                   // iterations since the best move was another
  StopPoll poll_;
  double begun_ = 0;
  Watch watch_;
  std::vector<std::unique_ptr<Helper>> helpers_;
  std::unique_ptr<Pool> pool_;
};

}  // namespace tempo
