// What Python sees of a search result: the scores of exactly as many seats as the game has.
#pragma once

#include <nanobind/nanobind.h>

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

nb::tuple scores_tuple(const Scores& scores, int seats);
void bind_search_types(nb::module_& core);

}  // namespace tempo::bind
