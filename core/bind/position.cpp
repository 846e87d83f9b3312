// Binds positions and lists of moves, for every game alike.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>

#include "arrays.h"
#include "game.h"
#include "held_game.h"

namespace tempo::bind {

using namespace nb::literals;

nb::object HeldGame::made(const void* position, const History& past) const {
  const nb::handle own = type();
  if (!own.is_valid()) throw ParseError("the program ends");
  nb::object fresh = nb::inst_alloc(own);
  make(nb::inst_ptr<void>(fresh), position, past);
  nb::inst_mark_ready(fresh);
  return fresh;
}

Move HeldGame::checked_move(const void* position, std::int64_t move) const {
  const int numbers = rules->move_numbers(position);
  if (move >= 0 && move < numbers) return static_cast<Move>(move);
  no_such_move(move, numbers, rules->name);
}

Seat HeldGame::seat_of(nb::handle which, const void* position) const {
  std::array<std::string_view, max_seats> names;
  const auto seats = static_cast<std::size_t>(rules->seats);
  for (std::size_t s = 0; s < seats; ++s) {
    names[s] = seat_name(position, Seat{static_cast<std::uint8_t>(s)});
  }
  return bind::seat_of(which, rules->name, std::span(names).first(seats));
}

void HeldGame::require_legal(const void* played, Move move) const {
  if (!rules->is_legal(played, move)) throw IllegalMove(rules->why_illegal(played, move));
  if (const auto end = rules->end_by_past(played, past(played))) {
    throw IllegalMove("the game is over: " + std::string(end->reason) + " (" +
                      std::string(rules->name) + ")");
  }
}

std::optional<EndOfGame> end_of_game(const std::optional<Outcome>& outcome, int seats) {
  if (!outcome) return std::nullopt;
  const auto* scores = outcome->scores.data();
  return EndOfGame{std::string(outcome->reason), {scores, scores + seats}};
}

namespace {

using Table = const HeldGame*;

nb::object played_on(Table g, const void* from, Move move) {
  g->require_legal(from, move);
  nb::object next = g->made(from, g->past(from));
  auto* at = nb::inst_ptr<std::byte>(next);
  g->rules->advance(at, const_cast<History&>(g->past(at)), move);
  return next;
}

}  // namespace

void bind_moves(const HeldGame& game) {
  const Table g = &game;
  const auto of = [g](nb::handle self) -> const void* {
    return &HeldGame::object<const std::byte>(self, g->moves_class);
  };
  nb::borrow<HeldClass>(game.moves_class)
      .def("__len__", [g, of](nb::handle self) { return g->moves_size(of(self)); })
      .def("__getitem__",
           [g, of](nb::handle self, Py_ssize_t i) {
             const void* moves = of(self);
             const int size = g->moves_size(moves);
             if (i < 0) i += size;
             if (i < 0 || i >= size) throw nb::index_error("no such move");
             return index(g->moves_at(moves, static_cast<int>(i)));
           })
      .def(
          "__iter__",
          [g, of](nb::handle self) {
            nb::list list;
            for (const Move move : g->moves_list(of(self))) list.append(index(move));
            return nb::iter(list);
          },
          nb::sig("def __iter__(self) -> collections.abc.Iterator[int]"))
      .def("__contains__",
           [g, of](nb::handle self, std::int64_t move) {
             const auto list = g->moves_list(of(self));
             if (move < 0 || move > 0xFFFF) return false;
             return std::find(list.begin(), list.end(), static_cast<Move>(move)) != list.end();
           })
      .def("__contains__",
           [g, of](nb::handle self, const Text& text) {
             const void* moves = of(self);
             try {
               const Move move = g->parse_move(g->moves_position(moves), plain(text));
               const auto list = g->moves_list(moves);
               return std::find(list.begin(), list.end(), move) != list.end();
             } catch (const std::runtime_error&) {
               return false;
             }
           })
      .def("__repr__", [g, of](nb::handle self) {
        const void* moves = of(self);
        std::string text = "{";
        for (const Move move : g->moves_list(moves)) {
          text +=
              (text.size() > 1 ? ", " : "") + g->rules->move_text(g->moves_position(moves), move);
        }
        return text + "}";
      });
}

void bind_position(const HeldGame& game) {
  const Table g = &game;
  auto position = nb::borrow<HeldClass>(game.position_class);
  position
      .def_prop_ro(
          "game", [g](nb::handle self) { return g->spec(g->at(self)); },
          "The game and its options in one string.")
      .def_prop_ro(
          "options", [g](nb::handle self) { return g->options(g->at(self)); },
          nb::sig("def options(self) -> Options"))
      .def_prop_ro(
          "turn", [g](nb::handle self) { return index(g->rules->turn(g->at(self))); },
          "The number of the seat to move.")
      .def_prop_ro(
          "legal_moves", [g](nb::handle self) { return g->legal_moves(g->at(self)); },
          nb::sig("def legal_moves(self) -> Moves"),
          "The legal moves; empty when the game is over.")
      .def_prop_ro(
          "outcome",
          [g](nb::handle self) {
            const void* at = g->at(self);
            return end_of_game(g->rules->outcome(at, g->past(at)), g->rules->seats);
          },
          "Why the game ended and what each seat got; None while it goes on.")
      .def_prop_ro("is_over", [g](nb::handle self) { return g->is_over(g->at(self)); })
      .def_prop_ro(
          "key", [g](nb::handle self) { return g->key(g->at(self)); }, "64 bits of identity.")
      .def_prop_ro(
          "scratch_key", [g](nb::handle self) { return g->scratch_key(g->at(self)); },
          "The key computed anew, for tests of the incremental one.")
      .def_prop_ro(
          "text", [g](nb::handle self) { return g->text(g->at(self)); },
          "One line that `parse` reads back.")
      .def_prop_ro(
          "board", [g](nb::handle self) { return g->board(g->at(self)); },
          "The board in several lines, to be printed.")
      .def(
          "check", [g](nb::handle self) { return g->check(g->at(self)); },
          "What is unsound about this position; empty, always, unless there is a bug.")
      .def(
          "is_legal",
          [g](nb::handle self, std::int64_t move) {
            const void* at = g->at(self);
            return move >= 0 && move < 0xFFFF && g->rules->is_legal(at, static_cast<Move>(move)) &&
                   !g->rules->end_by_past(at, g->past(at));
          },
          "move"_a)
      .def(
          "play",
          [g](nb::handle self, std::int64_t move) {
            const void* at = g->at(self);
            return played_on(g, at, g->checked_move(at, move));
          },
          "move"_a, nb::sig("def play(self, move: int) -> Position"),
          "The position after a move, given as a number or as text.")
      .def(
          "play",
          [g](nb::handle self, const Text& text) {
            const void* at = g->at(self);
            return played_on(g, at, g->parse_move(at, plain(text)));
          },
          "move"_a, nb::sig("def play(self, move: str) -> Position"))
      .def(
          "move_text",
          [g](nb::handle self, std::int64_t move) {
            const void* at = g->at(self);
            const Move checked = g->checked_move(at, move);
            g->require_legal(at, checked);
            return g->rules->move_text(at, checked);
          },
          "move"_a, "A legal move as text.")
      .def(
          "parse_move",
          [g](nb::handle self, const Text& text) {
            const void* at = g->at(self);
            const Move move = g->parse_move(at, plain(text));
            g->require_legal(at, move);  // the past may have ended the game
            return index(move);
          },
          "text"_a, "The number of a legal move given as text.")
      .def(
          "svg",
          [g](nb::handle self) {
            static_cast<void>(g->at(self));
            return nb::cast<std::string>(
                nb::module_::import_("tempo.games.drawing").attr("svg")(self));
          },
          "The position as an SVG picture.")
      .def("_repr_svg_",
           [g](nb::handle self) {
             static_cast<void>(g->at(self));
             return nb::cast<std::string>(
                 nb::module_::import_("tempo.games.drawing").attr("shown")(self));
           })
      .def(
          "__eq__", [g](nb::handle a, nb::handle b) { return g->rules->equal(g->at(a), g->at(b)); },
          nb::is_operator(), nb::sig("def __eq__(self, arg: Position, /) -> bool"))
      .def("__hash__", [g](nb::handle self) { return g->key(g->at(self)); })
      .def("__str__", [g](nb::handle self) { return g->board(g->at(self)); })
      .def("__repr__", [g](nb::handle self) {
        const void* at = g->at(self);
        return "<" + g->spec(at) + " " + g->text(at) + ">";
      });

  if (game.view != nullptr) {
    position.def(
        "view",
        [g](nb::handle self, const nb::object& seat) {
          const void* at = g->at(self);
          return g->view(at, g->seat_of(seat, at));
        },
        "seat"_a, nb::sig("def view(self, seat: int | str) -> View"),
        "What a seat may know: all that its agent ever receives.");
    if (game.public_text != nullptr) {
      position.def_prop_ro(
          "public_text", [g](nb::handle self) { return g->public_text(g->at(self)); },
          "What everybody may know, in one line.");
    }
  } else {
    position.def(
        "view",
        [g](nb::handle self, const nb::object& seat) {
          const void* at = g->at(self);
          static_cast<void>(g->seat_of(seat, at));
          return g->made(at, g->past(at));
        },
        "seat"_a, nb::sig("def view(self, seat: int | str) -> Position"),
        "What a seat may know: everything, in an open game.");
  }
  if (game.transform != nullptr) {
    position
        .def(
            "transformed",
            [g](nb::handle self, int symmetry) {
              const void* at = g->at(self);
              checked_symmetry(symmetry, g->symmetries, g->rules->name);
              AnyPosition turned(*g->rules);
              turned.set(at);
              g->transform(at, symmetry, turned.get());
              return g->made(turned.get(), {});
            },
            "symmetry"_a, nb::sig("def transformed(self, symmetry: int) -> Position"),
            "The mirrored or turned position; symmetry 0 is the identity.")
        .def(
            "transformed_move",
            [g](nb::handle self, std::int64_t move, int symmetry) {
              const void* at = g->at(self);
              const Move checked = g->checked_move(at, move);
              checked_symmetry(symmetry, g->symmetries, g->rules->name);
              return index(g->transformed_move(at, checked, symmetry));
            },
            "move"_a, "symmetry"_a);
  }
  if (game.inputs != nullptr) {
    position.def(
        "features",
        [g](nb::handle self, const nb::object& seat) {
          const void* at = g->at(self);
          auto array = feature_array(g->inputs->shape(at));
          const Seat who = seat.is_none() ? g->rules->turn(at) : g->seat_of(seat, at);
          g->inputs->write(at, who, array.data());
          return array;
        },
        "seat"_a = nb::none(),
        nb::sig("def features(self, seat: int | str | None = None) -> "
                "numpy.typing.NDArray[numpy.float32]"),
        "[planes, rows, columns] as a seat sees it, by default the one to move.");
  }
}

void bind_making(nb::module_& m, const HeldGame& game) {
  const Table g = &game;
  m.def(
      "perft",
      [g](nb::handle position, int depth) {
        const void* at = g->at(position);
        checked_depth(depth, 0);
        const nb::gil_scoped_release release;
        return g->perft(at, depth);
      },
      "position"_a, "depth"_a, nb::sig("def perft(position: Position, depth: int) -> int"),
      "The number of move sequences of this length.");
  m.def(
      "divide",
      [g](nb::handle position, int depth) {
        const void* at = g->at(position);
        checked_depth(depth, 1);
        std::vector<Divided> parts;
        {
          const nb::gil_scoped_release release;
          parts = g->divide(at, depth);
        }
        nb::list rows;
        for (const auto& [move, count] : parts) {
          rows.append(nb::make_tuple(g->rules->move_text(at, move), count));
        }
        return rows;
      },
      "position"_a, "depth"_a,
      nb::sig("def divide(position: Position, depth: int) -> list[tuple[str, int]]"),
      "perft for each first move, to find a disagreement.");
}

}  // namespace tempo::bind
