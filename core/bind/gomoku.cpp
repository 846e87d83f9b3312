#include "../games/gomoku/rules.h"

#include "../games/gomoku/evaluation.h"
#include "../games/gomoku/features.h"
#include "binding.h"
#include "game.h"

namespace tempo::bind {
namespace {

const Binding bind_gomoku("gomoku", [](nb::module_& core) {
  auto m = core.def_submodule("gomoku", "Gomoku.");
  bind_game<gomoku::Position>(m);
});

}  // namespace
}  // namespace tempo::bind
