// What a learner sees of a game: an array of floats per (position, seat), extracted in the core for
// a batch. A game's extractor specialises `Features`; hidden games extract from the View alone.
#pragma once

#include <array>
#include <concepts>

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

template <HasFeatures P>
int feature_count(const typename P::Options& options) {
  const auto [planes, rows, columns] = Features<P>::shape(options);
  return planes * rows * columns;
}

}  // namespace tempo
