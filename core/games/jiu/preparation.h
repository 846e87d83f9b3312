// The preparation stage as Li et al. (2019) learn it: the central 6x6 points are filled, one stone
// a move, White first; many games side by side, all at the same move. What a move leads to has a
// key, and every move has a reward (reward.h). How the other points are filled is not part of it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "../../errors.h"
#include "../../parallel/pool.h"
#include "../../random.h"
#include "board.h"
#include "reward.h"

namespace tempo::jiu {

inline constexpr int area_side = 6;
inline constexpr int area_points = area_side * area_side;

// What a key tells apart: ordered sequences of placements, as in the paper, or positions (the
// points either side holds) up to the four symmetries that keep the marked diagonal.
enum class KeyKind : std::uint8_t { Sequence, Position };

struct PreparationRules {
  int size = 14;
  bool either_end = false;  // White chooses its end of the diagonal; if not, it is the upper left
  KeyKind keys = KeyKind::Sequence;
  RewardRules reward;
};

// Where a symmetry takes a move: none, transposition, anti-transposition, half turn.
inline constexpr std::size_t area_symmetries = 4;
inline constexpr auto area_images = [] {
  std::array<std::array<std::uint8_t, area_points>, area_symmetries> images{};
  constexpr int last = area_side - 1;
  for (int row = 0; row < area_side; ++row) {
    for (int column = 0; column < area_side; ++column) {
      const std::array<int, area_symmetries> to = {
          row * area_side + column, column * area_side + row,
          (last - column) * area_side + last - row, (last - row) * area_side + last - column};
      for (std::size_t image = 0; image < area_symmetries; ++image) {
        images[image][static_cast<std::size_t>(to[0])] = static_cast<std::uint8_t>(to[image]);
      }
    }
  }
  return images;
}();

// A random number for every seat and move, to hash positions by (Zobrist 1970).
inline constexpr auto area_numbers = [] {
  std::array<std::array<std::uint64_t, area_points>, 2> numbers{};
  std::uint64_t next = 0;
  for (auto& seat : numbers) {
    for (auto& number : seat) number = next = split_mix(next);
  }
  return numbers;
}();

class Preparation {
 public:
  using Move = std::int32_t;  // row * 6 + column within the central points
  static constexpr int seats = 2;

  Preparation(const PreparationRules& rules, int games, int threads)
      : rules_(rules),
        pool_(std::make_unique<Pool>(threads)),
        games_(static_cast<std::size_t>(games)) {}

  [[nodiscard]] int games() const { return static_cast<int>(games_.size()); }
  [[nodiscard]] int placed() const { return placed_; }
  [[nodiscard]] int turn() const { return placed_ % seats; }
  [[nodiscard]] const PreparationRules& rules() const { return rules_; }

  // The point of a move on the whole board, row * size + column.
  [[nodiscard]] int point(Move move) const {
    const Cell cell = cell_of(move);
    return row_of(cell) * rules_.size + column_of(cell);
  }

  // Begins all games anew.
  void restart() {
    std::fill(games_.begin(), games_.end(), Game{});
    placed_ = 0;
  }

  // [B, 36] which moves are legal: one end of the diagonal, then the other, then any unfilled
  // point.
  void legal_mask(bool* out) const {
    each([&](std::size_t i) {
      const std::uint64_t open = legal(games_[i]);
      for (int move = 0; move < area_points; ++move) {
        out[i * area_points + static_cast<std::size_t>(move)] = (open >> move & 1) != 0;
      }
    });
  }

  // [B, 36] the key of what each legal move leads to, 0 for the others.
  void next_keys(std::uint64_t* out) const {
    each([&](std::size_t i) {
      std::uint64_t* row = out + i * area_points;
      std::fill_n(row, area_points, 0);
      for (std::uint64_t open = legal(games_[i]); open != 0; open &= open - 1) {
        const int move = std::countr_zero(open);
        row[move] = next_key(games_[i], move);
      }
    });
  }

