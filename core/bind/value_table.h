// Tables of learnt values as Python holds them, and as evaluators read them.
#pragma once

#include <memory>

#include "../learning/value_table.h"
#include "guard.h"

namespace tempo::bind {

// A table that its evaluators keep alive. Whoever reads or writes it waits for those who write.
struct SharedTable {
  ValueTable table;
  Alone alone;
};

// A table with the threads that read it; Python's threads take turns.
struct HeldTable {
  explicit HeldTable(int threads) : pool(std::make_unique<Pool>(threads)) {}

  std::shared_ptr<SharedTable> shared = std::make_shared<SharedTable>();
  ValueTable& table = shared->table;
  Alone& alone = shared->alone;
  std::unique_ptr<Pool> pool;
};

}  // namespace tempo::bind
