#include "../games/gomoku.h"

#include "../features/gomoku.h"
#include "game.h"
#include "games.h"

void tempo::bind::bind_gomoku(nb::module_& core) {
  auto m = core.def_submodule("gomoku", "Gomoku.");
  bind_game<gomoku::Position>(m);
}
