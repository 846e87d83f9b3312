// A tree over what everyone has seen, on top of the playout policy (information-set Monte-Carlo
// tree search; Cowling, Powley, Whitehouse 2012). A node is a public state, whatever is hidden
// below it. A child is a move and the kind of the piece that makes it, which is what its seat
// knows; so a General's attack and a Lieutenant's are two, and nobody plays by ranks that it cannot
// know.
//
// A move's value is a mean of visits and of what the policy says, which counts as `trust` visits:
// the node's own value less what the score lacks to the best one. So a new node plays as the policy
// does, and a node that is visited often plays as its results say.
#pragma once

#include <unordered_map>
#include <vector>

#include "judgement.h"
#include "playout_policy.h"

namespace tempo::siguo {

struct PolicyTreeSettings {
  int depth = 0;         // plies below the root; 0: no tree, the policy alone
  int plies = 8;         // played after a move of the root in all, those of the tree included
  float anchor = 0.33F;  // what a score of 1 is worth in value
  float trust = 8;       // visits that the policy counts for
  float explore = 0.1F;  // how much moves gain by having been tried seldom
};

class PolicyTree {
 public:
  static constexpr int deepest = 16;
  static constexpr std::size_t most_nodes = 1 << 18;  // a full tree is searched on as it is

  PolicyTree(const Judgement& judgement, const PolicyTables& tables,
             const PolicyTreeSettings& settings)
      : judgement_(judgement), tables_(tables), settings_(settings) {}

  // Plays on, down the tree and then by the policy; returns what comes of it for the team of seat
  // 0, and learns from it. It counts by its weight.
  float visit(Playout& playout, double weight, Random& random) {
    std::array<Step, deepest> path;
    int length = 0;
    bool known = true;
    ++positions_;
    for (int ply = 0; ply < settings_.plies && !playout.position().outcome(); ++ply) {
      Node* node = known && ply < settings_.depth ? node_of(playout.state().key()) : nullptr;
      const Move move = node != nullptr ? choose(*node, playout, random)
                                        : PlayoutPolicy(playout, tables_).choose(random);
      if (node != nullptr) path[at(length++)] = {node, action(playout, move)};
      known = node != nullptr && node->means.visits > 0;
      playout.play(move);
      ++positions_;
    }
    const float value = judgement_.value(playout.position());
    for (const Step& step : std::span(path).first(at(length))) {
      step.node->means.add(value, weight);
      step.node->child(step.action).means.add(value, weight);
    }
    return value;
  }

  [[nodiscard]] std::int64_t positions() const { return positions_; }

 private:
  struct Means {
    int visits = 0;
    double weight = 0;
    double sum = 0;  // of weighted values of seat 0's team
    void add(float value, double heft) {
      ++visits;
      weight += heft;
      sum += heft * static_cast<double>(value);
    }
    [[nodiscard]] double mean() const { return weight > 0 ? sum / weight : 0.0; }
  };
  struct Child {
    std::uint32_t action = 0;
    Means means;
  };
  struct Node {
    Means means;
    std::vector<Child> children;
    [[nodiscard]] const Child* find(std::uint32_t action) const {
      const auto place = std::find_if(children.begin(), children.end(),
                                      [&](const Child& child) { return child.action == action; });
      return place == children.end() ? nullptr : &*place;
    }
    Child& child(std::uint32_t action) {
      for (Child& child : children)
        if (child.action == action) return child;
      return children.emplace_back(Child{action, {}});
    }
  };
  struct Step {
    Node* node;
    std::uint32_t action;
  };

  // A move and the kind that makes it.
  static std::uint32_t action(const Playout& playout, Move move) {
    const auto number = static_cast<std::uint32_t>(tempo::index(move)) << 4;
    if (move == pass_move) return number;
    return number | playout.position().kind(playout.state().occupant(from_of(move)));
  }
  // Null when the tree is full and does not have it.
  Node* node_of(std::uint64_t key) {
    if (nodes_.size() < most_nodes) return &nodes_[key];
    const auto place = nodes_.find(key);
    return place == nodes_.end() ? nullptr : &place->second;
  }

  [[nodiscard]] Move choose(const Node& node, const Playout& playout, Random& random) {
    PlayoutPolicy policy(playout, tables_);
    if (node.children.empty()) return policy.choose(random);
    scored_.clear();
    float best_score = -far_below;
    policy.each_score([&](Move move, float score) {
      scored_.push_back(
          {move, score + PlayoutPolicy::noise * static_cast<float>(random.uniform())});
      best_score = std::max(best_score, scored_.back().score);
    });
    const double sign = playout.state().turn() % 2 == 0 ? 1 : -1;
    const double usual = sign * node.means.mean();
    const double urge =
        static_cast<double>(settings_.explore) * std::sqrt(std::log(node.means.visits + 1.0));
    const auto trust = static_cast<double>(settings_.trust);
    Move best = no_move;
    double highest = 0;
    for (const auto& [move, score] : scored_) {
      const Child* child = node.find(action(playout, move));
      const int visits = child != nullptr ? child->means.visits : 0;
      const double said = usual + static_cast<double>(settings_.anchor * (score - best_score));
      const double seen = child != nullptr ? sign * child->means.mean() : 0.0;
      const double bound =
          (seen * visits + said * trust) / (visits + trust) + urge / std::sqrt(visits + 1.0);
      if (best != no_move && bound <= highest) continue;
      best = move;
      highest = bound;
    }
    return best;
  }

  static constexpr float far_below = 1e9F;
  struct Scored {
    Move move;
    float score;
  };

  const Judgement& judgement_;
  const PolicyTables& tables_;
  PolicyTreeSettings settings_;
  std::unordered_map<std::uint64_t, Node> nodes_;
  std::vector<Scored> scored_;
  std::int64_t positions_ = 0;
};

}  // namespace tempo::siguo
