// A game small enough to be written down: its positions as numbered nodes, its moves as edges.
// Minimax of any depth is then a number of sweeps over all nodes at once, and self-play follows
// arrows: weights that stand still for an iteration are evaluated once per position, not once per
// visit.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include "../errors.h"
#include "../parallel/pool.h"
#include "../random.h"

namespace tempo::graph {

using Node = std::int32_t;
inline constexpr Node nowhere = -1;

// How a node ends the game, if it does: what seat 0 gets there.
enum class End : std::int8_t { None = 0, Won = 1, Lost = 2, Drawn = 3 };

constexpr float score_of(End end) {
  return end == End::Won ? 1.0F : end == End::Lost ? -1.0F : 0.0F;
}

// Arrays that someone else owns. The successors of node i are next[offsets[i]] .. next[offsets[i +
// 1] - 1]; a node without an end has at least one.
struct Graph {
  std::span<const std::int64_t> offsets;
  std::span<const Node> next;
  std::span<const std::uint8_t> turn;  // the seat to move, 0 or 1
  std::span<const std::int8_t> end;    // an End

  [[nodiscard]] Node size() const { return static_cast<Node>(turn.size()); }
  [[nodiscard]] End end_of(Node node) const { return static_cast<End>(end[at(node)]); }
  [[nodiscard]] std::span<const Node> successors(Node node) const {
    const auto begin = static_cast<std::size_t>(offsets[at(node)]);
    return next.subspan(begin, static_cast<std::size_t>(offsets[at(node) + 1]) - begin);
  }

  static constexpr std::size_t at(Node node) { return static_cast<std::size_t>(node); }

  // Throws ParseError unless the arrays make a sound graph: code that trusts them follows them
  // blindly.
  void check() const {
    const auto require = [](bool holds, const char* what) {
      if (!holds) throw ParseError(std::string("this is no graph: ") + what);
    };
    require(turn.size() < std::numeric_limits<Node>::max(), "it has too many nodes");
    require(offsets.size() == turn.size() + 1 && end.size() == turn.size(),
            "offsets, turn and end do not fit together");
    require(offsets[0] == 0 && offsets.back() == static_cast<std::int64_t>(next.size()),
            "offsets do not span the successors");
    for (std::size_t i = 0; i < turn.size(); ++i) {
      require(offsets[i] <= offsets[i + 1], "offsets go down");
      require(turn[i] <= 1, "a seat is neither 0 nor 1");
      require(end[i] >= 0 && end[i] <= 3, "an end is not 0 to 3");
      require(end[i] != 0 || offsets[i] < offsets[i + 1], "a node that is no end has no successor");
    }
    for (const Node node : next) require(node >= 0 && node < size(), "a successor is no node");
  }
};

// One ply of minimax at every node: from the values of depth d to those of depth d + 1. Values are
// those of seat 0, which takes the highest where it moves; seat 1 takes the lowest. `leaves` are
// the ends of the principal variations, carried along. Among equals the first successor is taken.
// Ends keep their scores.
struct Sweep {
  std::span<const float> values;
  std::span<const Node> leaves;
  float discount = 1;
  std::span<float> values_out;
  std::span<Node> leaves_out;
  std::span<Node> best_out;  // the successor chosen; nowhere at an end
};

inline void sweep(const Graph& graph, const Sweep& s, Pool& pool) {
  const auto one = [&](std::int64_t i) {
    const auto node = static_cast<Node>(i);
    const std::size_t here = Graph::at(node);
    if (const End end = graph.end_of(node); end != End::None) {
      s.values_out[here] = score_of(end);
      s.leaves_out[here] = node;
      s.best_out[here] = nowhere;
      return;
    }
    const bool highest = graph.turn[here] == 0;
    const auto successors = graph.successors(node);
    Node best = successors[0];
    float value = s.values[Graph::at(best)];
    for (const Node successor : successors.subspan(1)) {
      const float other = s.values[Graph::at(successor)];
      if (highest ? other > value : other < value) {
        value = other;
        best = successor;
      }
    }
    s.values_out[here] = s.discount * value;
    s.leaves_out[here] = s.leaves[Graph::at(best)];
    s.best_out[here] = best;
  };
  pool.run(graph.size(), one, 4096);
}

// Games along the arrows of `best`, with random moves mixed in.
struct SelfPlay {
  std::span<const Node> best;
  std::span<const Node> starts;  // one a game
  double random_share = 0;       // probability of a random move in place of the best
  int opening = 0;               // most random moves before the game counts
  int cap = 100;                 // moves after which a game is drawn
  std::uint64_t seed = 0;
  std::uint64_t first_game = 0;  // game i draws from Random(seed, first_game + i)
};

// states [games, cap] are the nodes before each move, lengths [games] how many there are, outcomes
// [games] what seat 0 got. A start that ends at once has length 0.
inline void play(const Graph& graph, const SelfPlay& s, std::span<Node> states,
                 std::span<std::int32_t> lengths, std::span<float> outcomes, Pool& pool) {
  const auto one = [&](std::int64_t i) {
    const auto game = static_cast<std::size_t>(i);
    Random random(s.seed, s.first_game + game);
    const auto random_successor = [&](Node node) {
      const auto all = graph.successors(node);
      return all[random.below(static_cast<std::uint32_t>(all.size()))];
    };
    Node node = s.starts[game];
    const int opening = static_cast<int>(random.below(s.opening + 1));
    for (int k = 0; k < opening && graph.end_of(node) == End::None; ++k) {
      const Node next = random_successor(node);
      if (graph.end_of(next) == End::None) node = next;
    }
    Node* row = states.data() + game * static_cast<std::size_t>(s.cap);
    int length = 0;
    while (length < s.cap && graph.end_of(node) == End::None) {
      row[length++] = node;
      const bool explore = random.uniform() < s.random_share;
      node = explore ? random_successor(node) : s.best[Graph::at(node)];
    }
    for (int k = length; k < s.cap; ++k) row[k] = nowhere;
    lengths[game] = length;
    outcomes[game] = score_of(graph.end_of(node));
  };
  pool.run(static_cast<std::int64_t>(s.starts.size()), one, 16);
}

}  // namespace tempo::graph
