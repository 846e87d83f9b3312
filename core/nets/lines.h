// A network of line patterns, for games with stones of two seats on a square board. Every point
// lies on four lines; the nine points of each line around it are a pattern, and a table says what a
// pattern adds to the units of the point. The units are rectified and added up over the board;
// small layers of integers make a value of the totals, and one row of weights makes of a point's
// units how likely a move there is. (After the pattern networks of Gomoku programs since 2020.)
//
// As with incremental.h nothing follows moves: the board evaluated last is kept, and the next is
// reached from it by the stones that differ.
#pragma once

#include <array>
#include <bit>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../evaluator.h"
#include "quantized.h"

namespace tempo {

// A game with such a board specialises `LineBoard`.
template <class P>
struct LineBoard;

template <class P>
concept HasLines = Game<P> && P::seats == 2 && requires(const P& position, Seat seat, int y) {
  { LineBoard<P>::version } -> std::convertible_to<std::string_view>;
  { LineBoard<P>::size(position) } -> std::same_as<int>;                    // at most 20
  { LineBoard<P>::row(position, seat, y) } -> std::same_as<std::uint32_t>;  // bit x: a stone
};

// Patterns of nine points, two bits each from one end: 0 empty, 1 a stone of the seat that looks, 2
// of the other, 3 off the board. A line and its mirror image are one pattern; beyond the edge there
// is nothing but the edge.
struct LinePatterns {
  static constexpr int reach = 4;
  static constexpr int points = 2 * reach + 1;
  static constexpr int halves = 121;  // 1 + 3 + 9 + 27 + 81: up to four points before an edge
  static constexpr int count = 3 * halves * (halves + 1) / 2;

  std::vector<std::uint16_t> numbers;  // by code; `count` for what cannot be

  static const LinePatterns& all();
};

class LineNetwork {
 public:
  // Rows [patterns, width] and bias [width] of the points; layers [width] to one number, the first
  // of them on totals divided by 16; policy [width]. Throws std::invalid_argument when the shapes
  // do not fit.
  LineNetwork(std::string version, int width, std::vector<std::int8_t> rows,
              std::vector<std::int16_t> bias, QuantizedLayer first,
              const std::vector<QuantizedLayer>& layers, std::vector<std::int8_t> policy);

  static constexpr int total_shift = 4;  // totals count a sixteenth
  static constexpr int widest = 64;

  [[nodiscard]] const std::string& version() const { return version_; }
  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] const std::int8_t* rows() const { return rows_.data(); }
  [[nodiscard]] const std::int16_t* bias() const { return bias_.data(); }
  [[nodiscard]] const std::int8_t* policy() const { return policy_.data(); }
  [[nodiscard]] std::int64_t multiply_adds() const { return multiply_adds_; }

  [[nodiscard]] std::int32_t value(const IntegerKernels& kernels, const std::uint16_t* total) const;

 private:
  std::string version_;
  int width_;
  std::vector<std::int8_t> rows_;
  std::vector<std::int16_t> bias_;
  QuantizedLayer first_;
  QuantizedLayers layers_;
  std::vector<std::int8_t> policy_;
  std::int64_t multiply_adds_ = 0;
};

// A board of stones with the units of all its points, as one seat sees them.
class LineUnits {
 public:
  static constexpr int largest = 20;

  LineUnits(const LineNetwork& network, const IntegerKernels& kernels, Seat seat)
      : network_(&network), kernels_(&kernels), seat_(seat) {}

  // Goes to a board: row(seat, y) gives its stones.
  template <class Row>
  void go_to(int size, const Row& row) {
    if (size != size_) clear(size);
    changes_.clear();
    std::array<std::uint16_t, std::size_t{largest} * largest> changed;
    std::size_t count = 0;
    for (int y = 0; y < size; ++y) {
      std::uint32_t here = 0;
      for (const int seat : {0, 1}) {
        std::uint32_t& old = stones_[static_cast<std::size_t>(seat)][static_cast<std::size_t>(y)];
        const std::uint32_t now = row(Seat{static_cast<std::uint8_t>(seat)}, y);
        for (std::uint32_t left = old ^ now; left != 0; left &= left - 1) {
          flip(std::countr_zero(left), y, seat == index(seat_) ? 1 : 2);
        }
        here |= old ^ now;
        old = now;
      }
      for (; here != 0; here &= here - 1) {
        changed[count++] = static_cast<std::uint16_t>(y * size + std::countr_zero(here));
      }
    }
    for (std::size_t i = 0; i < count; ++i) look_around(changed[i] % size, changed[i] / size);
    kernels_->change_rows(network_->rows(), network_->width(), changes_, sums_.data(),
                          units_.data(), total_.data());
    row_sums_ += static_cast<std::int64_t>(changes_.size());
  }

