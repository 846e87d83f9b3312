// One Monte-Carlo tree with its root position and random stream, grown a simulation at a time. A
// simulation comes in two halves, so that leaves can be evaluated one by one or for many trees
// together: `descend` goes down to a leaf, `back_up` takes the leaf's scores back to the root.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "monte_carlo_rules.h"
#include "result.h"
#include "tree_game.h"

namespace tempo {

class SearchTree {
 public:
  // Throws std::invalid_argument when `bytes` cannot hold a root with all its children, or when
  // moves are to be valued in a game that has no values of moves. The game must outlive the tree.
  static std::unique_ptr<SearchTree> make(const TreeGame& game, const MonteCarloSettings& settings,
                                          std::uint64_t stream, std::size_t bytes);
  virtual ~SearchTree() = default;
  SearchTree(const SearchTree&) = delete;
  SearchTree& operator=(const SearchTree&) = delete;

  virtual void reset(std::uint64_t seed, std::uint64_t stream) = 0;

  // Sets the root. An equal position with an equal past keeps its tree; not with Gumbel, which
  // shares out `simulations` from the first one on.
  virtual void start(const void* position, const History& past, std::int64_t simulations) = 0;
  // The root after a legal move, with the part of the tree below it.
  virtual void advance(Move move) = 0;

  // Goes from the root to a leaf, and on from it by random moves if so set. The scores if the game
  // ended there; else the caller must evaluate leaf(). Either way back_up() comes next.
  virtual std::optional<Scores> descend() = 0;
  // `priors` for leaf_moves(), or empty for equal ones.
  virtual void back_up(const Scores& scores, std::span<const float> priors = {}) = 0;

  [[nodiscard]] const void* leaf() const { return position_.get(); }
  // The moves that priors are wanted for: all of the leaf's, or none when none are wanted.
  [[nodiscard]] std::span<const Move> leaf_moves() const { return leaf_moves_; }
  [[nodiscard]] const void* root_position() const { return root_.get(); }

  [[nodiscard]] virtual bool is_over() const = 0;
  // Whether the last simulation would have taken more nodes than there may be.
  [[nodiscard]] virtual bool is_spent() const = 0;
  // From now on simulations go on in a tree that cannot grow.
  virtual void linger() = 0;
  // Positions reached by a move, in the tree and in rollouts, since the object was made.
  [[nodiscard]] virtual std::int64_t positions() const = 0;
  [[nodiscard]] virtual std::int64_t visits() const = 0;  // of the root
  // The root and the children of expanded nodes, visited or not, and the memory that they take.
  [[nodiscard]] virtual std::int64_t nodes() const = 0;
  [[nodiscard]] virtual std::size_t bytes() const = 0;
  [[nodiscard]] virtual std::uint64_t fingerprint() const = 0;

  // The tree as text, for people and goldens: a move a line, its visits and the mean scores of the
  // seats, children indented and most visited first.
  [[nodiscard]] virtual std::string text(int depth, std::uint32_t least_visits) const = 0;

  // Of trees of one position, this being the first of them: adds them up at the root, applies the
  // final choice, reads the line.
  using Trees = std::span<const std::unique_ptr<SearchTree>>;
  [[nodiscard]] virtual SearchResult result(Trees trees) const = 0;
  // Whether the most visited move of all these trees is also the one with the highest mean reward.
  [[nodiscard]] virtual bool is_robust_max(Trees trees) const = 0;

  // Of a root that Gumbel's choice has expanded: its number of moves, 0 before; which of them is
  // chosen, the improved policy over `moves`, and what that is worth to the team to move.
  [[nodiscard]] virtual std::size_t root_moves() const = 0;
  struct Improved {
    Move move = no_move;
    double value = 0;
  };
  virtual Improved improved(std::span<Move> moves, std::span<float> policy) const = 0;

 protected:
  explicit SearchTree(const TreeGame& game)
      : game_(&game), root_(game.rules), position_(game.rules), room_(game.rules) {}

  const TreeGame* game_;
  AnyPosition root_;
  AnyPosition position_;  // of the descent in progress
  MoveRoom room_;
  std::span<const Move> leaf_moves_;
};

}  // namespace tempo
