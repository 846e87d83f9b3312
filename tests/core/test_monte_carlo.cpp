// Monte-Carlo tree search: formulas by hand, known positions, and the promises of its settings.
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "games/chess/rules.h"
#include "games/gomoku/rules.h"
#include "search/monte_carlo.h"
#include "toy.h"

using namespace tempo;

namespace {

constexpr std::uint64_t seed = 11;

// A gomoku position drawn as a board, top row first; whose turn it is follows from the stones.
gomoku::Position drawn(std::initializer_list<std::string_view> rows) {
  std::string text;
  int stones = 0;
  for (const auto row : rows) {
    if (!text.empty()) text += '/';
    int run = 0;
    for (const char c : row) {
      if (c == ' ') continue;
      if (c == '.') {
        ++run;
        continue;
      }
      if (run > 0) text += std::to_string(run);
      run = 0;
      text += c;
      ++stones;
    }
    if (run > 0) text += std::to_string(run);
  }
  const auto size = static_cast<std::int16_t>(rows.size());
  return gomoku::Position::parse(text + (stones % 2 == 0 ? " x" : " o"), {.size = size});
}

gomoku::Position gomoku_start(int size) {
  return gomoku::Position::start({.size = static_cast<std::int16_t>(size)});
}

// Stands in for a network: values and priors are a hash of the position, in eighths and sixteenths
// so that sums are exact.
template <Game P, bool Batches = false>
struct HashEvaluator {
  static constexpr bool prefers_batches = Batches;
  static constexpr bool has_policy = true;
  void operator()(std::span<const P> positions, std::span<Scores> values) const {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const auto bits = split_mix(positions[i].key()) >> 60;
      values[i] = team_scores<P>(static_cast<float>(bits) / 8.0F - 1.0F);
    }
  }
  void operator()(std::span<const P> positions, std::span<Scores> values, const MoveRows& rows,
                  std::span<float> priors) const {
    (*this)(positions, values);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t k = rows.offsets[i]; k < rows.offsets[i + 1]; ++k) {
        const auto move = static_cast<std::uint64_t>(rows.moves[k]);
        priors[k] = static_cast<float>(split_mix(positions[i].key() ^ move) >> 60) + 1.0F;
      }
    }
  }
};
static_assert(PolicyEvaluator<HashEvaluator<toy::Position>, toy::Position>);
static_assert(!PolicyEvaluator<NoEvaluator<toy::Position>, toy::Position>);

// Likes one move number and thinks every position even.
struct OneMoveEvaluator {
  static constexpr bool prefers_batches = false;
  static constexpr bool has_policy = true;
  Move liked = no_move;
  float much = 0.9F;
  void operator()(std::span<const gomoku::Position>, std::span<Scores> values) const {
    for (auto& value : values) value = {};
  }
  void operator()(std::span<const gomoku::Position> positions, std::span<Scores> values,
                  const MoveRows& rows, std::span<float> priors) const {
    (*this)(positions, values);
    const float rest = (1 - much) / static_cast<float>(rows.moves.size() - 1);
    for (std::size_t k = 0; k < rows.moves.size(); ++k)
      priors[k] = rows.moves[k] == liked ? much : rest;
  }
};

// Does not answer every fiftieth question.
struct FailingEvaluator {
  static constexpr bool prefers_batches = false;
  int* calls;
  void operator()(std::span<const chess::Position>, std::span<Scores> values) const {
    if (++*calls % 50 == 0) throw std::runtime_error("no answer");
    for (auto& value : values) value = {};
  }
};

std::int64_t sum_of_visits(const SearchResult& result) {
  std::int64_t sum = 0;
  for (const auto& move : result.root) sum += move.visits;
  return sum;
}

template <Game P, class E = NoEvaluator<P>>
SearchResult search(const P& position, const MonteCarloSettings& settings, E evaluator = {}) {
  return MonteCarlo<P, E>(settings, evaluator).search(position);
}

