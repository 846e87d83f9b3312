#include "incremental.h"

namespace tempo {

namespace {

const std::vector<std::int8_t>& checked(const std::vector<std::int8_t>& rows,
                                        const std::vector<std::int16_t>& bias, int width) {
  if (width < unit_lanes || width > QuantizedLayers::widest / 2 || width % unit_lanes != 0) {
    throw std::invalid_argument(
        "the first layer of an incremental network is 32 to 512 units "
        "wide, in steps of 32, not " +
        std::to_string(width));
  }
  if (rows.empty() || rows.size() % static_cast<std::size_t>(width) != 0 ||
      bias.size() != static_cast<std::size_t>(width)) {
    throw std::invalid_argument("the first layer's rows and bias have different widths");
  }
  for (const std::int16_t b : bias) {  // with as many rows as a board can have, no sum overflows
    if (b > 16000 || b < -16000) throw std::invalid_argument("the first layer's bias is too large");
  }
  return rows;
}

}  // namespace

IncrementalNetwork::IncrementalNetwork(std::string features, int width,
                                       std::vector<std::int8_t> rows,
                                       std::vector<std::int16_t> bias,
                                       const std::vector<QuantizedLayer>& layers)
    : features_(std::move(features)),
      width_(width),
      rows_(checked(rows, bias, width)),
      bias_(std::move(bias)),
      layers_(2 * width, layers) {}

}  // namespace tempo
