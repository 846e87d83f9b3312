// Proof-number search on graphs without a game: wherever loops are, its verdict is that of the
// fixed point.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "random.h"
#include "search/proof_number.h"

namespace test_proof_number {

using tempo::Move;
using tempo::ProofResult;
using tempo::Random;
using tempo::Verdict;

// Attacker and defender walk along arrows; the one with none left to follow has lost. Even nodes
// are the attacker's.
using Graph = std::vector<std::vector<int>>;

struct Walk {
  struct Node {
    int at = 0;
  };
  using Moves = tempo::MoveList<16>;
  using Holding = tempo::NoHolding;

  const Graph* graph = nullptr;

  void list(const Node& node, Moves& moves) const {
    moves.clear();
    const auto& arrows = (*graph)[static_cast<std::size_t>(node.at)];
    for (std::size_t i = 0; i < arrows.size(); ++i) moves.push(Move{static_cast<std::uint16_t>(i)});
  }
  void attacks(const Node& node, Moves& moves) const { list(node, moves); }
  void defences(const Node& node, Moves& moves) const { list(node, moves); }
  void play(Node& node, Move move) const {
    node.at = (*graph)[static_cast<std::size_t>(node.at)][static_cast<std::size_t>(index(move))];
  }
  [[nodiscard]] std::uint64_t key(const Node& node) const {
    return tempo::split_mix(static_cast<std::uint64_t>(node.at));
  }
  [[nodiscard]] Holding holding(const Node&) const { return {}; }
  static bool covers(Holding, Holding) { return true; }
  [[nodiscard]] ProofResult before_attack(const Node&) const { return {}; }
  [[nodiscard]] ProofResult before_defence(const Node&) const { return {}; }
};
static_assert(tempo::Attack<Walk>);

Graph random_graph(Random& random) {
  const int half = 2 + static_cast<int>(random.below(12));
  Graph graph(static_cast<std::size_t>(2 * half));
  for (std::size_t node = 0; node < graph.size(); ++node) {
    const auto arrows = random.below(4);
    for (std::uint32_t i = 0; i < arrows; ++i) {
      const int to = 2 * static_cast<int>(random.below(static_cast<std::uint32_t>(half))) +
                     (node % 2 == 0 ? 1 : 0);
      if (std::ranges::find(graph[node], to) == graph[node].end()) graph[node].push_back(to);
    }
  }
  return graph;
}

// Plies to the end from every node that the attacker wins, -1 where he does not: round by round
// from the defender's dead ends.
std::vector<int> fixed_point(const Graph& graph) {
  std::vector<int> length(graph.size(), -1);
  for (int round = 0; round <= static_cast<int>(graph.size()); ++round) {
    std::vector<int> next = length;
    for (std::size_t node = 0; node < graph.size(); ++node) {
      if (length[node] >= 0) continue;
      const auto won = [&](int to) { return length[static_cast<std::size_t>(to)] >= 0; };
      const auto& arrows = graph[node];
      if (node % 2 == 0 ? std::ranges::any_of(arrows, won) : std::ranges::all_of(arrows, won))
        next[node] = round;
    }
    length = next;
  }
  return length;
}

Verdict expected(int length) { return length >= 0 ? Verdict::Win : Verdict::None; }

TEST_CASE("loops neither win nor hide a win, with one table for all roots") {
  Random random(11);
  int wins = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const Graph graph = random_graph(random);
    const auto truth = fixed_point(graph);
    tempo::ProofSearch<Walk> search({&graph}, 256);
    for (int root = 0; root < static_cast<int>(graph.size()); root += 2) {
      const Verdict verdict = search.search({root}, 1000000);
      const int length = truth[static_cast<std::size_t>(root)];
      REQUIRE(verdict == expected(length));
      if (verdict != Verdict::Win) continue;
      ++wins;
      REQUIRE(search.length() >= length);
      const auto line = search.line();
      REQUIRE(line.size() % 2 == 1);
      Walk::Node node{root};
      for (const Move move : line) {
        REQUIRE(truth[static_cast<std::size_t>(node.at)] >= 0);
        Walk{&graph}.play(node, move);
      }
      REQUIRE(graph[static_cast<std::size_t>(node.at)].empty());
    }
  }
  CHECK(wins > 20000);
}

TEST_CASE("a table that forgets nearly everything still gives no false verdict") {
  Random random(12);
  int unknown = 0;
  int solved = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const Graph graph = random_graph(random);
    const auto truth = fixed_point(graph);
    tempo::ProofSearch<Walk> search({&graph}, 1);
    for (int root = 0; root < static_cast<int>(graph.size()); root += 2) {
      const Verdict verdict = search.search({root}, 2000);
      unknown += verdict == Verdict::Unknown ? 1 : 0;
      solved += verdict != Verdict::Unknown ? 1 : 0;
      if (verdict != Verdict::Unknown)
        REQUIRE(verdict == expected(truth[static_cast<std::size_t>(root)]));
    }
  }
  CHECK(solved > 50 * unknown);
}

TEST_CASE("budgets of positions are kept exactly") {
  Random random(13);
  int unknown = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Graph graph = random_graph(random);
    const auto truth = fixed_point(graph);
    for (const std::int64_t budget : {0, 1, 2, 5}) {
      tempo::ProofSearch<Walk> search({&graph}, 256);
      const Verdict verdict = search.search({0}, budget);
      REQUIRE(search.visited() <= budget);
      if (verdict == Verdict::Unknown) {
        ++unknown;
        REQUIRE(search.visited() == budget);
      } else {
        REQUIRE(verdict == expected(truth[0]));
      }
    }
  }
  CHECK(unknown > 2000);
}

TEST_CASE("a failure by repetition is not remembered for other paths") {
  // The attacker at 0 can go by 1 to 2, whence 3 leads back to 0 and 5 to the defender's end at
  // 4 -> 7. Tried through the loop first, 2 must not count as lost.
  const Graph graph = {{1}, {2}, {3, 5}, {0}, {7}, {4}, {}, {}};
  tempo::ProofSearch<Walk> search({&graph}, 64);
  CHECK(search.search({2}, 1000) == Verdict::Win);
  CHECK(search.search({0}, 1000) == Verdict::Win);
  const Graph trap = {{1}, {2}, {3}, {0, 6}, {}, {}, {5, 7}, {0}};
  tempo::ProofSearch<Walk> other({&trap}, 64);
  CHECK(other.search({0}, 1000) == Verdict::None);  // the defender always goes back to 0
  CHECK(other.search({6}, 1000) == Verdict::Win);
}

}  // namespace test_proof_number
