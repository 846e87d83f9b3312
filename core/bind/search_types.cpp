// Binds what the searches of all games share: settings and results.
#include "search_types.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "../errors.h"
#include "../learning/leaf_game.h"
#include "../search/alpha_beta_settings.h"
#include "../search/monte_carlo_rules.h"
#include "arrays.h"
#include "guard.h"

namespace tempo::bind {

namespace {

using namespace nb::literals;

template <class Enum, std::size_t N>
Enum named(const std::pair<const char*, Enum> (&table)[N], const Text& given, const char* what) {
  const std::string name = given.string();
  std::string known;
  for (const auto& [text, value] : table) {
    if (name == text) return value;
    known += std::string(known.empty() ? "" : ", ") + text;
  }
  throw ParseError(std::string(what) + " cannot be '" + name + "'; it takes " + known);
}

constexpr std::pair<const char*, Selection> selections[] = {{"ucb1", Selection::Ucb1},
                                                            {"tuned", Selection::Ucb1Tuned},
                                                            {"puct", Selection::Puct},
                                                            {"gumbel", Selection::Gumbel}};
constexpr std::pair<const char*, CutValue> cut_values[] = {
    {"evaluator", CutValue::Evaluator}, {"rollout", CutValue::Rollout}, {"path", CutValue::Path}};
constexpr std::pair<const char*, FinalChoice> final_choices[] = {
    {"robust", FinalChoice::Robust},
    {"max", FinalChoice::Max},
    {"robust_max", FinalChoice::RobustMax},
    {"secure", FinalChoice::Secure}};

AlphaBetaSteps steps_of(const std::map<std::string, int>& given) {
  AlphaBetaSteps steps;
  for (const auto& [name, number] : given) {
    const auto* known = std::find_if(std::begin(step_names), std::end(step_names),
                                     [&](const StepName& step) { return name == step.name; });
    if (known == std::end(step_names)) {
      std::string all;
      for (const StepName& step : step_names)
        all += (all.empty() ? "" : ", ") + std::string(step.name);
      throw ParseError("alpha-beta has no step '" + name + "'; it has " + all);
    }
    steps.*known->step = number;
  }
  return steps;
}

void bind_alpha_beta_settings(nb::module_& m) {
  const AlphaBetaSettings defaults;
  nb::class_<AlphaBetaSettings>(m, "AlphaBetaSettings",
                                "Budgets (0: no limit; at least one is needed) and switches.")
      .def(
          "__init__",
          [](AlphaBetaSettings* self, int depth, std::int64_t positions, double seconds,
             std::size_t table_bytes, bool keep, bool quiescence, bool extend_checks,
             bool equal_depth, bool exact_root, int quiescence_turns, bool reduce,
             std::size_t record, bool null_move, bool steep, double margin, bool widen,
             const std::map<std::string, int>& steps, double soft_seconds, bool thread_time,
             int threads) {
            AlphaBetaSettings s;
            s.depth = depth;
            s.positions = positions;
            s.seconds = seconds;
            s.table_bytes = table_bytes;
            s.keep = keep;
            s.quiescence = quiescence;
            s.extend_checks = extend_checks;
            s.equal_depth = equal_depth;
            s.exact_root = exact_root;
            s.quiescence_turns = quiescence_turns;
            s.reduce = reduce;
            s.record = record;
            s.null_move = null_move;
            s.steep = steep;
            s.margin = margin;
            s.widen = widen;
            s.steps = steps_of(steps);
            s.soft_seconds = soft_seconds;
            s.thread_time = thread_time;
            s.threads = threads;
            new (self) AlphaBetaSettings(s);
          },
          nb::kw_only(), "depth"_a = 0, "positions"_a = 0, "seconds"_a = 0.0,
          "table_bytes"_a = defaults.table_bytes, "keep"_a = false, "quiescence"_a = true,
          "extend_checks"_a = true, "equal_depth"_a = false, "exact_root"_a = false,
          "quiescence_turns"_a = 0, "reduce"_a = false, "record"_a = 0, "null_move"_a = false,
          "steep"_a = false, "margin"_a = 0.0, "widen"_a = false,
          "steps"_a = std::map<std::string, int>(), "soft_seconds"_a = 0.0, "thread_time"_a = false,
          "threads"_a = 1,
          "steps are numbers by name (`alpha_beta_steps`); with threads the result depends on "
          "timing.");
  std::map<std::string, int> usual;
  for (const StepName& step : step_names) usual[step.name] = step.usual;
  m.attr("alpha_beta_steps") = usual;
}

void bind_monte_carlo_settings(nb::module_& m) {
  const MonteCarloSettings defaults;
  nb::class_<MonteCarloSettings>(m, "MonteCarloSettings", "How a Monte-Carlo tree is grown.")
      .def(
          "__init__",
          [](MonteCarloSettings* self, std::int64_t simulations, std::int64_t nodes, double seconds,
             const Text& selection, double exploration, std::optional<double> first_play,
             std::optional<int> rollout_moves, const Text& cut_value, int expand_after,
             const Text& final_choice, double security, std::int64_t extra_simulations,
             double noise_alpha, double noise_fraction, int considered, double value_scale,
             std::size_t memory, int trees, int threads, std::uint64_t seed, std::uint64_t stream) {
            MonteCarloSettings s;
            s.simulations = simulations;
            s.nodes = nodes;
            s.seconds = seconds;
            s.selection = named(selections, selection, "selection");
            s.exploration = exploration;
            s.first_play = first_play;
            s.rollout_moves = rollout_moves.value_or(MonteCarloSettings::whole_game);
            s.cut_value = named(cut_values, cut_value, "cut_value");
            s.expand_after = expand_after;
            s.final_choice = named(final_choices, final_choice, "final_choice");
            s.security = security;
            s.extra_simulations = extra_simulations;
            s.noise_alpha = noise_alpha;
            s.noise_fraction = noise_fraction;
            s.considered = considered;
            s.value_scale = value_scale;
            s.memory = memory;
            s.trees = trees;
            s.threads = threads;
            s.seed = seed;
            s.stream = stream;
            new (self) MonteCarloSettings(s);
          },
          nb::kw_only(), "simulations"_a = defaults.simulations, "nodes"_a = 0, "seconds"_a = 0.0,
          "selection"_a = "ucb1", "exploration"_a = defaults.exploration,
          "first_play"_a = nb::none(), "rollout_moves"_a = nb::none(), "cut_value"_a = "evaluator",
          "expand_after"_a = defaults.expand_after, "final_choice"_a = "robust",
          "security"_a = defaults.security, "extra_simulations"_a = 0,
          "noise_alpha"_a = defaults.noise_alpha, "noise_fraction"_a = 0.0,
          "considered"_a = defaults.considered, "value_scale"_a = defaults.value_scale,
          "memory"_a = defaults.memory, "trees"_a = 1, "threads"_a = 1, "seed"_a = 0,
          "stream"_a = 0,
          "rollout_moves=None plays whole games, 0 asks the evaluator at the leaf. A cut "
          "rollout is worth what the evaluator says, or what the moves of the rollout or of the "
          "whole path have won. The result depends on trees, never on threads.");
}

void bind_leaf_gradient(nb::module_& m) {
  nb::class_<LeafGradient>(m, "LeafGradient", "What TD-Leaf learns from games of a search.")
      .def_prop_ro(
          "gradient",
          [](const LeafGradient& sums) {
            auto gradient = new_array<double>({sums.gradient.size()});
            std::copy(sums.gradient.begin(), sums.gradient.end(), gradient.data());
            return gradient;
          },
          nb::rv_policy::move,
          nb::sig("def gradient(self, /) -> numpy.typing.NDArray[numpy.float64]"),
          "[terms] of the loss whose slope by the weighted sum is the error, summed over leaves.")
      .def_ro("squares", &LeafGradient::squares, "The squared errors, summed.")
      .def_ro("leaves", &LeafGradient::leaves, "Leaves that were evaluated and not decided.")
      .def_ro("moves", &LeafGradient::moves, "Moves searched for.")
      .def_ro("positions", &LeafGradient::positions, "Positions the searches visited.")
      .def_ro("evaluations", &LeafGradient::evaluations, "Positions they evaluated.")
      .def_prop_ro(
          "score", [](const LeafGradient& sums) { return sums.scores[0]; },
          "What seat 0 got in all games together.");
}

}  // namespace

void bind_search_types(nb::module_& m) {
  bind_alpha_beta_settings(m);
  bind_monte_carlo_settings(m);
  bind_leaf_gradient(m);
  nb::class_<FoundMove>(m, "RootMove", "A move at the root of a search.")
      .def_prop_ro("move", [](const FoundMove& f) { return index(f.move.move); })
      .def_prop_ro(
          "visits", [](const FoundMove& f) { return f.move.visits; },
          "Simulations or positions spent below it.")
      .def_prop_ro(
          "scores", [](const FoundMove& f) { return scores_tuple(f.move.scores, f.seats); },
          nb::sig("def scores(self) -> tuple[float, ...]"), "What it is worth to each seat.");
  nb::class_<Found>(m, "SearchResult", "What a search found and what it took.")
      .def_prop_ro(
          "move",
          [](const Found& f) {
            return f.result.move == no_move ? std::nullopt : std::optional(index(f.result.move));
          },
          "The move to play; None when the game is over.")
      .def_prop_ro(
          "scores", [](const Found& f) { return scores_tuple(f.result.scores, f.seats); },
          nb::sig("def scores(self) -> tuple[float, ...]"), "By seat, in [-1, 1].")
      .def_prop_ro(
          "line",
          [](const Found& f) {
            std::vector<int> line;
            for (const Move move : f.result.line) line.push_back(index(move));
            return line;
          },
          "The principal variation, beginning with the move.")
      .def_prop_ro(
          "root",
          [](const Found& f) {
            std::vector<FoundMove> moves;
            for (const RootMove& move : f.result.root) moves.push_back({move, f.seats});
            return moves;
          },
          "Every move considered, best first.")
      .def_prop_ro("depth", [](const Found& f) { return f.result.depth; })
      .def_prop_ro("positions", [](const Found& f) { return f.result.positions; })
      .def_prop_ro("evaluations", [](const Found& f) { return f.result.evaluations; })
      .def_prop_ro("seconds", [](const Found& f) { return f.result.seconds; });
}

}  // namespace tempo::bind
