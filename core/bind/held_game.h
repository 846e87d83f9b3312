// A game as the border to Python holds it: functions of its positions and the classes that Python
// knows its objects by. What all games have in Python is bound by code that goes by this table and
// is compiled once.
#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../any_game.h"
#include "../search/perft.h"
#include "../search/tree_game.h"
#include "guard.h"

namespace tempo {
struct AlphaBetaSettings;
class Pool;
class Standings;
struct SearchedGames;
}  // namespace tempo

namespace tempo::bind {

namespace nb = nanobind;

class HeldEvaluator;
struct HeldAnyBatch;

// What Python sees of an Outcome: exactly as many scores as there are seats.
struct EndOfGame {
  std::string reason;
  std::vector<float> scores;
};
std::optional<EndOfGame> end_of_game(const std::optional<Outcome>& outcome, int seats);

// What learners and networks are shown of a position.
struct HeldInputs {
  std::array<int, 3> (*shape)(const void* position);  // of the features: planes, rows, columns
  void (*write)(const void* position, Seat seat, float* out);
  std::size_t (*packed_bytes)(const void* position);  // of features in bits; null if they have none
  void (*pack)(const void* position, std::uint8_t* out);
  std::size_t terms;  // how many; 0 if there are none
  void (*write_terms)(const void* position, float* out);
  std::size_t (*input_bytes)(const void* position);  // for networks in integers, or null
  void (*write_input)(const void* position, std::uint8_t* out);

  [[nodiscard]] std::size_t count(const void* position) const {
    const auto [planes, rows, columns] = shape(position);
    return static_cast<std::size_t>(planes * rows * columns);
  }
};

struct HeldGame {
  const AnyGame* rules;
  const TreeGame* trees;     // null in a game without features, as
  const HeldInputs* inputs;  // this

  // Of positions that Python holds: Played<P>, which begins with the position.
  nb::handle (*type)();  // of Python; none when the program ends
  const History& (*past)(const void* played);
  void (*make)(void* room, const void* position, const History& past);
  nb::object (*legal_moves)(const void* played);  // a LegalMoves<P>
  bool (*is_over)(const void* played);

  nb::object (*options)(const void* position);
  bool (*same_options)(const void* a, const void* b);
  std::string (*spec)(const void* position);
  std::string_view (*seat_name)(const void* position, Seat seat);
  std::uint64_t (*key)(const void* position);
  std::uint64_t (*scratch_key)(const void* position);
  std::string (*text)(const void* position);
  std::string (*board)(const void* position);
  std::string (*check)(const void* position);
  Move (*parse_move)(const void* position, std::string_view text);
  std::uint64_t (*perft)(const void* position, int depth);
  std::vector<Divided> (*divide)(const void* position, int depth);

  // Of a LegalMoves<P>.
  int (*moves_size)(const void* moves);
  Move (*moves_at)(const void* moves, int i);
  std::span<const Move> (*moves_list)(const void* moves);
  const void* (*moves_position)(const void* moves);

  nb::object (*view)(const void* position, Seat seat);  // null: everybody sees everything
  std::string (*public_text)(const void* position);     // null: there is none
  int symmetries;
  void (*transform)(const void* position, int symmetry, void* room);  // null: there are none
  Move (*transformed_move)(const void* position, Move move, int symmetry);

  SearchedGames (*search_games)(const Standings& roots, HeldEvaluator& evaluator,
                                const AlphaBetaSettings& settings, Pool& pool);

  // Classes of the game's module, to tell objects by.
  nb::handle position_class{};
  nb::handle moves_class{};
  nb::handle batch_class{};
  nb::handle evaluator_class{};

  // The object behind what Python gave. Of another class, it is none that the function takes.
  template <class T>
  static T& object(nb::handle given, nb::handle held_class) {
    if (PyObject_TypeCheck(given.ptr(), reinterpret_cast<PyTypeObject*>(held_class.ptr())) == 0 ||
        !nb::inst_ready(given)) {
      throw nb::next_overload();
    }
    return *nb::inst_ptr<T>(given);
  }
  [[nodiscard]] const void* at(nb::handle given) const {
    return &object<const std::byte>(given, position_class);
  }
  [[nodiscard]] HeldAnyBatch& batch(nb::handle given) const {
    return object<HeldAnyBatch>(given, batch_class);
  }
  [[nodiscard]] const HeldEvaluator& evaluator(nb::handle given) const {
    return object<const HeldEvaluator>(given, evaluator_class);
  }
  // A new Position of Python.
  [[nodiscard]] nb::object made(const void* position, const History& past) const;

  [[nodiscard]] Move checked_move(const void* position, std::int64_t move) const;
  [[nodiscard]] Seat seat_of(nb::handle which, const void* position) const;
  void require_legal(const void* played, Move move) const;
};

// A class of Python whose functions find their objects by themselves.
struct Held {};
using HeldClass = nb::class_<Held>;

void bind_moves(const HeldGame& game);
void bind_position(const HeldGame& game);
void bind_making(nb::module_& m, const HeldGame& game);
void bind_batch(const HeldGame& game);
void bind_evaluator(const HeldGame& game);
void bind_experience(const HeldGame& game);

}  // namespace tempo::bind
