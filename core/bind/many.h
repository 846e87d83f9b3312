// Binds trees of many games at once: searched to the end with an evaluator, or a step at a time for
// a network in Python, whose answers may come while other trees grow.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "../search/monte_carlo.h"
#include "arrays.h"
#include "batch.h"
#include "evaluator.h"
#include "guard.h"
#include "search_types.h"

namespace tempo::bind {

namespace nb = nanobind;
using namespace nb::literals;

// The features of positions in rows: in bits, where a game's can be packed.
template <HasFeatures P>
struct FeatureRows {
  using Number = std::conditional_t<PackedFeatures<P>, std::uint8_t, float>;

  static std::size_t width(const typename P::Options& options) {
    if constexpr (PackedFeatures<P>) {
      return packed_bytes<P>(options);
    } else {
      return static_cast<std::size_t>(feature_count<P>(options));
    }
  }
  static void write(const P& position, Number* out) {
    if constexpr (PackedFeatures<P>) {
      static thread_local std::vector<float> scratch;
      pack_features(position, position.turn(), scratch, out);
    } else {
      write_features(position, position.turn(), out);
    }
  }
};

// Trees of many games as Python holds them.
template <HasFeatures P>
class ManyTrees {
 public:
  ManyTrees(const MonteCarloSettings& settings, int games) : trees_(settings, games) {}

  // One tree for each game of a batch, with the evaluator asked once for the leaves of all of them.
  std::vector<Found> search(HeldBatch<P>& batch, const AnyEvaluator<P>& evaluator) {
    AnyEvaluator<P> own = evaluator;  // a network has room for one evaluation at a time
    const nb::gil_scoped_release release;
    return one_at_a_time_([&] { return search_all(batch, own); });
  }

  void begin(HeldBatch<P>& batch, const AnyInput<1>& simulations, const AnyInput<1>& seeds) {
    const std::vector<std::int32_t> wanted = whole_numbers(simulations, "simulations");
    check_length(simulations, trees_.games(), "simulations");
    const auto* words = exactly<std::uint64_t>(seeds, "seeds", "uint64");
    check_length(seeds, trees_.games(), "seeds");
    const std::vector<std::uint64_t> streams(words, words + seeds.shape(0));
    const std::vector<std::int64_t> budgets(wanted.begin(), wanted.end());
    if (std::any_of(budgets.begin(), budgets.end(), [](auto n) { return n < 0; }))
      throw ParseError("simulations cannot be negative");
    const nb::gil_scoped_release release;
    one_at_a_time_([&] {
      check_size(batch);
      const auto [positions, pasts] = standing(batch, streams);
      trees_.begin(positions, pasts, budgets, streams);
    });
  }

  nb::tuple gather() {
    return one_at_a_time_([&] {
      const std::size_t leaves = [&] {
        const nb::gil_scoped_release release;
        return trees_.open();
      }();
      const MoveRows rows = trees_.rows();
      const std::size_t width = leaves == 0 ? 0 : Rows::width(leaf(0).options());
      auto features = new_array<typename Rows::Number>({leaves, width});
      auto offsets = new_array<std::int64_t>({leaves + 1});
      auto moves = new_array<std::uint16_t>({rows.moves.size()});
      std::copy(rows.offsets.begin(), rows.offsets.end(), offsets.data());
      {
        const nb::gil_scoped_release release;
        trees_.pool().run_whole(static_cast<std::int64_t>(leaves), [&](std::int64_t i) {
          const auto l = static_cast<std::size_t>(i);
          Rows::write(leaf(l), features.data() + l * width);
          std::transform(rows[l].begin(), rows[l].end(), moves.data() + rows.offsets[l],
                         [](Move move) { return static_cast<std::uint16_t>(move); });
        });
      }
      return nb::make_tuple(features, offsets, moves);
    });
  }

