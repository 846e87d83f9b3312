// A game of a search against itself, and what TD-Leaf (Baxter, Tridgell, Weaver 1998) learns from
// it: the gradient by the weights of an evaluation that is a sum of terms.
//
// Every search ends in a leaf whose evaluation is its value. That evaluation is moved towards the
// λ-return of what followed: R_t = (1 - λ) v_{t+1} + λ R_{t+1}, which ends in the result of the
// game. (`td.td_leaf` of the Python package is the same on arrays.)
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "../nets/linear.h"
#include "../parallel/pool.h"
#include "../search/alpha_beta_value.h"
#include "../search/result.h"
#include "../stop.h"

namespace tempo {

struct LeafGameSettings {
  double trace = 0.9;          // λ
  double random_share = 0.03;  // moves played at random: what followed says nothing of those before
  int opening = 16;            // random moves at most before the game counts
};

struct LeafGradient {
  std::vector<double> gradient;  // [terms], summed over leaves
  double squares = 0;            // of the errors, summed
  std::int64_t leaves = 0;       // with an evaluation, so that there is something to learn
  std::int64_t moves = 0;
  std::int64_t positions = 0;  // visited by searches
  std::int64_t evaluations = 0;
  Scores scores{};  // of the game

  LeafGradient& operator+=(const LeafGradient& other) {
    gradient.resize(other.gradient.size());
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += other.gradient[i];
    squares += other.squares;
    leaves += other.leaves;
    moves += other.moves;
    positions += other.positions;
    evaluations += other.evaluations;
    for (std::size_t i = 0; i < scores.size(); ++i) scores[i] += other.scores[i];
    return *this;
  }
};

template <HasTerms P>
class LeafGame {
 public:
  static_assert(P::seats == 2, "the game of a leaf has two seats");
  using Linear = LinearEvaluator<P>;

  LeafGame(const Linear& linear, const LeafGameSettings& settings)
      : linear_(&linear), settings_(settings) {}

  // Plays from `start` with `search(position, past)`, and learns.
  template <class Search>
  LeafGradient play(const P& start, Random random, const Search& search) {
    sums_ = {};
    sums_.gradient.resize(static_cast<std::size_t>(Linear::count));
    leaves_.clear();
    P position = start;
    History past;
    for (auto left = random.below(settings_.opening + 1); left > 0; --left) {
      P next = position;
      History before = past;
      tempo::play(next, before, random_move(position, random));
      if (outcome(next, before)) break;  // the game is to have a move
      position = next;
      past = before;
    }
    auto end = outcome(position, past);
    while (!end) {
      const SearchResult found = search(position, past);
      throw_if_stopped();
      const bool at_random = random.uniform() < settings_.random_share;
      note(position, found, at_random);
      tempo::play(position, past, at_random ? random_move(position, random) : found.move);
      end = outcome(position, past);
    }
    sums_.scores = end->scores;
    learn(end->scores[0]);
    return sums_;
  }

 private:
  struct Leaf {
    P position;
    double value;    // of the search, to seat 0
    bool evaluated;  // it is the evaluation's own, and not that of an end or a mate
    bool at_random;  // the move played was not that of the search
  };

  static double sign_of(const P& position) { return index(position.turn()) == 0 ? 1 : -1; }

  void note(const P& root, const SearchResult& found, bool at_random) {
    ++sums_.moves;
    sums_.positions += found.positions;
    sums_.evaluations += found.evaluations;
    P leaf = root;
    for (const Move move : found.line) leaf.play(move);
    const float score = found.scores[static_cast<std::size_t>(index(leaf.turn()))];
    const float here = squash(linear_->advantage(leaf), Terms<P>::half);
    const bool evaluated = !leaf.outcome() && value_of_score(score) == value_of_score(here);
    leaves_.push_back({leaf, found.scores[0], evaluated, at_random});
  }

  // The loss is the one whose slope by the sum is the error itself (the matching loss of the
  // squash; Auer, Herbster, Warmuth 1995): convex in the weights, as the squared error is not.
  void learn(double following) {
    for (auto leaf = leaves_.rbegin(); leaf != leaves_.rend(); ++leaf) {
      if (leaf->at_random) {
        following = leaf->value;
        continue;
      }
      if (leaf->evaluated) {
        const double sign = sign_of(leaf->position);
        const double error = leaf->value - following;
        add_terms(leaf->position, sign * error / Terms<P>::half, sums_.gradient.data());
        sums_.squares += error * error;
        ++sums_.leaves;
      }
      following = (1 - settings_.trace) * leaf->value + settings_.trace * following;
    }
  }

  const Linear* linear_;
  LeafGameSettings settings_;
  LeafGradient sums_;
  std::vector<Leaf> leaves_;
};

// Games `first` to `first + count` of a search against itself, each with a random stream of its own
// so that threads change nothing, and their summed gradient. `make_search` makes a search for one
// game.
template <HasTerms P, class MakeSearch>
LeafGradient play_leaf_games(const LinearEvaluator<P>& linear, const P& start,
                             const LeafGameSettings& settings, std::uint64_t seed,
                             std::uint64_t first, int count, int threads,
                             const MakeSearch& make_search) {
  std::vector<LeafGradient> games(static_cast<std::size_t>(count));
  Pool(threads).run(
      count,
      [&](std::int64_t i) {
        auto search = make_search();
        games[static_cast<std::size_t>(i)] =
            LeafGame<P>(linear, settings)
                .play(
                    start, Random(seed, first + static_cast<std::uint64_t>(i)),
                    [&](const P& position, const History& past) { return search(position, past); });
      },
      1);
  LeafGradient sum;
  for (const LeafGradient& game : games) sum += game;  // in their order, for the same sum
  return sum;
}

}  // namespace tempo
