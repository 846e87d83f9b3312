// An evaluator that asks Python, for many leaves at once: a network in JAX, or anything else that
// answers arrays. Searches run without the GIL; only the call itself takes it.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "../game_features.h"
#include "../search/monte_carlo_policy.h"
#include "arrays.h"

namespace tempo::bind {

namespace nb = nanobind;

// `function(features)` with features [N, planes, rows, columns], each from the side of its seat to
// move, returns values, or values and logits. Values are [N] or [N, 1], the score of the seat to
// move, or [N, seats], scores by seat counted from the seat to move on. Logits are [N, A] over move
// numbers.
template <HasFeatures P>
class CallbackEvaluator {
 public:
  // Copies and ends with the GIL held only: searches keep theirs for life.
  explicit CallbackEvaluator(nb::callable function) : function_(std::move(function)) {}

  [[nodiscard]] nb::handle function() const { return function_; }

  void operator()(std::span<const P> positions, std::span<Scores> values) const {
    const nb::gil_scoped_acquire acquire;
    auto [answer, logits] = call(positions);
    read_values(answer, positions, values);
  }

  void operator()(std::span<const P> positions, std::span<Scores> values, const MoveRows& rows,
                  std::span<float> priors) const {
    const nb::gil_scoped_acquire acquire;
    auto [answer, logits] = call(positions);
    read_values(answer, positions, values);
    const auto width = static_cast<std::size_t>(P::move_numbers(positions[0].options()));
    if (!logits.is_valid() || logits.is_none()) {
      std::fill(priors.begin(), priors.end(), 1.0F);
      return;
    }
    const auto array = as_floats(logits, "logits");
    if (array.ndim() != 2 || array.shape(0) != positions.size() || array.shape(1) != width) {
      throw ParseError("the evaluator's logits must have shape [" +
                       std::to_string(positions.size()) + ", " + std::to_string(width) + "]");
    }
    // Minus infinity is how a network masks a move; the rest would spoil the priors without a word.
    if (!std::all_of(array.data(), array.data() + array.size(), [](float x) {
          return std::isfinite(x) || x == -std::numeric_limits<float>::infinity();
        })) {
      throw ParseError("an evaluator's logit is not a number");
    }
    priors_from_logits(rows, {array.data(), array.size()}, width, priors);
  }

 private:
  using Floats = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;

  static Floats as_floats(nb::handle object, const char* what) {
    Floats array;
    const nb::object converted =
        nb::module_::import_("numpy").attr("ascontiguousarray")(object, "float32");
    if (!nb::try_cast(converted, array)) {
      throw ParseError(std::string("the evaluator's ") + what + " must be an array of floats");
    }
    return array;
  }

  [[nodiscard]] std::pair<nb::object, nb::object> call(std::span<const P> positions) const {
    const auto [planes, rows, columns] = Features<P>::shape(positions[0].options());
    const auto size = [](int n) { return static_cast<std::size_t>(n); };
    auto features = new_array<float>({positions.size(), size(planes), size(rows), size(columns)});
    const std::size_t width = size(planes) * size(rows) * size(columns);
    for (std::size_t i = 0; i < positions.size(); ++i) {
      write_features(positions[i], positions[i].turn(), features.data() + i * width);
    }
    nb::object answer = function_(features);
    if (!nb::isinstance<nb::tuple>(answer)) return {answer, nb::object()};
    if (nb::len(answer) != 2) throw ParseError("an evaluator returns values, or (values, logits)");
    return {answer[0], answer[1]};
  }

  static void read_values(nb::handle answer, std::span<const P> positions,
                          std::span<Scores> values) {
    const auto array = as_floats(answer, "values");
    const std::size_t count = positions.size();
    const std::size_t width = count == 0 ? 0 : array.size() / count;
    if (array.ndim() < 1 || array.ndim() > 2 || array.shape(0) != count ||
        (width != 1 && width != P::seats) || array.size() != count * width) {
      throw ParseError("the evaluator's values must have shape [" + std::to_string(count) +
                       "] or [" + std::to_string(count) + ", " + std::to_string(P::seats) + "]");
    }
    for (std::size_t i = 0; i < array.size(); ++i) {
      if (!std::isfinite(array.data()[i])) throw ParseError("an evaluator's value is not finite");
    }
    for (std::size_t i = 0; i < count; ++i) {
      values[i] = by_seat(positions[i].turn(), {array.data() + i * width, width});
    }
  }

  static Scores by_seat(Seat turn, std::span<const float> from_turn) {
    Scores scores{};
    for (int k = 0; k < P::seats; ++k) {
      const Seat seat{static_cast<std::uint8_t>((index(turn) + k) % P::seats)};
      float value = from_turn[0];
      if (from_turn.size() > 1) {
        value = from_turn[static_cast<std::size_t>(k)];
      } else if (P::team_of(seat) != P::team_of(turn)) {
        value = -value;
      }
      scores[static_cast<std::size_t>(index(seat))] = std::clamp(value, -1.0F, 1.0F);
    }
    return scores;
  }

  nb::callable function_;
};

// Slots for a class whose objects may hold a callback: Python's garbage collector has to see the
// reference, or a function that knows its own search would never be freed. T offers function() and
// drop().
template <class T>
int traverse_callback(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self)) Py_VISIT(nb::inst_ptr<T>(self)->function().ptr());
  return 0;
}
template <class T>
int clear_callback(PyObject* self) {
  if (nb::inst_ready(self)) nb::inst_ptr<T>(self)->drop();
  return 0;
}
template <class T>
inline PyType_Slot callback_slots[] = {
    {Py_tp_traverse, reinterpret_cast<void*>(traverse_callback<T>)},
    {Py_tp_clear, reinterpret_cast<void*>(clear_callback<T>)},
    {0, nullptr}};

}  // namespace tempo::bind
