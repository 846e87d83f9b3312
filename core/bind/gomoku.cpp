#include "../games/gomoku/rules.h"

#include "../games/gomoku/evaluation.h"
#include "../games/gomoku/features.h"
#include "game.h"
#include "games.h"

template <>
struct tempo::StaticEvaluatorOf<tempo::gomoku::Position>
    : std::type_identity<tempo::gomoku::StaticEvaluator> {};

void tempo::bind::bind_gomoku(nb::module_& core) {
  auto m = core.def_submodule("gomoku", "Gomoku.");
  bind_game<gomoku::Position>(m);
}
