// A position as a learner of integer networks keeps it: a few bytes, from which the network's input
// is made anew when it is learnt from. A game has them if it has sparse features or lines.
#pragma once

#include <cstring>

#include "lines.h"
#include "sparse_features.h"

namespace tempo {

template <class P>
struct PackedInputs;

template <class P>
concept HasPackedInputs = Game<P> && requires(const P& position, const typename P::Options& options,
                                              Move best, std::uint8_t* out) {
  { PackedInputs<P>::bytes(options) } -> std::same_as<std::size_t>;
  // `best` is the move that a search chose, for those who learn it; or no_move.
  { PackedInputs<P>::write(position, best, out) } -> std::same_as<void>;
};

// [2, most] numbers of 16 bits: the features of the seat to move and of the other, and as many
// times `count` as there are fewer.
template <HasSparseFeatures P>
struct PackedInputs<P> {
  static constexpr auto numbers = static_cast<std::size_t>(2 * SparseFeatures<P>::most);

  static std::size_t bytes(const typename P::Options&) { return 2 * numbers; }
  static void write(const P& position, Move, std::uint8_t* out) {
    std::array<std::uint16_t, numbers> features;
    write_sparse(position, features.data());
    std::memcpy(out, features.data(), 2 * numbers);
  }
};

// [size, size] points: 0 empty, 1 a stone of the seat to move, 2 of the other; then the best move
// in two bytes.
template <HasLines P>
struct PackedInputs<P> {
  static std::size_t bytes(const typename P::Options& options) {
    return static_cast<std::size_t>(P::move_numbers(options)) + sizeof(Move);
  }
  static void write(const P& position, Move best, std::uint8_t* out) {
    const int size = LineBoard<P>::size(position);
    const Seat own = position.turn();
    const Seat other{static_cast<std::uint8_t>(1 - index(own))};
    for (int y = 0; y < size; ++y) {
      const std::uint32_t ours = LineBoard<P>::row(position, own, y);
      const std::uint32_t theirs = LineBoard<P>::row(position, other, y);
      for (int x = 0; x < size; ++x) {
        *out++ = static_cast<std::uint8_t>((ours >> x & 1U) | (theirs >> x & 1U) << 1);
      }
    }
    std::memcpy(out, &best, sizeof best);
  }
};

}  // namespace tempo
