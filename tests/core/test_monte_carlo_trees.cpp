// Monte-Carlo trees: the same again by seed and not by threads, memory, reuse, repetition, print.
#include <stdexcept>
#include <string>

#include "doctest/doctest.h"
#include "games/chess/rules.h"
#include "monte_carlo_tests.h"
#include "search/monte_carlo_descent.h"

namespace test_monte_carlo_trees {

using namespace tempo;
using namespace tempo::monte_carlo_tests;

// Does not answer every fiftieth question.
struct FailingEvaluator {
  static constexpr bool prefers_batches = false;
  int* calls;
  void operator()(std::span<const chess::Position>, std::span<Scores> values) const {
    if (++*calls % 50 == 0) throw std::runtime_error("no answer");
    for (auto& value : values) value = {};
  }
};

TEST_CASE("monte carlo: same seed, same tree") {
  const auto position = gomoku_start(9);
  for (const auto rule : {Selection::Ucb1, Selection::Ucb1Tuned, Selection::Puct}) {
    auto settings = settings_of(600);
    settings.selection = rule;
    MonteCarlo<gomoku::Position> one(settings);
    MonteCarlo<gomoku::Position> same(settings);
    const auto first = one.search(position);
    const auto second = same.search(position);
    CHECK(one.fingerprint() == same.fingerprint());
    CHECK(first.move == second.move);
    CHECK(first.positions == second.positions);
    settings.seed = seed + 1;
    MonteCarlo<gomoku::Position> other(settings);
    other.search(position);
    CHECK(one.fingerprint() != other.fingerprint());
    other.reset(seed);
    other.search(position);
    CHECK(one.fingerprint() == other.fingerprint());
  }
}

TEST_CASE("monte carlo: the result depends on the trees and not on the threads") {
  const auto position = gomoku_start(9);
  auto settings = settings_of(1003);
  settings.trees = 4;
  MonteCarlo<gomoku::Position> one(settings);
  settings.threads = 2;
  MonteCarlo<gomoku::Position> two(settings);
  const auto first = one.search(position);
  const auto second = two.search(position);
  CHECK(one.fingerprint() == two.fingerprint());
  CHECK(first.move == second.move);
  CHECK(sum_of_visits(first) == 1003);
  CHECK(sum_of_visits(second) == 1003);
  for (std::size_t i = 0; i < first.root.size(); ++i) {
    CHECK(first.root[i].move == second.root[i].move);
    CHECK(first.root[i].visits == second.root[i].visits);
    CHECK(first.root[i].scores == second.root[i].scores);
  }
  settings.trees = 1;
  MonteCarlo<gomoku::Position> single(settings);
  single.search(position);
  CHECK(single.fingerprint() != one.fingerprint());
}

TEST_CASE("monte carlo: expands after as many visits as set") {
  const auto position = gomoku_start(5);
  auto settings = settings_of(25 * 3);
  settings.exploration = 1000;  // visits every child equally often
  MonteCarlo<gomoku::Position> soon(settings);
  soon.search(position);
  settings.expand_after = 3;
  MonteCarlo<gomoku::Position> late(settings);
  CHECK(late.search(position).depth == 1);
  CHECK(soon.memory_used() > late.memory_used());
}

TEST_CASE("monte carlo: the memory bound holds and the search goes on") {
  const auto position = gomoku_start(9);
  auto settings = settings_of(5000);
  MonteCarlo<gomoku::Position> roomy(settings);
  roomy.search(position);
  settings.memory = 40000;
  REQUIRE(roomy.memory_used() > settings.memory);
  for (const auto rule : {Selection::Ucb1, Selection::Puct}) {
    for (const int moves : {0, MonteCarloSettings::whole_game}) {
      settings.selection = rule;
      settings.rollout_moves = moves;
      MonteCarlo<gomoku::Position> cramped(settings);
      const auto result = cramped.search(position);
      CHECK(cramped.memory_used() <= settings.memory);
      CHECK(cramped.memory_used() > settings.memory - 1000);
      CHECK(cramped.visits() == 5000);
      CHECK(result.move != no_move);
      cramped.advance(result.move);
      auto next = position;
      next.play(result.move);
      cramped.search(next);
      CHECK(cramped.memory_used() <= settings.memory);
    }
  }
  settings.memory = 1000;
  CHECK_THROWS_AS(MonteCarlo<gomoku::Position>{settings}, std::invalid_argument);
}

TEST_CASE("monte carlo: advancing keeps the tree below the move") {
  auto position = gomoku_start(5);
  const auto settings = settings_of(2000);
  MonteCarlo<gomoku::Position> search(settings);
  for (int i = 0; i < 3; ++i) {
    const auto result = search.search(position);
    const std::string before = search.text(4);
    search.advance(result.move);
    position.play(result.move);
    CHECK(search.visits() == result.root[0].visits);
    CHECK(search.visits() > 50);
    // The lines below the move are the tree that is left, one step further in.
    std::string below;
    bool inside = false;
    for (std::size_t at = 0; at < before.size();) {
      const std::size_t end = before.find('\n', at) + 1;
      const std::string line = before.substr(at, end - at);
      if (line[0] != ' ')
        inside = line.starts_with(gomoku_start(5).move_text(result.move) + " ");
      else if (inside)
        below += line.substr(2);
      at = end;
    }
    CHECK(search.text(3) == below);
    const std::int64_t kept = search.visits();
    search.search(position);
    CHECK(search.visits() == kept + 2000);
  }
  // A position that is not where the tree stands starts anew, and so does a move never tried.
  search.search(gomoku_start(6));
  CHECK(search.visits() == 2000);
  MonteCarlo<gomoku::Position> brief(settings_of(3));
  const auto result = brief.search(gomoku_start(6));
  REQUIRE(result.root.back().visits == 0);
  brief.advance(result.root.back().move);
  CHECK(brief.visits() == 0);
}

TEST_CASE("monte carlo: compaction keeps the tree and gives back the rest") {
  MonteCarloDescent<2> descent(tree_game<gomoku::Position>, settings_of(0), 0, 8 << 20);
  const auto start = gomoku_start(6);
  descent.start(&start, {});
  for (int i = 0; i < 3000; ++i) descent.back_up(descent.descend().value());
  const auto& edge = descent.tree().edges(descent.root())[7];
  const auto expected = descent.tree().fingerprint(edge.child);
  const std::size_t before = descent.tree().bytes();
  descent.advance(edge.move);
  CHECK(descent.tree().fingerprint() == expected);
  CHECK(descent.tree().bytes() < before / 10);
  for (int i = 0; i < 500; ++i) descent.back_up(descent.descend().value());
}

// North chooses a token, then north challenges, then east chooses: by the third level the choice
// turns from what is best for north to what is best for east.
TEST_CASE("monte carlo: a tree as text") {
  const auto position = toy::Position::start({.tokens = 2});
  MonteCarlo<toy::Position, HashEvaluator<toy::Position>> search(guided(24));
  search.search(position);
  CHECK("\n" + search.text(3) == R"(
2 13 +0.173 -0.173 +0.173 -0.173
  xw1 6 +0.292 -0.292 +0.292 -0.292
    1 4 +0.094 -0.094 +0.094 -0.094
    2 1 +0.875 -0.875 +0.875 -0.875
  xw2 3 +0.500 -0.500 +0.500 -0.500
    1 1 +0.125 -0.125 +0.125 -0.125
    2 1 +0.500 -0.500 +0.500 -0.500
  xe2 2 -0.250 +0.250 -0.250 +0.250
    1 1 -0.375 +0.375 -0.375 +0.375
  xe1 1 -0.375 +0.375 -0.375 +0.375
1 10 -0.425 +0.425 -0.425 +0.425
  xw1 6 -0.208 +0.208 -0.208 +0.208
    1 3 -0.458 +0.458 -0.458 +0.458
    2 2 +0.375 -0.375 +0.375 -0.375
  xw2 2 -0.625 +0.625 -0.625 +0.625
    2 1 -0.875 +0.875 -0.875 +0.875
  xe2 1 -1.000 +1.000 -1.000 +1.000
)");
}

// After Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 the retreat to g8 repeats the start for the third time.
TEST_CASE("monte carlo: sees repetition along the path") {
  auto position = chess::Position::start({});
  History past;
  for (const char* move : {"g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"})
    play(position, past, position.parse_move(move));
  auto settings = settings_of(200);
  settings.rollout_moves = 0;
  MonteCarlo<chess::Position> search(settings);
  search.search(position, past);
  CHECK(search.text(1).find("f6g8 ") != std::string::npos);
  CHECK(search.text(1).find(" end\n") != std::string::npos);
  search.search(position, past);
  CHECK(search.visits() == 400);
  search.search(position);  // another past, another tree
  CHECK(search.visits() == 200);
  CHECK(search.text(1).find(" end\n") == std::string::npos);
}

// A callback into Python may throw in the middle of a simulation.
TEST_CASE("monte carlo: goes on after an evaluator threw") {
  auto position = chess::Position::start({});
  History past;
  for (const char* move : {"g1f3", "g8f6", "f3g1", "f6g8"})
    play(position, past, position.parse_move(move));
  auto settings = settings_of(200);
  settings.rollout_moves = 0;
  int calls = 0;
  MonteCarlo<chess::Position, FailingEvaluator> search(settings, FailingEvaluator{&calls});
  CHECK_THROWS_AS(search.search(position, past), std::runtime_error);
  CHECK(search.visits() == 49);
  CHECK_THROWS_AS(search.search(position, past), std::runtime_error);
  CHECK(search.visits() == 98);  // the same tree: its past is as it was
}

}  // namespace test_monte_carlo_trees
