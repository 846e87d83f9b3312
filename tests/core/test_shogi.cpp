// Shogi on both boards: perft, the invariants of every game, drops, ends, notation.
#include <string>

#include "doctest/doctest.h"
#include "games/shogi.h"
#include "search/perft.h"

namespace tempo::shogi {
namespace {

TEST_CASE("perft of shogi's starts equals the published numbers") {
  constexpr std::uint64_t full[] = {1, 30, 900, 25470, 719731};
  constexpr std::uint64_t mini[] = {1, 14, 181, 2512, 35401, 533203};
  for (int depth = 0; depth < 5; ++depth)
    CHECK(tempo::perft(Position::start(), depth) == full[depth]);
  for (int depth = 0; depth < 6; ++depth)
    CHECK(tempo::perft(MiniPosition::start(), depth) == mini[depth]);
  CHECK(generic_perft(Position::start(), 3) == full[3]);
}

}  // namespace
}  // namespace tempo::shogi
