// One Monte-Carlo tree with its root position and random stream, grown a simulation at a time. A
// simulation comes in two halves, so that leaves can be evaluated one by one or for many trees
// together: `descend` goes down to a leaf, `back_up` takes the leaf's scores back to the
// root.
//
// Positions are not stored: a descent copies the root and replays the moves. Values belong to
// seats: a node keeps the sums of scores by team, and the choice at a node reads the entry of the
// team to move there. Nothing is negated: turns of several moves and four seats need no special
// case.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../game.h"
#include "monte_carlo_gumbel.h"
#include "monte_carlo_policy.h"
#include "monte_carlo_rules.h"
#include "monte_carlo_tree.h"
#include "move_values.h"

namespace tempo {

template <Game P>
class MonteCarloDescent {
 public:
  static constexpr int teams = teams_of<P>();
  using Tree = MonteCarloTree<teams>;
  using Index = typename Tree::Index;
  using Node = typename Tree::Node;
  using Edge = typename Tree::Edge;

  // Throws std::invalid_argument when `bytes` cannot hold a root with all its children, or when
  // moves are to be valued in a game that has no values of moves.
  MonteCarloDescent(const MonteCarloSettings& settings, std::uint64_t stream, std::size_t bytes)
      : settings_(settings),
        random_(settings.seed, stream),
        tree_(checked(bytes)),
        gumbel_(settings) {
    if (!MoveValued<P> && settings.cut_value != CutValue::Evaluator)
      throw std::invalid_argument("moves of " + std::string(P::name) +
                                  " have no values; a cut rollout takes the evaluator's");
  }

  void reset(std::uint64_t seed, std::uint64_t stream) {
    settings_.seed = seed;
    random_ = Random(seed, stream);
    root_.reset();
  }

  // Sets the root. An equal position with an equal past keeps its tree; not with Gumbel, which
  // shares out `simulations` from the first one on.
  void start(const P& position, const History& past, std::int64_t simulations = 0) {
    full_ = lingers_ = false;
    past_.truncate(root_past_);
    give_up();
    gumbel_.begin(simulations);
    if (is_gumbel() || !root_ || !(*root_ == position) || !same_past(position, past)) {
      root_ = position;
      past_ = past;
      plant();
    }
    add_noise();
  }

  // The root after a legal move, with the part of the tree below it.
  void advance(Move move) {
    if (!root_) return;
    past_.truncate(root_past_);
    give_up();
    const Node& node = tree_[Tree::root];
    const Edge* edges = tree_.edges(node);
    const Edge* end = edges + node.tried;
    const Edge* edge = std::find_if(edges, end, [&](const Edge& e) { return e.move == move; });
    play(*root_, past_, move);
    if (edge == end) return plant();
    tree_.keep(edge->child);
    root_past_ = past_.size();
    noised_ = false;
  }

  // Goes from the root to a leaf, and on from it by random moves if so set. The scores if the game
  // ended there; else the caller must evaluate leaf(). Either way back_up() comes next.
  std::optional<Scores> descend();

  [[nodiscard]] const P& leaf() const { return position_; }
  // The moves that priors are wanted for: all of the leaf's, or none when none are wanted.
  [[nodiscard]] std::span<const Move> leaf_moves() const {
    return {moves_.begin(), static_cast<std::size_t>(moves_.size())};
  }

  // `priors` for leaf_moves(), or empty for equal ones.
  void back_up(const Scores& scores, std::span<const float> priors = {});

  [[nodiscard]] bool is_over() const { return root().state == Tree::State::Over; }
  // Whether the last simulation would have taken more nodes than there may be.
  [[nodiscard]] bool is_spent() const { return full_ && !lingers_; }
  // From now on simulations go on in a tree that cannot grow.
  void linger() { lingers_ = true; }
  [[nodiscard]] const P& root_position() const { return *root_; }
  [[nodiscard]] const Node& root() const { return tree_[Tree::root]; }
  [[nodiscard]] const Tree& tree() const { return tree_; }
  [[nodiscard]] const GumbelChoice<teams>& gumbel() const { return gumbel_; }
  // Positions reached by a move, in the tree and in rollouts, since the object was made.
  [[nodiscard]] std::int64_t positions() const { return positions_; }

  static Scores scores_of(const std::array<double, teams>& totals, double visits) {
    Scores scores{};
    for (int s = 0; s < P::seats; ++s) scores[at(s)] = static_cast<float>(totals[team(s)] / visits);
    return scores;
  }

