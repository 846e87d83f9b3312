// Static evaluations have the symmetries of their game; the dense network does its sums.
#include <doctest/doctest.h>

#include <cctype>
#include <cmath>

#include "games/chess/evaluation.h"
#include "games/gomoku/evaluation.h"
#include "games/gomoku/features.h"
#include "nets/dense.h"
#include "toy_features.h"

namespace test_evaluators {

using namespace tempo;
using Gomoku = gomoku::Position;
using Chess = chess::Position;

constexpr std::uint64_t seed = 4242;

template <Game P>
P random_position(P position, int moves, Random& random) {
  for (int i = 0; i < moves; ++i) {
    P next = position;
    if (const Move move = random_move(next, random); move != no_move) next.play(move);
    if (next.outcome()) break;
    position = next;
  }
  return position;
}

template <class E, Game P>
Scores evaluate(E&& evaluator, const P& position) {
  Scores scores{};
  evaluator(std::span<const P>(&position, 1), std::span<Scores>(&scores, 1));
  return scores;
}

// The same counts, point by point.
gomoku::WindowCounts slow_windows(const Gomoku& position) {
  gomoku::WindowCounts counts{};
  const int size = position.size();
  const auto stone = [&](int seat, int x, int y) {
    return position.row(Seat{static_cast<std::uint8_t>(seat)}, y) >> (x + Gomoku::margin) & 1U;
  };
  constexpr int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};
  for (const auto& [dx, dy] : steps) {
    for (int y = 0; y < size; ++y) {
      for (int x = 0; x < size; ++x) {
        if (x + 4 * dx < 0 || x + 4 * dx >= size || y + 4 * dy >= size) continue;
        std::size_t held[2] = {0, 0};
        for (int k = 0; k < 5; ++k) {
          for (int seat = 0; seat < 2; ++seat) {
            held[seat] += stone(seat, x + k * dx, y + k * dy);
          }
        }
        for (std::size_t seat = 0; seat < 2; ++seat) {
          if (held[seat] > 0 && held[seat] < 5 && held[1 - seat] == 0) {
            ++counts[seat][held[seat]];
          }
        }
      }
    }
  }
  return counts;
}

TEST_CASE("gomoku windows are counted as point by point, and alike in all eight symmetries") {
  INFO("seed " << seed);
  Random random(seed);
  const gomoku::StaticEvaluator evaluator;
  for (std::int16_t size = 5; size <= 20; ++size) {
    for (int stones = 0; stones < size * size; stones += 7) {
      const Gomoku position = random_position(Gomoku::start({size, 0}), stones, random);
      INFO(position.board());
      const gomoku::WindowCounts counts = gomoku::count_windows(position);
      CHECK(counts == slow_windows(position));
      for (int symmetry = 1; symmetry < 8; ++symmetry) {
        CHECK(gomoku::count_windows(position.transformed(symmetry)) == counts);
        CHECK(evaluate(evaluator, position.transformed(symmetry)) == evaluate(evaluator, position));
      }
    }
  }
}

TEST_CASE("a stone in the middle of a gomoku board lies in twenty windows") {
  Gomoku position = Gomoku::start({});
  CHECK(gomoku::StaticEvaluator::advantage(position) == 0);
  position.play(position.parse_move("h8"));
  CHECK(gomoku::count_windows(position)[0] == std::array<int, 5>{0, 20, 0, 0, 0});
  CHECK(gomoku::StaticEvaluator::advantage(position) < 0);  // for white, who moves
  CHECK(evaluate(gomoku::StaticEvaluator(), position)[0] > 0);
}

// The board turned upside down with the colours exchanged: the same game for the other side.
Chess mirrored(const Chess& position) {
  const std::string text = position.text();
  const std::size_t end = text.find(' ');
  std::string placement;
  for (std::size_t from = 0; from <= end;) {
    const std::size_t to = std::min(text.find('/', from), end);
    placement = text.substr(from, to - from) + (placement.empty() ? "" : "/") + placement;
    from = to + 1;
  }
  const auto swap_case = [](char c) {
    return static_cast<char>(std::isupper(c) ? std::tolower(c) : std::toupper(c));
  };
  for (char& c : placement) c = swap_case(c);
  const char* turn = text[end + 1] == 'w' ? "b" : "w";
  return Chess::parse(placement + " " + turn + " - - 0 1");
}

