// An evaluator that asks Python, for many leaves at once: a network in JAX, or anything else that
// answers arrays. Searches run without the GIL; only the call itself takes it.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <span>
#include <utility>

#include "../parallel/pool.h"
#include "../search/monte_carlo_policy.h"
#include "arrays.h"
#include "held_game.h"

namespace tempo::bind {

namespace nb = nanobind;

// What a callback has answered about `count` positions.
class CallbackAnswer {
 public:
  CallbackAnswer(nb::handle function, nb::handle asked);

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
// numbers. A function of whole positions is given a list of them in place of features. Positions
// are given side by side.
class CallbackEvaluator {
 public:
  // Copies and ends with the GIL held only: searches keep theirs for life.
  CallbackEvaluator(const HeldGame& game, nb::callable function, bool whole)
      : game_(&game), function_(std::move(function)), whole_(whole) {}

  [[nodiscard]] nb::handle function() const { return function_; }

  void operator()(const void* positions, std::size_t count, std::span<Scores> values) const;
  void operator()(const void* positions, std::size_t count, std::span<Scores> values,
                  const MoveRows& rows, std::span<float> priors) const;
  // The same with the features written by all threads of a pool.
  void in_bulk(const void* positions, std::size_t count, std::span<Scores> values,
               Pool& pool) const;

 private:
  struct Planes;

  CallbackAnswer ask(const void* positions, std::size_t count, std::span<Scores> values) const;
  CallbackAnswer answered(nb::handle asked, const void* positions, std::size_t count,
                          std::span<Scores> values) const;
  [[nodiscard]] const void* at(const void* positions, std::size_t i) const {
    return static_cast<const std::byte*>(positions) + i * game_->rules->size;
  }
  [[nodiscard]] Scores by_seat(Seat turn, std::span<const float> from_turn) const;

  const HeldGame* game_;
  nb::callable function_;
  bool whole_;  // asks about positions, not about their features
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
