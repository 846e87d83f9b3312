#include "evaluator.h"

#include <string>

namespace tempo::bind {

namespace {

Activation activation_named(const Text& given) {
  const std::string name = given.string();
  if (name == "linear") return Activation::Linear;
  if (name == "relu") return Activation::Relu;
  if (name == "tanh") return Activation::Tanh;
  if (name == "sigmoid") return Activation::Sigmoid;
  throw ParseError("there is no activation '" + name + "'; there are linear, relu, tanh, sigmoid");
}

}  // namespace

std::shared_ptr<const DenseNetwork> Layers::network() const {
  std::vector<DenseLayer> layers;
  for (const auto& [weights, bias, activation] : *all_) {
    layers.push_back({static_cast<int>(weights.shape(1)),
                      static_cast<int>(weights.shape(0)),
                      {weights.data(), weights.data() + weights.size()},
                      {bias.data(), bias.data() + bias.size()},
                      activation_named(activation)});
  }
  return std::make_shared<const DenseNetwork>(layers);
}

}  // namespace tempo::bind

bool nanobind::detail::type_caster<tempo::bind::Layers>::from_python(
    handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
  make_caster<tempo::bind::Layers::All> caster;
  if (!caster.from_python(source, flags, cleanup)) return false;
  value = tempo::bind::Layers(std::move(caster.value));
  return true;
}
