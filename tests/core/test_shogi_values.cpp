// What moves of shogi are worth to the published UCT, by hand; and that its search mates.
#include <string_view>

#include "doctest/doctest.h"
#include "games/shogi/move_values.h"
#include "search/monte_carlo.h"

namespace test_shogi_values {

using namespace tempo;

static_assert(MoveValued<shogi::Position> && MoveValued<shogi::MiniPosition>);

double worth(std::string_view sfen, std::string_view move) {
  auto position = shogi::Position::parse(sfen, {});
  auto played = position;
  played.play(position.parse_move(move));
  const double value = MoveValues<shogi::Position>::play(position, position.parse_move(move));
  CHECK(position == played);
  return value;
}

constexpr std::string_view open_diagonal =
    "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3";

TEST_CASE("shogi values: captures, checks and promotions") {
  CHECK(worth(open_diagonal, "2g2f") == 0);
  CHECK(worth(open_diagonal, "8h2b") == doctest::Approx(8.3));
  CHECK(worth(open_diagonal, "8h2b+") == doctest::Approx(10.3));
  // What stands before the rook on the edge.
  CHECK(worth("4k4/9/9/9/p8/9/9/9/R3K4 b - 1", "9i9e") == doctest::Approx(6.6));
  CHECK(worth("4k4/9/9/9/l8/9/9/9/R3K4 b - 1", "9i9e") == doctest::Approx(7.7));
  CHECK(worth("4k4/9/9/9/n8/9/9/9/R3K4 b - 1", "9i9e") == doctest::Approx(7.7));
  CHECK(worth("4k4/9/9/9/s8/9/9/9/R3K4 b - 1", "9i9e") == doctest::Approx(7.7));
  CHECK(worth("4k4/9/9/9/g8/9/9/9/R3K4 b - 1", "9i9e") == doctest::Approx(8.3));
  CHECK(worth("4k4/9/9/9/r8/9/9/9/R3K4 b - 1", "9i9e") == doctest::Approx(8.3));
  CHECK(worth("4k4/9/9/9/+p8/9/9/9/R3K4 b - 1", "9i9e") == doctest::Approx(8.0));
  CHECK(worth("4k4/9/9/9/+s8/9/9/9/R3K4 b - 1", "9i9e") == doctest::Approx(8.0));
  CHECK(worth("4k4/9/9/9/+b8/9/9/9/R3K4 b - 1", "9i9e") == doctest::Approx(8.7));
  CHECK(worth("4k4/9/9/9/+r8/9/9/9/R3K4 b - 1", "9i9e") == doctest::Approx(8.7));
  // Checks, by a move, a promotion and a drop; one with a capture is worth no more than a check.
  CHECK(worth("4k4/9/9/9/9/9/9/9/R3K4 b - 1", "9i9a") == doctest::Approx(9.1));
  CHECK(worth("4k4/9/9/9/9/9/9/9/R3K4 b - 1", "9i9a+") == doctest::Approx(11.1));
  CHECK(worth("4k4/9/9/9/9/9/9/9/4K4 b R 1", "R*5c") == doctest::Approx(9.1));
  CHECK(worth("p3k4/9/9/9/9/9/9/9/R3K4 b - 1", "9i9a") == doctest::Approx(9.1));
  // The second seat's moves are worth as much to it.
  CHECK(worth("r3k4/9/9/9/P8/9/9/9/4K4 w - 1", "9a9e") == doctest::Approx(6.6));
}

// Gold before the king, kept by a pawn: mate at once, for either side.
TEST_CASE("shogi values: the published search mates in one") {
  MonteCarloSettings settings;
  settings.simulations = 2000;
  settings.rollout_moves = 15;
  settings.memory = 16 << 20;
  for (const auto cut : {CutValue::Rollout, CutValue::Path}) {
    settings.cut_value = cut;
    MonteCarlo<shogi::Position> search(settings);
    const auto black = shogi::Position::parse("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", {});
    const auto found = search.search(black);
    CHECK(black.move_text(found.move) == "G*5b");
    CHECK(found.scores[0] == 1.0F);
    const auto white = shogi::Position::parse("4k4/9/9/9/9/9/4p4/9/4K4 w g 1", {});
    const auto other = search.search(white);
    CHECK(white.move_text(other.move) == "G*5h");
    CHECK(other.scores[1] == 1.0F);
  }
}

}  // namespace test_shogi_values
