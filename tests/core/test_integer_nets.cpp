// Networks in integers: what is kept up from board to board equals what is made anew, on every kind
// of processor, and equals sums taken slowly.
#include <doctest/doctest.h>

#include "games/gomoku/lines.h"
#include "games/othello/features.h"
#include "games/shogi/strong.h"
#include "nets/incremental.h"
#include "nets/lines.h"

namespace test_integer_nets {

using namespace tempo;

constexpr std::uint64_t seed = 20261118;

std::vector<std::int8_t> bytes(std::size_t count, int most, Random& random) {
  std::vector<std::int8_t> made(count);
  for (auto& x : made)
    x = static_cast<std::int8_t>(static_cast<int>(random.below(2 * most + 1)) - most);
  return made;
}

QuantizedLayer layer(int inputs, int outputs, Random& random) {
  QuantizedLayer made{
      inputs, outputs, bytes(static_cast<std::size_t>(inputs * outputs), 127, random), {}};
  for (int o = 0; o < outputs; ++o)
    made.bias.push_back(static_cast<int>(random.below(9000)) - 4500);
  return made;
}

template <HasSparseFeatures P>
std::shared_ptr<const IncrementalNetwork> incremental(int width, Random& random) {
  using F = SparseFeatures<P>;
  std::vector<std::int16_t> bias(static_cast<std::size_t>(width));
  for (auto& b : bias) b = static_cast<std::int16_t>(random.below(200));
  return std::make_shared<IncrementalNetwork>(
      std::string(F::version), width, bytes(static_cast<std::size_t>(F::count * width), 40, random),
      bias, std::vector{layer(2 * width, 24, random), layer(24, 8, random), layer(8, 1, random)});
}

// The first layer and the rest, number by number.
template <HasSparseFeatures P>
int slow_rows(const IncrementalNetwork& network, const P& position, int ahead, int unit) {
  using F = SparseFeatures<P>;
  std::vector<std::uint16_t> written(2 * static_cast<std::size_t>(F::most));
  write_sparse(position, written.data());
  int sum = network.bias()[unit];
  for (int i = 0; i < F::most; ++i) {
    const int feature = written[static_cast<std::size_t>(ahead * F::most + i)];
    if (feature < F::count) sum += network.row_data()[feature * network.width() + unit];
  }
  return std::clamp(sum >> 1, 0, 127);
}

// Random games with looks at other positions between, as searches have them.
template <HasSparseFeatures P>
void check_game(int width) {
  Random random(seed, static_cast<std::uint64_t>(width));
  const auto network = incremental<P>(width, random);
  std::vector<IncrementalEvaluator<P>> kept;
  for (const IntegerKernels& kernels : integer_kernels()) kept.emplace_back(network, kernels);
  P position = P::start({});
  P elsewhere = position;
  for (int i = 0; i < 150; ++i) {
    const Move move = random_move(position, random);
    if (move == no_move) break;
    position.play(move);
    if (position.outcome()) break;
    std::vector<std::uint8_t> units(QuantizedLayers::widest);
    for (int u = 0; u < 2 * width; ++u) {
      units[static_cast<std::size_t>(u)] =
          static_cast<std::uint8_t>(slow_rows(*network, position, u / width, u % width));
    }
    const float slow =
        score_of_sum(network->layers().forward(integer_kernels().back(), units.data()));
    for (auto& evaluator : kept) {
      CHECK(evaluator(position) == slow);
      if (random.below(3) == 0) evaluator(elsewhere);
    }
    if (random.below(8) == 0) elsewhere = position;
  }
}

TEST_CASE("an incremental network is kept up as if made anew, on every processor") {
  check_game<shogi::Searched<shogi::Full>>(32);
  check_game<shogi::Searched<shogi::Full>>(160);
  check_game<shogi::MiniPosition>(64);
  check_game<othello::Position>(32);
}

TEST_CASE("half-king-piece features are those of every piece, seen alike by both seats") {
  using P = shogi::Position;
  using F = SparseFeatures<P>;
  Random random(seed, 1);
  P position = P::start({});
  for (int i = 0; i < 80 && !position.outcome(); ++i) {
    for (const int seat : {0, 1}) {
      FeatureList<F::most> list;
      F::active(F::board(position), Seat{static_cast<std::uint8_t>(seat)}, list);
      CHECK(list.size() == F::most);  // forty pieces, on the board or in hand
      std::vector<std::uint16_t> sorted(list.span().begin(), list.span().end());
      std::sort(sorted.begin(), sorted.end());
      CHECK(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
    }
    position.play(random_move(position, random));
  }
  // The start is the same for both, half a turn apart.
  std::array<std::uint16_t, 2 * F::most> written{};
  write_sparse(P::start({}), written.data());
  std::sort(written.begin(), written.begin() + F::most);
  std::sort(written.begin() + F::most, written.end());
  CHECK(std::equal(written.begin(), written.begin() + F::most, written.begin() + F::most));
}

std::shared_ptr<const LineNetwork> lines(int width, Random& random) {
  const auto wide = static_cast<std::size_t>(width);
  return std::make_shared<LineNetwork>(
      std::string(LineBoard<gomoku::Position>::version), width,
      bytes(wide * LinePatterns::count, 100, random), std::vector<std::int16_t>(wide, 11),
      layer(width, 16, random), std::vector{layer(16, 8, random), layer(8, 1, random)},
      bytes(wide, 127, random));
}

TEST_CASE("a network of lines is kept up as if made anew, on every processor") {
  for (const int width : {32, 64}) {
    Random random(seed, static_cast<std::uint64_t>(width));
    const auto network = lines(width, random);
    std::vector<LineEvaluator<gomoku::Position>> kept;
    for (const IntegerKernels& kernels : integer_kernels()) kept.emplace_back(network, kernels);
    for (const std::int16_t size : {std::int16_t{15}, std::int16_t{6}}) {
      gomoku::Options options;
      options.size = size;
      gomoku::Position position = gomoku::Position::start(options);
      const gomoku::Position start = position;
      for (int i = 0; i < 60 && !position.outcome(); ++i) {
        position.play(random_move(position, random));
        LineEvaluator<gomoku::Position> fresh(network, integer_kernels().back());
        const float anew = fresh(position);
        const int promise = fresh.at(position).promise(7);
        for (auto& evaluator : kept) {
          CHECK(evaluator(position) == anew);
          CHECK(evaluator.at(position).promise(7) == promise);
          if (random.below(6) == 0) evaluator(start);
        }
      }
    }
  }
}

TEST_CASE("patterns of lines do not tell mirror images apart, and know edges") {
  const LinePatterns& patterns = LinePatterns::all();
  int possible = 0;
  for (std::uint32_t code = 0; code < patterns.numbers.size(); ++code) {
    const std::uint16_t number = patterns.numbers[code];
    if (number == LinePatterns::count) continue;
    ++possible;
    std::uint32_t mirrored = 0;
    for (int i = 0; i < 9; ++i) mirrored |= (code >> (2 * i) & 3U) << (2 * (8 - i));
    CHECK(patterns.numbers[mirrored] == number);
  }
  CHECK(possible == 3 * LinePatterns::halves * LinePatterns::halves);
  CHECK(patterns.numbers[0x3] != LinePatterns::count);  // an edge four points away
  CHECK(patterns.numbers[0xC] == LinePatterns::count);  // a board beyond the edge
}

TEST_CASE("networks of other shapes or games are refused") {
  Random random(seed, 3);
  using P = othello::Position;
  const auto rows = bytes(128 * 32, 9, random);
  const std::vector<std::int16_t> bias(32);
  const std::vector good{layer(64, 1, random)};
  CHECK_THROWS_AS(IncrementalNetwork("x", 31, rows, bias, good), std::invalid_argument);
  CHECK_THROWS_AS(IncrementalNetwork("x", 32, rows, {}, good), std::invalid_argument);
  CHECK_THROWS_AS(IncrementalNetwork("x", 32, rows, bias, {}), std::invalid_argument);
  CHECK_THROWS_AS(IncrementalNetwork("x", 32, rows, bias, {layer(63, 1, random)}),
                  std::invalid_argument);
  CHECK_THROWS_AS(IncrementalNetwork("x", 32, rows, bias, {layer(64, 2, random)}),
                  std::invalid_argument);
  const auto other = std::make_shared<IncrementalNetwork>("x", 32, rows, bias, good);
  CHECK_THROWS_AS(IncrementalEvaluator<P>{other}, std::invalid_argument);
}

}  // namespace test_integer_nets
