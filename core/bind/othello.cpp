#include "../games/othello/rules.h"

#include "../games/othello/features.h"
#include "binding.h"
#include "game.h"

// The weights by hand; what was learnt comes as weights.
template <>
struct tempo::StaticEvaluatorOf<tempo::othello::Position>
    : std::type_identity<tempo::LinearEvaluator<tempo::othello::Position>> {};

namespace tempo::bind {
namespace {

const Binding binding("othello", [](nb::module_& core) {
  auto m = core.def_submodule("othello", "Othello.");
  bind_game<othello::Position>(m);
});

}  // namespace
}  // namespace tempo::bind