  void apply(const Copied<float, 1>& values, const Copied<float, 1>& priors) {
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
        scores[i] = scores_by_team_of<P>(leaf(i).turn(), value);
      }
      trees_.apply(scores, priors);
    });
  }

  nb::tuple policies() {
    if (trees_.settings().selection != Selection::Gumbel)
      throw ParseError("policies are improved by selection 'gumbel' alone");
    return one_at_a_time_([&] {
      const auto games = static_cast<std::size_t>(trees_.games());
      auto offsets = new_array<std::int64_t>({games + 1});
      offsets.data()[0] = 0;
      for (std::size_t i = 0; i < games; ++i)
        offsets.data()[i + 1] = offsets.data()[i] + trees_.tree(i).root().count;
      const auto count = static_cast<std::size_t>(offsets.data()[games]);
      auto moves = new_array<std::int32_t>({games});
      auto values = new_array<float>({games});
      auto listed = new_array<std::uint16_t>({count});
      auto policy = new_array<float>({count});
      {
        const nb::gil_scoped_release release;
        trees_.pool().run_whole(trees_.games(), [&](std::int64_t i) {
          const auto& descent = trees_.tree(static_cast<std::size_t>(i));
          const auto at = static_cast<std::size_t>(offsets.data()[i]);
          const auto& root = descent.root();
          moves.data()[i] = -1;
          values.data()[i] = 0;
          if (root.count == 0) return;
          const auto* edges = descent.tree().edges(root);
          moves.data()[i] = index(edges[descent.gumbel().final_choice(descent.tree())].move);
          for (std::size_t e = 0; e < root.count; ++e)
            listed.data()[at + e] = static_cast<std::uint16_t>(edges[e].move);
          const std::span<float> shares(policy.data() + at, root.count);
          values.data()[i] = static_cast<float>(descent.gumbel().improved(descent.tree(), shares));
        });
      }
      return nb::make_tuple(moves, values, offsets, listed, policy);
    });
  }

  [[nodiscard]] std::int64_t evaluations() {
    return one_at_a_time_([&] { return trees_.evaluations(); });
  }

 private:
  using Rows = FeatureRows<P>;

  [[nodiscard]] const P& leaf(std::size_t i) const {
    return trees_.tree(static_cast<std::size_t>(trees_.owners()[i])).leaf();
  }

  void check_size(const HeldBatch<P>& batch) const {
    if (batch.size() == trees_.games()) return;
    throw ParseError("the batch has " + std::to_string(batch.size()) + " games, the search " +
                     std::to_string(trees_.games()));
  }

  // Where the games of a batch stand; hidden ones as a determinization of what the seat to move
  // knows, drawn by its seed.
  std::pair<std::vector<P>, std::vector<History>> standing(
      HeldBatch<P>& batch, std::span<const std::uint64_t> seeds) const {
    return batch.alone([&] {
      std::vector<P> positions;
      std::vector<History> pasts;
      for (int i = 0; i < batch.size(); ++i) {
        positions.push_back(batch.position(i));
        pasts.push_back(batch.past(i));
      }
      if constexpr (Hidden<P>) {
        batch.each([&](int i) {
          P& position = positions[static_cast<std::size_t>(i)];
          if (tempo::outcome(position, batch.past(i))) return;
          Random random(seeds[static_cast<std::size_t>(i)], 1);
          position = P::sample(position.view(position.turn()), random);
        });
      }
      return std::pair(std::move(positions), std::move(pasts));
    });
  }

  // A seed for each hidden game, from its own stream: nobody searches what a seat cannot know.
  static std::vector<std::uint64_t> drawn_seeds(HeldBatch<P>& batch) {
    std::vector<std::uint64_t> seeds;
    if constexpr (Hidden<P>) {
      batch.alone([&] {
        for (int i = 0; i < batch.size(); ++i) {
          Random stream = batch.random(i);
          seeds.push_back(stream.next());
          batch.set_random(i, stream.state());
        }
      });
    }
    return seeds;
  }

  std::vector<Found> search_all(HeldBatch<P>& batch, AnyEvaluator<P>& evaluator) {
    const auto begun = std::chrono::steady_clock::now();
    check_size(batch);
    const auto [positions, pasts] = standing(batch, drawn_seeds(batch));
    trees_.begin(positions, pasts);
    std::vector<Scores> values;
    std::vector<float> priors;
    while (!trees_.gather().empty()) {
      throw_if_stopped();
      values.assign(trees_.leaves().size(), {});
      priors.assign(evaluator.has_policy ? trees_.rows().moves.size() : 0, 0.0F);
      if (!priors.empty()) {
        evaluator(trees_.leaves(), values, trees_.rows(), priors);
      } else {
        evaluator(trees_.leaves(), values);
      }
      trees_.apply(values, priors);
    }
    throw_if_stopped();
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begun;
    std::vector<Found> found;
    for (int i = 0; i < trees_.games(); ++i) {
      found.push_back({trees_.result(i), P::seats});
      found.back().result.seconds = spent.count() / trees_.games();  // what fell to one game
    }
    return found;
  }

  ManySearch<P> trees_;
  OneAtATime one_at_a_time_;
};

template <HasFeatures P>
void bind_many(nb::module_& m) {
  using Many = ManyTrees<P>;
  nb::class_<Many>(m, "ManySearch", "One tree for each game of a batch, leaves evaluated together.")
      .def(nb::init<const MonteCarloSettings&, int>(), "settings"_a, "games"_a)
      .def("search", &Many::search, "batch"_a, "evaluator"_a,
           "A result for each game of the batch; a hidden one is searched on a determinization.")
      .def("begin", &Many::begin, "batch"_a, "simulations"_a, "seeds"_a,
           nb::sig("def begin(self, batch: Batch, simulations: numpy.typing.NDArray[numpy.int32] | "
                   "numpy.typing.NDArray[numpy.int64], seeds: numpy.typing.NDArray[numpy.uint64]) "
                   "-> None"),
           "Plants a tree for each game of the batch, that of a hidden game on a determinization "
           "of what the seat to move knows. simulations [B], 0 for none; seeds [B]: a search "
           "depends on nothing else.")
      .def("gather", &Many::gather,
           nb::sig("def gather(self) -> tuple[numpy.typing.NDArray[numpy.uint8] | "
                   "numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.int64], "
                   "numpy.typing.NDArray[numpy.uint16]]"),
           "Grows every tree to its next leaf: features [L, ...] as the seat to move there sees "
           "them, packed where the game's can be; its legal moves, by offsets [L + 1]. No leaves "
           "when the search is done.")
      .def("apply", &Many::apply, "values"_a, "priors"_a,
           nb::sig("def apply(self, values: numpy.typing.NDArray[numpy.float32], priors: "
                   "numpy.typing.NDArray[numpy.float32]) -> None"),
           "Answers what was gathered: values [L] for the seat to move, priors of the legal moves.")
      .def("policies", &Many::policies,
           nb::sig("def policies(self) -> tuple[numpy.typing.NDArray[numpy.int32], "
                   "numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.int64], "
                   "numpy.typing.NDArray[numpy.uint16], numpy.typing.NDArray[numpy.float32]]"),
           "What a search by 'gumbel' found: moves [B], -1 without a search; values [B] for the "
           "seat to move; offsets [B + 1] of moves and of the improved policy over them.")
      .def_prop_ro("evaluations", &Many::evaluations, "Leaves answered since it was made.");
}

}  // namespace tempo::bind
