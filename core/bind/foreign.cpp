// Binds games written in Python: all that any game has, for every kind of position that they need.
#include "foreign.h"

#include "../games/foreign/hidden.h"
#include "binding.h"
#include "game.h"

namespace tempo::bind {
namespace {

// The games of one type of position, in a module of their own.
template <class Position>
void bind_rules(nb::module_& core, const char* name, const char* about) {
  auto m = core.def_submodule(name, about);
  bind_game<Position>(m);
  m.def(
      "rules",
      [](const Text& spec, nb::callable start, nb::object parse, int move_numbers, int length_bound,
         const std::vector<Text>& seat_names, std::optional<std::tuple<int, int, int>> shape,
         nb::object deal) -> typename Position::Options {
        if (seat_names.size() != Position::seats) {
          throw ParseError(spec.string() + ": expected the names of " +
                           std::to_string(Position::seats) + " seats");
        }
        return {add_rules(spec, std::move(start), std::move(parse), move_numbers, length_bound,
                          seat_names, shape, std::move(deal))};
      },
      "spec"_a, "start"_a, "parse"_a.none(), "move_numbers"_a, "length_bound"_a, "seat_names"_a,
      "shape"_a.none(), "deal"_a = nb::none(),
      nb::sig("def rules(spec: str, start: collections.abc.Callable[[], object], "
              "parse: collections.abc.Callable[[str], object] | None, move_numbers: int, "
              "length_bound: int, seat_names: collections.abc.Sequence[str], "
              "shape: tuple[int, int, int] | None, "
              "deal: collections.abc.Callable[[random.Random], object] | None = None) -> Options"),
      "The rules of a game by the functions that make its positions.");
}

const Binding bind_foreign("foreign", [](nb::module_& core) {
  bind_rules<foreign::PositionFor<2>>(core, "foreign",
                                      "Games for two whose rules are written in Python.");
  bind_rules<foreign::PositionFor<3>>(core, "foreign3",
                                      "Games for three whose rules are written in Python.");
  bind_rules<foreign::PositionFor<4>>(core, "foreign4",
                                      "Games for four whose rules are written in Python.");
  bind_rules<foreign::HiddenPosition>(core, "foreign_hidden",
                                      "Games for two whose seats know less than the whole.");
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&forget_rules));
});

}  // namespace
}  // namespace tempo::bind
