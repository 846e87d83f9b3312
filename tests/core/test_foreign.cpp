// A game whose rules lie outside the core: its states live as long as somebody holds them.
#include <atomic>
#include <charconv>
#include <memory>

#include "doctest/doctest.h"
#include "games/foreign/hidden.h"
#include "parallel/batch.h"
#include "search/alpha_beta.h"
#include "search/monte_carlo.h"
#include "search/perft.h"

namespace test_foreign {

using namespace tempo;
using foreign::Handle;

std::atomic<int> alive = 0;
std::atomic<int> fails_at = -1;  // a number that nobody may ask for the moves of

// Take one or two of some counters; who takes the last one wins.
struct Counters final : foreign::State {
  Counters(const foreign::Rules& rules, int n, int turn) : State(rules), left(n) {
    ++alive;
    turn_ = Seat{static_cast<std::uint8_t>(turn)};
    if (left == 0) outcome_ = Outcome{"none is left", turn ? Scores{1, -1} : Scores{-1, 1}};
  }
  ~Counters() override { --alive; }

  [[nodiscard]] std::span<const Move> moves() const override {
    static constexpr Move both[] = {Move{1}, Move{2}};
    if (left == fails_at) throw ParseError("no moves today");
    return {both, static_cast<std::size_t>(left < 2 ? left : 2)};
  }
  void play(Handle& held, Move move) const override {
    Handle after(new Counters(rules(), left - index(move), 1 - index(turn())));
    held = std::move(after);
  }
  [[nodiscard]] std::uint64_t key() const override { return scratch_key(); }
  [[nodiscard]] std::uint64_t scratch_key() const override {
    return split_mix(static_cast<std::uint64_t>(2 * left + index(turn())));
  }
  [[nodiscard]] std::string text() const override {
    return std::to_string(left) + (index(turn()) != 0 ? "b" : "a");
  }
  [[nodiscard]] std::string move_text(Move move) const override {
    return std::to_string(index(move));
  }
  [[nodiscard]] std::string board() const override { return text(); }
  void features(Seat, float* out) const override { *out = static_cast<float>(left); }
  [[nodiscard]] Scores evaluation() const override { return {}; }

  int left;
};

struct CounterRules final : foreign::Rules {
  CounterRules() {
    spec = "counters";
    move_numbers = 3;
    length_bound = 20;
    seat_names = {"a", "b"};
    shape = {1, 1, 1};
  }
  [[nodiscard]] Handle start() const override { return Handle(new Counters(*this, 20, 0)); }
  [[nodiscard]] Handle parse(std::string_view text) const override {
    int left = 0;
    std::from_chars(text.data(), text.data() + text.size(), left);
    return Handle(new Counters(*this, left, text.back() == 'b' ? 1 : 0));
  }
};

const CounterRules counters;
const foreign::Options options{&counters};

TEST_CASE("foreign states end with their last holder") {
  {
    const auto start = foreign::Position::start(options);
    foreign::Position other = start;
    CHECK(alive == 1);
    other.play(Move{2});
    CHECK(alive == 2);
    other = start;
    CHECK(alive == 1);
    CHECK(other == start);
    CHECK(perft(start, 3) == 8);
  }
  CHECK(alive == 0);
}

TEST_CASE("foreign games are searched and leave nothing behind") {
  {
    foreign::OwnEvaluator<2> evaluator;
    const auto start = foreign::Position::start(options);
    AlphaBeta<foreign::Position, foreign::OwnEvaluator<2>> alpha_beta({.depth = 20}, evaluator);
    CHECK(index(alpha_beta.search(start).move) == 2);  // what is left is a multiple of three
    MonteCarlo<foreign::Position> tree({.simulations = 2000, .trees = 2, .threads = 2});
    CHECK(index(tree.search(start).move) == 2);
    Batch<foreign::Position> batch(start, 100, 1, 3, false);
    batch.playout(0);
    CHECK(batch.outcome(99).has_value());
  }
  CHECK(alive == 0);
}

TEST_CASE("what a foreign game throws ends a search, which can go on afterwards") {
  {
    foreign::OwnEvaluator<2> evaluator;
    const auto start = foreign::Position::start(options);
    AlphaBeta<foreign::Position, foreign::OwnEvaluator<2>> alpha_beta({.depth = 20}, evaluator);
    MonteCarlo<foreign::Position> tree({.simulations = 5000});
    Batch<foreign::Position> batch(start, 100, 1, 3, false);
    fails_at = 7;
    CHECK_THROWS_AS(alpha_beta.search(start), ParseError);
    CHECK_THROWS_AS(tree.search(start), ParseError);
    CHECK_THROWS_AS(batch.playout(0), ParseError);
    fails_at = -1;
    CHECK(index(alpha_beta.search(start).move) == 2);
    CHECK(index(tree.search(start).move) == 2);
    CHECK(batch.playout(0) > 0);
  }
  CHECK(alive == 0);
}

TEST_CASE("a position of no game refuses every question") {
  const auto none = foreign::Position::start({});
  CHECK(none == none);
  CHECK_THROWS_AS(static_cast<void>(none.turn()), ParseError);
  CHECK_THROWS_AS(static_cast<void>(none.key()), ParseError);
  CHECK_THROWS_AS(static_cast<void>(none == foreign::Position::start(options)), ParseError);
}

TEST_CASE("a foreign game that hides nothing looks the same to every seat") {
  {
    const auto start = foreign::HiddenPosition::start({options});
    Random random(1);
    CHECK(start.view(Seat{0}).text() == start.text());
    CHECK(start.public_text() == start.text());
    CHECK(foreign::HiddenPosition::sample(start.view(Seat{1}), random) == start);
    CHECK(foreign::HiddenPosition::deal({options}, random) == start);
    CHECK_FALSE(start.view(Seat{0}) == start.view(Seat{1}));
    foreign::HiddenPosition::Moves moves;
    start.view(Seat{1}).legal_moves(moves);
    CHECK(moves.empty());
    CHECK(start.view(Seat{0}).move_text(Move{2}) == "2");
    CHECK(start.view(Seat{1}).move_text(Move{2}) == "?");
  }
  CHECK(alive == 0);
}

}  // namespace test_foreign
