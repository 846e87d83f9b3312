// Endings of chess: their positions by number, the graph of moves, exact tables.
#include "../games/chess/rules.h"
#include "../stop.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "../games/chess/endings/family.h"
#include "../games/chess/endings/features.h"
#include "arrays.h"
#include "binding.h"
#include "chess_endings.h"
#include "played.h"

using namespace nanobind::literals;

namespace tempo::bind {

namespace {

using endings::Material;
using endings::Place;

At position_of(const Place& place) { return {chess::Position::of(place.board, place.turn), {}}; }

Number number_of(const Family& family, const chess::Position& position) {
  const Number found = family.number_of(position.pieces(), position.colour());
  if (found != endings::none) return found;
  throw ParseError("not a position of " + family.material().name() +
                   " or of what it can become: " + position.text());
}

// One byte for each position, computed with the GIL released.
template <class T = std::uint8_t, class Function>
Array<T> bytes_by_number(const Family& family, int threads, Function function) {
  auto array = new_array<T>({at(family.size())});
  const nb::gil_scoped_release released;
  Pool pool(threads);
  pool.run(
      family.size(),
      [&](std::int64_t n) {
        const auto number = static_cast<Number>(n);
        array.data()[n] = static_cast<T>(function(family, number));
      },
      4096);
  return array;
}

std::pair<Array<std::int64_t>, Array<Number>> graph(const Family& family, int threads) {
  Family::Graph made;
  {
    const nb::gil_scoped_release released;
    Pool pool(threads);
    made = family.graph(pool);
  }
  const auto moves = static_cast<std::size_t>(made.offsets.back());
  return {handed_over(std::move(made.offsets)), handed_over(std::move(made.successors), moves)};
}

// [n, 4]: White's king, Black's king, the other pieces in the order of the member's name; -1 for
// none.
Array<std::int8_t> squares(const Family& family) {
  auto array = new_array<std::int8_t>({at(family.size()), 4});
  const nb::gil_scoped_release released;
  std::fill_n(array.data() + 4 * at(family.dead()), 4, std::int8_t{-1});
  StopPoll poll;
  for (const Family::Member& member : family.members()) {
    const Material& material = member.space->material();
    for (Number n = 0; n < member.space->size(); ++n) {
      poll.check();
      const chess::Board board = member.space->place(n).board;
      std::int8_t* row = array.data() + 4 * at(member.begin + n);
      row[0] = static_cast<std::int8_t>(board.king_of(chess::white));
      row[1] = static_cast<std::int8_t>(board.king_of(chess::black));
      row[2] = row[3] = -1;
      for (int i = 0; i < material.size(); ++i) {
        const chess::Bitboard set = board.of(material[i].colour, material[i].kind);
        // Of twins the second stands higher.
        const bool second = i == 1 && material.twins();
        row[2 + i] = static_cast<std::int8_t>(chess::nth(set, second ? 1 : 0));
      }
    }
  }
  return array;
}

// How a position ended, for seat 0: 0 not yet, 1 won, 2 lost, 3 drawn.
std::int8_t end_of(const Family& family, Number number, std::uint8_t flags) {
  if (flags != endings::mate) return flags == 0 ? 0 : 3;
  return family.turn(number) == chess::white ? 2 : 1;
}

// planes [m, P] and globals [m, G] of m positions, the i-th of which is number_at(i); see
// endings/features.h. Zeros for `dead`.
template <class Function>
nb::tuple features(const Family& family, std::size_t count, int threads, Function number_at) {
  const auto kinds = endings::kinds_of(family);
  const std::size_t width = 4 * kinds.size();
  auto planes = new_array<std::uint64_t>({count, width});
  auto numbers = new_array<float>({count, endings::global_count});
  {
    const nb::gil_scoped_release released;
    Pool pool(threads);
    pool.run(
        static_cast<std::int64_t>(count),
        [&](std::int64_t i) {
          auto* sets = planes.data() + static_cast<std::size_t>(i) * width;
          auto* globals = numbers.data() + i * endings::global_count;
          const Number number = number_at(i);
          if (number == family.dead()) {
            std::fill_n(sets, width, std::uint64_t{0});
            std::fill_n(globals, endings::global_count, 0.0F);
          } else {
            endings::write_features(family.place(number), kinds, sets, globals);
          }
        },
        4096);
  }
  return nb::make_tuple(planes, numbers);
}

// Numbers that a caller gave, `dead` among them if he likes.
std::vector<Number> checked_numbers(const Family& family, const AnyInput<1>& given) {
  std::vector<Number> numbers = whole_numbers(given, "numbers");
  for (const Number number : numbers) {
    if (number != family.dead()) checked(family, number);
  }
  return numbers;
}

// A part of the graph: offsets [m + 1] and successors of m numbers, and how they ended [m].
nb::tuple successors_of(const Family& family, const AnyInput<1>& given) {
  const auto numbers = checked_numbers(family, given);
  std::vector<std::int64_t> offsets{0};
  std::vector<Number> successors;
  std::vector<std::int8_t> ends;
  {
    const nb::gil_scoped_release released;
    StopPoll poll(256);  // a few are always found
    for (const Number number : numbers) {
      poll.check();
      const auto flags =
          family.visit_successors(number, [&](Number next) { successors.push_back(next); });
      offsets.push_back(static_cast<std::int64_t>(successors.size()));
      ends.push_back(end_of(family, number, flags));
    }
  }
  return nb::make_tuple(handed_over(std::move(offsets)), handed_over(std::move(successors)),
                        handed_over(std::move(ends)));
}

void bind_family(nb::module_& m) {
  m.attr("MATE") = int{endings::mate};
  m.attr("STALEMATE") = int{endings::stalemate};
  m.attr("INSUFFICIENT") = int{endings::insufficient};
  nb::class_<Family>(m, "Family",
                     "An ending and every ending that it can become, all legal positions in one "
                     "numbering; positions that mirror each other share a number.")
      .def(
          "__init__",
          [](Family* self, const Text& name) {
            const Material material = Material::parse(plain(name));
            const nb::gil_scoped_release released;
            new (self) Family(material);
          },
          "name"_a)
      .def_prop_ro("name", [](const Family& f) { return f.material().name(); })
      .def(
          "__len__", [](const Family& f) { return f.size(); }, "How many numbers, `dead` included.")
      .def_prop_ro(
          "dead", [](const Family& f) { return f.dead(); },
          "The last number: all positions with which nobody can mate, a draw at once.")
      .def_prop_ro(
          "members",
          [](const Family& f) {
            std::vector<std::tuple<std::string, Number, Number>> rows;
            for (const auto& member : f.members())
              rows.emplace_back(member.space->material().name(), member.begin, member.end());
            return rows;
          },
          "Name, first number and the number after the last, the ending itself first.")
      .def(
          "number", [](const Family& f, const At& at) { return number_of(f, at.position); },
          "position"_a, "The number of a position in any orientation.")
      .def(
          "numbers",
          [](const Family& f, const std::vector<Text>& texts) {
            auto array = new_array<Number>({texts.size()});
            for (std::size_t i = 0; i < texts.size(); ++i)
              array.data()[i] = number_of(f, chess::Position::parse(plain(texts[i])));
            return array;
          },
          "texts"_a,
          nb::sig("def numbers(self, texts: list[str]) -> "
                  "numpy.typing.NDArray[numpy.int32]"),
          "The numbers of positions given as FEN.")
      .def(
          "position",
          [](const Family& f, Number number) { return position_of(f.place(checked(f, number))); },
          "number"_a, "The position of a number, in its standard orientation.")
      .def(
          "texts",
          [](const Family& f, const AnyInput<1>& numbers) {
            std::vector<std::string> texts;
            for (const Number number : whole_numbers(numbers, "numbers"))
              texts.push_back(position_of(f.place(checked(f, number))).position.text());
            return texts;
          },
          "numbers"_a,
          nb::sig("def texts(self, numbers: numpy.typing.NDArray[numpy.int32] | "
                  "numpy.typing.NDArray[numpy.int64]) -> list[str]"),
          "The positions of numbers as FEN.")
      .def(
          "turns",
          [](const Family& f) {
            return bytes_by_number(f, 1,
                                   [](const Family& family, Number n) { return family.turn(n); });
          },
          nb::sig("def turns(self) -> numpy.typing.NDArray[numpy.uint8]"), "[n] the seat to move.")
      .def(
          "orbits",
          [](const Family& f) {
            return bytes_by_number(f, 1,
                                   [](const Family& family, Number n) { return family.orbit(n); });
          },
          nb::sig("def orbits(self) -> numpy.typing.NDArray[numpy.uint8]"),
          "[n] how many positions share the number; 0 for `dead`, which no average should count.")
      .def(
          "flags",
          [](const Family& f, int threads) {
            return bytes_by_number(f, threads,
                                   [](const Family& family, Number n) { return family.flags(n); });
          },
          "threads"_a = 1,
          nb::sig("def flags(self, threads: int = 1) -> numpy.typing.NDArray[numpy.uint8]"),
          "[n] MATE, STALEMATE, INSUFFICIENT, or 0 where there are moves.")
      .def(
          "ends",
          [](const Family& f, int threads) {
            return bytes_by_number<std::int8_t>(f, threads, [](const Family& family, Number n) {
              return end_of(family, n, family.flags(n));
            });
          },
          "threads"_a = 1,
          nb::sig("def ends(self, threads: int = 1) -> numpy.typing.NDArray[numpy.int8]"),
          "[n] how it ended, for seat 0: 0 not yet, 1 won, 2 lost, 3 drawn.")
      .def("squares", &squares, nb::sig("def squares(self) -> numpy.typing.NDArray[numpy.int8]"),
           "[n, 4] White's king, Black's king, the other pieces in the order of the member's name; "
           "-1 for none. En passant does not show: read texts for that.")
      .def(
          "features",
          [](const Family& f, int threads) {
            return features(f, at(f.size()), threads,
                            [](std::int64_t i) { return static_cast<Number>(i); });
          },
          "threads"_a = 1,
          nb::sig("def features(self, threads: int = 1) -> "
                  "tuple[numpy.typing.NDArray[numpy.uint64], numpy.typing.NDArray[numpy.float32]]"),
          "planes [n, P]: sets of squares, for each kind of piece where White's and Black's stand "
          "and can go; numbers [n, 6]: turn, check, piece counts, the kings' distance, 1.")
      .def(
          "features_of",
          [](const Family& f, const AnyInput<1>& given) {
            const auto numbers = checked_numbers(f, given);
            return features(f, numbers.size(), 1,
                            [&](std::int64_t i) { return numbers[static_cast<std::size_t>(i)]; });
          },
          "numbers"_a,
          nb::sig("def features_of(self, numbers: numpy.typing.NDArray[numpy.int32] | "
                  "numpy.typing.NDArray[numpy.int64]) -> "
                  "tuple[numpy.typing.NDArray[numpy.uint64], numpy.typing.NDArray[numpy.float32]]"),
          "planes [m, P] and numbers [m, 6] of some positions, as `features` has them.")
      .def("successors_of", &successors_of, "numbers"_a,
           nb::sig("def successors_of(self, numbers: numpy.typing.NDArray[numpy.int32] | "
                   "numpy.typing.NDArray[numpy.int64]) -> "
                   "tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int32], "
                   "numpy.typing.NDArray[numpy.int8]]"),
           "offsets [m + 1] and successors of some positions, and how each ended [m], as `graph` "
           "and `ends` have them.")
      .def(
          "graph", &graph, "threads"_a = 1,
          nb::sig("def graph(self, threads: int = 1) -> tuple[numpy.typing.NDArray[numpy.int64], "
                  "numpy.typing.NDArray[numpy.int32]]"),
          "offsets [n + 1] and successors: those of number i are successors[offsets[i]:offsets[i + "
          "1]], one for each legal move of position(i) in their order.");
}

const Binding bind_chess_endings("chess_endings", [](nb::module_& core) {
  auto m = core.def_submodule("endings", "Endings of chess with at most four pieces.");
  bind_family(m);
  bind_tables(m);
});

}  // namespace
}  // namespace tempo::bind
