// Binds Gomoku's patterns, games to follow them through, and the rules by which its critic learns.
//
// Letters: N positions, G games, T moves of all games one after the other.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <string>
#include <vector>

#include "../stop.h"
#include "binding.h"
#include "gomoku_critic.h"

namespace tempo::bind {

using namespace nb::literals;
using namespace gomoku;

std::vector<CriticRecord> checked_games(const gomoku::Options& options, const AnyInput<1>& moves,
                                        const AnyInput<1>& lengths) {
  const std::vector<std::int32_t> all = whole_numbers(moves, "moves");
  const std::vector<std::int32_t> counts = whole_numbers(lengths, "lengths");
  std::int64_t total = 0;
  for (const std::int32_t count : counts) {
    if (count < 0) throw ParseError("a game of " + std::to_string(count) + " moves");
    total += count;
  }
  if (at(total) != all.size()) {
    throw ParseError("lengths add up to " + std::to_string(total) + " moves; given were " +
                     number(all.size()));
  }
  std::vector<CriticRecord> records(counts.size());
  std::size_t t = 0;
  for (std::size_t g = 0; g < counts.size(); ++g) {
    Position position = Position::start(options);
    for (std::int32_t i = 0; i < counts[g]; ++i, ++t) {
      const Move move = checked_move<Position>(position, all[t]);
      if (!position.is_legal(move)) {
        throw IllegalMove("game " + number(g) + ": " + position.why_illegal(move));
      }
      position.play(move);
      records[g].moves.push_back(static_cast<std::int16_t>(index(move)));
    }
  }
  return records;
}

namespace {

Array<std::int16_t> pattern_counts(const Positions& positions) {
  auto counts = new_array<std::int16_t>({positions.size(), 2, pattern_kinds});
  const nb::gil_scoped_release release;
  StopPoll poll;
  for (std::size_t n = 0; n < positions.size(); ++n) {
    poll.check();
    const PatternBoard board(positions[n].position);
    std::copy_n(board.counts().begin(), pattern_places, counts.data() + n * pattern_places);
  }
  return counts;
}

Array<std::int16_t> follow_patterns(const gomoku::Options& options, const AnyInput<1>& moves,
                                    const AnyInput<1>& lengths) {
  const std::vector<CriticRecord> records = checked_games(options, moves, lengths);
  auto counts = new_array<std::int16_t>({moves.shape(0), 2, pattern_kinds});
  const nb::gil_scoped_release release;
  std::int16_t* out = counts.data();
  const PatternBoard empty(options.size);
  StopPoll poll;
  for (const CriticRecord& record : records) {
    poll.check();
    PatternBoard board = empty;
    for (std::size_t ply = 0; ply < record.moves.size(); ++ply) {
      board.put(Seat{static_cast<std::uint8_t>(ply & 1U)}, record.moves[ply]);
      out = std::copy_n(board.counts().begin(), pattern_places, out);
    }
  }
  return counts;
}

void check(const LearningRule& rule) {
  for (const float x : {rule.alpha, rule.rate_in, rule.rate_out, rule.discount}) {
    if (!(std::isfinite(x) && x >= 0))
      throw ParseError("a learning rule has a number below 0, or none; all must be 0 or more");
  }
  if (rule.repeats < 0) throw ParseError(std::to_string(rule.repeats) + " repeats; expected 0 on");
}

void check(const PlayRule& rule) {
  if (!(rule.random_share >= 0 && rule.random_share <= 1)) {
    throw ParseError("a random share of " + std::to_string(rule.random_share) +
                     "; expected 0 to 1");
  }
  check_radius(rule.radius);
}

void make_learning(LearningRule* self, double alpha, double rate_in, double rate_out,
                   double discount, int repeats, bool moving_target) {
  const auto narrow = [](double x) { return static_cast<float>(x); };
  const LearningRule rule{narrow(alpha),    narrow(rate_in), narrow(rate_out),
                          narrow(discount), repeats,         moving_target};
  check(rule);
  new (self) LearningRule(rule);
}

void make_playing(PlayRule* self, double random_share, bool random_opening, bool forced,
                  int radius) {
  const PlayRule rule{random_share, random_opening, forced, radius};
  check(rule);
  new (self) PlayRule(rule);
}

}  // namespace

void bind_critic_rules(nb::module_& m) {
  nb::class_<LearningRule>(
      m, "LearningRule",
      "How the critic is taught: e = alpha [r + discount V(x') - V(x)], with alpha once more in "
      "the "
      "gradient; `rate_in` and `rate_out` are the paper's l1 and l2. A transition is learnt "
      "`repeats` times over, V(x') looked up anew each time if `moving_target`.")
      .def("__init__", &make_learning, nb::kw_only(), "alpha"_a = 0.2, "rate_in"_a = 0.05,
           "rate_out"_a = 0.05, "discount"_a = 1.0, "repeats"_a = 50, "moving_target"_a = true);
  const PlayRule playing;
  nb::class_<PlayRule>(
      m, "PlayRule",
      "How games are played: a `random_share` of the moves is drawn from the candidates, the empty "
      "points within `radius` of a stone. With `random_opening` the first stone of player 2 is "
      "drawn from all points, and so is that of player 1 unless he begins. `forced`: a move that "
      "wins is played without asking the critic.")
      .def("__init__", &make_playing, nb::kw_only(), "random_share"_a = playing.random_share,
           "random_opening"_a = playing.random_opening, "forced"_a = playing.forced,
           "radius"_a = playing.radius);
}

namespace {

const Binding bind_gomoku_patterns("gomoku_critic_patterns", [](nb::module_& core) {
  auto m = nb::borrow<nb::module_>(core.attr("gomoku_critic"));
  m.def(
      "patterns",
      [] { return std::vector<std::string>(pattern_texts.begin(), pattern_texts.end()); },
      "The 20 patterns as text: X an own stone, _ an empty point.");
  m.def(
      "pattern_counts", &pattern_counts, "positions"_a,
      nb::sig(
          "def pattern_counts(positions: collections.abc.Sequence[tempo._core.gomoku.Position]) -> "
          "numpy.typing.NDArray[numpy.int16]"),
      "[N, 2, 20] how often each pattern stands, by seat.");
  m.def("follow_patterns", &follow_patterns, "options"_a, "moves"_a, "lengths"_a,
        nb::sig("def follow_patterns(options: tempo._core.gomoku.Options, "
                "moves: numpy.typing.NDArray[numpy.integer], "
                "lengths: numpy.typing.NDArray[numpy.integer]) -> "
                "numpy.typing.NDArray[numpy.int16]"),
        "[T, 2, 20] the patterns after every move of games, counted stone by stone.");
});

}  // namespace
}  // namespace tempo::bind
