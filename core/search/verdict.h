// What a search for a forced win says.
#pragma once

#include <cstdint>

namespace tempo {

enum class Verdict : std::uint8_t {
  Win,     // the seat to move wins, the search's line says how
  None,    // no attack of the kind searched wins
  Unknown  // the budget ended first
};

}  // namespace tempo
