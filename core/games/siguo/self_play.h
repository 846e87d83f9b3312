// The paper's network on the 130 inputs, games that it plays with itself or with opponents, and
// tests of two of it against a stand-in: Q(s, a) is the network on the expected state after a.
// Nothing is learnt here; a game hands out what a learner needs. Values belong to the seat that
// moves.
#pragma once

#include <vector>

#include "../../random.h"
#include "../../stop.h"
#include "heuristic.h"
#include "summary.h"

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
  // Adds by ∇Q(x) to the weights.
  void push(const Inputs& x, float by, bool biases) {
    const Sums sums = sum(x);
    const float q = value(sums);
    const float out = by * (1 - q * q);
    Sums inner{};
    for (int j = 0; j < hidden_; ++j) {
      const float unit = std::tanh(sums[j]);
      inner[j] = out * second_[j] * (1 - unit * unit);
      second_[j] += out * unit;
    }
    for (std::size_t i = 0; i < inputs; ++i) first_[i] += x[i] * inner;
    if (!biases) return;
    bias_ += inner;
    last_ += out;
  }

  [[nodiscard]] int hidden() const { return hidden_; }
  [[nodiscard]] float bias(int unit) const { return bias_[unit]; }
  [[nodiscard]] float second(int unit) const { return second_[unit]; }
  [[nodiscard]] float last() const { return last_; }

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

