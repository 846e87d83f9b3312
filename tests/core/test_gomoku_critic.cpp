// Gomoku's critic: lengths of inputs, candidates by the rows that change against whole networks,
// and all repeats of a transition on sums against one after the other on weights.
#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "games/gomoku/self_teaching.h"

namespace test_gomoku_critic {

using namespace tempo::gomoku;
using tempo::index;
using tempo::Random;

constexpr std::uint64_t seed = 2012;
constexpr InputKind kinds[] = {InputKind::Patterns, InputKind::Counts, InputKind::OneTurn,
                               InputKind::NoTurn, InputKind::Board};

struct Weights {
  Weights(int inputs, int hidden)
      : first(static_cast<std::size_t>(inputs * hidden)), second(static_cast<std::size_t>(hidden)) {
    Random random(seed);
    for (float& weight : first) weight = static_cast<float>(random.uniform() - 0.5);
    for (float& weight : second) weight = static_cast<float>(random.uniform() - 0.5);
  }
  std::vector<float> first;
  std::vector<float> second;
};

Critic random_critic(InputKind kind, int size, int hidden) {
  Critic critic(Encoder(kind, size), hidden);
  const Weights weights(critic.inputs(), hidden);
  critic.read(weights.first.data(), weights.second.data());
  return critic;
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// The network and the update as they are printed, with every weight.
struct Plain {
  Plain(const Weights& weights, int inputs)
      : first(weights.first.begin(), weights.first.end()),
        second(weights.second.begin(), weights.second.end()),
        count(static_cast<std::size_t>(inputs)) {}

  [[nodiscard]] std::vector<double> active(const std::vector<double>& x) const {
    std::vector<double> g(second.size());
    for (std::size_t i = 0; i < g.size(); ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < count; ++j) sum += x[j] * first[j * g.size() + i];
      g[i] = sigmoid(sum);
    }
    return g;
  }
  [[nodiscard]] double value(const std::vector<double>& x) const {
    double sum = 0;
    const std::vector<double> g = active(x);
    for (std::size_t i = 0; i < g.size(); ++i) sum += g[i] * second[i];
    return sigmoid(sum);
  }
  void learn(const std::vector<double>& x, double target) {
    const std::vector<double> g = active(x);
    const double v = value(x);
    const double push = 0.2 * 0.2 * (target - v) * v * (1 - v);
    for (std::size_t i = 0; i < g.size(); ++i) {
      for (std::size_t j = 0; j < count; ++j) {
        first[j * g.size() + i] += 0.05 * push * second[i] * g[i] * (1 - g[i]) * x[j];
      }
      second[i] += 0.05 * push * g[i];
    }
  }

  std::vector<double> first;
  std::vector<double> second;
  std::size_t count;
};

std::vector<double> dense(const Inputs& inputs, int count) {
  std::vector<double> all(static_cast<std::size_t>(count));
  for (const auto& [index, value] : inputs) all[static_cast<std::size_t>(index)] = value;
  return all;
}

TEST_CASE("gomoku critic: lengths of the inputs") {
  const int expected[] = {274, 122, 196, 194, 452};
  for (const InputKind kind : kinds) {
    CHECK(Encoder(kind, 15).count() == expected[static_cast<int>(kind)]);
  }
}

TEST_CASE("gomoku critic: candidates are valued as the positions after them") {
  Random random(seed);
  const auto judged = std::make_unique<Judged>();
  for (const InputKind kind : kinds) {
    for (const int size : {5, 9, 20}) {
      const Critic critic = random_critic(kind, size, 37);
      CriticGame game({static_cast<std::int16_t>(size), 0}, size % 2);
      while (!game.position.is_over()) {
        judge(critic, game, 2, false, *judged);
        REQUIRE(judged->evaluated == judged->moves.size());
        const int i = static_cast<int>(random.below(judged->moves.size()));
        CriticGame after = game;
        after.play(judged->moves[i]);
        Inputs inputs;
        critic.encoder().write(after.board, after.first, after.turn(), inputs);
        const float value = judged->values[static_cast<std::size_t>(i)];
        REQUIRE(value == doctest::Approx(critic.value(inputs)).epsilon(1e-5));
        game = after;
      }
    }
  }
}

TEST_CASE("gomoku critic: fifty repeats on sums as on weights") {
  constexpr int hidden = 21;
  const Weights weights(274, hidden);
  Critic critic = random_critic(InputKind::Patterns, 15, hidden);
  Plain plain(weights, 274);
  CriticGame game({}, 0);
  Inputs before;
  Inputs after;
  for (const int point : {112, 113, 97, 127, 128}) {
    critic.encoder().write(game.board, 0, game.turn(), before);
    game.play(tempo::Move{static_cast<std::uint16_t>(point)});
    critic.encoder().write(game.board, 0, game.turn(), after);
    critic.learn({}, before, after);
    for (int i = 0; i < 50; ++i) plain.learn(dense(before, 274), plain.value(dense(after, 274)));
  }
  critic.learn({}, after, 1.0F);
  for (int i = 0; i < 50; ++i) plain.learn(dense(after, 274), 1.0);
  Weights learnt(274, hidden);
  critic.write(learnt.first.data(), learnt.second.data());
  double moved = 0;
  for (std::size_t j = 0; j < learnt.first.size(); ++j) {
    moved = std::max(moved, std::abs(plain.first[j] - static_cast<double>(weights.first[j])));
    REQUIRE(static_cast<double>(learnt.first[j]) == doctest::Approx(plain.first[j]).epsilon(1e-4));
  }
  for (std::size_t i = 0; i < learnt.second.size(); ++i) {
    REQUIRE(static_cast<double>(learnt.second[i]) ==
            doctest::Approx(plain.second[i]).epsilon(1e-4));
  }
  CHECK(moved > 0.001);
}

TEST_CASE("gomoku critic: teaches itself the same way twice") {
  const auto taught = [] {
    Critic critic = random_critic(InputKind::Patterns, 9, 20);
    const auto teacher =
        std::make_unique<SelfTeacher>(Options{9, 0}, PlayRule{0.1, true, true, 2}, nullptr);
    const LearningRule rule;
    std::vector<std::int16_t> moves;
    for (std::uint64_t number = 0; number < 6; ++number) {
      Random random(seed, number);
      const CriticRecord record = teacher->play(critic, &rule, number % 2 == 1, random);
      moves.insert(moves.end(), record.moves.begin(), record.moves.end());
    }
    return moves;
  };
  CHECK(taught() == taught());
}

}  // namespace test_gomoku_critic
