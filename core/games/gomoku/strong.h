// The strongest search of Gomoku here: continuous fours first, then continuous threats, alpha-beta
// with what is left of the budget, and a look at whether its choice runs into the other's threats.
#pragma once

#include <algorithm>
#include <chrono>

#include "../../search/alpha_beta.h"
#include "continuous_threats.h"
#include "leaves.h"

namespace tempo::gomoku {

class StrongSearch {
 public:
  // `leaf_fours`, `inner_fours`: positions of a search of fours at each leaf and at each new
  // interior position; 0: none there. `threats`: whether to search for continuous threats, the own
  // before and the other seat's after alpha-beta.
  StrongSearch(const Weigher& weigher, const AlphaBetaSettings& settings, int leaf_fours,
               int inner_fours = 0, bool threats = false)
      : settings_(settings),
        evaluator_(weigher, leaf_fours, inner_fours),
        fours_(std::size_t{1} << 16),
        threats_({}, threats ? std::size_t{1} << 14 : 1),
        with_threats_(threats),
        alpha_beta_(settings, evaluator_) {}

  SearchResult search(const Position& root) {
    evaluator_.forget();
    fours_.forget();
    begun_ = std::chrono::steady_clock::now();
    spent_ = 0;
    if (root.is_over() || settings_.positions == 1) return search_all(root, false);
    const Verdict verdict = fours_.search(root, share(root_share, root_fours), seconds(root_share));
    spent_ += fours_.visited();
    if (verdict == Verdict::Win) return won(root, fours_.line());
    if (!with_threats_) return search_all(root, false);
    if (attack(root, root_share) == Verdict::Win) {
      const std::int64_t before = threats_.visited();
      const std::vector<Move> line = threats_.line();
      spent_ += (threats_.visited() - before) * threat_cost;
      if (!line.empty()) return won(root, line);
    }
    SearchResult result = search_all(root, true);
    avoid_threats(root, result);
    return result;
  }

  void clear() { alpha_beta_.clear(); }
  [[nodiscard]] const std::vector<SearchedNode<Counted>>& nodes() const {
    return alpha_beta_.nodes();
  }

 private:
  static constexpr int root_share = 4;                // of a budget goes to fours at most
  static constexpr std::int64_t root_fours = 200000;  // where no budget says how many
  static constexpr std::int64_t threat_cost = 16;
  static constexpr int most_avoided = 8;  // moves whose consequences are looked at

  // A part of the budget: of positions, or a number where it has none, and of time.
  [[nodiscard]] std::int64_t share(int part, std::int64_t without) const {
    return settings_.positions > 0 ? settings_.positions / part : without;
  }
  [[nodiscard]] double seconds(int part) const { return settings_.seconds / part; }
  [[nodiscard]] double elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
  }

  // Continuous threats of the seat to move. A position of this search takes as long as
  // `threat_cost` of alpha-beta's, and is charged as so many.
  Verdict attack(const Position& position, int part) {
    threats_.forget();
    threats_.attack().attacker = position.turn();
    const std::int64_t most = share(part, root_fours) / threat_cost;
    const Verdict verdict = threats_.search(position, most, seconds(part));
    spent_ += threats_.visited() * threat_cost;
    return verdict;
  }

  // Takes the best of the root's moves after which the other seat has no continuous threats that
  // win, if one of the first few is such a move.
  void avoid_threats(const Position& root, SearchResult& result) {
    const std::int64_t before = spent_;
    const std::size_t tries = std::min<std::size_t>(result.root.size(), most_avoided);
    for (std::size_t i = 0; i < tries; ++i) {
      Position next = root;
      next.play(result.root[i].move);
      if (next.is_over()) break;
      if (attack(next, root_share * most_avoided) == Verdict::Win) continue;
      if (i > 0) {
        result.move = result.root[i].move;
        result.line = {result.move};
      }
      break;
    }
    result.positions += spent_ - before;
    result.seconds = elapsed();
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

  // Alpha-beta with what is left of the budget, less one share if something is to come after it.
  SearchResult search_all(const Position& root, bool reserves) {
    constexpr double least = 1e-6;  // none left is not the same as no limit
    const double before = elapsed();
    const std::int64_t kept = reserves ? share(root_share, 0) : 0;
    const double time = settings_.seconds - (reserves ? seconds(root_share) : 0) - before;
    alpha_beta_.limit(settings_.positions > 0
                          ? std::max<std::int64_t>(settings_.positions - kept - spent_, 1)
                          : 0,
                      settings_.seconds > 0 ? std::max(time, least) : 0);
    SearchResult result = alpha_beta_.search(Counted(root));
    result.positions += spent_;
    result.seconds += before;
    return result;
  }

  AlphaBetaSettings settings_;
  FoursEvaluator evaluator_;
  FourSearch fours_;
  ProofSearch<ThreatAttack> threats_;
  bool with_threats_;
  AlphaBeta<Counted, FoursEvaluator> alpha_beta_;
  std::chrono::steady_clock::time_point begun_;
  std::int64_t spent_ = 0;  // positions of everything but alpha-beta
};

}  // namespace tempo::gomoku
