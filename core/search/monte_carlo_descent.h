// One Monte-Carlo tree with its root position and random stream, grown a simulation at a time. A
// simulation comes in two halves, so that leaves can be evaluated one by one or for many trees
// together: `descend` goes down to a leaf, `back_up` takes the leaf's scores back to the
// root.
//
// Positions are not stored: a descent copies the root and replays the moves. Values belong to
// seats: a node keeps the sums of scores by team, and the choice at a node reads the entry of the
// team to move there. Nothing is negated, so turns of several moves and four seats need no special
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
#include "monte_carlo_base.h"
#include "move_values.h"

namespace tempo {

template <Game P>
class MonteCarloDescent : public MonteCarloBase<teams_of<P>()> {
  using Base = MonteCarloBase<teams_of<P>()>;

 public:
  using typename Base::Edge;
  using typename Base::Index;
  using typename Base::Node;
  using typename Base::Tree;

  // Throws std::invalid_argument when `bytes` cannot hold a root with all its children, or when
  // moves are to be valued in a game that has no values of moves.
  MonteCarloDescent(const MonteCarloSettings& settings, std::uint64_t stream, std::size_t bytes)
      : Base(settings, stream, checked_bytes(bytes, P::Moves::capacity, P::name), seat_teams<P>()) {
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
    play(*root_, past_, move);
    if (!keep_child(move)) return plant();
    root_past_ = past_.size();
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
  void back_up(const Scores& scores, std::span<const float> priors = {}) {
    back_up_path(scores, leaf_moves(), priors);
  }

  [[nodiscard]] const P& root_position() const { return *root_; }

 private:
  using Base::add_noise;
  using Base::at;
  using Base::back_up_path;
  using Base::bring_likeliest;
  using Base::checked_bytes;
  using Base::choose;
  using Base::full_;
  using Base::give_up;
  using Base::guided;
  using Base::gumbel_;
  using Base::has_priors;
  using Base::is_gumbel;
  using Base::keep_child;
  using Base::lingers_;
  using Base::list;
  using Base::noised_;
  using Base::path_;
  using Base::positions_;
  using Base::random_;
  using Base::scores_at_end;
  using Base::set_end;
  using Base::settings_;
  using Base::stay;
  using Base::tree_;

  [[nodiscard]] bool same_past(const P& position, const History& past) const;
  void plant();
  Index add_node();
  bool expand(Node& node);
  void play_on(Move move, bool counts);
  std::optional<Scores> roll_out();
  [[nodiscard]] std::optional<Scores> value_of_moves() const;

  std::optional<P> root_;
  History past_;  // of the root, and beyond `root_past_` that of the descent
  std::size_t root_past_ = 0;

  // The descent in progress.
  P position_{P::start({})};
  typename P::Moves moves_;
  Winnings<P> winnings_;
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
  if (const auto end = outcome(position_, past_)) set_end(tree_[index], end->scores);
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
    if (node.state == Tree::State::Over) return scores_at_end(node);
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
      const bool sorted = is_gumbel() && index == Tree::root;
      if (has_priors() && !sorted) bring_likeliest(node);
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
bool MonteCarloDescent<P>::expand(Node& node) {
  typename P::Moves moves;
  position_.legal_moves(moves);
  return list(node, {moves.begin(), at(moves.size())});
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

}  // namespace tempo
