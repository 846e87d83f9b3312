// A transposition table: what a search found out about a position, by its key, in a fixed number of
// bytes. Entries carry all of the key but ten bits, so a wrong hit needs two positions with equal
// keys of 54 bits in one bucket.
//
// Several threads may read and write one table. An entry is two words, written one after the other
// without a lock; the first is stored combined with the second, so that an entry of which another
// thread has written one word belongs to no position (Hyatt and Mann 2002).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <vector>

#include "../game.h"

namespace tempo {

// What a stored value says about the true one.
enum class Bound : std::uint8_t { None, Lower, Upper, Exact };

class TranspositionTable {
 public:
  static constexpr std::int32_t no_stand = -(1 << 20);  // no evaluation is stored

  // Values within 2^21, evaluations within 2^20 of 0.
  struct Entry {
    std::int32_t value = 0;
    std::int32_t stand = no_stand;  // the evaluation of the position itself
    Move move = no_move;
    std::int8_t depth = 0;
    Bound bound = Bound::None;
    std::uint8_t age = 0;  // 0: never written
  };

  // Uses at most `bytes`, rounded down to a power of two; below 64 the table holds nothing.
  explicit TranspositionTable(std::size_t bytes);

  [[nodiscard]] bool empty() const { return buckets_.empty(); }
  [[nodiscard]] std::size_t bytes() const { return buckets_.size() * sizeof(Bucket); }

  // Begins a search. Older entries are the first to be replaced; with `forget` they count as never
  // written, which costs nothing. With `ageing` an entry loses worth with every search since it was
  // written, and nothing is cleared when the ages begin anew. Not while others use the table.
  void next_search(bool forget, bool ageing = false);
  void clear();

  // Whether the table knows a position; fills `entry` if so.
  [[nodiscard]] bool find(std::uint64_t key, Entry& entry) const {
    if (empty()) return false;
    for (const Slot& slot : buckets_[place(key)].slots) {
      const Words words = slot.read();
      if (!words.is_of(key) || !is_live(words.age())) continue;
      entry = words.entry();
      return true;
    }
    return false;
  }

  // Replaces the entry of the same position, or else the least worth keeping of its bucket: old
  // before new, shallow before deep. A better entry of the same position and search stays.
  void store(std::uint64_t key, std::int32_t value, Move move, int depth, Bound bound,
             std::int32_t stand = no_stand) {
    if (empty()) return;
    Slot* worst = nullptr;
    int least = 0;
    for (Slot& slot : buckets_[place(key)].slots) {
      const Words words = slot.read();
      const Entry entry = words.entry();
      if (words.is_of(key) && is_live(entry.age)) {
        const bool keeps = entry.age == age_ && entry.depth > depth && bound != Bound::Exact;
        if (keeps && entry.bound != Bound::None) return;
        worst = &slot;
        break;
      }
      const int worth = worth_of(entry);
      if (worst == nullptr || worth < least) {
        worst = &slot;
        least = worth;
      }
    }
    worst->write(
        Words::of(key, {value, stand, move, static_cast<std::int8_t>(depth), bound, age_}));
  }

  // Begins to fetch the bucket of a position from memory.
  void prefetch(std::uint64_t key) const {
    if (!empty()) __builtin_prefetch(&buckets_[place(key)]);
  }

 private:
  static constexpr std::uint8_t ages = 64;

  // An entry packed. The low ten bits of the first word, which the bucket's number tells of the
  // key in any table of a useful size, hold what has no room in the second:
  //   first:  key 54 | age 6 | bound 2 | depth, its two lowest bits
  //   second: value 22 | stand 21 | move 16 | depth, its five highest bits
  struct Words {
    static constexpr std::uint64_t spare = (1U << 10) - 1;

    std::uint64_t first = 0;
    std::uint64_t second = 0;

    static Words of(std::uint64_t key, const Entry& entry) {
      const auto depth = static_cast<std::uint64_t>(entry.depth);
      const auto bits = [](std::int32_t number, int width) {
        return static_cast<std::uint64_t>(static_cast<std::uint32_t>(number)) &
               ((std::uint64_t{1} << width) - 1);
      };
      return {(key & ~spare) | std::uint64_t{entry.age} << 4 |
                  static_cast<std::uint64_t>(entry.bound) << 2 | (depth & 3),
              bits(entry.value, 22) << 42 | bits(entry.stand, 21) << 21 |
                  static_cast<std::uint64_t>(index(entry.move)) << 5 | (depth >> 2 & 31)};
    }
    [[nodiscard]] bool is_of(std::uint64_t key) const { return ((first ^ key) & ~spare) == 0; }
    [[nodiscard]] std::uint8_t age() const { return static_cast<std::uint8_t>(first >> 4 & 63); }
    [[nodiscard]] Entry entry() const {
      return {static_cast<std::int32_t>(static_cast<std::int64_t>(second) >> 42),
              static_cast<std::int32_t>(static_cast<std::int64_t>(second << 22) >> 43),
              Move{static_cast<std::uint16_t>(second >> 5)},
              static_cast<std::int8_t>((second & 31) << 2 | (first & 3)),
              Bound{static_cast<std::uint8_t>(first >> 2 & 3)},
              age()};
    }
  };
  struct Slot {
    std::atomic<std::uint64_t> mixed = 0;
    std::atomic<std::uint64_t> second = 0;

    [[nodiscard]] Words read() const {
      const std::uint64_t data = second.load(std::memory_order_relaxed);
      return {mixed.load(std::memory_order_relaxed) ^ data, data};
    }
    void write(const Words& words) {
      mixed.store(words.first ^ words.second, std::memory_order_relaxed);
      second.store(words.second, std::memory_order_relaxed);
    }
  };
  struct alignas(64) Bucket {
    std::array<Slot, 4> slots;
  };
  static_assert(sizeof(Bucket) == 64);

  [[nodiscard]] std::size_t place(std::uint64_t key) const { return key & (buckets_.size() - 1); }
  [[nodiscard]] bool is_live(std::uint8_t age) const { return forget_ ? age == age_ : age != 0; }
  [[nodiscard]] int worth_of(const Entry& entry) const {
    if (!is_live(entry.age)) return -1000;
    if (!ageing_) return (entry.age == age_ ? 256 : 0) + entry.depth;
    const int older = (age_ - entry.age + ages - 1) % (ages - 1);  // ages go from 1 to 63
    return entry.depth - 4 * older;
  }

  std::vector<Bucket> buckets_;
  std::uint8_t age_ = 0;
  bool forget_ = true;
  bool ageing_ = false;
};

}  // namespace tempo
