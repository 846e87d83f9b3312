// Gumbel's choice of moves (Danihelka et al. 2022, "Policy improvement by planning with Gumbel"): a
// few simulations are enough to improve on the priors.
//
// Let logit(a) be the logarithm of a prior, q(a) the mean reward of a move for the team to move,
// and sigma(q) = (visit_offset + most visits of a child) * value_scale * q. A move without visits
// counts for the mixed value of its node, so that all moves have a q: the completed values. The
// improved policy is softmax(logit + sigma(q)).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "../random.h"
#include "monte_carlo_rules.h"
#include "monte_carlo_tree.h"

namespace tempo {

// Sequential halving of `visits` over `considered` moves (Karnin, Koren, Somekh 2013): the n-th
// visit goes to a move with schedule[n] visits so far, the best of these by noise + logit +
// sigma(q). Every round spends an equal part of the visits and drops half of the moves, down to
// two.
std::vector<std::uint32_t> halving_schedule(int considered, std::int64_t visits);

// The value of moves without visits: that of the node itself, and the mean of the visited children
// by their priors, which counts as often as they were visited (the paper's appendix D). `weighted`
// is the sum of prior * value of the visited children, `priors` that of their priors.
inline double mixed_value(double own, double weighted, double priors, double visits) {
  const double children = priors > 0 ? visits * weighted / priors : 0.0;
  return (own + children) / (1 + visits);
}

// exp(logit) as shares of one.
void soft_max(std::span<const double> logits, std::span<float> shares);

// A node keeps the evaluator's value of its position in `end` while it is not over.
template <int Teams>
class GumbelChoice {
 public:
  using Tree = MonteCarloTree<Teams>;
  using Node = typename Tree::Node;
  using Edge = typename Tree::Edge;

  explicit GumbelChoice(const MonteCarloSettings& settings)
      : offset_(settings.visit_offset),
        scale_(settings.value_scale),
        noise_share_(settings.noise_fraction),
        considered_(settings.considered) {}

  // A new root, and how many simulations it will get, that of the root itself included; 0: unknown,
  // and moves are chosen at the root as below it.
  void begin(std::int64_t simulations) {
    simulations_ = simulations;
    schedule_.clear();
    noise_.clear();
  }

  // The root has its moves and priors: draws the noise, and puts the moves in the order in which
  // they are tried.
  void expanded(Tree& tree, Random& random) {
    const Node& root = tree[Tree::root];
    Edge* edges = tree.edges(root);
    struct Drawn {
      double key;
      double noise;
      Edge edge;
    };
    std::vector<Drawn> drawn;
    drawn.reserve(root.count);
    for (int i = 0; i < root.count; ++i) {
      double noise = 0;
      if (noise_share_ > 0) {
        const double uniform = 1 - random.uniform();  // (0, 1]
        noise = -noise_share_ * std::log(std::max(-std::log(uniform), 1e-300));
      }
      drawn.push_back({noise + logit(edges[i]), noise, edges[i]});
    }
    std::stable_sort(drawn.begin(), drawn.end(),
                     [](const Drawn& a, const Drawn& b) { return a.key > b.key; });
    noise_.resize(drawn.size());
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      noise_[i] = drawn[i].noise;
      edges[i] = drawn[i].edge;
    }
    if (simulations_ <= most_scheduled)
      schedule_ = halving_schedule(std::min<int>(considered_, root.count), simulations_ - 1);
  }

  // The edge to follow: one with a child or, if `fresh`, the first without; -1 if there is none.
  [[nodiscard]] int choose(const Tree& tree, const Node& node, bool fresh) const {
    const bool root = &node == &tree[Tree::root];
    const std::size_t turn = node.visits - 1;  // the root's first visit was its own evaluation
    if (root && turn < schedule_.size()) {
      if (schedule_[turn] == 0 && fresh) return node.tried;
      const int best = best_of(tree, node, schedule_[turn]);
      if (best >= 0) return best;
    }
    return most_wanting(tree, node, fresh);
  }

  // Where simulations end: among the most visited moves of the root the best; -1 without any.
  [[nodiscard]] int final_choice(const Tree& tree) const {
    const Node& root = tree[Tree::root];
    if (root.state != Tree::State::Expanded) return -1;
    return root.tried > 0 ? best_of(tree, root, values_of(tree, root).most) : 0;
  }

