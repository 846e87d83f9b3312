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

#include "../nets/core_evaluator.h"
#include "arrays.h"
#include "callback.h"
#include "guard.h"
#include "held_game.h"
#include "networks.h"
#include "terms.h"
#include "value_table.h"

namespace tempo::bind {

namespace nb = nanobind;
using namespace nb::literals;

// The evaluator that Python holds: one of the core's, unless there is a callback or a table.
// Positions are given side by side.
class HeldEvaluator {
 public:
  bool prefers_batches = false;  // as a callback does, which has a policy too
  bool has_policy = false;

  explicit HeldEvaluator(const HeldGame& game) : game_(&game) {}
  HeldEvaluator(const HeldGame& game, nb::callable function, bool whole)
      : prefers_batches(true),
        has_policy(true),
        game_(&game),
        callback_({game, std::move(function), whole}) {}
  HeldEvaluator(const HeldGame& game, std::shared_ptr<SharedTable> table)
      : game_(&game), table_(std::move(table)) {}
  HeldEvaluator(const HeldEvaluator&);
  HeldEvaluator& operator=(const HeldEvaluator&) = delete;
  virtual ~HeldEvaluator();

  [[nodiscard]] virtual std::unique_ptr<HeldEvaluator> copy() const = 0;
  virtual void evaluate(const void* positions, std::size_t count, std::span<Scores> values) = 0;
  void evaluate(const void* positions, std::size_t count, std::span<Scores> values,
                const MoveRows& rows, std::span<float> priors) const {
    (*callback_)(positions, count, values, rows, priors);
  }
  // Asks a callback about very many positions.
  void in_bulk(const void* positions, std::size_t count, std::span<Scores> values,
               Pool& pool) const {
    callback_->in_bulk(positions, count, values, pool);
  }
  [[nodiscard]] virtual std::int64_t multiply_adds() const = 0;
  // Whether it looks at whole positions, not only at what the seat to move may know.
  [[nodiscard]] virtual bool sees_all() const = 0;

  [[nodiscard]] nb::handle function() const {
    return callback_ ? callback_->function() : nb::handle();
  }
  void drop() {
    prefers_batches = has_policy = false;
    callback_.reset();
  }

 protected:
  [[nodiscard]] bool is_core() const { return !callback_ && !table_; }
  // By the callback or the table.
  void ask_outside(const void* positions, std::size_t count, std::span<Scores> values) const;

 private:
  const HeldGame* game_;
  std::optional<CallbackEvaluator> callback_;
  std::shared_ptr<SharedTable> table_;
};

// The same of a game: one type, so that alpha-beta is compiled once.
template <HasFeatures P>
class AnyEvaluator final : public HeldEvaluator {
 public:
  using HeldEvaluator::HeldEvaluator;
  AnyEvaluator(const HeldGame& game, CoreEvaluator<P> core)
      : HeldEvaluator(game), core_(std::move(core)) {}
  // Out of line: copied in many places, none of them hot.
  [[gnu::noinline]] AnyEvaluator(const AnyEvaluator&) = default;
  AnyEvaluator& operator=(const AnyEvaluator&) = delete;
  [[gnu::noinline]] ~AnyEvaluator() override = default;

  void operator()(std::span<const P> positions, std::span<Scores> values) {
    if (is_core()) return core_(positions, values);
    ask_outside(positions.data(), positions.size(), values);
  }
  // For another thread.
  [[nodiscard]] AnyEvaluator fork() const { return *this; }
  [[nodiscard]] const CoreEvaluator<P>& core() const { return core_; }

  [[nodiscard]] std::unique_ptr<HeldEvaluator> copy() const override {
    return std::make_unique<AnyEvaluator>(*this);
  }
  void evaluate(const void* positions, std::size_t count, std::span<Scores> values) override {
    (*this)(std::span<const P>(static_cast<const P*>(positions), count), values);
  }
  [[nodiscard]] std::int64_t multiply_adds() const override { return core_.multiply_adds(); }
  [[nodiscard]] bool sees_all() const override { return core_.sees_all(); }

