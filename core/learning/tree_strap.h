// TreeStrap (Veness, Silver, Uther, Blair 2009) without writing terms down: the gradient by the
// weights of half the squared distance of searched positions from what the search proved of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "../nets/linear.h"
#include "../search/alpha_beta_value.h"

namespace tempo {

template <SumsTerms P>
struct TreeStrapGradient {
  std::vector<double> gradient = std::vector<double>(Terms<P>::count);  // summed
  double squares = 0;                                                   // of the distances, summed
  std::int64_t positions = 0;

  // A position whose value, for the team to move, lies from `low` to `high`.
  void add(const LinearEvaluator<P>& linear, const P& position, Value low, Value high) {
    constexpr double half = Terms<P>::half;
    const double sum = linear.advantage(position);
    const double scale = std::abs(sum) + half;
    const double value = sum / scale;
    const double error =
        value - std::clamp<double>(value, score_of_bound(low), score_of_bound(high));
    ++positions;
    if (error == 0) return;
    squares += error * error;
    Terms<P>::add(position, error * half / (scale * scale), gradient.data());
  }
};

}  // namespace tempo