TEST_CASE("chess evaluation is the same for either colour") {
  INFO("seed " << seed);
  Random random(seed);
  const chess::StaticEvaluator evaluator;
  for (int i = 0; i < 200; ++i) {
    const Chess position = random_position(Chess::start(), i, random);
    const Chess mirror = mirrored(position);
    INFO(position.text() << " and " << mirror.text());
    const Scores scores = evaluate(evaluator, position);
    CHECK(evaluate(evaluator, mirror) == Scores{scores[1], scores[0]});
    CHECK(scores[0] == -scores[1]);
    CHECK(chess::StaticEvaluator::advantage(mirror) == chess::StaticEvaluator::advantage(position));
  }
}

TEST_CASE("chess evaluation knows what is better") {
  const auto points = [](const char* fen) {
    return chess::StaticEvaluator::advantage(Chess::parse(fen));
  };
  CHECK(points("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") == 10);  // the move
  CHECK(points("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 1") < -250);
  CHECK(points("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") > 800);
  // A pawn that nobody can stop is worth more far up the board.
  CHECK(points("8/P6k/8/8/8/8/7K/8 w - - 0 1") > points("8/7k/8/8/P7/8/7K/8 w - - 0 1"));
  // A bare king at the edge, with the other close by, is nearer to mate.
  CHECK(points("7k/8/5K2/8/8/8/8/R7 w - - 0 1") > points("8/8/3k4/8/8/8/8/R6K w - - 0 1"));
  CHECK(points("7k/8/5K2/8/8/8/8/r7 b - - 0 1") < points("7K/8/5k2/8/8/8/8/r7 b - - 0 1"));
}

DenseLayer layer(int inputs, int outputs, std::vector<float> weights, std::vector<float> bias,
                 Activation activation) {
  return {inputs, outputs, std::move(weights), std::move(bias), activation};
}

TEST_CASE("a dense network worked out by hand") {
  // h = relu([1 2; -1 1; 0 3] x + [0; 0.5; -4]), y = tanh([1 -2 0.5] h + 0.25)
  const DenseNetwork network({layer(2, 3, {1, 2, -1, 1, 0, 3}, {0, 0.5F, -4}, Activation::Relu),
                              layer(3, 1, {1, -2, 0.5F}, {0.25F}, Activation::Tanh)});
  DenseNetwork::Work work(network);
  CHECK(network.multiply_adds() == 2 * 3 + 3 * 1);
  const auto run = [&](float a, float b) {
    const float input[] = {a, b};
    return network.forward(input, work)[0];
  };
  CHECK(run(1, 2) == doctest::Approx(std::tanh(5 - 2 * 1.5 + 0.5 * 2 + 0.25)));
  CHECK(run(0, 0) == doctest::Approx(std::tanh(-2 * 0.5 + 0.25)));
  CHECK(run(-1, 0) == doctest::Approx(std::tanh(-2 * 1.5 + 0.25)));
}

TEST_CASE("a dense network of any width equals the plain double sum") {
  INFO("seed " << seed);
  Random random(seed);
  const auto number = [&] { return static_cast<float>(random.uniform() * 2 - 1); };
  for (const int outputs : {1, 2, 7, 8, 9, 16, 20, 33, 64, 100}) {
    for (const int inputs : {1, 5, 40, 130}) {
      DenseLayer one = layer(inputs, outputs, {}, {}, Activation::Linear);
      for (int i = 0; i < inputs * outputs; ++i) one.weights.push_back(number());
      for (int i = 0; i < outputs; ++i) one.bias.push_back(number());
      std::vector<float> input;
      for (int i = 0; i < inputs; ++i) input.push_back(random.below(3) == 0 ? 0 : number());
      const DenseNetwork network({one});
      DenseNetwork::Work work(network);
      const auto result = network.forward(input, work);
      REQUIRE(result.size() == static_cast<std::size_t>(outputs));
      for (std::size_t o = 0; o < result.size(); ++o) {
        double sum = one.bias[o];
        for (std::size_t i = 0; i < input.size(); ++i) {
          sum += static_cast<double>(one.weights[o * input.size() + i]) *
                 static_cast<double>(input[i]);
        }
        CHECK(static_cast<double>(result[o]) == doctest::Approx(sum).epsilon(1e-5));
      }
    }
  }
}

