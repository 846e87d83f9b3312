// Learning while playing: the network is taught at every own move, as Cichosz (1995) does it. A
// move gets its target m - 1 own moves later, when all that the target is made of has been seen, or
// when the game ends. Seats that the network plays share its weights; each has its own moves
// waiting.
#pragma once

#include <deque>

#include "self_play.h"

namespace tempo::siguo {

// λ of a seat's own move t: constant, or falling towards `low` and half-way there after `half`
// moves.
struct Trace {
  double first = 0;
  double low = 0;
  double half = 0;

  [[nodiscard]] double at(int t) const {
    return half > 0 ? low + (first - low) / (1 + t / half) : first;
  }
};

struct OnlineRule {
  Trace trace;
  int steps = 20;          // m
  double discount = 0.98;  // γ
  double step_size = 0.4;  // α
  double strength = 0;     // what a rank taken is worth
  bool cut_on_explore = false;
  bool biases = false;
};

// A game that was learnt from.
struct Learnt {
  Scores scores{};
  int team = 0;  // of the network
  int length = 0;
  int made = 0;  // own moves
  int explored = 0;
  int undone = 0;
  double squares = 0;  // of the errors
  std::int64_t evaluated = 0;
};

// The own moves of a seat that wait for their targets, oldest first.
class Waiting {
 public:
  Waiting(const OnlineRule& rule, QNetwork& network, Learnt& game)
      : rule_(rule), network_(network), game_(game) {}

  // The newest move has led to a position worth `best`; true if a move was learnt.
  bool see(double best) {
    if (moves_.empty()) return false;
    moves_.back().utility = best;
    if (static_cast<int>(moves_.size()) < rule_.steps) return false;
    learn_oldest();
    return true;
  }
  void add(const Inputs& row) { moves_.push_back({row, 0, 0, rule_.trace.at(count_++)}); }
  void earn(double reward) {
    if (!moves_.empty()) moves_.back().reward += reward;
  }
  void flush() {
    while (!moves_.empty()) learn_oldest();
  }
  // Nothing follows the newest move.
  void end() {
    if (!moves_.empty()) moves_.back().utility = 0;
    flush();
  }

 private:
  struct Step {
    Inputs row;  // the expected state after it
    double reward;
    double utility;  // of the position after it, as first seen; 0 after the last
    double trace;
  };

  void learn_oldest() {
    double target = moves_.back().utility;
    for (auto step = moves_.rbegin(); step != moves_.rend(); ++step) {
      const double ahead = step->trace * target + (1 - step->trace) * step->utility;
      target = step->reward + rule_.discount * ahead;
    }
    const Inputs& row = moves_.front().row;
    const double error = target - network_.value(network_.sum(row));
    network_.push(row, static_cast<float>(rule_.step_size * error), rule_.biases);
    game_.squares += error * error;
    moves_.pop_front();
  }

  const OnlineRule& rule_;
  QNetwork& network_;
  Learnt& game_;
  std::deque<Step> moves_;
  int count_ = 0;
};

inline Learnt learn_game(const Encoder& encoder, QNetwork& network, const Options& options,
                         const Exploration& how, const Field& field, const OnlineRule& rule,
                         Random& random) {
  Learnt game;
  game.team = field.team;
  Position position = Position::deal(options, random);
  std::array<RunningBelief, 4> beliefs;
  std::vector<Waiting> waiting(4, Waiting(rule, network, game));
  Undoing undoing;
  Judged judged;
  StopPoll poll(64);
  for (; !position.outcome(); ++game.length) {
    poll.check();
    const Seat seat = position.turn();
    const std::size_t number = at(tempo::index(seat));
    const View view = position.view(seat);
    beliefs[number].update(view);
    Move move = no_move;
    if (field.is_own(seat)) {
      judge(encoder, network, view, beliefs[number], judged);
      game.evaluated += judged.moves.size();
      if (waiting[number].see(judged.best()))  // moves are chosen by what has been learnt
        judge(encoder, network, view, beliefs[number], judged);
      const int chosen = choose(judged, how, random);
      const bool explored = judged.values[at(chosen)] < judged.best();
      if (explored && rule.cut_on_explore) waiting[number].flush();
      take(encoder, view, beliefs[number], chosen, judged);
      waiting[number].add(judged.now);
      move = judged.moves[chosen];
      ++game.made;
      game.explored += explored ? 1 : 0;
      game.undone += undoing.add(seat, move) ? 1 : 0;
    } else {
      move = opponents_move(field, view, beliefs[number], random);
    }
    if (rule.strength > 0) {
      const std::array<float, 4> gains = gains_of(position, move);
      for (std::size_t i = 0; i < 4; ++i) waiting[i].earn(rule.strength * gains[i]);
    }
    position.play(move);
  }
  game.scores = position.outcome()->scores;
  for (std::size_t i = 0; i < 4; ++i) {
    waiting[i].earn(game.scores[i]);
    waiting[i].end();
  }
  return game;
}

}  // namespace tempo::siguo
