#include "batch.h"

#include <nanobind/stl/optional.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace tempo::bind {

void check_game(int i, int games) {
  if (i >= 0 && i < games) return;
  throw nb::index_error(
      ("there is no game " + std::to_string(i) + " in a batch of " + std::to_string(games))
          .c_str());
}

void check_options(const HeldGame& game, const AnyBatch& batch, const void* position) {
  if (game.same_options(position, batch.start())) return;
  throw ParseError("this position is of " + game.spec(position) + ", the batch of " +
                   game.spec(batch.start()));
}

namespace {

using Table = const HeldGame*;
using B = HeldAnyBatch;

std::size_t size(int n) { return static_cast<std::size_t>(n); }

void bind_arrays(HeldClass& batch, Table g) {
  batch
      .def_prop_ro(
          "turns",
          [g](nb::handle self) {
            B& b = g->batch(self);
            return by_game<std::uint8_t>(b, 1, [&](int i, std::uint8_t* out) {
              *out = static_cast<std::uint8_t>(g->rules->turn(b.at(i)));
            });
          },
          nb::sig("def turns(self) -> numpy.typing.NDArray[numpy.uint8]"), nb::rv_policy::move,
          "[B] the seat to move in each game.")
      .def_prop_ro(
          "over",
          [g](nb::handle self) {
            B& b = g->batch(self);
            return by_game<bool>(b, 1, [&](int i, bool* out) { *out = b.outcome(i).has_value(); });
          },
          nb::sig("def over(self) -> numpy.typing.NDArray[numpy.bool_]"), nb::rv_policy::move,
          "[B] which games have ended.")
      .def_prop_ro(
          "scores",
          [g](nb::handle self) {
            B& b = g->batch(self);
            const std::size_t seats = size(g->rules->seats);
            return by_game<float>(b, seats, [&](int i, float* out) {
              const auto end = b.outcome(i);
              for (std::size_t s = 0; s < seats; ++s) out[s] = end ? end->scores[s] : 0.0F;
            });
          },
          nb::sig("def scores(self) -> numpy.typing.NDArray[numpy.float32]"), nb::rv_policy::move,
          "[B, seats] what each seat got; zeros while a game goes on.")
      .def_prop_ro(
          "lengths",
          [g](nb::handle self) {
            B& b = g->batch(self);
            return by_game<std::int32_t>(b, 1,
                                         [&](int i, std::int32_t* out) { *out = b.length(i); });
          },
          nb::sig("def lengths(self) -> numpy.typing.NDArray[numpy.int32]"), nb::rv_policy::move,
          "[B] moves made since each game began.")
      .def_prop_ro(
          "keys",
          [g](nb::handle self) {
            B& b = g->batch(self);
            return by_game<std::uint64_t>(
                b, 1, [&](int i, std::uint64_t* out) { *out = g->key(b.at(i)); });
          },
          nb::sig("def keys(self) -> numpy.typing.NDArray[numpy.uint64]"), nb::rv_policy::move,
          "[B] the positions' keys.")
      .def_prop_rw(
          "random_states",
          [g](nb::handle self) {
            B& b = g->batch(self);
            return by_game<std::uint64_t>(b, 4, [&](int i, std::uint64_t* out) {
              for (const std::uint64_t word : b.random(i).state()) *out++ = word;
            });
          },
          [g](nb::handle self, const AnyInput<2>& states) {
            B& b = g->batch(self);
            const auto* all = exactly<std::uint64_t>(states, "random_states", "uint64");
            check_length(states, b.size(), "random_states");
            if (states.shape(1) != 4) throw ParseError("a random stream's state is 4 words");
            b.alone.briefly([&] {
              for (int i = 0; i < b.size(); ++i) {
                const std::uint64_t* words = all + 4 * size(i);
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
          [g](nb::handle self) {
            B& b = g->batch(self);
            auto mask =
                new_array<std::uint8_t>({size(b.size()), size(g->rules->move_numbers(b.start()))});
            const nb::gil_scoped_release release;
            b.alone([&] { b.legal_mask(mask.data()); });
            return mask;
          },
          nb::sig("def legal_mask(self) -> numpy.typing.NDArray[numpy.uint8]"),
          "[B, A] ones where a move number is legal; no ones in a finished game.")
      .def(
          "legal_list",
          [g](nb::handle self) {
            B& b = g->batch(self);
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
  if (g->inputs == nullptr) return;
  batch.def(
      "features",
      [g](nb::handle self) {
        B& b = g->batch(self);
        const auto [planes, rows, columns] = g->inputs->shape(b.start());
        auto array = new_array<float>({size(b.size()), size(planes), size(rows), size(columns)});
        const std::size_t width = g->inputs->count(b.start());
        const nb::gil_scoped_release release;
        b.alone([&] {
          b.each([&](int i) {
            g->inputs->write(b.at(i), g->rules->turn(b.at(i)), array.data() + size(i) * width);
          });
        });
        return array;
      },
      nb::sig("def features(self) -> numpy.typing.NDArray[numpy.float32]"),
      "[B, planes, rows, columns], each as the seat to move sees it.");
  if (g->inputs->packed_bytes == nullptr) return;
  batch.def(
      "packed_features",
      [g](nb::handle self) {
        B& b = g->batch(self);
        return by_game<std::uint8_t>(
            b, g->inputs->packed_bytes(b.start()),
            [&](int i, std::uint8_t* out) { g->inputs->pack(b.at(i), out); });
      },
      nb::sig("def packed_features(self) -> numpy.typing.NDArray[numpy.uint8]"),
      "[B, bytes] the same in bits, the first number in the lowest; then a float32 for each of "
      "`scaled_planes`, which its bits are multiplied by.");
}

}  // namespace

void bind_batch(const HeldGame& game) {
  const Table g = &game;
  auto batch = nb::borrow<HeldClass>(game.batch_class);
  batch.def("__len__", [g](nb::handle self) { return g->batch(self).size(); })
      .def_prop_ro("threads", [g](nb::handle self) { return g->batch(self).threads(); })
      .def(
          "__getitem__",
          [g](nb::handle self, int i) {
            B& b = g->batch(self);
            check_game(i, b.size());
            return b.alone.briefly([&] { return g->made(b.at(i), b.past(i)); });
          },
          "game"_a, nb::sig("def __getitem__(self, game: int) -> Position"))
      .def(
          "place",
          [g](nb::handle self, int i, nb::handle position) {
            B& b = g->batch(self);
            const void* at = g->at(position);
            check_options(*g, b, at);
            check_game(i, b.size());
            b.alone.briefly([&] { b.place(i, at, g->past(at)); });
          },
          "game"_a, "position"_a, nb::sig("def place(self, game: int, position: Position) -> None"),
          "Puts one game at a position of its own.")
      .def(
          "restart",
          [g](nb::handle self, std::optional<AnyInput<1>> which) {
            B& b = g->batch(self);
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
          [g](nb::handle self, const AnyInput<1>& moves) {
            B& b = g->batch(self);
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
          [g](nb::handle self, int limit) {
            B& b = g->batch(self);
            if (limit < 0) throw ParseError("limit must be 0 (none) or more");
            const nb::gil_scoped_release release;
            return b.alone([&] { return b.playout(limit); });
          },
          "limit"_a = 0,
          "Random moves in every game until it is over or has made `limit` more. Returns moves "
          "made.");
  bind_arrays(batch, g);
}

}  // namespace tempo::bind
