#include "binding.h"
#include "shogi.h"

namespace tempo::bind {
namespace {

const Binding bind_minishogi("minishogi", [](nb::module_& core) {
  auto m = core.def_submodule("minishogi", "Shogi on 5x5.");
  bind_game<shogi::MiniPosition>(m);
  bind_shogi_position<shogi::MiniPosition>(m);
});

}  // namespace
}  // namespace tempo::bind