inline void judge_stations(const Encoder& encoder, const QNetwork& network, const View& view,
                           const RunningBelief& belief, Judged& out) {
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
      view.public_state().stations_of(change.owner).each([&](int station) {
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

inline void judge(const Encoder& encoder, const QNetwork& network, const View& view,
                  const RunningBelief& belief, Judged& out) {
  view.legal_moves(out.moves);
  if (!is_summary(encoder.kind())) return judge_stations(encoder, network, view, belief, out);
  const Summary summary(encoder, view, belief);
  for (int i = 0; i < out.moves.size(); ++i) {
    summary.after(out.moves[i], out.now);
    out.values[at(i)] = network.value(network.sum(out.now));
  }
}

// The expected state after one of the moves that were just judged, in `judged.now`.
inline void take(const Encoder& encoder, const View& view, const RunningBelief& belief, int chosen,
                 Judged& judged) {
  if (is_summary(encoder.kind()))
    Summary(encoder, view, belief).after(judged.moves[chosen], judged.now);
  else
    encoder.apply(view, judged.changes[at(chosen)], judged.now);
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
  std::vector<float> gains;  // [N, 4] strength that each seat took with the move less what it lost
  Scores scores{};
  std::int64_t evaluated = 0;
};

// Strength is the rank; a bomb is as strong as a colonel, a mine as a lieutenant colonel. What a
// flag is worth the result says.
inline constexpr std::array<float, kinds> strengths{9, 8, 7, 6, 5, 4, 3, 2, 1, 5, 4, 0};

// What a move takes from and gives to each seat, on the whole position: known when the game is
// over.
inline std::array<float, 4> gains_of(const Position& position, Move move) {
  std::array<float, 4> gains{};
  if (move == pass_move) return gains;
  const int piece = position.public_state().occupant(from_of(move));
  const int target = position.public_state().occupant(to_of(move));
  if (target == none) return gains;
  const Kind attacker = position.kind(piece);
  const Kind defender = position.kind(target);
  const Battle result = battle(attacker, defender, position.options().mine_hit != 0);
  const float gain = (result == Battle::Loses ? 0.0F : strengths[defender]) -
                     (result == Battle::Wins ? 0.0F : strengths[attacker]);
  gains[at(seat_of(piece))] = gain;
  gains[at(seat_of(target))] = -gain;
  return gains;
}

// The stand-in for the paper's unnamed opponents: with probability `notices` the attack that wins
// most on average by what its seat believes, if one wins anything; else any move.
inline int stand_in(const View& view, const RunningBelief& belief, const Moves& moves,
                    double notices, Random& random) {
  if (random.uniform() < notices) {
    const bool mine_goes_too = view.options().mine_hit != 0;
    int best = -1;
    float highest = 0;
    for (int i = 0; i < moves.size(); ++i) {
      if (moves[i] == pass_move || view.public_state().occupant(to_of(moves[i])) == none) continue;
      const Kind own = view.kind(view.public_state().occupant(from_of(moves[i])));
      const Chances& chances = belief.chances(view.public_state().occupant(to_of(moves[i])));
      float gain = 0;
      for (std::size_t k = 0; k < kinds; ++k) {
        const Battle result = battle(own, static_cast<Kind>(k), mine_goes_too);
        if (result != Battle::Loses) gain += chances[k] * static_cast<float>(worths[k]);
        if (result != Battle::Wins) gain -= chances[k] * static_cast<float>(worths[own]);
      }
      if (gain <= highest) continue;
      highest = gain;
      best = i;
    }
    if (best >= 0) return best;
  }
  return static_cast<int>(random.below(moves.size()));
}

// Who plays the other team; Itself: the network has all four seats.
enum class Opponent : std::uint8_t { Itself, StandIn, Heuristic };
inline constexpr std::array<const char*, 3> opponent_names{"itself", "stand-in", "heuristic"};

struct Field {
  Opponent opponent = Opponent::Itself;
  double notices = 0;  // of the stand-in
  int team = 0;        // of the network, where it has an opponent

  [[nodiscard]] bool is_own(Seat seat) const {
    return opponent == Opponent::Itself || (tempo::index(seat) & 1) == team;
  }
};

inline Move opponents_move(const Field& field, const View& view, const RunningBelief& belief,
                           Random& random) {
  Moves moves;
  view.legal_moves(moves);
  if (field.opponent == Opponent::Heuristic)
    return Heuristic(view.public_state(), view.all_kinds(), tempo::index(view.seat()), belief)
        .choose(moves, random);
  return moves[stand_in(view, belief, moves, field.notices, random)];
}

// Entries are the network's own moves; what others take counts at the entry before.
inline SelfPlayed play_game(const Encoder& encoder, const QNetwork& network, const Options& options,
                            const Exploration& how, const Field& field, Random& random) {
  SelfPlayed game;
  Position position = Position::deal(options, random);
  std::array<RunningBelief, 4> beliefs;
  Judged judged;
  StopPoll poll(64);
  while (!position.outcome()) {
    poll.check();
    const Seat seat = position.turn();
    RunningBelief& belief = beliefs[at(tempo::index(seat))];
    const View view = position.view(seat);
    belief.update(view);
    if (!field.is_own(seat)) {
      const Move move = opponents_move(field, view, belief, random);
      const std::array<float, 4> gains = gains_of(position, move);
      if (!game.gains.empty())
        for (std::size_t i = 0; i < 4; ++i) game.gains[game.gains.size() - 4 + i] += gains[i];
      position.play(move);
      continue;
    }
    judge(encoder, network, view, belief, judged);
    const int chosen = choose(judged, how, random);
    take(encoder, view, belief, chosen, judged);
    const std::array<float, 4> gains = gains_of(position, judged.moves[chosen]);
    game.gains.insert(game.gains.end(), gains.begin(), gains.end());
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

// Whether a seat's moves take back the one before.
class Undoing {
 public:
  bool add(Seat seat, Move move) {
    Move& before = before_[at(tempo::index(seat))];
    const bool undone = before != no_move && before != pass_move && move != pass_move &&
                        from_of(move) == to_of(before) && to_of(move) == from_of(before);
    before = move;
    return undone;
  }

 private:
  std::array<Move, 4> before_{no_move, no_move, no_move, no_move};
};

// A game of two networks on a team against two stand-ins.
struct Tested {
  float score = 0;  // of the networks' team
  int length = 0;   // all moves
  int made = 0;     // by the networks
  int explored = 0;
  int undone = 0;
  std::int64_t evaluated = 0;
};

inline Tested play_stand_ins(const Encoder& encoder, const QNetwork& network, Position position,
                             int team, const Exploration& how, double notices, Random& random) {
  Tested game;
  Undoing undoing;
  std::array<RunningBelief, 4> beliefs;
  Judged judged;
  StopPoll poll(64);
  for (; !position.outcome(); ++game.length) {
    poll.check();
    const Seat seat = position.turn();
    RunningBelief& belief = beliefs[at(tempo::index(seat))];
    const View view = position.view(seat);
    belief.update(view);
    if ((tempo::index(seat) & 1) != team) {
      Moves moves;
      view.legal_moves(moves);
      position.play(moves[stand_in(view, belief, moves, notices, random)]);
      continue;
    }
    judge(encoder, network, view, belief, judged);
    const int chosen = choose(judged, how, random);
    ++game.made;
    game.explored += judged.values[at(chosen)] < judged.best() ? 1 : 0;
    game.undone += undoing.add(seat, judged.moves[chosen]) ? 1 : 0;
    game.evaluated += judged.moves.size();
    position.play(judged.moves[chosen]);
  }
  game.score = position.outcome()->scores[at(team)];
  return game;
}

}  // namespace tempo::siguo
