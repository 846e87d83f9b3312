// Binds what a search asks: the core's evaluators and the callback into Python.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "../learning/table_evaluator.h"
#include "../nets/core_evaluator.h"
#include "arrays.h"
#include "callback.h"
#include "guard.h"
#include "networks.h"
#include "played.h"
#include "search_types.h"
#include "terms.h"
#include "value_table.h"

namespace tempo::bind {

namespace nb = nanobind;
using namespace nb::literals;

// The evaluator that Python holds: one of the core's, unless there is a callback or a table. One
// type, so that searches are compiled once.
template <HasFeatures P>
class AnyEvaluator {
 public:
  bool prefers_batches = false;  // as a callback does, which has a policy too
  bool has_policy = false;

  AnyEvaluator() = default;
  explicit AnyEvaluator(CoreEvaluator<P> core) : core_(std::move(core)) {}
  explicit AnyEvaluator(nb::callable function, bool whole = false)
      : prefers_batches(true), has_policy(true), callback_({std::move(function), whole}) {}
  explicit AnyEvaluator(std::shared_ptr<SharedTable> table) : table_(std::move(table)) {}
  // Out of line: copied in many places, none of them hot.
  [[gnu::noinline]] AnyEvaluator(const AnyEvaluator&) = default;
  AnyEvaluator& operator=(const AnyEvaluator&) = delete;
  [[gnu::noinline]] ~AnyEvaluator() = default;

  void operator()(std::span<const P> positions, std::span<Scores> values) {
    if (callback_) return (*callback_)(positions, values);
    if (!table_) return core_(positions, values);
    table_->alone.reading([&] { read_scores(table_->table, positions, values); });
  }
  // For another thread.
  [[nodiscard]] AnyEvaluator fork() const { return *this; }
  // Asks a callback about very many positions.
  void in_bulk(std::span<const P> positions, std::span<Scores> values, Pool& pool) const {
    callback_->in_bulk(positions, values, pool);
  }
  void operator()(std::span<const P> positions, std::span<Scores> values, const MoveRows& rows,
                  std::span<float> priors) const {
    (*callback_)(positions, values, rows, priors);
  }
  [[nodiscard]] std::int64_t multiply_adds() const { return core_.multiply_adds(); }
  [[nodiscard]] const CoreEvaluator<P>& core() const { return core_; }
  // Whether it looks at whole positions, not only at what the seat to move may know.
  [[nodiscard]] bool sees_all() const { return core_.sees_all(); }

  [[nodiscard]] nb::handle function() const {
    return callback_ ? callback_->function() : nb::handle();
  }
  void drop() {
    prefers_batches = has_policy = false;
    callback_.reset();
  }

 private:
  CoreEvaluator<P> core_;
  std::optional<CallbackEvaluator<P>> callback_;
  std::shared_ptr<SharedTable> table_;
};

// The layers of a dense network: of each its weights [outputs, inputs], bias [outputs] and the name
// of the activation.
class Layers {
 public:
  using All = std::vector<std::tuple<Input<float, 2>, Input<float, 1>, Text>>;

  Layers() = default;
  explicit Layers(All all) : all_(std::make_shared<const All>(std::move(all))) {}
  [[nodiscard]] std::shared_ptr<const DenseNetwork> network() const;

 private:
  std::shared_ptr<const All> all_;
};

}  // namespace tempo::bind

template <>
struct nanobind::detail::type_caster<tempo::bind::Layers> {
  NB_TYPE_CASTER(tempo::bind::Layers, const_name("collections.abc.Sequence"))

  bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept;
};

