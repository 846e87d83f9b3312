// What a learner sees of a game: an array of floats per (position, seat), extracted in the core for
// a batch. A game's extractor specialises `Features`; hidden games extract from the View alone.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <vector>

#include "game.h"

namespace tempo {

template <class P>
struct Features;  // specialised in the game's own folder

template <class P>
concept HasFeatures = Game<P> && requires(const P& position, Seat seat, float* out,
                                          const typename P::Options& options) {
  { Features<P>::shape(options) } -> std::same_as<std::array<int, 3>>;  // planes, rows, columns
  // Writes what `seat` may know, from its side of the table; `out` holds planes * rows * columns
  // floats. A hidden game hands over the seat's View, and what is hidden stays out of reach.
  requires Hidden<P> || requires {
    { Features<P>::write(position, seat, out) } -> std::same_as<void>;
  };
};

template <HasFeatures P>
void write_features(const P& position, Seat seat, float* out) {
  if constexpr (Hidden<P>) {
    Features<P>::write(position.view(seat), out);
  } else {
    Features<P>::write(position, seat, out);
  }
}

// Extractors that know where a symmetry takes each number, so that mirroring can be tested and
// used.
template <class P>
concept SymmetricFeatures = HasFeatures<P> && Symmetric<P> &&
                            requires(const typename P::Options& options, int i, int symmetry) {
                              {
                                Features<P>::transformed(options, i, symmetry)
                              } -> std::same_as<int>;
                            };

// Extractors whose planes are sets of points: every number is 0 or 1, but for the planes that
// `scaled` lists, which are one number all over. They are handed over in bits.
template <class P>
concept PackedFeatures = HasFeatures<P> && requires {
  { Features<P>::scaled.size() } -> std::convertible_to<std::size_t>;
};

template <HasFeatures P>
int feature_count(const typename P::Options& options) {
  const auto [planes, rows, columns] = Features<P>::shape(options);
  return planes * rows * columns;
}

// Bytes of a position's features in bits: those of all planes one after another, the first number
// in the lowest bit; then a float for each scaled plane, which its bits are multiplied by.
template <PackedFeatures P>
std::size_t packed_bytes(const typename P::Options& options) {
  const auto bits = static_cast<std::size_t>(feature_count<P>(options));
  return (bits + 7) / 8 + sizeof(float) * Features<P>::scaled.size();
}

// As `seat` sees it; `scratch` is room for the numbers.
template <PackedFeatures P>
void pack_features(const P& position, Seat seat, std::vector<float>& scratch, std::uint8_t* out) {
  const auto [planes, rows, columns] = Features<P>::shape(position.options());
  const auto area = static_cast<std::size_t>(rows * columns);
  const std::size_t count = static_cast<std::size_t>(planes) * area;
  scratch.resize(count + 8, 0.0F);
  write_features(position, seat, scratch.data());
  std::fill_n(scratch.data() + count, 8, 0.0F);
  for (std::size_t i = 0; i < count; i += 8) {
    unsigned octet = 0;
    for (std::size_t bit = 0; bit < 8; ++bit)
      octet |= static_cast<unsigned>(scratch[i + bit] != 0.0F) << bit;
    *out++ = static_cast<std::uint8_t>(octet);
  }
  for (const int plane : Features<P>::scaled) {
    std::memcpy(out, &scratch[static_cast<std::size_t>(plane) * area], sizeof(float));
    out += sizeof(float);
  }
}

}  // namespace tempo
