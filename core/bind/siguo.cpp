#include "../games/siguo/rules.h"

#include "../games/siguo/belief.h"
#include "../games/siguo/evaluation.h"
#include "../games/siguo/features.h"
#include "binding.h"
#include "game.h"

namespace {

namespace nb = nanobind;
using namespace nb::literals;
using namespace tempo::siguo;
using At = tempo::bind::Played<Position>;

// A station by name.
int station_in(const tempo::bind::Text& given) {
  const std::string_view text = tempo::bind::plain(given);
  const auto [station, letters] = read_station(text);
  if (letters == text.size() && letters > 0) return station;
  throw tempo::ParseError("'" + std::string(text) + "' is no station; S11 to W65 and C1 to C9 are");
}

// Every edge as (a, b, 'R' or 'r'), ascending.
nb::list edges(const Options& options) {
  const Board& board = boards[at(options.board())];
  nb::list list;
  for (int a = 0; a < stations; ++a)
    for (int b = a + 1; b < stations; ++b)
      if (board.step[at(a)].has(b))
        list.append(nb::make_tuple(a, b, board.rail[at(a)].has(b) ? "R" : "r"));
  return list;
}

Position of_setups(const std::vector<tempo::bind::Text>& given, const Options& options) {
  std::vector<std::string> setups;
  for (const auto& text : given) setups.emplace_back(tempo::bind::plain(text));
  if (setups.size() != 4) throw tempo::ParseError("expected four setups, of S, E, N and W");
  return Position::parse("S=" + setups[0] + " E=" + setups[1] + " N=" + setups[2] +
                             " W=" + setups[3] + " turn=" + seat_letters[at(options.first)],
                         options);
}

void bind_board(nb::module_& m) {
  m.attr("stations") = int{stations};
  m.def(
      "station_text",
      [](int station) {
        if (station < 0 || station >= stations) throw tempo::ParseError("stations are 0 to 128");
        return station_text(station);
      },
      "station"_a, "The name of a station.");
  m.def("station", &station_in, "text"_a, "The number of a station.");
  m.def(
      "place",
      [](int station) {
        if (station < 0 || station >= stations) throw tempo::ParseError("stations are 0 to 128");
        const auto [x, y] = place_of(station);
        return nb::make_tuple(x, y);
      },
      "station"_a, nb::sig("def place(station: int) -> tuple[int, int]"),
      "Where a station is drawn: column from the west and row from the north, both 0 to 16.");
  m.def(
      "turned",
      [](int station, int turns) {
        if (station < 0 || station >= stations || turns < 0 || turns > 3)
          throw tempo::ParseError("a station is 0 to 128, and turns are 0 to 3");
        return turned(station, turns);
      },
      "station"_a, "turns"_a, "Where quarter turns take a station; one takes south to east.");
  m.def("edges", &edges, "options"_a,
        nb::sig("def edges(options: Options) -> list[tuple[int, int, str]]"),
        "Roads (r) and railways (R) between stations.");
  m.def(
      "lines",
      [](const Options& options) {
        std::vector<std::vector<int>> all;
        for (const Line& line : boards[at(options.board())].lines)
          all.emplace_back(line.begin(), line.end());
        return all;
      },
      "options"_a, "The railway lines along which pieces run.");
}

void bind_setups(nb::module_& m) {
  m.def(
      "sound_setups",
      [] {
        return std::vector<std::string>(std::begin(sound_deployments), std::end(sound_deployments));
      },
      "Ways to deploy that make sense, by hand.");
  m.def(
      "setup_fault",
      [](const tempo::bind::Text& text, const Options& options) {
        try {
          return deployment_fault(read_deployment(tempo::bind::plain(text)),
                                  options.one_headquarters());
        } catch (const tempo::ParseError& fault) {
          return std::string(fault.what());
        }
      },
      "setup"_a, "options"_a, "What is wrong with a setup; empty when it is legal.");
  m.def(
      "of_setups",
      [](const std::vector<tempo::bind::Text>& setups, const Options& options) {
        return At{of_setups(setups, options), {}};
      },
      "setups"_a, "options"_a, "The start with these setups of S, E, N and W.");
}

// A source of random numbers that Python gives, such as secrets.randbelow.
std::uint64_t number_below(const nb::callable& below, std::uint64_t bound) {
  std::uint64_t number = bound;
  if (nb::try_cast(below(bound), number) && number < bound) return number;
  throw tempo::ParseError("below(n) gives a whole number from 0 to n - 1");
}

void bind_drawn_setups(nb::module_& m) {
  m.attr("setup_draws") = int{setup_draws};
  m.attr("plain_share") = int{plain_share};
  m.def(
      "setups", [](const Options& options) { return deployments(options.one_headquarters()); },
      "options"_a, "How many setups are legal.");
  m.def(
      "setup_number",
      [](std::uint64_t number, const Options& options) {
        if (number >= deployments(options.one_headquarters()))
          throw tempo::ParseError("setups are numbered from 0 to setups(options) - 1");
        return deployment_text(deployment_of(number, options.one_headquarters()));
      },
      "number"_a, "options"_a, "A legal setup by its number.");
  m.def(
      "setup_worth",
      [](const tempo::bind::Text& text) {
        return worth_of(read_deployment(tempo::bind::plain(text)));
      },
      "setup"_a, "How well a setup does by learnt worths: thousandths of a game's score.");
  m.def(
      "draw_setup",
      [](const Options& options, const nb::callable& below) {
        return deployment_text(draw_learned(options.one_headquarters(), [&](std::uint64_t bound) {
          return number_below(below, bound);
        }));
      },
      "options"_a, "below"_a,
      nb::sig("def draw_setup(options: Options, below: collections.abc.Callable[[int], int]) -> "
              "str"),
      "A good setup that tells little: the best of `setup_draws` uniform ones by its worth, or, "
      "once in `plain_share`, any. `below(n)` gives random numbers, as secrets.randbelow does.");
}

void bind_more(nb::module_& m) {
  nb::borrow<nb::class_<At>>(m.attr("Position"))
      .def(
          "noted_text",
          [](const At& at, std::int64_t move) {
            const tempo::Move checked = tempo::bind::checked_move<Position>(at.position, move);
            at.require_legal(checked);
            return at.position.noted_text(checked);
          },
          "move"_a, "A move with its result and notes, as records have it: S51xW55- !S62.")
      .def(
          "resign",
          [](const At& at, const nb::object& seat) {
            At next = at;
            next.position.resign(tempo::bind::seat_of<Position>(seat));
            return next;
          },
          "seat"_a, nb::sig("def resign(self, seat: int | str) -> Position"),
          "The position after a seat gave up, at the table and out of turn.")
      .def(
          "setup",
          [](const At& at, const nb::object& seat) {
            const int own = index(tempo::bind::seat_of<Position>(seat));
            return deployment_text({at.position.all_kinds().data() + slots * own, slots});
          },
          "seat"_a, nb::sig("def setup(self, seat: int | str) -> str"), "How a seat was deployed.")
      .def(
          "targets",
          [](const At& at, const tempo::bind::Text& text) {
            const int from = station_in(text);
            std::vector<std::string> names;
            Moves moves;
            at.position.legal_moves(moves);
            for (const tempo::Move move : moves)
              if (move != pass_move && from_of(move) == from)
                names.push_back(station_text(to_of(move)));
            return names;
          },
          "station"_a, "Where the piece of the seat to move that stands there may go.")
      .def_prop_ro(
          "ply", [](const At& at) { return at.position.public_state().ply(); }, "Plies so far.")
      .def_prop_ro(
          "quiet", [](const At& at) { return at.position.public_state().quiet(); },
          "Plies since a piece left the board.")
      .def_prop_ro(
          "in_play",
          [](const At& at) {
            std::vector<bool> seats;
            for (int seat = 0; seat < 4; ++seat)
              seats.push_back(at.position.public_state().in_play(seat));
            return seats;
          },
          "Which seats are still in the game.");
}

// A piece by its home.
int piece_in(const tempo::bind::Text& home) {
  const int piece = residents[at(station_in(home))];
  if (piece != none) return piece;
  throw tempo::ParseError("no piece was deployed on " + home.string());
}

std::string letters(KindSet set) {
  std::string text;
  for (int kind = 0; kind < kinds; ++kind)
    if ((set >> kind & 1) != 0) text += kind_letters[at(kind)];
  return text;
}

void bind_belief(nb::module_& m) {
  nb::class_<Belief>(m, "Belief",
                     "What follows from a view: what each piece may be, and how likely that is.")
      .def(nb::init<const View&, std::uint64_t, int, std::int64_t>(), "view"_a, "seed"_a = 1,
           "draws"_a = Belief::default_draws, "limit"_a = Belief::count_limit,
           nb::call_guard<nb::gil_scoped_release>())
      .def(
          "candidates",
          [](const Belief& b, const tempo::bind::Text& home) {
            return letters(b.candidates(piece_in(home)));
          },
          "home"_a,
          "The kinds that the piece deployed there has in some determinization, as letters.")
      .def(
          "chances",
          [](const Belief& b) {
            auto array = tempo::bind::new_array<float>({at(pieces), at(kinds)});
            for (int piece = 0; piece < pieces; ++piece)
              std::copy_n(b.chances(piece).data(), kinds, array.data() + kinds * piece);
            return array;
          },
          nb::sig("def chances(self) -> numpy.typing.NDArray[numpy.float32]"),
          "[100, 12] the chance of each kind for each piece, by seat and home.")
      .def_prop_ro("is_exact", &Belief::is_exact, "Whether the chances are counted, not drawn.")
      .def_prop_ro("error", &Belief::error, "One standard error of a chance at worst; 0 if exact.")
      .def_prop_ro("determinizations", &Belief::determinizations,
                   "The number of determinizations; an estimate unless exact.");
  nb::borrow<nb::class_<View>>(m.attr("View"))
      .def(
          "possible",
          [](const View& v, const tempo::bind::Text& home) {
            return letters(Puzzle(v).possible(piece_in(home)));
          },
          "home"_a,
          "The kinds that quick deduction leaves to the piece deployed there, as letters.");
}

}  // namespace

namespace tempo::bind {
namespace {

const Binding bind_siguo("siguo", [](nb::module_& core) {
  auto m = core.def_submodule("siguo", "Siguo, four-player military chess.");
  bind_game<siguo::Position>(m);
  bind_board(m);
  bind_setups(m);
  bind_drawn_setups(m);
  bind_more(m);
  bind_belief(m);
});

}  // namespace
}  // namespace tempo::bind
