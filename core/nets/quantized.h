// Small dense layers in integers: bytes in, weights of a byte, sums of 32 bits. What a network in
// integers ends with, whatever it begins with.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "integer_kernels.h"

namespace tempo {

// One layer as a learner writes it: weights [outputs, inputs] row by row, bias [outputs].
struct QuantizedLayer {
  int inputs = 0;
  int outputs = 0;
  std::vector<std::int8_t> weights;
  std::vector<std::int32_t> bias;
};

// Layers with rectified units between them, and one number in the end.
class QuantizedLayers {
 public:
  static constexpr int widest = 1024;

  // Throws std::invalid_argument when the shapes do not fit.
  QuantizedLayers(int inputs, const std::vector<QuantizedLayer>& layers);

  [[nodiscard]] int inputs() const { return layers_.front().inputs; }
  [[nodiscard]] std::int64_t multiply_adds() const { return multiply_adds_; }

  // The last layer's number for `units`, which is changed.
  std::int32_t forward(const IntegerKernels& kernels, std::uint8_t* units) const {
    std::int32_t sums[widest];
    for (std::size_t i = 0;; ++i) {
      const QuantizedLayer& layer = layers_[i];
      kernels.multiply(layer.weights.data(), layer.bias.data(), units, layer.inputs, layer.outputs,
                       sums);
      if (i + 1 == layers_.size()) return sums[0];
      for (int o = 0; o < layer.outputs; ++o) {
        units[o] = static_cast<std::uint8_t>(std::clamp(sums[o] >> weight_shift, 0, unit_one));
      }
      std::fill(units + layer.outputs, units + layers_[i + 1].inputs, std::uint8_t{0});
    }
  }

 private:
  std::vector<QuantizedLayer> layers_;  // inputs padded to whole registers
  std::int64_t multiply_adds_ = 0;
};

// A score in (-1, 1) of the last number: z / (1 + |z|) with z that number over 127 * 64.
inline float score_of_sum(std::int32_t sum) {
  const auto x = static_cast<float>(sum);
  return x / ((x < 0 ? -x : x) + static_cast<float>(unit_one * weight_one));
}

}  // namespace tempo
