// The search of shogi: exchanges against a count by hand and against playing them out, terms
// against their mirror image and their sum, and what passing and cutting must not lose.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

#include "games/shogi/terms.h"
#include "search/alpha_beta.h"

namespace test_shogi_search {

using namespace tempo;
using Position = shogi::Searched<shogi::Full>;
using ShogiTerms = Terms<Position>;
using Linear = LinearEvaluator<Position>;

std::vector<Position> random_positions(int games, int plies) {
  Random random(5);
  std::vector<Position> found;
  for (int game = 0; game < games; ++game) {
    Position position = Position::start();
    for (int ply = 0; ply < plies; ++ply) {
      if (position.outcome()) break;
      if (ply % 7 == 0) found.push_back(position);
      position.play(random_move(position, random));
    }
  }
  return found;
}

std::array<float, static_cast<std::size_t>(ShogiTerms::count)> terms_of(const Position& position) {
  std::array<float, static_cast<std::size_t>(ShogiTerms::count)> terms{};
  ShogiTerms::write(position, terms.data());
  return terms;
}

TEST_CASE("an exchange is worth what is taken for what") {
  const auto loses = [](const char* text, const char* move) {
    const Position position = Position::parse(text);
    return position.loses_material(position.parse_move(move));
  };
  // A rook takes a pawn: free, guarded by a gold, guarded but backed up by a lance.
  CHECK_FALSE(loses("4k4/9/9/2p6/9/9/2R6/9/4K4 b - 1", "7g7d"));
  CHECK(loses("4k4/9/2g6/2p6/9/9/2R6/9/4K4 b - 1", "7g7d"));
  CHECK(loses("4k4/9/2g6/2p6/9/9/2R6/2L6/4K4 b - 1", "7g7d"));
  // A pawn takes a silver, whatever guards it; a silver takes a silver.
  CHECK_FALSE(loses("4k4/9/2p6/2s6/2P6/9/9/9/4K4 b - 1", "7e7d"));
  CHECK_FALSE(loses("4k4/9/2p6/2s6/2S6/9/9/9/4K4 b - 1", "7e7d"));
  // A lance behind a lance takes a pawn that a lance guards: a lance for a lance and a pawn.
  CHECK_FALSE(loses("4k4/2l6/9/2p6/9/9/2L6/2L6/4K4 b - 1", "7g7d"));
  // A king does not take back what is guarded.
  CHECK_FALSE(loses("9/9/2k6/2p6/9/9/2R6/2L6/4K4 b - 1", "7g7d"));
  // A rook that promotes where a gold stands ready.
  CHECK(loses("4k4/2g6/9/9/9/9/2R6/9/4K4 b - 1", "7g7c+"));
  CHECK_FALSE(loses("4k4/9/9/9/9/9/2R6/9/4K4 b - 1", "7g7c+"));
}

TEST_CASE("past the horizon come legal captures that pay") {
  for (const Position& position : random_positions(8, 150)) {
    Position::Moves paying;
    position.noisy_moves(paying);
    Position::Moves all;
    position.Position::Plain::noisy_moves(all);
    int i = 0;
    for (const Move move : all) {
      if (position.loses_material(move)) continue;
      REQUIRE(i < paying.size());
      CHECK(paying[i++] == move);
    }
    CHECK(i == paying.size());
  }
}

TEST_CASE("terms are the same in the mirror, and turn round with the side to move") {
  for (const Position& position : random_positions(10, 200)) {
    const auto terms = terms_of(position);
    CHECK(terms == terms_of(Position(position.transformed(1))));
    if (position.in_check()) continue;
    const auto passed = terms_of(position.passed());
    CHECK(terms[0] == 1.0F);
    CHECK(passed[0] == 1.0F);
    for (std::size_t i = 1; i < terms.size(); ++i) REQUIRE(terms[i] == -passed[i]);
  }
}

TEST_CASE("the sum of terms is had without writing them down") {
  Random random(9);
  Linear::Weights weights;
  for (float& weight : weights) weight = static_cast<float>(random.below(2001)) / 1000 - 1;
  const Linear linear(weights);
  for (const Position& position : random_positions(6, 200)) {
    const auto terms = terms_of(position);
    double sum = 0;
    std::vector<double> added(terms.size());
    ShogiTerms::add(position, -2, added.data());
    for (std::size_t i = 0; i < terms.size(); ++i) {
      sum += static_cast<double>(weights[i]) * static_cast<double>(terms[i]);
      REQUIRE(added[i] == -2 * static_cast<double>(terms[i]));
    }
    CHECK(std::abs(static_cast<double>(linear.advantage(position)) - sum) < 1e-3);
  }
  for (const auto& name : ShogiTerms::names) REQUIRE_FALSE(name.empty());
}

TEST_CASE("hand-tuned weights count material") {
  for (const Position& position : random_positions(6, 200)) {
    const auto count = shogi::StaticEvaluator<shogi::Full>::advantage(position);
    CHECK(std::abs(Linear().advantage(position) - static_cast<float>(count) / 100) < 1e-3F);
  }
}

TEST_CASE("passing changes the turn and nothing else") {
  for (const Position& position : random_positions(6, 120)) {
    if (position.in_check()) continue;
    const Position passed = position.passed();
    CHECK(passed.check() == "");
    CHECK(passed.turn() != position.turn());
    CHECK(passed.pieces() == position.pieces());
    CHECK(passed.key() != position.key());
  }
}

AlphaBetaSettings cutting(int depth) {
  AlphaBetaSettings settings;
  settings.depth = depth;
  settings.reduce = settings.null_move = settings.steep = true;
  settings.margin = 0.08;
  return settings;
}

TEST_CASE("cuts save positions and still find the mate, the hanging rook and the fork") {
  const std::array<std::array<const char*, 2>, 3> problems = {
      {{"4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b"},    // gold before the king, pawn behind
       {"4k4/9/9/9/1r7/9/9/1R7/4K4 b - 1", "8h8e"},  // a rook for nothing
       {"4k1r2/9/9/9/9/9/9/9/4K4 b N 1", "N*4c"}}};  // a knight on king and rook
  for (const auto& [text, wanted] : problems) {
    const Position position = Position::parse(text);
    Linear linear;
    AlphaBeta<Position, Linear> search(cutting(5), linear);
    CHECK(position.move_text(search.search(position).move) == wanted);
  }
  const Position start = Position::start();
  Linear linear;
  AlphaBetaSettings plain = cutting(4);
  plain.null_move = plain.steep = false;
  plain.margin = 0;
  AlphaBeta<Position, Linear> full(plain, linear);
  AlphaBeta<Position, Linear> cut(cutting(4), linear);
  CHECK(cut.search(start).positions < full.search(start).positions);
}

TEST_CASE("a budget holds with cuts, and the same search gives the same result") {
  const Position position =
      Position::parse("ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BG2Ps 60");
  for (const std::int64_t budget : {1, 2, 50, 5000}) {
    AlphaBetaSettings settings = cutting(0);
    settings.positions = budget;
    Linear linear;
    AlphaBeta<Position, Linear> search(settings, linear);
    const SearchResult first = search.search(position);
    const SearchResult second = search.search(position);
    CHECK(first.positions <= budget);
    CHECK(position.is_legal(first.move));
    CHECK(first.move == second.move);
    CHECK(first.scores == second.scores);
    CHECK(first.positions == second.positions);
  }
}

TEST_CASE("a margin beyond a whole score is refused") {
  Linear linear;
  AlphaBetaSettings settings = cutting(2);
  settings.margin = 1.5;
  CHECK_THROWS_AS((AlphaBeta<Position, Linear>(settings, linear)), std::invalid_argument);
}

}  // namespace test_shogi_search
