// Binds what learners ask of a batch of games: values of positions and moves, and searches with
// their leaves.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../learning/experience.h"
#include "../learning/searched_games.h"
#include "../search/alpha_beta.h"
#include "arrays.h"
#include "batch.h"
#include "evaluator.h"
#include "played.h"
#include "searched.h"

namespace tempo::bind {

namespace nb = nanobind;
using namespace nb::literals;

inline constexpr int most_determinizations = 1024;

inline int checked_determinizations(int count) {
  if (count >= 1 && count <= most_determinizations) return count;
  throw ParseError("determinizations are 1 to " + std::to_string(most_determinizations) + ", not " +
                   std::to_string(count));
}

// The most positions in one call of a callback, limited by the memory of their features.
template <HasFeatures P>
std::size_t most_asked(const typename P::Options& options) {
  constexpr std::size_t bytes = std::size_t{128} << 20;
  const auto each = static_cast<std::size_t>(feature_count<P>(options)) * sizeof(float);
  return std::clamp<std::size_t>(bytes / each, 64, 65536);
}

// Has the questions of all games answered: by many threads, or a callback with few calls.
template <HasFeatures P>
void answer(HeldBatch<P>& batch, const AnyEvaluator<P>& evaluator, int samples,
            Question<P> question) {
  if (!evaluator.prefers_batches) {
    return answer_by_threads<P>(batch.size(), evaluator, batch.pool(), question);
  }
  const auto ask = [&](std::span<const P> positions, std::span<Scores> values) {
    evaluator.in_bulk(positions, values, batch.pool());
  };
  answer_together<P>(batch.size(), ask, most_asked<P>(batch.options()), std::max(64 / samples, 1),
                     batch.pool(), question);
}

// The games are read alone; nobody is kept waiting for the evaluator, which may be a callback that
// asks this very batch.
template <HasFeatures P>
nb::tuple move_values(HeldBatch<P>& batch, const AnyEvaluator<P>& given, int determinizations) {
  checked_determinizations(determinizations);
  const int samples = Hidden<P> ? determinizations : 1;
  const AnyEvaluator<P> evaluator = given;
  const auto games = static_cast<std::size_t>(batch.size());
  std::vector<std::vector<std::uint16_t>> lists(games);
  std::vector<Standing<P>> standing;
  {
    const nb::gil_scoped_release release;
    standing = batch.alone([&] { return standings<P>(batch, true); });
    batch.each([&](int i) {
      typename P::Moves moves;
      list_moves(standing[static_cast<std::size_t>(i)], moves);
      auto& list = lists[static_cast<std::size_t>(i)];
      for (const Move move : moves) list.push_back(static_cast<std::uint16_t>(move));
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
      std::copy(lists[i].begin(), lists[i].end(), moves.data() + offsets.data()[i]);
    }
    const auto question = [&](int i, Questions<P>& questions, FunctionRef<void()> flush) {
      const auto game = static_cast<std::size_t>(i);
      if (lists[game].empty()) return;
      each_world(standing[game], samples, [&](const auto& world) {
        question_moves(world, lists[game], values.data() + offsets.data()[game], questions);
        flush();
      });
    };
    answer<P>(batch, evaluator, samples, question);
    const auto share = static_cast<float>(samples);
    for (std::int64_t i = 0; i < count; ++i) values.data()[i] /= share;
  }
  return nb::make_tuple(offsets, moves, values);
}

template <HasFeatures P>
Array<float> position_values(HeldBatch<P>& batch, const AnyEvaluator<P>& given) {
  const AnyEvaluator<P> evaluator = given;
  auto values = new_array<float>({static_cast<std::size_t>(batch.size())});
  const nb::gil_scoped_release release;
  std::fill_n(values.data(), batch.size(), 0.0F);
  const bool imagines = evaluator.sees_all();  // others are given what the seat to move knows
  const auto standing = batch.alone([&] { return standings<P>(batch, imagines); });
  const auto question = [&](int i, Questions<P>& questions, FunctionRef<void()>) {
    const Standing<P>& game = standing[static_cast<std::size_t>(i)];
    const auto ask = [&](const auto& at) { question_position(at, values.data() + i, questions); };
    imagines ? each_world(game, 1, ask) : ask(game);
  };
  answer<P>(batch, evaluator, 1, question);
  return values;
}

// SeenAs of many positions, each as its seat to move sees it.
template <HasFeatures P>
struct InputArrays {
  InputArrays(const typename P::Options& options, std::size_t count, SeenAs kind)
      : kind(kind),
        keys(new_array<std::uint64_t>({count})),
        features(rows(kind == SeenAs::Features ? count : 0, Features<P>::shape(options))),
        terms(new_array<float>({kind == SeenAs::Terms ? count : 0, term_count()})),
        width(static_cast<std::size_t>(feature_count<P>(options))) {}

  static constexpr std::size_t term_count() {
    if constexpr (HasTerms<P>) return static_cast<std::size_t>(Terms<P>::count);
    return 0;
  }
  static Array<float> rows(std::size_t count, const std::array<int, 3>& shape) {
    const auto size = [](int n) { return static_cast<std::size_t>(n); };
    return new_array<float>({count, size(shape[0]), size(shape[1]), size(shape[2])});
  }

  void write(std::size_t i, const P& position) const {
    keys.data()[i] = input_key(position);
    if (kind == SeenAs::Features) {
      write_features(position, position.turn(), features.data() + i * width);
    }
    if constexpr (HasTerms<P>) {
      if (kind == SeenAs::Terms) Terms<P>::write(position, terms.data() + i * term_count());
    }
  }

  SeenAs kind;
  Array<std::uint64_t> keys;
  Array<float> features;
  Array<float> terms;
  std::size_t width;
};

// What was found at the leaves. Call with the GIL held.
template <HasFeatures P>
Searched searched_leaves(const typename P::Options& options,
                         const std::vector<SearchedGame<P>>& games, SeenAs kind, Pool& pool) {
  const std::size_t count = games.size();
  const InputArrays<P> inputs(options, count, kind);
  Searched found{.moves = new_array<std::int32_t>({count}),
                 .values = new_array<float>({count}),
                 .leaf_values = new_array<float>({count}),
                 .leaf_turns = new_array<std::uint8_t>({count}),
                 .leaf_signs = new_array<float>({count}),
                 .leaf_plies = new_array<std::int32_t>({count}),
                 .evaluated = new_array<bool>({count}),
                 .leaf_keys = inputs.keys,
                 .leaf_features = inputs.features,
                 .leaf_terms = inputs.terms};
  const nb::gil_scoped_release release;
  for (std::size_t i = 0; i < count; ++i) {
    const SearchedGame<P>& game = games[i];
    const float sign = game.same_team ? 1.0F : -1.0F;
    found.moves.data()[i] = game.move == no_move ? -1 : index(game.move);
    found.values.data()[i] = game.value;
    found.leaf_values.data()[i] = sign * game.value;
    found.leaf_turns.data()[i] = static_cast<std::uint8_t>(game.leaf.turn());
    found.leaf_signs.data()[i] = sign;
    found.leaf_plies.data()[i] = game.plies;
    found.evaluated.data()[i] = game.evaluated;
    found.positions += game.positions;
    found.evaluations += game.evaluations;
  }
  pool.run(static_cast<std::int64_t>(count), [&](std::int64_t i) {
    inputs.write(static_cast<std::size_t>(i), games[static_cast<std::size_t>(i)].leaf);
  });
  return found;
}

// And at the interior positions.
template <HasFeatures P>
void add_nodes(const typename P::Options& options, const std::vector<SearchedGame<P>>& games,
               SeenAs kind, Pool& pool, Searched& found) {
  std::vector<const SearchedNode<P>*> nodes;
  std::vector<std::int32_t> owners;
  for (std::size_t i = 0; i < games.size(); ++i) {
    for (const SearchedNode<P>& node : games[i].nodes) {
      nodes.push_back(&node);
      owners.push_back(static_cast<std::int32_t>(i));
    }
  }
  const InputArrays<P> inputs(options, nodes.size(), kind);
  found.node_games = new_array<std::int32_t>({nodes.size()});
  found.low = new_array<float>({nodes.size()});
  found.high = new_array<float>({nodes.size()});
  found.node_keys = inputs.keys;
  found.node_features = inputs.features;
  found.node_terms = inputs.terms;
  const nb::gil_scoped_release release;
  std::copy(owners.begin(), owners.end(), found.node_games.data());
  pool.run(static_cast<std::int64_t>(nodes.size()), [&](std::int64_t k) {
    const auto i = static_cast<std::size_t>(k);
    found.low.data()[i] = score_of_bound(nodes[i]->low);
    found.high.data()[i] = score_of_bound(nodes[i]->high);
    inputs.write(i, nodes[i]->position);
  });
}

template <HasFeatures P>
Searched search_batch(HeldBatch<P>& batch, const AnyEvaluator<P>& given,
                      const AlphaBetaSettings& settings, const Text& inputs) {
  const SeenAs kind = inputs_named(inputs, HasTerms<P>, P::name);
  if (settings.keep) throw ParseError("searches of a batch keep nothing; keep must be False");
  if (settings.threads > 1) throw ParseError("searches of a batch have a thread each already");
  AnyEvaluator<P> evaluator = given;
  std::vector<SearchedGame<P>> games;
  {
    const nb::gil_scoped_release release;
    const auto standing = batch.alone([&] { return standings<P>(batch, true); });
    games = search_games(standing, evaluator, settings, batch.pool());
  }
  Searched found = searched_leaves(batch.options(), games, kind, batch.pool());
  add_nodes(batch.options(), games, kind, batch.pool(), found);
  return found;
}

template <HasFeatures P>
  requires HasTerms<P>
Array<float> batch_terms(HeldBatch<P>& batch) {
  const InputArrays<P> inputs(batch.options(), static_cast<std::size_t>(batch.size()),
                              SeenAs::Terms);
  const nb::gil_scoped_release release;
  const auto standing = batch.alone([&] { return standings<P>(batch, true); });
  batch.each([&](int i) {
    const auto game = static_cast<std::size_t>(i);
    each_world(standing[game], 1, [&](const auto& at) { inputs.write(game, at.position); });
  });
  return inputs.terms;
}

template <Game P>
void place_all(HeldBatch<P>& batch, const std::vector<Played<P>>& positions) {
  if (positions.size() != static_cast<std::size_t>(batch.size())) {
    throw ParseError("positions has " + std::to_string(positions.size()) +
                     " entries; expected one for each of " + std::to_string(batch.size()) +
                     " games");
  }
  for (const Played<P>& at : positions) check_options(batch, at.position);
  batch.alone.briefly([&] {
    for (int i = 0; i < batch.size(); ++i) {
      const Played<P>& at = positions[static_cast<std::size_t>(i)];
      batch.place(i, at.position, at.past);
    }
  });
}

template <HasFeatures P>
[[gnu::cold]] void bind_experience(nb::module_& m) {
  using B = HeldBatch<P>;
  auto batch = nb::borrow<nb::class_<B>>(m.attr("Batch"));
  batch
      .def_prop_ro(
          "input_keys",
          [](B& b) {
            return by_game<std::uint64_t>(b, 1, [](const B& all, int i, std::uint64_t* out) {
              *out = input_key(all.position(i));
            });
          },
          nb::sig("def input_keys(self) -> numpy.typing.NDArray[numpy.uint64]"),
          nb::rv_policy::move,
          "[B] what a table of values may go by: the positions' keys, or in a hidden game the keys "
          "of what the seats to move may know.")
      .def("values", &position_values<P>, "evaluator"_a,
           nb::sig("def values(self, evaluator: Evaluator) -> numpy.typing.NDArray[numpy.float32]"),
           "[B] what the evaluator gives the seat to move; the score in a finished game.")
      .def("move_values", &move_values<P>, "evaluator"_a, "determinizations"_a = 1,
           nb::sig("def move_values(self, evaluator: Evaluator, determinizations: int = 1) -> "
                   "tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.uint16], "
                   "numpy.typing.NDArray[numpy.float32]]"),
           "Offsets [B + 1], moves and values as in `legal_list`: what the position after each "
           "move is worth to its player's team, exact where the game ends there. Hidden games take "
           "the mean over positions drawn from the view of the seat to move.")
      .def("search", &search_batch<P>, "evaluator"_a, "settings"_a, "inputs"_a = "features",
           nb::sig("def search(self, evaluator: Evaluator, settings: "
                   "tempo._core.AlphaBetaSettings, inputs: str = 'features') -> "
                   "tempo._core.Searched"),
           "Alpha-beta in every game that is not over, each on its own, with the leaves as "
           "'features', 'terms' or 'keys'. A hidden game is searched from a position drawn from "
           "the view of the seat to move.")
      .def("place_all", &place_all<P>, "positions"_a,
           nb::sig("def place_all(self, positions: collections.abc.Sequence[Position]) -> None"),
           "Puts every game at a position of its own; all of them or none.");
  if constexpr (HasTerms<P>) {
    batch.def("terms", &batch_terms<P>,
              nb::sig("def terms(self) -> numpy.typing.NDArray[numpy.float32]"),
              "[B, terms], each as the seat to move sees it.");
  }
}

}  // namespace tempo::bind
