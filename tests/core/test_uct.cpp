// The settings that make a tree the UCT of a paper: values of moves, nodes as a budget, children at
// once; and the rules of selection worked by hand on arms that always pay the same.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "coins.h"
#include "doctest/doctest.h"
#include "games/chess/rules.h"
#include "games/gomoku/rules.h"
#include "search/monte_carlo.h"
#include "search/monte_carlo_descent.h"

namespace test_uct {

using namespace tempo;

static_assert(MoveValued<coins::Position>);
static_assert(!MoveValued<gomoku::Position>);

constexpr int never = 1'000'000;

MonteCarloSettings valued(std::int64_t simulations, CutValue cut, int rollout_moves) {
  MonteCarloSettings settings;
  settings.simulations = simulations;
  settings.cut_value = cut;
  settings.rollout_moves = rollout_moves;
  settings.memory = 8 << 20;
  settings.seed = 3;
  return settings;
}

// Coins 0 and 5 are left to the first seat, so that its moves pay 0.5 and 0.75 whenever they are
// tried: a bandit with two arms. The visits of both after a number of pulls.
std::pair<int, int> pulls(MonteCarloSettings settings, int count, std::uint64_t seed = 3) {
  settings.simulations = count;
  settings.expand_after = never;
  settings.seed = seed;
  MonteCarlo<coins::Position> search(settings);
  const auto found = search.search(coins::Position::parse("33", {}));
  std::pair<int, int> visits;
  for (const RootMove& move : found.root) {
    (index(move.move) == 0 ? visits.first : visits.second) = static_cast<int>(move.visits);
    if (move.visits > 0) CHECK(move.scores[0] == doctest::Approx(index(move.move) / 10.0));
  }
  return visits;
}

using Pair = std::pair<int, int>;

MonteCarlo<gomoku::Position> grown(MonteCarloSettings settings, int size) {
  settings.memory = 64 << 20;
  MonteCarlo<gomoku::Position> search(settings);
  search.search(gomoku::Position::start({.size = static_cast<std::int16_t>(size)}));
  return search;
}

// After 8 pulls, 3 and 5 of them: with C = 1.187 the arms stand at 0.5 + 1.187 sqrt(ln 8 / 3) =
// 1.4882 and 0.75 + 1.187 sqrt(ln 8 / 5) = 1.5155; with C = 1.414 at 1.6772 and 1.6619.
TEST_CASE("uct: UCB1 pulls arms as worked by hand") {
  auto settings = valued(1, CutValue::Path, 0);
  settings.exploration = 1.187;
  CHECK(pulls(settings, 3) == Pair{1, 2});
  CHECK(pulls(settings, 4) == Pair{2, 2});  // 1.7442 and 1.6297
  CHECK(pulls(settings, 8) == Pair{3, 5});
  CHECK(pulls(settings, 9) == Pair{3, 6});
  settings.exploration = 1.414;
  CHECK(pulls(settings, 8) == Pair{3, 5});
  CHECK(pulls(settings, 9) == Pair{4, 5});
}

// Both arms never vary, so what counts is min(1/4, sqrt(2 ln t / n)). After 4 pulls, 1 and 3:
// 0.5 + sqrt(ln 4 / 4) = 1.0887 and 0.75 + sqrt(ln 4 / 3 / 4) = 1.0899. After 5, 1 and 4: 1.1343
// and 1.0672.
TEST_CASE("uct: UCB1-Tuned pulls arms as worked by hand") {
  auto settings = valued(1, CutValue::Path, 0);
  settings.selection = Selection::Ucb1Tuned;
  CHECK(pulls(settings, 3) == Pair{1, 2});
  CHECK(pulls(settings, 4) == Pair{1, 3});
  CHECK(pulls(settings, 5) == Pair{1, 4});
  CHECK(pulls(settings, 6) == Pair{2, 4});
  CHECK(pulls(settings, 10) == Pair{2, 8});
  // After 199, 12 and 187, the good arm's bound has fallen below 1/4: 0.5 + sqrt(ln 199 / 12 / 4) =
  // 0.83208 and 0.75 + sqrt(ln 199 / 187 * sqrt(2 ln 199 / 187)) = 0.83207; with 1/4, 0.83412.
  CHECK(pulls(settings, 199) == Pair{12, 187});
  CHECK(pulls(settings, 200) == Pair{13, 187});
}

// Urgency 0.6 lies between the arms: once the better one has been tried, the other never is.
TEST_CASE("uct: first-play urgency stops at an arm that pays more") {
  auto settings = valued(1, CutValue::Path, 0);
  settings.exploration = 0;
  settings.first_play = 0.6;
  int better_first = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Pair found = pulls(settings, 10, seed);
    const bool direct = found == Pair{0, 10};
    CHECK((direct || found == Pair{1, 9}));
    better_first += direct;
  }
  CHECK(better_first > 3);
  CHECK(better_first < 17);
  settings.first_play = 0.8;
  CHECK(pulls(settings, 10) == Pair{1, 9});
}

