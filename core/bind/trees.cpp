#include "trees.h"

#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>
#include <string>

namespace tempo::bind {

HeldMonteCarlo::HeldMonteCarlo(const HeldGame& game, const HeldEvaluator& evaluator,
                               const MonteCarloSettings& settings, bool reuse)
    : game_(game.rules),
      search_(*game.trees, settings),
      reuse_(reuse),
      seed_(settings.seed),
      at_(*game.rules) {
  const int copies = evaluator.prefers_batches ? 1 : settings.trees;
  for (int i = 0; i < copies; ++i) evaluators_.push_back(evaluator.copy());
}

void HeldMonteCarlo::reset(std::uint64_t seed) {
  one_at_a_time_([&] {
    search_.reset(seed);
    seed_ = seed;
    searches_ = 0;
    at_.reset();
  });
}

Found HeldMonteCarlo::follow_and_search(const void* position, const History& past) {
  if (reuse_) {
    follow(position);
  } else {
    search_.reset(split_mix(seed_ + searches_));
  }
  ++searches_;
  at_.set(position);  // where the tree stands from now on, even if the search is interrupted
  Found found{search_.search(position, past, evaluators_.front()->prefers_batches,
                             [this](const LeafQuestion& question) { ask(question); }),
              game_->seats};
  if (reuse_ && found.result.move != no_move) advance(found.result.move);
  return found;
}

void HeldMonteCarlo::ask(const LeafQuestion& question) {
  HeldEvaluator& evaluator = *evaluators_[question.tree];
  const auto& [tree, positions, count, rows, values, priors] = question;
  priors.clear();
  if (evaluator.has_policy && !rows.moves.empty()) {
    priors.resize(rows.moves.size());
    return evaluator.evaluate(positions, count, values, rows, priors);
  }
  evaluator.evaluate(positions, count, values);
}

void HeldMonteCarlo::advance(Move move) {
  search_.advance(move);
  game_->play(at_.get(), move);
}

// The reply of a two-seat game is one move; after longer turns of others the tree starts anew.
void HeldMonteCarlo::follow(const void* position) {
  if (!at_.has_value() || game_->equal(at_.get(), position)) return;
  MoveRoom room(*game_);
  AnyPosition next(*game_);
  for (const Move move : game_->legal_moves(at_.get(), room.get())) {
    next.set(at_.get());
    game_->play(next.get(), move);
    if (game_->equal(next.get(), position)) return advance(move);
  }
}

std::vector<Found> ManyTrees::search(HeldAnyBatch& batch, const HeldEvaluator& evaluator) {
  const auto own = evaluator.copy();  // a network has room for one evaluation at a time
  const nb::gil_scoped_release release;
  return one_at_a_time_([&] {
    check_size(batch);
    const auto [positions, pasts] = standing(batch, drawn_seeds(batch));
    trees_.begin(positions.data(), pasts);
    return grown(*own);
  });
}

std::vector<Found> ManyTrees::search(HeldAnyBatch& batch, const HeldEvaluator& evaluator,
                                     const AnyInput<1>& simulations, const AnyInput<1>& seeds) {
  const Budgets given = budgets(simulations, seeds);
  const auto own = evaluator.copy();
  const nb::gil_scoped_release release;
  return one_at_a_time_([&] {
    plant(batch, given);
    return grown(*own);
  });
}

void ManyTrees::begin(HeldAnyBatch& batch, const AnyInput<1>& simulations,
                      const AnyInput<1>& seeds) {
  const Budgets given = budgets(simulations, seeds);
  const nb::gil_scoped_release release;
  one_at_a_time_([&] { plant(batch, given); });
}

ManyTrees::Budgets ManyTrees::budgets(const AnyInput<1>& simulations,
                                      const AnyInput<1>& seeds) const {
  const std::vector<std::int32_t> wanted = whole_numbers(simulations, "simulations");
  check_length(simulations, trees_.games(), "simulations");
  const auto* words = exactly<std::uint64_t>(seeds, "seeds", "uint64");
  check_length(seeds, trees_.games(), "seeds");
  if (std::any_of(wanted.begin(), wanted.end(), [](auto n) { return n < 0; }))
    throw ParseError("simulations cannot be negative");
  return {{wanted.begin(), wanted.end()}, {words, words + seeds.shape(0)}};
}

void ManyTrees::plant(HeldAnyBatch& batch, const Budgets& budgets) {
  check_size(batch);
  const auto [positions, pasts] = standing(batch, budgets.seeds);
  trees_.begin(positions.data(), pasts, budgets.simulations, budgets.seeds);
}

nb::tuple ManyTrees::gather() {
  return one_at_a_time_([&] {
    const std::size_t leaves = [&] {
      const nb::gil_scoped_release release;
      return trees_.open();
    }();
    const HeldInputs& inputs = *game_->inputs;
    const bool is_packed = inputs.packed_bytes != nullptr;
    const MoveRows rows = trees_.rows();
    std::size_t width = 0;
    if (leaves > 0) width = is_packed ? inputs.packed_bytes(leaf(0)) : inputs.count(leaf(0));
    const auto bits = new_array<std::uint8_t>({is_packed ? leaves : 0, width});
    const auto floats = new_array<float>({is_packed ? 0 : leaves, width});
    auto offsets = new_array<std::int64_t>({leaves + 1});
    auto moves = new_array<std::uint16_t>({rows.moves.size()});
    std::copy(rows.offsets.begin(), rows.offsets.end(), offsets.data());
    {
      const nb::gil_scoped_release release;
      trees_.pool().run_whole(static_cast<std::int64_t>(leaves), [&](std::int64_t i) {
        const auto l = static_cast<std::size_t>(i);
        if (is_packed) {
          inputs.pack(leaf(l), bits.data() + l * width);
        } else {
          inputs.write(leaf(l), game_->rules->turn(leaf(l)), floats.data() + l * width);
        }
        std::transform(rows[l].begin(), rows[l].end(), moves.data() + rows.offsets[l],
                       [](Move move) { return static_cast<std::uint16_t>(move); });
      });
    }
    return nb::make_tuple(is_packed ? nb::cast(bits) : nb::cast(floats), offsets, moves);
  });
}

void ManyTrees::apply(const Copied<float, 1>& values, const Copied<float, 1>& priors) {
  require_finite(values, "values");
  const nb::gil_scoped_release release;
  one_at_a_time_([&] {
    const std::size_t leaves = trees_.owners().size();
    if (values.size() != leaves)
      throw ParseError(std::to_string(values.size()) + " values for " + std::to_string(leaves) +
                       " leaves");
    if (priors.size() != trees_.rows().moves.size())
      throw ParseError(std::to_string(priors.size()) + " priors for " +
                       std::to_string(trees_.rows().moves.size()) + " moves");
    std::vector<Scores> scores(leaves);
    for (std::size_t i = 0; i < leaves; ++i) {
      const float value = std::clamp(values.data()[i], -1.0F, 1.0F);
      scores[i] = game_->rules->scores_by_team_of(game_->rules->turn(leaf(i)), value);
    }
    trees_.apply(scores, priors);
  });
}

nb::tuple ManyTrees::policies() {
  if (trees_.settings().selection != Selection::Gumbel)
    throw ParseError("policies are improved by selection 'gumbel' alone");
  return one_at_a_time_([&] {
    const auto games = static_cast<std::size_t>(trees_.games());
    auto offsets = new_array<std::int64_t>({games + 1});
    offsets.data()[0] = 0;
    for (std::size_t i = 0; i < games; ++i) {
      const auto count = static_cast<std::int64_t>(trees_.tree(i).root_moves());
      offsets.data()[i + 1] = offsets.data()[i] + count;
    }
    const auto count = static_cast<std::size_t>(offsets.data()[games]);
    auto moves = new_array<std::int32_t>({games});
    auto values = new_array<float>({games});
    auto listed = new_array<std::uint16_t>({count});
    auto policy = new_array<float>({count});
    {
      const nb::gil_scoped_release release;
      std::vector<Move> all(count);
      trees_.pool().run_whole(trees_.games(), [&](std::int64_t i) {
        const SearchTree& tree = trees_.tree(static_cast<std::size_t>(i));
        const auto at = static_cast<std::size_t>(offsets.data()[i]);
        const std::size_t own = tree.root_moves();
        moves.data()[i] = -1;
        values.data()[i] = 0;
        if (own == 0) return;
        const auto best = tree.improved(std::span(all).subspan(at, own), {policy.data() + at, own});
        moves.data()[i] = index(best.move);
        values.data()[i] = static_cast<float>(best.value);
      });
      std::transform(all.begin(), all.end(), listed.data(),
                     [](Move move) { return static_cast<std::uint16_t>(move); });
    }
    return nb::make_tuple(moves, values, offsets, listed, policy);
  });
}

void ManyTrees::check_size(const AnyBatch& batch) const {
  if (batch.size() == trees_.games()) return;
  throw ParseError("the batch has " + std::to_string(batch.size()) + " games, the search " +
                   std::to_string(trees_.games()));
}

// Where the games of a batch stand; hidden ones as a determinization of what the seat to move
// knows, drawn by its seed.
std::pair<AnyPositions, std::vector<History>> ManyTrees::standing(
    HeldAnyBatch& batch, std::span<const std::uint64_t> seeds) const {
  return batch.alone([&] {
    const AnyGame& rules = *game_->rules;
    AnyPositions positions(rules);
    std::vector<History> pasts;
    positions.reserve(static_cast<std::size_t>(batch.size()));
    for (int i = 0; i < batch.size(); ++i) {
      positions.push_back(batch.at(i));
      pasts.push_back(batch.past(i));
    }
    if (rules.draw != nullptr) {
      batch.each([&](int i) {
        const auto game = static_cast<std::size_t>(i);
        if (batch.outcome(i)) return;
        Random random(seeds[game], 1);
        rules.draw(batch.at(i), random, 1,
                   [&](const void* drawn) { rules.set(positions[game], drawn); });
      });
    }
    return std::pair(std::move(positions), std::move(pasts));
  });
}

// A seed for each hidden game, from its own stream: nobody searches what a seat cannot know.
std::vector<std::uint64_t> ManyTrees::drawn_seeds(HeldAnyBatch& batch) const {
  std::vector<std::uint64_t> seeds;
  if (game_->rules->draw == nullptr) return seeds;
  batch.alone([&] {
    for (int i = 0; i < batch.size(); ++i) {
      Random stream = batch.random(i);
      seeds.push_back(stream.next());
      batch.set_random(i, stream.state());
    }
  });
  return seeds;
}

// Asks the evaluator until the budgets of the planted trees are spent.
std::vector<Found> ManyTrees::grown(HeldEvaluator& evaluator) {
  const auto begun = std::chrono::steady_clock::now();
  std::vector<Scores> values;
  std::vector<float> priors;
  while (!trees_.gather().empty()) {
    throw_if_stopped();
    const AnyPositions& leaves = trees_.leaves();
    values.assign(leaves.size(), {});
    priors.assign(evaluator.has_policy ? trees_.rows().moves.size() : 0, 0.0F);
    if (!priors.empty()) {
      evaluator.evaluate(leaves.data(), leaves.size(), values, trees_.rows(), priors);
    } else {
      evaluator.evaluate(leaves.data(), leaves.size(), values);
    }
    trees_.apply(values, priors);
  }
  throw_if_stopped();
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begun;
  std::vector<Found> found;
  for (int i = 0; i < trees_.games(); ++i) {
    found.push_back({trees_.result(i), game_->rules->seats});
    found.back().result.seconds = spent.count() / trees_.games();  // what fell to one game
  }
  return found;
}

void bind_monte_carlo(HeldClass search, const HeldGame& game) {
  const HeldGame* g = &game;
  const nb::handle own = search;
  const auto of = [own](nb::handle self) -> HeldMonteCarlo& {
    return HeldGame::object<HeldMonteCarlo>(self, own);
  };
  search
      .def(
          "search",
          [g, of](nb::handle self, nb::handle position) {
            HeldMonteCarlo& tree = of(self);
            const void* at = g->at(position);
            const nb::gil_scoped_release release;
            return tree.search(at, g->past(at));
          },
          "position"_a, nb::sig("def search(self, position: Position) -> tempo._core.SearchResult"),
          "The move to play after the budget is spent; with reuse, the search continues in the "
          "tree "
          "of the last one.")
      .def(
          "reset", [of](nb::handle self, std::uint64_t seed) { of(self).reset(seed); }, "seed"_a,
          "As if newly made with this seed.")
      .def_prop_ro(
          "fingerprint",
          [of](nb::handle self) {
            return of(self).of_tree([](const auto& t) { return t.fingerprint(); });
          },
          "One number for the whole tree.")
      .def_prop_ro("memory_used",
                   [of](nb::handle self) {
                     return of(self).of_tree([](const auto& t) { return t.memory_used(); });
                   })
      .def_prop_ro(
          "nodes",
          [of](nb::handle self) {
            return of(self).of_tree([](const auto& t) { return t.nodes(); });
          },
          "Of the tree: its root and the children of expanded nodes, visited or not.")
      .def_prop_ro(
          "visits",
          [of](nb::handle self) {
            return of(self).of_tree([](const auto& t) { return t.visits(); });
          },
          "Visits of the root, kept ones included.");
}

void bind_many(HeldClass many, const HeldGame& game) {
  const HeldGame* g = &game;
  const nb::handle own = many;
  const auto of = [own](nb::handle self) -> ManyTrees& {
    return HeldGame::object<ManyTrees>(self, own);
  };
  many.def(
          "search",
          [g, of](nb::handle self, nb::handle batch, nb::handle evaluator) {
            return of(self).search(g->batch(batch), g->evaluator(evaluator));
          },
          "batch"_a, "evaluator"_a,
          nb::sig("def search(self, batch: Batch, evaluator: Evaluator) -> "
                  "list[tempo._core.SearchResult]"),
          "A result for each game of the batch; a hidden one is searched on a determinization.")
      .def(
          "search",
          [g, of](nb::handle self, nb::handle batch, nb::handle evaluator,
                  const AnyInput<1>& simulations, const AnyInput<1>& seeds) {
            return of(self).search(g->batch(batch), g->evaluator(evaluator), simulations, seeds);
          },
          "batch"_a, "evaluator"_a, "simulations"_a, "seeds"_a,
          nb::sig("def search(self, batch: Batch, evaluator: Evaluator, simulations: "
                  "numpy.typing.NDArray[numpy.int32] | numpy.typing.NDArray[numpy.int64], seeds: "
                  "numpy.typing.NDArray[numpy.uint64]) -> list[tempo._core.SearchResult]"),
          "The same with simulations [B] and seeds [B], as `begin` has them.")
      .def(
          "begin",
          [g, of](nb::handle self, nb::handle batch, const AnyInput<1>& simulations,
                  const AnyInput<1>& seeds) {
            of(self).begin(g->batch(batch), simulations, seeds);
          },
          "batch"_a, "simulations"_a, "seeds"_a,
          nb::sig("def begin(self, batch: Batch, simulations: numpy.typing.NDArray[numpy.int32] | "
                  "numpy.typing.NDArray[numpy.int64], seeds: numpy.typing.NDArray[numpy.uint64]) "
                  "-> None"),
          "Plants a tree for each game of the batch, that of a hidden game on a determinization "
          "of what the seat to move knows. simulations [B], 0 for none; seeds [B]: a search "
          "depends on nothing else.")
      .def(
          "gather", [of](nb::handle self) { return of(self).gather(); },
          nb::sig("def gather(self) -> tuple[numpy.typing.NDArray[numpy.uint8] | "
                  "numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.int64], "
                  "numpy.typing.NDArray[numpy.uint16]]"),
          "Grows every tree to its next leaf: features [L, ...] as the seat to move there sees "
          "them, packed where the game's can be; its legal moves, by offsets [L + 1]. No leaves "
          "when the search is done.")
      .def(
          "apply",
          [of](nb::handle self, const Copied<float, 1>& values, const Copied<float, 1>& priors) {
            of(self).apply(values, priors);
          },
          "values"_a, "priors"_a,
          nb::sig("def apply(self, values: numpy.typing.NDArray[numpy.float32], priors: "
                  "numpy.typing.NDArray[numpy.float32]) -> None"),
          "Answers what was gathered: values [L] for the seat to move, priors of the legal moves.")
      .def(
          "policies", [of](nb::handle self) { return of(self).policies(); },
          nb::sig("def policies(self) -> tuple[numpy.typing.NDArray[numpy.int32], "
                  "numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.int64], "
                  "numpy.typing.NDArray[numpy.uint16], numpy.typing.NDArray[numpy.float32]]"),
          "What a search by 'gumbel' found: moves [B], -1 without a search; values [B] for the "
          "seat to move; offsets [B + 1] of moves and of the improved policy over them.")
      .def_prop_ro(
          "evaluations", [of](nb::handle self) { return of(self).evaluations(); },
          "Leaves answered since it was made.");
}

}  // namespace tempo::bind
