// An evaluator that asks Python, for many leaves at once: a network in JAX, or anything else that
// answers arrays. Searches run without the GIL; only the call itself takes it.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <span>
#include <utility>

#include "../game_features.h"
#include "../search/monte_carlo_policy.h"
#include "arrays.h"

namespace tempo::bind {

namespace nb = nanobind;

// What a callback has answered about `count` positions.
class CallbackAnswer {
 public:
  CallbackAnswer(nb::handle function, const Array<float>& features);

  // The values [count] or [count, seats], checked.
  [[nodiscard]] std::span<const float> values(std::size_t count, int seats);
  // Priors of the moves in the rows, from the logits [count, move_numbers] if there are any.
  void priors(const MoveRows& rows, std::size_t move_numbers, std::span<float> priors) const;

 private:
  using Floats = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;

  static Floats as_floats(nb::handle object, const char* what);

  nb::object answer_;
  nb::object logits_;
  Floats values_;
};

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
    ask(positions, values);
  }

  void operator()(std::span<const P> positions, std::span<Scores> values, const MoveRows& rows,
                  std::span<float> priors) const {
    const nb::gil_scoped_acquire acquire;
    const auto width = static_cast<std::size_t>(P::move_numbers(positions[0].options()));
    ask(positions, values).priors(rows, width, priors);
  }

 private:
  CallbackAnswer ask(std::span<const P> positions, std::span<Scores> values) const {
    const auto [planes, rows, columns] = Features<P>::shape(positions[0].options());
    const auto size = [](int n) { return static_cast<std::size_t>(n); };
    auto features = new_array<float>({positions.size(), size(planes), size(rows), size(columns)});
    const std::size_t width = size(planes) * size(rows) * size(columns);
    for (std::size_t i = 0; i < positions.size(); ++i) {
      write_features(positions[i], positions[i].turn(), features.data() + i * width);
    }
    CallbackAnswer answer(function_, features);
    const auto numbers = answer.values(positions.size(), P::seats);
    const std::size_t each = numbers.size() / positions.size();
    for (std::size_t i = 0; i < positions.size(); ++i) {
      values[i] = by_seat(positions[i].turn(), numbers.subspan(i * each, each));
    }
    return answer;
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
