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
#include "../learning/searched_games.h"
#include "../nets/packed.h"
#include "../search/perft.h"
#include "batch.h"
#include "guard.h"
#include "held_game.h"
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

template <HasFeatures P>
HeldInputs held_inputs() {
  HeldInputs inputs{};
  inputs.shape = [](const void* at) { return Features<P>::shape(as<P>(at).options()); };
  inputs.write = [](const void* at, Seat seat, float* out) {
    write_features(as<P>(at), seat, out);
  };
  if constexpr (PackedFeatures<P>) {
    inputs.packed_bytes = [](const void* at) { return packed_bytes<P>(as<P>(at).options()); };
    inputs.pack = [](const void* at, std::uint8_t* out) {
      static thread_local std::vector<float> scratch;
      pack_features(as<P>(at), as<P>(at).turn(), scratch, out);
    };
  }
  if constexpr (HasTerms<P>) {
    inputs.terms = static_cast<std::size_t>(Terms<P>::count);
    inputs.write_terms = [](const void* at, float* out) { Terms<P>::write(as<P>(at), out); };
  }
  if constexpr (HasPackedInputs<P>) {
    inputs.input_bytes = [](const void* at) { return PackedInputs<P>::bytes(as<P>(at).options()); };
    inputs.write_input = [](const void* at, std::uint8_t* out) {
      PackedInputs<P>::write(as<P>(at), no_move, out);
    };
  }
  return inputs;
}

// What positions say of themselves.
template <Game P>
void fill_positions(HeldGame& game) {
  using At = Played<P>;
  game.type = [] { return nb::type<At>(); };
  game.past = [](const void* at) -> const History& { return static_cast<const At*>(at)->past; };
  game.make = [](void* room, const void* position, const History& past) {
    new (room) At{as<P>(position), past};
  };
  game.legal_moves = [](const void* at) {
    return nb::cast(static_cast<const At*>(at)->legal_moves());
  };
  game.is_over = [](const void* at) { return static_cast<const At*>(at)->is_over(); };
  game.options = [](const void* at) { return nb::cast(as<P>(at).options()); };
  game.same_options = [](const void* a, const void* b) {
    return as<P>(a).options() == as<P>(b).options();
  };
  game.spec = [](const void* at) { return game_spec(P::name, as<P>(at).options()); };
  game.seat_name = [](const void* at, Seat seat) {
    return seat_name<P>(as<P>(at).options(), seat);
  };
  game.key = [](const void* at) { return as<P>(at).key(); };
  game.scratch_key = [](const void* at) { return as<P>(at).scratch_key(); };
  game.text = [](const void* at) { return as<P>(at).text(); };
  game.board = [](const void* at) { return as<P>(at).board(); };
  game.check = [](const void* at) { return as<P>(at).check(); };
  game.parse_move = [](const void* at, std::string_view text) {
    return as<P>(at).parse_move(text);
  };
  game.perft = [](const void* at, int depth) { return perft(as<P>(at), depth); };
  game.divide = [](const void* at, int depth) { return divide(as<P>(at), depth); };
}

template <Game P>
HeldGame held_game() {
  HeldGame game{};
  game.rules = &any_game<P>;
  fill_positions<P>(game);
  using Listed = LegalMoves<P>;
  game.moves_size = [](const void* moves) { return static_cast<const Listed*>(moves)->size(); };
  game.moves_at = [](const void* moves, int i) { return (*static_cast<const Listed*>(moves))[i]; };
  game.moves_list = [](const void* moves) {
    const auto& list = static_cast<const Listed*>(moves)->list();
    return std::span<const Move>(list.begin(), static_cast<std::size_t>(list.size()));
  };
  game.moves_position = [](const void* moves) -> const void* {
    return &static_cast<const Listed*>(moves)->position();
  };
  if constexpr (Hidden<P>) {
    game.view = [](const void* at, Seat seat) { return nb::cast(as<P>(at).view(seat)); };
    if constexpr (requires(const P& c) { c.public_text(); }) {
      game.public_text = [](const void* at) { return as<P>(at).public_text(); };
    }
  }
  game.symmetries = 1;
  if constexpr (Symmetric<P>) {
    game.symmetries = P::symmetries;
    game.transform = [](const void* at, int symmetry, void* to) {
      as<P>(to) = as<P>(at).transformed(symmetry);
    };
    game.transformed_move = [](const void* at, Move move, int symmetry) {
      return as<P>(at).transformed_move(move, symmetry);
    };
  }
  if constexpr (HasFeatures<P>) {
    static const HeldInputs inputs = held_inputs<P>();
    game.inputs = &inputs;
    game.trees = &tree_game<P>;
    game.search_games = [](const Standings& roots, HeldEvaluator& evaluator,
                           const AlphaBetaSettings& settings, Pool& pool) {
      return search_games<P>(roots, static_cast<AnyEvaluator<P>&>(evaluator), settings, pool);
    };
  }
  return game;
}

int checked_symmetry(int symmetry, int symmetries, std::string_view game);
template <Symmetric P>
int checked_symmetry(int symmetry) {
  return checked_symmetry(symmetry, P::symmetries, P::name);
}

int checked_depth(int depth, int least);  // of perft

// Functions of the module that make positions.
template <Game P>
[[gnu::cold]] void bind_starts(nb::module_& m) {
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
}

// What networks in integers are told of the game's features.
template <HasPackedInputs P>
void bind_network_features(nb::module_& m) {
  if constexpr (HasSparseFeatures<P>) {
    using F = SparseFeatures<P>;
    m.def(
        "sparse_features",
        [] {
          return nb::make_tuple(nb::str(F::version.data(), F::version.size()), int{F::count},
                                int{F::most}, int{F::kinds});
        },
        nb::sig("def sparse_features() -> tuple[str, int, int, int]"),
        "The features of incremental networks: their version and number, how many are active at "
        "most, and how many differ in more than where a king stands.");
  } else if constexpr (HasLines<P>) {
    const std::string_view version = LineBoard<P>::version;
    m.attr("line_board") = nb::str(version.data(), version.size());
  }
}

// Everything that any game has. Returns nothing: the module holds it.
template <Game P>
[[gnu::cold]] void bind_game(nb::module_& m) {
  static HeldGame game = held_game<P>();
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
  m.attr("symmetries") = game.symmetries;
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
  game.moves_class =
      nb::class_<LegalMoves<P>>(m, "Moves", "The legal moves of a position, in their fixed order.");
  bind_moves(game);
  if constexpr (Hidden<P>) bind_view<P>(m);
  game.position_class = nb::class_<Played<P>>(
      m, "Position",
      "One moment of a game, with the past that its rules need. A value: playing a move "
      "gives a new one.");
  bind_position(game);
  bind_starts<P>(m);
  bind_making(m, game);
  bind_batches<P>(m, game);
  if constexpr (HasFeatures<P>) {
    bind_search<P>(m, game);
    bind_experience(game);
    if constexpr (HasPackedInputs<P>) bind_network_features<P>(m);
  }
}

}  // namespace tempo::bind
