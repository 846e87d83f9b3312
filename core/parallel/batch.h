// Thousands of games side by side. Arrays go in and out; each game has its own random stream made
// from (seed, game index), so that results are the same whatever the number of threads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "../any_game.h"
#include "../game_features.h"
#include "pool.h"

namespace tempo {

class AnyBatch {
 public:
  // `start` is the position every game begins from, unless the game is dealt: then each game draws
  // its own deal from its own stream.
  AnyBatch(const AnyGame& game, const void* start, int count, std::uint64_t seed, int threads,
           bool deal);

  [[nodiscard]] const AnyGame& game() const { return *game_; }
  [[nodiscard]] int size() const { return static_cast<int>(pasts_.size()); }
  [[nodiscard]] int threads() const { return pool_->threads(); }
  [[nodiscard]] const void* start() const { return start_.get(); }
  [[nodiscard]] const void* at(int i) const { return positions_[place_of(i)]; }
  [[nodiscard]] const History& past(int i) const { return pasts_[place_of(i)]; }
  [[nodiscard]] const Random& random(int i) const { return streams_[place_of(i)]; }
  void set_random(int i, const Random::State& state) { streams_[place_of(i)] = Random(state); }
  [[nodiscard]] int length(int i) const { return lengths_[place_of(i)]; }
  [[nodiscard]] std::optional<Outcome> outcome(int i) const {
    return game_->outcome(at(i), past(i));
  }

  // Puts game i at a position of its own.
  void place(int i, const void* position, const History& past);
  // Starts anew every game whose flag is set (all of them without flags); streams go on where they
  // are.
  void restart(std::span<const std::uint8_t> which);

  // [B, A] ones where a move number is legal. `out` is overwritten.
  void legal_mask(std::uint8_t* out);
  // Legal moves as one flat list; those of game i stand at offsets[i] .. offsets[i + 1] - 1.
  void legal_list(std::vector<std::int64_t>& offsets, std::vector<std::uint16_t>& flat);

  // Plays one move in every game; `pass` (-1) leaves a game alone. Checks all moves first: if one
  // is illegal nothing is played, and IllegalMove names the game.
  static constexpr std::int32_t pass = -1;
  void play(std::span<const std::int32_t> moves);

  // Plays uniform random moves until every game is over or has made `limit` more moves (0: no
  // limit). Returns the number of moves made.
  std::int64_t playout(int limit);

  [[nodiscard]] Pool& pool() { return *pool_; }

  // Calls work(i) for every game, on all threads.
  template <class Work>
  void each(const Work& work) {
    pool_->run(size(), [&](std::int64_t i) { work(static_cast<int>(i)); });
  }

 private:
  static std::size_t place_of(int i) { return static_cast<std::size_t>(i); }
  void begin(std::size_t i);
  // The legal moves of game i, none when it is over, by repetition too.
  [[nodiscard]] std::span<const Move> legal_moves(int i, MoveRoom& room) const;
  void check(int i, std::int32_t move) const;

  const AnyGame* game_;
  AnyPosition start_;
  bool deal_;
  std::unique_ptr<Pool> pool_;
  AnyPositions positions_;
  std::vector<History> pasts_;
  std::vector<Random> streams_;
  std::vector<int> lengths_;
};

template <Game P>
class Batch : public AnyBatch {
 public:
  Batch(const P& start, int count, std::uint64_t seed, int threads, bool deal)
      : AnyBatch(any_game<P>, &start, count, seed, threads, deal) {}

  [[nodiscard]] const P& position(int i) const { return as<P>(at(i)); }
  [[nodiscard]] typename P::Options options() const { return as<P>(start()).options(); }

  // [B, planes, rows, columns], each from the side of the seat to move.
  void features(float* out)
    requires HasFeatures<P>
  {
    const auto width = static_cast<std::size_t>(feature_count<P>(options()));
    each([&](int i) {
      write_features(position(i), position(i).turn(), out + static_cast<std::size_t>(i) * width);
    });
  }
};

}  // namespace tempo