TEST_CASE("uct: moves of the path or of the rollout are valued, for the seats that play them") {
  // Coins 1, 2 and 5 are left and the second seat is to move.
  const auto position = coins::Position::parse("38", {});
  REQUIRE(index(position.turn()) == 1);
  auto settings = valued(300, CutValue::Path, 1);
  settings.expand_after = never;
  const auto check = [&](const RootMove& move, float least, float most) {
    CAPTURE(index(move.move));
    CHECK(move.scores[0] == -move.scores[1]);
    CHECK(move.scores[1] > least);  // both answers have been tried
    CHECK(move.scores[1] < most);
  };
  const auto path = MonteCarlo<coins::Position>(settings).search(position);
  CHECK(index(path.move) == 5);
  for (const RootMove& move : path.root) {
    if (index(move.move) == 5) check(move, 0.3F, 0.4F);    // less 1 or 2
    if (index(move.move) == 2) check(move, -0.3F, 0.1F);   // less 1 or 5
    if (index(move.move) == 1) check(move, -0.4F, -0.1F);  // less 2 or 5
  }
  settings.cut_value = CutValue::Rollout;
  const auto rollout = MonteCarlo<coins::Position>(settings).search(position);
  for (const RootMove& move : rollout.root) {
    if (index(move.move) == 5) check(move, -0.2F, -0.1F);
    if (index(move.move) == 2) check(move, -0.5F, -0.1F);
    if (index(move.move) == 1) check(move, -0.5F, -0.2F);
  }
}

TEST_CASE("uct: a lead is cut at a won game, and an ended game keeps its own scores") {
  auto settings = valued(1, CutValue::Path, 4);
  settings.expand_after = never;
  MonteCarloDescent<2> descent(tree_game<coins::Position>, settings, 0, 8 << 20);
  const auto start = coins::Position::start({});
  descent.start(&start, {});
  float highest = -2;
  float lowest = 2;
  int tenths = 0;
  for (int i = 0; i < 720; ++i) {
    const Scores scores = descent.descend().value();
    descent.back_up(scores);
    CHECK(scores[0] == -scores[1]);
    highest = std::max(highest, scores[0]);
    lowest = std::min(lowest, scores[0]);
    tenths += std::abs(scores[0] * 10 - std::round(scores[0] * 10)) < 1e-5F;
  }
  CHECK(tenths == 720);
  CHECK(highest == 1.0F);  // 5 + 4 + 3 - 1 - 0 is more than 10
  CHECK(lowest >= -0.6F);  // 0 + 1 + 2 - 5 - 4
  // Six coins end the game, which nobody wins.
  auto whole = valued(100, CutValue::Path, 6);
  whole.expand_after = never;
  for (const RootMove& move :
       MonteCarlo<coins::Position>(whole).search(coins::Position::start({})).root) {
    CHECK(move.scores == Scores{});
  }
}

