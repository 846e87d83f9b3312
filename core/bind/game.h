// One template binds any game: its options, its Position, its moves and its batches. A game's own
// binding file calls bind_game and adds what only that game has.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../game.h"
#include "../search/perft.h"
#include "batch.h"
#include "experience.h"
#include "guard.h"
#include "played.h"
#include "search.h"
#include "view.h"

namespace tempo::bind {

namespace nb = nanobind;
using namespace nb::literals;

// A seat by number or by name.
Seat seat_of(nb::handle which, std::string_view game, std::span<const std::string_view> names);
template <Game P>
Seat seat_of(nb::handle which, const typename P::Options& options = {}) {
  std::array<std::string_view, P::seats> names;
  for (std::size_t s = 0; s < names.size(); ++s) {
    names[s] = seat_name<P>(options, Seat{static_cast<std::uint8_t>(s)});
  }
  return seat_of(which, P::name, names);
}

nb::tuple option_row(std::string_view name, const OptionRange& range, std::int16_t value,
                     std::string_view help);
template <Game P>
[[gnu::cold]] void bind_options(nb::module_& m) {
  using Options = typename P::Options;
  nb::class_<Options>(m, "Options", "The rule choices of a game, fixed at its start.")
      .def(
          "__init__",
          [](Options* self, const nb::dict& given) {
            Options options;
            for (const auto& [name, value] : given) {
              if (!nb::isinstance<nb::str>(name)) throw nb::type_error("an option's name is a str");
              const nb::str text(value);
              set_option(options, P::name, Text(name).view(), Text(text).view());
            }
            new (self) Options(options);
          },
          "given"_a, nb::sig("def __init__(self, given: dict[str, str | int]) -> None"),
          "Options by name; ParseError says what a wrong one should have been.")
      .def_prop_ro(
          "spec", [](const Options& o) { return game_spec(P::name, o); },
          "The game in one string, as `tempo.load` takes it.")
      .def_prop_ro(
          "move_numbers", [](const Options& o) { return P::move_numbers(o); },
          "Every move is a number below this.")
      .def_prop_ro(
          "length_bound", [](const Options& o) { return P::length_bound(o); },
          "No game has more moves than this.")
      .def(
          "__eq__", [](const Options& a, const Options& b) { return a == b; }, nb::is_operator())
      .def("__hash__",
           [](const Options& o) { return nb::hash(nb::str(game_spec(P::name, o).c_str())); })
      .def("__repr__", [](const Options& o) { return game_spec(P::name, o); });

  m.def(
      "option_fields",
      [] {
        nb::list rows;
        const Options defaults;
        for (const auto& field : Options::fields()) {
          rows.append(option_row(field.name, field.range(), defaults.*field.member, field.help));
        }
        return rows;
      },
      nb::sig("def option_fields() -> list[tuple[str, str, str, str]]"),
      "Every rule option: name, default, choices, meaning.");
}

template <Game P>
[[gnu::cold]] void bind_moves(nb::module_& m) {
  using Listed = LegalMoves<P>;
  nb::class_<Listed>(m, "Moves", "The legal moves of a position, in their fixed order.")
      .def("__len__", [](const Listed& l) { return l.size(); })
      .def("__getitem__",
           [](const Listed& l, Py_ssize_t i) {
             const int size = l.size();
             if (i < 0) i += size;
             if (i < 0 || i >= size) throw nb::index_error("no such move");
             return index(l[static_cast<int>(i)]);
           })
      .def(
          "__iter__",
          [](const Listed& l) {
            nb::list list;
            for (const Move move : l.list()) list.append(index(move));
            return nb::iter(list);
          },
          nb::sig("def __iter__(self) -> collections.abc.Iterator[int]"))
      .def("__contains__",
           [](const Listed& l, std::int64_t move) {
             if (move < 0 || move > 0xFFFF) return false;
             const auto& list = l.list();
             return std::find(list.begin(), list.end(), static_cast<Move>(move)) != list.end();
           })
      .def("__contains__",
           [](const Listed& l, const Text& text) {
             try {
               const Move move = l.position().parse_move(plain(text));
               return std::find(l.list().begin(), l.list().end(), move) != l.list().end();
             } catch (const std::runtime_error&) {
               return false;
             }
           })
      .def("__repr__", [](const Listed& l) {
        std::string text = "{";
        for (const Move move : l.list())
          text += (text.size() > 1 ? ", " : "") + l.position().move_text(move);
        return text + "}";
      });
}

template <Game P>
Played<P> played_on(const Played<P>& from, Move move) {
  from.require_legal(move);
  Played<P> next = from;
  play(next.position, next.past, move);
  return next;
}

int checked_symmetry(int symmetry, int symmetries, std::string_view game);
template <Symmetric P>
int checked_symmetry(int symmetry) {
  return checked_symmetry(symmetry, P::symmetries, P::name);
}

template <Game P>
[[gnu::cold]] void bind_position(nb::module_& m) {
  using At = Played<P>;
  auto position =
      nb::class_<At>(
          m, "Position",
          "One moment of a game, with the past that its rules need. A value: playing a move "
          "gives a new one.")
          .def_prop_ro(
              "game", [](const At& p) { return game_spec(P::name, p.position.options()); },
              "The game and its options in one string.")
          .def_prop_ro("options", [](const At& p) { return p.position.options(); })
          .def_prop_ro(
              "turn", [](const At& p) { return index(p.position.turn()); },
              "The number of the seat to move.")
          .def_prop_ro(
              "legal_moves", [](const At& p) { return p.legal_moves(); },
              "The legal moves; empty when the game is over.")
          .def_prop_ro(
              "outcome", [](const At& p) { return end_of_game<P>(p.outcome()); },
              "Why the game ended and what each seat got; None while it goes on.")
          .def_prop_ro("is_over", [](const At& p) { return p.is_over(); })
          .def_prop_ro(
              "key", [](const At& p) { return p.position.key(); }, "64 bits of identity.")
          .def_prop_ro(
              "scratch_key", [](const At& p) { return p.position.scratch_key(); },
              "The key computed anew, for tests of the incremental one.")
          .def_prop_ro(
              "text", [](const At& p) { return p.position.text(); },
              "One line that `parse` reads back.")
          .def_prop_ro(
              "board", [](const At& p) { return p.position.board(); },
              "The board in several lines, to be printed.")
          .def(
              "check", [](const At& p) { return p.position.check(); },
              "What is unsound about this position; empty, always, unless there is a bug.")
          .def(
              "is_legal",
              [](const At& p, std::int64_t move) {
                return move >= 0 && move < 0xFFFF && p.is_legal(static_cast<Move>(move));
              },
              "move"_a)
          .def(
              "play",
              [](const At& p, std::int64_t move) {
                return played_on(p, checked_move<P>(p.position, move));
              },
              "move"_a, "The position after a move, given as a number or as text.")
          .def(
              "play",
              [](const At& p, const Text& text) {
                return played_on(p, p.position.parse_move(plain(text)));
              },
              "move"_a)
          .def(
              "move_text",
              [](const At& p, std::int64_t move) {
                const Move checked = checked_move<P>(p.position, move);
                p.require_legal(checked);
                return p.position.move_text(checked);
              },
              "move"_a, "A legal move as text.")
          .def(
              "parse_move",
              [](const At& p, const Text& text) {
                const Move move = p.position.parse_move(plain(text));
                p.require_legal(move);  // the past may have ended the game
                return index(move);
              },
              "text"_a, "The number of a legal move given as text.")
          .def(
              "svg",
              [](nb::handle self) {
                return nb::cast<std::string>(
                    nb::module_::import_("tempo.games.drawing").attr("svg")(self));
              },
              "The position as an SVG picture.")
          .def("_repr_svg_",
               [](nb::handle self) {
                 return nb::cast<std::string>(
                     nb::module_::import_("tempo.games.drawing").attr("shown")(self));
               })
          .def(
              "__eq__", [](const At& a, const At& b) { return a.position == b.position; },
              nb::is_operator())
          .def("__hash__", [](const At& p) { return p.position.key(); })
          .def("__str__", [](const At& p) { return p.position.board(); })
          .def("__repr__", [](const At& p) {
            return "<" + game_spec(P::name, p.position.options()) + " " + p.position.text() + ">";
          });

  if constexpr (Hidden<P>) {
    position.def(
        "view",
        [](const At& p, nb::object seat) {
          return p.position.view(seat_of<P>(seat, p.position.options()));
        },
        "seat"_a, nb::sig("def view(self, seat: int | str) -> View"),
        "What a seat may know: all that its agent ever receives.");
    if constexpr (requires(const P& c) { c.public_text(); }) {
      position.def_prop_ro(
          "public_text", [](const At& p) { return p.position.public_text(); },
          "What everybody may know, in one line.");
    }
  } else {
    position.def(
        "view",
        [](const At& p, nb::object seat) {
          seat_of<P>(seat, p.position.options());
          return p;
        },
        "seat"_a, nb::sig("def view(self, seat: int | str) -> Position"),
        "What a seat may know: everything, in an open game.");
  }
  if constexpr (Symmetric<P>) {
    position
        .def(
            "transformed",
            [](const At& p, int symmetry) {
              return At{p.position.transformed(checked_symmetry<P>(symmetry)), {}};
            },
            "symmetry"_a, "The mirrored or turned position; symmetry 0 is the identity.")
        .def(
            "transformed_move",
            [](const At& p, std::int64_t move, int symmetry) {
              const Move checked = checked_move<P>(p.position, move);
              return index(p.position.transformed_move(checked, checked_symmetry<P>(symmetry)));
            },
            "move"_a, "symmetry"_a);
  }
  if constexpr (HasFeatures<P>) {
    position.def(
        "features",
        [](const At& p, nb::object seat) {
          auto array = feature_array<P>(p.position.options());
          const Seat who =
              seat.is_none() ? p.position.turn() : seat_of<P>(seat, p.position.options());
          write_features(p.position, who, array.data());
          return array;
        },
        "seat"_a = nb::none(),
        nb::sig("def features(self, seat: int | str | None = None) -> "
                "numpy.typing.NDArray[numpy.float32]"),
        "[planes, rows, columns] as a seat sees it, by default the one to move.");
  }
}

int checked_depth(int depth, int least);  // of perft
template <Game P>
[[gnu::cold]] void bind_making(nb::module_& m) {
  using Options = typename P::Options;
  m.def(
      "start", [](const Options& o) { return Played<P>{P::start(o), {}}; }, "options"_a,
      "The start of a game.");
  m.def(
      "parse",
      [](const Text& text, const Options& o) { return Played<P>{P::parse(plain(text), o), {}}; },
      "text"_a, "options"_a, "A position from its text; ParseError says what is wrong with it.");
  if constexpr (Dealt<P>) {
    m.def(
        "deal",
        [](const Options& o, std::uint64_t seed) {
          Random random(seed);
          return Played<P>{P::deal(o, random), {}};
        },
        "options"_a, "seed"_a, "A start drawn at random.");
  }
  m.def(
      "perft",
      [](const Played<P>& p, int depth) { return perft(p.position, checked_depth(depth, 0)); },
      "position"_a, "depth"_a, nb::call_guard<nb::gil_scoped_release>(),
      "The number of move sequences of this length.");
  m.def(
      "divide",
      [](const Played<P>& p, int depth) {
        checked_depth(depth, 1);
        std::vector<Divided> parts;
        {
          const nb::gil_scoped_release release;
          parts = divide(p.position, depth);
        }
        nb::list rows;
        for (const auto& [move, count] : parts) {
          rows.append(nb::make_tuple(p.position.move_text(move), count));
        }
        return rows;
      },
      "position"_a, "depth"_a,
      nb::sig("def divide(position: Position, depth: int) -> list[tuple[str, int]]"),
      "perft for each first move, to find a disagreement.");
}

// Everything that any game has. Returns nothing: the module holds it.
template <Game P>
[[gnu::cold]] void bind_game(nb::module_& m) {
  m.attr("name") = P::name;
  m.attr("rules_version") = P::rules_version;
  m.attr("summary") = P::summary;
  nb::list names;
  nb::list teams;
  for (int s = 0; s < P::seats; ++s) {
    const Seat seat{static_cast<std::uint8_t>(s)};
    names.append(P::seat_name(seat));
    teams.append(index(P::team_of(seat)));
  }
  m.attr("seat_names") = nb::tuple(names);
  m.attr("teams") = nb::tuple(teams);
  if constexpr (Symmetric<P>) {
    m.attr("symmetries") = int{P::symmetries};
  } else {
    m.attr("symmetries") = 1;
  }
  if constexpr (SymmetricFeatures<P>) {
    m.def(
        "transformed_features",
        [](const typename P::Options& options, int symmetry) {
          checked_symmetry<P>(symmetry);
          const auto count = static_cast<std::size_t>(feature_count<P>(options));
          auto where = new_array<std::int64_t>({count});
          for (std::size_t i = 0; i < count; ++i) {
            where.data()[i] = Features<P>::transformed(options, static_cast<int>(i), symmetry);
          }
          return where;
        },
        "options"_a, "symmetry"_a,
        nb::sig("def transformed_features(options: Options, symmetry: int) -> "
                "numpy.typing.NDArray[numpy.int64]"),
        "Where a symmetry takes each number of the flattened features.");
    m.def(
        "transformed_moves",
        [](const typename P::Options& options, int symmetry) {
          checked_symmetry<P>(symmetry);
          const P start = P::start(options);
          const auto count = static_cast<std::size_t>(P::move_numbers(options));
          auto where = new_array<std::int64_t>({count});
          for (std::size_t i = 0; i < count; ++i)
            where.data()[i] = index(start.transformed_move(static_cast<Move>(i), symmetry));
          return where;
        },
        "options"_a, "symmetry"_a,
        nb::sig("def transformed_moves(options: Options, symmetry: int) -> "
                "numpy.typing.NDArray[numpy.int64]"),
        "Where a symmetry takes each move number.");
  }
  if constexpr (PackedFeatures<P>) {
    nb::list scaled;
    for (const int plane : Features<P>::scaled) scaled.append(plane);
    m.attr("scaled_planes") = nb::tuple(scaled);
  }
  bind_options<P>(m);
  bind_moves<P>(m);
  if constexpr (Hidden<P>) bind_view<P>(m);
  bind_position<P>(m);
  bind_making<P>(m);
  bind_batch<P>(m);
  if constexpr (HasFeatures<P>) {
    bind_search<P>(m);
    bind_experience<P>(m);
  }
}

}  // namespace tempo::bind
