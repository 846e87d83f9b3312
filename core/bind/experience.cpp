// Binds what learners ask of a batch of games: values of positions and moves, and searches with
// their leaves.
#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../learning/experience.h"
#include "../learning/searched_games.h"
#include "arrays.h"
#include "batch.h"
#include "evaluator.h"
#include "held_game.h"
#include "searched.h"

namespace tempo::bind {

using namespace nb::literals;

namespace {

using Table = const HeldGame*;

constexpr int most_determinizations = 1024;

int checked_determinizations(int count) {
  if (count >= 1 && count <= most_determinizations) return count;
  throw ParseError("determinizations are 1 to " + std::to_string(most_determinizations) + ", not " +
                   std::to_string(count));
}

// The most positions in one call of a callback, limited by the memory of their features.
std::size_t most_asked(const HeldGame& game, const void* position) {
  constexpr std::size_t bytes = std::size_t{128} << 20;
  const std::size_t each = game.inputs->count(position) * sizeof(float);
  return std::clamp<std::size_t>(bytes / each, 64, 65536);
}

// Has the questions of all games answered: by many threads, or a callback with few calls.
void answer(Table g, HeldAnyBatch& batch, const Standings& standing, const HeldEvaluator& evaluator,
            int samples, Question question) {
  if (!evaluator.prefers_batches) {
    const auto with_own = [&](FunctionRef<void(AskMany)> use) {
      const auto own = evaluator.copy();  // a network has room for one evaluation at a time
      use([&](const void* positions, std::size_t count, std::span<Scores> values) {
        own->evaluate(positions, count, values);
      });
    };
    return answer_by_threads(standing, with_own, batch.pool(), question);
  }
  const auto ask = [&](const void* positions, std::size_t count, std::span<Scores> values) {
    evaluator.in_bulk(positions, count, values, batch.pool());
  };
  answer_together(standing, ask, most_asked(*g, batch.start()), std::max(64 / samples, 1),
                  batch.pool(), question);
}

// The games are read alone; nobody is kept waiting for the evaluator, which may be a callback that
// asks this very batch.
nb::tuple move_values(Table g, HeldAnyBatch& batch, const HeldEvaluator& given,
                      int determinizations) {
  checked_determinizations(determinizations);
  const int samples = g->rules->draw != nullptr ? determinizations : 1;
  const auto evaluator = given.copy();
  const auto games = static_cast<std::size_t>(batch.size());
  std::vector<std::vector<Move>> lists(games);
  std::optional<Standings> standing;
  {
    const nb::gil_scoped_release release;
    batch.alone([&] { standing.emplace(batch, true); });
    batch.each([&](int i) {
      const auto game = static_cast<std::size_t>(i);
      if (standing->outcome(game)) return;
      MoveRoom room(*g->rules);
      const auto moves = g->rules->known_moves(standing->position(game), room.get());
      lists[game].assign(moves.begin(), moves.end());
    });
  }
  auto offsets = new_array<std::int64_t>({games + 1});
  std::int64_t count = 0;
  for (std::size_t i = 0; i < games; ++i) {
    offsets.data()[i] = count;
    count += static_cast<std::int64_t>(lists[i].size());
  }
  offsets.data()[games] = count;
  auto moves = new_array<std::uint16_t>({static_cast<std::size_t>(count)});
  auto values = new_array<float>({static_cast<std::size_t>(count)});
  {
    const nb::gil_scoped_release release;
    std::fill_n(values.data(), count, 0.0F);
    for (std::size_t i = 0; i < games; ++i) {
      std::transform(lists[i].begin(), lists[i].end(), moves.data() + offsets.data()[i],
                     [](Move move) { return static_cast<std::uint16_t>(move); });
    }
    const auto question = [&](std::size_t game, Questions& questions, FunctionRef<void()> flush) {
      if (lists[game].empty()) return;
      standing->each_world(game, samples, [&](const void* position, const History& past) {
        questions.add_moves(position, past, lists[game], values.data() + offsets.data()[game]);
        flush();
      });
    };
    answer(g, batch, *standing, *evaluator, samples, question);
    const auto share = static_cast<float>(samples);
    for (std::int64_t i = 0; i < count; ++i) values.data()[i] /= share;
  }
  return nb::make_tuple(offsets, moves, values);
}

Array<float> position_values(Table g, HeldAnyBatch& batch, const HeldEvaluator& given) {
  const auto evaluator = given.copy();
  auto values = new_array<float>({static_cast<std::size_t>(batch.size())});
  const nb::gil_scoped_release release;
  std::fill_n(values.data(), batch.size(), 0.0F);
  const bool imagines = evaluator->sees_all();  // others are given what the seat to move knows
  const Standings standing = batch.alone([&] { return Standings(batch, imagines); });
  const auto question = [&](std::size_t game, Questions& questions, FunctionRef<void()>) {
    const auto ask = [&](const void* position, const History& past) {
      questions.add_position(position, past, values.data() + game);
    };
    if (imagines) return standing.each_world(game, 1, ask);
    ask(standing.position(game), standing.past(game));
  };
  answer(g, batch, standing, *evaluator, 1, question);
  return values;
}

// SeenAs of many positions, each as its seat to move sees it.
struct InputArrays {
  InputArrays(Table g, const void* any, std::size_t count, SeenAs kind)
      : game(g),
        kind(kind),
        keys(new_array<std::uint64_t>({count})),
        features(rows(kind == SeenAs::Features ? count : 0, g->inputs->shape(any))),
        terms(new_array<float>({kind == SeenAs::Terms ? count : 0, g->inputs->terms})),
        packed(new_array<std::uint8_t>({kind == SeenAs::Packed ? count : 0, bytes(g, any)})),
        width(g->inputs->count(any)) {}

