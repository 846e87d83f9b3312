// From grown trees to a result: adds the trees up at the root, applies the final choice, reads the
// line.
#pragma once

#include <algorithm>
#include <array>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "monte_carlo_descent.h"
#include "result.h"

namespace tempo {

// Trees of one position.
template <int Teams>
using Trees = std::span<const MonteCarloBase<Teams>* const>;

// The moves of the root with the visits and scores of all trees, in the order of legal_moves.
template <int Teams>
std::vector<RootMove> merged_root(Trees<Teams> trees, std::span<const Move> moves,
                                  int move_numbers);

template <int Teams>
SearchResult monte_carlo_result(Trees<Teams> trees, std::span<const Move> moves, int move_numbers,
                                Seat turn, const MonteCarloSettings& settings);

// Best first for the seat to move. Ties go to more visits, then to the higher reward, then to the
// move that legal_moves lists first; unvisited moves come last.
void rank_root(std::vector<RootMove>& root, Seat seat, FinalChoice rule, double security);

// Whether the most visited move is also the one with the highest mean reward.
bool is_robust_max(std::vector<RootMove> root, Seat seat);

// Calls use(trees, moves, move numbers) for the trees of one position.
template <Game P, class Use>
auto of_root(std::span<const MonteCarloDescent<P>> trees, const Use& use) {
  std::vector<const MonteCarloBase<teams_of<P>()>*> all;
  for (const auto& tree : trees) all.push_back(&tree);
  typename P::Moves moves;
  const P& position = trees[0].root_position();
  if (!trees[0].is_over()) position.legal_moves(moves);
  return use(all, std::span<const Move>(moves.begin(), static_cast<std::size_t>(moves.size())),
             P::move_numbers(position.options()));
}

template <Game P>
SearchResult monte_carlo_result(std::span<const MonteCarloDescent<P>> trees,
                                const MonteCarloSettings& settings) {
  return of_root<P>(trees, [&](const auto& all, std::span<const Move> moves, int numbers) {
    return monte_carlo_result<teams_of<P>()>(all, moves, numbers, trees[0].root_position().turn(),
                                             settings);
  });
}

// Whether the most visited move of these trees is also the one with the highest mean reward.
template <Game P>
bool is_robust_max(std::span<const MonteCarloDescent<P>> trees) {
  return of_root<P>(trees, [&](const auto& all, std::span<const Move> moves, int numbers) {
    return is_robust_max(merged_root<teams_of<P>()>(all, moves, numbers),
                         trees[0].root_position().turn());
  });
}

// The tree as text, for people and goldens: a move a line, its visits and the mean scores of the
// seats, children indented and most visited first.
template <Game P>
std::string tree_text(const MonteCarloDescent<P>& descent, int depth,
                      std::uint32_t least_visits = 1) {
  const auto& tree = descent.tree();
  std::string text;
  const auto print = [&](const auto& self, const auto& node, const P& position, int level) -> void {
    std::vector<typename MonteCarloDescent<P>::Edge> edges(tree.edges(node),
                                                           tree.edges(node) + node.tried);
    std::stable_sort(edges.begin(), edges.end(), [&](const auto& a, const auto& b) {
      return tree[a.child].visits > tree[b.child].visits;
    });
    for (const auto& edge : edges) {
      const auto& child = tree[edge.child];
      if (child.visits < least_visits) break;
      text += std::string(static_cast<std::size_t>(2 * level), ' ') +
              position.move_text(edge.move) + " " + std::to_string(child.visits);
      const Scores scores = descent.scores_of(child.totals, child.visits);
      for (int s = 0; s < P::seats; ++s) {
        char value[16];
        std::snprintf(value, sizeof value, " %+.3f", double(scores[static_cast<std::size_t>(s)]));
        text += value;
      }
      text += child.state == MonteCarloDescent<P>::Tree::State::Over ? " end\n" : "\n";
      P next = position;
      next.play(edge.move);
      if (level + 1 < depth) self(self, child, next, level + 1);
    }
  };
  print(print, descent.root(), descent.root_position(), 0);
  return text;
}

}  // namespace tempo
