// The strongest search of shogi here: mate by checks alone first, alpha-beta with what is left of
// the budget, and a look for short mates at its leaves.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>

#include "../../nets/incremental.h"
#include "../../search/alpha_beta.h"
#include "mate.h"
#include "searched.h"
#include "sparse.h"
#include "terms.h"

namespace tempo {

template <class Board>
struct SparseFeatures<shogi::Searched<Board>> : SparseFeatures<shogi::PositionOf<Board>> {};

}  // namespace tempo

namespace tempo::shogi {

// What values a leaf: the weighted sum of its terms, or an incremental network. Copies share the
// network and are used one to a thread.
template <class Board>
class Evaluation {
 public:
  using Linear = LinearEvaluator<Searched<Board>>;
  using Network = IncrementalEvaluator<Searched<Board>>;

  Evaluation(const Linear& linear = Linear()) : linear_(linear) {}
  explicit Evaluation(Network network) : network_(std::move(network)) {}

  // The weighted sum, unless there is a network.
  [[nodiscard]] const Linear* linear() const { return network_ ? nullptr : &linear_; }
  [[nodiscard]] std::int64_t multiply_adds() const {
    return network_ ? network_->network().multiply_adds() : Linear::count;
  }

  void operator()(std::span<const Searched<Board>> positions, std::span<Scores> values) {
    network_ ? (*network_)(positions, values) : linear_(positions, values);
  }

 private:
  Linear linear_;
  std::optional<Network> network_;
};

// Leaves of the search: a side that can mate at once has won, and the rest is evaluated.
template <class Board>
class MateEvaluator {
 public:
  static constexpr bool prefers_batches = false;
  // `mates`: plies of the mates that are looked for, 0, 1 or 3.
  MateEvaluator(const Evaluation<Board>& evaluation, int mates)
      : evaluation_(evaluation), mates_(mates) {}

  [[nodiscard]] MateEvaluator fork() const { return *this; }
  [[nodiscard]] bool mates(const Searched<Board>& position) const {
    if (mates_ == 0) return false;
    const PositionOf<Board>& plain = position;
    return (mates_ == 1 ? mate_in_one(plain) : mate_in_three(plain)) != no_move;
  }

  void operator()(std::span<const Searched<Board>> positions, std::span<Scores> values) {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      if (mates(positions[i])) {
        const float first = index(positions[i].turn()) == 0 ? 1.0F : -1.0F;
        values[i] = team_scores<Searched<Board>>(first);
      } else {
        evaluation_(positions.subspan(i, 1), values.subspan(i, 1));
      }
    }
  }

 private:
  Evaluation<Board> evaluation_;
  int mates_;
};

// Alpha-beta with a look for mates in one at its leaves, without a share for the root: what learns
// plays games with it.
template <class Board>
class QuickSearch {
 public:
  QuickSearch(const Evaluation<Board>& evaluation, const AlphaBetaSettings& settings)
      : evaluator_(evaluation, 1), alpha_beta_(settings, evaluator_) {}
  QuickSearch(const QuickSearch&) = delete;
  QuickSearch& operator=(const QuickSearch&) = delete;

  SearchResult operator()(const Searched<Board>& position, const History& past) {
    return alpha_beta_.search(position, past);
  }

 private:
  MateEvaluator<Board> evaluator_;
  AlphaBeta<Searched<Board>, MateEvaluator<Board>> alpha_beta_;
};

struct StrongSettings {
  AlphaBetaSettings alpha_beta;
  int leaf_mates = 1;  // plies of mates looked for at leaves: 0, 1 or 3
  int root_share = 8;  // 1/root_share of the budget goes to mates at the root; 0: none
};

template <class Board>
class StrongSearch {
 public:
  using Search = AlphaBeta<Searched<Board>, MateEvaluator<Board>>;

  StrongSearch(const Evaluation<Board>& evaluation, const StrongSettings& settings)
      : settings_(settings),
        evaluator_(evaluation, settings.leaf_mates),
        alpha_beta_(settings.alpha_beta, evaluator_) {}

