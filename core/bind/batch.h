// Binds batches of games: arrays in and out, the GIL released while games move.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string>

#include "../parallel/batch.h"
#include "arrays.h"
#include "guard.h"
#include "held_game.h"
#include "played.h"

namespace tempo::bind {

namespace nb = nanobind;
using namespace nb::literals;

// A batch as Python holds it: threads take turns.
struct HeldAnyBatch : AnyBatch {
  using AnyBatch::AnyBatch;
  Alone alone;
};
template <Game P>
struct HeldBatch : HeldAnyBatch {
  HeldBatch(const Played<P>& start, int count, std::uint64_t seed, int threads, bool deal)
      : HeldAnyBatch(any_game<P>, &start.position, count, seed, threads, deal) {}
  [[nodiscard]] const P& position(int i) const { return as<P>(at(i)); }
};

void check_game(int i, int games);
// Throws unless a position is of the game that a batch plays.
void check_options(const HeldGame& game, const AnyBatch& batch, const void* position);

// Fills a fresh [B, width] array by calling write(game, row pointer) on all threads.
template <class T>
Array<T> by_game(HeldAnyBatch& batch, std::size_t width, FunctionRef<void(int, T*)> write) {
  const auto games = static_cast<std::size_t>(batch.size());
  auto array = width == 1 ? new_array<T>({games}) : new_array<T>({games, width});
  T* data = array.data();
  {
    const nb::gil_scoped_release release;
    batch.alone(
        [&] { batch.each([&](int i) { write(i, data + static_cast<std::size_t>(i) * width); }); });
  }
  return array;
}

template <Game P>
[[gnu::cold]] void bind_batches(nb::module_& m, HeldGame& game) {
  using B = HeldBatch<P>;
  nb::class_<B> batch(m, "Batch", "Many games side by side, each with its own random stream.");
  game.batch_class = batch;
  batch.def(
      "__init__",
      [](B* self, const Played<P>& start, int count, std::uint64_t seed, int threads, bool deal) {
        if (count < 1)
          throw ParseError("a batch needs at least one game, not " + std::to_string(count));
        new (self) B(start, count, seed, threads, deal);
      },
      "start"_a, "count"_a, "seed"_a = 0, "threads"_a = 1, "deal"_a = false);
  bind_batch(game);
}

}  // namespace tempo::bind
