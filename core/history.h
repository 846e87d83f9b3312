// The positions a game has passed through since its last irreversible move, as keys: what
// repetition rules need of the past. Positions stay pure; games in play and searches carry one of
// these beside them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tempo {

class History {
 public:
  struct Entry {
    std::uint64_t key;
    std::uint8_t tag;  // what the game wants to remember of that position, see Remembers
  };

  void push(std::uint64_t key, std::uint8_t tag) { entries_.push_back({key, tag}); }
  void pop() { entries_.pop_back(); }
  void clear() { entries_.clear(); }
  void truncate(std::size_t size) { entries_.resize(size); }

  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  // The i-th newest entry; 0 is the position just left.
  [[nodiscard]] const Entry& newest(std::size_t i) const {
    return entries_[entries_.size() - 1 - i];
  }

  // How often `key` stands among the newest `reach` entries.
  [[nodiscard]] int count(std::uint64_t key, std::size_t reach) const {
    int seen = 0;
    const std::size_t size = entries_.size();
    for (std::size_t i = reach < size ? size - reach : 0; i < size; ++i)
      seen += entries_[i].key == key;
    return seen;
  }

 private:
  std::vector<Entry> entries_;
};

}  // namespace tempo
