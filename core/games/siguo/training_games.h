// What games teach: about the worth of pieces and places, by their results (judgement.h), and about
// hidden kinds, by how they are played (tells.h). Both are logistic regressions, so what comes of
// games is the gradient of a log loss at positions drawn from them.
#pragma once

#include "../../parallel/pool.h"
#include "../../stop.h"
#include "heuristic.h"
#include "strong.h"

namespace tempo::siguo {

struct GamesGradient {
  std::vector<double> gradient;
  double loss = 0;  // log loss of the weights as they are, summed over examples
  std::int64_t examples = 0;
  std::int64_t moves = 0;
  double won = 0;  // games, by the team of seat 0; draws count half

  explicit GamesGradient(int terms) : gradient(at(terms)) {}
  GamesGradient& operator+=(const GamesGradient& other) {
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += other.gradient[i];
    loss += other.loss;
    examples += other.examples;
    moves += other.moves;
    won += other.won;
    return *this;
  }
};

// The policy's move for the seat to move, by what that seat may know.
inline Move policy_move(const Position& position, const PolicyWeights& policy, Random& random) {
  const PolicyTables tables(position.view(position.turn()), policy);
  const Playout playout(position);
  return PlayoutPolicy(playout, tables).choose(random);
}

// Who plays the games.
struct Teacher {
  enum class By { Rules, Policy, Search } by = By::Rules;
  StrongKnowledge knowledge{};  // of Search, and the policy
  int simulations = 100;        // of Search
  double random_share = 0.1;    // of moves
  int every = 6;                // plies between positions that are taken, on average

  [[nodiscard]] Move choose(const Position& position, Random& random) const {
    if (random.uniform() < random_share) return position.random_move(random);
    const View view = position.view(position.turn());
    if (by == By::Rules) {
      Moves moves;
      view.legal_moves(moves);
      return Heuristic(view).choose(moves, random);
    }
    if (by == By::Search) {
      return search_strong(view, knowledge, {.budget = {.simulations = simulations}}, random)
          .moves.front()
          .move;
    }
    return policy_move(position, knowledge.policy, random);
  }
};

// A game: positions taken from it, its moves and its result for the team of seat 0, 0 to 1.
struct TaughtGame {
  std::vector<Position> taken;
  std::int64_t moves = 0;
  double won = 0;

  TaughtGame(const Teacher& teacher, const Options& options, Random& random) {
    Position position = Position::deal(options, random);
    StopPoll poll(64);
    for (; !position.outcome(); ++moves) {
      poll.check();
      if (random.below(teacher.every) == 0) taken.push_back(position);
      position.play(teacher.choose(position, random));
    }
    won = (1 + static_cast<double>(position.outcome()->scores[0])) / 2;
  }
};

// Who won: the learner sees the whole position, the players see their views.
inline GamesGradient result_gradient(const Judgement& judgement, const TaughtGame& game, Random&) {
  GamesGradient sums(Judgement::terms);
  for (const Position& example : game.taken) {
    const auto sum = static_cast<double>(judgement.sum(example));
    const double error = 1 / (1 + std::exp(-sum)) - game.won;
    sums.loss += std::log1p(std::exp(-std::abs(sum))) + std::max(sum, 0.0) - game.won * sum;
    Judgement::each_term(example, [&](int term, float value) {
      sums.gradient[at(term)] += error * static_cast<double>(value);
    });
  }
  sums.examples = static_cast<std::int64_t>(game.taken.size());
  return sums;
}

// Which is the actual position: two pieces of an army have their kinds, or each other's where that
// fits a view as well. (Ratios of exchanges are all that a tilt is made of.)
inline GamesGradient tell_gradient(const Tells& tells, const TaughtGame& game, Random& random) {
  static constexpr int tries = 150;
  GamesGradient sums(Tells::terms);
  for (const Position& example : game.taken) {
    const View view = example.view(Seat{static_cast<std::uint8_t>(random.below(4))});
    const Tilt tilt(view.public_state(), tells);
    const Tells::AllActive active = Tells::active(view.public_state());
    const Determinizations determinizations(view);
    Kinds actual = example.all_kinds();
    determinizations.exchange(actual, tries, random, [&](int one, int other, Kind a, Kind b) {
      const auto sum = -static_cast<double>(tilt.gain(one, other, a, b));  // for the actual one
      sums.loss += std::log1p(std::exp(-std::abs(sum))) + std::max(-sum, 0.0);
      const double error = 1 / (1 + std::exp(sum));
      const auto add = [&](int piece, Kind kind, double step) {
        for (const int feature : active[at(piece)].span())
          sums.gradient[at(kinds * feature + kind)] += step;
      };
      add(one, a, error);
      add(other, b, error);
      add(one, b, -error);
      add(other, a, -error);
      ++sums.examples;
      return false;
    });
  }
  return sums;
}

// Games `begin` to `begin + games`, each by a random stream of its own so that threads change
// nothing, and their summed gradient.
template <class Learn>
GamesGradient play_training_games(const Teacher& teacher, int terms, int games, std::uint64_t seed,
                                  std::uint64_t begin, int threads, Learn&& learn) {
  std::vector<GamesGradient> played(at(games), GamesGradient(0));
  Pool(threads).run(
      games,
      [&](std::int64_t i) {
        Random random(seed, begin + static_cast<std::uint64_t>(i));
        const TaughtGame game(teacher, Options{}, random);
        GamesGradient sums = learn(game, random);
        sums.moves = game.moves;
        sums.won = game.won;
        played[static_cast<std::size_t>(i)] = std::move(sums);
      },
      1);
  GamesGradient sum(terms);
  for (const GamesGradient& game : played) sum += game;  // in order: no thread changes a digit
  return sum;
}

// Matches, for tuning: what the first player scores on deal `begin` + i, -1 to 1, the mean of two
// games with the teams swapped.
inline void play_matches(const std::array<Teacher, 2>& players, std::uint64_t seed,
                         std::uint64_t begin, int threads, std::span<float> scores) {
  Pool(threads).run(
      static_cast<std::int64_t>(scores.size()),
      [&](std::int64_t i) {
        Random random(seed, begin + static_cast<std::uint64_t>(i));
        const Position start = Position::deal(Options{}, random);
        float sum = 0;
        StopPoll poll(64);
        for (int swap = 0; swap < 2; ++swap) {
          Position position = start;
          while (!position.outcome()) {
            poll.check();
            const int side = (position.public_state().turn() & 1) ^ swap;
            position.play(players[at(side)].choose(position, random));
          }
          sum += swap == 0 ? position.outcome()->scores[0] : -position.outcome()->scores[0];
        }
        scores[static_cast<std::size_t>(i)] = sum / 2;
      },
      1);
}

}  // namespace tempo::siguo
