// The critic: a network of one hidden layer, sigmoids and no biases that says how likely player 1
// is to win, and the update by which it learns (Zhao, Zhang, Dai 2012).
//
// Few inputs are not zero, so the hidden layer's sums are made from their rows of weights alone;
// the sums after a move differ from those before by a few rows.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "encoder.h"

namespace tempo::gomoku {

namespace critic {

// Sixteen numbers that are worked on together: one wide register, or several narrow ones with the
// same results. (Compilers turn loops over arrays into such registers, but carry sums through
// memory, which takes twice as long here.)
inline constexpr int lanes = 16;
using Lanes = float __attribute__((vector_size(lanes * sizeof(float))));
using Bits = std::uint32_t __attribute__((vector_size(lanes * sizeof(float))));

// Makes 1 / (1 + e^-x) of x, for one number or for lanes. e^x is right to about a unit in the last
// place (the polynomial of the Cephes library), from operations that every machine rounds alike.
template <class Floats, class Words>
inline void to_sigmoid(Floats& x) {
  const Floats zero{};
  Floats y = zero - x;
  y = y < -87.0F ? zero - 87.0F : y;
  y = y > 87.0F ? zero + 87.0F : y;
  constexpr float rounder = 12582912.0F;  // 1.5 * 2^23 leaves the whole part in the lowest bits
  const Floats shifted = y * 1.44269504F + rounder;
  const Floats whole = shifted - rounder;
  const Floats rest = (y - whole * 0.693359375F) + whole * 2.12194440e-4F;
  const Floats square = rest * rest;  // in pairs: a chain of six would have to wait for itself
  const Floats high = rest * 1.9875691500e-4F + 1.3981999507e-3F;
  const Floats middle = rest * 8.3334519073e-3F + 4.1665795894e-2F;
  const Floats low = rest * 1.6666665459e-1F + 5.0000001201e-1F;
  const Floats power = ((high * square + middle) * square + low) * square + (rest + 1.0F);
  const Words scale = (__builtin_bit_cast(Words, shifted) + 127U) << 23;
  x = 1.0F / (1.0F + power * __builtin_bit_cast(Floats, scale));
}

inline float sigmoid(float x) {
  to_sigmoid<float, std::uint32_t>(x);
  return x;
}

// The sum over lanes in one fixed order.
inline float total(const Lanes& sums) {
  std::array<float, lanes> left;
  for (int i = 0; i < lanes; ++i) left[static_cast<std::size_t>(i)] = sums[i];
  for (std::size_t half = lanes / 2; half > 0; half /= 2) {
    for (std::size_t i = 0; i < half; ++i) left[i] += left[i + half];
  }
  return left[0];
}

struct Block {
  Lanes of;
};

}  // namespace critic

// How the critic is taught. α enters twice: e = α [r + γ V(x') - V(x)], and the gradient of e²/2
// has α once more. A transition is learnt `repeats` times over.
struct LearningRule {
  float alpha = 0.2F;
  float rate_in = 0.05F;   // l1, of the weights into the hidden layer
  float rate_out = 0.05F;  // l2, of those out of it
  float discount = 1.0F;   // γ
  std::int32_t repeats = 50;
  bool moving_target = true;  // V(x') is looked up anew at each repeat; otherwise it stands still
};

class Critic {
 public:
  static constexpr int most_hidden = 256;
  using Sums = std::array<critic::Block, most_hidden / critic::lanes>;  // of the hidden layer

  Critic(const Encoder& encoder, int hidden)
      : encoder_(encoder),
        hidden_(static_cast<std::size_t>(hidden)),
        blocks_(static_cast<std::size_t>((hidden + critic::lanes - 1) / critic::lanes)),
        first_(static_cast<std::size_t>(encoder.count()) * blocks_),
        second_(blocks_),
        idle_(blocks_) {
    for (std::size_t i = 0; i < blocks_ * critic::lanes; ++i) {
      lane(idle_, 0, i) = i < hidden_ ? 0.0F : -1e9F;
    }
  }

  [[nodiscard]] const Encoder& encoder() const { return encoder_; }
  [[nodiscard]] int hidden() const { return static_cast<int>(hidden_); }
  [[nodiscard]] int inputs() const { return encoder_.count(); }