  [[nodiscard]] float value() const {
    return score_of_sum(network_->value(*kernels_, total_.data()));
  }
  // How likely a move at a point is to be good: larger is likelier.
  [[nodiscard]] std::int32_t promise(int point) const {
    const std::uint8_t* units = &units_[static_cast<std::size_t>(point * network_->width())];
    std::int32_t sum = 0;
    for (int i = 0; i < network_->width(); ++i) sum += network_->policy()[i] * units[i];
    return sum;
  }
  [[nodiscard]] std::int64_t row_sums() const { return row_sums_; }  // so far

 private:
  static constexpr int directions = 4;  // row, column, rising and falling diagonal
  static constexpr int steps[directions][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};

  struct Place {
    std::size_t line;
    int shift;
  };
  static Place place(int direction, int x, int y) {
    const int lines[directions] = {y, 20 + x, 40 + x - y + 19, 79 + x + y};
    return {static_cast<std::size_t>(lines[direction]),
            2 * ((direction == 1 ? y : x) + LinePatterns::reach)};
  }
  void flip(int x, int y, unsigned cell) {
    for (int direction = 0; direction < directions; ++direction) {
      const auto [line, shift] = place(direction, x, y);
      lines_[line] ^= std::uint64_t{cell} << shift;
    }
  }
  [[nodiscard]] std::uint16_t pattern(int direction, int x, int y) const {
    const auto [line, shift] = place(direction, x, y);
    const std::uint64_t code = lines_[line] >> (shift - 2 * LinePatterns::reach) & 0x3FFFFU;
    return patterns_->numbers[code];
  }
  // Notes the patterns that a stone at (x, y) is part of, where they are others than before.
  void look_around(int x, int y);
  void clear(int size);

  const LineNetwork* network_;
  const IntegerKernels* kernels_;
  const LinePatterns* patterns_ = &LinePatterns::all();
  Seat seat_;
  int size_ = 0;
  std::array<std::array<std::uint32_t, largest>, 2> stones_{};
  std::array<std::uint64_t, 118> lines_{};  // 20 rows, 20 columns, 39 diagonals each way
  std::array<std::vector<std::uint16_t>, directions> known_;  // [points] the patterns
  std::vector<RowChange> changes_;
  std::vector<std::int16_t> sums_;  // [points, width]
  std::vector<std::uint8_t> units_;
  std::vector<std::uint16_t> total_;  // [width]
  std::int64_t row_sums_ = 0;
};

// Copies share the network and are used one to a thread.
template <HasLines P>
class LineEvaluator {
 public:
  static constexpr bool prefers_batches = false;

  explicit LineEvaluator(std::shared_ptr<const LineNetwork> network,
                         const IntegerKernels& kernels = integer_kernels().front())
      : network_(std::move(network)),
        units_{LineUnits(*network_, kernels, Seat{0}), LineUnits(*network_, kernels, Seat{1})} {
    if (network_->version() != LineBoard<P>::version) {
      throw std::invalid_argument("the network is of " + network_->version() + "; " +
                                  std::string(P::name) + " has " +
                                  std::string(LineBoard<P>::version));
    }
  }

  [[nodiscard]] const LineNetwork& network() const { return *network_; }
  [[nodiscard]] std::int64_t row_sums() const {
    return units_[0].row_sums() + units_[1].row_sums();
  }

  // From -1 to 1 for the seat to move.
  float operator()(const P& position) { return at(position).value(); }
  void operator()(std::span<const P> positions, std::span<Scores> values) {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      values[i] = scores_by_team_of<P>(positions[i].turn(), (*this)(positions[i]));
    }
  }
  // The units at a position, for promises of its moves.
  const LineUnits& at(const P& position) {
    LineUnits& units = units_[static_cast<std::size_t>(index(position.turn()))];
    units.go_to(LineBoard<P>::size(position),
                [&](Seat seat, int y) { return LineBoard<P>::row(position, seat, y); });
    return units;
  }

 private:
  std::shared_ptr<const LineNetwork> network_;
  std::array<LineUnits, 2> units_;  // as each seat sees them
};

}  // namespace tempo
