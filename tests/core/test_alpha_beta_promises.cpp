// What alpha-beta promises: exact budgets, the same result again, a table that only saves work, and
// a search that works on after an evaluator threw.
#include <doctest/doctest.h>

#include "alpha_beta_tests.h"
#include "drawn.h"
#include "games/chess/evaluation.h"
#include "games/chess/rules.h"
#include "games/gomoku/evaluation.h"

namespace test_alpha_beta_promises {

using namespace tempo;
using namespace tempo::alpha_beta_tests;
using tempo::testing::drawn;
using Chess = chess::Position;
using Gomoku = gomoku::Position;

TEST_CASE("the budget of positions is never exceeded and the move is always legal") {
  Random random(seed);
  HashEvaluator<Gomoku, false> single;
  HashEvaluator<Gomoku, true> batch;
  for (std::int64_t positions = 1; positions < 3000; positions = positions * 3 / 2 + 1) {
    const Gomoku position = random_position(Gomoku::start({7, 0}), 10, random);
    AlphaBetaSettings settings;
    settings.positions = positions;
    const auto one =
        AlphaBeta<Gomoku, HashEvaluator<Gomoku, false>>(settings, single).search(position);
    CHECK(one.positions <= positions);
    CHECK(one.positions >= positions - 1);
    CHECK(position.is_legal(one.move));
    // Too small a budget to search one move leaves the evaluation of the root.
    if (one.positions > 1) check_line(position, one, single);
    const auto many =
        AlphaBeta<Gomoku, HashEvaluator<Gomoku, true>>(settings, batch).search(position);
    CHECK(many.positions <= positions);
    CHECK(position.is_legal(many.move));
  }
}

TEST_CASE("a search stopped within an iteration keeps a move that was searched") {
  // With all budgets tried in turn, each stop falls somewhere else; the move must be the best of
  // the last whole iteration or one that the broken one has found to be better.
  const Gomoku position = drawn({". . . . . . .", ". . o . . . .", ". . x x x . .", ". . . o . . .",
                                 ". . . . . . .", ". . . . . . .", ". . . . . . ."});
  gomoku::StaticEvaluator evaluator;
  AlphaBetaSettings settings;
  settings.depth = 3;
  const auto whole =
      AlphaBeta<Gomoku, gomoku::StaticEvaluator>(settings, evaluator).search(position);
  settings.depth = 0;
  for (std::int64_t positions = 100; positions < whole.positions; positions += 97) {
    settings.positions = positions;
    const auto part =
        AlphaBeta<Gomoku, gomoku::StaticEvaluator>(settings, evaluator).search(position);
    CHECK(part.depth <= 3);
    CHECK(part.root[0].move == part.move);
    CHECK(part.root[0].visits > 0);
  }
}

TEST_CASE("the same input and budget give the same result, whatever was searched before") {
  Random random(seed);
  gomoku::StaticEvaluator evaluator;
  AlphaBetaSettings settings;
  settings.positions = 5000;
  settings.table_bytes = 1 << 16;
  AlphaBeta<Gomoku, gomoku::StaticEvaluator> used(settings, evaluator);
  for (int i = 0; i < 70; ++i) {  // more searches than the table has ages
    const Gomoku position = random_position(Gomoku::start({9, 0}), 6 + i % 10, random);
    const auto again = used.search(position);
    if (i % 10 != 0) continue;
    const auto fresh =
        AlphaBeta<Gomoku, gomoku::StaticEvaluator>(settings, evaluator).search(position);
    CHECK(again.move == fresh.move);
    CHECK(again.scores == fresh.scores);
    CHECK(again.line == fresh.line);
    CHECK(again.positions == fresh.positions);
    CHECK(again.evaluations == fresh.evaluations);
    REQUIRE(again.root.size() == fresh.root.size());
    for (std::size_t k = 0; k < fresh.root.size(); ++k) {
      CHECK(again.root[k].move == fresh.root[k].move);
      CHECK(again.root[k].visits == fresh.root[k].visits);
    }
  }
}

TEST_CASE("the table saves work, and keeping it saves more") {
  Random random(seed);
  const Gomoku position = random_position(Gomoku::start({7, 0}), 8, random);
  gomoku::StaticEvaluator evaluator;
  AlphaBetaSettings settings;
  settings.depth = 4;
  settings.table_bytes = 0;
  const auto without =
      AlphaBeta<Gomoku, gomoku::StaticEvaluator>(settings, evaluator).search(position);
  settings.table_bytes = 1 << 22;
  settings.keep = true;
  AlphaBeta<Gomoku, gomoku::StaticEvaluator> search(settings, evaluator);
  const auto with = search.search(position);
  const auto second = search.search(position);
  CHECK(with.positions < without.positions);
  CHECK(second.positions < with.positions);
  CHECK(second.move == with.move);
  search.clear();
  CHECK(search.search(position).positions == with.positions);
}

TEST_CASE("children on the horizon are evaluated in one call") {
  HashEvaluator<Gomoku, true> evaluator;
  AlphaBetaSettings settings;
  settings.depth = 1;
  const auto result = AlphaBeta<Gomoku, HashEvaluator<Gomoku, true>>(settings, evaluator)
                          .search(Gomoku::start({9, 0}));
  CHECK(evaluator.calls == 1);
  CHECK(result.evaluations == 81);
  CHECK(result.positions == 82);
}

// An evaluator may be Python code, and fail.
struct Failing {
  static constexpr bool prefers_batches = true;
  int left = 0;
  void operator()(std::span<const Chess> positions, std::span<Scores> values) {
    if (left-- == 0) throw std::runtime_error("no answer");
    chess::StaticEvaluator()(positions, values);
  }
};

TEST_CASE("an evaluator that throws leaves a search that works") {
  AlphaBetaSettings settings;
  settings.depth = 3;
  Failing evaluator;
  AlphaBeta<Chess, Failing> search(settings, evaluator);
  for (const int calls : {0, 1, 7, 30}) {
    evaluator.left = calls;
    CHECK_THROWS_AS(search.search(Chess::start()), std::runtime_error);
  }
  evaluator.left = -1;
  const auto after_failure = search.search(Chess::start());
  const auto fresh = AlphaBeta<Chess, Failing>(settings, evaluator).search(Chess::start());
  CHECK(after_failure.line == fresh.line);
  CHECK(after_failure.positions == fresh.positions);
}

TEST_CASE("a finished game has scores and no move; no budget is an error") {
  const Gomoku position = drawn({"x x x x x", "o o o o .", ". . . . .", ". . . . .", ". . . . ."});
  gomoku::StaticEvaluator evaluator;
  using Search = AlphaBeta<Gomoku, gomoku::StaticEvaluator>;
  AlphaBetaSettings settings;
  settings.depth = 3;
  const SearchResult result = Search(settings, evaluator).search(position);
  CHECK(result.move == no_move);
  CHECK(result.scores == Scores{1, -1});
  CHECK_THROWS_AS(Search(AlphaBetaSettings{}, evaluator), std::invalid_argument);
}

TEST_CASE("the time budget stops a search") {
  gomoku::StaticEvaluator evaluator;
  AlphaBetaSettings settings;
  settings.seconds = 0.02;
  const auto result =
      AlphaBeta<Gomoku, gomoku::StaticEvaluator>(settings, evaluator).search(Gomoku::start({}));
  CHECK(result.seconds >= 0.02);
  CHECK(result.seconds < 2);  // generous: the machine may be busy
}

TEST_CASE("the table keeps deep entries and finds only what it stored") {
  TranspositionTable table(256);  // four buckets of four
  CHECK(table.bytes() == 256);
  TranspositionTable::Entry entry;
  const auto key = [](std::uint64_t i) { return i << 32; };
  table.next_search(true);
  for (std::uint64_t i = 0; i < 5; ++i) {
    table.store(key(i), static_cast<int>(i), Move{7}, static_cast<int>(i), Bound::Exact);
  }
  CHECK(!table.find(key(0), entry));  // the shallowest had to go
  for (std::uint64_t i = 1; i < 5; ++i) {
    REQUIRE(table.find(key(i), entry));
    CHECK(entry.value == static_cast<int>(i));
  }
  CHECK(!table.find(key(5), entry));
  table.store(key(4), -5, Move{8}, 2, Bound::Lower);  // shallower news about the same position
  REQUIRE(table.find(key(4), entry));
  CHECK(entry.depth == 4);
  table.next_search(false);
  CHECK(table.find(key(4), entry));
  table.next_search(true);
  CHECK(!table.find(key(4), entry));
  CHECK(!TranspositionTable(0).find(1, entry));
}

TEST_CASE("values order results as a player would") {
  CHECK(value_of_end(1, 3) > value_of_end(1, 5));
  CHECK(value_of_end(-1, 3) < value_of_end(-1, 5));
  CHECK(value_of_end(1, 100) > value_of_score(1));
  CHECK(value_of_end(0.5F, 9) == 500'000);
  CHECK(value_of_score(-0.25F) == -250'000);
  CHECK(value_of_score(7) == whole_score);
  CHECK(value_of_score(std::numeric_limits<float>::quiet_NaN()) == -whole_score);
  CHECK(value_from_root(value_from_here(won - 7, 3), 5) == won - 9);
  CHECK(score_of_value(value_of_score(0.125F)) == 0.125F);
}

}  // namespace test_alpha_beta_promises