  // Weights as [inputs, hidden] and [hidden].
  void read(const float* first, const float* second) {
    for (std::size_t j = 0; j < static_cast<std::size_t>(inputs()); ++j) {
      for (std::size_t i = 0; i < hidden_; ++i) lane(first_, j, i) = first[j * hidden_ + i];
    }
    for (std::size_t i = 0; i < hidden_; ++i) lane(second_, 0, i) = second[i];
  }
  void write(float* first, float* second) {
    for (std::size_t j = 0; j < static_cast<std::size_t>(inputs()); ++j) {
      for (std::size_t i = 0; i < hidden_; ++i) first[j * hidden_ + i] = lane(first_, j, i);
    }
    for (std::size_t i = 0; i < hidden_; ++i) second[i] = lane(second_, 0, i);
  }

  void sum(const Inputs& inputs, Sums& sums) const {
    for (std::size_t b = 0; b < blocks_; ++b) {
      critic::Lanes here = idle_[b].of;
      add_rows(inputs, b, here);
      sums[b].of = here;
    }
  }

  [[nodiscard]] float value(const Sums& sums) const { return value_after(sums, Inputs()); }
  [[nodiscard]] float value(const Inputs& inputs) const {
    Sums sums;
    sum(inputs, sums);
    return value(sums);
  }

  // V when some inputs have changed since the sums were made.
  [[nodiscard]] float value_after(const Sums& sums, const Inputs& changes) const {
    critic::Lanes out{};
    for (std::size_t b = 0; b < blocks_; ++b) {
      critic::Lanes here = sums[b].of;
      add_rows(changes, b, here);
      critic::to_sigmoid<critic::Lanes, critic::Bits>(here);
      out += here * second_[b].of;
    }
    return critic::sigmoid(critic::total(out));
  }

  // Learns that x is worth what x' is. Returns how far they were apart.
  float learn(const LearningRule& rule, const Inputs& x, const Inputs& next) {
    Sums after;
    sum(next, after);
    return repeat(rule, x, after, x.dot(next), rule.discount * value(after), rule.moving_target);
  }
  // Learns that x is worth this much.
  float learn(const LearningRule& rule, const Inputs& x, float worth) {
    Sums nothing{};
    return repeat(rule, x, nothing, 0, worth, false);
  }

 private:
  using Blocks = std::vector<critic::Block>;

  float& lane(Blocks& blocks, std::size_t row, std::size_t i) const {
    auto* all = reinterpret_cast<float*>(&blocks[row * blocks_]);
    return all[i];
  }

  void add_rows(const Inputs& inputs, std::size_t b, critic::Lanes& here) const {
    for (const auto& [index, value] : inputs) {
      here += value * first_[static_cast<std::size_t>(index) * blocks_ + b].of;
    }
  }

  // Every repeat adds a multiple of x to the weights into each hidden unit, so that it adds the
  // multiple times x·x to the unit's sum at x, and times x·x' to that at x'. All repeats are
  // therefore done on sums, and the weights are written once. The same numbers, but for rounding.
  float repeat(const LearningRule& rule, const Inputs& x, Sums& next, float overlap, float target,
               bool is_moving) {
    Sums sums;
    Sums moved{};
    sum(x, sums);
    const float square = x.dot(x);
    const float apart = target - value(sums);
    for (int i = 0; i < rule.repeats; ++i) {
      if (i > 0 && is_moving) target = rule.discount * value(next);
      step(rule, sums, target, square, next, overlap, moved);
    }
    for (const auto& [index, value] : x) {
      for (std::size_t b = 0; b < blocks_; ++b) {
        first_[static_cast<std::size_t>(index) * blocks_ + b].of += value * moved[b].of;
      }
    }
    return apart;
  }

  void step(const LearningRule& rule, Sums& sums, float target, float square, Sums& next,
            float overlap, Sums& moved) {
    Sums active;
    critic::Lanes out{};
    for (std::size_t b = 0; b < blocks_; ++b) {
      active[b] = sums[b];
      critic::to_sigmoid<critic::Lanes, critic::Bits>(active[b].of);
      out += active[b].of * second_[b].of;
    }
    const float value = critic::sigmoid(critic::total(out));
    const float error = rule.alpha * (target - value);
    const float push = rule.alpha * error * value * (1 - value);
    for (std::size_t b = 0; b < blocks_; ++b) {
      const critic::Lanes g = active[b].of;
      const critic::Lanes change = (rule.rate_in * push) * second_[b].of * g * (1 - g);
      second_[b].of += (rule.rate_out * push) * g;
      sums[b].of += change * square;
      next[b].of += change * overlap;
      moved[b].of += change;
    }
  }

  Encoder encoder_;
  std::size_t hidden_;
  std::size_t blocks_;  // of lanes, to hold all hidden units
  Blocks first_;        // [inputs, blocks]
  Blocks second_;       // [blocks]
  Blocks idle_;         // [blocks] sums of no inputs: lanes behind the last unit stay switched off
};

}  // namespace tempo::gomoku
