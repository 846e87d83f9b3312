#include "batch.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>

#include "../errors.h"

namespace tempo {
namespace {

// Throws IllegalMove for a game of a batch, in words.
[[noreturn]] void refuse(int game, const std::string& why) {
  throw IllegalMove("game " + std::to_string(game) + ": " + why);
}

}  // namespace

AnyBatch::AnyBatch(const AnyGame& game, const void* start, int count, std::uint64_t seed,
                   int threads, bool deal)
    : game_(&game),
      start_(game),
      deal_(deal && game.deal != nullptr),
      pool_(std::make_unique<Pool>(game.useful_threads(threads))),
      positions_(game) {
  const auto games = static_cast<std::size_t>(count);
  start_.set(start);
  positions_.reserve(games);
  pasts_.resize(games);
  streams_.reserve(games);
  lengths_.resize(games);
  for (std::size_t i = 0; i < games; ++i) {
    positions_.push_back(start);
    streams_.emplace_back(seed, i);
    begin(i);
  }
}

void AnyBatch::begin(std::size_t i) {
  game_->set(positions_[i], start_.get());
  pasts_[i].clear();
  lengths_[i] = 0;
  if (deal_) game_->deal(positions_[i], streams_[i]);
}

void AnyBatch::place(int i, const void* position, const History& past) {
  game_->set(positions_[place_of(i)], position);
  pasts_[place_of(i)] = past;
  lengths_[place_of(i)] = 0;
}

void AnyBatch::restart(std::span<const std::uint8_t> which) {
  each([&](int i) {
    if (which.empty() || which[place_of(i)] != 0) begin(place_of(i));
  });
}

std::span<const Move> AnyBatch::legal_moves(int i, MoveRoom& room) const {
  const auto moves = game_->legal_moves(at(i), room.get());
  if (game_->remembers && !moves.empty() && game_->end_by_past(at(i), past(i))) return {};
  return moves;
}

void AnyBatch::legal_mask(std::uint8_t* out) {
  const auto width = static_cast<std::size_t>(game_->move_numbers(start()));
  each([&](int i) {
    std::uint8_t* row = out + place_of(i) * width;
    std::memset(row, 0, width);
    MoveRoom room(*game_);
    for (const Move move : legal_moves(i, room)) row[index(move)] = 1;
  });
}

void AnyBatch::legal_list(std::vector<std::int64_t>& offsets, std::vector<std::uint16_t>& flat) {
  std::vector<std::vector<Move>> lists(pasts_.size());
  each([&](int i) {
    MoveRoom room(*game_);
    const auto moves = legal_moves(i, room);
    lists[place_of(i)].assign(moves.begin(), moves.end());
  });
  offsets.assign(1, 0);
  flat.clear();
  for (const auto& list : lists) {
    for (const Move move : list) flat.push_back(static_cast<std::uint16_t>(move));
    offsets.push_back(static_cast<std::int64_t>(flat.size()));
  }
}

void AnyBatch::play(std::span<const std::int32_t> moves) {
  each([&](int i) { check(i, moves[place_of(i)]); });
  pool_->run_whole(size(), [&](std::int64_t game) {
    const auto i = static_cast<std::size_t>(game);
    if (moves[i] == pass) return;
    game_->advance(positions_[i], pasts_[i], Move{static_cast<std::uint16_t>(moves[i])});
    ++lengths_[i];
  });
}

void AnyBatch::check(int i, std::int32_t move) const {
  if (move == pass) return;
  const int numbers = game_->move_numbers(start());
  if (move < 0 || move >= numbers) {
    refuse(i, "move number " + std::to_string(move) + " is not in 0 to " +
                  std::to_string(numbers - 1) + " and not -1 (no move)");
  }
  const Move chosen{static_cast<std::uint16_t>(move)};
  if (!game_->is_legal(at(i), chosen)) refuse(i, game_->why_illegal(at(i), chosen));
  if (const auto end = outcome(i)) refuse(i, "the game is over: " + std::string(end->reason));
}

std::int64_t AnyBatch::playout(int limit) {
  std::atomic<std::int64_t> total = 0;
  each([&](int game) {
    const std::size_t i = place_of(game);
    const int before = lengths_[i];
    game_->playout(positions_[i], pasts_[i], streams_[i], limit, lengths_[i]);
    total += lengths_[i] - before;
  });
  return total;
}

}  // namespace tempo