  // Plays one move in every game and gives its reward to `rewards` [B]. Checks all moves first: if
  // one is illegal nothing is played.
  void play(std::span<const Move> moves, double* rewards) {
    for (std::size_t i = 0; i < games_.size(); ++i) check(i, moves[i]);
    each([&](std::size_t i) { rewards[i] = advance(games_[i], moves[i]); });
    ++placed_;
  }

 private:
  static constexpr std::uint64_t all_points = (std::uint64_t{1} << area_points) - 1;

  struct Game {
    std::array<Board, seats> stones;
    std::uint64_t filled = 0;                             // by move number
    std::array<std::uint64_t, area_symmetries> hashes{};  // of a sequence, only the first
  };

  [[nodiscard]] std::size_t hashes_kept() const {
    return rules_.keys == KeyKind::Sequence ? 1 : area_symmetries;
  }

  // The hash of a sequence with one more move, or of one image of a position with one more stone.
  // Who is to move follows from the number of stones.
  [[nodiscard]] std::uint64_t next_hash(const Game& game, std::size_t image, int move) const {
    const std::uint64_t hash = game.hashes[image];
    if (rules_.keys == KeyKind::Sequence) {
      return split_mix(hash + static_cast<std::uint64_t>(move + 1) * 0x9E3779B97F4A7C15ULL);
    }
    const std::size_t at = area_images[image][static_cast<std::size_t>(move)];
    return hash ^ area_numbers[static_cast<std::size_t>(turn())][at];
  }

  [[nodiscard]] std::uint64_t next_key(const Game& game, int move) const {
    std::uint64_t key = next_hash(game, 0, move);
    for (std::size_t image = 1; image < hashes_kept(); ++image) {
      key = std::min(key, next_hash(game, image, move));
    }
    return key;
  }

  [[nodiscard]] std::uint64_t legal(const Game& game) const {
    constexpr std::uint64_t upper = std::uint64_t{1} << (2 * area_side + 2);
    constexpr std::uint64_t lower = std::uint64_t{1} << (3 * area_side + 3);
    if (placed_ == 0) return rules_.either_end ? upper | lower : upper;
    if (placed_ == 1) return (upper | lower) & ~game.filled;
    return all_points & ~game.filled;
  }

  void check(std::size_t i, Move move) const {
    const bool known = move >= 0 && move < area_points;
    if (known && (legal(games_[i]) >> move & 1) != 0) return;
    const char* why = placed_ == area_points ? "all central points are filled"
                      : !known               ? "moves are 0 to 35"
                      : placed_ < 2          ? "the first two stones go to the ends of the diagonal"
                                             : "the point is filled";
    throw IllegalMove("game " + std::to_string(i) + ", stone " + std::to_string(placed_ + 1) +
                      ": move " + std::to_string(move) + " is illegal: " + why);
  }

  double advance(Game& game, Move move) const {
    for (std::size_t image = 0; image < hashes_kept(); ++image) {
      game.hashes[image] = next_hash(game, image, move);
    }
    game.filled |= std::uint64_t{1} << move;
    Board& own = game.stones[static_cast<std::size_t>(turn())];
    const Board& enemy = game.stones[static_cast<std::size_t>(1 - turn())];
    own.add(cell_of(move));
    return reward(own, enemy, rules_.size, cell_of(move), rules_.reward);
  }

  [[nodiscard]] Cell cell_of(Move move) const {
    const int first = rules_.size / 2 - area_side / 2;
    return cell_at(first + move / area_side, first + move % area_side);
  }

  // Waking a thread costs as much as a hundred games' move: fewer are left to the caller.
  template <class Work>
  void each(const Work& work) const {
    pool_->run_whole(
        static_cast<std::int64_t>(games_.size()),
        [&](std::int64_t i) { work(static_cast<std::size_t>(i)); }, 256);
  }

  PreparationRules rules_;
  std::unique_ptr<Pool> pool_;
  std::vector<Game> games_;
  int placed_ = 0;  // stones in each game
};

}  // namespace tempo::jiu
