// Gomoku's threats, continuous fours, and the position that its strong search walks.
#include <doctest/doctest.h>

#include <vector>

#include "games/gomoku/strong.h"

namespace test_gomoku_threats {

using namespace tempo;
using namespace tempo::gomoku;

Position parse(std::string_view text, std::int16_t size, std::int16_t rule = 0) {
  return Position::parse(text, Options{size, rule});
}

std::vector<std::string> names(const Points& points, const Position& position) {
  std::vector<std::string> found;
  points.each([&](int x, int y) {
    found.push_back(position.move_text(Move{static_cast<std::uint16_t>(y * position.size() + x)}));
  });
  return found;
}

using Names = std::vector<std::string>;

TEST_CASE("gomoku threats: an open three, its points and what stops it") {
  const Position position = parse("9/9/9/9/3xxx3/9/9/9/o6o1 o", 9);
  const Threats threats = threats_of(position, Seat{0});
  CHECK(names(threats.five, position).empty());
  CHECK(names(threats.four, position) == Names{"b5", "c5", "g5", "h5"});
  CHECK(names(threats.winning, position) == Names{"c5", "g5"});
  CHECK(names(threats.stops, position) == Names{"b5", "c5", "g5", "h5"});
  CHECK(names(threats.three, position).empty());
}

TEST_CASE("gomoku threats: a three at the edge makes no open four") {
  const Position position = parse("9/9/9/9/xxx6/9/9/9/o6o1 o", 9);
  const Threats threats = threats_of(position, Seat{0});
  CHECK(names(threats.four, position) == Names{"d5", "e5"});
  CHECK(!threats.winning.any());
}

TEST_CASE("gomoku threats: an own stone beyond the end spoils an exact five") {
  const std::string_view text = "9/9/9/9/xx1xxx3/9/9/o3o3o/o6o1 x";
  CHECK(names(threats_of(parse(text, 9), Seat{0}).five, parse(text, 9)) == Names{"c5"});
  CHECK(!threats_of(parse(text, 9, 1), Seat{0}).five.any());
}

TEST_CASE("gomoku threats: fives through a stone are those of the whole board") {
  Random random(7);
  int found = 0;
  for (int game = 0; game < 200; ++game) {
    Counted counted = Counted::start(Options{});
    Counted::Moves moves;
    Move last = no_move;
    for (int i = 0; i < 60 && !counted.outcome(); ++i) {
      const Seat seat = counted.turn();
      const Points before = threats_of(counted.position(), seat).five;
      counted.legal_moves(moves);
      last = moves[static_cast<int>(random.below(moves.size()))];
      counted.play(last);
      if (before.any() || counted.outcome()) continue;
      const Points five = threats_of(counted.position(), seat).five;
      CHECK(fives_through(counted.position(), seat, index(last) % 15, index(last) / 15) == five);
      found += five.count();
    }
  }
  CHECK(found > 100);
}

TEST_CASE("gomoku fours: an open four is made and completed") {
  FourSearch search;
  const Position position = parse("9/9/9/9/3xxx3/9/9/9/oo5o1 x", 9);
  REQUIRE(search.search(position, 100) == Verdict::Win);
  Position now = position;
  for (const Move move : search.line()) now.play(move);
  CHECK(now.outcome()->scores[0] == 1.0F);
  CHECK(search.visited() <= 100);
}

TEST_CASE("gomoku fours: a reply that makes a four has to be answered") {
  FourSearch search;
  // f5 makes a four and, in its column, an open three.
  CHECK(search.search(parse("o7o/9/5x3/5x3/1oxxx4/9/9/9/o7o x", 9), 1000) == Verdict::Win);
  // Now the reply g5 is a four of o's, and its answer g6 is none.
  CHECK(search.search(parse("o7o/9/5x3/5x3/1oxxx4/6o2/6o2/6o2/6x2 x", 9), 1000) == Verdict::None);
  // With two more stones on the sixth row the answer is a four.
  CHECK(search.search(parse("o7o/9/5x3/5x1xx/1oxxx4/6o2/6o2/6o2/o5x1o x", 9), 1000) ==
        Verdict::Win);
}

TEST_CASE("gomoku fours: a budget too small is said to be so") {
  FourSearch search;
  const Position position = parse("9/9/9/9/3xxx3/9/9/9/oo5o1 x", 9);
  CHECK(search.search(position, 0) == Verdict::Unknown);
  CHECK(search.visited() == 0);
}

TEST_CASE("gomoku counted: counts, keys and moves through random games") {
  Random random(5);
  for (const int number : {5, 9, 15, 20}) {
    const auto size = static_cast<std::int16_t>(number);
    Counted counted = Counted::start(Options{size, static_cast<std::int16_t>(size % 2)});
    Counted::Moves moves;
    for (;;) {
      counted.legal_moves(moves);
      CHECK(counted.check().empty());
      CHECK(moves.empty() == counted.outcome().has_value());
      if (moves.empty()) break;
      for (const Move move : moves) CHECK(counted.is_legal(move));
      counted.play(moves[static_cast<int>(random.below(moves.size()))]);
    }
  }
}

TEST_CASE("gomoku counted: a five is taken and a four is stopped") {
  Counted::Moves moves;
  Counted(parse("9/9/9/9/oxxxx4/9/9/9/o5oo1 x", 9)).legal_moves(moves);
  REQUIRE(moves.size() == 1);
  const Position threatened = parse("9/9/9/9/oxxxx4/9/9/9/o6o1 o", 9);
  Counted(threatened).legal_moves(moves);
  REQUIRE(moves.size() == 1);
  CHECK(threatened.move_text(moves[0]) == "f5");
  CHECK(Counted(threatened).in_check());
}

TEST_CASE("gomoku strong: fours inside the tree decide a game, at their distance") {
  // An open three has just been made, and o has no four: x's open four comes in two moves, and the
  // five two later.
  AlphaBetaSettings settings;
  settings.depth = 8;
  const Position lost = parse("9/9/9/3x5/4x4/2oxxx3/4o4/9/o7o o", 9);
  StrongSearch told(LeafEvaluation(), settings, 60, 60);
  const SearchResult seen = told.search(lost);
  CHECK(seen.scores[1] == -1.0F);
  // Without, that is only a value, and the search goes on until it has seen the end itself.
  StrongSearch untold(LeafEvaluation(), settings, 60);
  CHECK(seen.depth < untold.search(lost).depth);
}

TEST_CASE("gomoku strong: budgets are kept to the position") {
  Position quiet = Position::start(Options{});
  for (const char* move : {"h8", "i9", "h9", "h10", "g9", "i7"}) quiet.play(quiet.parse_move(move));
  // Fours can be made here, and fail: what they cost is part of the budget.
  const Position sharp = parse("o7o/9/5x3/5x3/1oxxx4/6o2/6o2/6o2/6x2 x", 9);
  for (const Position& position : {quiet, sharp}) {
    for (const std::int64_t budget : {1, 2, 3, 10, 100, 1000, 5000}) {
      AlphaBetaSettings settings;
      settings.positions = budget;
      settings.table_bytes = std::size_t{1} << 16;
      for (const int inner : {0, 60}) {
        StrongSearch search(LeafEvaluation(), settings, 60, inner);
        const SearchResult first = search.search(position);
        CHECK(first.positions <= budget);
        CHECK(position.is_legal(first.move));
        CHECK(search.search(position).line == first.line);
      }
    }
  }
}

}  // namespace test_gomoku_threats
