// Determinizations for a search that counts them by weight: one then costs microseconds.
#pragma once

#include <stdexcept>

#include "../../search/halving.h"
#include "determinizations.h"

namespace tempo::siguo {

class WeightedDraws {
 public:
  explicit WeightedDraws(const View& view) : view_(view), determinizations_(view) {}

  [[nodiscard]] const Determinizations& determinizations() const { return determinizations_; }

  // Nothing when the search is to stop.
  std::optional<Drawn<Position>> operator()(Random& random) const {
    Determinizations::Draft draft = determinizations_.draft(random);
    StopPoll poll(16);
    for (int i = 0; i < most_draws && draft.weight <= 0; ++i) {
      if (poll()) return std::nullopt;
      draft = determinizations_.draft(random);
    }
    if (draft.weight <= 0) throw std::logic_error("no position fits this view of siguo");
    determinizations_.complete(draft, random);
    return Drawn<Position>{Position::of_view(view_, draft.kinds_of), draft.weight};
  }

 private:
  static constexpr int most_draws = 400000;  // some lead nowhere; a view made by play has one

  const View& view_;
  Determinizations determinizations_;
};

}  // namespace tempo::siguo
