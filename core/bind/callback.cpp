#include "callback.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "search_types.h"

namespace tempo::bind {

CallbackAnswer::CallbackAnswer(nb::handle function, nb::handle asked) : answer_(function(asked)) {
  if (!nb::isinstance<nb::tuple>(answer_)) return;
  if (nb::len(answer_) != 2) throw ParseError("an evaluator returns values, or (values, logits)");
  logits_ = answer_[1];
  answer_ = answer_[0];
}

std::span<const float> CallbackAnswer::values(std::size_t count, int seats) {
  values_ = as_floats(answer_, "values");
  const std::size_t width = count == 0 ? 0 : values_.size() / count;
  if (values_.ndim() < 1 || values_.ndim() > 2 || values_.shape(0) != count ||
      (width != 1 && width != static_cast<std::size_t>(seats)) || values_.size() != count * width) {
    throw ParseError("the evaluator's values must have shape [" + std::to_string(count) + "] or [" +
                     std::to_string(count) + ", " + std::to_string(seats) + "]");
  }
  const std::span<const float> all(values_.data(), values_.size());
  if (!std::ranges::all_of(all, [](float x) { return std::isfinite(x); })) {
    throw ParseError("an evaluator's value is not finite");
  }
  return all;
}

void CallbackAnswer::priors(const MoveRows& rows, std::size_t move_numbers,
                            std::span<float> priors) const {
  if (!logits_.is_valid() || logits_.is_none()) {
    std::ranges::fill(priors, 1.0F);
    return;
  }
  const auto array = as_floats(logits_, "logits");
  if (array.ndim() != 2 || array.shape(0) != rows.size() || array.shape(1) != move_numbers) {
    throw ParseError("the evaluator's logits must have shape [" + std::to_string(rows.size()) +
                     ", " + std::to_string(move_numbers) + "]");
  }
  // Minus infinity is how a network masks a move; the rest would spoil the priors without a word.
  const std::span<const float> all(array.data(), array.size());
  if (!std::ranges::all_of(all, [](float x) {
        return std::isfinite(x) || x == -std::numeric_limits<float>::infinity();
      })) {
    throw ParseError("an evaluator's logit is not a number");
  }
  priors_from_logits(rows, all, move_numbers, priors);
}

CallbackAnswer::Floats CallbackAnswer::as_floats(nb::handle object, const char* what) {
  Floats array;
  const nb::object converted =
      nb::module_::import_("numpy").attr("ascontiguousarray")(object, "float32");
  if (!nb::try_cast(converted, array)) {
    throw ParseError(std::string("the evaluator's ") + what + " must be an array of floats");
  }
  return array;
}

// The features of positions, each as its seat to move sees it.
struct CallbackEvaluator::Planes {
  Planes(const HeldGame& held, const void* all, std::size_t number)
      : game(&held),
        positions(all),
        width(held.inputs->count(all)),
        array(made(number, held.inputs->shape(all))) {}
  static Array<float> made(std::size_t count, const std::array<int, 3>& shape) {
    const auto size = [](int n) { return static_cast<std::size_t>(n); };
    return new_array<float>({count, size(shape[0]), size(shape[1]), size(shape[2])});
  }
  void write(std::size_t i) const {
    const void* position = static_cast<const std::byte*>(positions) + i * game->rules->size;
    game->inputs->write(position, game->rules->turn(position), array.data() + i * width);
  }

  const HeldGame* game;
  const void* positions;
  std::size_t width;
  Array<float> array;
};

void CallbackEvaluator::operator()(const void* positions, std::size_t count,
                                   std::span<Scores> values) const {
  const nb::gil_scoped_acquire acquire;
  ask(positions, count, values);
}

void CallbackEvaluator::operator()(const void* positions, std::size_t count,
                                   std::span<Scores> values, const MoveRows& rows,
                                   std::span<float> priors) const {
  const nb::gil_scoped_acquire acquire;
  const auto width = static_cast<std::size_t>(game_->rules->move_numbers(positions));
  ask(positions, count, values).priors(rows, width, priors);
}

void CallbackEvaluator::in_bulk(const void* positions, std::size_t count, std::span<Scores> values,
                                Pool& pool) const {
  const nb::gil_scoped_acquire acquire;
  if (whole_) {
    ask(positions, count, values);
    return;
  }
  const Planes planes(*game_, positions, count);
  {
    const nb::gil_scoped_release release;
    pool.run(static_cast<std::int64_t>(count),
             [&](std::int64_t i) { planes.write(static_cast<std::size_t>(i)); });
  }
  answered(nb::cast(planes.array), positions, count, values);
}

CallbackAnswer CallbackEvaluator::ask(const void* positions, std::size_t count,
                                      std::span<Scores> values) const {
  if (whole_) {
    nb::list list;
    for (std::size_t i = 0; i < count; ++i) list.append(game_->made(at(positions, i), {}));
    return answered(list, positions, count, values);
  }
  const Planes planes(*game_, positions, count);
  for (std::size_t i = 0; i < count; ++i) planes.write(i);
  return answered(nb::cast(planes.array), positions, count, values);
}

CallbackAnswer CallbackEvaluator::answered(nb::handle asked, const void* positions,
                                           std::size_t count, std::span<Scores> values) const {
  CallbackAnswer answer(function_, asked);
  const auto numbers = answer.values(count, game_->rules->seats);
  const std::size_t each = numbers.size() / count;
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = by_seat(game_->rules->turn(at(positions, i)), numbers.subspan(i * each, each));
  }
  return answer;
}

Scores CallbackEvaluator::by_seat(Seat turn, std::span<const float> from_turn) const {
  const AnyGame& rules = *game_->rules;
  Scores scores{};
  for (int k = 0; k < rules.seats; ++k) {
    const Seat seat{static_cast<std::uint8_t>((index(turn) + k) % rules.seats)};
    float value = from_turn[0];
    if (from_turn.size() > 1) {
      value = from_turn[static_cast<std::size_t>(k)];
    } else if (rules.team_of(seat) != rules.team_of(turn)) {
      value = -value / static_cast<float>(rules.teams - 1);
    }
    scores[static_cast<std::size_t>(index(seat))] = std::clamp(value, -1.0F, 1.0F);
  }
  return scores;
}

std::function<void(const SearchResult&)> Watching::watch() {
  if (function_.is_none()) return nullptr;
  if (PyCallable_Check(function_.ptr()) == 0) throw nb::type_error("watch must be callable");
  return [this](const SearchResult& result) {
    if (result.seconds < last_ + between) return;
    last_ = result.seconds;
    const nb::gil_scoped_acquire acquire;
    function_(nb::cast(Found{result, seats_}));
  };
}

}  // namespace tempo::bind
