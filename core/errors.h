// What goes wrong with input. Each message says what, where and what would have been right.
#pragma once

#include <stdexcept>

namespace tempo {

// Text, options or arrays that do not mean anything.
struct ParseError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A move that is well formed but not legal in its position.
struct IllegalMove : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// More threads or memory than the machine gives.
struct OutOfResources : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace tempo
