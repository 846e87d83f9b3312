// Monte-Carlo search guided by priors, and many games searched side by side.
#include <cmath>
#include <stdexcept>
#include <vector>

#include "doctest/doctest.h"
#include "monte_carlo_tests.h"

namespace test_monte_carlo_guided {

using namespace tempo;
using namespace tempo::monte_carlo_tests;

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

}  // namespace test_monte_carlo_guided
