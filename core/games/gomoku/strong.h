// The strongest search of Gomoku here: continuous fours first, then alpha-beta with what is left of
// the budget.
#pragma once

#include <algorithm>
#include <chrono>
#include <utility>

#include "../../search/alpha_beta.h"
#include "leaves.h"

namespace tempo::gomoku {

class StrongSearch {
 public:
  using Search = AlphaBeta<Counted, FoursEvaluator>;

  // `leaf_fours`, `inner_fours`: positions of a search of fours at each leaf and at each new
  // interior position; `inner_threats`: positions that a search of continuous threats looks into at
  // an interior position; 0: none there.
  StrongSearch(const LeafEvaluation& evaluation, const AlphaBetaSettings& settings, int leaf_fours,
               int inner_fours = 0, int inner_threats = 0)
      : settings_(settings),
        evaluator_(evaluation, leaf_fours, inner_fours, inner_threats),
        fours_(std::size_t{1} << 16),
        alpha_beta_(settings, evaluator_) {}

  // Other budgets for the searches to come, as AlphaBeta's.
  void limit(std::int64_t positions, double seconds, double soft_seconds, int depth) {
    alpha_beta_.limit(positions, seconds, soft_seconds, depth);
    settings_ = alpha_beta_.settings();
  }

  SearchResult search(const Position& root, Search::Watch watch = nullptr) {
    alpha_beta_.watch(std::move(watch));
    evaluator_.forget();
    fours_.forget();
    begun_ = std::chrono::steady_clock::now();
    spent_ = 0;
    if (root.is_over() || settings_.positions == 1) return search_all(root);
    const double seconds = settings_.soft_seconds > 0 ? settings_.soft_seconds : settings_.seconds;
    const Verdict verdict = fours_.search(root, share(), seconds / root_share);
    spent_ = fours_.visited();
    return verdict == Verdict::Win ? won(root, fours_.line()) : search_all(root);
  }

  void clear() { alpha_beta_.clear(); }
  // What the last search proved of its interior positions, those left out that threats alone
  // decide.
  [[nodiscard]] std::vector<SearchedNode<Counted>> nodes() const {
    std::vector<SearchedNode<Counted>> open;
    for (const auto& node : alpha_beta_.nodes()) {
      if (is_open(node.position)) open.push_back(node);
    }
    return open;
  }

 private:
  static constexpr int root_share = 4;                // of a budget goes to fours at most
  static constexpr std::int64_t root_fours = 200000;  // where no budget says how many

  static constexpr std::int64_t for_empty_board = 1000;  // the middle; only its value is asked

  [[nodiscard]] std::int64_t share() const {
    return settings_.positions > 0 ? settings_.positions / root_share : root_fours;
  }
  [[nodiscard]] double elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
  }

  SearchResult won(const Position& root, const std::vector<Move>& line) const {
    SearchResult result;
    result.line = line;
    result.move = line.front();
    result.scores = team_scores<Counted>(index(root.turn()) == 0 ? 1.0F : -1.0F);
    result.root = {{result.move, spent_, result.scores}};
    result.depth = static_cast<int>(line.size());
    result.positions = 1 + spent_;
    result.seconds = elapsed();
    return result;
  }

  // Alpha-beta with what is left of the budget.
  SearchResult search_all(const Position& root) {
    constexpr double least = 1e-6;  // none left is not the same as no limit
    const double before = elapsed();
    std::int64_t positions =
        settings_.positions > 0 ? std::max<std::int64_t>(settings_.positions - spent_, 1) : 0;
    if (settings_.widen && root.stones() == 0) {
      positions = positions > 0 ? std::min(positions, for_empty_board) : for_empty_board;
    }
    const auto left = [&](double of) { return of > 0 ? std::max(of - before, least) : 0; };
    alpha_beta_.limit(positions, left(settings_.seconds), left(settings_.soft_seconds),
                      settings_.depth);
    SearchResult result = alpha_beta_.search(Counted(root));
    result.positions += spent_;
    result.seconds += before;
    return result;
  }

  AlphaBetaSettings settings_;
  FoursEvaluator evaluator_;
  FourSearch fours_;
  Search alpha_beta_;
  std::chrono::steady_clock::time_point begun_;
  std::int64_t spent_ = 0;  // positions of the search of fours
};

// The same as games that teach a network use it (learning/network_games.h).
class TeachingSearch {
 public:
  TeachingSearch(const LeafEvaluation& evaluation, const AlphaBetaSettings& settings)
      : evaluator_(evaluation, 0), search_(evaluation, settings, fours, fours), fours_(few) {}

  SearchResult operator()(const Counted& counted, const History&) {
    return search_.search(counted.position());
  }
  float value(const Counted& counted) {
    Scores scores{};
    evaluator_({&counted, 1}, {&scores, 1});
    return scores[static_cast<std::size_t>(index(counted.turn()))];
  }
  // Whether a leaf like this would be evaluated: nobody completes five, and the mover has no
  // continuous fours.
  bool is_open(const Counted& counted) {
    return gomoku::is_open(counted) && !counted.in_check() &&
           fours_.search(counted.position(), fours) != Verdict::Win;
  }

 private:
  static constexpr int fours = 60;
  static constexpr std::size_t few = std::size_t{1} << 12;

  FoursEvaluator evaluator_;
  StrongSearch search_;
  FourSearch fours_;
};

}  // namespace tempo::gomoku
