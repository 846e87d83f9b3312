// Binds what places stones in Jiu and what fights its battles, for whole batches of boards.
//
// Letters: B boards, P points of a board (jiu_boards.h).
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../games/jiu/blocks.h"
#include "../games/jiu/engines.h"
#include "../games/jiu/expert.h"
#include "../games/jiu/rules.h"
#include "../stop.h"
#include "arrays.h"
#include "binding.h"
#include "guard.h"
#include "jiu_boards.h"
#include "played.h"

namespace tempo::bind {

namespace {

using namespace nb::literals;
using jiu::Ground;
using At = Played<jiu::Position>;
using Seeds = Input<std::uint64_t, 1>;

using PlacerWeights = std::optional<Input<double, 1>>;

// The expert's weights; by priority where none are given.
jiu::ExpertWeights weights_of(const PlacerWeights& given) {
  if (!given) return jiu::by_priority;
  if (given->size() != jiu::ExpertWeights::count) {
    throw ParseError("weights has " + number(given->size()) + " entries; the expert has " +
                     std::to_string(jiu::ExpertWeights::count));
  }
  require_finite(*given, "weights");
  std::array<double, jiu::ExpertWeights::count> all;
  std::copy_n(given->data(), all.size(), all.begin());
  return std::bit_cast<jiu::ExpertWeights>(all);
}

Array<double> expert_weights(const Text& given) {
  const std::string name = given.string();
  if (name != "priority" && name != "score") {
    throw ParseError("the expert chooses by priority or by score, not by '" + name + "'");
  }
  const auto all = std::bit_cast<std::array<double, jiu::ExpertWeights::count>>(
      name == "priority" ? jiu::by_priority : jiu::by_score);
  auto weights = new_array<double>({all.size()});
  std::copy(all.begin(), all.end(), weights.data());
  return weights;
}

Array<std::int32_t> pick(const Input<double, 2>& scores, double temperature, const Seeds& seeds,
                         int placed) {
  const std::size_t rows = scores.shape(0);
  const std::size_t points = scores.shape(1);
  const int size = side_of(points);
  check_length(seeds, static_cast<int>(rows), "seeds");
  auto chosen = new_array<std::int32_t>({rows});
  for (std::size_t b = 0; b < rows; ++b) {
    Random random(seeds.data()[b], static_cast<std::uint64_t>(placed));
    const int point = jiu::pick({scores.data() + b * points, points}, size, temperature, random);
    if (point < 0) throw ParseError("board " + number(b) + " has no point to choose");
    chosen.data()[b] = point;
  }
  return chosen;
}

Array<double> expert_scores(const jiu::Options& options, const Boards& boards, int seat,
                            const Boards& allowed, const PlacerWeights& weights, int threads) {
  check_seat(seat);
  const Ground ground(options);
  check_boards(boards, ground.count(), 2, "boards");
  check_boards(allowed, ground.count(), 1, "allowed");
  check_length(allowed, static_cast<int>(boards.shape(0)), "allowed");
  const jiu::Expert expert(ground, weights_of(weights));
  const std::size_t points = at(ground.count());
  auto scores = new_array<double>({boards.shape(0), points});
  each_row(boards.shape(0), threads, 64, [&](std::size_t b) {
    jiu::Board may;
    for (std::size_t point = 0; point < points; ++point) {
      if (allowed.data()[b * points + point] != 0) may.add(ground.cell(static_cast<int>(point)));
    }
    expert.score(jiu::stones_of(ground, boards.data() + b * points, seat), may,
                 scores.data() + b * points);
  });
  return scores;
}

std::size_t stones_on(const std::uint8_t* row, std::size_t points) {
  std::size_t count = 0;
  for (std::size_t point = 0; point < points; ++point) count += row[point] != jiu::no_stone;
  return count;
}

nb::tuple expert_fill(const jiu::Options& options, const Boards& boards, const Seeds& seeds,
                      const PlacerWeights& weights, double temperature, double random_share,
                      int random_until, int threads) {
  const Ground ground(options);
  check_boards(boards, ground.count(), 2, "boards");
  check_length(seeds, static_cast<int>(boards.shape(0)), "seeds");
  const jiu::Expert expert(ground, weights_of(weights));
  const std::size_t rows = boards.shape(0);
  const std::size_t points = at(ground.count());
  const std::size_t placed = rows > 0 ? stones_on(boards.data(), points) : points;
  for (std::size_t b = 0; b < rows; ++b) {
    if (stones_on(boards.data() + b * points, points) == placed) continue;
    throw ParseError("board " + number(b) + " has another number of stones than board 0");
  }
  auto filled = new_array<std::uint8_t>({rows, points});
  auto order = new_array<std::int32_t>({rows, points - placed});
  std::copy_n(boards.data(), rows * points, filled.data());
  const jiu::Variety variety{temperature, random_share, random_until};
  each_row(rows, threads, 16, [&](std::size_t b) {
    Random random(seeds.data()[b], points);  // no placement's own stream, see pick
    jiu::fill_board(expert, options, variety, random, filled.data() + b * points,
                    order.data() + b * (points - placed));
  });
  return nb::make_tuple(filled, order);
}

Array<double> block_scores(const Boards& boards, int seat, const Copied<std::int32_t, 1>& last,
                           const Boards& allowed, const Input<double, 5>& log_odds, int threads) {
  const std::size_t points = boards.shape(1);
  const int size = side_of(points);
  const auto rows = static_cast<int>(boards.shape(0));
  check_boards(boards, size * size, 2, "boards");
  check_boards(allowed, size * size, 1, "allowed");
  check_length(allowed, rows, "allowed");
  check_length(last, rows, "last");
  check_seat(seat);
  for (const std::int32_t point : last) {
    if (point < -1 || point >= size * size) {
      throw ParseError("last holds " + std::to_string(point) + "; expected -1 to " +
                       std::to_string(size * size - 1));
    }
  }
  if (log_odds.size() != jiu::BlockNetwork::entries) {
    throw ParseError("log_odds must have the shape [21, 8, 4, 2, 21]");
  }
  const jiu::BlockNetwork network(size, {log_odds.data(), log_odds.size()});
  auto scores = new_array<double>({boards.shape(0), points});
  each_row(boards.shape(0), threads, 64, [&](std::size_t b) {
    network.score(boards.data() + b * points, seat, last.data()[b], allowed.data() + b * points,
                  scores.data() + b * points);
  });
  return scores;
}

void check_placements(const Copied<std::int32_t, 2>& placements, int size) {
  std::vector<bool> seen(at(size * size));
  for (std::size_t b = 0; b < placements.shape(0); ++b) {
    seen.assign(seen.size(), false);
    for (std::size_t t = 0; t < placements.shape(1); ++t) {
      const std::int32_t point = placements.data()[b * placements.shape(1) + t];
      if (point < 0 || point >= size * size || seen[at(point)]) {
        throw ParseError("game " + number(b) + ", placement " + number(t) + ": point " +
                         std::to_string(point) + " is off the board or taken");
      }
      seen[at(point)] = true;
    }
  }
}

// Counts of changes [s, g, z, l, k, s'], k the neighbour's class or only 0. Counting is quick
// beside making the records, so one thread does it.
Array<std::int64_t> count_blocks(const Copied<std::int32_t, 2>& placements, int size,
                                 const Boards& counted, bool neighbours) {
  if (size < 0 || size > jiu::max_size)
    throw ParseError("no board has the size " + std::to_string(size));
  side_of(at(size * size));
  check_placements(placements, size);
  check_boards(counted, 2, 1, "counted");
  check_length(counted, static_cast<int>(placements.shape(0)), "counted");
  const std::size_t kinds = neighbours ? jiu::block_classes : 1;
  auto counts = new_array<std::int64_t>(
      {jiu::block_classes, jiu::phases, jiu::rings, 2, kinds, jiu::block_classes});
  std::fill_n(counts.data(), counts.size(), 0);
  const nb::gil_scoped_release release;
  const jiu::Blocks blocks(size);
  StopPoll poll;
  for (std::size_t b = 0; b < placements.shape(0); ++b) {
    poll.check();
    const std::size_t length = placements.shape(1);
    jiu::each_transition(
        blocks, {placements.data() + b * length, length}, neighbours,
        [&](int placer) { return counted.data()[2 * b + at(placer)] != 0; },
        [&](const jiu::BlockContext& context, int next) {
          const std::size_t row = jiu::BlockNetwork::at(context, 0) / jiu::block_classes * kinds +
                                  at(context.neighbour);
          ++counts.data()[row * jiu::block_classes + at(next)];
        });
  }
  return counts;
}

Array<std::uint8_t> block_codes() {
  auto classes = new_array<std::uint8_t>({jiu::block_codes});
  std::copy_n(jiu::class_of_code.data(), jiu::block_codes, classes.data());
  return classes;
}

// Battles that begin from full boards.
std::vector<At> battles(const jiu::Options& options, const Boards& boards) {
  const Ground ground(options);
  check_boards(boards, ground.count(), 2, "boards");
  const std::size_t points = at(ground.count());
  std::vector<At> positions;
  for (std::size_t b = 0; b < boards.shape(0); ++b) {
    const std::uint8_t* row = boards.data() + b * points;
    const auto [white, black] = jiu::stones_of(ground, row, 0);
    if (white.count() != black.count() || at(white.count() + black.count()) != points) {
      throw ParseError("board " + number(b) + " has " + std::to_string(white.count()) +
                       " white and " + std::to_string(black.count()) +
                       " black stones; a battle begins with " + number(points / 2) + " each");
    }
    positions.push_back({jiu::Position::battle(white - ground.centre, black - ground.centre,
                                               options.battle_first, options),
                         {}});
  }
  return positions;
}

// [B, P] the boards of positions, which must be of one size.
Array<std::uint8_t> boards_of(const std::vector<At>& positions) {
  if (positions.empty()) throw ParseError("no positions; expected at least one");
  const Ground ground(positions.front().position.options());
  const std::size_t points = at(ground.count());
  auto boards = new_array<std::uint8_t>({positions.size(), points});
  std::fill_n(boards.data(), boards.size(), jiu::no_stone);
  for (std::size_t b = 0; b < positions.size(); ++b) {
    if (positions[b].position.size() != ground.size) {
      throw ParseError("position " + number(b) + " is of another size than position 0");
    }
    for (int seat = 0; seat < 2; ++seat) {
      positions[b].position.stones(seat).each([&](jiu::Cell cell) {
        boards.data()[b * points + at(ground.point(cell))] = jiu::stone_of(seat);
      });
    }
  }
  return boards;
}

void check_fightable(const At& at) {
  if (at.position.stage() == jiu::Stage::Battle) return;
  throw ParseError("battle engines play the battle; this is the preparation");
}

using Weights = std::optional<Input<float, 1>>;

// What searching engines value positions by: weights of the game's terms, or hand-tuned ones.
jiu::SearchBattle::Evaluator evaluator_of(const Weights& weights) {
  using Evaluator = jiu::SearchBattle::Evaluator;
  if (!weights) return Evaluator();
  Evaluator::Weights values{};
  if (weights->size() != values.size()) {
    throw ParseError("weights has " + number(weights->size()) + " entries; jiu has " +
                     number(values.size()) + " terms");
  }
  require_finite(*weights, "weights");
  std::copy_n(weights->data(), values.size(), values.begin());
  return Evaluator(values);
}

std::vector<int> choose_turn(const At& at, const Text& engine, std::uint64_t seed,
                             const Weights& weights) {
  check_fightable(at);
  if (at.is_over()) throw ParseError("the battle is over: " + std::string(at.outcome()->reason));
  jiu::Turn turn;
  const jiu::EngineMaker make = jiu::engine_maker(engine.string(), evaluator_of(weights));
  {
    const nb::gil_scoped_release release;
    Random random(seed, static_cast<std::uint64_t>(at.position.plies()));
    make()->choose(at.position, at.past, random, turn);
  }
  std::vector<int> moves;
  for (const Move move : turn) moves.push_back(index(move));
  return moves;
}

// What the paper's engine thinks of every turn: its moves, its worth.
std::vector<std::pair<std::vector<int>, int>> paper_turns(const At& at) {
  check_fightable(at);
  std::vector<std::pair<std::vector<int>, int>> turns;
  if (at.is_over()) return turns;
  const nb::gil_scoped_release release;
  jiu::paper::each_turn(at.position, [&](const jiu::paper::Finished& turn, const jiu::Turn& moves) {
    std::vector<int> numbers;
    for (const Move move : moves) numbers.push_back(index(move));
    turns.emplace_back(std::move(numbers),
                       jiu::paper::turn_worth(turn, at.past, jiu::paper::no_floor));
  });
  throw_if_stopped();
  return turns;
}

nb::tuple play_battles(const std::vector<At>& positions, const Seeds& seeds,
                       const std::pair<Text, Text>& engines, bool keep_moves, int threads,
                       const Weights& weights) {
  check_length(seeds, static_cast<int>(positions.size()), "seeds");
  for (const At& at : positions) check_fightable(at);
  const auto evaluator = evaluator_of(weights);
  const std::array<jiu::EngineMaker, 2> makers = {
      jiu::engine_maker(engines.first.string(), evaluator),
      jiu::engine_maker(engines.second.string(), evaluator)};
  std::vector<jiu::BattleResult> results(positions.size());
  each_row(positions.size(), threads, 1, [&](std::size_t b) {
    Random random(seeds.data()[b]);
    results[b] =
        jiu::play_battle(positions[b].position, positions[b].past, makers, random, keep_moves);
  });
  auto scores = new_array<float>({results.size(), 2});
  auto plies = new_array<std::int32_t>({results.size()});
  nb::list reasons;
  nb::list moves;
  for (std::size_t b = 0; b < results.size(); ++b) {
    const jiu::BattleResult& result = results[b];
    std::copy_n(result.outcome.scores.data(), 2, scores.data() + 2 * b);
    plies.data()[b] = result.plies;
    reasons.append(std::string(result.outcome.reason));
    if (!keep_moves) continue;
    auto played = new_array<std::int32_t>({result.moves.size()});
    for (std::size_t i = 0; i < result.moves.size(); ++i) played.data()[i] = index(result.moves[i]);
    moves.append(played);
  }
  return nb::make_tuple(scores, plies, reasons, moves);
}

const Binding bind_jiu_players("jiu_players", [](nb::module_& core) {
  auto m = core.def_submodule("jiu_players", "Who places stones in Jiu, and who fights.");
  m.def(
      "block_names",
      [] { return std::vector<std::string>(jiu::block_names.begin(), jiu::block_names.end()); },
      "The 21 classes of blocks: points row by row, X own, O the enemy's, . empty.");
  m.def("block_codes", &block_codes,
        nb::sig("def block_codes() -> numpy.typing.NDArray[numpy.uint8]"),
        "[81] the class of every block: its points row by row as digits of base 3, 0 empty, 1 "
        "enemy, 2 own.");
  m.def("pick", &pick, "scores"_a, "temperature"_a, "seeds"_a, "placed"_a,
        nb::sig("def pick(scores: numpy.typing.NDArray[numpy.float64], temperature: float, "
                "seeds: numpy.typing.NDArray[numpy.uint64], placed: int) -> "
                "numpy.typing.NDArray[numpy.int32]"),
        "[B] a point for every board by its scores [B, P], -inf for points that may not be "
        "chosen: the best (of equals the nearest to the middle, then any), or drawn by "
        "temperature. Board b draws from the stream (seeds[b], placed).");
  m.def("expert_scores", &expert_scores, "options"_a, "boards"_a, "seat"_a, "allowed"_a,
        "weights"_a = nb::none(), "threads"_a = 1,
        nb::sig("def expert_scores(options: tempo._core.jiu.Options, boards: "
                "numpy.typing.NDArray[numpy.uint8], seat: int, allowed: "
                "numpy.typing.NDArray[numpy.uint8], weights: numpy.typing.NDArray[numpy.float64] | "
                "None = None, threads: int = 1) -> numpy.typing.NDArray[numpy.float64]"),
        "[B, P] what the expert gives for every empty point where `allowed` is 1, -inf elsewhere, "
        "by weights as of `expert_weights`; by priority if none are given.");
  m.def(
      "expert_features",
      [] {
        return std::vector<std::string>(jiu::ExpertWeights::names.begin(),
                                        jiu::ExpertWeights::names.end());
      },
      "What the expert's weights are of.");
  m.def("expert_weights", &expert_weights, "name"_a,
        nb::sig("def expert_weights(name: str) -> numpy.typing.NDArray[numpy.float64]"),
        "The expert's weights by name, `priority` or `score`, in the order of expert_features.");
  m.def("expert_fill", &expert_fill, "options"_a, "boards"_a, "seeds"_a, "weights"_a = nb::none(),
        "temperature"_a = 0.0, "random_share"_a = 0.0, "random_until"_a = 0, "threads"_a = 1,
        nb::sig("def expert_fill(options: tempo._core.jiu.Options, boards: "
                "numpy.typing.NDArray[numpy.uint8], seeds: numpy.typing.NDArray[numpy.uint64], "
                "weights: numpy.typing.NDArray[numpy.float64] | None = None, "
                "temperature: float = 0.0, random_share: float = 0.0, random_until: int = 0, "
                "threads: int = 1) -> "
                "tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.int32]]"),
        "Boards filled by the expert for both sides, and the points in the order of placing. Of "
        "the first `random_until` placements a share is placed at random.");
  m.def("block_scores", &block_scores, "boards"_a, "seat"_a, "last"_a, "allowed"_a, "log_odds"_a,
        "threads"_a = 1,
        nb::sig("def block_scores(boards: numpy.typing.NDArray[numpy.uint8], seat: int, last: "
                "numpy.typing.NDArray[numpy.int32], allowed: numpy.typing.NDArray[numpy.uint8], "
                "log_odds: numpy.typing.NDArray[numpy.float64], threads: int = 1) -> "
                "numpy.typing.NDArray[numpy.float64]"),
        "[B, P] the sum of log odds [s, g, z, l, s'] over the blocks around each allowed empty "
        "point, -inf elsewhere; `last` is the other side's last stone, or -1.");
  m.def("count_blocks", &count_blocks, "placements"_a, "size"_a, "counted"_a,
        "neighbours"_a = false,
        nb::sig("def count_blocks(placements: numpy.typing.NDArray[numpy.int32], size: int, "
                "counted: numpy.typing.NDArray[numpy.uint8], neighbours: bool = False) -> "
                "numpy.typing.NDArray[numpy.int64]"),
        "Counts [s, g, z, l, k, s'] of the changes of blocks in games given by their placements "
        "[B, T]; `counted` [B, 2] says whose placements count, the first placer's and the "
        "second's. k is the best neighbour's class, or 0 where nobody asks for it.");
  m.def("battles", &battles, "options"_a, "boards"_a,
        nb::sig("def battles(options: tempo._core.jiu.Options, boards: "
                "numpy.typing.NDArray[numpy.uint8]) -> list[tempo._core.jiu.Position]"),
        "The battles that begin from full boards: the two centre stones are taken off.");
  m.def("boards_of", &boards_of, "positions"_a,
        nb::sig("def boards_of(positions: list[tempo._core.jiu.Position]) -> "
                "numpy.typing.NDArray[numpy.uint8]"),
        "[B, P] the boards of positions.");
  m.def("choose_turn", &choose_turn, "position"_a, "engine"_a, "seed"_a, "weights"_a = nb::none(),
        nb::sig("def choose_turn(position: tempo._core.jiu.Position, engine: str, seed: int, "
                "weights: numpy.typing.NDArray[numpy.float32] | None = None) -> list[int]"),
        "The moves of the rest of a turn, by an engine: `paper`, `random`, or `search:N`, which "
        "visits N positions and values them by `weights` of Jiu's terms, or hand-tuned ones.");
  m.def("paper_turns", &paper_turns, "position"_a,
        nb::sig("def paper_turns(position: tempo._core.jiu.Position) -> "
                "list[tuple[list[int], int]]"),
        "What the engine `paper` thinks of every turn: its moves and its worth.");
  m.def("play_battles", &play_battles, "positions"_a, "seeds"_a, "engines"_a,
        "keep_moves"_a = false, "threads"_a = 1, "weights"_a = nb::none(),
        nb::sig("def play_battles(positions: list[tempo._core.jiu.Position], seeds: "
                "numpy.typing.NDArray[numpy.uint64], engines: tuple[str, str], keep_moves: bool = "
                "False, threads: int = 1, weights: numpy.typing.NDArray[numpy.float32] | None = "
                "None) -> tuple[numpy.typing.NDArray[numpy.float32], "
                "numpy.typing.NDArray[numpy.int32], list[str], "
                "list[numpy.typing.NDArray[numpy.int32]]]"),
        "Battles played to their ends, engines by seat as in `choose_turn`: scores [B, 2], turns "
        "played [B], why each "
        "ended, and the moves if they are kept.");
});

}  // namespace
}  // namespace tempo::bind
