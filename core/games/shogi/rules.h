// Shogi on the full board and on 5x5: everything of the game.
#pragma once

#include "check.h"
#include "move_text.h"
#include "notation.h"
#include "position.h"
#include "symmetry.h"

namespace tempo::shogi {

using Options = OptionsOf<Full>;
using Position = PositionOf<Full>;
using MiniOptions = OptionsOf<Mini>;
using MiniPosition = PositionOf<Mini>;

template <class P>
concept Complete = Game<P> && Remembers<P> && Symmetric<P> && Noisy<P> && Ordered<P> &&
                   QuickRandom<P> && QuickCount<P>;
static_assert(Complete<Position> && Complete<MiniPosition>);
static_assert(sizeof(Position) <= 208 && sizeof(MiniPosition) <= 128);

}  // namespace tempo::shogi
