// The battle engines by name: paper, random, and search:N, which visits N positions before every
// turn.
#pragma once

#include <charconv>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "../../errors.h"
#include "battle.h"
#include "paper_battle.h"
#include "search_battle.h"

namespace tempo::jiu {

// What makes engines of this name; `evaluator` is what searches value positions by. Throws
// ParseError on an unknown name.
inline EngineMaker engine_maker(std::string_view name, const SearchBattle::Evaluator& evaluator) {
  if (name == "paper") return [] { return std::make_unique<PaperBattle>(); };
  if (name == "random") return [] { return std::make_unique<RandomBattle>(); };
  constexpr std::string_view searching = "search:";
  if (name.starts_with(searching)) {
    std::int64_t positions = 0;
    const char* end = name.data() + name.size();
    const auto read = std::from_chars(name.data() + searching.size(), end, positions);
    if (read.ec == std::errc{} && read.ptr == end && positions > 0) {
      return [=] { return std::make_unique<SearchBattle>(positions, evaluator); };
    }
  }
  throw ParseError("there is no battle engine '" + std::string(name) +
                   "'; there are paper, random and search:N with N positions a turn");
}

}  // namespace tempo::jiu
