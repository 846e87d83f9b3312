// The memory of a Monte-Carlo tree: one block, nodes growing from its front and edges from its
// back, so that no ratio between them has to be guessed. The block never grows.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "../game.h"

namespace tempo {

template <int Teams>
class MonteCarloTree {
 public:
  using Index = std::uint32_t;
  static constexpr Index root = 0;
  static constexpr Index none = 0;  // as a child: the root is nobody's child

  // Of an unvisited move only this is kept; statistics live in the child's node. 225 moves of a
  // Gomoku leaf take 1.8 kB.
  struct Edge {
    Index child;
    Move move;
    std::uint16_t prior;  // in units of 1 / 65535
  };

  enum class State : std::uint8_t { Leaf, Expanded, Over };

  struct Node {
    std::uint32_t visits;
    Index edges;          // where the block of edges begins, counted from the back
    std::uint16_t count;  // legal moves, once expanded
    std::uint16_t tried;  // edges[0 .. tried) have children, the others have none
    std::uint8_t team;    // of the seat to move
    State state;
    double spread;  // 1 / sqrt(visits): once a visit here, not once a look from above
    std::array<float, Teams> end;      // exact scores by team when over
    std::array<double, Teams> totals;  // sums of scores by team
    double squares;                    // sum of squared scores of the team that moved here
  };
  static_assert(sizeof(Edge) == 8 && sizeof(Node) % 8 == 0 && std::is_trivial_v<Node>);

  static constexpr std::size_t bytes_for(std::size_t nodes, std::size_t edges) {
    return nodes * sizeof(Node) + edges * sizeof(Edge);
  }

  explicit MonteCarloTree(std::size_t bytes)
      : slots_(std::min<std::size_t>(bytes / sizeof(Edge), ~Index{0})),
        block_(std::make_unique_for_overwrite<std::byte[]>(slots_ * sizeof(Edge))) {
    clear();
  }

  // An empty tree may be asked about its root, which then has no visits.
  void clear() {
    nodes_ = edges_ = 0;
    if (has_room(1, 0)) (*this)[root] = Node{};
  }
  [[nodiscard]] Index nodes() const { return nodes_; }                            // visited ones
  [[nodiscard]] std::int64_t listed() const { return std::int64_t{edges_} + 1; }  // with unvisited
  [[nodiscard]] std::size_t bytes() const { return bytes_for(nodes_, edges_); }
  [[nodiscard]] bool has_room(std::size_t nodes, std::size_t edges) const {
    return bytes_for(nodes_ + nodes, edges_ + edges) <= slots_ * sizeof(Edge);
  }

  // The caller has asked has_room().
  Index add_node(Team team) {
    assert(has_room(1, 0));
    Node& node = (*this)[nodes_];
    node = Node{};
    node.team = static_cast<std::uint8_t>(team);
    return nodes_++;
  }
  void add_edges(Node& node, std::span<const Move> moves) {
    assert(has_room(0, moves.size()));
    edges_ += static_cast<Index>(moves.size());
    node.edges = edges_;
    node.count = static_cast<std::uint16_t>(moves.size());
    node.state = State::Expanded;
    Edge* edge = edges(node);
    for (const Move move : moves) *edge++ = {none, move, 0};
  }

  Node& operator[](Index i) { return reinterpret_cast<Node*>(block_.get())[i]; }
  const Node& operator[](Index i) const { return reinterpret_cast<const Node*>(block_.get())[i]; }
  Edge* edges(const Node& node) {
    return reinterpret_cast<Edge*>(block_.get()) + (slots_ - node.edges);
  }
  [[nodiscard]] const Edge* edges(const Node& node) const {
    return reinterpret_cast<const Edge*>(block_.get()) + (slots_ - node.edges);
  }

  // Makes `top` the root and gives back the room of all that is not below it.
  void keep(Index top);

  // A hash of moves, visits and sums of the whole tree, independent of where things lie in memory.
  [[nodiscard]] std::uint64_t fingerprint(Index at = root) const {
    const Node& node = (*this)[at];
    std::uint64_t hash = split_mix(node.visits + (std::uint64_t{node.count} << 32));
    for (const double total : node.totals)
      hash = split_mix(hash ^ std::bit_cast<std::uint64_t>(total));
    for (int i = 0; i < node.tried; ++i) {
      const Edge& edge = edges(node)[i];
      hash = split_mix(hash ^ static_cast<std::uint64_t>(edge.move));
      hash = split_mix(hash ^ fingerprint(edge.child));
    }
    return hash;
  }

 private:
  std::size_t slots_;  // of the size of an edge
  std::unique_ptr<std::byte[]> block_;
  Index nodes_ = 0;
  Index edges_ = 0;
};

// Children are always younger than their parents, so nodes can slide to the front in order of age
// and blocks of edges to the back in order of allocation, each onto room that is free by then.
// Needs eight bytes of scratch for every node that stays and four for every node there was.
template <int Teams>
void MonteCarloTree<Teams>::keep(Index top) {
  std::vector<Index> kept{top};
  for (std::size_t next = 0; next < kept.size(); ++next) {
    const Node& node = (*this)[kept[next]];
    for (int i = 0; i < node.tried; ++i) kept.push_back(edges(node)[i].child);
  }
  std::sort(kept.begin(), kept.end());
  std::vector<Index> moved(nodes_);
  for (Index i = 0; i < kept.size(); ++i) moved[kept[i]] = i;

  std::vector<Index> by_edges = kept;
  std::sort(by_edges.begin(), by_edges.end(),
            [&](Index a, Index b) { return (*this)[a].edges < (*this)[b].edges; });
  edges_ = 0;
  for (const Index i : by_edges) {
    Node& node = (*this)[i];
    if (node.count == 0) continue;
    const Edge* from = edges(node);
    node.edges = edges_ += node.count;
    Edge* to = edges(node);
    std::memmove(to, from, node.count * sizeof(Edge));
    for (int e = 0; e < node.tried; ++e) to[e].child = moved[to[e].child];
  }
  for (Index i = 0; i < kept.size(); ++i) (*this)[i] = (*this)[kept[i]];
  nodes_ = static_cast<Index>(kept.size());
}

}  // namespace tempo
