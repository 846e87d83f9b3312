// What results of games teach about the worth of pieces and places (judgement.h): games of the
// rules of thumb against themselves, some moves of which are random, and the gradient of the log
// loss at positions drawn from them.
#pragma once

#include "../../parallel/pool.h"
#include "../../stop.h"
#include "heuristic.h"
#include "judgement.h"

namespace tempo::siguo {

struct ResultGradient {
  std::vector<double> gradient = std::vector<double>(at(Judgement::terms));
  double loss = 0;  // log loss of the weights as they are, summed over positions
  std::int64_t positions = 0;
  std::int64_t moves = 0;
  double won = 0;  // games, by the team of seat 0; draws count half

  ResultGradient& operator+=(const ResultGradient& other) {
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += other.gradient[i];
    loss += other.loss;
    positions += other.positions;
    moves += other.moves;
    won += other.won;
    return *this;
  }
};

struct TrainingSettings {
  double random_share = 0.1;  // of moves
  int every = 6;              // plies between positions that are taken, on average
};

// One game. The learner sees the whole position; the players see their views.
inline ResultGradient gradient_of_game(const Judgement& judgement, const Options& options,
                                       const TrainingSettings& settings, Random& random) {
  std::vector<Position> taken;
  Position position = Position::deal(options, random);
  ResultGradient sums;
  StopPoll poll(64);
  for (; !position.outcome(); ++sums.moves) {
    poll.check();
    if (random.below(settings.every) == 0) taken.push_back(position);
    const View view = position.view(position.turn());
    Moves moves;
    view.legal_moves(moves);
    position.play(random.uniform() < settings.random_share ? position.random_move(random)
                                                           : Heuristic(view).choose(moves, random));
  }
  const double won = sums.won = (1 + static_cast<double>(position.outcome()->scores[0])) / 2;
  for (const Position& example : taken) {
    const auto sum = static_cast<double>(judgement.sum(example));
    const double error = 1 / (1 + std::exp(-sum)) - won;
    sums.loss += std::log1p(std::exp(-std::abs(sum))) + std::max(sum, 0.0) - won * sum;
    Judgement::each_term(example, [&](int term, float value) {
      sums.gradient[at(term)] += error * static_cast<double>(value);
    });
  }
  sums.positions = static_cast<std::int64_t>(taken.size());
  return sums;
}

// Games `begin` to `begin + games`, each by a random stream of its own so that threads change
// nothing, and their summed gradient.
inline ResultGradient play_training_games(const Judgement& judgement, int games, std::uint64_t seed,
                                          std::uint64_t begin, const TrainingSettings& settings,
                                          int threads) {
  std::vector<ResultGradient> played(at(games));
  Pool(threads).run(
      games,
      [&](std::int64_t i) {
        Random random(seed, begin + static_cast<std::uint64_t>(i));
        played[static_cast<std::size_t>(i)] =
            gradient_of_game(judgement, Options{}, settings, random);
      },
      1);
  ResultGradient sum;
  for (const ResultGradient& game : played) sum += game;  // in order: no thread changes a digit
  return sum;
}

}  // namespace tempo::siguo
