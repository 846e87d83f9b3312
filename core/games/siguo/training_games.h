// What results of games teach about the worth of pieces and places (judgement.h): games of the
// rules of thumb against themselves, some moves of which are random, and the gradient of the log
// loss at positions drawn from them.
#pragma once

#include "../../stop.h"
#include "heuristic.h"
#include "judgement.h"

namespace tempo::siguo {

struct Lesson {
  std::vector<double> gradient = std::vector<double>(at(Judgement::terms));
  double loss = 0;  // log loss of the weights as they are, summed over positions
  std::int64_t positions = 0;
  std::int64_t moves = 0;
  double won = 0;  // games, by the team of seat 0; draws count half

  Lesson& operator+=(const Lesson& other) {
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += other.gradient[i];
    loss += other.loss;
    positions += other.positions;
    moves += other.moves;
    won += other.won;
    return *this;
  }
};

struct LessonSettings {
  double random_share = 0.1;  // of moves
  int every = 6;              // plies between positions that are taken, on average
};

// One game. The truth is known to whoever learns; the players see their views.
inline Lesson lesson_of_game(const Judgement& judgement, const Options& options,
                             const LessonSettings& settings, Random& random) {
  std::vector<Position> taken;
  Position position = Position::deal(options, random);
  Lesson lesson;
  StopPoll poll(64);
  for (; !position.outcome(); ++lesson.moves) {
    poll.check();
    if (random.below(settings.every) == 0) taken.push_back(position);
    const View view = position.view(position.turn());
    Moves moves;
    view.legal_moves(moves);
    position.play(random.uniform() < settings.random_share ? position.random_move(random)
                                                           : Heuristic(view).choose(moves, random));
  }
  const double won = lesson.won = (1 + static_cast<double>(position.outcome()->scores[0])) / 2;
  for (const Position& truth : taken) {
    const auto sum = static_cast<double>(judgement.sum(truth));
    const double error = 1 / (1 + std::exp(-sum)) - won;
    lesson.loss += std::log1p(std::exp(-std::abs(sum))) + std::max(sum, 0.0) - won * sum;
    Judgement::each_term(truth, [&](int term, float value) {
      lesson.gradient[at(term)] += error * static_cast<double>(value);
    });
  }
  lesson.positions = static_cast<std::int64_t>(taken.size());
  return lesson;
}

}  // namespace tempo::siguo
