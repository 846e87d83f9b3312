// What the playout policy (playout_policy.h) counts, in units of a General, roughly. Tuned by
// matches of the policy against itself: tools/siguo_policy.py, which also writes the numbers.
#pragma once

#include <bit>

#include "duels.h"

namespace tempo::siguo {

struct PolicyWeights {
  std::array<float, kinds> worth;
  std::array<float, mover_kinds> eagerness;  // how much a kind gains by getting nearer to a flag
  float step;                                // of the way to a flag
  float rear;           // how eagerly pieces of the two rear rows go, beside the others
  float first_move;     // what leaving the home costs: it shows that the piece is no mine
  float caution;        // how surely a foe takes what it could win where a piece goes,
  float staying;        // where it stands,
  float following;      // and where it has just won
  float support;        // the share of such a risk that goes when a friend could strike back
  float foresight;      // what an attack is worth that may follow
  float restless;       // what any attack is worth,
  float more_restless;  // and that when the game would soon be drawn
  float flag_risk;      // a foe that could take a flag next
  float partner_flag;   // the partner's flag beside the own
  float locked;         // the share of its worth that a piece loses in a headquarters
};

inline constexpr int policy_terms = static_cast<int>(sizeof(PolicyWeights) / sizeof(float));
using PolicyNumbers = std::array<float, at(policy_terms)>;

inline constexpr PolicyWeights policy_of(const PolicyNumbers& numbers) {
  return std::bit_cast<PolicyWeights>(numbers);
}

inline constexpr PolicyNumbers tuned_policy{
    1.51F,  0.79F,  0.861F, 0.453F,  0.345F,  0.285F, 0.242F,  0.174F, 0.218F,
    0.542F, 0.511F, 6.15F,  0.477F,  0.865F,  1.04F,  1.36F,   0.945F, 0.948F,
    0.675F, 0.774F, 0.409F, 0.308F,  0.0174F, 0.458F, 0.0359F, 0.607F, 0.246F,
    0.592F, 0.67F,  0.403F, 0.0368F, 0.569F,  1.72F,  0.195F,  0.48F};

}  // namespace tempo::siguo
