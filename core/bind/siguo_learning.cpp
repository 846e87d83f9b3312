// Binds the 130 inputs of Siguo's learners and the games that their network plays with itself.
//
// Letters: V views, M moves of a view, G games, N moves of all games one after the other, H hidden
// units.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "../games/siguo/online.h"
#include "../parallel/pool.h"
#include "arrays.h"
#include "binding.h"
#include "guard.h"

namespace tempo::bind {

namespace {

using namespace nb::literals;
using namespace siguo;

Encoder encoder_of(const Text& given) {
  const std::string name = given.string();
  for (std::size_t i = 0; i < input_kind_names.size(); ++i)
    if (name == input_kind_names[i]) return Encoder(static_cast<InputKind>(i));
  throw ParseError("inputs '" + name + "'; expected stations, ranks, summary or summary-sapper");
}

Array<float> features(const std::vector<View>& views, const Text& kind) {
  const Encoder encoder = encoder_of(kind);
  auto rows = new_array<float>({views.size(), at(inputs)});
  const nb::gil_scoped_release release;
  std::array<RunningBelief, 4> beliefs;
  Inputs x;
  for (std::size_t n = 0; n < views.size(); ++n) {
    RunningBelief& belief = beliefs[at(index(views[n].seat()))];
    belief.update(views[n]);
    if (is_summary(encoder.kind()))
      Summary(encoder, views[n], belief).now(x);
    else
      encoder.write(views[n], belief, x);
    std::copy(x.begin(), x.end(), rows.data() + at(inputs) * n);
  }
  return rows;
}

Array<float> chances(const View& view) {
  RunningBelief belief;
  belief.update(view);
  auto rows = new_array<float>({at(pieces), at(kinds)});
  for (int piece = 0; piece < pieces; ++piece)
    std::copy_n(belief.chances(piece).data(), kinds, rows.data() + kinds * piece);
  return rows;
}

void check_turn(const View& view) {
  if (view.outcome()) throw IllegalMove("the game is over, so there is no move to judge");
  if (view.turn() != view.seat()) throw IllegalMove("another seat is to move");
}

nb::tuple after_moves(const View& view, const Text& kind) {
  check_turn(view);
  const Encoder encoder = encoder_of(kind);
  RunningBelief belief;
  belief.update(view);
  Moves moves;
  view.legal_moves(moves);
  const auto count = at(moves.size());
  auto numbers = new_array<std::int32_t>({count});
  auto rows = new_array<float>({count, at(inputs)});
  Inputs x;
  for (std::size_t i = 0; i < count; ++i) {
    const Move move = moves[static_cast<int>(i)];
    if (is_summary(encoder.kind())) {
      Summary(encoder, view, belief).after(move, x);
    } else {
      encoder.write(view, belief, x);
      encoder.apply(view, encoder.change(view, belief, move), x);
    }
    numbers.data()[i] = index(move);
    std::copy(x.begin(), x.end(), rows.data() + at(inputs) * i);
  }
  return nb::make_tuple(numbers, rows);
}

// A network with the inputs it was made for.
struct Player {
  Encoder encoder;
  QNetwork network;
};

void make(Player* self, const Input<float, 2>& first, const Input<float, 1>& bias,
          const Input<float, 1>& second, float last, const Text& kind) {
  const std::size_t hidden = second.shape(0);
  if (hidden < 1 || hidden > at(QNetwork::most_hidden))
    throw ParseError(std::to_string(hidden) + " hidden units; expected 1 to 8");
  if (first.shape(0) != at(inputs) || first.shape(1) != hidden || bias.shape(0) != hidden)
    throw ParseError("weights into the hidden units must be [130, H], their biases [H]");
  bool finite = std::isfinite(last);
  for (std::size_t i = 0; i < first.size(); ++i) finite &= std::isfinite(first.data()[i]);
  for (std::size_t j = 0; j < hidden; ++j)
    finite &= std::isfinite(bias.data()[j]) && std::isfinite(second.data()[j]);
  if (!finite) throw ParseError("weights must be finite numbers");
  new (self) Player{encoder_of(kind), QNetwork(static_cast<int>(hidden), first.data(), bias.data(),
                                               second.data(), last)};
}

nb::tuple judge_moves(const Player& player, const View& view) {
  check_turn(view);
  RunningBelief belief;
  belief.update(view);
  Judged judged;
  judge(player.encoder, player.network, view, belief, judged);
  const auto count = at(judged.moves.size());
  auto moves = new_array<std::int32_t>({count});
  auto values = new_array<float>({count});
  for (std::size_t i = 0; i < count; ++i) {
    moves.data()[i] = index(judged.moves[static_cast<int>(i)]);
    values.data()[i] = judged.values[i];
  }
  return nb::make_tuple(moves, values);
}

// (rows [N, 130], taken [N], best [N], turn [N], gains [N, 4], lengths [G], scores [G, 4],
// evaluated)
nb::tuple as_arrays(const std::vector<SelfPlayed>& games) {
  std::size_t total = 0;
  std::int64_t evaluated = 0;
  for (const SelfPlayed& game : games) total += game.turn.size();
  auto rows = new_array<float>({total, at(inputs)});
  auto taken = new_array<float>({total});
  auto best = new_array<float>({total});
  auto turn = new_array<std::uint8_t>({total});
  auto gains = new_array<float>({total, 4});
  auto lengths = new_array<std::int32_t>({games.size()});
  auto scores = new_array<float>({games.size(), 4});
  std::size_t n = 0;
  for (std::size_t g = 0; g < games.size(); ++g) {
    const SelfPlayed& game = games[g];
    std::copy(game.rows.begin(), game.rows.end(), rows.data() + at(inputs) * n);
    std::copy(game.taken.begin(), game.taken.end(), taken.data() + n);
    std::copy(game.best.begin(), game.best.end(), best.data() + n);
    std::copy(game.turn.begin(), game.turn.end(), turn.data() + n);
    std::copy(game.gains.begin(), game.gains.end(), gains.data() + 4 * n);
    std::copy_n(game.scores.begin(), 4, scores.data() + 4 * g);
    lengths.data()[g] = static_cast<std::int32_t>(game.turn.size());
    evaluated += game.evaluated;
    n += game.turn.size();
  }
  return nb::make_tuple(rows, taken, best, turn, gains, lengths, scores, evaluated);
}

void check_play(const Exploration& how, int games, int threads) {
  if (!(how.random_share >= 0 && how.random_share <= 1 && how.temperature >= 0))
    throw ParseError("random_share lies from 0 to 1, temperature from 0 on");
  if (games < 0 || threads < 1) throw ParseError("games start at 0, threads at 1");
}

Opponent opponent_of(const Text& given) {
  const std::string name = given.string();
  for (std::size_t i = 0; i < opponent_names.size(); ++i)
    if (name == opponent_names[i]) return static_cast<Opponent>(i);
  throw ParseError("opponent '" + name + "'; expected itself, stand-in or heuristic");
}

// Game n is played from the south and north if n is even, else from the east and west.
Field field_of(Opponent opponent, double notices, std::uint64_t game) {
  return {opponent, notices, static_cast<int>(game % 2)};
}

void check_notices(double notices) {
  if (!(notices >= 0 && notices <= 1)) throw ParseError("notices lies from 0 to 1");
}

nb::tuple play(const Player& player, const siguo::Options& options, int games, std::uint64_t seed,
               std::uint64_t begin, double random_share, double temperature, const Text& opponent,
               double notices, int threads) {
  check_play({random_share, temperature}, games, threads);
  check_notices(notices);
  const Opponent other = opponent_of(opponent);
  std::vector<SelfPlayed> played(at(games));
  {
    const nb::gil_scoped_release release;
    Pool pool(threads);
    pool.run(
        games,
        [&](std::int64_t g) {
          const std::uint64_t game = begin + static_cast<std::uint64_t>(g);
          Random random(seed, game);
          played[static_cast<std::size_t>(g)] =
              play_game(player.encoder, player.network, options, {random_share, temperature},
                        field_of(other, notices, game), random);
        },
        1);
  }
  return as_arrays(played);
}

// One game, by (seed, game) alone; the player's weights are changed.
nb::dict learn(Player& player, const siguo::Options& options, std::uint64_t seed,
               std::uint64_t game, double random_share, double temperature, const Text& opponent,
               double notices, const std::array<double, 3>& trace, int steps, double discount,
               double step_size, double strength, bool cut_on_explore, bool biases) {
  check_play({random_share, temperature}, 1, 1);
  check_notices(notices);
  if (steps < 1) throw ParseError("steps start at 1");
  const Field field = field_of(opponent_of(opponent), notices, game);
  const OnlineRule rule{
      {trace[0], trace[1], trace[2]}, steps, discount, step_size, strength, cut_on_explore, biases};
  Random random(seed, game);
  Learnt learnt;
  {
    const nb::gil_scoped_release release;
    learnt = learn_game(player.encoder, player.network, options, {random_share, temperature}, field,
                        rule, random);
  }
  nb::dict found;
  found["score"] = learnt.scores[at(learnt.team)];
  found["length"] = learnt.length;
  found["made"] = learnt.made;
  found["explored"] = learnt.explored;
  found["undone"] = learnt.undone;
  found["squares"] = learnt.squares;
  found["judged"] = learnt.evaluated;
  return found;
}

nb::tuple weights_of(const Player& player) {
  const QNetwork& network = player.network;
  const std::size_t hidden = at(network.hidden());
  auto first = new_array<float>({at(inputs), hidden});
  auto bias = new_array<float>({hidden});
  auto second = new_array<float>({hidden});
  for (int j = 0; j < network.hidden(); ++j) {
    bias.data()[j] = network.bias(j);
    second.data()[j] = network.second(j);
    for (int i = 0; i < inputs; ++i) first.data()[network.hidden() * i + j] = network.row(i)[j];
  }
  return nb::make_tuple(first, bias, second, network.last());
}

// Pair i is one dealt start played twice, by (seed, begin + i) alone: the networks are first at the
// south and north, then at the east and west.
nb::tuple test(const Player& player, const siguo::Options& options, int pairs, std::uint64_t seed,
               std::uint64_t begin, double random_share, double temperature, double notices,
               int threads) {
  check_play({random_share, temperature}, pairs, threads);
  check_notices(notices);
  std::vector<Tested> played(2 * at(pairs));
  {
    const nb::gil_scoped_release release;
    Pool pool(threads);
    pool.run(
        pairs,
        [&](std::int64_t pair) {
          Random random(seed, begin + static_cast<std::uint64_t>(pair));
          const Position start = Position::deal(options, random);
          for (int team = 0; team < 2; ++team)
            played[2 * static_cast<std::size_t>(pair) + at(team)] =
                play_stand_ins(player.encoder, player.network, start, team,
                               {random_share, temperature}, notices, random);
        },
        1);
  }
  auto scores = new_array<float>({at(pairs), 2});
  auto counts = new_array<std::int32_t>({at(pairs), 2, 4});
  std::int64_t evaluated = 0;
  for (std::size_t g = 0; g < played.size(); ++g) {
    scores.data()[g] = played[g].score;
    counts.data()[4 * g] = played[g].length;
    counts.data()[4 * g + 1] = played[g].made;
    counts.data()[4 * g + 2] = played[g].explored;
    counts.data()[4 * g + 3] = played[g].undone;
    evaluated += played[g].evaluated;
  }
  return nb::make_tuple(scores, counts, evaluated);
}

void bind_player(nb::module_& m) {
  nb::class_<Player>(m, "Player",
                     "A network on the 130 inputs that plays: tanh units, weights into [130, H], "
                     "biases [H] and weights out of [H] the hidden units, and the last bias.")
      .def("__init__", &make, "first"_a, "bias"_a, "second"_a, "last"_a, nb::kw_only(),
           "inputs"_a = "stations")
      .def("judge", &judge_moves, "view"_a,
           nb::sig("def judge(self, view: tempo._core.siguo.View) -> "
                   "tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float32]]"),
           "The legal moves [M] and what each is worth to the seat to move [M].")
      .def("play", &play, "options"_a, "games"_a, nb::kw_only(), "seed"_a, "begin"_a = 0,
           "random_share"_a = 0.0, "temperature"_a = 0.0, "opponent"_a = "itself",
           "notices"_a = 0.0, "threads"_a = 1,
           nb::sig("def play(self, options: tempo._core.siguo.Options, games: int, *, seed: int, "
                   "begin: int = 0, random_share: float = 0.0, temperature: float = 0.0, "
                   "opponent: str = 'itself', notices: float = 0.0, threads: int = 1) -> "
                   "tuple[numpy.typing.NDArray[numpy.float32], "
                   "numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32], "
                   "numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.float32], "
                   "numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float32], int]"),
           "Games from dealt starts with itself, or of two of it with two stand-ins or heuristics, "
           "game i by (seed, begin + i) alone. Of its own moves: the expected states after them "
           "[N, 130], Q of the moves made [N] and of the best [N], who made "
           "them [N], the strength that each seat took less what it lost [N, 4], lengths [G], "
           "scores [G, 4], and how many moves were judged.")
      .def("learn", &learn, "options"_a, nb::kw_only(), "seed"_a, "game"_a, "random_share"_a = 0.0,
           "temperature"_a = 0.0, "opponent"_a = "itself", "notices"_a = 0.0, "trace"_a, "steps"_a,
           "discount"_a, "step_size"_a, "strength"_a = 0.0, "cut_on_explore"_a = false,
           "biases"_a = false,
           nb::sig("def learn(self, options: tempo._core.siguo.Options, *, seed: int, game: int, "
                   "random_share: float = 0.0, temperature: float = 0.0, "
                   "opponent: str = 'itself', notices: float = 0.0, "
                   "trace: tuple[float, float, float], steps: int, discount: float, "
                   "step_size: float, strength: float = 0.0, cut_on_explore: bool = False, "
                   "biases: bool = False) -> dict[str, float]"),
           "Plays one game by (seed, game) alone and learns at every own move, m - 1 moves late: "
           "the weights are changed. `trace` is (first, low, half): λ falls from first to low over "
           "the own moves of a game, half-way after `half`; 0: it stays. Returns the score of its "
           "team, all moves (length), its own (made), those not best (explored), those that took "
           "back the one before (undone), the sum of squared errors, and moves judged.")
      .def("weights", &weights_of,
           nb::sig("def weights(self) -> tuple[numpy.typing.NDArray[numpy.float32], "
                   "numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32], "
                   "float]"),
           "Weights into [130, H], biases [H] and weights out of [H] the hidden units, the last "
           "bias.")
      .def(
          "test", &test, "options"_a, "pairs"_a, nb::kw_only(), "seed"_a, "begin"_a = 0,
          "random_share"_a = 0.0, "temperature"_a = 0.0, "notices"_a = 0.0, "threads"_a = 1,
          nb::sig("def test(self, options: tempo._core.siguo.Options, pairs: int, *, seed: int, "
                  "begin: int = 0, random_share: float = 0.0, temperature: float = 0.0, "
                  "notices: float = 0.0, threads: int = 1) -> "
                  "tuple[numpy.typing.NDArray[numpy.float32], "
                  "numpy.typing.NDArray[numpy.int32], int]"),
          "Two of it against two stand-ins, which with probability `notices` make the attack that "
          "they expect most of, if it gains anything, and else any move. Every dealt start twice, "
          "teams swapped: scores [P, 2]; all moves, those of the networks, those of them that were "
          "not best and those that took back the one before [P, 2, 4]; and how many moves were "
          "judged.");
}

const Binding bind_siguo_learning("siguo_learning", [](nb::module_& core) {
  auto m = core.def_submodule("siguo_learning", "What the paper's learners of Siguo play with.");
  m.attr("inputs") = int{inputs};
  m.def("features", &features, "views"_a, "inputs"_a = "stations",
        nb::sig("def features(views: collections.abc.Sequence[tempo._core.siguo.View], "
                "inputs: str = 'stations') -> numpy.typing.NDArray[numpy.float32]"),
        "[V, 130] what each view's seat sees and believes, as stations or ranks.");
  m.def("chances", &chances, "view"_a,
        nb::sig("def chances(view: tempo._core.siguo.View) -> numpy.typing.NDArray[numpy.float32]"),
        "[100, 12] the quick chance of each kind for each piece, by seat and home.");
  m.def("after_moves", &after_moves, "view"_a, "inputs"_a = "stations",
        nb::sig("def after_moves(view: tempo._core.siguo.View, inputs: str = 'stations') -> "
                "tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float32]]"),
        "The legal moves [M] and the expected states after them [M, 130].");
  m.def(
      "check_opponent", [](const Text& name) { opponent_of(name); }, "name"_a,
      nb::sig("def check_opponent(name: str) -> None"),
      "Refuses names other than itself, stand-in and heuristic.");
  bind_player(m);
});

}  // namespace
}  // namespace tempo::bind