namespace tempo::bind {

template <HasFeatures P>
nb::tuple evaluate_one(const AnyEvaluator<P>& evaluator, const Played<P>& at) {
  std::array<Scores, 1> values{};
  if (const auto end = at.outcome()) {
    values[0] = end->scores;
  } else {
    AnyEvaluator<P> own = evaluator;  // a network has room for one evaluation at a time
    const nb::gil_scoped_release release;
    own({&at.position, 1}, values);
  }
  return scores_tuple(values[0], P::seats);
}

// A network in integers that is held by Python, for this game.
template <class P>
using HeldNetwork = std::conditional_t<HasLines<P>, HeldLines, HeldIncremental>;

template <HasFeatures P>
void bind_integer_network(nb::class_<AnyEvaluator<P>>& evaluator) {
  const std::string signature = std::string("def quantized(network: tempo._core.networks.") +
                                (HasLines<P> ? "Lines" : "Incremental") + ") -> Evaluator";
  evaluator.def_static(
      "quantized",
      [](const HeldNetwork<P>& held) {
        using Network = typename CoreEvaluator<P>::IntegerNetwork;
        return AnyEvaluator<P>(CoreEvaluator<P>::with_integers(Network(held.network)));
      },
      "network"_a, nb::sig(signature.c_str()), "A network in integers on this game's features.");
}

template <HasFeatures P>
[[gnu::cold]] void bind_evaluator(nb::module_& m) {
  using Any = AnyEvaluator<P>;
  auto evaluator =
      nb::class_<Any>(m, "Evaluator", nb::type_slots(callback_slots<Any>),
                      "What a search asks about positions that are not over.")
          .def_static(
              "none", [] { return Any(); }, "Knows nothing: every position is even.")
          .def_static(
              "dense",
              [](const typename P::Options& options, const Layers& layers) {
                return Any(CoreEvaluator<P>::with_network({layers.network(), options}));
              },
              "options"_a, "layers"_a,
              nb::sig("def dense(options: Options, layers: "
                      "collections.abc.Sequence[tuple[numpy.typing.NDArray[numpy.float32], "
                      "numpy.typing.NDArray[numpy.float32], str]]) -> Evaluator"),
              "A network on the game's features, in the core: layers of (weights [out, in], "
              "bias [out], activation).")
          .def_static(
              "callback", [](nb::callable function) { return Any(std::move(function)); },
              "function"_a,
              nb::sig("def callback(function: collections.abc.Callable[["
                      "numpy.typing.NDArray[numpy.float32]], object]) -> Evaluator"),
              "Asks Python: function(features [N, planes, rows, columns]) returns values [N] or "
              "[N, seats], or (values, logits [N, A]), seen from the seat to move.")
          .def_static(
              "positions", [](nb::callable function) { return Any(std::move(function), true); },
              "function"_a,
              nb::sig("def positions(function: collections.abc.Callable[[list[Position]], object]) "
                      "-> Evaluator"),
              "Asks Python about whole positions, without their past: function([position, ...]) "
              "returns what that of `callback` does.")
          .def_static(
              "table", [](const HeldTable& held) { return Any(held.shared); }, "table"_a,
              nb::sig("def table(table: tempo._core.tables.ValueTable) -> Evaluator"),
              "Learnt values by `Batch.input_keys`, for the seat to move; what is not stored is "
              "even. The table is read as it stands at each call.")
          .def_prop_ro(
              "multiply_adds", [](const Any& e) { return e.multiply_adds(); },
              "Of one evaluation by a network in the core.")
          .def("__call__", &evaluate_one<P>, "position"_a,
               nb::sig("def __call__(self, position: Position) -> tuple[float, ...]"),
               "The scores by seat of one position; a finished game gives its own.");
  if constexpr (HasTerms<P>) {
    evaluator.def_static(
        "linear",
        [](const Input<float, 1>& weights) {
          return Any(CoreEvaluator<P>::with_linear(linear_of<P>(weights)));
        },
        "weights"_a,
        nb::sig("def linear(weights: numpy.typing.NDArray[numpy.float32]) -> Evaluator"),
        "A weighted sum of the game's terms.");
    bind_terms<P>(m);
  }
  if constexpr (has_integer_network<P>) bind_integer_network<P>(evaluator);
  if constexpr (has_static_evaluator<P>) {
    evaluator.def_static(
        "static", [] { return Any(CoreEvaluator<P>::with_static()); },
        "The game's own static evaluation.");
  }
}

}  // namespace tempo::bind