MonteCarloSettings settings_of(std::int64_t simulations) {
  MonteCarloSettings settings;
  settings.simulations = simulations;
  settings.seed = seed;
  settings.memory = 64 << 20;
  return settings;
}

MonteCarloSettings guided(std::int64_t simulations) {
  MonteCarloSettings settings = settings_of(simulations);
  settings.selection = Selection::Puct;
  settings.exploration = 1.25;
  settings.rollout_moves = 0;
  return settings;
}

}  // namespace

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
  MonteCarloDescent<gomoku::Position> descent(settings_of(0), 0, 8 << 20);
  descent.start(gomoku_start(6), {});
  for (int i = 0; i < 3000; ++i) descent.back_up(descent.descend().value());
  const auto& edge = descent.tree().edges(descent.root())[7];
  const auto expected = descent.tree().fingerprint(edge.child);
  const std::size_t before = descent.tree().bytes();
  descent.advance(edge.move);
  CHECK(descent.tree().fingerprint() == expected);
  CHECK(descent.tree().bytes() < before / 10);
  for (int i = 0; i < 500; ++i) descent.back_up(descent.descend().value());
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

TEST_CASE("monte carlo: first-play urgency leaves moves untried") {
  const auto position = gomoku_start(9);
  auto settings = settings_of(81);
  settings.rollout_moves = 0;
  settings.exploration = 0.1;
  const auto tried = [&](const SearchResult& result) {
    int moves = 0;
    for (const auto& move : result.root) moves += move.visits > 0;
    return moves;
  };
  CHECK(tried(search(position, settings)) == 81);
  settings.first_play = 0.4;  // an even position counts for more
  CHECK(tried(search(position, settings)) == 1);
  settings.first_play = 1e9;
  CHECK(tried(search(position, settings)) == 81);
}

TEST_CASE("monte carlo: priors guide") {
  const auto position = gomoku_start(9);
  const Move liked = position.parse_move("c7");
  const auto result = search(position, guided(100), OneMoveEvaluator{liked});
  CHECK(result.move == liked);
  CHECK(result.root[0].visits >= 90);
  // Even values, priors 0.6 to one move and 0.4 shared by 80: after n visits of the liked move it
  // is worth 1.25 * 0.6 * sqrt(N) / (1 + n) and an untried one 1.25 * 0.005 * sqrt(N), so n reaches
  // 119.
  const auto longer = search(position, guided(121), OneMoveEvaluator{liked, 0.6F});
  CHECK(longer.root[0].visits == 119);
  CHECK(longer.root[1].visits == 1);
  CHECK(longer.root[2].visits == 0);
}

TEST_CASE("monte carlo: noise at the root follows the seed") {
  const auto position = gomoku_start(9);
  auto settings = guided(300);
  const auto run = [&] {
    MonteCarlo<gomoku::Position, OneMoveEvaluator> search(
        settings, OneMoveEvaluator{position.parse_move("c7")});
    search.search(position);
    return search.fingerprint();
  };
  const auto plain = run();
  settings.seed = seed + 1;
  CHECK(run() == plain);  // nothing random without noise and rollouts
  settings.noise_fraction = 0.25;
  const auto noisy = run();
  CHECK(noisy != plain);
  CHECK(run() == noisy);
  settings.seed = seed + 2;
  CHECK(run() != noisy);
}

TEST_CASE("monte carlo: gamma draws have their mean and variance") {
  for (const double alpha : {0.3, 1.0, 4.0}) {
    Random random(seed);
    double sum = 0;
    double squares = 0;
    constexpr int draws = 40000;
    for (int i = 0; i < draws; ++i) {
      const double x = draw_gamma(alpha, random);
      sum += x;
      squares += x * x;
    }
    const double mean = sum / draws;
    CHECK(mean == doctest::Approx(alpha).epsilon(0.03));
    CHECK(squares / draws - mean * mean == doctest::Approx(alpha).epsilon(0.08));
  }
}