TEST_CASE("activations") {
  for (const auto& [activation, expected] : {std::pair{Activation::Linear, -2.0},
                                             {Activation::Relu, 0.0},
                                             {Activation::Tanh, std::tanh(-2.0)},
                                             {Activation::Sigmoid, 1 / (1 + std::exp(2.0))}}) {
    const DenseNetwork network({layer(1, 1, {-2}, {0}, activation)});
    DenseNetwork::Work work(network);
    const float input[] = {1};
    CHECK(static_cast<double>(network.forward(input, work)[0]) == doctest::Approx(expected));
  }
}

std::shared_ptr<const DenseNetwork> shared(const std::vector<DenseLayer>& layers) {
  return std::make_shared<const DenseNetwork>(layers);
}

TEST_CASE("a network's value belongs to the team of the seat to move") {
  // Own stones count one tenth each, opposing ones minus one fifth.
  std::vector<float> weights(75, 0);
  std::fill_n(weights.begin(), 25, 0.1F);
  std::fill_n(weights.begin() + 25, 25, -0.2F);
  const auto network = shared({layer(75, 1, weights, {0}, Activation::Linear)});
  DenseEvaluator<Gomoku> evaluator(network, {5, 0});
  const Gomoku white_moves = Gomoku::parse("5/5/2x2/5/5 o", {5, 0});
  CHECK(evaluate(evaluator, white_moves)[0] == doctest::Approx(0.2));
  CHECK(evaluate(evaluator, white_moves)[1] == doctest::Approx(-0.2));
  const Gomoku black_moves = Gomoku::parse("5/5/2xo1/5/5 x", {5, 0});
  CHECK(evaluate(evaluator, black_moves)[0] == doctest::Approx(-0.1));
  CHECK(evaluator.multiply_adds() == 3 * 75);
}

TEST_CASE("outputs by seat are counted from the seat to move and averaged in teams") {
  using Toy = toy::Position;
  const auto network = shared(
      {layer(36, 4, std::vector<float>(4 * 36, 0), {0.8F, 0.1F, 0.4F, -0.3F}, Activation::Linear)});
  DenseEvaluator<Toy> evaluator(network, {});
  const Toy north = Toy::start({});
  const float mover = (0.8F + 0.4F - 0.1F + 0.3F) / 4;
  CHECK(evaluate(evaluator, north)[0] == doctest::Approx(mover));
  CHECK(evaluate(evaluator, north)[2] == doctest::Approx(mover));
  CHECK(evaluate(evaluator, north)[1] == doctest::Approx(-mover));
  Toy east = north;
  while (index(east.turn()) == 0) {
    toy::Moves moves;
    east.legal_moves(moves);
    east.play(moves[0]);
  }
  REQUIRE(index(Toy::team_of(east.turn())) == 1);
  CHECK(evaluate(evaluator, east)[1] == doctest::Approx(mover));
  CHECK(evaluate(evaluator, east)[0] == doctest::Approx(-mover));
}

TEST_CASE("a sigmoid output is a probability of winning") {
  const auto network =
      shared({layer(75, 1, std::vector<float>(75, 0), {std::log(3.0F)}, Activation::Sigmoid)});
  DenseEvaluator<Gomoku> evaluator(network, {5, 0});
  CHECK(evaluate(evaluator, Gomoku::start({5, 0}))[0] == doctest::Approx(0.5));  // p = 3/4
}

TEST_CASE("shapes that do not fit are refused with the reason") {
  const auto linear = Activation::Linear;
  CHECK_THROWS_WITH_AS(DenseNetwork({layer(2, 3, {1, 2, 3}, {0, 0, 0}, linear)}),
                       "layer 0: has 3 weights; 3 x 2 needs 6", std::invalid_argument);
  CHECK_THROWS_WITH_AS(DenseNetwork({layer(1, 2, {1, 2}, {0}, linear)}),
                       "layer 0: has 1 biases; expected 2", std::invalid_argument);
  CHECK_THROWS_WITH_AS(
      DenseNetwork({layer(1, 2, {1, 2}, {0, 0}, linear), layer(3, 1, {1, 1, 1}, {0}, linear)}),
      "layer 1: takes 3 inputs, but the layer before gives 2", std::invalid_argument);
  CHECK_THROWS_AS(DenseNetwork({}), std::invalid_argument);
  const auto small = shared({layer(2, 1, {1, 1}, {0}, linear)});
  CHECK_THROWS_WITH_AS(DenseEvaluator<Gomoku>(small, {5, 0}),
                       "the network takes 2 inputs; gomoku has 75 features", std::invalid_argument);
}

}  // namespace test_evaluators
