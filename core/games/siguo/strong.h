// Siguo by search on determinizations: the moves that the playout policy likes best are tried on
// determinizations drawn from the view (search/halving.h). From each the policy plays on for a few
// plies, every seat by what it may know; the position at the end is valued. Determinizations are
// tilted by what the others' play tells (tells.h).
#pragma once

#include "judgement.h"
#include "playout_policy.h"
#include "tells.h"
#include "weighted_draws.h"

namespace tempo::siguo {

struct StrongSettings {
  HalvingBudget budget;
  int moves = 16;        // that are tried: those that the policy scores highest
  int plies = 8;         // played by the policy after such a move
  float anchor = 0.33F;  // how much the policy's score counts beside the results
};

// What a search plays by; `tells` may be null.
struct StrongKnowledge {
  const Judgement* judgement;
  PolicyWeights policy = policy_of(tuned_policy);
  const Tells* tells = nullptr;
};

inline Halved search_strong(const View& view, const StrongKnowledge& knowledge,
                            const StrongSettings& settings, Random& random) {
  if (view.turn() != view.seat() || view.outcome()) return {};
  const WeightedDraws draws(view);
  const PolicyTables tables(view, knowledge.policy);
  std::optional<Tilt> tilt;
  if (knowledge.tells != nullptr) tilt.emplace(view.public_state(), *knowledge.tells);
  const auto draw = [&](Random& stream) {
    auto drawn = draws(stream);
    if (!drawn || !tilt) return drawn;
    Kinds kinds_of = drawn->position.all_kinds();
    tilt->apply(draws.determinizations(), kinds_of, Tells::exchanges, stream);
    drawn->position = Position::of_view(view, kinds_of);
    return drawn;
  };
  std::vector<TriedMove> candidates;
  // The policy asks for the kinds of the seat to move alone, so the view's will do.
  const Playout seen(Position::of_view(view, view.all_kinds()));
  PlayoutPolicy(seen, tables).each_score([&](Move move, float score) {
    candidates.push_back({.move = move, .prior = score});
  });
  const float sign = tempo::index(view.seat()) % 2 == 0 ? 1.0F : -1.0F;
  std::int64_t positions = 0;
  Halved found = Halving(candidates, settings.budget, settings.anchor, settings.moves)(
      random, draw, [&](const Drawn<Position>& drawn, Move move, Random& stream) {
        Playout playout(drawn.position);
        playout.play(move);
        ++positions;
        for (int ply = 0; ply < settings.plies && !playout.position().outcome(); ++ply) {
          playout.play(PlayoutPolicy(playout, tables).choose(stream));
          ++positions;
        }
        return sign * knowledge.judgement->value(playout.position());
      });
  found.positions = positions;
  return found;
}

}  // namespace tempo::siguo
