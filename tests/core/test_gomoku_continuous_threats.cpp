// Victory by continuous threats in Gomoku: no reply that the search leaves out may hold.
#include <doctest/doctest.h>

#include "games/gomoku/continuous_threats.h"
#include "games/gomoku/fours.h"

using namespace tempo;
using namespace tempo::gomoku;

namespace {

Position parse(std::string_view text, std::int16_t size, std::int16_t rule = 0) {
  return Position::parse(text, Options{size, rule});
}

Verdict attack(const Position& position, std::int64_t positions = 20000) {
  ProofSearch<ThreatAttack> search({position.turn()}, 1 << 12);
  return search.search(position, positions);
}

// Positions with a handful of stones, as chance and the search of fours leave them.
template <class Visit>
void random_positions(std::int16_t size, std::int16_t rule, int count, Visit visit) {
  Random random(static_cast<std::uint64_t>(size * 2 + rule));
  for (int i = 0; i < count; ++i) {
    Position position = Position::start(Options{size, rule});
    const auto stones = 8 + random.below(10);
    for (std::uint32_t stone = 0; stone < stones && !position.is_over(); ++stone) {
      Position::Moves moves;
      position.legal_moves(moves);
      position.play(
          moves[static_cast<int>(random.below(static_cast<std::uint32_t>(moves.size())))]);
    }
    if (!position.is_over()) visit(position);
  }
}

}  // namespace

TEST_CASE("gomoku threats in turn: threes win where fours alone do not") {
  // Two twos that cross at e5: the point makes two open threes.
  const Position crossed = parse("9/9/4x4/4x4/2xx5/9/9/o6o1/o7o x", 9);
  FourSearch fours;
  CHECK(fours.search(crossed, 10000) == Verdict::None);
  CHECK(attack(crossed) == Verdict::Win);
  // Two stones are too few.
  CHECK(attack(parse("9/9/4x4/4x4/9/9/9/o7o/9 x", 9)) == Verdict::None);
}

TEST_CASE("gomoku threats in turn: a four of the defender comes before a three") {
  const Position five = parse("xoooo4/9/4x4/4x4/2xx5/9/9/9/o8 x", 9);
  CHECK(attack(five) == Verdict::None);  // he threatens five, and stopping it threatens nothing
}

TEST_CASE("gomoku threats in turn: whatever the defender replies, the win stays") {
  int wins = 0;
  int replies = 0;
  for (const std::int16_t rule : {std::int16_t{0}, std::int16_t{1}}) {
    random_positions(8, rule, 150, [&](const Position& root) {
      ProofSearch<ThreatAttack> search({root.turn()}, 1 << 12);
      if (search.search(root, 3000) != Verdict::Win) return;
      ++wins;
      Position position = root;
      const auto line = search.line();
      REQUIRE(!line.empty());
      // Follow the line; at every turn of the defender try each empty point, listed or not.
      for (std::size_t i = 0; i < line.size(); ++i) {
        REQUIRE(position.is_legal(line[i]));
        position.play(line[i]);
        if (i % 2 != 0 || position.is_over()) continue;
        Position::Moves all;
        position.legal_moves(all);
        for (const Move move : all) {
          Position next = position;
          next.play(move);
          ++replies;
          REQUIRE(!next.is_over());
          REQUIRE(ProofSearch<ThreatAttack>({root.turn()}, 1 << 12).search(next, 20000) ==
                  Verdict::Win);
        }
      }
    });
  }
  CHECK(wins > 10);
  CHECK(replies > 1000);
}

TEST_CASE("gomoku threats in turn: every win by fours is one by threats") {
  int wins = 0;
  random_positions(9, 0, 1500, [&](const Position& position) {
    FourSearch fours;
    if (fours.search(position, 5000) != Verdict::Win) return;
    ++wins;
    REQUIRE(attack(position, 50000) == Verdict::Win);
  });
  CHECK(wins > 50);
}
