// Binds the critic of Gomoku and how it learns, by arrays, the GIL released.
//
// Letters: N positions, I inputs, H hidden units, G games, M moves of a position, T moves of all
// games one after the other.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../games/gomoku/self_teaching.h"
#include "arrays.h"
#include "binding.h"
#include "gomoku_critic.h"
#include "guard.h"
#include "played.h"

namespace tempo::bind {

namespace {

using namespace nb::literals;
using namespace gomoku;
using Firsts = Copied<std::uint8_t, 1>;
using Flags = Input<bool, 1>;

void check_player(int player, const char* what) {
  if (player == 0 || player == 1) return;
  throw ParseError(std::string(what) + " is player " + std::to_string(player) +
                   "; expected 0 (player 1) or 1 (player 2)");
}

// A critic that one call at a time reads or teaches.
class HeldCritic {
 public:
  HeldCritic(const gomoku::Options& options, InputKind kind, int hidden)
      : options_(options), critic_(Encoder(kind, options.size), hidden) {}

  [[nodiscard]] const gomoku::Options& options() const { return options_; }
  [[nodiscard]] int inputs() const { return critic_.inputs(); }
  [[nodiscard]] int hidden() const { return critic_.hidden(); }
  [[nodiscard]] std::string kind() const {
    return std::string(input_kind_names[at(static_cast<int>(critic_.encoder().kind()))]);
  }

  // Calls work(critic) without the GIL, alone.
  template <class Work>
  void use(const Work& work) {
    const nb::gil_scoped_release release;
    alone_([&] { work(critic_); });
  }
  Critic copy() {
    std::optional<Critic> made;
    use([&](const Critic& critic) { made = critic; });
    return *made;
  }
  void check(const Positions& positions) const {
    for (const At& position : positions) check(position.position);
  }
  void check(const Position& position) const {
    if (position.options() == options_) return;
    throw ParseError("this critic plays on " + std::to_string(options_.size) + "x" +
                     std::to_string(options_.size) + " by its own rule; the position has others");
  }

