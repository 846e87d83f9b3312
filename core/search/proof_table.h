// What a proof-number search knows of positions, in a fixed number of entries. A full bucket
// forgets the entry that cost least to find out, so that a search larger than the table goes on.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

namespace tempo {

// How many leaves must still be won to prove that the attacker wins, and how many to disprove it.
// A win has proof 0 and disproof `unprovable`, a failure the reverse.
inline constexpr std::uint32_t unprovable = std::uint32_t{1} << 28;

// Index 0 is the number that the attacker wants small, index 1 the one that the defender does.
using ProofNumbers = std::uint32_t[2];

inline constexpr std::uint16_t on_nothing = std::numeric_limits<std::uint16_t>::max();

struct ProofResult {
  ProofNumbers numbers = {1, 1};
  std::uint16_t length = 0;  // plies to the end of the proof that was found
  // A failure that rests on a repetition holds only while the repeated position is on the path:
  // the number of that position on it, or on_nothing.
  std::uint16_t rests_on = on_nothing;

  [[nodiscard]] bool is_win() const { return numbers[0] == 0; }
  [[nodiscard]] bool is_failure() const { return numbers[1] == 0; }
  static ProofResult win(std::uint16_t length) { return {{0, unprovable}, length, on_nothing}; }
  static ProofResult failure(std::uint16_t rests_on = on_nothing) {
    return {{unprovable, 0}, 0, rests_on};
  }
};

// `Attack` says what one position's holding tells about the same board with another (see `covers`
// in proof_number.h).
template <class Attack>
class ProofTable {
 public:
  using Holding = typename Attack::Holding;

  // Rounded to a power of two, at least one bucket.
  explicit ProofTable(std::size_t entries)
      : entries_(std::bit_ceil(std::max(entries, bucket_size))) {}

  void clear() { entries_.assign(entries_.size(), Entry{}); }

  // What is known of a position: from itself, or from the same board with a holding that settles
  // it. Returns whether anything is.
  bool find(std::uint64_t key, Holding holding, ProofResult& result) const {
    const Entry* bucket = &entries_[slot(key)];
    const Entry* same = nullptr;
    for (const Entry* entry = bucket; entry != bucket + bucket_size && entry->work != 0; ++entry) {
      if (entry->key != key) continue;
      const bool wins = entry->result.is_win() && Attack::covers(holding, entry->holding);
      const bool fails = entry->result.is_failure() && Attack::covers(entry->holding, holding);
      if (wins || fails) {
        result = entry->result;
        return true;
      }
      if (entry->holding == holding) same = entry;
    }
    if (same != nullptr) result = same->result;
    return same != nullptr;
  }
  // The same, where only an equal holding counts.
  bool find_equal(std::uint64_t key, Holding holding, ProofResult& result) const {
    const Entry* bucket = &entries_[slot(key)];
    for (const Entry* entry = bucket; entry != bucket + bucket_size && entry->work != 0; ++entry) {
      if (entry->key != key || entry->holding != holding) continue;
      result = entry->result;
      return true;
    }
    return false;
  }

  // `work`: what it cost to find out, at least 1.
  void store(std::uint64_t key, Holding holding, const ProofResult& result, std::uint32_t work) {
    Entry* bucket = &entries_[slot(key)];
    Entry* place = bucket;
    for (Entry* entry = bucket; entry != bucket + bucket_size; ++entry) {
      if (entry->work == 0 || (entry->key == key && entry->holding == holding)) {
        place = entry;
        break;
      }
      if (entry->work < place->work) place = entry;
    }
    const bool same = place->work != 0 && place->key == key && place->holding == holding;
    *place = {key, holding, same ? std::max(work, place->work) : work, result};
  }

 private:
  struct Entry {
    std::uint64_t key = 0;
    Holding holding{};
    std::uint32_t work = 0;  // 0: never written. Entries of a bucket are filled in order.
    ProofResult result;
  };
  static constexpr std::size_t bucket_size = 16;

  [[nodiscard]] std::size_t slot(std::uint64_t key) const {
    return (key * bucket_size) & (entries_.size() - 1);
  }

  std::vector<Entry> entries_;
};

}  // namespace tempo
