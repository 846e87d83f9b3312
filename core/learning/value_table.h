// Learnt values by key: a hash table of 16 bytes an entry that grows, read and updated by arrays.
// It knows nothing of what its keys stand for. Values never depend on the order in which keys came.
//
// Collisions of whole keys go unseen: among n random 64-bit keys one is to be expected with
// probability n * n / 2^65, which is three in a million at ten million entries.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "../parallel/pool.h"
#include "../stop.h"

namespace tempo {

class ValueTable {
 public:
  // An entry without visits is an empty place: every key may be used, 0 too.
  struct Entry {
    std::uint64_t key = 0;
    float value = 0.0F;
    std::uint32_t visits = 0;
  };
  static_assert(sizeof(Entry) == 16);

  ValueTable() : entries_(least_places) {}

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t places() const { return entries_.size(); }
  // Bytes held.
  [[nodiscard]] std::size_t memory() const { return sizeof(*this) + places() * sizeof(Entry); }

  // The entry of a key; one with value 0 and no visits if there is none.
  [[nodiscard]] Entry find(std::uint64_t key) const {
    const Entry& entry = entries_[place_of(key)];
    return entry.visits != 0 ? entry : Entry{key};
  }

  // Values and visits of many keys, absent ones and those not `wanted` (if given) as 0.
  void read(std::span<const std::uint64_t> keys, const std::uint8_t* wanted, float* values,
            std::uint32_t* visits, Pool& pool) const {
    constexpr std::size_t block = 8192;  // waking a thread costs as much as reading this many
    const auto read_block = [&](std::int64_t i) {
      const std::size_t begin = static_cast<std::size_t>(i) * block;
      read_range(keys, wanted, begin, std::min(begin + block, keys.size()), values, visits);
    };
    pool.run(static_cast<std::int64_t>((keys.size() + block - 1) / block), read_block, 1);
  }

  // Adds to the value of each key and counts a visit, one after the other: a key may come twice.
  void add(std::span<const std::uint64_t> keys, const double* deltas) {
    update(keys, [deltas](std::size_t i, double value) { return value + deltas[i]; });
  }

  // Moves the value of each key a share of the way to its target and counts a visit, one after the
  // other. A key that comes twice moves from where the first left it, so that however often it
  // comes it stays between its targets; adding differences from one old value would overshoot.
  void approach(std::span<const std::uint64_t> keys, const double* targets, double share) {
    update(keys, [targets, share](std::size_t i, double value) {
      return value + share * (targets[i] - value);
    });
  }

  // Puts an entry, with visits above 0, in the place of whatever the key had.
  void put(const Entry& entry) {
    Entry& place = made(entry.key);
    place.value = entry.value;
    place.visits = entry.visits;
  }

  // Makes room for `count` entries.
  void reserve(std::size_t count) {
    std::size_t places = entries_.size();
    while (!holds(places, count)) places *= 2;
    if (places != entries_.size()) grow(places);
  }

  // All entries by ascending key: the same for tables that hold the same.
  [[nodiscard]] std::vector<Entry> sorted() const {
    std::vector<Entry> found;
    found.reserve(size_);
    std::copy_if(entries_.begin(), entries_.end(), std::back_inserter(found),
                 [](const Entry& entry) { return entry.visits != 0; });
    StopPoll poll;
    std::sort(found.begin(), found.end(), [&](const Entry& a, const Entry& b) {
      poll.check();
      return a.key < b.key;
    });
    return found;
  }

 private:
  static constexpr std::size_t least_places = 1024;
  static constexpr std::size_t ahead = 24;  // keys between asking for a place and using it

  // At most three places in four are taken: at ten million entries that is 16.8 million places.
  static constexpr bool holds(std::size_t places, std::size_t count) {
    return count <= places / 4 * 3;
  }

  // Where the search for a key begins. The high bits of the product keep their order when the table
  // doubles, so that growing reads and writes memory in order.
  [[nodiscard]] std::size_t home_of(std::uint64_t key) const {
    return static_cast<std::size_t>(key * 0x9E3779B97F4A7C15ULL >> shift_);
  }
  // The place of a key, or the empty one where it would go.
  [[nodiscard]] std::size_t place_of(std::uint64_t key) const {
    std::size_t at = home_of(key);
    while (entries_[at].visits != 0 && entries_[at].key != key) at = (at + 1) & (places() - 1);
    return at;
  }
  void fetch(std::uint64_t key) const { __builtin_prefetch(&entries_[home_of(key)]); }

  void read_range(std::span<const std::uint64_t> keys, const std::uint8_t* wanted,
                  std::size_t begin, std::size_t end, float* values, std::uint32_t* visits) const {
    const auto asked = [&](std::size_t i) { return wanted == nullptr || wanted[i] != 0; };
    for (std::size_t i = begin; i < std::min(begin + ahead, end); ++i) {
      if (asked(i)) fetch(keys[i]);
    }
    for (std::size_t i = begin; i < end; ++i) {
      if (i + ahead < end && asked(i + ahead)) fetch(keys[i + ahead]);
      const Entry found = asked(i) ? find(keys[i]) : Entry{};
      values[i] = found.value;
      visits[i] = found.visits;
    }
  }

  template <class Change>
  void update(std::span<const std::uint64_t> keys, const Change& change) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (i % 8192 == 8191) throw_if_stopped();
      if (i + ahead < keys.size()) fetch(keys[i + ahead]);
      Entry& entry = made(keys[i]);
      entry.value = static_cast<float>(change(i, static_cast<double>(entry.value)));
      if (entry.visits != std::numeric_limits<std::uint32_t>::max()) ++entry.visits;
    }
  }

  // The entry of a key, put there if it is new; the caller must leave it with a visit.
  Entry& made(std::uint64_t key) {
    std::size_t at = place_of(key);
    if (entries_[at].visits != 0) return entries_[at];
    if (!holds(places(), size_ + 1)) {
      grow(2 * places());
      at = place_of(key);
    }
    ++size_;
    entries_[at] = {key};
    return entries_[at];
  }

  void grow(std::size_t places) {
    std::vector<Entry> old(places);
    old.swap(entries_);
    shift_ = 64 - std::countr_zero(places);
    for (const Entry& entry : old) {
      if (entry.visits != 0) entries_[place_of(entry.key)] = entry;
    }
  }

  std::vector<Entry> entries_;  // a power of two of places
  int shift_ = 64 - std::countr_zero(least_places);
  std::size_t size_ = 0;
};

}  // namespace tempo