 private:
  static constexpr double prior_unit = 1.0 / 65535;
  static constexpr int stay = -1;

  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static constexpr std::size_t team(int seat) {
    return at(index(P::team_of(Seat{static_cast<std::uint8_t>(seat)})));
  }
  static std::size_t checked(std::size_t bytes) {
    const std::size_t least = Tree::bytes_for(P::Moves::capacity + 1, P::Moves::capacity);
    if (bytes >= least) return bytes;
    throw std::invalid_argument("a tree of " + std::string(P::name) + " needs " +
                                std::to_string(least) + " bytes; it was given " +
                                std::to_string(bytes));
  }

  // Priors come with the value of a leaf, so the leaf is expanded when it is first evaluated.
  [[nodiscard]] bool guided() const {
    return is_gumbel() || (has_priors() && settings_.rollout_moves == 0 &&
                           settings_.cut_value == CutValue::Evaluator);
  }
  [[nodiscard]] bool is_gumbel() const { return settings_.selection == Selection::Gumbel; }
  [[nodiscard]] bool has_priors() const { return settings_.selection == Selection::Puct; }
  [[nodiscard]] bool same_past(const P& position, const History& past) const;
  void give_up();
  void plant();
  Index add_node();
  bool may_list(const Node& node, std::size_t moves);
  bool expand(Node& node);
  void play_on(Move move, bool counts);
  void set_priors(const Node& node, std::span<const float> priors);
  void bring_likeliest(const Node& node);
  void add_noise();
  std::optional<Scores> roll_out();
  [[nodiscard]] std::optional<Scores> value_of_moves() const;
  int choose(const Node& node);
  int draw_untried(const Node& node);
  template <class Urgency>
  std::pair<int, double> best_tried(const Node& node, Urgency urgency) const;

  MonteCarloSettings settings_;
  Random random_;
  Tree tree_;
  GumbelChoice<teams> gumbel_;
  std::optional<P> root_;
  History past_;  // of the root, and beyond `root_past_` that of the descent
  std::size_t root_past_ = 0;
  bool noised_ = false;
  bool full_ = false;
  bool lingers_ = false;

