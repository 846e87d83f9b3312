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
#include "../search/alpha_beta_value.h"
#include "../search/result.h"
#include "../stop.h"

namespace tempo {

struct LeafGameSettings {
  double trace = 0.9;          // λ
  double random_share = 0.03;  // moves played at random: what followed says nothing of those before
  int opening = 16;            // random moves at most before the game counts
};

struct LeafLesson {
  std::vector<double> gradient;  // [terms], summed over leaves
  double squares = 0;            // of the errors, summed
  std::int64_t leaves = 0;       // that were weighed, so that there is something to learn
  std::int64_t moves = 0;
  std::int64_t positions = 0;  // visited by searches
  std::int64_t evaluations = 0;
  Scores scores{};  // of the game

  LeafLesson& operator+=(const LeafLesson& other) {
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

template <SumsTerms P>
class LeafGame {
 public:
  static_assert(P::seats == 2, "the game of a leaf has two seats");
  using Linear = LinearEvaluator<P>;

  LeafGame(const Linear& linear, const LeafGameSettings& settings)
      : linear_(&linear), settings_(settings) {}

  // Plays from `start` with `search(position, past)`, and learns.
  template <class Search>
  LeafLesson play(const P& start, Random random, const Search& search) {
    lesson_ = {};
    lesson_.gradient.resize(static_cast<std::size_t>(Linear::count));
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
    lesson_.scores = end->scores;
    learn(end->scores[0]);
    return lesson_;
  }

 private:
  struct Leaf {
    P position;
    double value;    // of the search, to seat 0
    bool weighed;    // it is the evaluation's own, and not that of an end or a mate
    bool at_random;  // the move played was not that of the search
  };

  static double sign_of(const P& position) { return index(position.turn()) == 0 ? 1 : -1; }

  void note(const P& root, const SearchResult& found, bool at_random) {
    ++lesson_.moves;
    lesson_.positions += found.positions;
    lesson_.evaluations += found.evaluations;
    P leaf = root;
    for (const Move move : found.line) leaf.play(move);
    const float score = found.scores[static_cast<std::size_t>(index(leaf.turn()))];
    const float here = squash(linear_->advantage(leaf), Terms<P>::half);
    const bool weighed = !leaf.outcome() && value_of_score(score) == value_of_score(here);
    leaves_.push_back({leaf, found.scores[0], weighed, at_random});
  }

  // The loss is the one whose slope by the sum is the error itself (the matching loss of the
  // squash; Auer, Herbster, Warmuth 1995): convex in the weights, as the squared error is not.
  void learn(double following) {
    for (auto leaf = leaves_.rbegin(); leaf != leaves_.rend(); ++leaf) {
      if (leaf->at_random) {
        following = leaf->value;
        continue;
      }
      if (leaf->weighed) {
        const double sign = sign_of(leaf->position);
        const double error = leaf->value - following;
        Terms<P>::add(leaf->position, sign * error / Terms<P>::half, lesson_.gradient.data());
        lesson_.squares += error * error;
        ++lesson_.leaves;
      }
      following = (1 - settings_.trace) * leaf->value + settings_.trace * following;
    }
  }

  const Linear* linear_;
  LeafGameSettings settings_;
  LeafLesson lesson_;
  std::vector<Leaf> leaves_;
};

}  // namespace tempo
