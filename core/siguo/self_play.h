// The paper's network on the 130 inputs, and games that it plays with itself: Q(s, a) is the
// network on the expected state after a. Nothing is learnt here; a game hands out what a learner
// needs. Values belong to the seat that moves.
#pragma once

#include <vector>

#include "../random.h"
#include "inputs.h"

namespace tempo::siguo {

// Inputs, a few hidden units, one output; tanh throughout.
class QNetwork {
 public:
  static constexpr int most_hidden = 8;
  using Sums [[gnu::vector_size(most_hidden * sizeof(float))]] = float;

  // Weights into [130, H], biases [H] and weights out of [H] the hidden units, and the last bias.
  QNetwork(int hidden, const float* first, const float* bias, const float* second, float last)
      : hidden_(hidden), last_(last) {
    for (int j = 0; j < hidden; ++j) {
      bias_[j] = bias[j];
      second_[j] = second[j];
      for (int i = 0; i < inputs; ++i) first_[at(i)][j] = first[hidden * i + j];
    }
  }

  [[nodiscard]] Sums sum(const Inputs& x) const {
    Sums sums = bias_;
    for (std::size_t i = 0; i < inputs; ++i) sums += x[i] * first_[i];
    return sums;
  }
  [[nodiscard]] const Sums& row(int input) const { return first_[at(input)]; }
  [[nodiscard]] float value(const Sums& sums) const {
    float total = last_;
    for (int j = 0; j < hidden_; ++j) total += second_[j] * std::tanh(sums[j]);
    return std::tanh(total);
  }

 private:
  int hidden_;
  float last_;
  std::array<Sums, inputs> first_{};
  Sums bias_{};
  Sums second_{};
};

// Q(s, a) of every legal move of the seat to move.
struct Judged {
  Moves moves;
  std::array<Encoder::Change, most_moves + 1> changes;
  std::array<float, most_moves + 1> values;
  Inputs now;

  [[nodiscard]] float best() const {
    return *std::max_element(values.begin(), values.begin() + moves.size());
  }
};

inline void judge(const Encoder& encoder, const QNetwork& network, const View& view,
                  const RunningBelief& belief, Judged& out) {
  view.legal_moves(out.moves);
  encoder.write(view, belief, out.now);
  const int own = tempo::index(view.seat());
  Inputs& x = out.now;
  const float before = x[stations];
  x[stations] = encoder.last_after(view);
  const QNetwork::Sums sums = network.sum(x);
  x[stations] = before;
  for (int i = 0; i < out.moves.size(); ++i) {
    const Encoder::Change change = encoder.change(view, belief, out.moves[i]);
    out.changes[at(i)] = change;
    QNetwork::Sums after = sums;
    if (change.owner != none)
      view.table().stations_of(change.owner).each([&](int station) {
        const int place = Encoder::place(station, own);
        if (place != change.to) after -= (1 - change.keeps) * x[at(place)] * network.row(place);
      });
    if (change.from != none) {
      after -= x[at(change.from)] * network.row(change.from);
      after += (change.value - x[at(change.to)]) * network.row(change.to);
    }
    out.values[at(i)] = network.value(after);
  }
}

// How moves are chosen: tempo.explore has the same in Python.
struct Exploration {
  double random_share = 0;  // ε
  double temperature = 0;   // of Metropolis; 0: never
};

inline int choose(const Judged& judged, const Exploration& how, Random& random) {
  const int count = judged.moves.size();
  const auto any = [&] { return static_cast<int>(random.below(count)); };
  if (how.random_share > 0 && random.uniform() < how.random_share) return any();
  const float best = judged.best();
  if (how.temperature > 0) {
    const int proposed = any();
    const double worse = static_cast<double>(judged.values[at(proposed)]) - best;
    if (random.uniform() <= std::exp(worse / how.temperature)) return proposed;
  }
  int equal = 0;
  int chosen = 0;
  for (int i = 0; i < count; ++i)
    if (judged.values[at(i)] == best && random.below(++equal) == 0) chosen = i;
  return chosen;
}

// A game as a learner wants it; entries are moves, all seats' in turn.
struct SelfPlayed {
  std::vector<float> rows;   // [N, 130] the expected states after the moves
  std::vector<float> taken;  // [N] Q of the move made, and of the best
  std::vector<float> best;
  std::vector<std::uint8_t> turn;
  Scores scores{};
  std::int64_t evaluated = 0;
};

inline SelfPlayed play_itself(const Encoder& encoder, const QNetwork& network,
                              const Options& options, const Exploration& how, Random& random) {
  SelfPlayed game;
  Position position = Position::deal(options, random);
  std::array<RunningBelief, 4> beliefs;
  Judged judged;
  while (!position.outcome()) {
    const Seat seat = position.turn();
    RunningBelief& belief = beliefs[at(tempo::index(seat))];
    const View view = position.view(seat);
    belief.update(view);
    judge(encoder, network, view, belief, judged);
    const int chosen = choose(judged, how, random);
    encoder.apply(view, judged.changes[at(chosen)], judged.now);
    game.rows.insert(game.rows.end(), judged.now.begin(), judged.now.end());
    game.taken.push_back(judged.values[at(chosen)]);
    game.best.push_back(judged.best());
    game.turn.push_back(static_cast<std::uint8_t>(tempo::index(seat)));
    game.evaluated += judged.moves.size();
    position.play(judged.moves[chosen]);
  }
  game.scores = position.outcome()->scores;
  return game;
}

}  // namespace tempo::siguo
