// Chess: everything of the game.
#pragma once

#include "check.h"
#include "move_text.h"
#include "notation.h"
#include "position.h"

namespace tempo::chess {

static_assert(Game<Position> && Remembers<Position> && Noisy<Position> && Ordered<Position> &&
              QuickRandom<Position> && QuickCount<Position>);
static_assert(sizeof(Position) <= 96);

}  // namespace tempo::chess
