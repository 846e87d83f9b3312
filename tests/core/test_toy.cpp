// The concepts that no real game of today exercises (four seats, hidden ranks, turns of several
// moves, a dealt start), proven on the toy.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "toy.h"

namespace test_toy {

using namespace tempo;

constexpr std::uint64_t seed = 20240607;

Seat seat_at(int i) { return Seat{static_cast<std::uint8_t>(i)}; }

// Calls `visit` on every position of `games` random games, ends included.
template <class Visit>
void walk(const toy::Options& options, int games, Visit visit) {
  INFO("seed ", seed);
  for (int game = 0; game < games; ++game) {
    Random random(seed, static_cast<std::uint64_t>(game));
    auto position = toy::Position::deal(options, random);
    int length = 0;
    for (;;) {
      visit(position, random);
      const Move move = random_move(position, random);
      if (move == no_move) break;
      position.play(move);
      ++length;
    }
    CHECK(length <= toy::Position::length_bound(options));
  }
}

toy::Position parse(const char* text, const toy::Options& options = {}) {
  return toy::Position::parse(text, options);
}

TEST_CASE("toy: a game in progress and its end agree with its moves") {
  walk({}, 200, [](const toy::Position& position, Random&) {
    CHECK(position.check() == "");
    CHECK(position.key() == position.scratch_key());
    toy::Moves moves;
    position.legal_moves(moves);
    CHECK(moves.empty() == position.outcome().has_value());
    for (int number = 0; number < 40; ++number) {
      const auto move = Move{static_cast<std::uint16_t>(number)};
      const bool listed = std::find(moves.begin(), moves.end(), move) != moves.end();
      CHECK(position.is_legal(move) == listed);
      CHECK(position.why_illegal(move).empty() == listed);
    }
    if (const auto outcome = position.outcome()) {
      const Scores& scores = outcome->scores;
      CHECK(scores[0] + scores[1] + scores[2] + scores[3] == 0.0F);
      CHECK(scores[0] == scores[2]);
      CHECK(scores[1] == scores[3]);
      CHECK(std::abs(scores[0]) <= 1.0F);
    }
  });
}

TEST_CASE("toy: parsing undoes printing") {
  walk({.tokens = 2, .turns = 5}, 100, [](const toy::Position& position, Random&) {
    CHECK(toy::Position::parse(position.text(), position.options()) == position);
    toy::Moves moves;
    position.legal_moves(moves);
    for (const Move move : moves) CHECK(position.parse_move(position.move_text(move)) == move);
  });
  CHECK(parse("12xe33/123/123/123 e 2").text() == "12xe33/123/123/123 e 2");
  for (const char* bad : {"", "123/123/123/123", "113/123/123/123 n -", "123/123/123/123 x -",
                          "123/123/123/123 n 4", "123/123/123/123 n - ", "12xs33/123/123/123 n -",
                          "12xe13/123/123/123 e -", "12xe33/123/123/123 n 2"}) {
    CAPTURE(bad);
    CHECK_THROWS_AS(parse(bad), ParseError);
  }
  CHECK_THROWS_AS((void)parse("123/123/123/123 n -").parse_move("xe1"), IllegalMove);
  CHECK_THROWS_AS((void)parse("123/123/123/123 n -").parse_move("pass"), ParseError);
}

TEST_CASE("toy: options have a text") {
  CHECK(game_spec(toy::Position::name, toy::Options{.tokens = 2}) == "quarrel(tokens=2)");
}

TEST_CASE("toy: a turn is two moves of one seat") {
  auto position = parse("123/123/123/123 n -");
  position.play(position.parse_move("3"));
  CHECK(index(position.turn()) == 0);
  position.play(position.parse_move("xe2"));
  CHECK(index(position.turn()) == 1);
  CHECK(position.text() == "123/12xn33/123/123 e -");
}

TEST_CASE("toy: equal ranks both die, and a challenge can be lost") {
  auto position = parse("123/123/123/123 n 2");
  position.play(position.parse_move("xw2"));
  CHECK(position.text() == "12xw23/123/123/12xn23 e -");
  position = parse("123/123/123/123 n 2");
  position.play(position.parse_move("xw3"));
  CHECK(position.text() == "12xw33/123/123/123 e -");
}

TEST_CASE("toy: seats without tokens are skipped") {
  // North lost its 1 to east's 2 and its 2 together with that one.
  auto position = parse("1xe22xe2/12xn2/12/12 w -", {.tokens = 2});
  position.play(position.parse_move("1"));
  position.play(position.parse_move("xs2"));
  CHECK(index(position.turn()) == 1);
}

TEST_CASE("toy: the half turn commutes with play and keeps scores") {
  walk({}, 100, [](const toy::Position& position, Random&) {
    const auto turned = position.transformed(1);
    CHECK(turned.check() == "");
    CHECK(turned.transformed(1) == position);
    CHECK(turned.outcome() == position.outcome());
    toy::Moves moves;
    position.legal_moves(moves);
    for (const Move move : moves) {
      auto played = position;
      played.play(move);
      auto other = turned;
      CHECK(other.is_legal(position.transformed_move(move, 1)));
      other.play(position.transformed_move(move, 1));
      CHECK(played.transformed(1) == other);
    }
  });
}

TEST_CASE("toy: the view of a sampled position is the view it came from") {
  walk({}, 100, [](const toy::Position& position, Random& random) {
    for (int seat = 0; seat < 4; ++seat) {
      const auto view = position.view(seat_at(seat));
      const auto sampled = toy::Position::sample(view, random);
      CHECK(sampled.check() == "");
      CHECK(sampled.view(seat_at(seat)) == view);
    }
  });
}

TEST_CASE("toy: what a seat cannot see changes nothing that it is given") {
  walk({}, 100, [](const toy::Position& position, Random& random) {
    for (int seat = 0; seat < 4; ++seat) {
      const auto view = position.view(seat_at(seat));
      const auto other = toy::Position::sample(view, random).view(seat_at(seat));
      CHECK(view.text() == other.text());
      CHECK(view.board() == other.board());
      CHECK(view.key() == other.key());
      CHECK(view.outcome() == other.outcome());
      toy::Moves moves;
      toy::Moves others;
      view.legal_moves(moves);
      other.legal_moves(others);
      CHECK(std::vector<Move>(moves.begin(), moves.end()) ==
            std::vector<Move>(others.begin(), others.end()));
      if (index(view.turn()) != seat) CHECK(moves.empty());
    }
  });
  CHECK(parse("12xe33/123/123/123 e -").view(seat_at(1)).text() == R"(??xe3?/123/???/??? e -)");
}

TEST_CASE("toy: samples are uniform over the determinizations a view leaves open") {
  // East's 2 fell to north's first token, which must therefore be a 3. North's third fell to west's
  // first: a 1 to a 2 or a 3 (four ways to deal west), a 2 only to a 3 (two ways). South is open.
  const auto view = parse("312xw1/12xn13/123/312 e -").view(seat_at(1));
  std::map<std::string, int> drawn;
  int determinizations = 0;
  view.for_each_determinization([&](const toy::Ranks& ranks) {
    drawn[view.public_state().text(ranks)] = 0;
    ++determinizations;
  });
  CHECK(determinizations == static_cast<int>(drawn.size()));
  CHECK(determinizations == 6 * (4 + 2));

  INFO("seed ", seed);
  Random random(seed);
  constexpr int each = 1000;
  for (int i = 0; i < each * determinizations; ++i) {
    const auto found = drawn.find(toy::Position::sample(view, random).text());
    REQUIRE(found != drawn.end());
    ++found->second;
  }
  double chi_square = 0;
  for (const auto& [text, count] : drawn) chi_square += (count - each) * (count - each) / 1000.0;
  CHECK(chi_square < 66.6);  // 35 degrees of freedom, exceeded once in a thousand seeds
}

TEST_CASE("toy: deals are permutations and depend on the stream") {
  Random random(seed);
  std::map<std::string, int> starts;
  for (int i = 0; i < 200; ++i) {
    const auto position = toy::Position::deal({}, random);
    CHECK(position.check() == "");
    ++starts[position.text()];
  }
  CHECK(starts.size() > 150);  // of 1296
  Random again(seed);
  CHECK(starts.count(toy::Position::deal({}, again).text()) == 1);
}

TEST_CASE("toy: solved by brute force") {
  const toy::Options two{.tokens = 2};
  toy::Solved solved;
  // One token each, all equal: north takes an opponent along, the other one takes south along.
  CHECK(toy::solve(toy::Position::start({.tokens = 1}), solved) == 0.0F);
  // North has 1 and 2 against west's 2. On the move it gives the 2 for the 2 and keeps the 1; if
  // west is to move, west takes the 1 first and the two 2s are all that is left.
  solved.clear();
  CHECK(toy::solve(parse("12/1xn22xs2/1xe22xe2/1xn22 n -", two), solved) == 1.0F);
  CHECK(toy::solve(parse("12/1xn22xs2/1xe22xe2/1xn22 w -", two), solved) == 0.0F);
  solved.clear();
  CHECK(toy::solve(toy::Position::start(two), solved) == 0.0F);
  CHECK(solved.size() > 500);
}

}  // namespace test_toy
