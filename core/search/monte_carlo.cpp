// What Monte-Carlo searches of all games share.
#include "monte_carlo.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

namespace tempo {

void require_sound(const MonteCarloSettings& settings) {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
  };
  require(settings.trees >= 1 && settings.threads >= 1, "trees and threads start at 1");
  require(settings.simulations >= 0, "simulations cannot be negative");
  require(settings.nodes >= 0, "nodes cannot be negative");
  require(settings.seconds >= 0 && settings.seconds <= longest_seconds, "seconds must be 0 to 1e9");
  require(settings.simulations > 0 || settings.nodes > 0 || settings.seconds > 0,
          "a search needs a number of simulations, of nodes or of seconds");
  require(settings.exploration >= 0 && std::isfinite(settings.exploration),
          "exploration must be 0 or more");
  require(settings.rollout_moves >= 0, "rollout_moves cannot be negative");
  require(settings.expand_after >= 0, "expand_after cannot be negative");
  require(settings.extra_simulations >= 0, "extra_simulations cannot be negative");
  require(settings.noise_fraction <= 0 || settings.noise_alpha > 0, "noise_alpha must be positive");
  require(settings.considered >= 1, "considered starts at 1");
  require(settings.visit_offset >= 0 && settings.value_scale >= 0 &&
              std::isfinite(settings.visit_offset) && std::isfinite(settings.value_scale),
          "visit_offset and value_scale must be 0 or more");
  const bool asks = settings.rollout_moves == 0 && settings.cut_value == CutValue::Evaluator;
  require(settings.selection != Selection::Gumbel || asks,
          "gumbel asks an evaluator about every leaf: rollout_moves must be 0");
}

void rank_root(std::vector<RootMove>& root, Seat seat, FinalChoice rule, double security) {
  const auto reward = [&](const RootMove& m) {
    return reward_of(m.scores[static_cast<std::size_t>(seat)]);
  };
  const auto merit = [&](const RootMove& m) {
    const auto visits = static_cast<double>(m.visits);
    if (rule == FinalChoice::Max) return reward(m);
    return rule == FinalChoice::Secure ? secure(reward(m), visits, security) : visits;
  };
  std::stable_sort(root.begin(), root.end(), [&](const RootMove& a, const RootMove& b) {
    if (a.visits == 0 || b.visits == 0) return a.visits > b.visits;
    if (merit(a) != merit(b)) return merit(a) > merit(b);
    if (a.visits != b.visits) return a.visits > b.visits;
    return reward(a) > reward(b);
  });
}

bool is_robust_max(std::vector<RootMove> root, Seat seat) {
  rank_root(root, seat, FinalChoice::Robust, 0);
  const auto of = [&](const RootMove& m) { return m.scores[static_cast<std::size_t>(seat)]; };
  return std::all_of(root.begin(), root.end(),
                     [&](const RootMove& m) { return m.visits == 0 || of(m) <= of(root.front()); });
}

void priors_from_logits(const MoveRows& rows, std::span<const float> logits,
                        std::size_t move_numbers, std::span<float> priors) {
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const auto of = [&](Move move) {
      return logits[row * move_numbers + static_cast<std::size_t>(move)];
    };
    float highest = -std::numeric_limits<float>::infinity();
    for (const Move move : rows[row]) highest = std::max(highest, of(move));
    float sum = 0;
    std::size_t k = rows.offsets[row];
    for (const Move move : rows[row]) sum += priors[k++] = std::exp(of(move) - highest);
    for (std::size_t i = rows.offsets[row]; i < k; ++i) priors[i] /= sum;
  }
}

std::vector<std::uint32_t> halving_schedule(int considered, std::int64_t visits) {
  std::vector<std::uint32_t> schedule;
  schedule.reserve(static_cast<std::size_t>(std::max<std::int64_t>(visits, 0)));
  const auto left = [&] { return visits - static_cast<std::int64_t>(schedule.size()); };
  const int rounds = std::max(
      1, static_cast<int>(std::bit_width(static_cast<unsigned>(std::max(considered, 1) - 1))));
  std::uint32_t had = 0;  // visits that every move still considered has
  for (int moves = std::max(considered, 1); left() > 0; moves = std::max(moves / 2, 2)) {
    if (considered == 1) moves = 1;
    for (std::int64_t each = std::max<std::int64_t>(visits / (rounds * moves), 1);
         each > 0 && left() > 0; --each, ++had) {
      for (int move = 0; move < moves && left() > 0; ++move) schedule.push_back(had);
    }
  }
  return schedule;
}

void soft_max(std::span<const double> logits, std::span<float> shares) {
  const double highest = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (const double logit : logits) sum += std::exp(logit - highest);
  for (std::size_t i = 0; i < logits.size(); ++i)
    shares[i] = static_cast<float>(std::exp(logits[i] - highest) / sum);
}