  // The descent in progress.
  P position_{P::start({})};
  std::vector<Index> path_;
  typename P::Moves moves_;
  Winnings<P> winnings_;
  std::int64_t positions_ = 0;
};

template <Game P>
bool MonteCarloDescent<P>::same_past(const P& position, const History& past) const {
  if constexpr (Remembers<P>) {
    const auto reach = at(position.reversible_moves());
    const std::size_t mine = std::min(reach, root_past_);
    if (mine != std::min(reach, past.size())) return false;
    for (std::size_t i = 0; i < mine; ++i) {
      if (past_.newest(i).key != past.newest(i).key) return false;
    }
  }
  return true;
}

// After a simulation that was not backed up, because an evaluator or a game threw: the child that
// it began has no visits and would never be chosen, so it becomes an untried one again.
template <Game P>
void MonteCarloDescent<P>::give_up() {
  if (path_.size() > 1 && tree_[path_.back()].visits == 0) {
    Node& parent = tree_[path_[path_.size() - 2]];
    tree_.edges(parent)[--parent.tried].child = Tree::none;
  }
  path_.clear();
}

template <Game P>
void MonteCarloDescent<P>::plant() {
  tree_.clear();
  noised_ = false;
  root_past_ = past_.size();
  position_ = *root_;
  add_node();
}

// A node for the position of the descent.
template <Game P>
typename MonteCarloDescent<P>::Index MonteCarloDescent<P>::add_node() {
  const Index index = tree_.add_node(P::team_of(position_.turn()));
  if (const auto end = outcome(position_, past_)) {
    Node& node = tree_[index];
    node.state = Tree::State::Over;
    for (int s = 0; s < P::seats; ++s) node.end[team(s)] = end->scores[at(s)];
  }
  return index;
}

template <Game P>
std::optional<Scores> MonteCarloDescent<P>::descend() {
  position_ = *root_;
  past_.truncate(root_past_);  // a simulation may have been given up by an evaluator that threw
  moves_.clear();
  winnings_.clear();
  path_.assign(1, Tree::root);
  for (Index index = Tree::root;;) {
    Node& node = tree_[index];
    if (node.state == Tree::State::Over) {
      Scores scores{};
      for (int s = 0; s < P::seats; ++s) scores[at(s)] = node.end[team(s)];
      return scores;
    }
    if (node.state == Tree::State::Leaf) {
      if (guided()) {
        position_.legal_moves(moves_);
        return std::nullopt;
      }
      const bool first = index != Tree::root && node.visits == 0;
      const bool ripe = index == Tree::root || node.visits >= at(settings_.expand_after);
      if (!ripe || !expand(node) || first) return roll_out();
    }
    const int choice = choose(node);
    if (choice == stay) return roll_out();
    Edge& edge = tree_.edges(node)[choice];
    play_on(edge.move, settings_.cut_value == CutValue::Path);
    if (edge.child == Tree::none) {
      edge.child = add_node();
      ++node.tried;
      const bool sorts = is_gumbel() ? index != Tree::root : has_priors();
      if (sorts) bring_likeliest(node);
    }
    index = edge.child;
    path_.push_back(index);
  }
}

template <Game P>
void MonteCarloDescent<P>::play_on(Move move, bool counts) {
  remember(position_, past_);
  ++positions_;
  if constexpr (MoveValued<P>) {
    if (counts) return winnings_.play(position_, move);
  }
  position_.play(move);
}

template <Game P>
bool MonteCarloDescent<P>::may_list(const Node& node, std::size_t moves) {
  if (!tree_.has_room(0, moves)) return false;
  const bool within = tree_.listed() + static_cast<std::int64_t>(moves) <= settings_.nodes;
  if (settings_.nodes == 0 || within || &node == &tree_[Tree::root]) return true;
  full_ = true;
  return false;
}

template <Game P>
bool MonteCarloDescent<P>::expand(Node& node) {
  typename P::Moves moves;
  position_.legal_moves(moves);
  const std::span<const Move> all(moves.begin(), at(moves.size()));
  if (!may_list(node, all.size())) return false;
  tree_.add_edges(node, all);
  if (has_priors()) set_priors(node, {});
  if (&node == &tree_[Tree::root]) add_noise();
  return true;
}

template <Game P>
std::optional<Scores> MonteCarloDescent<P>::roll_out() {
  if (settings_.rollout_moves == 0) return value_of_moves();
  const bool counts = settings_.cut_value != CutValue::Evaluator;
  for (int n = 0; n < settings_.rollout_moves; ++n) {
    // One move generation a move: drawing the move tells whether the game is over by itself.
    const Move move = random_move(position_, random_);
    if (move == no_move) return position_.outcome()->scores;
    if constexpr (Remembers<P>) {
      if (const auto end = position_.outcome_by_past(past_)) return end->scores;
    }
    play_on(move, counts);
  }
  const auto end = outcome(position_, past_);
  return end ? std::optional(end->scores) : value_of_moves();
}

// What was won on the way; none when the evaluator is to be asked.
template <Game P>
std::optional<Scores> MonteCarloDescent<P>::value_of_moves() const {
  if constexpr (MoveValued<P>) {
    if (settings_.cut_value != CutValue::Evaluator) return winnings_.scores();
  }
  return std::nullopt;
}

template <Game P>
void MonteCarloDescent<P>::back_up(const Scores& scores, std::span<const float> priors) {
  if (!moves_.empty()) {
    Node& leaf = tree_[path_.back()];
    if (may_list(leaf, leaf_moves().size())) {
      tree_.add_edges(leaf, leaf_moves());
      set_priors(leaf, priors);
      for (int s = 0; s < P::seats; ++s) leaf.end[team(s)] = scores[at(s)];
      if (path_.size() == 1) {
        add_noise();
        if (is_gumbel()) gumbel_.expanded(tree_, random_);
      }
    }
  }
  std::array<double, teams> by_team{};
  for (int s = 0; s < P::seats; ++s) by_team[team(s)] = scores[at(s)];
  std::size_t mover = 0;  // of the root nobody asks
  for (const Index index : path_) {
    Node& node = tree_[index];
    node.spread = 1 / std::sqrt(static_cast<double>(++node.visits));
    for (std::size_t t = 0; t < by_team.size(); ++t) node.totals[t] += by_team[t];
    node.squares += by_team[mover] * by_team[mover];
    mover = node.team;
  }
}

// The likeliest untried move becomes the first one, the only one that a choice by priors looks at.
// Cheaper than sorting: most leaves try few of their moves.
template <Game P>
void MonteCarloDescent<P>::bring_likeliest(const Node& node) {
  Edge* first = tree_.edges(node) + node.tried;
  Edge* end = tree_.edges(node) + node.count;
  if (first == end) return;
  std::swap(*first, *std::max_element(first, end, [](const Edge& a, const Edge& b) {
    return a.prior < b.prior;
  }));
}

template <Game P>
void MonteCarloDescent<P>::set_priors(const Node& node, std::span<const float> priors) {
  Edge* edges = tree_.edges(node);
  double sum = 0;
  for (const float prior : priors) sum += prior > 0 ? prior : 0;
  if (!(sum > 0) || !std::isfinite(sum)) {
    const auto equal = static_cast<std::uint16_t>(65535 / node.count);
    for (int i = 0; i < node.count; ++i) edges[i].prior = equal;
    return;
  }
  for (int i = 0; i < node.count; ++i) {
    const double share = priors[at(i)] / sum * 65535;  // a little is never rounded to nothing
    edges[i].prior = share > 0 ? static_cast<std::uint16_t>(std::max(1.0, share + 0.5)) : 0;
  }
  bring_likeliest(node);
}

// Once for every root, after its expansion.
template <Game P>
void MonteCarloDescent<P>::add_noise() {
  const Node& node = tree_[Tree::root];
  if (settings_.noise_fraction <= 0 || !has_priors()) return;
  if (noised_ || node.state != Tree::State::Expanded) return;
  noised_ = true;
  std::vector<double> noise(node.count);
  double sum = 0;
  for (double& x : noise) sum += x = draw_gamma(settings_.noise_alpha, random_);
  Edge* edges = tree_.edges(node);
  for (int i = 0; i < node.count; ++i) {
    const double keep = (1 - settings_.noise_fraction) * edges[i].prior;
    const double mixed = keep + settings_.noise_fraction * noise[at(i)] / sum * 65535;
    edges[i].prior = static_cast<std::uint16_t>(std::clamp(mixed + 0.5, 0.0, 65535.0));
  }
  bring_likeliest(node);
}

template <Game P>
template <class Urgency>
std::pair<int, double> MonteCarloDescent<P>::best_tried(const Node& node, Urgency urgency) const {
  const Edge* edges = tree_.edges(node);
  int best = stay;
  double highest = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < node.tried; ++i) {
    const Node& child = tree_[edges[i].child];
    const double score = child.totals[node.team] * child.spread * child.spread;
    const double value = urgency(child, edges[i], score);
    if (value > highest) best = i, highest = value;
  }
  return {best, highest};
}

