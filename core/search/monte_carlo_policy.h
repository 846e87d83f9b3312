// Priors: how likely each legal move is thought to be before any search.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>

#include "../evaluator.h"

namespace tempo {

// The legal moves of several positions one after another: those of position i are
// moves[offsets[i] .. offsets[i + 1]).
struct MoveRows {
  std::span<const Move> moves;
  std::span<const std::uint32_t> offsets;

  [[nodiscard]] std::size_t size() const { return offsets.empty() ? 0 : offsets.size() - 1; }
  [[nodiscard]] std::span<const Move> operator[](std::size_t i) const {
    return moves.subspan(offsets[i], offsets[i + 1] - offsets[i]);
  }
};

// An evaluator that may also have an opinion on moves, for prior-guided search. If it `has_policy`,
// it fills priors[k] for rows.moves[k]; they need not add up to one, and what is negative or not a
// number counts as 0.
template <class E, class P>
concept PolicyEvaluator =
    Evaluator<E, P> &&
    requires(E& evaluator, std::span<const P> positions, std::span<Scores> values,
             const MoveRows& rows, std::span<float> priors) {
      { evaluator(positions, values, rows, priors) } -> std::same_as<void>;
      { evaluator.has_policy } -> std::convertible_to<bool>;
    };

// Soft-max over the legal moves of each position of a network's [L, A] logits, A being the number
// of move numbers: the shape in which networks answer.
void priors_from_logits(const MoveRows& rows, std::span<const float> logits,
                        std::size_t move_numbers, std::span<float> priors);

// Gamma(alpha, 1) by Marsaglia and Tsang 2000, with their boost for alpha < 1.
double draw_gamma(double alpha, Random& random);

}  // namespace tempo
