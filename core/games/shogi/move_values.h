// What a move of shogi is worth to its player, as a published UCT counts it (its Table 2):
// the piece it takes or the check it gives, whichever is worth more, and two points for promoting.
// The table names prices of captures and of a check side by side and does not say that a move has
// two; a mate is worth 10, which is the exact score of the ended game.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "../../search/move_values.h"
#include "rules.h"

namespace tempo::shogi {

inline constexpr double check_value = 9.1;
inline constexpr double promotion_value = 2;
inline constexpr double mate_value = 10;

// By the kind that is taken, nothing included. Kings are never taken.
inline constexpr std::array<double, all_kinds + 1> capture_values{
    6.6, 7.7, 7.7, 7.7, 8.3, 8.3, 8.3, 0,  // pawn to king
    8.0, 8.0, 8.0, 8.0, 8.7, 8.7, 0};      // promoted pawn to dragon, nothing

}  // namespace tempo::shogi

template <class Board>
struct tempo::MoveValues<tempo::shogi::PositionOf<Board>> {
  static constexpr double won = shogi::mate_value;

  static double play(shogi::PositionOf<Board>& position, Move move) {
    const auto taken =
        static_cast<std::size_t>(position.captured_kind(move).value_or(shogi::no_kind));
    position.play(move);
    const double capture = shogi::capture_values[taken];
    const double check = position.in_check() ? shogi::check_value : 0;
    const bool promotes = shogi::PositionOf<Board>::promotes(move);
    return std::max(capture, check) + (promotes ? shogi::promotion_value : 0);
  }
};