  // The improved policy over the root's edges, as they stand in the tree; returns what it is worth
  // to the team to move, a score.
  double improved(const Tree& tree, std::span<float> policy) const {
    const Node& root = tree[Tree::root];
    const Values values = values_of(tree, root);
    const Edge* edges = tree.edges(root);
    std::vector<double> scores(root.count, values.mixed);
    std::vector<double> logits(root.count);
    for (int i = 0; i < root.tried; ++i) scores[at(i)] = mean(tree[edges[i].child], root.team);
    for (int i = 0; i < root.count; ++i)
      logits[at(i)] = logit(edges[i]) + sigma(scores[at(i)], values.most);
    soft_max(logits, policy);
    double worth = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) worth += double{policy[i]} * scores[i];
    return worth;
  }

 private:
  struct Values {
    double mixed = 0;        // a score
    std::uint32_t most = 0;  // visits of a child
    double visits = 0;       // of all children
    double priors = 0;       // of the visited ones
  };

  static constexpr double unit = 1.0 / 65535;
  static constexpr std::int64_t most_scheduled =
      1 << 20;  // longer searches end when they are stopped
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static double prior(const Edge& edge) { return std::max(edge.prior * unit, unit / 2); }
  static double logit(const Edge& edge) { return std::log(prior(edge)); }
  static double mean(const Node& child, int team) {
    return child.visits > 0 ? child.totals[at(team)] / child.visits : 0.0;
  }
  [[nodiscard]] double sigma(double score, std::uint32_t most) const {
    return (offset_ + most) * scale_ * reward_of(score);
  }

  [[nodiscard]] Values values_of(const Tree& tree, const Node& node) const {
    Values values;
    double weighted = 0;
    const Edge* edges = tree.edges(node);
    for (int i = 0; i < node.tried; ++i) {
      const Node& child = tree[edges[i].child];
      const double share = prior(edges[i]);
      weighted += share * mean(child, node.team);
      values.priors += share;
      values.visits += child.visits;
      values.most = std::max(values.most, child.visits);
    }
    values.mixed =
        mixed_value(double{node.end[at(node.team)]}, weighted, values.priors, values.visits);
    return values;
  }

  // At the root, among moves with this number of visits.
  [[nodiscard]] int best_of(const Tree& tree, const Node& root, std::uint32_t visits) const {
    const Values values = values_of(tree, root);
    const Edge* edges = tree.edges(root);
    int best = -1;
    double highest = 0;
    for (int i = 0; i < root.tried; ++i) {
      const Node& child = tree[edges[i].child];
      if (child.visits != visits) continue;
      const double noise = at(i) < noise_.size() ? noise_[at(i)] : 0.0;
      const double value = noise + logit(edges[i]) + sigma(mean(child, root.team), values.most);
      if (best < 0 || value > highest) best = i, highest = value;
    }
    return best;
  }

  // The move whose share of visits falls short of the improved policy most. Moves without visits
  // have one value, so only the likeliest of them can be chosen: it stands first.
  [[nodiscard]] int most_wanting(const Tree& tree, const Node& node, bool fresh) const {
    const Values values = values_of(tree, node);
    const Edge* edges = tree.edges(node);
    const double even = sigma(values.mixed, values.most);
    double highest_sigma = even;
    for (int i = 0; i < node.tried; ++i) {
      highest_sigma =
          std::max(highest_sigma, sigma(mean(tree[edges[i].child], node.team), values.most));
    }
    const auto weight = [&](const Edge& edge, double sigma_of) {
      return prior(edge) * std::exp(sigma_of - highest_sigma);
    };
    double sum = std::max(1 - values.priors, 0.0) * std::exp(even - highest_sigma);
    for (int i = 0; i < node.tried; ++i)
      sum += weight(edges[i], sigma(mean(tree[edges[i].child], node.team), values.most));
    int best = -1;
    double most = 0;
    for (int i = 0; i < node.tried; ++i) {
      const Node& child = tree[edges[i].child];
      const double share = weight(edges[i], sigma(mean(child, node.team), values.most)) / sum;
      const double wanting = share - child.visits / (1 + values.visits);
      if (best < 0 || wanting > most) best = i, most = wanting;
    }
    if (!fresh) return best;
    const double untried = weight(edges[node.tried], even) / sum;
    return best < 0 || untried > most ? node.tried : best;
  }

  double offset_;
  double scale_;
  double noise_share_;
  int considered_;
  std::int64_t simulations_ = 0;
  std::vector<std::uint32_t> schedule_;
  std::vector<double> noise_;  // by edge of the root
};

}  // namespace tempo
