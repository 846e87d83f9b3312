#include "any_game.h"

#include <algorithm>

namespace tempo {

void AnyPositions::reserve(std::size_t count) {
  if (count <= capacity_) return;
  AnyPositions larger(*game_);
  larger.capacity_ = std::max(count, 2 * capacity_);
  larger.room_ = std::make_unique_for_overwrite<std::byte[]>(larger.capacity_ * game_->size);
  for (; larger.size_ < size_; ++larger.size_) {
    game_->copy(larger[larger.size_], (*this)[larger.size_]);
  }
  *this = std::move(larger);
}

}  // namespace tempo
