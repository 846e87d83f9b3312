#include "../games/othello/rules.h"

#include "../games/othello/features.h"
#include "binding.h"
#include "game.h"

namespace tempo::bind {
namespace {

const Binding bind_othello("othello", [](nb::module_& core) {
  auto m = core.def_submodule("othello", "Othello.");
  bind_game<othello::Position>(m);
});

}  // namespace
}  // namespace tempo::bind
