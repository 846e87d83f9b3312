// Perft over any game: numbers worked out by hand, and the game's own count where it has one.
#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "games/chess/rules.h"
#include "games/gomoku/rules.h"
#include "search/perft.h"
#include "toy.h"

namespace test_perft {

using namespace tempo;
using Gomoku = gomoku::Position;
using Chess = chess::Position;
using Toy = toy::Position;

static_assert(OwnPerft<Chess>);
static_assert(!OwnPerft<Gomoku>);
static_assert(!OwnPerft<Toy>);

TEST_CASE("perft of gomoku is a falling product until somebody can win") {
  const Gomoku start = Gomoku::start({5, 0});
  CHECK(perft(start, 0) == 1);
  CHECK(perft(start, 1) == 25);
  CHECK(perft(start, 4) == 25ULL * 24 * 23 * 22);
  // After four and three stones one black move in the open row ends the game.
  const Gomoku near = Gomoku::parse("xxxx1/ooo2/5/5/5 o", {5, 0});
  CHECK(perft(near, 1) == 18);
  CHECK(perft(near, 2) == 18ULL * 17);
  CHECK(perft(near, 3) == 17ULL * 16 * 16 + 17ULL * 16);
}

TEST_CASE("perft counts moves, not turns") {
  const Toy start = Toy::start({});
  CHECK(perft(start, 1) == 3);      // choose a token
  CHECK(perft(start, 2) == 3 * 6);  // challenge one of six
}

// Without shortcuts: every sequence is played to its end.
template <Game P>
std::uint64_t slow_perft(const P& position, int depth) {
  if (depth == 0) return 1;
  typename P::Moves moves;
  position.legal_moves(moves);
  std::uint64_t total = 0;
  for (const Move move : moves) {
    P next = position;
    next.play(move);
    total += slow_perft(next, depth - 1);
  }
  return total;
}

template <Game P>
void check_perft(const P& position, int depth) {
  INFO(position.text());
  CHECK(generic_perft(position, depth) == slow_perft(position, depth));
  std::uint64_t total = 0;
  typename P::Moves moves;
  position.legal_moves(moves);
  const auto parts = divide(position, depth);
  REQUIRE(static_cast<int>(parts.size()) == moves.size());
  for (int i = 0; i < moves.size(); ++i) {
    CHECK(parts[static_cast<std::size_t>(i)].move == moves[i]);
    total += parts[static_cast<std::size_t>(i)].sequences;
  }
  CHECK(total == perft(position, depth));
}

TEST_CASE("perft equals the plain count, and its parts add up") {
  for (int depth = 1; depth <= 3; ++depth) {
    check_perft(Gomoku::start({5, 1}), depth);
    check_perft(Toy::start({}), depth);
    check_perft(Chess::start(), depth);
    check_perft(
        Chess::parse("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
        depth);
  }
}

TEST_CASE("chess counts by the movement rules, past draws") {
  const Chess bare = Chess::parse("8/8/8/3k4/8/8/8/KB6 w - - 0 1");  // drawn: cannot mate
  CHECK(generic_perft(bare, 1) == 0);
  CHECK(perft(bare, 1) > 0);
  CHECK(perft(Chess::start(), 4) == 197281);  // published
  CHECK(generic_perft(Chess::start(), 4) == 197281);
}

// tests/data/perft/chess.txt: FEN ; D<depth> <sequences> ; ... Deep entries belong to benchmarks.
TEST_CASE("chess perft equals the published numbers") {
  std::ifstream file(TEMPO_TEST_DATA "/perft/chess.txt");
  REQUIRE(file);
  int checked = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream fields(line);
    std::string field;
    std::getline(fields, field, ';');
    const Chess position = Chess::parse(field.substr(0, field.find_last_not_of(' ') + 1));
    INFO(line);
    while (std::getline(fields, field, ';')) {
      std::istringstream entry(field);
      char d = 0;
      int depth = 0;
      std::uint64_t sequences = 0;
      entry >> d >> depth >> sequences;
      REQUIRE(!entry.fail());
      if (sequences > 1'000'000) continue;
      CHECK(perft(position, depth) == sequences);
      CHECK(generic_perft(position, depth) <= sequences);  // draws end some lines
      ++checked;
    }
  }
  CHECK(checked >= 12);
}

}  // namespace test_perft
