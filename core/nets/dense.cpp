#include "dense.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace tempo {

namespace {

// Eight floats side by side: one register with AVX, two without, the same sums in any case.
constexpr int lanes = 8;
using Lanes [[gnu::vector_size(lanes * sizeof(float))]] = float;

void activate(Activation activation, std::span<float> values) {
  switch (activation) {
    case Activation::Linear:
      break;
    case Activation::Relu:
      for (float& x : values) x = x > 0 ? x : 0;
      break;
    case Activation::Tanh:
      for (float& x : values) x = std::tanh(x);
      break;
    case Activation::Sigmoid:
      for (float& x : values) x = 1 / (1 + std::exp(-x));
      break;
  }
}

}  // namespace

DenseNetwork::DenseNetwork(const std::vector<DenseLayer>& layers) {
  if (layers.empty()) throw std::invalid_argument("a dense network needs at least one layer");
  for (std::size_t i = 0; i < layers.size(); ++i) add(layers[i], static_cast<int>(i));
}

DenseNetwork::Work::Work(const DenseNetwork& network)
    : values(2 * static_cast<std::size_t>(network.widest_)),
      indices(static_cast<std::size_t>(std::max(network.widest_, network.inputs()))) {}

std::span<const float> DenseNetwork::forward(std::span<const float> input, Work& work) const {
  float* out = work.values.data();
  float* spare = out + widest_;
  for (const Layer& layer : layers_) {
    multiply(layer, input.data(), work.indices.data(), out);
    input = {out, static_cast<std::size_t>(layer.outputs)};
    activate(layer.activation, {out, input.size()});
    std::swap(out, spare);
  }
  return input;
}

void DenseNetwork::add(const DenseLayer& layer, int number) {
  const auto fail = [&](const std::string& what) {
    throw std::invalid_argument("layer " + std::to_string(number) + ": " + what);
  };
  const auto shape = std::to_string(layer.outputs) + " x " + std::to_string(layer.inputs);
  if (layer.inputs < 1 || layer.outputs < 1) fail("shape " + shape + " is empty");
  const auto inputs = static_cast<std::size_t>(layer.inputs);
  const auto outputs = static_cast<std::size_t>(layer.outputs);
  if (layer.weights.size() != inputs * outputs) {
    fail("has " + std::to_string(layer.weights.size()) + " weights; " + shape + " needs " +
         std::to_string(inputs * outputs));
  }
  if (layer.bias.size() != outputs) {
    fail("has " + std::to_string(layer.bias.size()) + " biases; expected " +
         std::to_string(outputs));
  }
  const auto finite = [](float x) { return std::isfinite(x); };
  if (!std::all_of(layer.weights.begin(), layer.weights.end(), finite) ||
      !std::all_of(layer.bias.begin(), layer.bias.end(), finite)) {
    fail("has a weight that is not finite");
  }
  if (!layers_.empty() && layers_.back().outputs != layer.inputs) {
    fail("takes " + std::to_string(layer.inputs) + " inputs, but the layer before gives " +
         std::to_string(layers_.back().outputs));
  }
  const std::size_t stride = (outputs + lanes - 1) / lanes * lanes;
  Layer turned{layer.inputs, layer.outputs, static_cast<int>(stride), layer.activation, {}, {}};
  turned.columns.resize(inputs * stride);
  for (std::size_t o = 0; o < outputs; ++o) {
    for (std::size_t i = 0; i < inputs; ++i) {
      turned.columns[i * stride + o] = layer.weights[o * inputs + i];
    }
  }
  turned.bias = layer.bias;
  turned.bias.resize(stride);
  layers_.push_back(std::move(turned));
  widest_ = std::max(widest_, static_cast<int>(stride));
  multiply_adds_ += static_cast<std::int64_t>(layer.inputs) * layer.outputs;
}

// Sums columns of `registers` x 8 outputs over the inputs that are not zero. Neighbouring inputs
// go to different sums, so that an addition need not wait for the one before.
template <int registers>
void DenseNetwork::sum_columns(const Layer& layer, const float* input, std::span<const int> nonzero,
                               int from, float* out) {
  constexpr int chains = 8 / registers;
  Lanes sums[chains][registers] = {};
  const auto add = [&](int chain, int i) {
    const float* column = &layer.columns[static_cast<std::size_t>(i * layer.stride + from)];
    for (int r = 0; r < registers; ++r) {
      Lanes weights;
      std::memcpy(&weights, column + r * lanes, sizeof weights);
      sums[chain][r] += input[i] * weights;
    }
  };
  std::size_t k = 0;
  for (; k + chains <= nonzero.size(); k += chains) {
    for (int c = 0; c < chains; ++c) add(c, nonzero[k + static_cast<std::size_t>(c)]);
  }
  for (; k < nonzero.size(); ++k) add(0, nonzero[k]);
  for (int r = 0; r < registers; ++r) {
    Lanes total;
    std::memcpy(&total, &layer.bias[static_cast<std::size_t>(from + r * lanes)], sizeof total);
    for (int c = 0; c < chains; ++c) total += sums[c][r];
    std::memcpy(out + from + r * lanes, &total, sizeof total);
  }
}

void DenseNetwork::multiply(const Layer& layer, const float* input, int* indices, float* out) {
  std::size_t count = 0;
  const auto note = [&](int i) {
    indices[count] = i;
    count += input[i] != 0.0F;
  };
  int next = 0;
  for (; next + lanes <= layer.inputs; next += lanes) {
    std::array<std::uint64_t, lanes * sizeof(float) / sizeof(std::uint64_t)> bits;
    std::memcpy(bits.data(), input + next, sizeof bits);
    if ((bits[0] | bits[1] | bits[2] | bits[3]) == 0) continue;  // planes are mostly empty
    for (int k = 0; k < lanes; ++k) note(next + k);
  }
  for (; next < layer.inputs; ++next) note(next);
  const std::span<const int> nonzero(indices, count);
  int from = 0;
  for (; from + 4 * lanes <= layer.stride; from += 4 * lanes) {
    sum_columns<4>(layer, input, nonzero, from, out);
  }
  for (; from + 2 * lanes <= layer.stride; from += 2 * lanes) {
    sum_columns<2>(layer, input, nonzero, from, out);
  }
  if (from < layer.stride) sum_columns<1>(layer, input, nonzero, from, out);
}

void require_fit(const DenseNetwork* network, std::string_view game, std::size_t features,
                 int seats) {
  if (network == nullptr) throw std::invalid_argument("a dense evaluator needs a network");
  if (network->inputs() != static_cast<int>(features)) {
    throw std::invalid_argument("the network takes " + std::to_string(network->inputs()) +
                                " inputs; " + std::string(game) + " has " +
                                std::to_string(features) + " features");
  }
  if (network->outputs() != 1 && network->outputs() != seats) {
    throw std::invalid_argument("the network has " + std::to_string(network->outputs()) +
                                " outputs; expected 1 or one for each of " + std::to_string(seats) +
                                " seats");
  }
}

void throw_misfit(std::size_t inputs, std::string_view game, int features) {
  throw std::invalid_argument("the network takes " + std::to_string(inputs) +
                              " features; this position of " + std::string(game) + " has " +
                              std::to_string(features));
}

}  // namespace tempo
