// The numbers alpha-beta compares: 32-bit integers in millionths of a score, so that results do not
// depend on the rounding of a compiler. Beyond a whole score lie the decided games: a win after n
// moves from the root is 2,000,000 - n, so that short wins and long losses are preferred.
#pragma once

#include <cstdint>
#include <limits>

#include "../game.h"

namespace tempo {

using Value = std::int32_t;

inline constexpr Value whole_score = 1'000'000;
inline constexpr Value won = 2 * whole_score;
inline constexpr Value infinite = won + 1;

constexpr bool is_decided(Value value) { return value > whole_score || value < -whole_score; }

// A score as a value; what lies outside [-1, 1] is cut off, and a NaN counts as lost. The product
// is exact in a double, so that fusing it with the addition changes nothing.
constexpr Value value_of_score(float score) {
  const double x = score <= 1.0F ? (score >= -1.0F ? score : -1.0) : score > 1.0F ? 1.0 : -1.0;
  return static_cast<Value>(x * whole_score + (x < 0 ? -0.5 : 0.5));
}

// The value of a finished game, `ply` moves from the root.
constexpr Value value_of_end(float score, int ply) {
  if (score >= 1.0F) return won - ply;
  if (score <= -1.0F) return ply - won;
  return value_of_score(score);
}

// The value, `ply` moves from the root, of a game that a seat wins (or loses, if negative) after so
// many moves more.
constexpr Value value_of_distance(int distance, int ply) {
  return distance > 0 ? won - ply - distance : ply - distance - won;
}

constexpr float score_of_value(Value value) {
  if (value > whole_score) return 1.0F;
  if (value < -whole_score) return -1.0F;
  return static_cast<float>(value) / static_cast<float>(whole_score);
}

// A bound as a score: infinite where nothing was proved.
constexpr float score_of_bound(Value value) {
  constexpr float unknown = std::numeric_limits<float>::infinity();
  return value == infinite ? unknown : value == -infinite ? -unknown : score_of_value(value);
}

// A table serves all plies, so decided games are stored by their distance from the position itself.
constexpr Value value_from_here(Value value, int ply) {
  return value > whole_score ? value + ply : value < -whole_score ? value - ply : value;
}
constexpr Value value_from_root(Value value, int ply) {
  return value > whole_score ? value - ply : value < -whole_score ? value + ply : value;
}

}  // namespace tempo
