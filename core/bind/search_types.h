// What Python sees of a search result: the scores of exactly as many seats as the game has.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>

#include "../search/result.h"

namespace tempo::bind {

namespace nb = nanobind;

struct FoundMove {
  RootMove move;
  int seats;
};
struct Found {
  SearchResult result;
  int seats;
};

// Tells Python what a search knows after an iteration, but no more than twenty times a second:
// taking the GIL may mean waiting for it. None is told nothing.
class Watching {
 public:
  Watching(nb::handle function, int seats) : function_(function), seats_(seats) {}
  [[nodiscard]] std::function<void(const SearchResult&)> watch();

 private:
  static constexpr double between = 0.05;  // seconds

  nb::handle function_;
  int seats_;
  double last_ = 0;
};

nb::tuple scores_tuple(const Scores& scores, int seats);
void bind_search_types(nb::module_& core);

}  // namespace tempo::bind
