// Monte-Carlo tree search: formulas by hand, known positions, budgets and refused settings.
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "drawn.h"
#include "monte_carlo_tests.h"

namespace test_monte_carlo {

using namespace tempo;
using namespace tempo::monte_carlo_tests;
using tempo::testing::drawn;

TEST_CASE("monte carlo: formulas worked by hand") {
  const auto spread = [](double n) { return 1 / std::sqrt(n); };
  const auto root_log = [](std::uint64_t t) { return std::sqrt(natural_log(t)); };
  // 6 wins of 10 among 100 visits: 0.6 + 1.4 sqrt(4.60517 / 10)
  CHECK(ucb1(0.6, spread(10), root_log(100), 1.4) == doctest::Approx(1.55005).epsilon(1e-5));
  // Variance 0.24; 0.24 + sqrt(0.92103) is above 1/4, so 0.6 + sqrt(0.460517 / 4).
  CHECK(ucb1_tuned(0.6, 0.24, spread(10), root_log(100)) == doctest::Approx(0.93931).epsilon(1e-5));
  // Variance 0 and 4000 of 4100 visits: 0.5 + sqrt(0.0020797 * sqrt(0.0041594)).
  CHECK(ucb1_tuned(0.5, 0, spread(4000), root_log(4100)) ==
        doctest::Approx(0.511582).epsilon(1e-5));
  // 0.5 + 1.25 * 0.2 * 10 / 5
  CHECK(puct(0.5, 0.2, 4, std::sqrt(100.0), 1.25) == doctest::Approx(1.0));
  CHECK(secure(0.75, 16, 2) == doctest::Approx(0.25));
  CHECK(reward_of(-1) == 0.0);
  CHECK(reward_of(0.5) == 0.75);
  for (const std::uint64_t n : {1ULL, 2ULL, 3ULL, 5ULL, 7ULL, 1000ULL, 123456789ULL, 1ULL << 40})
    CHECK(natural_log(n) == doctest::Approx(std::log(static_cast<double>(n))).epsilon(1e-14));
}

TEST_CASE("monte carlo: final choices") {
  const Seat first{0};
  const std::vector<RootMove> root = {{Move{1}, 100, {0.2F, -0.2F}},
                                      {Move{2}, 1, {0.9F, -0.9F}},
                                      {Move{3}, 0, {}},
                                      {Move{4}, 64, {0.3F, -0.3F}},
                                      {Move{5}, 100, {0.1F, -0.1F}}};
  const auto chosen = [&](FinalChoice rule, double security) {
    auto ranked = root;
    rank_root(ranked, first, rule, security);
    CHECK(ranked.back().move == Move{3});
    return index(ranked.front().move);
  };
  CHECK(chosen(FinalChoice::Max, 0) == 2);
  CHECK(chosen(FinalChoice::Robust, 0) == 1);
  CHECK(chosen(FinalChoice::RobustMax, 0) == 1);
  CHECK(chosen(FinalChoice::Secure, 1) == 4);  // 0.5, -0.05, 0.525, 0.45
  CHECK(chosen(FinalChoice::Secure, 4) == 1);  // 0.2, -3.05, 0.15, 0.15
  CHECK_FALSE(is_robust_max(root, first));
  CHECK_FALSE(is_robust_max({root[0], root[3]}, first));
  CHECK(is_robust_max({root[0], root[3]}, Seat{1}));
}

TEST_CASE("monte carlo: wins in one") {
  const auto position = drawn({". . . . . . .",  //
                               ". o . . o . .",  //
                               ". . . . . . .",  //
                               ". x x x x o .",  //
                               ". . . . . . .",  //
                               ". . . o . . .",  //
                               ". . . . . . ."});
  for (const auto rule : {Selection::Ucb1, Selection::Ucb1Tuned, Selection::Puct}) {
    auto settings = settings_of(1000);
    settings.selection = rule;
    const auto result = search(position, settings);
    CHECK(position.move_text(result.move) == "a4");
    CHECK(result.scores[0] == 1.0F);
    CHECK(result.scores[1] == -1.0F);
    CHECK(result.line == std::vector<Move>{result.move});
  }
}

TEST_CASE("monte carlo: blocks a loss in one, for either seat") {
  const auto black = drawn({". . . . . . .",  //
                            ". . x . . . .",  //
                            ". x . . . . .",  //
                            "x o o o o . .",  //
                            ". . . . . . .",  //
                            ". . . x . . .",  //
                            ". . . . . . ."});
  const auto white = drawn({". . . . x . .",  //
                            ". . . . x . .",  //
                            ". . . . x . .",  //
                            ". . . . x . .",  //
                            ". . . . . . .",  //
                            ". o . o . o .",  //
                            ". . . . . . ."});
  for (const auto rule : {Selection::Ucb1, Selection::Ucb1Tuned}) {
    auto settings = settings_of(4000);
    settings.selection = rule;
    CHECK(black.move_text(search(black, settings).move) == "f4");
    CHECK(white.move_text(search(white, settings).move) == "e3");
  }
}

// North holds a 1 and a 2 against west's 2. Choosing the 2 and challenging wins; choosing the 1
// throws it away. Both moves are north's, so a search that takes the other side's view of every
// second ply prefers to choose the 1.
TEST_CASE("monte carlo: a turn of several moves belongs to one seat") {
  const auto position =
      toy::Position::parse("12/1xn22xs2/1xe22xe2/1xn22 n -", toy::Options{.tokens = 2});
  for (const auto rule : {Selection::Ucb1, Selection::Ucb1Tuned, Selection::Puct}) {
    auto settings = settings_of(400);
    settings.selection = rule;
    const auto result = search(position, settings);
    CHECK(position.move_text(result.move) == "2");
    CHECK(result.scores[0] > 0.9F);
    CHECK(result.scores[0] == result.scores[2]);
    CHECK(result.scores[1] == -result.scores[0]);
    REQUIRE(result.line.size() == 2);
    CHECK(position.move_text(result.line[1]) == "xw2");
  }
}

TEST_CASE("monte carlo: finds what brute force finds, four seats and turns of two moves") {
  const toy::Options options{.tokens = 2};
  toy::Solved solved;
  int decided = 0;
  for (std::uint64_t game = 0; game < 30; ++game) {
    CAPTURE(game);
    Random random(seed, game);
    auto position = toy::Position::deal(options, random);
    for (int i = 0; i < 4; ++i) position.play(random_move(position, random));
    if (position.outcome()) continue;
    const float value = toy::solve(position, solved);
    const auto result = search(position, settings_of(3000));
    auto next = position;
    next.play(result.move);
    CHECK(toy::solve(next, solved) == value);
    decided += value != 0;
  }
  CHECK(decided >= 5);
}

TEST_CASE("monte carlo: simulations are counted exactly") {
  const auto position = gomoku_start(7);
  for (const std::int64_t n : {1, 2, 48, 49, 50, 500}) {
    const auto result = search(position, settings_of(n));
    CHECK(sum_of_visits(result) == n);
    CHECK(result.root.size() == 49);
    CHECK(result.evaluations == 0);
    CHECK(result.move != no_move);
  }
  // The first guided simulation evaluates the root itself.
  const auto result = search(position, guided(200), HashEvaluator<gomoku::Position>{});
  CHECK(sum_of_visits(result) == 199);
  CHECK(result.evaluations == 200);
}

TEST_CASE("monte carlo: rollouts cut off ask the evaluator") {
  const auto position = gomoku_start(9);
  using Hash = HashEvaluator<gomoku::Position>;
  for (const int moves : {0, 1, 6}) {
    auto settings = settings_of(300);
    settings.rollout_moves = moves;
    const auto result = search(position, settings, Hash{});
    CHECK(result.evaluations == 300);  // nobody can have five stones so soon
    CHECK(result.positions >= 300 * (1 + moves));
    CHECK(result.positions <= 300 * (4 + moves));
  }
  // Without an evaluator a cut-off game counts as even.
  auto settings = settings_of(300);
  settings.rollout_moves = 2;
  for (const auto& move : search(position, settings).root) CHECK(move.scores == Scores{});
}

TEST_CASE("monte carlo: a finished game has no move") {
  auto position = drawn({"x x x x x",  //
                         "o o o o .",  //
                         ". . . . .",  //
                         ". . . . .",  //
                         ". . . . ."});
  const auto result = search(position, settings_of(10));
  CHECK(result.move == no_move);
  CHECK(result.scores == Scores{1, -1});
  CHECK(result.root.empty());
}

TEST_CASE("monte carlo: settings that make no sense are refused") {
  CHECK_THROWS_AS(MonteCarlo<toy::Position>{settings_of(0)}, std::invalid_argument);
  CHECK_THROWS_AS(MonteCarlo<toy::Position>{settings_of(-1)}, std::invalid_argument);
  auto settings = settings_of(1);
  settings.trees = 0;
  CHECK_THROWS_AS(MonteCarlo<toy::Position>{settings}, std::invalid_argument);
}

TEST_CASE("monte carlo: stops in time") {
  auto settings = settings_of(0);
  settings.seconds = 0.05;
  const auto result = search(gomoku_start(9), settings);
  CHECK(sum_of_visits(result) > 0);
  CHECK(result.seconds < 5.0);
}

TEST_CASE("monte carlo: robust-max goes on within its bound") {
  const auto position = gomoku_start(7);
  auto settings = settings_of(200);
  settings.final_choice = FinalChoice::RobustMax;
  int longer = 0;
  for (std::uint64_t s = 0; s < 20; ++s) {
    CAPTURE(s);
    settings.seed = s;
    settings.extra_simulations = 0;
    MonteCarlo<gomoku::Position> brief(settings);
    const bool settled = is_robust_max(brief.search(position).root, position.turn());
    CHECK(brief.visits() == 200);
    settings.extra_simulations = 400;
    MonteCarlo<gomoku::Position> search(settings);
    const auto result = search.search(position);
    CHECK((search.visits() == 200) == settled);
    CHECK(search.visits() <= 600);
    if (search.visits() < 600) CHECK(is_robust_max(result.root, position.turn()));
    longer += !settled;
  }
  CHECK(longer > 0);
}

}  // namespace test_monte_carlo
