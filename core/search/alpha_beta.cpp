// What alpha-beta searches of all games share.
#include <algorithm>
#include <stdexcept>

#include "../parallel/pool.h"
#include "alpha_beta_root.h"
#include "alpha_beta_settings.h"
#include "result.h"

namespace tempo {

void require_sound(const AlphaBetaSettings& settings, bool forks) {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
  };
  const auto is_time = [](double seconds) { return seconds >= 0 && seconds <= longest_seconds; };
  require(settings.depth >= 0 && settings.depth <= most_depth, "alpha-beta depth must be 0 to 100");
  require(is_time(settings.seconds), "alpha-beta seconds must be 0 to 1e9");
  require(is_time(settings.soft_seconds), "alpha-beta soft_seconds must be 0 to 1e9");
  require(settings.positions >= 0, "alpha-beta positions cannot be negative");
  require(settings.margin >= 0 && settings.margin <= 1,
          "alpha-beta's margin is a score from 0 to 1");
  require(settings.depth > 0 || settings.positions > 0 || settings.seconds > 0,
          "alpha-beta needs a budget: depth, positions or seconds");
  require(settings.threads >= 1 && settings.threads <= Pool::most_threads,
          "alpha-beta takes 1 to 1024 threads");
  require(settings.threads == 1 || forks,
          "several threads need an evaluator that can be copied for each");
  for (const StepName& step : step_names) {
    const int number = settings.steps.*step.step;
    require(number >= 0 && number <= 1000, "alpha-beta's steps are numbers from 0 to 1000");
  }
}

void sort_behind_first(std::vector<RootEntry>& root) {
  std::stable_sort(root.begin() + 1, root.end(),
                   [](const RootEntry& a, const RootEntry& b) { return a.value > b.value; });
}

}  // namespace tempo
