// What of a Monte-Carlo tree does not depend on the game.
#include "monte_carlo_base.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace tempo {

template <int Teams>
Scores MonteCarloBase<Teams>::scores_of(const std::array<double, Teams>& totals,
                                        double visits) const {
  Scores scores{};
  for (int s = 0; s < seats_; ++s) {
    scores[at(s)] = static_cast<float>(totals[team_[at(s)]] / visits);
  }
  return scores;
}

template <int Teams>
Scores MonteCarloBase<Teams>::scores_at_end(const Node& node) const {
  Scores scores{};
  for (int s = 0; s < seats_; ++s) scores[at(s)] = node.end[team_[at(s)]];
  return scores;
}

template <int Teams>
void MonteCarloBase<Teams>::set_end(Node& node, const Scores& scores) const {
  node.state = Tree::State::Over;
  for (int s = 0; s < seats_; ++s) node.end[team_[at(s)]] = scores[at(s)];
}

template <int Teams>
std::size_t MonteCarloBase<Teams>::checked_bytes(std::size_t bytes, const AnyGame& game) {
  const auto moves = static_cast<std::size_t>(game.most_moves);
  const std::size_t least = Tree::bytes_for(moves + 1, moves);
  if (bytes >= least) return bytes;
  throw std::invalid_argument("a tree of " + std::string(game.name) + " needs " +
                              std::to_string(least) + " bytes; it was given " +
                              std::to_string(bytes));
}

template <int Teams>
bool MonteCarloBase<Teams>::keep_child(Move move) {
  const Node& node = tree_[Tree::root];
  const Edge* edges = tree_.edges(node);
  const Edge* end = edges + node.tried;
  const Edge* edge = std::find_if(edges, end, [&](const Edge& e) { return e.move == move; });
  if (edge == end) return false;
  tree_.keep(edge->child);
  noised_ = false;
  return true;
}

// After a simulation that was not backed up, because an evaluator or a game threw: the child that
// it began has no visits and would never be chosen, so it becomes an untried one again.
template <int Teams>
void MonteCarloBase<Teams>::give_up() {
  if (path_.size() > 1 && tree_[path_.back()].visits == 0) {
    Node& parent = tree_[path_[path_.size() - 2]];
    tree_.edges(parent)[--parent.tried].child = Tree::none;
  }
  path_.clear();
}

// Whether memory and budget allow this number of children.
template <int Teams>
bool MonteCarloBase<Teams>::may_list(const Node& node, std::size_t moves) {
  if (!tree_.has_room(0, moves)) return false;
  const bool within = tree_.listed() + static_cast<std::int64_t>(moves) <= settings_.nodes;
  if (settings_.nodes == 0 || within || &node == &tree_[Tree::root]) return true;
  full_ = true;
  return false;
}

// The likeliest untried move becomes the first untried one, the only one that a guided choice looks
// at. Cheaper than sorting: most leaves try few of their moves.
template <int Teams>
void MonteCarloBase<Teams>::bring_likeliest(const Node& node) {
  Edge* first = tree_.edges(node) + node.tried;
  Edge* end = tree_.edges(node) + node.count;
  if (first == end) return;
  std::swap(*first, *std::max_element(first, end, [](const Edge& a, const Edge& b) {
    return a.prior < b.prior;
  }));
}

template <int Teams>
void MonteCarloBase<Teams>::set_priors(const Node& node, std::span<const float> priors) {
  Edge* edges = tree_.edges(node);
  double sum = 0;
  for (const float prior : priors) sum += prior > 0 ? prior : 0;
  if (!(sum > 0) || !std::isfinite(sum)) {
    const auto equal = static_cast<std::uint16_t>(65535 / node.count);
    for (int i = 0; i < node.count; ++i) edges[i].prior = equal;
    return;
  }
  for (int i = 0; i < node.count; ++i) {
    const double share = priors[at(i)] / sum * 65535;  // a little is never rounded to nothing
    edges[i].prior = share > 0 ? static_cast<std::uint16_t>(std::max(1.0, share + 0.5)) : 0;
  }
  bring_likeliest(node);
}

// Once for every root, after its expansion.
template <int Teams>
void MonteCarloBase<Teams>::add_noise() {
  const Node& node = tree_[Tree::root];
  if (settings_.noise_fraction <= 0 || settings_.selection != Selection::Puct) return;
  if (noised_ || node.state != Tree::State::Expanded) return;
  noised_ = true;
  std::vector<double> noise(node.count);
  double sum = 0;
  for (double& x : noise) sum += x = draw_gamma(settings_.noise_alpha, random_);
  Edge* edges = tree_.edges(node);
  for (int i = 0; i < node.count; ++i) {
    const double keep = (1 - settings_.noise_fraction) * edges[i].prior;
    const double mixed = keep + settings_.noise_fraction * noise[at(i)] / sum * 65535;
    edges[i].prior = static_cast<std::uint16_t>(std::clamp(mixed + 0.5, 0.0, 65535.0));
  }
  bring_likeliest(node);
}

