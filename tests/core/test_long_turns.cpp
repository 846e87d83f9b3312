// Alpha-beta where a turn takes several moves: depth counts turns, nothing is valued inside one,
// and what a search proves of its interior positions is true.
#include <doctest/doctest.h>

#include <vector>

#include "games/jiu/rules.h"
#include "games/jiu/terms.h"
#include "search/alpha_beta.h"

namespace test_long_turns {

using namespace tempo;
using jiu::Position;
using Linear = LinearEvaluator<Position>;
using Search = AlphaBeta<Position, Linear>;

jiu::Options small_board() {
  jiu::Options options;
  options.half = 2;
  options.min_stones = 0;
  options.shape_check = 1;
  return options;
}

// Battles on 4x4 after some random turns: few moves, many captures.
std::vector<Position> battles(int count) {
  std::vector<Position> found;
  for (std::uint64_t game = 0; static_cast<int>(found.size()) < count; ++game) {
    Random random(11, game);
    Position position = Position::start(small_board());
    const int turns = static_cast<int>(random.below(6));
    while (!position.is_over() && (position.stage() == jiu::Stage::Preparation ||
                                   position.plies() < turns || position.in_turn())) {
      position.play(position.random_move(random));
    }
    if (!position.is_over()) found.push_back(position);
  }
  return found;
}

// Minimax over whole turns, for the seat to move, without windows or table.
Value minimax(const Position& position, int depth, int ply) {
  const auto seat = static_cast<std::size_t>(index(position.turn()));
  if (const auto end = position.outcome()) return value_of_end(end->scores[seat], ply);
  if (depth == 0 && !position.in_turn()) {
    Scores scores{};
    Linear{}(std::span<const Position>(&position, 1), std::span<Scores>(&scores, 1));
    return value_of_score(scores[seat]);
  }
  Position::Moves moves;
  position.legal_moves(moves);
  Value best = -infinite;
  for (const Move move : moves) {
    Position child = position;
    child.play(move);
    const Value below = minimax(child, child.in_turn() ? depth : depth - 1, ply + 1);
    best = std::max(best, child.turn() == position.turn() ? below : -below);
  }
  return best;
}

AlphaBetaSettings exact(int depth) {
  AlphaBetaSettings settings;
  settings.depth = depth;
  settings.quiescence = false;
  settings.equal_depth = true;
  return settings;
}

TEST_CASE("long turns: alpha-beta equals minimax over whole turns") {
  Linear evaluator;
  for (const Position& position : battles(25)) {
    for (int depth = 1; depth <= 2; ++depth) {
      Search search(exact(depth), evaluator);
      const SearchResult result = search.search(position);
      const Value value = minimax(position, depth, 0);
      const auto seat = static_cast<std::size_t>(index(position.turn()));
      CAPTURE(position.text());
      CAPTURE(depth);
      CHECK(result.scores[seat] == score_of_value(value));
    }
  }
}

TEST_CASE("long turns: the line ends with a turn") {
  Linear evaluator;
  for (const Position& position : battles(25)) {
    Search search(exact(2), evaluator);
    Position end = position;
    for (const Move move : search.search(position).line) {
      REQUIRE(end.is_legal(move));
      end.play(move);
    }
    CHECK(!end.in_turn());
  }
}

TEST_CASE("long turns: bounds of interior positions hold") {
  Linear evaluator;
  int checked = 0;
  for (const Position& position : battles(8)) {
    AlphaBetaSettings settings = exact(2);
    settings.record = 500;
    Search search(settings, evaluator);
    search.search(position);
    CHECK(!search.nodes().empty());
    for (const auto& node : search.nodes()) {
      CHECK(!node.position.in_turn());
      const Value value = minimax(node.position, node.depth, 0);
      if (is_decided(value)) continue;  // its distance is counted from another root
      ++checked;
      CHECK(node.low <= value);
      CHECK(value <= node.high);
    }
  }
  CHECK(checked > 50);
}

TEST_CASE("long turns: no more interior positions than asked for") {
  Linear evaluator;
  AlphaBetaSettings settings = exact(2);
  settings.record = 7;
  Search search(settings, evaluator);
  search.search(battles(1)[0]);
  CHECK(search.nodes().size() <= 7);
}

TEST_CASE("long turns: reductions find the same win and keep to the budget") {
  Linear evaluator;
  for (const Position& position : battles(10)) {
    AlphaBetaSettings settings = exact(3);
    settings.reduce = true;
    settings.positions = 2000;
    Search reduced(settings, evaluator);
    const SearchResult result = reduced.search(position);
    CHECK(result.positions <= 2000);
    CHECK(position.is_legal(result.move));
    if (is_decided(minimax(position, 1, 0)) && minimax(position, 1, 0) > 0) {
      const auto seat = static_cast<std::size_t>(index(position.turn()));
      CHECK(result.scores[seat] == 1.0F);
    }
  }
}

TEST_CASE("long turns: quiescence ends, however much there is to capture") {
  Linear evaluator;
  jiu::Options options;
  options.half = 4;
  for (std::uint64_t game = 0; game < 5; ++game) {
    Random random(3, game);
    Position position = Position::start(options);
    while (position.stage() == jiu::Stage::Preparation) position.play(position.random_move(random));
    AlphaBetaSettings settings;
    settings.depth = 1;
    Search search(settings, evaluator);
    CHECK(search.search(position).depth == 1);
  }
}

TEST_CASE("terms of Jiu: what the two seats see is the same board") {
  for (const Position& position : battles(20)) {
    std::array<float, Terms<Position>::count> terms{};
    Terms<Position>::write(position, terms.data());
    constexpr int kinds = Terms<Position>::kinds;
    const int own = index(position.turn());
    const auto lead = static_cast<float>(position.count(own) - position.count(1 - own));
    CHECK(terms[1] + terms[kinds + 1] == doctest::Approx(lead));
    // Symmetries of the board change nothing.
    for (int symmetry = 1; symmetry < Position::symmetries; ++symmetry) {
      std::array<float, Terms<Position>::count> mirrored{};
      Terms<Position>::write(position.transformed(symmetry), mirrored.data());
      CHECK(mirrored == terms);
    }
  }
}

TEST_CASE("terms of Jiu: shapes are counted as the rules count them") {
  for (const Position& position : battles(40)) {
    const jiu::Scene scene(position);
    const jiu::Side side(scene.own, scene.enemy, scene.empty);
    int dalians = 0;
    side.dalians([&](const jiu::Dalian&) { ++dalians; });
    CHECK(dalians == jiu::count_dalians(scene.own, scene.empty));
    CHECK(side.triples(scene.empty) == jiu::count_gates(scene.own, scene.empty));
    CHECK(side.has_step_gate() == jiu::step_gates(scene.own, scene.empty).any());
    CHECK(side.prey() == jiu::jumpable(scene.own, scene.enemy, scene.empty));
    CHECK(side.squares() == jiu::squares(scene.own).count());
  }
}

}  // namespace test_long_turns
