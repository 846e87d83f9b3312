// Binds networks in integers: their weights come as arrays and are checked here.
#include "networks.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>
#include <vector>

#include "arrays.h"
#include "binding.h"
#include "guard.h"

namespace tempo::bind {

namespace {

using namespace nb::literals;
using GivenLayers = std::vector<std::tuple<Input<std::int8_t, 2>, Input<std::int32_t, 1>>>;

template <class T, class A>
std::vector<T> values_of(const A& array) {
  return {array.data(), array.data() + array.size()};
}

QuantizedLayer quantized_layer(const GivenLayers::value_type& given) {
  const auto& [weights, bias] = given;
  return {static_cast<int>(weights.shape(1)), static_cast<int>(weights.shape(0)),
          values_of<std::int8_t>(weights), values_of<std::int32_t>(bias)};
}

std::vector<QuantizedLayer> quantized_layers(const GivenLayers& given, std::size_t from = 0) {
  std::vector<QuantizedLayer> layers;
  for (std::size_t i = from; i < given.size(); ++i) layers.push_back(quantized_layer(given[i]));
  return layers;
}

void make_incremental(HeldIncremental* self, const Text& version, const Input<std::int8_t, 2>& rows,
                      const Input<std::int16_t, 1>& bias, const GivenLayers& layers) {
  new (self) HeldIncremental{std::make_shared<const IncrementalNetwork>(
      version.string(), static_cast<int>(rows.shape(1)), values_of<std::int8_t>(rows),
      values_of<std::int16_t>(bias), quantized_layers(layers))};
}

void make_lines(HeldLines* self, const Text& version, const Input<std::int8_t, 2>& rows,
                const Input<std::int16_t, 1>& bias, const GivenLayers& layers,
                const Input<std::int8_t, 1>& policy) {
  if (layers.size() < 2) throw ParseError("a network of lines has a first and a last layer");
  new (self) HeldLines{std::make_shared<const LineNetwork>(
      version.string(), static_cast<int>(rows.shape(1)), values_of<std::int8_t>(rows),
      values_of<std::int16_t>(bias), quantized_layer(layers.front()), quantized_layers(layers, 1),
      values_of<std::int8_t>(policy))};
}

const Binding bind_networks("networks", [](nb::module_& core) {
  auto m = core.def_submodule("networks", "Networks in integers, for evaluators of any game.");
  nb::class_<HeldIncremental>(m, "Incremental",
                              "A sum of rows that is kept up while a search moves, then layers.")
      .def("__init__", &make_incremental, "features"_a, "rows"_a, "bias"_a, "layers"_a,
           nb::sig("def __init__(self, features: str, rows: numpy.typing.NDArray[numpy.int8], "
                   "bias: numpy.typing.NDArray[numpy.int16], layers: "
                   "collections.abc.Sequence[tuple[numpy.typing.NDArray[numpy.int8], "
                   "numpy.typing.NDArray[numpy.int32]]]) -> None"),
           "The version of the game's features, rows [features, width], bias [width], and layers "
           "of (weights [out, in], bias [out]); the first takes both seats' sums.")
      .def_prop_ro("features", [](const HeldIncremental& h) { return h.network->features(); })
      .def_prop_ro("multiply_adds",
                   [](const HeldIncremental& h) { return h.network->multiply_adds(); });
  nb::class_<HeldLines>(m, "Lines", "Patterns of the lines through every point, then layers.")
      .def("__init__", &make_lines, "version"_a, "rows"_a, "bias"_a, "layers"_a, "policy"_a,
           nb::sig("def __init__(self, version: str, rows: numpy.typing.NDArray[numpy.int8], "
                   "bias: numpy.typing.NDArray[numpy.int16], layers: "
                   "collections.abc.Sequence[tuple[numpy.typing.NDArray[numpy.int8], "
                   "numpy.typing.NDArray[numpy.int32]]], policy: "
                   "numpy.typing.NDArray[numpy.int8]) -> None"),
           "Rows [patterns, width], bias [width], layers from totals over the board to one number, "
           "policy [width].")
      .def_prop_ro("version", [](const HeldLines& h) { return h.network->version(); })
      .def_prop_ro("multiply_adds", [](const HeldLines& h) { return h.network->multiply_adds(); });
  m.def(
      "line_patterns",
      [] {
        const LinePatterns& patterns = LinePatterns::all();
        auto numbers = new_array<std::uint16_t>({patterns.numbers.size()});
        std::copy(patterns.numbers.begin(), patterns.numbers.end(), numbers.data());
        return numbers;
      },
      nb::sig("def line_patterns() -> numpy.typing.NDArray[numpy.uint16]"),
      "[4^9] the number of the pattern of nine points, two bits each: 0 empty, 1 own, 2 the "
      "other's, 3 off the board; the number of patterns for what cannot be.");
  m.attr("line_pattern_count") = static_cast<int>(LinePatterns::count);
  m.def(
      "kernels",
      [] {
        std::vector<std::string> names;
        for (const IntegerKernels& kernels : integer_kernels()) names.emplace_back(kernels.name);
        return names;
      },
      "The forms of the arithmetic that this processor can run; the first is used.");
});

}  // namespace
}  // namespace tempo::bind
