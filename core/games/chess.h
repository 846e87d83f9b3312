// Chess: everything of the game, for whoever uses it.
#pragma once

#include "chess/check.h"
#include "chess/move_text.h"
#include "chess/notation.h"
#include "chess/position.h"

namespace tempo::chess {

static_assert(Game<Position> && Remembers<Position> && Noisy<Position> && Ordered<Position> &&
              QuickRandom<Position> && QuickCount<Position>);
static_assert(sizeof(Position) <= 96);

}  // namespace tempo::chess
