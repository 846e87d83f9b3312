// What of a Monte-Carlo tree does not depend on the game: selection, priors, noise, backing up.
// Values belong to teams, so it is compiled once for each number of them (monte_carlo.cpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "../any_game.h"
#include "monte_carlo_gumbel.h"
#include "monte_carlo_policy.h"
#include "monte_carlo_rules.h"
#include "monte_carlo_tree.h"
#include "result.h"

namespace tempo {

template <int Teams>
class MonteCarloBase {
 public:
  using Tree = MonteCarloTree<Teams>;
  using Index = typename Tree::Index;
  using Node = typename Tree::Node;
  using Edge = typename Tree::Edge;

  [[nodiscard]] const Node& root() const { return tree_[Tree::root]; }
  [[nodiscard]] const Tree& tree() const { return tree_; }
  // Scores by seat from sums by team.
  [[nodiscard]] Scores scores_of(const std::array<double, Teams>& totals, double visits) const;
  // The scores of a node where the game is over.
  [[nodiscard]] Scores scores_at_end(const Node& node) const;

 protected:
  static constexpr int stay = -1;

  MonteCarloBase(const MonteCarloSettings& settings, std::uint64_t stream, std::size_t bytes,
                 const AnyGame& game)
      : settings_(settings),
        random_(settings.seed, stream),
        tree_(checked_bytes(bytes, game)),
        gumbel_(settings),
        seats_(game.seats),
        team_(game.team) {}

  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

  // Priors come with the value of a leaf, so the leaf is expanded when it is first evaluated.
  [[nodiscard]] bool guided() const {
    return has_priors() && settings_.rollout_moves == 0 &&
           settings_.cut_value == CutValue::Evaluator;
  }
  [[nodiscard]] bool is_gumbel() const { return settings_.selection == Selection::Gumbel; }
  [[nodiscard]] bool has_priors() const {
    return settings_.selection == Selection::Puct || is_gumbel();
  }
  void give_up();
  // Makes the child by `move` the root; false when there is none.
  bool keep_child(Move move);
  void set_end(Node& node, const Scores& scores) const;
  bool list(Node& node, std::span<const Move> moves);
  void set_priors(const Node& node, std::span<const float> priors);
  void bring_likeliest(const Node& node);
  void add_noise();
  // The scores of a simulation and the priors of `moves` at its leaf, or none for equal ones.
  void back_up_path(const Scores& scores, std::span<const Move> moves,
                    std::span<const float> priors);
  // The edge to follow: among the tried ones and, while there is room, one untried; `stay` when
  // there is none.
  int choose(const Node& node);

  MonteCarloSettings settings_;
  Random random_;
  Tree tree_;
  GumbelChoice<Teams> gumbel_;
  int seats_;
  std::array<std::uint8_t, max_seats> team_;  // of each seat
  bool noised_ = false;
  bool full_ = false;
  bool lingers_ = false;
  std::vector<Index> path_;  // of the descent in progress
  std::int64_t positions_ = 0;

 private:
  static constexpr double prior_unit = 1.0 / 65535;

  // Throws std::invalid_argument when they cannot hold a root with all its children.
  static std::size_t checked_bytes(std::size_t bytes, const AnyGame& game);

  bool may_list(const Node& node, std::size_t moves);
  int draw_untried(const Node& node);
  template <class Urgency>
  std::pair<int, double> best_tried(const Node& node, Urgency urgency) const;
};

extern template class MonteCarloBase<2>;
extern template class MonteCarloBase<3>;
extern template class MonteCarloBase<4>;

}  // namespace tempo
