// What alpha-beta searches of all games share.
#include <algorithm>
#include <stdexcept>

#include "alpha_beta_root.h"
#include "alpha_beta_settings.h"
#include "result.h"

namespace tempo {

void require_sound(const AlphaBetaSettings& settings) {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
  };
  require(settings.depth >= 0 && settings.depth <= 100, "alpha-beta depth must be 0 to 100");
  require(settings.seconds >= 0 && settings.seconds <= longest_seconds,
          "alpha-beta seconds must be 0 to 1e9");
  require(settings.positions >= 0, "alpha-beta positions cannot be negative");
  require(settings.margin >= 0 && settings.margin <= 1,
          "alpha-beta's margin is a score from 0 to 1");
  require(settings.depth > 0 || settings.positions > 0 || settings.seconds > 0,
          "alpha-beta needs a budget: depth, positions or seconds");
}

void sort_behind_first(std::vector<RootEntry>& root) {
  std::stable_sort(root.begin() + 1, root.end(),
                   [](const RootEntry& a, const RootEntry& b) { return a.value > b.value; });
}

}  // namespace tempo
