#include "../games/chess/rules.h"

#include "../games/chess/evaluation.h"
#include "../games/chess/features.h"
#include "binding.h"
#include "game.h"

namespace {

using At = tempo::bind::Played<tempo::chess::Position>;

std::string san(const At& at, std::int64_t move) {
  const tempo::Move checked = tempo::bind::checked_move<tempo::chess::Position>(at.position, move);
  at.require_legal(checked);
  return at.position.san(checked);
}

}  // namespace

namespace tempo::bind {
namespace {

const Binding bind_chess("chess", [](nb::module_& core) {
  auto m = core.def_submodule("chess", "Chess.");
  bind_game<chess::Position>(m);
  nb::borrow<nb::class_<At>>(m.attr("Position"))
      .def("san", &san, "move"_a, "A legal move in standard algebraic notation.")
      .def_prop_ro("in_check", [](const At& at) { return at.position.in_check(); });
});

}  // namespace
}  // namespace tempo::bind
