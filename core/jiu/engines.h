// The battle engines by name.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "../errors.h"
#include "battle.h"
#include "paper_battle.h"

namespace tempo::jiu {

// What makes engines of this name. Throws ParseError on any other.
inline EngineMaker engine_maker(std::string_view name) {
  if (name == "paper") return [] { return std::make_unique<PaperBattle>(); };
  if (name == "random") return [] { return std::make_unique<RandomBattle>(); };
  throw ParseError("there is no battle engine '" + std::string(name) +
                   "'; there are paper and random");
}

}  // namespace tempo::jiu