 private:
  gomoku::Options options_;
  Critic critic_;
  Alone alone_;
};

InputKind kind_of(const Text& given) {
  const std::string name = given.string();
  for (std::size_t i = 0; i < input_kind_names.size(); ++i) {
    if (name == input_kind_names[i]) return static_cast<InputKind>(i);
  }
  throw ParseError("inputs '" + name + "'; expected patterns, counts, one_turn, no_turn or board");
}

void make(HeldCritic* self, const gomoku::Options& options, const Text& inputs, int hidden) {
  if (hidden < 1 || hidden > Critic::most_hidden) {
    throw ParseError(std::to_string(hidden) + " hidden units; expected 1 to " +
                     std::to_string(Critic::most_hidden));
  }
  new (self) HeldCritic(options, kind_of(inputs), hidden);
}

void load(HeldCritic& held, const Input<float, 2>& first, const Input<float, 1>& second) {
  const std::size_t inputs = at(held.inputs());
  const std::size_t hidden = at(held.hidden());
  if (first.shape(0) != inputs || first.shape(1) != hidden || second.shape(0) != hidden) {
    throw ParseError("weights [" + number(first.shape(0)) + ", " + number(first.shape(1)) +
                     "] and [" + number(second.shape(0)) + "]; expected [" + number(inputs) + ", " +
                     number(hidden) + "] and [" + number(hidden) + "]");
  }
  const auto finite = [](const float* data, std::size_t n) {
    return std::all_of(data, data + n, [](float x) { return std::isfinite(x); });
  };
  if (!finite(first.data(), first.size()) || !finite(second.data(), second.size())) {
    throw ParseError("weights must be finite numbers");
  }
  held.use([&](Critic& critic) { critic.read(first.data(), second.data()); });
}

nb::tuple weights(HeldCritic& held) {
  auto first = new_array<float>({at(held.inputs()), at(held.hidden())});
  auto second = new_array<float>({at(held.hidden())});
  held.use([&](Critic& critic) { critic.write(first.data(), second.data()); });
  return nb::make_tuple(first, second);
}

Array<float> encode(HeldCritic& held, const Positions& positions, int first) {
  check_player(first, "first");
  held.check(positions);
  const std::size_t inputs = at(held.inputs());
  auto rows = new_array<float>({positions.size(), inputs});
  std::fill_n(rows.data(), rows.size(), 0.0F);
  held.use([&](const Critic& critic) {
    Inputs found;
    for (std::size_t n = 0; n < positions.size(); ++n) {
      const CriticGame game(positions[n].position, first);
      critic.encoder().write(game.board, first, game.turn(), found);
      for (const auto& [index, value] : found) rows.data()[n * inputs + at(index)] = value;
    }
  });
  return rows;
}

Array<float> values(HeldCritic& held, const Positions& positions, int first) {
  check_player(first, "first");
  held.check(positions);
  auto found = new_array<float>({positions.size()});
  held.use([&](const Critic& critic) {
    Inputs inputs;
    for (std::size_t n = 0; n < positions.size(); ++n) {
      const CriticGame game(positions[n].position, first);
      critic.encoder().write(game.board, first, game.turn(), inputs);
      found.data()[n] = critic.value(inputs);
    }
  });
  return found;
}

nb::tuple judge_moves(HeldCritic& held, const At& position, int first, int radius) {
  check_player(first, "first");
  check_radius(radius);
  held.check(position.position);
  if (position.is_over()) throw IllegalMove("the game is over, so there is no move to judge");
  const auto judged = std::make_unique_for_overwrite<Judged>();
  held.use([&](const Critic& critic) {
    judge(critic, CriticGame(position.position, first), radius, false, *judged);
  });
  const auto count = at(judged->moves.size());
  auto moves = new_array<std::int32_t>({count});
  auto found = new_array<float>({count});
  for (std::size_t i = 0; i < count; ++i) {
    moves.data()[i] = index(judged->moves[static_cast<int>(i)]);
    found.data()[i] = judged->values[i];
  }
  return nb::make_tuple(moves, found, judged->five ? index(*judged->five) : -1);
}

// ---- whole games
// ---------------------------------------------------------------------------------

// (moves [T], is_random [T], lengths, results, squares, evaluated [G], asked, agreed [G, 2])
nb::tuple as_arrays(const std::vector<CriticRecord>& records) {
  std::size_t total = 0;
  for (const CriticRecord& record : records) total += record.moves.size();
  auto moves = new_array<std::int16_t>({total});
  auto is_random = new_array<bool>({total});
  auto lengths = new_array<std::int32_t>({records.size()});
  auto results = new_array<float>({records.size()});
  auto squares = new_array<float>({records.size()});
  auto evaluated = new_array<std::int64_t>({records.size()});
  auto asked = new_array<std::int32_t>({records.size(), 2});
  auto agreed = new_array<std::int32_t>({records.size(), 2});
  std::size_t t = 0;
  for (std::size_t g = 0; g < records.size(); ++g) {
    const CriticRecord& record = records[g];
    std::copy(record.moves.begin(), record.moves.end(), moves.data() + t);
    for (const std::uint8_t flag : record.is_random) is_random.data()[t++] = flag != 0;
    lengths.data()[g] = static_cast<std::int32_t>(record.moves.size());
    results.data()[g] = record.result;
    squares.data()[g] = record.squares;
    evaluated.data()[g] = record.evaluated;
    std::copy_n(record.asked.begin(), 2, asked.data() + 2 * g);
    std::copy_n(record.agreed.begin(), 2, agreed.data() + 2 * g);
  }
  return nb::make_tuple(moves, is_random, lengths, results, squares, evaluated, asked, agreed);
}

void check_firsts(const Firsts& firsts) {
  for (std::size_t g = 0; g < firsts.size(); ++g) check_player(firsts.data()[g], "first");
}

std::optional<Critic> expert_of(HeldCritic* expert, const HeldCritic& held) {
  if (expert == nullptr) return std::nullopt;
  if (!(expert->options() == held.options())) {
    throw ParseError("the expert plays by other rules or on another board");
  }
  return expert->copy();  // so that a critic may be its own expert
}

nb::tuple teach_itself(HeldCritic& held, const Firsts& firsts, std::uint64_t seed,
                       std::uint64_t begin, const LearningRule& learning, const PlayRule& rule,
                       HeldCritic* expert) {
  check_firsts(firsts);
  const std::optional<Critic> asked = expert_of(expert, held);
  std::vector<CriticRecord> records;
  held.use([&](Critic& critic) {
    records = teach_games(critic, held.options(), firsts, seed, begin, learning, rule,
                          asked ? &*asked : nullptr);
  });
  return as_arrays(records);
}

nb::tuple play(HeldCritic& held, const Firsts& firsts, std::uint64_t seed, std::uint64_t begin,
               const PlayRule& rule, int threads) {
  check_firsts(firsts);
  std::vector<CriticRecord> records;
  held.use([&](const Critic& critic) {
    records = play_games(critic, held.options(), firsts, seed, begin, rule, threads);
  });
  return as_arrays(records);
}

nb::tuple watch(HeldCritic& held, const AnyInput<1>& moves, const Flags& is_random,
                const AnyInput<1>& lengths, const Firsts& firsts, const LearningRule& learning,
                const PlayRule& rule) {
  std::vector<CriticRecord> records = checked_games(held.options(), moves, lengths);
  check_firsts(firsts);
  check_length(firsts, static_cast<int>(records.size()), "firsts");
  if (is_random.size() != moves.shape(0)) {
    throw ParseError(number(is_random.size()) + " flags of " + number(moves.shape(0)) + " moves");
  }
  std::size_t t = 0;
  for (std::size_t g = 0; g < records.size(); ++g) {
    records[g].first = firsts.data()[g];
    const auto* flags = reinterpret_cast<const std::uint8_t*>(is_random.data()) + t;
    records[g].is_random.assign(flags, flags + records[g].moves.size());
    t += records[g].moves.size();
  }
  held.use([&](Critic& critic) { watch_games(critic, held.options(), learning, rule, records); });
  return as_arrays(records);
}

// One transition, to see what it does: x towards x', or towards a number.
void learn(HeldCritic& held, const LearningRule& rule, const Input<float, 1>& x,
           const std::optional<Input<float, 1>>& next, float worth) {
  const auto sparse = [&](const Input<float, 1>& row) {
    if (row.shape(0) != at(held.inputs())) {
      throw ParseError(number(row.shape(0)) + " inputs; expected " + number(at(held.inputs())));
    }
    Inputs found;
    for (std::size_t j = 0; j < row.shape(0); ++j) {
      if (row.data()[j] == 0) continue;
      if (found.size() == Inputs::most) throw ParseError("too many inputs are not zero");
      found.add(static_cast<int>(j), row.data()[j]);
    }
    return found;
  };
  const Inputs before = sparse(x);
  const std::optional<Inputs> after = next ? std::optional(sparse(*next)) : std::nullopt;
  held.use([&](Critic& critic) {
    if (after) {
      critic.learn(rule, before, *after);
    } else {
      critic.learn(rule, before, worth);
    }
  });
}

// What the stubs say of the arrays of games.
#define TEMPO_GAMES                                                              \
  "tuple[numpy.typing.NDArray[numpy.int16], numpy.typing.NDArray[numpy.bool_], " \
  "numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float32], "     \
  "numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.int64], "     \
  "numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int32]]"

void bind_critic(nb::module_& m) {
  nb::class_<HeldCritic>(
      m, "Critic",
      "A network without biases that says how likely player 1 is to win: `inputs` are patterns, "
      "counts, one_turn, no_turn or board; one hidden layer; sigmoids. Player 1 and 2 are 0 and 1 "
      "here, `first` is the player who began. All weights are 0 until they are loaded.")
      .def("__init__", &make, "options"_a, nb::kw_only(), "inputs"_a = "patterns", "hidden"_a = 100)
      .def_prop_ro("inputs", &HeldCritic::kind, "Which inputs it has.")
      .def_prop_ro("input_count", &HeldCritic::inputs, "How many.")
      .def_prop_ro("hidden", &HeldCritic::hidden, "How many hidden units.")
      .def("load", &load, "first"_a, "second"_a,
           nb::sig("def load(self, first: numpy.typing.NDArray[numpy.float32], "
                   "second: numpy.typing.NDArray[numpy.float32]) -> None"),
           "Takes weights into [I, H] and out of [H] the hidden layer.")
      .def("weights", &weights,
           nb::sig("def weights(self) -> tuple[numpy.typing.NDArray[numpy.float32], "
                   "numpy.typing.NDArray[numpy.float32]]"),
           "Weights into [I, H] and out of [H] the hidden layer.")
      .def("encode", &encode, "positions"_a, "first"_a = 0,
           nb::sig(
               "def encode(self, positions: collections.abc.Sequence[tempo._core.gomoku.Position], "
               "first: int = 0) -> numpy.typing.NDArray[numpy.float32]"),
           "[N, I] what the critic sees of positions.")
      .def("values", &values, "positions"_a, "first"_a = 0,
           nb::sig(
               "def values(self, positions: collections.abc.Sequence[tempo._core.gomoku.Position], "
               "first: int = 0) -> numpy.typing.NDArray[numpy.float32]"),
           "[N] how likely player 1 is to win.")
      .def("judge", &judge_moves, "position"_a, "first"_a = 0, "radius"_a = 2,
           nb::sig("def judge(self, position: tempo._core.gomoku.Position, first: int = 0, "
                   "radius: int = 2) -> tuple[numpy.typing.NDArray[numpy.int32], "
                   "numpy.typing.NDArray[numpy.float32], int]"),
           "The candidates [M], the value after each [M], and the last of them that wins at once, "
           "or -1.")
      .def("learn", &learn, "rule"_a, "x"_a, "next"_a = nb::none(), "worth"_a = 0.0F,
           nb::sig("def learn(self, rule: LearningRule, x: numpy.typing.NDArray[numpy.float32], "
                   "next: numpy.typing.NDArray[numpy.float32] | None = None, "
                   "worth: float = 0.0) -> None"),
           "One transition: inputs x [I] towards the value of the next [I], or towards a number.")
      .def("teach_itself", &teach_itself, "firsts"_a, "seed"_a, "begin"_a, "learning"_a, "rule"_a,
           "expert"_a = nb::none(),
           nb::sig("def teach_itself(self, firsts: numpy.typing.NDArray[numpy.uint8], seed: int, "
                   "begin: int, learning: LearningRule, rule: PlayRule, "
                   "expert: Critic | None = None) -> " TEMPO_GAMES),
           "Plays G games against itself, begun by players `firsts` [G], and learns after every "
           "move. Game i takes its random numbers from seed and begin + i. Returns moves [T], "
           "whether each was random [T], lengths [G], results of player 1 [G], how far values were "
           "from what they were moved to, squared and summed [G], positions evaluated to choose "
           "moves [G], and by player how often the "
           "expert was asked and agreed [G, 2] each.")
      .def("watch", &watch, "moves"_a, "is_random"_a, "lengths"_a, "firsts"_a, "learning"_a,
           "rule"_a,
           nb::sig("def watch(self, moves: numpy.typing.NDArray[numpy.integer], "
                   "is_random: numpy.typing.NDArray[numpy.bool_], "
                   "lengths: numpy.typing.NDArray[numpy.integer], "
                   "firsts: numpy.typing.NDArray[numpy.uint8], learning: LearningRule, "
                   "rule: PlayRule) -> " TEMPO_GAMES),
           "Learns from games that others played. Returns what `teach_itself` does; asked and "
           "agreed say how often this critic would have played what was played.")
      .def("play", &play, "firsts"_a, "seed"_a, "begin"_a, "rule"_a, "threads"_a = 1,
           nb::sig("def play(self, firsts: numpy.typing.NDArray[numpy.uint8], seed: int, "
                   "begin: int, rule: PlayRule, threads: int = 1) -> " TEMPO_GAMES),
           "As `teach_itself`, and learns nothing.");
}

const Binding bind_gomoku_critic("gomoku_critic", [](nb::module_& core) {
  auto m = core.def_submodule("gomoku_critic", "Gomoku's patterns, and a critic that learns.");
  bind_critic_rules(m);
  bind_critic(m);
});

}  // namespace
}  // namespace tempo::bind
