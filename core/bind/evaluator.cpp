#include "evaluator.h"

#include <array>
#include <string>

#include "../learning/table_evaluator.h"
#include "search_types.h"

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

HeldEvaluator::HeldEvaluator(const HeldEvaluator&) = default;
HeldEvaluator::~HeldEvaluator() = default;

void HeldEvaluator::ask_outside(const void* positions, std::size_t count,
                                std::span<Scores> values) const {
  if (callback_) return (*callback_)(positions, count, values);
  table_->alone.reading(
      [&] { read_scores(table_->table, *game_->rules, positions, values.first(count)); });
}

void bind_evaluator(const HeldGame& game) {
  const HeldGame* g = &game;
  nb::borrow<HeldClass>(game.evaluator_class)
      .def_prop_ro(
          "multiply_adds", [g](nb::handle self) { return g->evaluator(self).multiply_adds(); },
          "Of one evaluation by a network in the core.")
      .def(
          "__call__",
          [g](nb::handle self, nb::handle position) {
            const HeldEvaluator& evaluator = g->evaluator(self);
            const void* at = g->at(position);
            std::array<Scores, 1> values{};
            if (const auto end = g->rules->outcome(at, g->past(at))) {
              values[0] = end->scores;
            } else {
              const auto own = evaluator.copy();  // a network has room for one evaluation at a time
              const nb::gil_scoped_release release;
              own->evaluate(at, 1, values);
            }
            return scores_tuple(values[0], g->rules->seats);
          },
          "position"_a, nb::sig("def __call__(self, position: Position) -> tuple[float, ...]"),
          "The scores by seat of one position; a finished game gives its own.");
}

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
