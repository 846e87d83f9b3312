// Thousands of games side by side. Arrays go in and out; each game has its own random stream made
// from (seed, game index), so that results are the same whatever the number of threads.
#pragma once

#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../game.h"
#include "../game_features.h"
#include "pool.h"

namespace tempo {

// Throw IllegalMove for a game of a batch, in words.
[[noreturn]] void refuse_number(int game, int move, int move_numbers);
[[noreturn]] void refuse_move(int game, const std::string& why);
[[noreturn]] void refuse_over(int game, std::string_view reason);

template <Game P>
class Batch {
 public:
  // `start` is the position every game begins from, unless the game is dealt: then each game draws
  // its own deal from its own stream.
  Batch(const P& start, int count, std::uint64_t seed, int threads, bool deal)
      : start_(start), deal_(deal), pool_(std::make_unique<Pool>(useful_threads<P>(threads))) {
    slots_.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
      slots_.emplace_back(start, Random(seed, static_cast<std::uint64_t>(i)));
      begin(slots_.back());
    }
  }

  [[nodiscard]] int size() const { return static_cast<int>(slots_.size()); }
  [[nodiscard]] int threads() const { return pool_->threads(); }
  [[nodiscard]] const P& position(int i) const { return slot(i).position; }
  [[nodiscard]] const History& past(int i) const { return slot(i).past; }
  [[nodiscard]] typename P::Options options() const { return start_.options(); }
  [[nodiscard]] const Random& random(int i) const { return slot(i).random; }
  void set_random(int i, const Random::State& state) { slot(i).random = Random(state); }
  [[nodiscard]] int length(int i) const { return slot(i).length; }
  [[nodiscard]] std::optional<Outcome> outcome(int i) const {
    return tempo::outcome(slot(i).position, slot(i).past);
  }

  // Puts game i at a position of its own.
  void place(int i, const P& position, const History& past) {
    slot(i).position = position;
    slot(i).past = past;
    slot(i).length = 0;
  }

  // Starts anew every game whose flag is set (all of them without flags); streams go on where they
  // are.
  void restart(std::span<const std::uint8_t> which) {
    each([&](int i) {
      if (which.empty() || which[static_cast<std::size_t>(i)] != 0) begin(slot(i));
    });
  }

  // The legal moves of game i, empty when it is over, by repetition too.
  void legal_moves(int i, typename P::Moves& moves) const {
    const Slot& s = slot(i);
    s.position.legal_moves(moves);
    if constexpr (Remembers<P>) {
      if (!moves.empty() && s.position.outcome_by_past(s.past)) moves.clear();
    }
  }

  // [B, A] ones where a move number is legal. `out` is overwritten.
  void legal_mask(std::uint8_t* out) {
    const auto width = static_cast<std::size_t>(P::move_numbers(options()));
    each([&, width](int i) {
      std::uint8_t* row = out + static_cast<std::size_t>(i) * width;
      std::memset(row, 0, width);
      typename P::Moves moves;
      legal_moves(i, moves);
      for (const Move move : moves) row[index(move)] = 1;
    });
  }

  // Legal moves as one flat list; those of game i stand at offsets[i] .. offsets[i + 1] - 1.
  void legal_list(std::vector<std::int64_t>& offsets, std::vector<std::uint16_t>& flat) {
    std::vector<std::vector<std::uint16_t>> lists(slots_.size());
    each([&](int i) {
      typename P::Moves moves;
      legal_moves(i, moves);
      auto& list = lists[static_cast<std::size_t>(i)];
      list.reserve(static_cast<std::size_t>(moves.size()));
      for (const Move move : moves) list.push_back(static_cast<std::uint16_t>(move));
    });
    offsets.assign(1, 0);
    flat.clear();
    for (const auto& list : lists) {
      flat.insert(flat.end(), list.begin(), list.end());
      offsets.push_back(static_cast<std::int64_t>(flat.size()));
    }
  }

  // Plays one move in every game; `pass` (-1) leaves a game alone. Checks all moves first: if one
  // is illegal nothing is played, and IllegalMove names the game.
  static constexpr std::int32_t pass = -1;
  void play(std::span<const std::int32_t> moves) {
    each([&](int i) { check(i, moves[static_cast<std::size_t>(i)]); });
    pool_->run_whole(size(), [&](std::int64_t i) {
      const std::int32_t move = moves[static_cast<std::size_t>(i)];
      if (move != pass) advance(slot(static_cast<int>(i)), Move{static_cast<std::uint16_t>(move)});
    });
  }

  // Plays uniform random moves until every game is over or has made `limit` more moves (0: no
  // limit). Returns the number of moves made.
  std::int64_t playout(int limit) {
    std::atomic<std::int64_t> total = 0;
    each([&](int i) {
      Slot& s = slot(i);
      int made = 0;
      while (limit == 0 || made < limit) {
        if constexpr (Remembers<P>) {
          if (s.position.outcome_by_past(s.past)) break;
        }
        const Move move = tempo::random_move(s.position, s.random);
        if (move == no_move) break;
        advance(s, move);
        if (++made % 1024 == 0) throw_if_stopped();
      }
      total += made;
    });
    return total;
  }

  // [B, planes, rows, columns], each from the side of the seat to move.
  void features(float* out)
    requires HasFeatures<P>
  {
    const auto width = static_cast<std::size_t>(feature_count<P>(options()));
    each([&, width](int i) {
      const P& position = slot(i).position;
      write_features(position, position.turn(), out + static_cast<std::size_t>(i) * width);
    });
  }

  [[nodiscard]] Pool& pool() { return *pool_; }

  // Calls work(i) for every game, on all threads.
  template <class Work>
  void each(Work work) {
    pool_->run(size(), [&](std::int64_t i) { work(static_cast<int>(i)); });
  }

 private:
  struct Slot {
    Slot(const P& p, const Random& r) : position(p), random(r) {}
    P position;
    History past;
    Random random;
    int length = 0;
  };

  [[nodiscard]] Slot& slot(int i) { return slots_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] const Slot& slot(int i) const { return slots_[static_cast<std::size_t>(i)]; }

  void begin(Slot& s) {
    s.position = start_;
    s.past.clear();
    s.length = 0;
    if constexpr (Dealt<P>) {
      if (deal_) s.position = P::deal(start_.options(), s.random);
    }
  }

  static void advance(Slot& s, Move move) {
    tempo::play(s.position, s.past, move);
    ++s.length;
  }

  void check(int i, std::int32_t move) const {
    if (move == pass) return;
    const Slot& s = slot(i);
    const int numbers = P::move_numbers(options());
    if (move < 0 || move >= numbers) refuse_number(i, move, numbers);
    const Move chosen{static_cast<std::uint16_t>(move)};
    if (!s.position.is_legal(chosen)) refuse_move(i, s.position.why_illegal(chosen));
    if (const auto end = tempo::outcome(s.position, s.past)) refuse_over(i, end->reason);
  }

  P start_;
  bool deal_;
  std::unique_ptr<Pool> pool_;
  std::vector<Slot> slots_;
};

}  // namespace tempo
