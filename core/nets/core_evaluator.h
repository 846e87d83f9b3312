// The evaluators that live in the core, chosen at run time: none, the game's static function, a
// weighted sum of its terms, a dense network, or a network in integers. One type, so that a search
// is compiled once per game and not once per evaluator.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "../evaluator.h"
#include "dense.h"
#include "incremental.h"
#include "linear.h"
#include "lines.h"

namespace tempo {

// A game without terms has no weighted sum of them.
template <Game P>
struct LinearOf : std::type_identity<NoEvaluator<P>> {};
template <HasTerms P>
struct LinearOf<P> : std::type_identity<LinearEvaluator<P>> {};

// A network in integers, where a game has inputs for one.
template <Game P>
struct IntegerNetworkOf : std::type_identity<NoEvaluator<P>> {};
template <HasSparseFeatures P>
struct IntegerNetworkOf<P> : std::type_identity<IncrementalEvaluator<P>> {};
template <HasLines P>
struct IntegerNetworkOf<P> : std::type_identity<LineEvaluator<P>> {};

template <Game P>
inline constexpr bool has_integer_network = HasSparseFeatures<P> || HasLines<P>;

template <HasFeatures P>
class CoreEvaluator {
 public:
  using Static = typename StaticEvaluatorOf<P>::type;
  using Linear = typename LinearOf<P>::type;
  using IntegerNetwork = typename IntegerNetworkOf<P>::type;

  static constexpr bool prefers_batches = false;

  CoreEvaluator() = default;  // knows nothing
  static CoreEvaluator with_static() {
    CoreEvaluator evaluator;
    evaluator.static_.emplace();
    return evaluator;
  }
  static CoreEvaluator with_linear(const Linear& linear) {
    CoreEvaluator evaluator;
    evaluator.linear_.emplace(linear);
    return evaluator;
  }
  static CoreEvaluator with_network(DenseEvaluator<P> network) {
    CoreEvaluator evaluator;
    evaluator.dense_.emplace(std::move(network));
    return evaluator;
  }

  static CoreEvaluator with_integers(IntegerNetwork network) {
    CoreEvaluator evaluator;
    evaluator.integers_.emplace(std::move(network));
    return evaluator;
  }

  void operator()(std::span<const P> positions, std::span<Scores> values) {
    if (static_) {
      (*static_)(positions, values);
    } else if (linear_) {
      (*linear_)(positions, values);
    } else if (dense_) {
      (*dense_)(positions, values);
    } else if (integers_) {
      (*integers_)(positions, values);
    } else {
      NoEvaluator<P>{}(positions, values);
    }
  }

  // The weighted sum, if it is one; a static evaluation may be.
  [[nodiscard]] const Linear* linear() const {
    if constexpr (std::is_same_v<Static, Linear>) {
      if (static_) return &*static_;
    }
    return linear_ ? &*linear_ : nullptr;
  }

  // Whether it looks at whole positions; a network is given what the seat to move may know.
  [[nodiscard]] bool sees_all() const { return static_ || linear_; }

  // Of one evaluation.
  [[nodiscard]] std::int64_t multiply_adds() const {
    if constexpr (HasTerms<P>) {
      if (linear_) return Linear::count;
    }
    if constexpr (has_integer_network<P>) {
      if (integers_) return integers_->network().multiply_adds();
    }
    return dense_ ? dense_->network().multiply_adds() : 0;
  }

 private:
  std::optional<Static> static_;
  std::optional<Linear> linear_;
  std::optional<DenseEvaluator<P>> dense_;
  std::optional<IntegerNetwork> integers_;
};

}  // namespace tempo
