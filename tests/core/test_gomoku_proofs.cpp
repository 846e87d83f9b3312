// What Gomoku's search calls decided, against a solver that knows nothing but the rules.
#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "games/gomoku/strong.h"
#include "random.h"

namespace test_gomoku_proofs {

using namespace tempo;
using namespace tempo::gomoku;

// Solves small boards: stones are bits, every empty point is tried, 1 win, 0 draw, -1 loss of the
// seat to move.
class Solver {
 public:
  explicit Solver(const Options& options) : exactly_five_(options.rule == 1), size_(options.size) {
    for (int y = 0; y < size_; ++y) {
      for (int x = 0; x < size_; ++x) {
        for (const auto& [right, up] : {std::pair{1, 0}, {0, 1}, {1, 1}, {1, -1}})
          add(x, y, right, up);
      }
    }
  }

  int solve(const Position& position) {
    std::uint64_t stones[2] = {0, 0};
    for (int y = 0; y < size_; ++y) {
      for (std::uint8_t seat = 0; seat < 2; ++seat) {
        const std::uint64_t row = position.row(Seat{seat}, y) >> Position::margin;
        stones[seat] |= row << (y * size_);
      }
    }
    const int mover = index(position.turn());
    known_.clear();
    return solve(stones[mover], stones[1 - mover]);
  }

 private:
  struct Line {
    std::uint64_t five;
    std::uint64_t ends;  // own stones here make it an overline
  };

  [[nodiscard]] bool on_board(int x, int y) const {
    return x >= 0 && y >= 0 && x < size_ && y < size_;
  }
  [[nodiscard]] std::uint64_t bit(int x, int y) const {
    return on_board(x, y) ? std::uint64_t{1} << (y * size_ + x) : 0;
  }
  void add(int x, int y, int right, int up) {
    if (!on_board(x + 4 * right, y + 4 * up)) return;
    Line line{0, bit(x - right, y - up) | bit(x + 5 * right, y + 5 * up)};
    for (int k = 0; k < 5; ++k) line.five |= bit(x + k * right, y + k * up);
    lines_.push_back(line);
  }
  [[nodiscard]] bool has_five(std::uint64_t own) const {
    for (const Line& line : lines_) {
      if ((own & line.five) == line.five && !(exactly_five_ && (own & line.ends) != 0)) return true;
    }
    return false;
  }

  [[nodiscard]] std::uint64_t fives(std::uint64_t stones, std::uint64_t empty) const {
    std::uint64_t found = 0;
    for (std::uint64_t bits = empty; bits != 0; bits &= bits - 1) {
      const std::uint64_t point = bits & (~bits + 1);
      if (has_five(stones | point)) found |= point;
    }
    return found;
  }

  // Nobody has five yet.
  int solve(std::uint64_t own, std::uint64_t enemy) {
    const std::uint64_t whole = (std::uint64_t{1} << (size_ * size_)) - 1;
    const std::uint64_t empty = whole & ~(own | enemy);
    if (empty == 0) return 0;
    const std::uint64_t key = own * 0x9E3779B97F4A7C15U ^ enemy;
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
    const std::uint64_t wins = fives(own, empty);
    const std::uint64_t threats = fives(enemy, empty);
    int best = wins != 0 ? 1 : -1;
    // Any move but the one that stops a five loses at once.
    for (std::uint64_t bits = threats != 0 ? threats : empty; bits != 0 && best < 1;
         bits &= bits - 1) {
      best = std::max(best, -solve(enemy, own | (bits & (~bits + 1))));
    }
    return known_[key] = best;
  }

  bool exactly_five_;
  int size_;
  std::vector<Line> lines_;
  std::unordered_map<std::uint64_t, int> known_;
};

// Most of a small board filled at random; nothing if somebody has five.
std::optional<Position> filled(const Options& options, int empty, std::uint64_t seed) {
  Random random(seed);
  Position position = Position::start(options);
  for (int stones = options.size * options.size - empty; stones > 0; --stones) {
    position.play(random_move(position, random));
    if (position.is_over()) return std::nullopt;
  }
  return position;
}

AlphaBetaSettings settings_of(std::int64_t positions) {
  AlphaBetaSettings settings;
  settings.positions = positions;
  settings.table_bytes = std::size_t{1} << 18;
  settings.reduce = settings.steep = true;
  settings.widen = true;
  return settings;
}

struct Claims {
  int made = 0;
  int wrong = 0;
};

void check(const Position& position, int truth, int threats, Claims& claims) {
  for (const std::int64_t positions : {40, 300, 3000}) {
    StrongSearch search(LeafEvaluation(), settings_of(positions), 20, 20, threats);
    const float value =
        search.search(position).scores[static_cast<std::size_t>(index(position.turn()))];
    if (value != 1.0F && value != -1.0F) continue;
    ++claims.made;
    claims.wrong += static_cast<int>(value) == truth ? 0 : 1;
  }
}

TEST_CASE("what gomoku's search calls decided is decided") {
  Claims claims;
  int threats = 0;
  int boards = 0;
  for (std::uint64_t i = 0; i < 60; ++i) {
    Options options;
    options.size = static_cast<decltype(options.size)>(5 + i % 3);
    options.rule = static_cast<decltype(options.rule)>(i / 3 % 2);
    const auto position = filled(options, 10 + static_cast<int>(i % 2), i);
    if (!position) continue;
    ++boards;
    const int truth = Solver(options).solve(*position);
    check(*position, truth, 0, claims);
    check(*position, truth, 30, claims);
    ThreatSearch search(1 << 10);
    if (search.search(*position, 300) != Verdict::Win) continue;
    ++threats;
    CHECK(truth == 1);
  }
  CHECK(boards > 20);
  CHECK(claims.made > 20);
  CHECK(claims.wrong == 0);
  CHECK(threats > 5);
}

TEST_CASE("gomoku's list of moves grows until nothing is left out") {
  const Counted quiet(Position::parse("9/9/9/4x4/4o4/9/9/9/9 x", Options{9, 0}));
  Counted::Moves moves;
  quiet.legal_moves(moves);
  CHECK(moves.size() == Counted::most_quiet_moves);
  while (quiet.widen(moves)) {
  }
  std::vector<int> listed;
  for (const Move move : moves) listed.push_back(index(move));
  std::sort(listed.begin(), listed.end());
  CHECK(std::adjacent_find(listed.begin(), listed.end()) == listed.end());
  CHECK(listed.size() == 79);
  const Counted forced(Position::parse("9/9/9/oo2o4/2xxxx3/9/9/9/9 o", Options{9, 0}));
  forced.legal_moves(moves);
  CHECK(moves.size() == 2);
  CHECK_FALSE(forced.widen(moves));
}

}  // namespace test_gomoku_proofs
