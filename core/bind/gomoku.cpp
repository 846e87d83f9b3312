#include "../games/gomoku/rules.h"

#include "../games/gomoku/evaluation.h"
#include "../games/gomoku/features.h"
#include "binding.h"
#include "game.h"

template <>
struct tempo::StaticEvaluatorOf<tempo::gomoku::Position>
    : std::type_identity<tempo::gomoku::StaticEvaluator> {};

namespace tempo::bind {
namespace {

const Binding binding("gomoku", [](nb::module_& core) {
  auto m = core.def_submodule("gomoku", "Gomoku.");
  bind_game<gomoku::Position>(m);
});

}  // namespace
}  // namespace tempo::bind
