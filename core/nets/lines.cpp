#include "lines.h"

#include <algorithm>
#include <cassert>

namespace tempo {

namespace {

// Half a line, from the middle outwards: its number among all that can be, or -1. Those with more
// points on the board come later.
int half_number(const std::array<int, LinePatterns::reach>& cells) {
  int length = 0;
  int number = 0;
  int power = 1;
  int before = 0;  // halves that are shorter
  for (; length < LinePatterns::reach && cells[static_cast<std::size_t>(length)] != 3; ++length) {
    number += cells[static_cast<std::size_t>(length)] * power;
    before += power;
    power *= 3;
  }
  for (int i = length; i < LinePatterns::reach; ++i) {
    if (cells[static_cast<std::size_t>(i)] != 3) return -1;
  }
  return before + number;
}

LinePatterns make_patterns() {
  LinePatterns made;
  made.numbers.assign(std::size_t{1} << (2 * LinePatterns::points), LinePatterns::count);
  const auto number_of = [](std::uint32_t code) {
    const auto cell = [&](int i) { return static_cast<int>(code >> (2 * i) & 3U); };
    const int middle = cell(LinePatterns::reach);
    if (middle == 3) return -1;
    std::array<int, LinePatterns::reach> left{};
    std::array<int, LinePatterns::reach> right{};
    for (int i = 0; i < LinePatterns::reach; ++i) {
      left[static_cast<std::size_t>(i)] = cell(LinePatterns::reach - 1 - i);
      right[static_cast<std::size_t>(i)] = cell(LinePatterns::reach + 1 + i);
    }
    const int a = half_number(left);
    const int b = half_number(right);
    if (a < 0 || b < 0) return -1;
    const int larger = std::max(a, b);
    return middle * (LinePatterns::halves * (LinePatterns::halves + 1) / 2) +
           larger * (larger + 1) / 2 + std::min(a, b);
  };
  for (std::uint32_t code = 0; code < made.numbers.size(); ++code) {
    const int number = number_of(code);
    if (number < 0) continue;
    made.numbers[code] = static_cast<std::uint16_t>(number);
  }
  return made;
}

}  // namespace

const LinePatterns& LinePatterns::all() {
  static const LinePatterns made = make_patterns();
  return made;
}

LineNetwork::LineNetwork(std::string version, int width, std::vector<std::int8_t> rows,
                         std::vector<std::int16_t> bias, QuantizedLayer first,
                         const std::vector<QuantizedLayer>& layers, std::vector<std::int8_t> policy)
    : version_(std::move(version)),
      width_(width),
      rows_(std::move(rows)),
      bias_(std::move(bias)),
      first_(std::move(first)),
      layers_(first_.outputs, layers),
      policy_(std::move(policy)) {
  if (width < unit_lanes || width > widest || width % unit_lanes != 0) {
    throw std::invalid_argument("a network of lines has 32 or 64 units a point, not " +
                                std::to_string(width));
  }
  const auto wide = static_cast<std::size_t>(width);
  if (rows_.size() != wide * LinePatterns::count || bias_.size() != wide ||
      policy_.size() != wide || first_.inputs != width || first_.outputs < 1 ||
      first_.outputs > QuantizedLayers::widest ||
      first_.weights.size() != wide * static_cast<std::size_t>(first_.outputs) ||
      first_.bias.size() != static_cast<std::size_t>(first_.outputs)) {
    throw std::invalid_argument("the parts of a network of lines have different widths");
  }
  for (const std::int16_t b : bias_) {
    if (b > 16000 || b < -16000) throw std::invalid_argument("a bias of the points is too large");
  }
  for (const std::int32_t b : first_.bias) {
    if (b > 1 << 28 || b < -(1 << 28)) throw std::invalid_argument("a bias is beyond 2^28");
  }
  // Two stones that differ, 36 patterns through each, a row that comes and one that goes.
  multiply_adds_ = layers_.multiply_adds() + std::int64_t{width} * first_.outputs +
                   std::int64_t{2 * 2 * 36} * width;
}

std::int32_t LineNetwork::value(const IntegerKernels& kernels, const std::uint16_t* total) const {
  alignas(64) std::uint8_t units[QuantizedLayers::widest] = {};
  const std::int8_t* weights = first_.weights.data();
  for (int o = 0; o < first_.outputs; ++o, weights += width_) {
    // At most 64 * 127 * 400 * 127: far from the end of 32 bits.
    std::int32_t sum = first_.bias[static_cast<std::size_t>(o)];
    for (int i = 0; i < width_; ++i) sum += weights[i] * total[i];
    units[o] =
        static_cast<std::uint8_t>(std::clamp(sum >> (weight_shift + total_shift), 0, unit_one));
  }
  return layers_.forward(kernels, units);
}

void LineUnits::clear(int size) {
  if (size < 1 || size > largest) {
    throw std::invalid_argument("a network of lines has boards of at most 20x20 points");
  }
  size_ = size;
  stones_ = {};
  lines_.fill(~std::uint64_t{0});
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      for (int direction = 0; direction < directions; ++direction) {
        const auto [line, shift] = place(direction, x, y);
        lines_[line] &= ~(std::uint64_t{3} << shift);
      }
    }
  }
  const auto points = static_cast<std::size_t>(size) * static_cast<std::size_t>(size);
  const auto width = static_cast<std::size_t>(network_->width());
  sums_.clear();
  for (std::size_t p = 0; p < points; ++p) {
    sums_.insert(sums_.end(), network_->bias(), network_->bias() + width);
  }
  for (int direction = 0; direction < directions; ++direction) {
    auto& known = known_[static_cast<std::size_t>(direction)];
    known.resize(points);
    for (std::size_t p = 0; p < points; ++p) {
      const auto at = static_cast<int>(p);
      known[p] = pattern(direction, at % size, at / size);
      const std::int8_t* row = network_->rows() + std::ptrdiff_t{known[p]} * network_->width();
      for (std::size_t i = 0; i < width; ++i) {
        std::int16_t& sum = sums_[p * width + i];
        sum = static_cast<std::int16_t>(sum + row[i]);
      }
    }
  }
  units_.resize(points * width);
  total_.assign(width, 0);
  for (std::size_t i = 0; i < points * width; ++i) {
    units_[i] = static_cast<std::uint8_t>(std::clamp(sums_[i] >> accumulator_shift, 0, unit_one));
    std::uint16_t& total = total_[i % width];
    total = static_cast<std::uint16_t>(total + units_[i]);
  }
}

void LineUnits::look_around(int x, int y) {
  for (int direction = 0; direction < directions; ++direction) {
    auto& known = known_[static_cast<std::size_t>(direction)];
    const int dx = steps[direction][0];
    const int dy = steps[direction][1];
    for (int k = -LinePatterns::reach; k <= LinePatterns::reach; ++k) {
      const int u = x + k * dx;
      const int v = y + k * dy;
      if (u < 0 || v < 0 || u >= size_ || v >= size_) continue;
      const auto point = static_cast<std::size_t>(v * size_ + u);
      const std::uint16_t now = pattern(direction, u, v);
      const std::uint16_t before = known[point];
      if (now == before) continue;
      known[point] = now;
      changes_.push_back({static_cast<std::uint16_t>(point), before, now});
    }
  }
}

}  // namespace tempo
