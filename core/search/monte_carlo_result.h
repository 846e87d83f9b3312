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

// The moves of the root with the visits and scores of all trees, in the order of legal_moves.
template <Game P>
std::vector<RootMove> merged_root(std::span<const MonteCarloDescent<P>> trees) {
  typename P::Moves moves;
  const P& position = trees[0].root_position();
  position.legal_moves(moves);
  std::vector<RootMove> merged(static_cast<std::size_t>(moves.size()));
  std::vector<std::size_t> row(static_cast<std::size_t>(P::move_numbers(position.options())));
  for (std::size_t i = 0; i < merged.size(); ++i) {
    merged[i].move = moves[static_cast<int>(i)];
    row[static_cast<std::size_t>(merged[i].move)] = i;
  }
  std::vector<std::array<double, MonteCarloDescent<P>::teams>> totals(merged.size());
  for (const auto& tree : trees) {
    const auto* edges = tree.tree().edges(tree.root());
    for (int e = 0; e < tree.root().tried; ++e) {
      const std::size_t i = row[static_cast<std::size_t>(edges[e].move)];
      const auto& child = tree.tree()[edges[e].child];
      merged[i].visits += child.visits;
      for (std::size_t t = 0; t < totals[i].size(); ++t) totals[i][t] += child.totals[t];
    }
  }
  for (std::size_t i = 0; i < merged.size(); ++i) {
    if (merged[i].visits == 0) continue;
    merged[i].scores = MonteCarloDescent<P>::scores_of(totals[i], double(merged[i].visits));
  }
  return merged;
}

// Best first for the seat to move. Ties go to more visits, then to the higher reward, then to the
// move that legal_moves lists first; unvisited moves come last.
void rank_root(std::vector<RootMove>& root, Seat seat, FinalChoice rule, double security);

// Whether the most visited move is also the one with the highest mean reward.
bool is_robust_max(std::vector<RootMove> root, Seat seat);

// The most visited moves from the root, after `first`.
template <Game P>
std::vector<Move> line_of(const MonteCarloDescent<P>& descent, Move first) {
  std::vector<Move> line;
  const auto& tree = descent.tree();
  const auto* node = &descent.root();
  while (node->tried > 0) {
    const auto* edges = tree.edges(*node);
    const auto* end = edges + node->tried;
    const auto* next =
        line.empty()
            ? std::find_if(edges, end, [&](const auto& edge) { return edge.move == first; })
            : std::max_element(edges, end, [&](const auto& a, const auto& b) {
                return tree[a.child].visits < tree[b.child].visits;
              });
    if (next == end) break;
    line.push_back(next->move);
    node = &tree[next->child];
  }
  return line;
}

template <Game P>
SearchResult monte_carlo_result(std::span<const MonteCarloDescent<P>> trees,
                                const MonteCarloSettings& settings) {
  SearchResult result;
  for (const auto& tree : trees) result.positions += tree.positions();
  if (trees[0].is_over()) {
    const auto& end = trees[0].root().end;
    for (int s = 0; s < P::seats; ++s) {
      const auto seat = Seat{static_cast<std::uint8_t>(s)};
      result.scores[static_cast<std::size_t>(s)] =
          end[static_cast<std::size_t>(index(P::team_of(seat)))];
    }
    return result;
  }
  result.root = merged_root(trees);
  rank_root(result.root, trees[0].root_position().turn(), settings.final_choice, settings.security);
  if (const int chosen = trees[0].gumbel().final_choice(trees[0].tree());
      settings.selection == Selection::Gumbel && trees.size() == 1 && chosen >= 0) {
    const Move move = trees[0].tree().edges(trees[0].root())[chosen].move;
    const auto found = std::find_if(result.root.begin(), result.root.end(),
                                    [&](const RootMove& m) { return m.move == move; });
    std::rotate(result.root.begin(), found, found + 1);
  }
  result.move = result.root.front().move;
  result.scores = result.root.front().scores;
  for (const auto& tree : trees) {
    const std::vector<Move> line = line_of(tree, result.move);
    if (line.size() > result.line.size()) result.line = line;
  }
  if (result.line.empty()) result.line.push_back(result.move);
  result.depth = static_cast<int>(result.line.size());
  return result;
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
      const Scores scores = MonteCarloDescent<P>::scores_of(child.totals, child.visits);
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
