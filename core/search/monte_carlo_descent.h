// A Monte-Carlo tree of a game with a number of teams.
//
// Positions are not stored: a descent copies the root and replays the moves. Values belong to
// seats: a node keeps the sums of scores by team, and the choice at a node reads the entry of the
// team to move there. Nothing is negated, so turns of several moves and four seats need no special
// case.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "monte_carlo_base.h"
#include "search_tree.h"

namespace tempo {

template <int Teams>
class MonteCarloDescent final : public SearchTree, public MonteCarloBase<Teams> {
  using Base = MonteCarloBase<Teams>;

 public:
  using typename Base::Edge;
  using typename Base::Index;
  using typename Base::Node;
  using typename Base::Tree;

  MonteCarloDescent(const TreeGame& game, const MonteCarloSettings& settings, std::uint64_t stream,
                    std::size_t bytes);

  void reset(std::uint64_t seed, std::uint64_t stream) override;
  void start(const void* position, const History& past, std::int64_t simulations = 0) override;
  void advance(Move move) override;
  std::optional<Scores> descend() override;
  void back_up(const Scores& scores, std::span<const float> priors = {}) override {
    Base::back_up_path(scores, leaf_moves(), priors);
  }

  [[nodiscard]] bool is_over() const override { return root().state == Tree::State::Over; }
  [[nodiscard]] bool is_spent() const override { return full_ && !lingers_; }
  void linger() override { lingers_ = true; }
  [[nodiscard]] std::int64_t positions() const override { return positions_; }
  [[nodiscard]] std::int64_t visits() const override { return root().visits; }
  [[nodiscard]] std::int64_t nodes() const override { return tree_.listed(); }
  [[nodiscard]] std::size_t bytes() const override { return tree_.bytes(); }
  [[nodiscard]] std::uint64_t fingerprint() const override { return tree_.fingerprint(); }
  [[nodiscard]] std::string text(int depth, std::uint32_t least_visits) const override;
  [[nodiscard]] SearchResult result(Trees trees) const override;
  [[nodiscard]] bool is_robust_max(Trees trees) const override;
  [[nodiscard]] std::size_t root_moves() const override { return root().count; }
  Improved improved(std::span<Move> moves, std::span<float> policy) const override;

  using Base::root;
  using Base::tree;

 private:
  using Base::at;
  using Base::full_;
  using Base::gumbel_;
  using Base::lingers_;
  using Base::path_;
  using Base::positions_;
  using Base::settings_;
  using Base::tree_;

  [[nodiscard]] bool same_past(const void* position, const History& past) const;
  void plant();
  Index add_node();
  bool expand(Node& node);
  void play_on(Move move);
  std::optional<Scores> roll_out();
  [[nodiscard]] std::optional<Scores> value_of_moves() const;
  [[nodiscard]] std::vector<RootMove> merged_root(Trees trees) const;

  History past_;  // of the root, and beyond `root_past_` that of the descent
  std::size_t root_past_ = 0;
  Winnings winnings_;  // of the descent in progress
};

extern template class MonteCarloDescent<2>;
extern template class MonteCarloDescent<3>;
extern template class MonteCarloDescent<4>;

}  // namespace tempo
