// The 20 patterns of Gomoku: what a few stones on an empty board count, worked out by hand, and
// counts stone by stone against counts anew.
#include <doctest/doctest.h>

#include <initializer_list>
#include <map>
#include <vector>

#include "games/gomoku/patterns.h"

namespace test_gomoku_patterns {

using namespace tempo::gomoku;
using tempo::index;
using tempo::Move;
using tempo::Random;
using tempo::Seat;

constexpr Seat black{0};
constexpr Seat white{1};
constexpr std::uint64_t seed = 2012;

// Pattern numbers from 1, as the paper's table would have them.
using Expected = std::map<int, int>;

Expected found(const PatternBoard& board, Seat seat) {
  Expected counts;
  for (int pattern = 0; pattern < pattern_kinds; ++pattern) {
    if (board.count(seat, pattern) != 0) counts[pattern + 1] = board.count(seat, pattern);
  }
  return counts;
}

Expected found(std::initializer_list<int> points, std::initializer_list<int> opposing = {}) {
  PatternBoard board(15);
  for (const int point : points) board.put(black, point);
  for (const int point : opposing) board.put(white, point);
  return found(board, black);
}

TEST_CASE("gomoku patterns: a few stones on an empty board") {
  constexpr int h8 = 7 * 15 + 7;
  CHECK(found({h8}) == Expected{{20, 8}});
  CHECK(found({0}).empty());
  CHECK(found({h8, h8 + 1}) == Expected{{13, 2}, {16, 2}, {20, 12}});
  CHECK(found({h8 - 1, h8, h8 + 1}) == Expected{{6, 2}, {8, 2}, {16, 2}, {20, 18}});
  const Expected open_four{{2, 1}, {3, 2}, {8, 2}, {16, 2}, {20, 24}};
  CHECK(found({h8 - 1, h8, h8 + 1, h8 + 2}) == open_four);
  const Expected closed_four{{3, 1}, {8, 1}, {16, 1}, {20, 24}};
  CHECK(found({h8 - 1, h8, h8 + 1, h8 + 2}, {h8 - 2}) == closed_four);
  const Expected five{{1, 1}, {3, 2}, {8, 2}, {16, 2}, {20, 30}};
  CHECK(found({h8 - 2, h8 - 1, h8, h8 + 1, h8 + 2}) == five);
}

TEST_CASE("gomoku patterns: each seat has its own, and every pattern matches its own text") {
  for (int pattern = 0; pattern < pattern_kinds; ++pattern) {
    const auto text = pattern_texts[static_cast<std::size_t>(pattern)];
    for (const Seat seat : {black, white}) {
      PatternBoard board(20);
      const Seat other{static_cast<std::uint8_t>(1 - index(seat))};
      for (int x = 0; x < static_cast<int>(text.size()); ++x) {
        if (text[static_cast<std::size_t>(x)] == 'X') board.put(seat, x);
      }
      board.put(other, static_cast<int>(text.size()));  // the edge around, a stone at the end
      INFO(text);
      CHECK(board.count(seat, pattern) == 1);
    }
  }
}

TEST_CASE("gomoku patterns: stone by stone as anew, and lifting undoes putting") {
  Random random(seed);
  for (int size = 5; size <= 20; ++size) {
    for (int game = 0; game < 4; ++game) {
      Position position = Position::start({static_cast<std::int16_t>(size), 0});
      PatternBoard board(size);
      std::vector<int> played;
      while (!position.is_over()) {
        const Move move = position.random_move(random);
        board.put(position.turn(), index(move));
        position.play(move);
        played.push_back(index(move));
        REQUIRE(board.counts() == board.scratch_counts());
        REQUIRE(board.counts() == PatternBoard(position).counts());
      }
      while (!played.empty()) {
        board.lift(played.size() % 2 == 1 ? black : white, played.back());
        played.pop_back();
      }
      CHECK(board.counts() == PatternBoard(size).counts());
    }
  }
}

}  // namespace test_gomoku_patterns
