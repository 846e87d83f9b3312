// A transposition table: what a search found out about a position, by its key, in a fixed number of
// bytes. Entries carry the whole key, so a wrong hit needs two positions with equal 64-bit keys.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "../game.h"

namespace tempo {

// What a stored value says about the true one.
enum class Bound : std::uint8_t { None, Lower, Upper, Exact };

class TranspositionTable {
 public:
  struct Entry {
    std::uint64_t key = 0;
    std::int32_t value = 0;
    Move move = no_move;
    std::int8_t depth = 0;
    std::uint8_t bound : 2 = 0;
    std::uint8_t age : 6 = 0;  // 0: never written

    [[nodiscard]] Bound kind() const { return Bound{bound}; }
  };
  static_assert(sizeof(Entry) == 16);

  // Uses at most `bytes`, rounded down to a power of two; below 64 the table holds nothing.
  explicit TranspositionTable(std::size_t bytes);

  [[nodiscard]] bool empty() const { return buckets_.empty(); }
  [[nodiscard]] std::size_t bytes() const { return buckets_.size() * sizeof(Bucket); }

  // Begins a search. Older entries are the first to be replaced; with `forget` they count as never
  // written, which costs nothing.
  void next_search(bool forget);
  void clear();

  [[nodiscard]] const Entry* find(std::uint64_t key) const {
    if (empty()) return nullptr;
    for (const Entry& entry : buckets_[slot(key)].entries) {
      if (entry.key == key && is_live(entry)) return &entry;
    }
    return nullptr;
  }

  // Replaces the entry of the same position, or else the least worth keeping of its bucket: old
  // before new, shallow before deep. A better entry of the same position and search stays.
  void store(std::uint64_t key, std::int32_t value, Move move, int depth, Bound bound) {
    if (empty()) return;
    Entry* worst = nullptr;
    for (Entry& entry : buckets_[slot(key)].entries) {
      if (entry.key == key && is_live(entry)) {
        const bool keeps = entry.age == age_ && entry.depth > depth && bound != Bound::Exact;
        if (keeps && entry.kind() != Bound::None) return;
        worst = &entry;
        break;
      }
      if (worst == nullptr || worth(entry) < worth(*worst)) worst = &entry;
    }
    worst->key = key;
    worst->value = value;
    worst->move = move;
    worst->depth = static_cast<std::int8_t>(depth);
    worst->bound = static_cast<std::uint8_t>(bound) & 3U;
    worst->age = age_ & 63U;
  }

 private:
  static constexpr std::uint8_t ages = 64;

  struct alignas(64) Bucket {
    std::array<Entry, 4> entries;
  };

  [[nodiscard]] std::size_t slot(std::uint64_t key) const { return key & (buckets_.size() - 1); }
  [[nodiscard]] bool is_live(const Entry& entry) const {
    return forget_ ? entry.age == age_ : entry.age != 0;
  }
  [[nodiscard]] int worth(const Entry& entry) const {
    if (!is_live(entry)) return -1;
    return (entry.age == age_ ? 256 : 0) + entry.depth;
  }

  std::vector<Bucket> buckets_;
  std::uint8_t age_ = 0;
  bool forget_ = true;
};

}  // namespace tempo
