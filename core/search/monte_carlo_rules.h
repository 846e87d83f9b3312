// Monte-Carlo tree search: what can be set, and the formulas. Rewards are a seat's score mapped
// from [-1, 1] to [0, 1], so that constants mean what they mean in the papers.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <optional>
#include <stdexcept>

#include "result.h"

namespace tempo {

// How a child is picked on the way down (t: visits of the node, n and r: visits and mean reward of
// the child, for the seat to move at the node).
enum class Selection : std::uint8_t {
  Ucb1,       // r + C sqrt(ln t / n)                                     Auer et al. 2002; UCT
  Ucb1Tuned,  // r + sqrt(ln t / n * min(1/4, variance + sqrt(2 ln t / n)))   Auer et al. 2002, sec.
              // 4
  Puct,       // r + C prior sqrt(t) / (1 + n)                            Silver et al. 2017
  Gumbel,     // sequential halving at the root, below it the move whose share of visits falls short
              // of the improved policy most                         Danihelka et al. 2022
};

// Which move is played in the end (Chaslot et al. 2008, sec. 3.4).
enum class FinalChoice : std::uint8_t {
  Max,        // highest mean reward
  Robust,     // most visits
  RobustMax,  // most visits, after going on until that move also has the highest mean reward
  Secure,     // highest lower bound r - security / sqrt(n)
};

// What a rollout is worth that was cut before the game ended.
enum class CutValue : std::uint8_t {
  Evaluator,  // what the evaluator says of the position reached
  Rollout,    // what one team's moves of the rollout were worth less the other's (MoveValued games)
  Path,       // the same for all moves since the root
};

struct MonteCarloSettings {
  // Budget: the first bound that is reached ends the search, and 0 is no bound. `simulations` are
  // run exactly, in addition to what a reused tree already holds; a simulation is one evaluated
  // leaf. `nodes` are never exceeded: a node is the root or a child of an expanded one, visited or
  // not, kept ones included. Only the children of the root are always there.
  std::int64_t simulations = 1000;
  std::int64_t nodes = 0;
  double seconds = 0;

  Selection selection = Selection::Ucb1;
  double exploration = 1.4;  // C; Ucb1Tuned has none
  // What an unvisited child counts for, on the scale of the formulas above (Gelly, Wang 2006).
  // Without it, Ucb1 and Ucb1Tuned try every child once first, in random order, and Puct takes the
  // mean reward of the node for r.
  std::optional<double> first_play = std::nullopt;

  // Random moves from a leaf before the evaluator is asked; 0 asks about the leaf itself.
  static constexpr int whole_game = std::numeric_limits<int>::max();
  int rollout_moves = whole_game;
  CutValue cut_value = CutValue::Evaluator;
  // Visits of a leaf before it gets children. 0 lists them when the leaf is first evaluated: the
  // search is that of 1 and holds more nodes. Puct that asks an evaluator about the leaf itself
  // does so too, because the priors come with the value.
  int expand_after = 1;

  FinalChoice final_choice = FinalChoice::Robust;
  double security = 1.0;               // Secure only
  std::int64_t extra_simulations = 0;  // RobustMax only: how many more it may take

  // Noise at the root; fraction 0 is none. Puct mixes Dirichlet noise into the priors (Silver et
  // al. 2017), Gumbel adds this part of a Gumbel variable to each logit: 1 samples, 0 plays the
  // best.
  double noise_alpha = 0.3;
  double noise_fraction = 0;

  // Gumbel only: moves of the root that simulations are shared out to, and the two constants of
  // sigma(r) = (visit_offset + most visits of a child) * value_scale * r.
  int considered = 16;
  double visit_offset = 50;
  double value_scale = 1;

  // Bytes for all trees together, allocated once and committed as they fill. A full tree goes on
  // searching without growing.
  std::size_t memory = std::size_t{256} << 20;

  // Independent trees whose visits and scores are added up at the root. The result depends on
  // `trees` and never on `threads`. Tree i draws from Random(seed, stream + i).
  int trees = 1;
  int threads = 1;
  std::uint64_t seed = 0;
  std::uint64_t stream = 0;
};

// Throws std::invalid_argument when settings make no sense.
void require_sound(const MonteCarloSettings& settings);

inline double reward_of(double score) { return (score + 1.0) / 2.0; }

// ln n for n >= 1, by arithmetic that is rounded the same on every machine, which std::log is not:
// same seed, same tree, everywhere. ln m = 2 artanh((m-1)/(m+1)) with m within [1/sqrt 2, sqrt 2].
inline double natural_log(std::uint64_t n) {
  const auto exponent = static_cast<int>(std::bit_width(n)) - 1;
  double m = static_cast<double>(n) / static_cast<double>(std::uint64_t{1} << exponent);
  double whole = exponent;
  if (m > std::numbers::sqrt2) m /= 2, whole += 1;
  const double s = (m - 1) / (m + 1);
  const double square = s * s;
  double sum = 0;
  for (int k = 21; k >= 1; k -= 2) sum = sum * square + 1.0 / k;
  return whole * std::numbers::ln2 + 2 * s * sum;
}

// `spread` is 1 / sqrt(n) and `root_log` is sqrt(ln t): nodes keep the one and the choice at a node
// computes the other once, so that a look at a child needs neither root nor division.
inline double ucb1(double reward, double spread, double root_log, double exploration) {
  return reward + exploration * root_log * spread;
}

inline double ucb1_tuned(double reward, double variance, double spread, double root_log) {
  const double width = root_log * spread;
  const double bound = variance + std::numbers::sqrt2 * width;
  return reward + width * std::sqrt(std::clamp(bound, 0.0, 0.25));
}

// `root_total` is sqrt(t).
inline double puct(double reward, double prior, double visits, double root_total,
                   double exploration) {
  return reward + exploration * prior * root_total / (1 + visits);
}

inline double secure(double reward, double visits, double security) {
  return reward - security / std::sqrt(visits);
}

}  // namespace tempo
