// Sequential halving over determinizations, on moves whose worth is known.
#include "search/halving.h"

#include <doctest/doctest.h>

namespace test_halving {

using namespace tempo;

// A hidden number, 0 to 9. Move m is worth m / 20, and 1 more where it is the number; moves below 5
// have the better priors.
struct Guess {
  int hidden;
};

std::vector<TriedMove> moves(int count) {
  std::vector<TriedMove> all;
  for (int i = 0; i < count; ++i)
    all.push_back({.move = Move{static_cast<std::uint16_t>(i)}, .prior = i < 5 ? 0.1F : 0.0F});
  return all;
}

Halved halve(const HalvingBudget& budget, float anchor = 0, int most = 10) {
  Random random(3);
  return Halving(moves(10), budget, anchor, most)(
      random, [](Random& stream) { return std::optional(Drawn<Guess>{{int(stream.below(10))}}); },
      [](const Drawn<Guess>& drawn, Move move, Random&) {
        return index(move) / 20.0 + (index(move) == drawn.position.hidden ? 1 : 0);
      });
}

TEST_CASE("halving: the best on average is found, and most is spent on the best") {
  const Halved found = halve({.simulations = 4000});
  CHECK(index(found.moves[0].move) == 9);
  CHECK(found.moves[0].value() == doctest::Approx(0.45 + 0.1).epsilon(0.1));
  CHECK(found.moves[0].visits > 3 * found.moves[9].visits);
  CHECK(found.simulations <= 4000);
  CHECK(found.simulations > 3900);
}

TEST_CASE("halving: priors count by the anchor, and choose what is tried") {
  CHECK(index(halve({.simulations = 4000}, 10).moves[0].move) == 4);
  const Halved few = halve({.determinizations = 50}, 0, 3);
  CHECK(few.moves.size() == 3);
  CHECK(few.determinizations == 50);
  for (const TriedMove& move : few.moves) CHECK(index(move.move) < 5);
}

TEST_CASE("halving: weights of determinizations count, and a stopped draw ends it") {
  Random random(3);
  const Halved found = Halving(moves(2), {.determinizations = 400}, 0, 2)(
      random,
      [](Random& stream) {
        const auto hidden = int(stream.below(2));
        return std::optional(Drawn<Guess>{{hidden}, hidden == 0 ? 3.0 : 1.0});
      },
      [](const Drawn<Guess>& drawn, Move move, Random&) {
        return index(move) == drawn.position.hidden ? 1.0 : 0.0;
      });
  CHECK(index(found.moves[0].move) == 0);
  CHECK(found.moves[0].value() == doctest::Approx(0.75).epsilon(0.1));
  int draws = 0;
  const Halved ended = Halving(moves(4), {.determinizations = 400}, 0, 4)(
      random,
      [&](Random&) { return ++draws > 3 ? std::nullopt : std::optional(Drawn<Guess>{{0}}); },
      [](const Drawn<Guess>&, Move, Random&) { return 0.0; });
  CHECK(ended.determinizations == 3);
}

}  // namespace test_halving
