// A small dense network inside the core, fed by a game's features: for networks of the papers' size
// this beats any call into a framework. Python writes the weights; nothing is learnt here.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../evaluator.h"
#include "../game_features.h"

namespace tempo {

enum class Activation : std::uint8_t { Linear, Relu, Tanh, Sigmoid };

// One layer as a learner holds it: weights [outputs, inputs] row by row, bias [outputs].
struct DenseLayer {
  int inputs = 0;
  int outputs = 0;
  std::vector<float> weights;
  std::vector<float> bias;
  Activation activation = Activation::Linear;
};

// The layers, checked once, with their weights turned round to [inputs, outputs]: an input of zero
// then saves a whole row, and the order of every sum is fixed here and not by the compiler, so that
// a result does not depend on the width of the processor's registers.
class DenseNetwork {
 public:
  // Throws std::invalid_argument when the shapes do not fit.
  explicit DenseNetwork(const std::vector<DenseLayer>& layers);

  [[nodiscard]] int inputs() const { return layers_.front().inputs; }
  [[nodiscard]] int outputs() const { return layers_.back().outputs; }
  [[nodiscard]] Activation last_activation() const { return layers_.back().activation; }
  // Of one forward pass with every input counted, skipped or not.
  [[nodiscard]] std::int64_t multiply_adds() const { return multiply_adds_; }

  // What a forward pass writes to; one to a thread.
  struct Work {
    Work() = default;
    explicit Work(const DenseNetwork& network);

    std::vector<float> values;  // two layers of them
    std::vector<int> indices;   // of the inputs that are not zero
  };

  // One forward pass: [inputs] to [outputs], the latter lying in `work`.
  std::span<const float> forward(std::span<const float> input, Work& work) const;

 private:
  struct Layer {
    int inputs;
    int outputs;
    int stride;  // outputs, rounded up to whole registers
    Activation activation;
    std::vector<float> columns;  // [inputs, stride]
    std::vector<float> bias;     // [stride]
  };

  void add(const DenseLayer& layer, int number);

  template <int registers>
  static void sum_columns(const Layer& layer, const float* input, std::span<const int> nonzero,
                          int from, float* out);
  static void multiply(const Layer& layer, const float* input, int* indices, float* out);

  std::vector<Layer> layers_;
  int widest_ = 0;
  std::int64_t multiply_adds_ = 0;
};

// Throws std::invalid_argument unless a network fits a game with these numbers of features and
// seats.
void require_fit(const DenseNetwork* network, std::string_view game, std::size_t features,
                 int seats);
[[noreturn]] void throw_misfit(std::size_t inputs, std::string_view game, int features);

// The scores of a game from a network on its features, written from the side of the seat to move.
// One output is the score of that seat's team, and other teams share what it does not get; as many
// outputs as seats are the scores by seat, counted from the seat to move on, averaged within two
// teams. A sigmoid output is the probability
// p of winning and gives 2p - 1. Copies share the network and are used one to a thread.
template <HasFeatures P>
class DenseEvaluator {
 public:
  static constexpr bool prefers_batches = false;  // the network stays in the cache anyway

  DenseEvaluator(std::shared_ptr<const DenseNetwork> network, const typename P::Options& options)
      : features_(static_cast<std::size_t>(feature_count<P>(options))) {
    set_network(std::move(network));
  }

  // Throws std::invalid_argument when the network does not fit the game.
  void set_network(std::shared_ptr<const DenseNetwork> network) {
    require_fit(network.get(), P::name, features_.size(), P::seats);
    network_ = std::move(network);
    work_ = DenseNetwork::Work(*network_);
  }

  [[nodiscard]] const DenseNetwork& network() const { return *network_; }
  [[nodiscard]] std::int64_t multiply_adds() const { return multiply_adds_; }  // so far

  void operator()(std::span<const P> positions, std::span<Scores> values) {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      // A board of another size would write its features past the end of ours.
      const int count = feature_count<P>(positions[i].options());
      if (count != static_cast<int>(features_.size())) {
        throw_misfit(features_.size(), P::name, count);
      }
      const Seat seat = positions[i].turn();
      write_features(positions[i], seat, features_.data());
      const float mover = score_to_move(seat, network_->forward(features_, work_));
      values[i] = scores_by_team_of<P>(seat, mover);
    }
    multiply_adds_ += network_->multiply_adds() * static_cast<std::int64_t>(positions.size());
  }

 private:
  [[nodiscard]] float score_to_move(Seat seat, std::span<const float> outputs) const {
    float score = outputs[0];
    if (outputs.size() > 1) {
      score = 0;
      // Of several teams each is one seat, and what all get in the mean is nobody's advantage.
      constexpr float against = teams_of<P>() > 2 ? -1.0F / (P::seats - 1) : -1.0F;
      for (int k = 0; k < P::seats; ++k) {
        const auto there = Seat{static_cast<std::uint8_t>((index(seat) + k) % P::seats)};
        const float value = outputs[static_cast<std::size_t>(k)];
        score += P::team_of(there) == P::team_of(seat) ? value : against * value;
      }
      score *= teams_of<P>() > 2 ? 1 - 1.0F / P::seats : 1.0F / P::seats;
      if (network_->last_activation() == Activation::Sigmoid) score *= 2;
    } else if (network_->last_activation() == Activation::Sigmoid) {
      score = 2 * score - 1;
    }
    return std::clamp(score, -1.0F, 1.0F);
  }

  std::shared_ptr<const DenseNetwork> network_;
  std::vector<float> features_;
  DenseNetwork::Work work_;
  std::int64_t multiply_adds_ = 0;
};

}  // namespace tempo
