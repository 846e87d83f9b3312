#include "shogi.h"

#include "binding.h"

namespace tempo::bind {
namespace {

const Binding bind_shogi("shogi", [](nb::module_& core) {
  auto m = core.def_submodule("shogi", "Shogi.");
  bind_game<shogi::Position>(m);
  bind_shogi_position<shogi::Position>(m);
});

}  // namespace
}  // namespace tempo::bind
