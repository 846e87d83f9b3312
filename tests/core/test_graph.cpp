// Games written down as graphs: sweeps against a recursive minimax, self-play, unsound arrays.
#include "learning/graph.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "errors.h"
#include "random.h"

namespace test_graph {

using namespace tempo;
using graph::End;
using graph::Graph;
using graph::Node;

struct Arrays {
  std::vector<std::int64_t> offsets{0};
  std::vector<Node> next;
  std::vector<std::uint8_t> turn;
  std::vector<std::int8_t> end;

  [[nodiscard]] Graph view() const { return {offsets, next, turn, end}; }
};

// Cycles, nodes met twice, any order of turns: what real games have and more.
Arrays random_graph(std::uint64_t seed, int size) {
  Random random(seed, 0);
  Arrays made;
  for (int i = 0; i < size; ++i) {
    made.turn.push_back(static_cast<std::uint8_t>(random.below(2)));
    const bool ends = random.below(5) == 0;
    made.end.push_back(static_cast<std::int8_t>(ends ? 1 + random.below(3) : 0));
    const auto count = ends ? 0 : 1 + random.below(6);
    for (std::uint32_t k = 0; k < count; ++k)
      made.next.push_back(static_cast<Node>(random.below(static_cast<std::uint32_t>(size))));
    made.offsets.push_back(static_cast<std::int64_t>(made.next.size()));
  }
  return made;
}

struct Found {
  float value;
  Node leaf;
  Node best;
};

// The definition, one node at a time.
Found minimax(const Graph& g, const std::vector<float>& values, Node node, int depth,
              float discount) {
  if (const End end = g.end_of(node); end != End::None)
    return {depth == 0 ? values[Graph::at(node)] : graph::score_of(end), node, graph::nowhere};
  if (depth == 0) return {values[Graph::at(node)], node, graph::nowhere};
  Found found{};
  bool first = true;
  for (const Node next : g.successors(node)) {
    const Found below = minimax(g, values, next, depth - 1, discount);
    const bool better =
        g.turn[Graph::at(node)] == 0 ? below.value > found.value : below.value < found.value;
    if (first || better) found = {below.value, below.leaf, next};
    first = false;
  }
  return {discount * found.value, found.leaf, found.best};
}

std::string refusal(const Arrays& arrays) {
  try {
    arrays.view().check();
    return "accepted";
  } catch (const ParseError& error) {
    return error.what();
  }
}

TEST_CASE("sweeps are minimax at every node") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    CAPTURE(seed);
    const Arrays arrays = random_graph(seed, 60);
    const Graph g = arrays.view();
    g.check();
    Random random(seed, 1);
    std::vector<float> leaf_values(60);
    for (Node i = 0; i < 60; ++i) {
      const End end = g.end_of(i);
      leaf_values[Graph::at(i)] =
          end == End::None ? static_cast<float>(2 * random.uniform() - 1) : graph::score_of(end);
    }
    std::vector<float> values = leaf_values;
    std::vector<Node> leaves(60);
    std::iota(leaves.begin(), leaves.end(), 0);
    Pool pool(1);
    for (int depth = 1; depth <= 4; ++depth) {
      std::vector<float> deeper(60);
      std::vector<Node> deeper_leaves(60);
      std::vector<Node> best(60);
      graph::sweep(g, {values, leaves, 0.9F, deeper, deeper_leaves, best}, pool);
      for (Node i = 0; i < 60; ++i) {
        const Found found = minimax(g, leaf_values, i, depth, 0.9F);
        REQUIRE(deeper[Graph::at(i)] == found.value);
        REQUIRE(deeper_leaves[Graph::at(i)] == found.leaf);
        REQUIRE(best[Graph::at(i)] == found.best);
      }
      values = deeper;
      leaves = deeper_leaves;
    }
  }
}

TEST_CASE("self-play follows the edges and does not depend on threads") {
  const Arrays arrays = random_graph(7, 200);
  const Graph g = arrays.view();
  constexpr int games = 300;
  constexpr int cap = 20;
  std::vector<Node> best(200, graph::nowhere);
  std::vector<Node> starts(games);
  for (Node i = 0; i < 200; ++i)
    if (g.end_of(i) == End::None) best[Graph::at(i)] = g.successors(i)[0];
  for (int i = 0; i < games; ++i) starts[static_cast<std::size_t>(i)] = i % 200;
  const auto play = [&](int threads) {
    std::vector<Node> states(games * cap);
    std::vector<std::int32_t> lengths(games);
    std::vector<float> outcomes(games);
    Pool pool(threads);
    graph::play(g, {best, starts, 0.3, 3, cap, 11, 5}, states, lengths, outcomes, pool);
    for (std::size_t game = 0; game < games; ++game) {
      for (int k = 0; k < cap; ++k) {
        const Node node = states[game * cap + static_cast<std::size_t>(k)];
        CHECK((node == graph::nowhere) == (k >= lengths[game]));
        if (k == 0 || node == graph::nowhere) continue;
        const auto from = g.successors(states[game * cap + static_cast<std::size_t>(k) - 1]);
        CHECK(std::ranges::find(from, node) != from.end());
      }
    }
    return std::make_tuple(states, lengths, outcomes);
  };
  const auto alone = play(1);
  CHECK(play(3) == alone);
  const auto& outcomes = std::get<2>(alone);
  CHECK(std::ranges::count(outcomes, 1.0F) > 0);
  CHECK(std::ranges::count(outcomes, -1.0F) > 0);
}

TEST_CASE("arrays that make no graph are refused") {
  const Arrays sound{{0, 1, 1}, {1}, {0, 1}, {0, 1}};
  CHECK(refusal(sound) == "accepted");
  Arrays bad = sound;
  bad.next[0] = 2;
  CHECK(refusal(bad) == "this is no graph: a successor is no node");
  bad = sound;
  bad.next[0] = -1;
  CHECK(refusal(bad) == "this is no graph: a successor is no node");
  bad = sound;
  bad.end[1] = 0;
  CHECK(refusal(bad) == "this is no graph: a node that is no end has no successor");
  bad = sound;
  bad.end[0] = 4;
  CHECK(refusal(bad) == "this is no graph: an end is not 0 to 3");
  bad = sound;
  bad.turn[0] = 2;
  CHECK(refusal(bad) == "this is no graph: a seat is neither 0 nor 1");
  bad = sound;
  bad.offsets = {0, 2, 1};
  CHECK(refusal(bad) == "this is no graph: offsets go down");
  bad = sound;
  bad.offsets = {0, 1};
  CHECK(refusal(bad) == "this is no graph: offsets, turn and end do not fit together");
  bad = sound;
  bad.offsets = {0, 1, 2};
  CHECK(refusal(bad) == "this is no graph: offsets do not span the successors");
}

}  // namespace test_graph