// The edge to follow: a tried one or, while there is room, one untried; `stay` when there is none.
template <Game P>
int MonteCarloDescent<P>::choose(const Node& node) {
  const bool fresh = node.tried < node.count && tree_.has_room(1, 0);
  if (is_gumbel()) return gumbel_.choose(tree_, node, fresh);
  const double c = settings_.exploration;
  if (has_priors()) {
    const double root_total = std::sqrt(static_cast<double>(node.visits));
    const auto [best, value] =
        best_tried(node, [&](const Node& child, const Edge& edge, double score) {
          return puct(reward_of(score), edge.prior * prior_unit, child.visits, root_total, c);
        });
    if (!fresh) return best;
    const double mean = node.visits > 0 ? node.totals[node.team] / node.visits : 0.0;
    const double reward = settings_.first_play.value_or(reward_of(mean));
    const double prior = tree_.edges(node)[node.tried].prior * prior_unit;
    return puct(reward, prior, 0, root_total, c) > value ? node.tried : best;
  }
  if (fresh && !settings_.first_play) return draw_untried(node);
  const double root_log = std::sqrt(natural_log(std::max<std::uint32_t>(node.visits, 1)));
  const auto [best, value] =
      settings_.selection == Selection::Ucb1
          ? best_tried(node,
                       [&](const Node& child, const Edge&, double score) {
                         return ucb1(reward_of(score), child.spread, root_log, c);
                       })
          : best_tried(node, [&](const Node& child, const Edge&, double score) {
              const double mean_square = child.squares * child.spread * child.spread;
              const double variance = (mean_square - score * score) / 4;
              return ucb1_tuned(reward_of(score), variance, child.spread, root_log);
            });
  return fresh && *settings_.first_play > value ? draw_untried(node) : best;
}

template <Game P>
int MonteCarloDescent<P>::draw_untried(const Node& node) {
  Edge* edges = tree_.edges(node);
  const int drawn = node.tried + static_cast<int>(random_.below(node.count - node.tried));
  std::swap(edges[node.tried], edges[drawn]);
  return node.tried;
}

}  // namespace tempo