  static std::size_t bytes(Table g, const void* any) {
    return g->inputs->input_bytes == nullptr ? 0 : g->inputs->input_bytes(any);
  }
  static Array<float> rows(std::size_t count, const std::array<int, 3>& shape) {
    const auto size = [](int n) { return static_cast<std::size_t>(n); };
    return new_array<float>({count, size(shape[0]), size(shape[1]), size(shape[2])});
  }

  void write(std::size_t i, const void* position) const {
    const HeldInputs& inputs = *game->inputs;
    keys.data()[i] = game->rules->input_key(position);
    if (kind == SeenAs::Features) {
      inputs.write(position, game->rules->turn(position), features.data() + i * width);
    } else if (kind == SeenAs::Terms) {
      inputs.write_terms(position, terms.data() + i * inputs.terms);
    } else if (kind == SeenAs::Packed) {
      inputs.write_input(position, packed.data() + i * packed.shape(1));
    }
  }

  Table game;
  SeenAs kind;
  Array<std::uint64_t> keys;
  Array<float> features;
  Array<float> terms;
  Array<std::uint8_t> packed;
  std::size_t width;
};

// What was found at the leaves. Call with the GIL held.
Searched searched_leaves(Table g, const void* any, const SearchedGames& all, SeenAs kind,
                         Pool& pool) {
  const std::size_t count = all.games.size();
  const InputArrays inputs(g, any, count, kind);
  Searched found{.moves = new_array<std::int32_t>({count}),
                 .values = new_array<float>({count}),
                 .leaf_values = new_array<float>({count}),
                 .leaf_turns = new_array<std::uint8_t>({count}),
                 .leaf_signs = new_array<float>({count}),
                 .leaf_plies = new_array<std::int32_t>({count}),
                 .evaluated = new_array<bool>({count}),
                 .leaf_keys = inputs.keys,
                 .leaf_features = inputs.features,
                 .leaf_terms = inputs.terms,
                 .leaf_packed = inputs.packed};
  const nb::gil_scoped_release release;
  for (std::size_t i = 0; i < count; ++i) {
    const SearchedGame& game = all.games[i];
    const float sign = game.same_team ? 1.0F : -1.0F;
    found.moves.data()[i] = game.move == no_move ? -1 : index(game.move);
    found.values.data()[i] = game.value;
    found.leaf_values.data()[i] = sign * game.value;
    found.leaf_turns.data()[i] = static_cast<std::uint8_t>(g->rules->turn(all.leaves[i]));
    found.leaf_signs.data()[i] = sign;
    found.leaf_plies.data()[i] = game.plies;
    found.evaluated.data()[i] = game.evaluated;
    found.positions += game.positions;
    found.evaluations += game.evaluations;
  }
  pool.run(static_cast<std::int64_t>(count), [&](std::int64_t i) {
    inputs.write(static_cast<std::size_t>(i), all.leaves[static_cast<std::size_t>(i)]);
  });
  return found;
}

// And at the interior positions.
void add_nodes(Table g, const void* any, const SearchedGames& all, SeenAs kind, Pool& pool,
               Searched& found) {
  const std::size_t count = all.nodes.size();
  const InputArrays inputs(g, any, count, kind);
  found.node_games = new_array<std::int32_t>({count});
  found.low = new_array<float>({count});
  found.high = new_array<float>({count});
  found.node_keys = inputs.keys;
  found.node_features = inputs.features;
  found.node_terms = inputs.terms;
  found.node_packed = inputs.packed;
  const nb::gil_scoped_release release;
  std::copy(all.owners.begin(), all.owners.end(), found.node_games.data());
  std::copy(all.low.begin(), all.low.end(), found.low.data());
  std::copy(all.high.begin(), all.high.end(), found.high.data());
  pool.run(static_cast<std::int64_t>(count), [&](std::int64_t i) {
    inputs.write(static_cast<std::size_t>(i), all.nodes[static_cast<std::size_t>(i)]);
  });
}

Searched search_batch(Table g, HeldAnyBatch& batch, const HeldEvaluator& given,
                      const AlphaBetaSettings& settings, const Text& inputs) {
  const SeenAs kind =
      inputs_named(inputs, g->inputs->terms > 0, g->inputs->input_bytes != nullptr, g->rules->name);
  if (settings.keep) throw ParseError("searches of a batch keep nothing; keep must be False");
  if (settings.threads > 1) throw ParseError("searches of a batch have a thread each already");
  const auto evaluator = given.copy();
  SearchedGames games(*g->rules);
  {
    const nb::gil_scoped_release release;
    const Standings standing = batch.alone([&] { return Standings(batch, true); });
    games = g->search_games(standing, *evaluator, settings, batch.pool());
  }
  Searched found = searched_leaves(g, batch.start(), games, kind, batch.pool());
  add_nodes(g, batch.start(), games, kind, batch.pool(), found);
  return found;
}

// All games of a batch in one kind of inputs, those of a hidden one from a position drawn from the
// view of the seat to move.
InputArrays batch_inputs(Table g, HeldAnyBatch& batch, SeenAs kind) {
  const InputArrays inputs(g, batch.start(), static_cast<std::size_t>(batch.size()), kind);
  const nb::gil_scoped_release release;
  const Standings standing = batch.alone([&] { return Standings(batch, true); });
  batch.each([&](int i) {
    const auto game = static_cast<std::size_t>(i);
    standing.each_world(
        game, 1, [&](const void* position, const History&) { inputs.write(game, position); });
  });
  return inputs;
}

void place_all(Table g, HeldAnyBatch& batch, const nb::sequence& given) {
  std::vector<nb::object> positions;
  for (nb::handle position : given) positions.push_back(nb::borrow(position));
  for (const nb::object& position : positions) static_cast<void>(g->at(position));
  if (positions.size() != static_cast<std::size_t>(batch.size())) {
    throw ParseError("positions has " + std::to_string(positions.size()) +
                     " entries; expected one for each of " + std::to_string(batch.size()) +
                     " games");
  }
  for (const nb::object& position : positions) check_options(*g, batch, g->at(position));
  batch.alone.briefly([&] {
    for (int i = 0; i < batch.size(); ++i) {
      const void* at = g->at(positions[static_cast<std::size_t>(i)]);
      batch.place(i, at, g->past(at));
    }
  });
}

}  // namespace

void bind_experience(const HeldGame& game) {
  const Table g = &game;
  auto batch = nb::borrow<HeldClass>(game.batch_class);
  batch
      .def_prop_ro(
          "input_keys",
          [g](nb::handle self) {
            HeldAnyBatch& b = g->batch(self);
            return by_game<std::uint64_t>(
                b, 1, [&](int i, std::uint64_t* out) { *out = g->rules->input_key(b.at(i)); });
          },
          nb::sig("def input_keys(self) -> numpy.typing.NDArray[numpy.uint64]"),
          nb::rv_policy::move,
          "[B] what a table of values may go by: the positions' keys, or in a hidden game the keys "
          "of what the seats to move may know.")
      .def(
          "values",
          [g](nb::handle self, nb::handle evaluator) {
            return position_values(g, g->batch(self), g->evaluator(evaluator));
          },
          "evaluator"_a,
          nb::sig("def values(self, evaluator: Evaluator) -> numpy.typing.NDArray[numpy.float32]"),
          "[B] what the evaluator gives the seat to move; the score in a finished game.")
      .def(
          "move_values",
          [g](nb::handle self, nb::handle evaluator, int determinizations) {
            return move_values(g, g->batch(self), g->evaluator(evaluator), determinizations);
          },
          "evaluator"_a, "determinizations"_a = 1,
          nb::sig("def move_values(self, evaluator: Evaluator, determinizations: int = 1) -> "
                  "tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.uint16], "
                  "numpy.typing.NDArray[numpy.float32]]"),
          "Offsets [B + 1], moves and values as in `legal_list`: what the position after each "
          "move is worth to its player's team, exact where the game ends there. Hidden games take "
          "the mean over positions drawn from the view of the seat to move.")
      .def(
          "search",
          [g](nb::handle self, nb::handle evaluator, const AlphaBetaSettings& settings,
              const Text& inputs) {
            return search_batch(g, g->batch(self), g->evaluator(evaluator), settings, inputs);
          },
          "evaluator"_a, "settings"_a, "inputs"_a = "features",
          nb::sig("def search(self, evaluator: Evaluator, settings: "
                  "tempo._core.AlphaBetaSettings, inputs: str = 'features') -> "
                  "tempo._core.Searched"),
          "Alpha-beta in every game that is not over, each on its own, with the leaves as "
          "'features', 'terms', 'keys' or 'packed'. A hidden game is searched from a position "
          "drawn from "
          "the view of the seat to move.")
      .def(
          "place_all",
          [g](nb::handle self, const nb::sequence& positions) {
            place_all(g, g->batch(self), positions);
          },
          "positions"_a,
          nb::sig("def place_all(self, positions: collections.abc.Sequence[Position]) -> None"),
          "Puts every game at a position of its own; all of them or none.");
  if (game.inputs->input_bytes != nullptr) {
    batch.def(
        "packed",
        [g](nb::handle self) { return batch_inputs(g, g->batch(self), SeenAs::Packed).packed; },
        nb::sig("def packed(self) -> numpy.typing.NDArray[numpy.uint8]"),
        "[B, bytes] what networks in integers are taught from, each as the seat to move sees "
        "it.");
  }
  if (game.inputs->terms > 0) {
    batch.def(
        "terms",
        [g](nb::handle self) { return batch_inputs(g, g->batch(self), SeenAs::Terms).terms; },
        nb::sig("def terms(self) -> numpy.typing.NDArray[numpy.float32]"),
        "[B, terms], each as the seat to move sees it.");
  }
}

}  // namespace tempo::bind
