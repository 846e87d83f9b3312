#include "callback.h"

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
