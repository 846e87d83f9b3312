// An evaluator that asks Python, for many leaves at once: a network in JAX, or anything else that
// answers arrays. Searches run without the GIL; only the call itself takes it.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "../game_features.h"
#include "../parallel/pool.h"
#include "../search/monte_carlo_policy.h"
#include "arrays.h"
#include "played.h"

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
// numbers. A function of whole positions is given a list of them in place of features.
template <HasFeatures P>
class CallbackEvaluator {
 public:
  // Copies and ends with the GIL held only: searches keep theirs for life.
  CallbackEvaluator(nb::callable function, bool whole)
      : function_(std::move(function)), whole_(whole) {}

  [[nodiscard]] nb::handle function() const { return function_; }

  void operator()(std::span<const P> positions, std::span<Scores> values) const {
    const nb::gil_scoped_acquire acquire;
    ask(positions, values);
  }

  // The same with the features written by all threads of a pool.
  void in_bulk(std::span<const P> positions, std::span<Scores> values, Pool& pool) const {
    const nb::gil_scoped_acquire acquire;
    if (whole_) {
      ask(positions, values);
      return;
    }
    const Planes planes(positions);
    {
      const nb::gil_scoped_release release;
      pool.run(static_cast<std::int64_t>(positions.size()),
               [&](std::int64_t i) { planes.write(static_cast<std::size_t>(i)); });
    }
    answered(nb::cast(planes.array), positions, values);
  }

  void operator()(std::span<const P> positions, std::span<Scores> values, const MoveRows& rows,
                  std::span<float> priors) const {
    const nb::gil_scoped_acquire acquire;
    const auto width = static_cast<std::size_t>(P::move_numbers(positions[0].options()));
    ask(positions, values).priors(rows, width, priors);
  }

 private:
  // The features of positions, each as its seat to move sees it.
  struct Planes {
    explicit Planes(std::span<const P> all)
        : positions(all),
          width(size(feature_count<P>(all[0].options()))),
          array(made(all.size(), Features<P>::shape(all[0].options()))) {}
    static std::size_t size(int n) { return static_cast<std::size_t>(n); }
    static Array<float> made(std::size_t count, const std::array<int, 3>& shape) {
      return new_array<float>({count, size(shape[0]), size(shape[1]), size(shape[2])});
    }
    void write(std::size_t i) const {
      write_features(positions[i], positions[i].turn(), array.data() + i * width);
    }

    std::span<const P> positions;
    std::size_t width;
    Array<float> array;
  };

  CallbackAnswer ask(std::span<const P> positions, std::span<Scores> values) const {
    if (whole_) {
      nb::list list;
      for (const P& position : positions) list.append(nb::cast(Played<P>{position, {}}));
      return answered(list, positions, values);
    }
    const Planes planes(positions);
    for (std::size_t i = 0; i < positions.size(); ++i) planes.write(i);
    return answered(nb::cast(planes.array), positions, values);
  }

  CallbackAnswer answered(nb::handle asked, std::span<const P> positions,
                          std::span<Scores> values) const {
    CallbackAnswer answer(function_, asked);
    const std::size_t count = positions.size();
    const auto numbers = answer.values(count, P::seats);
    const std::size_t each = numbers.size() / count;
    for (std::size_t i = 0; i < count; ++i) {
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
        value = -value / static_cast<float>(teams_of<P>() - 1);
      }
      scores[static_cast<std::size_t>(index(seat))] = std::clamp(value, -1.0F, 1.0F);
    }
    return scores;
  }

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
