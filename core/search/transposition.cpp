#include "transposition.h"

#include <bit>

namespace tempo {

TranspositionTable::TranspositionTable(std::size_t bytes) {
  if (bytes >= sizeof(Bucket)) buckets_.resize(std::bit_floor(bytes / sizeof(Bucket)));
}

void TranspositionTable::next_search(bool forget) {
  forget_ = forget;
  if (++age_ == ages) {
    age_ = 1;
    clear();
  }
}

void TranspositionTable::clear() { buckets_.assign(buckets_.size(), Bucket{}); }

}  // namespace tempo
