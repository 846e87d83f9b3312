// How Gomoku's search evaluates leaves: either its terms by their weights (terms.h), or a
// small network fed by the terms and by the points where lines of a seat cross; or a network of
// line patterns.
//
// A sum of terms cannot say that a threat is worth little while the other seat has a greater one;
// a hidden layer can.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "../../nets/dense.h"
#include "lines.h"
#include "terms.h"

namespace tempo::gomoku {

// The network's inputs, as the seat to move sees them.
struct NetworkInputs {
  static constexpr int terms = Terms<Counted>::count;
  static constexpr int crossings = 3;
  static constexpr int count = terms + 2 * crossings;
  using Row = std::array<float, static_cast<std::size_t>(count)>;

  static Row of(const Counted& counted) {
    return with_threats(counted.position(), [&](const auto& finder) {
      return of(counted, finder.shapes_of(counted.turn()), finder.shapes_of(other(counted.turn())));
    });
  }
  static Row of(const Counted& counted, const Shapes& own, const Shapes& enemy) {
    Row row;
    Terms<Counted>::write(counted, own, enemy, row.data());
    write_crossings(own, row.data() + terms);
    write_crossings(enemy, row.data() + terms + crossings);
    return row;
  }

 private:
  static void write_crossings(const Shapes& shapes, float* out) {
    const auto number = [](const Points& set, int most) {
      return static_cast<float>(std::min(set.count(), most));
    };
    out[0] = number(shapes.three_three, 4);
    out[1] = number(shapes.three_two, 12);
    out[2] = number(shapes.four_two, 12);
  }
};

// The evaluation of a leaf. Copies share the network and are used one to a thread.
class LeafEvaluation {
 public:
  using Linear = LinearEvaluator<Counted>;

  LeafEvaluation(const Linear& linear = Linear()) : linear_(linear) {}
  // One hidden layer of rectified units and one output: the log odds that the seat to move wins.
  explicit LeafEvaluation(std::shared_ptr<const DenseNetwork> network)
      : network_(std::move(network)), work_(*network_) {
    if (network_->inputs() != NetworkInputs::count || network_->outputs() != 1) {
      throw std::invalid_argument("a network of gomoku takes " +
                                  std::to_string(NetworkInputs::count) +
                                  " inputs and gives one output");
    }
  }

  // Patterns of lines, kept up from leaf to leaf.
  explicit LeafEvaluation(LineEvaluator<Counted> lines) : lines_(std::move(lines)) {}

  // The network of line patterns, if that is what it is.
  [[nodiscard]] const std::optional<LineEvaluator<Counted>>& lines() const { return lines_; }
  [[nodiscard]] bool has_network() const { return network_ != nullptr; }
  [[nodiscard]] std::int64_t multiply_adds() const {
    if (lines_) return lines_->network().multiply_adds();
    return network_ ? network_->multiply_adds() : Linear::count;
  }

  // From -1 to 1 for the seat to move.
  float operator()(const Counted& counted, const Threats& own, const Threats& enemy) {
    if (lines_) return (*lines_)(counted);
    Linear::Weights terms;
    Terms<Counted>::write(counted, own, enemy, terms.data());
    return squash(linear_.sum(terms), Terms<Counted>::half);
  }
  float operator()(const Counted& counted, const Shapes& own, const Shapes& enemy) {
    const NetworkInputs::Row row = NetworkInputs::of(counted, own, enemy);
    return squash(network_->forward(row, work_)[0], half);
  }

 private:
  static constexpr float half = 2.0F;  // of log odds: close to the probability where it matters

  Linear linear_;
  std::shared_ptr<const DenseNetwork> network_;
  DenseNetwork::Work work_;
  std::optional<LineEvaluator<Counted>> lines_;
};

}  // namespace tempo::gomoku