 private:
  CoreEvaluator<P> core_;
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

// A network in integers that is held by Python, for this game.
template <class P>
using HeldNetwork = std::conditional_t<HasLines<P>, HeldLines, HeldIncremental>;

template <HasFeatures P>
[[gnu::cold]] void bind_evaluators(nb::module_& m, HeldGame& game) {
  using Any = AnyEvaluator<P>;
  const HeldGame* g = &game;
  nb::class_<Any> evaluator(m, "Evaluator", nb::type_slots(callback_slots<HeldEvaluator>),
                            "What a search asks about positions that are not over.");
  game.evaluator_class = evaluator;
  evaluator.def_static(
               "none", [g] { return Any(*g); }, "Knows nothing: every position is even.")
      .def_static(
          "dense",
          [g](const typename P::Options& options, const Layers& layers) {
            return Any(*g, CoreEvaluator<P>::with_network({layers.network(), options}));
          },
          "options"_a, "layers"_a,
          nb::sig("def dense(options: Options, layers: "
                  "collections.abc.Sequence[tuple[numpy.typing.NDArray[numpy.float32], "
                  "numpy.typing.NDArray[numpy.float32], str]]) -> Evaluator"),
          "A network on the game's features, in the core: layers of (weights [out, in], "
          "bias [out], activation).")
      .def_static(
          "callback", [g](nb::callable function) { return Any(*g, std::move(function), false); },
          "function"_a,
          nb::sig("def callback(function: collections.abc.Callable[["
                  "numpy.typing.NDArray[numpy.float32]], object]) -> Evaluator"),
          "Asks Python: function(features [N, planes, rows, columns]) returns values [N] or "
          "[N, seats], or (values, logits [N, A]), seen from the seat to move.")
      .def_static(
          "positions", [g](nb::callable function) { return Any(*g, std::move(function), true); },
          "function"_a,
          nb::sig("def positions(function: collections.abc.Callable[[list[Position]], object]) "
                  "-> Evaluator"),
          "Asks Python about whole positions, without their past: function([position, ...]) "
          "returns what that of `callback` does.")
      .def_static(
          "table", [g](const HeldTable& held) { return Any(*g, held.shared); }, "table"_a,
          nb::sig("def table(table: tempo._core.tables.ValueTable) -> Evaluator"),
          "Learnt values by `Batch.input_keys`, for the seat to move; what is not stored is "
          "even. The table is read as it stands at each call.");
  bind_evaluator(game);
  if constexpr (HasTerms<P>) {
    evaluator.def_static(
        "linear",
        [g](const Input<float, 1>& weights) {
          return Any(*g, CoreEvaluator<P>::with_linear(linear_of<P>(weights)));
        },
        "weights"_a,
        nb::sig("def linear(weights: numpy.typing.NDArray[numpy.float32]) -> Evaluator"),
        "A weighted sum of the game's terms.");
    bind_terms<P>(m);
  }
  if constexpr (has_integer_network<P>) {
    const std::string signature = std::string("def quantized(network: tempo._core.networks.") +
                                  (HasLines<P> ? "Lines" : "Incremental") + ") -> Evaluator";
    evaluator.def_static(
        "quantized",
        [g](const HeldNetwork<P>& held) {
          using Network = typename CoreEvaluator<P>::IntegerNetwork;
          return Any(*g, CoreEvaluator<P>::with_integers(Network(held.network)));
        },
        "network"_a, nb::sig(signature.c_str()), "A network in integers on this game's features.");
  }
  if constexpr (has_static_evaluator<P>) {
    evaluator.def_static(
        "static", [g] { return Any(*g, CoreEvaluator<P>::with_static()); },
        "The game's own static evaluation.");
  }
}

}  // namespace tempo::bind