TEST_CASE("uct: nodes are a budget that is never exceeded") {
  for (const int expand_after : {0, 1}) {
    for (const std::int64_t nodes : {200, 1000, 30'000}) {
      CAPTURE(expand_after);
      CAPTURE(nodes);
      auto settings = valued(0, CutValue::Evaluator, 2);
      settings.nodes = nodes;
      settings.expand_after = expand_after;
      const auto search = grown(settings, 9);
      CHECK(search.nodes() <= nodes);
      CHECK(search.nodes() + 80 > nodes);  // the next leaf's children would not fit
      if (expand_after == 0) {             // 80 or 79 children for every simulation but the last
        CHECK(search.visits() >= 1 + (nodes - 82) / 80);
        CHECK(search.visits() <= 1 + (nodes - 82) / 79);
      }
    }
  }
  auto small = valued(0, CutValue::Evaluator, 2);
  small.nodes = 1;
  CHECK(grown(small, 9).nodes() == 82);  // the root has its children whatever is asked
  // Simulations and nodes together: the first that is reached.
  small.nodes = 1000;
  small.simulations = 5;
  CHECK(grown(small, 9).visits() == 5);
  // Trees share the nodes.
  small.nodes = 1001;
  small.simulations = 0;
  small.trees = 3;
  CHECK(grown(small, 9).nodes() <= 1001);
  CHECK(grown(small, 9).nodes() > 1001 - 3 * 80);
}

TEST_CASE("uct: a tree that holds the whole game ends the search") {
  auto settings = valued(0, CutValue::Path, 0);
  settings.nodes = 5000;
  MonteCarlo<coins::Position> search(settings);
  search.search(coins::Position::start({}));
  CHECK(search.nodes() == 1957);  // 1 + 6 + 30 + 120 + 360 + 720 + 720
  CHECK(search.visits() == 5000);
}

TEST_CASE("uct: robust-max goes on in a tree that may not grow") {
  auto settings = valued(0, CutValue::Evaluator, MonteCarloSettings::whole_game);
  settings.nodes = 10'000;
  settings.expand_after = 0;
  int longer = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    settings.seed = seed;
    settings.final_choice = FinalChoice::Robust;
    const auto robust = grown(settings, 7);
    settings.final_choice = FinalChoice::RobustMax;
    settings.extra_simulations = 160;
    const auto max = grown(settings, 7);
    CHECK(max.nodes() <= 10'000);
    CHECK(max.visits() >= robust.visits());
    CHECK(max.visits() <= robust.visits() + 160);
    longer += max.visits() > robust.visits();
  }
  CHECK(longer > 0);
}

TEST_CASE("uct: children at once change the number of nodes and nothing else") {
  for (const auto rule : {Selection::Ucb1, Selection::Ucb1Tuned}) {
    auto settings = valued(800, CutValue::Evaluator, 15);
    settings.selection = rule;
    settings.memory = 64 << 20;
    MonteCarlo<chess::Position> later(settings);
    settings.expand_after = 0;
    MonteCarlo<chess::Position> at_once(settings);
    const auto first = later.search(chess::Position::start({}));
    const auto second = at_once.search(chess::Position::start({}));
    CHECK(later.nodes() * 3 < 2 * at_once.nodes());
    for (std::size_t i = 0; i < first.root.size(); ++i) {
      CHECK(first.root[i].move == second.root[i].move);
      CHECK(first.root[i].visits == second.root[i].visits);
      CHECK(first.root[i].scores == second.root[i].scores);
    }
  }
}

TEST_CASE("uct: threads do not change what a budget of nodes gives") {
  auto settings = valued(0, CutValue::Evaluator, 15);
  settings.nodes = 20'000;
  settings.expand_after = 0;
  settings.trees = 3;
  const auto one = grown(settings, 9);
  settings.threads = 2;
  CHECK(grown(settings, 9).fingerprint() == one.fingerprint());
}

TEST_CASE("uct: settings that make no sense are refused") {
  auto settings = valued(10, CutValue::Path, 15);
  CHECK_THROWS_AS(MonteCarlo<gomoku::Position>{settings}, std::invalid_argument);
  settings.cut_value = CutValue::Evaluator;
  settings.nodes = -1;
  CHECK_THROWS_AS(MonteCarlo<gomoku::Position>{settings}, std::invalid_argument);
  settings.nodes = 0;
  settings.expand_after = -1;
  CHECK_THROWS_AS(MonteCarlo<gomoku::Position>{settings}, std::invalid_argument);
}

}  // namespace test_uct