  // Other budgets for the searches to come, as AlphaBeta's.
  void limit(std::int64_t positions, double seconds, double soft_seconds, int depth) {
    alpha_beta_.limit(positions, seconds, soft_seconds, depth);
    settings_.alpha_beta = alpha_beta_.settings();
  }

  SearchResult search(const PositionOf<Board>& root, const History& past = {},
                      typename Search::Watch watch = nullptr) {
    const auto& budget = settings_.alpha_beta;
    const ThreadTime counts(budget.thread_time);
    alpha_beta_.watch(std::move(watch));
    const std::int64_t share = settings_.root_share == 0 ? 0
                               : budget.positions > 0    ? budget.positions / settings_.root_share
                                                         : root_positions;
    if (share == 0 || outcome(root, past)) return search_all(root, past, 0, 0);
    const double begun = ThreadTime::now();
    mates_.forget();
    const double seconds = budget.soft_seconds > 0 ? budget.soft_seconds : budget.seconds;
    const MateResult mate = mates_.search(root, share, seconds / settings_.root_share);
    const double spent = ThreadTime::now() - begun;
    const auto left = static_cast<std::size_t>(root.options().length - root.number() + 1);
    if (mate.verdict != Verdict::Win || mate.line.empty() || mate.line.size() > left) {
      return search_all(root, past, mate.positions, spent);
    }
    SearchResult result;
    result.line = mate.line;
    result.move = result.line.front();
    result.scores = team_scores<PositionOf<Board>>(index(root.turn()) == 0 ? 1.0F : -1.0F);
    result.root = {{result.move, mate.positions, result.scores}};
    result.depth = static_cast<int>(result.line.size());
    result.positions = 1 + mate.positions;
    result.seconds = spent;
    return result;
  }

  void clear() { alpha_beta_.clear(); }

  // What the last search proved of its interior positions, those left out that a mate which anybody
  // sees decides.
  [[nodiscard]] std::vector<SearchedNode<Searched<Board>>> nodes() const {
    std::vector<SearchedNode<Searched<Board>>> open;
    for (const auto& node : alpha_beta_.nodes()) {
      if (!evaluator_.mates(node.position)) open.push_back(node);
    }
    return open;
  }

 private:
  static constexpr std::int64_t root_positions = 1'000'000;  // where only time or depth is limited

  SearchResult search_all(const PositionOf<Board>& root, const History& past, std::int64_t visited,
                          double seconds) {
    constexpr double least = 1e-6;  // none left is not the same as no limit
    const auto& budget = settings_.alpha_beta;
    alpha_beta_.limit(budget.positions > 0 ? budget.positions - visited : 0,
                      budget.seconds > 0 ? std::max(budget.seconds - seconds, least) : 0,
                      budget.soft_seconds > 0 ? std::max(budget.soft_seconds - seconds, least) : 0,
                      budget.depth);
    SearchResult result = alpha_beta_.search(Searched<Board>(root), past);
    result.positions += visited;
    result.seconds += seconds;
    return result;
  }

  StrongSettings settings_;
  MateEvaluator<Board> evaluator_;
  MateSearch<Board> mates_;
  Search alpha_beta_;
};

// The same as games that teach a network use it (learning/network_games.h).
template <class Board>
class TeachingSearch {
 public:
  TeachingSearch(const Evaluation<Board>& evaluation, const AlphaBetaSettings& settings)
      : evaluation_(evaluation), search_(evaluation, {settings, 1, 8}) {}

  SearchResult operator()(const Searched<Board>& position, const History& past) {
    return search_.search(position, past);
  }
  float value(const Searched<Board>& position) {
    Scores scores{};
    evaluation_({&position, 1}, {&scores, 1});
    return scores[static_cast<std::size_t>(index(position.turn()))];
  }

 private:
  Evaluation<Board> evaluation_;
  StrongSearch<Board> search_;
};

}  // namespace tempo::shogi
