// The rule choices of shogi.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "../../options.h"

namespace tempo::shogi {

inline constexpr std::string_view repetition_names[] = {"draw", "perpetual-loses"};
inline constexpr std::string_view off_on[] = {"off", "on"};

template <class Board>
struct OptionsOf {
  std::int16_t repetition = 0;
  std::int16_t declaration = 0;
  std::int16_t length = 500;

  // The declaration rule counts pieces of the full board: mini-shogi has none.
  static constexpr auto fields() {
    using Field = OptionField<OptionsOf>;
    constexpr Field repetition{
        "repetition",
        "what the fourth equal position is when one side gave check all along",
        &OptionsOf::repetition,
        0,
        1,
        repetition_names};
    constexpr Field length{"length", "after how many moves a game is drawn", &OptionsOf::length, 1,
                           30000};
    if constexpr (Board::has_declaration) {
      constexpr Field declaration{
          "declaration",
          "whether a king that has entered wins by 28 points, White's by 27",
          &OptionsOf::declaration,
          0,
          1,
          off_on};
      return std::array{repetition, declaration, length};
    } else {
      return std::array{repetition, length};
    }
  }
  friend bool operator==(const OptionsOf&, const OptionsOf&) = default;
};

}  // namespace tempo::shogi