double draw_gamma(double alpha, Random& random) {
  if (alpha < 1) {
    const double u = 1 - random.uniform();
    return draw_gamma(alpha + 1, random) * std::pow(u, 1 / alpha);
  }
  const double d = alpha - 1.0 / 3.0;
  const double c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
    const double x = radius * std::cos(2 * std::numbers::pi * random.uniform());
    const double v = (1 + c * x) * (1 + c * x) * (1 + c * x);
    if (v <= 0) continue;
    if (std::log(1 - random.uniform()) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

AnyMonteCarlo::AnyMonteCarlo(const TreeGame& game, const MonteCarloSettings& settings)
    : game_(&game.rules), settings_(settings) {
  require_sound(settings);
  const std::size_t bytes = settings.memory / static_cast<std::size_t>(settings.trees);
  trees_.reserve(count());
  for (std::size_t i = 0; i < count(); ++i) {
    MonteCarloSettings own = settings;
    if (own.nodes > 0) own.nodes = std::max<std::int64_t>(share(settings.nodes, i), 1);
    trees_.push_back(SearchTree::make(game, own, settings.stream + i, bytes));
  }
  const int threads = std::min(settings.threads, settings.trees);
  pool_ = std::make_unique<Pool>(game.rules.useful_threads(threads));
}

std::int64_t AnyMonteCarlo::visits() const {
  std::int64_t sum = 0;
  for (const auto& tree : trees_) sum += tree->visits();
  return sum;
}

std::int64_t AnyMonteCarlo::nodes() const {
  std::int64_t sum = 0;
  for (const auto& tree : trees_) sum += tree->nodes();
  return sum;
}

std::size_t AnyMonteCarlo::memory_used() const {
  std::size_t sum = 0;
  for (const auto& tree : trees_) sum += tree->bytes();
  return sum;
}

std::uint64_t AnyMonteCarlo::fingerprint() const {
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < count(); ++i) hash = split_mix(hash ^ tree_fingerprint(i));
  return hash;
}

bool AnyMonteCarlo::late() const {
  const auto now = Clock::now();
  return now >= deadline_ || should_stop(now);
}

// Shares out simulations exactly, the first trees taking one more; 0 is no bound.
std::int64_t AnyMonteCarlo::share(std::int64_t simulations, std::size_t tree) const {
  if (simulations == 0) return -1;
  const auto trees = static_cast<std::int64_t>(count());
  return simulations / trees + (static_cast<std::int64_t>(tree) < simulations % trees);
}

// A simulation adds a node unless it meets the end of a game again: where a tree that holds the
// whole game has fewer nodes than it may have, as many simulations end the search.
std::int64_t AnyMonteCarlo::budget() const {
  const auto [simulations, nodes] = std::pair(settings_.simulations, settings_.nodes);
  return simulations > 0 && nodes > 0 ? std::min(simulations, nodes) : simulations + nodes;
}

SearchResult AnyMonteCarlo::search(const void* position, const History& past, bool together,
                                   Ask ask) {
  const auto begin = Clock::now();
  deadline_ = settings_.seconds > 0 ? deadline_after(settings_.seconds) : Clock::time_point::max();
  std::int64_t positions = 0;
  for (std::size_t i = 0; i < count(); ++i) {
    trees_[i]->start(position, past, std::max<std::int64_t>(share(budget(), i), 0));
    positions += trees_[i]->positions();
  }
  evaluations_.assign(count(), 0);
  if (!trees_[0]->is_over()) {
    grow(budget(), together, ask);
    if (settings_.final_choice == FinalChoice::RobustMax) settle(together, ask);
  }
  SearchResult result = trees_[0]->result(trees_);
  result.positions -= positions;
  for (const std::int64_t evaluations : evaluations_) result.evaluations += evaluations;
  result.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return result;
}

void AnyMonteCarlo::grow(std::int64_t simulations, bool together, const Ask& ask) {
  if (together) return grow_together(simulations, ask);
  pool_->run_anytime(
      static_cast<std::int64_t>(count()),
      [&](std::int64_t i) {
        const auto tree = static_cast<std::size_t>(i);
        grow_alone(tree, share(simulations, tree), ask);
      },
      1);
}

void AnyMonteCarlo::grow_alone(std::size_t tree, std::int64_t simulations, const Ask& ask) {
  SearchTree& descent = *trees_[tree];
  std::vector<float> priors;
  StopPoll poll;
  poll.limit(deadline_);
  for (std::int64_t n = 0; n != simulations; ++n) {
    // One simulation at least, however little time there is: some move has to be chosen.
    if (n > 0 && (descent.is_spent() || poll())) return;
    if (const auto scores = descent.descend()) {
      descent.back_up(*scores);
      continue;
    }
    std::array<Scores, 1> value;
    const auto moves = descent.leaf_moves();
    const std::array<std::uint32_t, 2> offsets{0, static_cast<std::uint32_t>(moves.size())};
    ask({tree, descent.leaf(), 1, {moves, offsets}, value, priors});
    ++evaluations_[tree];
    descent.back_up(value[0], priors);
  }
}

void AnyMonteCarlo::grow_together(std::int64_t simulations, const Ask& ask) {
  std::vector<std::int64_t> budgets(count());
  for (std::size_t i = 0; i < count(); ++i) budgets[i] = share(simulations, i);
  LeafGatherer gatherer(*game_);
  gatherer.begin(budgets);
  std::vector<Scores> values;
  std::vector<float> priors;
  while (!gatherer.gather(trees_, *pool_).empty()) {
    const AnyPositions& leaves = gatherer.leaves();
    values.resize(leaves.size());
    ask({0, leaves.data(), leaves.size(), gatherer.rows(), values, priors});
    gatherer.apply(trees_, *pool_, values, priors);
    if (late()) break;
  }
  evaluations_[0] += gatherer.evaluations();
}

// Robust-max: goes on, a little at a time, while the most visited move is not the best one.
void AnyMonteCarlo::settle(bool together, const Ask& ask) {
  std::int64_t left = settings_.extra_simulations;
  const std::int64_t step = std::max<std::int64_t>(left / 16, settings_.trees);
  for (auto& tree : trees_) tree->linger();
  while (left > 0 && !late()) {
    if (trees_[0]->is_robust_max(trees_)) return;
    grow(std::min(left, step), together, ask);
    left -= step;
  }
}

}  // namespace tempo
