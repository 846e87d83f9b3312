// Binds batches of games: arrays in and out, the GIL released while games move.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "../parallel/batch.h"
#include "arrays.h"
#include "guard.h"
#include "played.h"

namespace tempo::bind {

namespace nb = nanobind;
using namespace nb::literals;

// A batch as Python holds it: threads take turns.
template <Game P>
struct HeldBatch : Batch<P> {
  using Batch<P>::Batch;
  Alone alone;
};

void check_game(int i, int games);

// Throws unless a position is of the game that a batch plays.
template <Game P>
void check_options(const Batch<P>& batch, const P& position) {
  if (position.options() == batch.options()) return;
  throw ParseError("this position is of " + game_spec(P::name, position.options()) +
                   ", the batch of " + game_spec(P::name, batch.options()));
}

// Fills a fresh [B, width] array by calling write(batch, game, row pointer) on all threads.
template <class T, Game P, class Write>
Array<T> by_game(HeldBatch<P>& batch, std::size_t width, Write write) {
  const auto games = static_cast<std::size_t>(batch.size());
  auto array = width == 1 ? new_array<T>({games}) : new_array<T>({games, width});
  T* data = array.data();
  {
    const nb::gil_scoped_release release;
    batch.alone([&] {
      batch.each([&](int i) { write(batch, i, data + static_cast<std::size_t>(i) * width); });
    });
  }
  return array;
}

template <Game P>
[[gnu::cold]] void bind_batch_arrays(nb::class_<HeldBatch<P>>& batch) {
  using B = HeldBatch<P>;
  batch
      .def_prop_ro(
          "turns",
          [](B& b) {
            return by_game<std::uint8_t>(b, 1, [](const B& all, int i, std::uint8_t* out) {
              *out = static_cast<std::uint8_t>(all.position(i).turn());
            });
          },
          nb::sig("def turns(self) -> numpy.typing.NDArray[numpy.uint8]"), nb::rv_policy::move,
          "[B] the seat to move in each game.")
      .def_prop_ro(
          "over",
          [](B& b) {
            return by_game<bool>(
                b, 1, [](const B& all, int i, bool* out) { *out = all.outcome(i).has_value(); });
          },
          nb::sig("def over(self) -> numpy.typing.NDArray[numpy.bool_]"), nb::rv_policy::move,
          "[B] which games have ended.")
      .def_prop_ro(
          "scores",
          [](B& b) {
            return by_game<float>(b, P::seats, [](const B& all, int i, float* out) {
              const auto end = all.outcome(i);
              for (std::size_t s = 0; s < P::seats; ++s) out[s] = end ? end->scores[s] : 0.0F;
            });
          },
          nb::sig("def scores(self) -> numpy.typing.NDArray[numpy.float32]"), nb::rv_policy::move,
          "[B, seats] what each seat got; zeros while a game goes on.")
      .def_prop_ro(
          "lengths",
          [](B& b) {
            return by_game<std::int32_t>(
                b, 1, [](const B& all, int i, std::int32_t* out) { *out = all.length(i); });
          },
          nb::sig("def lengths(self) -> numpy.typing.NDArray[numpy.int32]"), nb::rv_policy::move,
          "[B] moves made since each game began.")
      .def_prop_ro(
          "keys",
          [](B& b) {
            return by_game<std::uint64_t>(b, 1, [](const B& all, int i, std::uint64_t* out) {
              *out = all.position(i).key();
            });
          },
          nb::sig("def keys(self) -> numpy.typing.NDArray[numpy.uint64]"), nb::rv_policy::move,
          "[B] the positions' keys.")
      .def_prop_rw(
          "random_states",
          [](B& b) {
            return by_game<std::uint64_t>(b, 4, [](const B& all, int i, std::uint64_t* out) {
              for (const std::uint64_t word : all.random(i).state()) *out++ = word;
            });
          },
          [](B& b, const AnyInput<2>& states) {
            const auto* all = exactly<std::uint64_t>(states, "random_states", "uint64");
            check_length(states, b.size(), "random_states");
            if (states.shape(1) != 4) throw ParseError("a random stream's state is 4 words");
            b.alone.briefly([&] {
              for (int i = 0; i < b.size(); ++i) {
                const std::uint64_t* words = all + 4 * static_cast<std::size_t>(i);
                b.set_random(i, {words[0], words[1], words[2], words[3]});
              }
            });
          },
          nb::for_getter(nb::sig("def random_states(self) -> numpy.typing.NDArray[numpy.uint64]")),
          nb::for_getter(nb::rv_policy::move),
          nb::for_setter(nb::sig(
              "def random_states(self, states: numpy.typing.NDArray[numpy.uint64], /) -> None")),
          "[B, 4] each game's random stream, to store in a checkpoint and to restore.")
      .def(
          "legal_mask",
          [](B& b) {
            auto mask =
                new_array<std::uint8_t>({static_cast<std::size_t>(b.size()),
                                         static_cast<std::size_t>(P::move_numbers(b.options()))});
            const nb::gil_scoped_release release;
            b.alone([&] { b.legal_mask(mask.data()); });
            return mask;
          },
          nb::sig("def legal_mask(self) -> numpy.typing.NDArray[numpy.uint8]"),
          "[B, A] ones where a move number is legal; no ones in a finished game.")
      .def(
          "legal_list",
          [](B& b) {
            std::vector<std::int64_t> offsets;
            std::vector<std::uint16_t> flat;
            {
              const nb::gil_scoped_release release;
              b.alone([&] { b.legal_list(offsets, flat); });
            }
            auto starts = new_array<std::int64_t>({offsets.size()});
            auto moves = new_array<std::uint16_t>({flat.size()});
            std::copy(offsets.begin(), offsets.end(), starts.data());
            std::copy(flat.begin(), flat.end(), moves.data());
            return nb::make_tuple(starts, moves);
          },
          nb::sig("def legal_list(self) -> tuple[numpy.typing.NDArray[numpy.int64], "
                  "numpy.typing.NDArray[numpy.uint16]]"),
          "Offsets [B + 1] and moves [sum]: those of game i are moves[offsets[i]:offsets[i + 1]].");
  if constexpr (HasFeatures<P>) {
    batch.def(
        "features",
        [](B& b) {
          const auto [planes, rows, columns] = Features<P>::shape(b.options());
          const auto size = [](int n) { return static_cast<std::size_t>(n); };
          auto array = new_array<float>({size(b.size()), size(planes), size(rows), size(columns)});
          const nb::gil_scoped_release release;
          b.alone([&] { b.features(array.data()); });
          return array;
        },
        nb::sig("def features(self) -> numpy.typing.NDArray[numpy.float32]"),
        "[B, planes, rows, columns], each as the seat to move sees it.");
  }
  if constexpr (PackedFeatures<P>) {
    batch.def(
        "packed_features",
        [](B& b) {
          const std::size_t width = packed_bytes<P>(b.options());
          return by_game<std::uint8_t>(b, width, [width](const B& all, int i, std::uint8_t* out) {
            static thread_local std::vector<float> scratch;
            pack_features(all.position(i), all.position(i).turn(), scratch, out);
          });
        },
        nb::sig("def packed_features(self) -> numpy.typing.NDArray[numpy.uint8]"),
        "[B, bytes] the same in bits, the first number in the lowest; then a float32 for each of "
        "`scaled_planes`, which its bits are multiplied by.");
  }
}

template <Game P>
[[gnu::cold]] void bind_batch(nb::module_& m) {
  using B = HeldBatch<P>;
  auto batch =
      nb::class_<B>(m, "Batch", "Many games side by side, each with its own random stream.");
  batch
      .def(
          "__init__",
          [](B* self, const Played<P>& start, int count, std::uint64_t seed, int threads,
             bool deal) {
            if (count < 1)
              throw ParseError("a batch needs at least one game, not " + std::to_string(count));
            new (self) B(start.position, count, seed, threads, deal);
          },
          "start"_a, "count"_a, "seed"_a = 0, "threads"_a = 1, "deal"_a = false)
      .def("__len__", &B::size)
      .def_prop_ro("threads", &B::threads)
      .def(
          "__getitem__",
          [](B& b, int i) {
            check_game(i, b.size());
            return b.alone.briefly([&] { return Played<P>{b.position(i), b.past(i)}; });
          },
          "game"_a)
      .def(
          "place",
          [](B& b, int i, const Played<P>& p) {
            check_options(b, p.position);
            check_game(i, b.size());
            b.alone.briefly([&] { b.place(i, p.position, p.past); });
          },
          "game"_a, "position"_a, "Puts one game at a position of its own.")
      .def(
          "restart",
          [](B& b, std::optional<AnyInput<1>> which) {
            if (which) check_length(*which, b.size(), "which");
            const auto* flags =
                which
                    ? reinterpret_cast<const std::uint8_t*>(exactly<bool>(*which, "which", "bool"))
                    : nullptr;
            const std::size_t count = which ? which->shape(0) : 0;
            const nb::gil_scoped_release release;
            b.alone([&] { b.restart({flags, count}); });
          },
          "which"_a = nb::none(),
          nb::sig(
              "def restart(self, which: numpy.typing.NDArray[numpy.bool_] | None = None) -> None"),
          "Starts the flagged games anew, all of them without flags. Random streams go on.")
      .def(
          "play",
          [](B& b, const AnyInput<1>& moves) {
            const std::vector<std::int32_t> numbers = whole_numbers(moves, "moves");
            check_length(moves, b.size(), "moves");
            const nb::gil_scoped_release release;
            b.alone([&] { b.play(numbers); });
          },
          "moves"_a,
          nb::sig(
              "def play(self, moves: numpy.typing.NDArray[numpy.int32] | "
              "numpy.typing.NDArray[numpy.int64] | numpy.typing.NDArray[numpy.uint16]) -> None"),
          "One move [B] in every game, -1 for none. If one is illegal, nothing is played.")
      .def(
          "playout",
          [](B& b, int limit) {
            if (limit < 0) throw ParseError("limit must be 0 (none) or more");
            const nb::gil_scoped_release release;
            return b.alone([&] { return b.playout(limit); });
          },
          "limit"_a = 0,
          "Random moves in every game until it is over or has made `limit` more. Returns moves "
          "made.");
  bind_batch_arrays<P>(batch);
}

}  // namespace tempo::bind
