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

  void push(std::uint64_t key, std::uint8_t tag) {
    keys_.push_back(key);
    tags_.push_back(tag);
  }
  void pop() {
    keys_.pop_back();
    tags_.pop_back();
  }
  void clear() { truncate(0); }
  void truncate(std::size_t size) {
    keys_.resize(size);
    tags_.resize(size);
  }

  [[nodiscard]] std::size_t size() const { return keys_.size(); }
  // The i-th newest entry; 0 is the position just left.
  [[nodiscard]] Entry newest(std::size_t i) const {
    const std::size_t at = keys_.size() - 1 - i;
    return {keys_[at], tags_[at]};
  }

  // How often `key` stands among the newest `reach` entries.
  [[nodiscard]] int count(std::uint64_t key, std::size_t reach) const {
    std::uint64_t seen = 0;  // as wide as a key, or the comparison is not done in parallel
    const std::size_t size = keys_.size();
    for (std::size_t i = reach < size ? size - reach : 0; i < size; ++i)
      seen += keys_[i] == key ? 1 : 0;
    return static_cast<int>(seen);
  }

 private:
  // Apart, so that a processor compares several keys at a time.
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint8_t> tags_;
};

}  // namespace tempo
