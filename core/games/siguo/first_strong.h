// Siguo by search on determinizations as it first was (siguo-strong-1), kept to measure others by.
// The moves that the rules of thumb like best are tried on determinizations (search/halving.h);
// below a move there is a tree over what everyone has seen (information_tree.h).
#pragma once

#include "../../search/halving.h"
#include "heuristic.h"
#include "information_tree.h"
#include "weighted_draws.h"

namespace tempo::siguo {

struct FirstSettings {
  HalvingBudget budget;
  int moves = 16;        // that are tried: those that the rules of thumb score highest
  float anchor = 0.33F;  // how much the score of the rules of thumb counts
  TreeSettings tree = {};
};

inline Halved search_first(const View& view, const Judgement& judgement,
                           const FirstSettings& settings, Random& random) {
  std::vector<TriedMove> candidates;
  Moves moves;
  view.legal_moves(moves);
  const Heuristic heuristic(view);
  for (const Move move : moves)
    candidates.push_back({.move = move, .prior = heuristic.score(move)});
  InformationTree tree(judgement, settings.tree);
  const WeightedDraws draws(view);
  const float sign = tempo::index(view.seat()) % 2 == 0 ? 1.0F : -1.0F;
  Halved found = Halving(candidates, settings.budget, settings.anchor, settings.moves)(
      random, draws, [&](const Drawn<Position>& drawn, Move move, Random& stream) {
        Position position = drawn.position;
        position.play(move);
        return sign * tree.visit(position, drawn.weight, stream);
      });
  found.positions = tree.positions();
  return found;
}

}  // namespace tempo::siguo
