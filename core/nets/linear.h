// Evaluators that are a weighted sum of a game's terms: what TreeStrap and its relatives learn.
// Terms are numbers that the mover can read off a position (material, mobility, shapes); a game
// that names its terms specialises `Terms`.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "../evaluator.h"

namespace tempo {

template <class P>
struct Terms;  // specialised in the game's own folder

template <class P>
concept HasTerms = Game<P> && requires(const P& position, float* out) {
  { Terms<P>::count } -> std::convertible_to<int>;
  { Terms<P>::half } -> std::convertible_to<float>;  // a sum of this size is worth half a win
  { Terms<P>::names[0] } -> std::convertible_to<std::string_view>;
  { Terms<P>::hand_tuned[0] } -> std::convertible_to<float>;  // weights by hand, to start from
  // Writes `count` numbers as the seat to move sees them.
  { Terms<P>::write(position, out) } -> std::same_as<void>;
};

// What follows from visiting the terms that a position has: `Own::each(position, term)` calls
// `term(number, value)` for each of them, and those of one number add up.
template <class Own, class P>
struct VisitedTerms {
  static void write(const P& position, float* out) {
    std::fill_n(out, Own::count, 0.0F);
    Own::each(position, [out](int i, float value) { out[i] += value; });
  }
  static float sum(const P& position, const float* weights) {
    float sum = 0;
    Own::each(position, [&](int i, float value) { sum += weights[i] * value; });
    return sum;
  }
  // Adds each term, `times` times.
  static void add(const P& position, double times, double* out) {
    Own::each(position, [&](int i, float value) { out[i] += times * static_cast<double>(value); });
  }
};

// Games with thousands of terms, most of them 0: the sum is taken without writing them down.
template <class P>
concept SumsTerms = HasTerms<P> && requires(const P& position, const float* weights, double* out) {
  { Terms<P>::sum(position, weights) } -> std::same_as<float>;
  { Terms<P>::add(position, 1.0, out) } -> std::same_as<void>;  // adds a multiple of the terms
};

// Adds the terms of a position, `times` times over.
template <HasTerms P>
void add_terms(const P& position, double times, double* out) {
  if constexpr (SumsTerms<P>) {
    Terms<P>::add(position, times, out);
  } else {
    std::array<float, static_cast<std::size_t>(Terms<P>::count)> terms;
    Terms<P>::write(position, terms.data());
    for (std::size_t i = 0; i < terms.size(); ++i) out[i] += times * terms[i];
  }
}

// Division is exactly rounded on every machine, which tanh is not.
inline float squash(float advantage, float half) {
  return advantage / ((advantage < 0 ? -advantage : advantage) + half);
}

template <HasTerms P>
class LinearEvaluator {
 public:
  static constexpr bool prefers_batches = false;
  static constexpr int count = Terms<P>::count;
  using Weights = std::array<float, static_cast<std::size_t>(count)>;

  LinearEvaluator() { std::copy_n(std::begin(Terms<P>::hand_tuned), count, weights_.begin()); }
  explicit LinearEvaluator(const Weights& weights) : weights_(weights) {}

  [[nodiscard]] float advantage(const P& position) const {
    if constexpr (SumsTerms<P>) {
      return Terms<P>::sum(position, weights_.data());
    } else {
      Weights terms;
      Terms<P>::write(position, terms.data());
      return sum(terms);
    }
  }
  [[nodiscard]] float sum(const Weights& terms) const {
    // Eight sums side by side: fast, and in an order that no compiler may change.
    std::array<float, 8> sums{};
    for (std::size_t i = 0; i < terms.size(); ++i) sums[i % 8] += weights_[i] * terms[i];
    return ((sums[0] + sums[4]) + (sums[1] + sums[5])) +
           ((sums[2] + sums[6]) + (sums[3] + sums[7]));
  }

  void operator()(std::span<const P> positions, std::span<Scores> values) const {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const float mover = squash(advantage(positions[i]), Terms<P>::half);
      const bool first = index(P::team_of(positions[i].turn())) == 0;
      values[i] = team_scores<P>(first ? mover : -mover);
    }
  }

 private:
  Weights weights_;
};

// The static evaluation of a game that has terms and nothing else: their hand-tuned weights.
template <HasTerms P>
struct StaticEvaluatorOf<P> : std::type_identity<LinearEvaluator<P>> {};

}  // namespace tempo
