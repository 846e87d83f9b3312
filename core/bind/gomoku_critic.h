// What the files that bind Gomoku's critic share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../games/gomoku/self_teaching.h"
#include "arrays.h"
#include "guard.h"
#include "played.h"

namespace tempo::bind {

using At = Played<gomoku::Position>;
using Positions = std::vector<At>;  // copied: the list may change while the core reads

inline std::string number(std::size_t n) { return std::to_string(n); }
inline std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

inline void check_radius(int radius) {
  if (radius >= 1 && radius <= gomoku::Position::margin) return;
  throw ParseError("a radius of " + std::to_string(radius) + "; expected 1 to " +
                   std::to_string(gomoku::Position::margin));
}

// Games from outside, every move checked before anything is made of them.
std::vector<gomoku::CriticRecord> checked_games(const gomoku::Options& options,
                                                const AnyInput<1>& moves,
                                                const AnyInput<1>& lengths);

void bind_critic_rules(nb::module_& m);

}  // namespace tempo::bind
