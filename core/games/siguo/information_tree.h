// A tree over what everyone has seen, for search on determinizations (information-set Monte-Carlo
// tree search; Cowling, Powley, Whitehouse 2012). A node is a public state, whatever is
// hidden below it, so nobody in the tree plays by ranks that the seat which searches cannot know.
//
// Every visit brings a determinization of its own, in which only some of a node's moves are
// possible: they compete by w / n + c sqrt(ln a / n), a being how often a move was possible. With
// fifty moves a node there are too many to try, so new ones come one by one, from the quick policy,
// and the more often the node is visited (progressive widening; Coulom 2007). Scores belong to
// teams.
#pragma once

#include <unordered_map>
#include <vector>

#include "judgement.h"
#include "quick_policy.h"

namespace tempo::siguo {

struct TreeSettings {
  int depth = 4;         // plies below the root; 0: no tree, the quick policy alone
  int plies = 8;         // played after a move of the root in all, those of the tree included
  double explore = 0.3;  // c
  double widen = 1.0;    // moves of a node: up to this times the root of its visits
};

class InformationTree {
 public:
  static constexpr int deepest = 16;
  static constexpr std::size_t most_nodes = 1 << 18;  // a full tree is searched on as it is

  InformationTree(const Judgement& judgement, const TreeSettings& settings)
      : judgement_(judgement), settings_(settings) {}

  // Plays a determinization on, down the tree and then by the quick policy; returns what comes of
  // it for the team of seat 0, and learns from it. It counts by its weight.
  float visit(Position& position, double weight, Random& random) {
    std::array<Child*, deepest> path{};
    int length = 0;
    int plies = settings_.plies;
    for (bool known = true; known && length < settings_.depth && plies > 0 && !position.outcome();
         --plies) {
      Node* node = node_of(position.public_state().key());
      if (node == nullptr) break;
      Child& child = choose(*node, position, random, known);
      path[at(length++)] = &child;
      ++node->visits;
      position.play(child.move);
    }
    positions_ += length + 1;
    for (; plies > 0 && !position.outcome(); --plies, ++positions_)
      position.play(quick_move(position, random));
    const float value = judgement_.value(position);
    for (int i = 0; i < length; ++i) {
      ++path[at(i)]->visits;
      path[at(i)]->weight += weight;
      path[at(i)]->sum += weight * static_cast<double>(value);
    }
    return value;
  }

  [[nodiscard]] std::size_t nodes() const { return nodes_.size(); }
  [[nodiscard]] std::int64_t positions() const { return positions_; }

 private:
  struct Child {
    Move move = no_move;
    int visits = 0;
    int possible = 0;  // visits of the node in whose determinizations the move could be made
    double weight = 0;
    double sum = 0;  // of weighted values of seat 0's team
  };
  struct Node {
    int visits = 0;
    std::vector<Child> children;
  };

  // Null when the tree is full and does not have it.
  Node* node_of(std::uint64_t key) {
    if (nodes_.size() < most_nodes) return &nodes_[key];
    const auto place = nodes_.find(key);
    return place == nodes_.end() ? nullptr : &place->second;
  }

  // A child of the node whose move is possible in this position; `known` becomes false when it is
  // new.
  Child& choose(Node& node, const Position& position, Random& random, bool& known) const {
    const double room = settings_.widen * std::sqrt(node.visits + 1.0);
    if (static_cast<double>(node.children.size()) < room) {
      const Move move = quick_move(position, random);
      const bool is_new = std::none_of(node.children.begin(), node.children.end(),
                                       [&](const Child& child) { return child.move == move; });
      if (is_new) return grow(node, move, known);
    }
    const double sign = position.public_state().turn() % 2 == 0 ? 1 : -1;
    Child* best = nullptr;
    double highest = 0;
    for (Child& child : node.children) {
      if (!position.is_legal(child.move)) continue;
      ++child.possible;
      const double bound = sign * child.sum / child.weight +
                           settings_.explore * std::sqrt(std::log(child.possible) / child.visits);
      if (best != nullptr && bound <= highest) continue;
      best = &child;
      highest = bound;
    }
    return best != nullptr ? *best : grow(node, quick_move(position, random), known);
  }
  static Child& grow(Node& node, Move move, bool& known) {
    known = false;
    node.children.push_back({.move = move, .possible = 1});
    return node.children.back();
  }

  const Judgement& judgement_;
  TreeSettings settings_;
  std::unordered_map<std::uint64_t, Node> nodes_;
  std::int64_t positions_ = 0;
};

}  // namespace tempo::siguo