template <int Teams>
template <class Urgency>
std::pair<int, double> MonteCarloBase<Teams>::best_tried(const Node& node, Urgency urgency) const {
  const Edge* edges = tree_.edges(node);
  int best = stay;
  double highest = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < node.tried; ++i) {
    const Node& child = tree_[edges[i].child];
    const double score = child.totals[node.team] * child.spread * child.spread;
    const double value = urgency(child, edges[i], score);
    if (value > highest) best = i, highest = value;
  }
  return {best, highest};
}

// The edge to follow: among the tried ones and, while there is room, one untried; `stay` when there
// is none.
template <int Teams>
int MonteCarloBase<Teams>::choose(const Node& node) {
  const bool fresh = node.tried < node.count && tree_.has_room(1, 0);
  if (is_gumbel()) return gumbel_.choose(tree_, node, fresh);
  const double c = settings_.exploration;
  if (settings_.selection == Selection::Puct) {
    const double root_total = std::sqrt(static_cast<double>(node.visits));
    const auto [best, value] =
        best_tried(node, [&](const Node& child, const Edge& edge, double score) {
          return puct(reward_of(score), edge.prior * prior_unit, child.visits, root_total, c);
        });
    if (!fresh) return best;
    const double mean = node.visits > 0 ? node.totals[node.team] / node.visits : 0.0;
    const double reward = settings_.first_play.value_or(reward_of(mean));
    const double prior = tree_.edges(node)[node.tried].prior * prior_unit;
    return puct(reward, prior, 0, root_total, c) > value ? node.tried : best;
  }
  if (fresh && !settings_.first_play) return draw_untried(node);
  const double root_log = std::sqrt(natural_log(std::max<std::uint32_t>(node.visits, 1)));
  const auto [best, value] =
      settings_.selection == Selection::Ucb1
          ? best_tried(node,
                       [&](const Node& child, const Edge&, double score) {
                         return ucb1(reward_of(score), child.spread, root_log, c);
                       })
          : best_tried(node, [&](const Node& child, const Edge&, double score) {
              const double mean_square = child.squares * child.spread * child.spread;
              const double variance = (mean_square - score * score) / 4;
              return ucb1_tuned(reward_of(score), variance, child.spread, root_log);
            });
  return fresh && *settings_.first_play > value ? draw_untried(node) : best;
}

template <int Teams>
int MonteCarloBase<Teams>::draw_untried(const Node& node) {
  Edge* edges = tree_.edges(node);
  const int drawn = node.tried + static_cast<int>(random_.below(node.count - node.tried));
  std::swap(edges[node.tried], edges[drawn]);
  return node.tried;
}

// Lists the moves of a node as its edges, where memory and budget allow it.
template <int Teams>
bool MonteCarloBase<Teams>::list(Node& node, std::span<const Move> moves) {
  if (!may_list(node, moves.size())) return false;
  tree_.add_edges(node, moves);
  if (settings_.selection == Selection::Puct) set_priors(node, {});
  if (&node == &tree_[Tree::root]) add_noise();
  return true;
}

template <int Teams>
void MonteCarloBase<Teams>::back_up_path(const Scores& scores, std::span<const Move> moves,
                                         std::span<const float> priors) {
  if (!moves.empty()) {
    Node& leaf = tree_[path_.back()];
    if (may_list(leaf, moves.size())) {
      tree_.add_edges(leaf, moves);
      set_priors(leaf, priors);
      for (int s = 0; s < seats_; ++s) leaf.end[team_[at(s)]] = scores[at(s)];
      if (path_.size() == 1) {
        add_noise();
        if (is_gumbel()) gumbel_.expanded(tree_, random_);
      }
    }
  }
  std::array<double, Teams> by_team{};
  for (int s = 0; s < seats_; ++s) by_team[team_[at(s)]] = scores[at(s)];
  std::size_t mover = 0;  // of the root nobody asks
  for (const Index index : path_) {
    Node& node = tree_[index];
    node.spread = 1 / std::sqrt(static_cast<double>(++node.visits));
    for (std::size_t t = 0; t < by_team.size(); ++t) node.totals[t] += by_team[t];
    node.squares += by_team[mover] * by_team[mover];
    mover = node.team;
  }
}

template class MonteCarloBase<2>;
template class MonteCarloBase<3>;
template class MonteCarloBase<4>;

}  // namespace tempo
