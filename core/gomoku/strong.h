// The strongest search of Gomoku here: continuous fours first, alpha-beta with what is left of the
// budget.
#pragma once

#include <algorithm>
#include <chrono>

#include "../evaluators/terms_gomoku.h"
#include "../search/alpha_beta.h"

namespace tempo::gomoku {

class StrongSearch {
 public:
  using Linear = FoursEvaluator::Linear;

  // `leaf_fours`: positions of a search of fours at each leaf; 0: none there.
  StrongSearch(const Linear& linear, const AlphaBetaSettings& settings, int leaf_fours)
      : settings_(settings),
        evaluator_(linear, leaf_fours),
        fours_(std::size_t{1} << 16),
        alpha_beta_(settings, evaluator_) {}

  SearchResult search(const Position& root) {
    evaluator_.forget();
    fours_.forget();
    if (root.is_over() || settings_.positions == 1) return search_all(root, 0, 0);
    const auto begun = std::chrono::steady_clock::now();
    const std::int64_t share =
        settings_.positions > 0 ? settings_.positions / root_share : root_fours;
    const Verdict verdict = fours_.search(root, share, settings_.seconds / root_share);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begun;
    if (verdict != Verdict::Win) return search_all(root, fours_.visited(), spent.count());
    SearchResult result;
    result.line = fours_.line();
    result.move = result.line.front();
    result.scores = team_scores<Counted>(index(root.turn()) == 0 ? 1.0F : -1.0F);
    result.root = {{result.move, fours_.visited(), result.scores}};
    result.depth = static_cast<int>(result.line.size());
    result.positions = 1 + fours_.visited();
    result.seconds = spent.count();
    return result;
  }

  void clear() { alpha_beta_.clear(); }
  [[nodiscard]] const std::vector<SearchedNode<Counted>>& nodes() const {
    return alpha_beta_.nodes();
  }

 private:
  static constexpr int root_share = 4;                // of a budget goes to fours at most
  static constexpr std::int64_t root_fours = 200000;  // where no budget says how many

  SearchResult search_all(const Position& root, std::int64_t visited, double seconds) {
    constexpr double least = 1e-6;  // none left is not the same as no limit
    alpha_beta_.limit(settings_.positions > 0 ? settings_.positions - visited : 0,
                      settings_.seconds > 0 ? std::max(settings_.seconds - seconds, least) : 0);
    SearchResult result = alpha_beta_.search(Counted(root));
    result.positions += visited;
    result.seconds += seconds;
    return result;
  }

  AlphaBetaSettings settings_;
  FoursEvaluator evaluator_;
  FourSearch fours_;
  AlphaBeta<Counted, FoursEvaluator> alpha_beta_;
};

}  // namespace tempo::gomoku
