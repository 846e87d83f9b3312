#include "transposition.h"

#include <bit>

namespace tempo {

TranspositionTable::TranspositionTable(std::size_t bytes)
    : buckets_(bytes >= sizeof(Bucket) ? std::bit_floor(bytes / sizeof(Bucket)) : 0) {}

void TranspositionTable::next_search(bool forget, bool ageing) {
  forget_ = forget;
  ageing_ = ageing;
  if (++age_ < ages) return;
  age_ = 1;
  if (forget || !ageing) clear();
}

void TranspositionTable::clear() {
  for (Bucket& bucket : buckets_) {
    for (Slot& slot : bucket.slots) slot.write({});
  }
}

}  // namespace tempo
