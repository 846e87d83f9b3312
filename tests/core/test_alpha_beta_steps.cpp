// What strong engines add to alpha-beta, each a step that can be switched off: budgets and
// determinism hold with all of them, in games of every kind; the table serves several threads.
#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <string>
#include <thread>

#include "alpha_beta_tests.h"
#include "games/chess/evaluation.h"
#include "games/chess/rules.h"
#include "games/gomoku/evaluation.h"
#include "games/jiu/rules.h"
#include "games/jiu/terms.h"
#include "games/shogi/strong.h"
#include "toy.h"

namespace test_alpha_beta_steps {

using namespace tempo;
using namespace tempo::alpha_beta_tests;
using Chess = chess::Position;
using Gomoku = gomoku::Position;
using Shogi = shogi::Searched<shogi::Full>;
using Toy = toy::Position;

AlphaBetaSettings with_all_steps() {
  AlphaBetaSettings settings;
  settings.steps = all_steps();
  settings.reduce = settings.null_move = settings.steep = true;
  settings.margin = 0.08;
  settings.table_bytes = 1 << 18;
  return settings;
}

template <Game P, class E>
void check_steps(const P& position, E& evaluator) {
  INFO(position.text());
  for (const bool keep : {false, true}) {
    AlphaBetaSettings settings = with_all_steps();
    settings.keep = keep;
    settings.positions = 3000;
    AlphaBeta<P, E> search(settings, evaluator);
    const SearchResult one = search.search(position);
    CHECK(one.positions <= 3000);
    CHECK(position.is_legal(one.move));
    after(position, one.line);  // legal to its end
    const SearchResult other = AlphaBeta<P, E>(settings, evaluator).search(position);
    CHECK(one.line == other.line);
    CHECK(one.scores == other.scores);
    CHECK(one.positions == other.positions);
    if (keep) continue;
    const SearchResult again = search.search(position);
    CHECK(one.line == again.line);
    CHECK(one.positions == again.positions);
  }
}

TEST_CASE("with every step, budgets are kept and the same search gives the same result") {
  INFO("seed " << seed);
  Random random(seed);
  for (int i = 0; i < 4; ++i) {
    chess::StaticEvaluator chess_evaluator;
    check_steps(random_position(Chess::start(), 8 * i, random), chess_evaluator);
    gomoku::StaticEvaluator gomoku_evaluator;
    check_steps(random_position(Gomoku::start({9, 0}), 6 + i, random), gomoku_evaluator);
    shogi::MateEvaluator<shogi::Full> shogi_evaluator({}, 1);
    check_steps(random_position(Shogi::start(), 20 * i, random), shogi_evaluator);
    HashEvaluator<Toy, false> toy_evaluator;
    check_steps(random_position(Toy::deal({}, random), 2 * i, random), toy_evaluator);
    jiu::Options options;
    options.half = 2;
    options.min_stones = 0;
    options.shape_check = 1;
    LinearEvaluator<jiu::Position> jiu_evaluator;
    check_steps(random_position(jiu::Position::start(options), 12 + 6 * i, random), jiu_evaluator);
  }
}

TEST_CASE("each step alone changes the search of shogi, or only its order") {
  INFO("seed " << seed);
  Random random(seed + 1);
  shogi::MateEvaluator<shogi::Full> evaluator({}, 1);
  AlphaBetaSettings plain;
  plain.reduce = plain.null_move = plain.steep = true;
  plain.margin = 0.08;
  plain.depth = 6;
  std::vector<Shogi> positions;
  for (int i = 0; i < 6; ++i) {
    positions.push_back(random_position(Shogi::start(), 30 + 9 * i, random));
  }
  const auto counts = [&](const AlphaBetaSettings& settings) {
    std::vector<std::int64_t> found;
    AlphaBeta<Shogi, shogi::MateEvaluator<shogi::Full>> search(settings, evaluator);
    for (const Shogi& position : positions) {
      const SearchResult result = search.search(position);
      found.push_back(result.positions);
      found.push_back(result.evaluations);
    }
    return found;
  };
  const auto before = counts(plain);
  CHECK(counts(plain) == before);
  for (const StepName& step : step_names) {
    INFO(std::string(step.name));
    AlphaBetaSettings settings = plain;
    settings.steps.*step.step = std::min(step.usual, 100);
    if (step.step == &AlphaBetaSteps::verify) settings.steps.verify = 4;
    if (step.step == &AlphaBetaSteps::internal) settings.steps.internal = 2;
    if (step.step == &AlphaBetaSteps::late_base) settings.steps.late = 30;
    // One needs a table that is kept, the other turns of several moves.
    const bool idle = step.step == &AlphaBetaSteps::ageing || step.step == &AlphaBetaSteps::follow;
    CHECK((counts(settings) != before) == !idle);
  }
}

TEST_CASE("shogi foresees which moves give check") {
  INFO("seed " << seed);
  Random random(seed);
  int checks = 0;
  for (int i = 0; i < 300; ++i) {
    const Shogi position = random_position(Shogi::start(), 10 + i % 120, random);
    const auto test = position.check_test();
    Shogi::Moves moves;
    position.legal_moves(moves);
    for (const Move move : moves) {
      Shogi child = position;
      child.play(move);
      REQUIRE(test.gives_check(move) == child.in_check());
      checks += child.in_check() ? 1 : 0;
    }
  }
  CHECK(checks > 300);
}

TEST_CASE("several threads stay within their budget, find mates and pass errors on") {
  const auto mate = Chess::parse("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
  HashEvaluator<Chess, false> evaluator;
  AlphaBetaSettings settings = with_all_steps();
  settings.threads = 4;
  settings.depth = 5;
  using Search = AlphaBeta<Chess, HashEvaluator<Chess, false>>;
  for (int i = 0; i < 5; ++i) {
    const SearchResult result = Search(settings, evaluator).search(mate);
    CHECK(mate.move_text(result.move) == "a1a8");
    CHECK(result.scores[0] == 1);
  }
  settings.depth = 0;
  settings.positions = 4001;
  const SearchResult result = Search(settings, evaluator).search(Chess::start());
  CHECK(result.positions <= 4001);
  CHECK(result.positions >= 1000);
  CHECK_THROWS_AS((AlphaBeta<Chess, chess::StaticEvaluator>(settings, *new chess::StaticEvaluator)),
                  std::invalid_argument);

  struct Failing : HashEvaluator<Chess, false> {
    [[nodiscard]] Failing fork() const { return *this; }
    void operator()(std::span<const Chess>, std::span<Scores>) {
      throw std::runtime_error("no answer");
    }
  } failing;
  AlphaBeta<Chess, Failing> search(settings, failing);
  CHECK_THROWS_AS(search.search(Chess::start()), std::runtime_error);
  CHECK_THROWS_AS(search.search(Chess::start()), std::runtime_error);
}

TEST_CASE("a table shared by threads never mixes up two positions") {
  TranspositionTable table(1 << 10);  // sixteen buckets: everybody writes everywhere
  table.next_search(true);
  std::atomic<int> wrong = 0;
  std::atomic<int> found = 0;
  const auto value_of = [](std::uint64_t key) { return static_cast<int>(key >> 44) - (1 << 19); };
  const auto work = [&](std::uint64_t own) {
    Random random(own);
    TranspositionTable::Entry entry;
    for (int i = 0; i < 20000; ++i) {
      const std::uint64_t key = split_mix(random.below(512));
      const int value = value_of(key);
      if (table.find(key, entry)) {
        ++found;
        if (entry.value != value || entry.stand != -value ||
            index(entry.move) != static_cast<int>(key & 0xFFF) ||
            entry.depth != static_cast<int>(key % 100)) {
          ++wrong;
        }
      }
      table.store(key, value, Move{static_cast<std::uint16_t>(key & 0xFFF)},
                  static_cast<int>(key % 100), Bound::Exact, -value);
    }
  };
  std::thread other(work, 1);
  work(2);
  other.join();
  CHECK(wrong == 0);
  CHECK(found > 1000);
}

TEST_CASE("the table keeps every field, at its limits too") {
  TranspositionTable table(1 << 16);
  table.next_search(false, true);
  TranspositionTable::Entry entry;
  Random random(seed);
  for (const std::int32_t value : {-infinite, -won, -1, 0, 1, won, infinite}) {
    for (const std::int32_t stand :
         {-whole_score, -1, 0, whole_score, TranspositionTable::no_stand}) {
      for (const int depth : {0, 1, 3, 4, 100, 127}) {
        const std::uint64_t key = random.next();
        const Move move{static_cast<std::uint16_t>(random.below(65536))};
        table.store(key, value, move, depth, Bound::Upper, stand);
        REQUIRE(table.find(key, entry));
        CHECK(entry.value == value);
        CHECK(entry.stand == stand);
        CHECK(entry.move == move);
        CHECK(entry.depth == depth);
        CHECK(entry.bound == Bound::Upper);
      }
    }
  }
}

TEST_CASE("a table that ages forgets the oldest first and is never cleared") {
  TranspositionTable table(64);  // one bucket of four
  TranspositionTable::Entry entry;
  const auto key = [](std::uint64_t i) { return (i + 1) << 32; };
  for (std::uint64_t i = 0; i < 200; ++i) {
    table.next_search(false, true);
    table.store(key(i), 0, Move{1}, 5, Bound::Exact);
    for (std::uint64_t back = 0; back < 4 && back <= i; ++back)
      CHECK(table.find(key(i - back), entry));
    if (i >= 4) CHECK(!table.find(key(i - 4), entry));
  }
  table.store(key(999), 0, Move{1}, 60, Bound::Exact);  // deep ones stay longer
  for (std::uint64_t i = 0; i < 4; ++i) {
    table.next_search(false, true);
    table.store(key(300 + i), 0, Move{1}, 5, Bound::Exact);
  }
  CHECK(table.find(key(999), entry));
}

TEST_CASE("logarithms of whole numbers") {
  for (int n = 1; n < 256; ++n) {
    CHECK(std::abs(logs_1024[static_cast<std::size_t>(n)] - 1024 * std::log(n)) < 1.5);
  }
}

TEST_CASE("time of the thread, and iterations that are not begun") {
  gomoku::StaticEvaluator evaluator;
  AlphaBetaSettings settings;
  settings.seconds = 0.03;
  settings.thread_time = true;
  AlphaBeta<Gomoku, gomoku::StaticEvaluator> search(settings, evaluator);
  const double before = thread_seconds();
  const SearchResult result = search.search(Gomoku::start({}));
  const double spent = thread_seconds() - before;
  CHECK(spent >= 0.03);
  CHECK(spent < 0.2);
  CHECK(result.seconds == doctest::Approx(spent).epsilon(0.5));
  search.limit(0, 20, 0.01, 0);
  CHECK(search.search(Gomoku::start({})).seconds < 15);
}

}  // namespace test_alpha_beta_steps
