// Binds Gomoku's playouts by rules of thumb and what they say of moves, the GIL released.
//
// Letters: M moves of a position.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "../games/gomoku/playouts.h"
#include "arrays.h"
#include "binding.h"
#include "played.h"
#include "search.h"

namespace tempo::bind {

namespace {

using At = Played<gomoku::Position>;
using gomoku::PlayedOut;
using gomoku::Tried;
using Numbers = std::vector<std::int64_t>;

void require_open(const At& at) {
  if (at.position.is_over()) throw IllegalMove("the game is over, so there is no move to try");
}

std::vector<Move> checked_moves(const At& at, const Numbers& numbers) {
  require_open(at);
  std::vector<Move> moves;
  for (const std::int64_t number : numbers) {
    moves.push_back(checked_move<gomoku::Position>(at.position, number));
    at.require_legal(moves.back());
  }
  return moves;
}

std::vector<int> as_numbers(const gomoku::Position::Moves& moves) {
  std::vector<int> numbers;
  for (const Move move : moves) numbers.push_back(index(move));
  return numbers;
}

std::vector<int> candidates(const At& at, int radius) {
  require_open(at);
  if (radius < 1 || radius > gomoku::Position::margin) {
    throw ParseError("a radius of " + std::to_string(radius) + "; expected 1 to 4");
  }
  gomoku::Position::Moves moves;
  gomoku::near_moves(at.position, radius, moves);
  return as_numbers(moves);
}

nb::tuple named(const At& at) {
  require_open(at);
  constexpr const char* names[] = {"complete", "block", "extend", "hinder", "any"};
  const PlayedOut position(at.position);
  const PlayedOut::Named found = position.named();
  std::vector<int> points;
  if (found.points == nullptr) {
    gomoku::Position::Moves moves;
    at.position.legal_moves(moves);
    points = as_numbers(moves);
  } else {
    const int size = position.size();
    found.points->each([&](int x, int y) { points.push_back(y * size + x); });
  }
  return nb::make_tuple(names[static_cast<int>(found.rule)], points);
}

std::vector<int> play_out(const At& at, std::uint64_t seed) {
  std::vector<int> moves;
  PlayedOut game(at.position);
  Random random(seed);
  while (!game.is_over()) {
    const Move move = game.random_move(random);
    game.play(move);
    moves.push_back(index(move));
  }
  return moves;
}

// (rewards [M], positions)
nb::tuple as_arrays(const std::vector<Tried>& tried) {
  auto rewards = new_array<double>({tried.size()});
  std::int64_t positions = 0;
  for (std::size_t i = 0; i < tried.size(); ++i) {
    rewards.data()[i] = tried[i].reward;
    positions += tried[i].positions;
  }
  return nb::make_tuple(rewards, positions);
}

nb::tuple by_playouts(const At& at, const Numbers& numbers, std::int64_t playouts,
                      std::uint64_t seed, int threads) {
  if (playouts < 1) throw ParseError(std::to_string(playouts) + " playouts; expected 1 or more");
  if (threads < 1) throw ParseError(std::to_string(threads) + " threads; expected 1 or more");
  const std::vector<Move> moves = checked_moves(at, numbers);
  std::vector<Tried> tried;
  {
    const nb::gil_scoped_release release;
    Pool pool(threads);
    tried = gomoku::try_playouts(at.position, moves, playouts, seed, pool);
  }
  return as_arrays(tried);
}

nb::tuple by_trees(const At& at, const Numbers& numbers, const MonteCarloSettings& settings) {
  require_sound(settings);
  const std::vector<Move> moves = checked_moves(at, numbers);
  std::vector<Tried> tried;
  {
    const nb::gil_scoped_release release;
    Pool pool(settings.threads);
    tried = gomoku::try_trees(at.position, moves, settings, pool);
  }
  return as_arrays(tried);
}

Found search(const At& at, const MonteCarloSettings& settings) {
  return {MonteCarlo<PlayedOut>(settings).search(PlayedOut(at.position)), 2};
}

#define TEMPO_POSITION "position: tempo._core.gomoku.Position"
#define TEMPO_TRIED "tuple[numpy.typing.NDArray[numpy.float64], int]"

const Binding bind_gomoku_playouts("gomoku_playouts", [](nb::module_& core) {
  auto m = core.def_submodule("gomoku_playouts", "Gomoku played out by rules of thumb.");
  m.def("candidates", &candidates, "position"_a, "radius"_a = PlayedOut::radius,
        nb::sig("def candidates(" TEMPO_POSITION ", radius: int = 2) -> list[int]"),
        "The empty points so near to a stone; all points of an empty board.");
  m.def("named", &named, "position"_a,
        nb::sig("def named(" TEMPO_POSITION ") -> tuple[str, list[int]]"),
        "The rule by which a playout goes on (complete, block, extend, hinder or any) and the "
        "points of which it draws one.");
  m.def("play_out", &play_out, "position"_a, "seed"_a, nb::call_guard<nb::gil_scoped_release>(),
        nb::sig("def play_out(" TEMPO_POSITION ", seed: int) -> list[int]"),
        "The moves of one playout to the end of the game.");
  m.def("by_playouts", &by_playouts, "position"_a, "moves"_a, "playouts"_a, "seed"_a,
        "threads"_a = 1,
        nb::sig("def by_playouts(" TEMPO_POSITION
                ", moves: collections.abc.Sequence[int], playouts: int, seed: int, "
                "threads: int = 1) -> " TEMPO_TRIED),
        "[M] the share of the playouts after each move that the mover wins, and positions "
        "visited. Each move draws from a stream of its own.");
  m.def("by_trees", &by_trees, "position"_a, "moves"_a, "settings"_a,
        nb::sig("def by_trees(" TEMPO_POSITION ", moves: collections.abc.Sequence[int], "
                "settings: tempo._core.MonteCarloSettings) -> " TEMPO_TRIED),
        "[M] the mover's mean reward in a tree grown after each move, with playouts by the rules, "
        "and positions visited. The budget is that of each tree.");
  m.def("search", &search, "position"_a, "settings"_a, nb::call_guard<nb::gil_scoped_release>(),
        nb::sig("def search(" TEMPO_POSITION
                ", settings: tempo._core.MonteCarloSettings) -> tempo._core.SearchResult"),
        "One tree from the position itself.");
});

}  // namespace
}  // namespace tempo::bind
