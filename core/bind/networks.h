// Networks in integers as Python holds them: made of arrays once, then shared by evaluators.
#pragma once

#include <memory>

#include "../nets/incremental.h"
#include "../nets/lines.h"

namespace tempo::bind {

struct HeldIncremental {
  std::shared_ptr<const IncrementalNetwork> network;
};
struct HeldLines {
  std::shared_ptr<const LineNetwork> network;
};

}  // namespace tempo::bind