// North chooses a token, then north challenges, then east chooses: by the third level the choice
// turns from what is best for north to what is best for east.
TEST_CASE("monte carlo: a tree for eyes") {
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

TEST_CASE("monte carlo: leaves gathered over trees change nothing") {
  const auto position = gomoku_start(7);
  for (auto settings : {guided(200), settings_of(200)}) {
    settings.trees = 3;
    if (settings.selection == Selection::Ucb1) settings.rollout_moves = 2;
    MonteCarlo<gomoku::Position, HashEvaluator<gomoku::Position, false>> alone(settings);
    MonteCarlo<gomoku::Position, HashEvaluator<gomoku::Position, true>> together(settings);
    const auto first = alone.search(position);
    const auto second = together.search(position);
    CHECK(alone.fingerprint() == together.fingerprint());
    CHECK(first.move == second.move);
    CHECK(first.evaluations == second.evaluations);
  }
}

TEST_CASE("many: equals searching each game alone, whatever the threads") {
  using P = gomoku::Position;
  constexpr int games = 20;
  std::vector<P> positions;
  for (std::uint64_t i = 0; i < games; ++i) {  // some near their end, some over
    Random random(seed, i);
    positions.push_back(gomoku_start(5));
    for (std::uint64_t n = 0; n < i && !positions[i].outcome(); ++n)
      positions[i].play(random_move(positions[i], random));
  }
  HashEvaluator<P> hash;
  auto settings = guided(60);
  settings.noise_fraction = 0.25;
  for (const int threads : {1, 3}) {
    settings.threads = threads;
    ManySearch<P> many(settings, games);
    auto now = positions;
    std::vector<MonteCarlo<P, HashEvaluator<P>>> alone;
    for (std::uint64_t i = 0; i < games; ++i) {
      auto one = settings;
      one.threads = 1;
      one.stream = i;
      one.memory = 4 << 20;
      alone.emplace_back(one);
    }
    for (int turn = 0; turn < 2; ++turn) {  // the second one on reused trees
      many.begin(now);
      while (!many.gather().empty()) {
        std::vector<Scores> values(many.leaves().size());
        std::vector<float> priors(many.rows().moves.size());
        CHECK(many.owners().size() == values.size());
        hash(many.leaves(), values, many.rows(), priors);
        many.apply(values, priors);
      }
      for (std::size_t i = 0; i < games; ++i) {
        CAPTURE(i);
        const auto expected = alone[i].search(now[i]);
        const auto result = many.result(static_cast<int>(i));
        CHECK(result.move == expected.move);
        CHECK(result.scores == expected.scores);
        CHECK(many.fingerprint(static_cast<int>(i)) == alone[i].tree_fingerprint(0));
        if (result.move == no_move) continue;
        many.advance(static_cast<int>(i), result.move);
        alone[i].advance(result.move);
        now[i].play(result.move);
      }
    }
  }
}

TEST_CASE("many: refuses arrays of the wrong length") {
  ManySearch<toy::Position> many(guided(5), 2);
  const std::vector<toy::Position> positions(2, toy::Position::start({}));
  CHECK_THROWS_AS(many.begin({positions.data(), 1}), std::invalid_argument);
  many.begin(positions);
  REQUIRE(many.gather().size() == 2);
  const std::vector<Scores> values(3);
  CHECK_THROWS_AS(many.apply(values), std::invalid_argument);
  CHECK_THROWS_AS(many.apply({values.data(), 2}, std::vector<float>(5)), std::invalid_argument);
  many.apply({values.data(), 2}, std::vector<float>(6));
}

TEST_CASE("many: logits become priors over the legal moves") {
  const std::vector<Move> moves{Move{0}, Move{2}, Move{1}};
  const std::vector<std::uint32_t> offsets{0, 2, 3};
  const std::vector<float> logits{0.0F, 50.0F, std::log(3.0F), 9.0F, 7.0F, 9.0F};
  std::vector<float> priors(3);
  priors_from_logits({moves, offsets}, logits, 3, priors);
  CHECK(priors[0] == doctest::Approx(0.25));
  CHECK(priors[1] == doctest::Approx(0.75));
  CHECK(priors[2] == doctest::Approx(1.0));
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
