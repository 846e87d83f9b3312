#include "quantized.h"

#include <stdexcept>

namespace tempo {

namespace {

int padded(int inputs) { return (inputs + unit_lanes - 1) / unit_lanes * unit_lanes; }

[[noreturn]] void refuse(std::size_t number, const std::string& what) {
  throw std::invalid_argument("layer " + std::to_string(number) + " " + what);
}

}  // namespace

QuantizedLayers::QuantizedLayers(int inputs, const std::vector<QuantizedLayer>& layers) {
  if (layers.empty()) throw std::invalid_argument("a network in integers needs a last layer");
  for (std::size_t n = 0; n < layers.size(); ++n) {
    const QuantizedLayer& given = layers[n];
    if (given.inputs != inputs) {
      refuse(n, "takes " + std::to_string(given.inputs) + " inputs; before it come " +
                    std::to_string(inputs));
    }
    if (given.outputs < 1 || given.outputs > widest || given.inputs > widest) {
      refuse(n,
             "has 1 to " + std::to_string(widest) + " units, not " + std::to_string(given.outputs));
    }
    const auto in = static_cast<std::size_t>(given.inputs);
    const auto out = static_cast<std::size_t>(given.outputs);
    if (given.weights.size() != in * out || given.bias.size() != out) {
      refuse(n, "has weights and biases of different shapes");
    }
    // Far from what would overflow a sum: 1024 products of 127 * 128 are 2^24.
    constexpr std::int32_t largest = 1 << 28;
    for (const std::int32_t b : given.bias) {
      if (b > largest || b < -largest) refuse(n, "has a bias beyond 2^28");
    }
    QuantizedLayer layer{padded(given.inputs), given.outputs, {}, given.bias};
    const auto wide = static_cast<std::size_t>(layer.inputs);
    layer.weights.assign(wide * out, 0);
    for (std::size_t o = 0; o < out; ++o) {
      std::copy_n(given.weights.begin() + static_cast<std::ptrdiff_t>(o * in), in,
                  layer.weights.begin() + static_cast<std::ptrdiff_t>(o * wide));
    }
    multiply_adds_ += std::int64_t{given.inputs} * given.outputs;
    layers_.push_back(std::move(layer));
    inputs = given.outputs;
  }
  if (inputs != 1) throw std::invalid_argument("the last layer of a network has one output");
}

}  // namespace tempo
