// Ending work early: Stops, deadlines and signals reach every loop, and what is left can be used.
#include "stop.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <thread>

#include "games/chess/features.h"
#include "games/chess/rules.h"
#include "games/gomoku/features.h"
#include "games/gomoku/rules.h"
#include "parallel/batch.h"
#include "parallel/pool.h"
#include "search/alpha_beta.h"
#include "search/monte_carlo.h"
#include "search/perft.h"

namespace test_stop {

using namespace tempo;
using Chess = chess::Position;
using std::chrono::milliseconds;

double seconds_since(StopClock::time_point begun) {
  return std::chrono::duration<double>(StopClock::now() - begun).count();
}

// Sets a Stop from another thread while `work` obeys it; how long the work went on after that.
template <class Work>
double overrun(const Work& work) {
  Stop stop;
  std::atomic<StopClock::time_point> set_at{};
  std::thread other([&] {
    std::this_thread::sleep_for(milliseconds(30));
    set_at = StopClock::now();
    stop.set();
  });
  {
    const StopScope scope(stop);
    work();
  }
  const double spent = seconds_since(set_at.load());
  other.join();
  return spent;
}
constexpr double at_once = 0.25;  // 50 ms is meant; other processes may take the processor

TEST_CASE("a Stop is set by any thread, or by its deadline") {
  Stop stop;
  CHECK_FALSE(stop.is_set());
  stop.set();
  CHECK(stop.is_set());
  CHECK_FALSE(Stop(deadline_after(100)).is_set());
  CHECK(Stop(deadline_after(0)).is_set());
}

TEST_CASE("a thread obeys every Stop that it has entered, in whatever order they are left") {
  CHECK_FALSE(should_stop());
  Stop outer;
  Stop inner;
  auto first = std::make_unique<StopScope>(outer);
  auto second = std::make_unique<StopScope>(inner);
  inner.set();
  CHECK(should_stop());
  CHECK_THROWS_AS(throw_if_stopped(), Stopped);
  outer.set();
  first.reset();
  CHECK(should_stop());
  second.reset();
  CHECK_FALSE(should_stop());
  CHECK(StopScope::current() == nullptr);
}

TEST_CASE("other threads do not obey, unless they work for one that does") {
  Stop stop;
  stop.set();
  const StopScope scope(stop);
  bool alone = true;
  bool working = false;
  std::thread([&, caller = StopScope::current()] {
    alone = should_stop();
    const StopInherited obeys(caller);
    working = should_stop();
  }).join();
  CHECK_FALSE(alone);
  CHECK(working);
}

TEST_CASE("a poll looks rarely where steps are quick, and often where they are slow") {
  StopPoll quick;
  int looks = 0;
  for (int i = 0; i < 100000; ++i) {
    if (quick(1)) ++looks;
  }
  CHECK(looks == 0);
  quick.limit(1e-9);
  CHECK(quick());  // at once: a time budget begins with a look

  Stop stop;
  const StopScope scope(stop);
  StopPoll slow;
  for (int i = 0; i < 20; ++i) {
    CHECK_FALSE(slow());
    std::this_thread::sleep_for(milliseconds(3));
  }
  stop.set();
  CHECK((slow() || slow()));  // not after 256 more steps of 3 ms
}

TEST_CASE("work without a partial result throws") {
  CHECK(overrun([] { CHECK_THROWS_AS(perft(Chess::start(), 12), Stopped); }) < at_once);
  CHECK(overrun([] { CHECK_THROWS_AS(divide(Chess::start(), 12), Stopped); }) < at_once);
  CHECK(overrun([] { CHECK_THROWS_AS(perft(gomoku::Position::start({}), 12), Stopped); }) <
        at_once);
}

TEST_CASE("a batch that was stopped goes on") {
  for (const int threads : {1, 3}) {
    Batch<Chess> batch(Chess::start(), 200'000, 1, threads, false);
    CHECK(overrun([&] { CHECK_THROWS_AS(batch.playout(0), Stopped); }) < at_once);
    batch.restart({});
    CHECK(batch.playout(1) == 200'000);
  }
}

TEST_CASE("work of a pool ends early, by itself, or not at all") {
  Stop stop;
  stop.set();
  const StopScope scope(stop);
  for (const int threads : {1, 4}) {
    Pool pool(threads);
    std::atomic<int> calls = 0;
    const auto work = [&](std::int64_t) { ++calls; };
    CHECK_THROWS_AS(pool.run(100'000, work), Stopped);
    CHECK(calls < 100'000);
    calls = 0;
    pool.run_anytime(100'000, work);
    CHECK(calls == 100'000);
    pool.run_whole(100'000, work);
    CHECK(calls == 200'000);
    calls = 0;
    pool.run(16, work);
    CHECK(calls == 16);  // as quick as it is to find out
  }
}

template <class P>
void check_searches() {
  const P start = P::start({});
  NoEvaluator<P> even;
  AlphaBeta<P, NoEvaluator<P>> alpha_beta({.depth = 60}, even);
  MonteCarlo<P> monte_carlo({.simulations = 1'000'000'000, .memory = std::size_t{1} << 24});
  MonteCarlo<P> trees(
      {.simulations = 1'000'000'000, .memory = std::size_t{1} << 26, .trees = 3, .threads = 3});
  for (int round = 0; round < 2; ++round) {  // the second time with what the first left behind
    SearchResult found;
    CHECK(overrun([&] { found = alpha_beta.search(start); }) < at_once);
    CHECK(start.is_legal(found.move));
    CHECK(found.positions > 100);
    CHECK(overrun([&] { found = monte_carlo.search(start); }) < at_once);
    CHECK(start.is_legal(found.move));
    CHECK(overrun([&] { found = trees.search(start); }) < at_once);
    CHECK(start.is_legal(found.move));
  }
  Stop stop;
  stop.set();
  const StopScope scope(stop);
  CHECK(start.is_legal(alpha_beta.search(start).move));
  CHECK(start.is_legal(monte_carlo.search(start).move));
  CHECK(start.is_legal(trees.search(start).move));
}

TEST_CASE("a search that is stopped has a legal move, and can search again") {
  check_searches<Chess>();
  check_searches<gomoku::Position>();
}

// A hook that says, once, that a handler raised an error.
std::atomic<bool> raises = false;
std::atomic<int> asked = 0;
const std::thread::id first_thread = std::this_thread::get_id();
std::exception_ptr handle() {
  if (std::this_thread::get_id() != first_thread) return nullptr;
  ++asked;
  if (!raises.exchange(false)) return nullptr;
  return std::make_exception_ptr(std::runtime_error("Ctrl-C"));
}

TEST_CASE("a signal ends all work, searches and the work of others included") {
  stop_state->signal_hook = handle;
  const auto interrupted = [](const auto& work) {
    std::thread other([] {
      std::this_thread::sleep_for(milliseconds(30));
      raises = true;
    });
    const auto begun = StopClock::now();
    CHECK_THROWS_AS(work(), Interrupted);
    other.join();
    CHECK(seconds_since(begun) < 0.03 + at_once);
  };
  interrupted([] { perft(Chess::start(), 12); });
  NoEvaluator<Chess> even;
  AlphaBeta<Chess, NoEvaluator<Chess>> deep({.depth = 60}, even);
  interrupted([&] { deep.search(Chess::start()); });
  AlphaBeta<Chess, NoEvaluator<Chess>> fresh({.positions = 5000}, even);
  AlphaBeta<Chess, NoEvaluator<Chess>> used({.positions = 5000}, even);
  std::this_thread::sleep_for(between_signals);
  raises = true;
  CHECK_THROWS_AS(used.search(Chess::start()), Interrupted);
  const SearchResult again = used.search(Chess::start());
  CHECK(again.line == fresh.search(Chess::start()).line);
  MonteCarlo<Chess> trees({.simulations = 1'000'000'000, .trees = 3, .threads = 3});
  interrupted([&] { trees.search(Chess::start()); });
  Pool pool(3);
  std::atomic<bool> begun_elsewhere = false;
  interrupted([&] {
    pool.run(
        3,
        [&](std::int64_t) {
          if (std::this_thread::get_id() == first_thread) {
            while (!begun_elsewhere) std::this_thread::yield();
            return;  // and wait for the others
          }
          begun_elsewhere = true;
          perft(Chess::start(), 12);
        },
        1);
  });
  const int before = asked;
  const auto begun = StopClock::now();
  CHECK(perft(Chess::start(), 5) == 4865609);
  CHECK(asked - before <= 2 + static_cast<int>(seconds_since(begun) / 0.02));
  stop_state->signal_hook = nullptr;
}

}  // namespace test_stop
