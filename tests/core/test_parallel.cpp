// Worker threads and batches: the same results whatever the number of threads, errors included.
#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "games/chess/features.h"
#include "games/chess/rules.h"
#include "games/gomoku/features.h"
#include "games/gomoku/rules.h"
#include "parallel/batch.h"
#include "parallel/pool.h"
#include "toy_features.h"

namespace test_parallel {

using namespace tempo;

TEST_CASE("threads share out every index exactly once") {
  for (const int threads : {1, 2, 5}) {
    Pool pool(threads);
    CHECK(pool.threads() == threads);
    for (const std::int64_t count : {0, 1, 15, 16, 17, 1000}) {
      std::vector<std::atomic<int>> seen(static_cast<std::size_t>(count));
      pool.run(count, [&](std::int64_t i) { ++seen[static_cast<std::size_t>(i)]; });
      for (const auto& times : seen) CHECK(times == 1);
    }
  }
}

TEST_CASE("threads report the error of the lowest chunk and go on working") {
  Pool pool(4);
  for (int round = 0; round < 50; ++round) {
    const auto fail = [](std::int64_t i) {
      if (i == 40 || i == 700) throw std::runtime_error(std::to_string(i));
    };
    CHECK_THROWS_WITH_AS(pool.run(1000, fail), "40", std::runtime_error);
    std::atomic<int> calls = 0;
    pool.run(100, [&](std::int64_t) { ++calls; });
    CHECK(calls == 100);
  }
}

// Everything that a batch shows of itself after random play.
template <class P>
std::vector<std::uint64_t> played(int games, int threads, std::uint64_t seed) {
  Batch<P> batch(P::start({}), games, seed, threads, true);
  const std::int64_t moves = batch.playout(0);
  std::vector<std::uint64_t> shown = {static_cast<std::uint64_t>(moves)};
  for (int i = 0; i < games; ++i) {
    REQUIRE(batch.outcome(i));
    shown.push_back(batch.position(i).key());
    shown.push_back(static_cast<std::uint64_t>(batch.length(i)));
    for (const std::uint64_t word : batch.random(i).state()) shown.push_back(word);
  }
  return shown;
}

TEST_CASE("threads do not change the games of a batch") {
  CHECK(played<gomoku::Position>(100, 1, 3) == played<gomoku::Position>(100, 3, 3));
  CHECK(played<chess::Position>(40, 1, 3) == played<chess::Position>(40, 3, 3));
  CHECK(played<toy::Position>(100, 1, 3) == played<toy::Position>(100, 3, 3));
  CHECK(played<gomoku::Position>(100, 2, 3) != played<gomoku::Position>(100, 2, 4));
}

TEST_CASE("threads write features and masks where they belong") {
  constexpr int games = 50;
  Batch<gomoku::Position> one(gomoku::Position::start({9, 0}), games, 5, 1, false);
  Batch<gomoku::Position> many(gomoku::Position::start({9, 0}), games, 5, 4, false);
  one.playout(7);
  many.playout(7);
  const auto cells = static_cast<std::size_t>(games * 3 * 81);
  std::vector<float> first(cells, -1.0F);
  std::vector<float> second(cells, -2.0F);
  one.features(first.data());
  many.features(second.data());
  CHECK(first == second);
  std::vector<std::uint8_t> masks(games * 81, 7);
  many.legal_mask(masks.data());
  for (int i = 0; i < games; ++i) {
    int legal = 0;
    for (int p = 0; p < 81; ++p) legal += masks[static_cast<std::size_t>(81 * i + p)];
    CHECK(legal == many.position(i).count_moves());
  }
}

TEST_CASE("one illegal move stops the whole step, with threads too") {
  Batch<gomoku::Position> batch(gomoku::Position::start({}), 64, 1, 4, false);
  std::vector<std::int32_t> moves(64, 0);
  batch.play(moves);
  std::vector<std::int32_t> next(64, 1);
  next[50] = 0;  // occupied
  next[60] = 500;
  CHECK_THROWS_WITH_AS(batch.play(next), "game 50: a1 is occupied (gomoku, move 2)", IllegalMove);
  for (int i = 0; i < 64; ++i) CHECK(batch.length(i) == 1);
}

}  // namespace test_parallel
