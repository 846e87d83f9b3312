// What networks in integers compute, in a form for each kind of processor: chosen when the program
// starts, and the same to the bit whichever it is, since no sum of theirs can overflow.
#pragma once

#include <cstdint>
#include <span>

namespace tempo {

// A byte that leaves a rectified unit is 127 for 1; a weight of a dense layer is 64 for 1; a number
// of an accumulator is 254 for 1, so that halving it makes the byte.
inline constexpr int unit_one = 127;
inline constexpr int weight_one = 64;
inline constexpr int weight_shift = 6;
inline constexpr int accumulator_shift = 1;
inline constexpr int unit_lanes = 32;  // widths are multiples of it

// One of the rows whose sum stands at a point gives way to another.
struct RowChange {
  std::uint16_t point;
  std::uint16_t before;
  std::uint16_t after;
};

struct IntegerKernels {
  const char* name;
  // to = from + rows added - rows removed, `width` numbers each.
  void (*sum_rows)(const std::int8_t* rows, int width, const std::int16_t* from,
                   std::span<const std::uint16_t> added, std::span<const std::uint16_t> removed,
                   std::int16_t* to);
  // Rectified units of an accumulator: from 0 to 127.
  void (*rectify)(const std::int16_t* from, int width, std::uint8_t* to);
  // out[o] = bias[o] + sum of weights[o][i] * units[i]; units are at most 127, so that two products
  // fit into 16 bits.
  void (*multiply)(const std::int8_t* weights, const std::int32_t* bias, const std::uint8_t* units,
                   int inputs, int outputs, std::int32_t* out);
  // Sums of rows [points, width], their rectified units [points, width] and the total of the units
  // over all points [width], after some rows have changed.
  void (*change_rows)(const std::int8_t* rows, int width, std::span<const RowChange> changes,
                      std::int16_t* sums, std::uint8_t* units, std::uint16_t* total);
};

// Those that this processor can run, the fastest first; the last one runs everywhere.
std::span<const IntegerKernels> integer_kernels();

}  // namespace tempo
