#include "shogi.h"

#include "games.h"

void tempo::bind::bind_shogi(nb::module_& core) {
  auto m = core.def_submodule("shogi", "Shogi.");
  bind_game<shogi::Position>(m);
  bind_shogi_position<shogi::Position>(m);
}
