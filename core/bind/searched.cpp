// Binds what searches in all games of a batch found.
#include "searched.h"

#include <string>
#include <type_traits>

#include "binding.h"

namespace tempo::bind {

namespace {

template <class T>
constexpr const char* type_name() {
  if constexpr (std::is_same_v<T, float>) return "float32";
  if constexpr (std::is_same_v<T, bool>) return "bool_";
  if constexpr (std::is_same_v<T, std::uint8_t>) return "uint8";
  if constexpr (std::is_same_v<T, std::int32_t>) return "int32";
  return "uint64";
}

template <class T>
void bind_array(nb::class_<Searched>& searched, const char* name, Array<T> Searched::* member,
                const char* help) {
  const std::string signature =
      "def " + std::string(name) + "(self) -> numpy.typing.NDArray[numpy." + type_name<T>() + "]";
  searched.def_prop_ro(
      name, [member](const Searched& s) { return s.*member; }, nb::sig(signature.c_str()),
      nb::rv_policy::automatic, help);
}

const Binding bind_searched("searched", [](nb::module_& core) {
  auto searched = nb::class_<Searched>(
      core, "Searched",
      "What searches in all games of a batch found. A game's leaf is the position that its value "
      "comes from; features, terms and packed inputs have rows only where they were asked for.");
  bind_array(searched, "moves", &Searched::moves, "[B] the best moves; -1 where a game is over.");
  bind_array(searched, "values", &Searched::values, "[B] to the seat to move.");
  bind_array(searched, "leaf_values", &Searched::leaf_values, "[B] to the seat to move there.");
  bind_array(searched, "leaf_turns", &Searched::leaf_turns, "[B] the seat to move at each leaf.");
  bind_array(searched, "leaf_signs", &Searched::leaf_signs,
             "[B] 1 where the same team moves at root and leaf, else -1.");
  bind_array(searched, "leaf_plies", &Searched::leaf_plies, "[B] moves from the root to the leaf.");
  bind_array(searched, "evaluated", &Searched::evaluated,
             "[B] whether the value is the evaluator's, not that of a finished game.");
  bind_array(searched, "leaf_keys", &Searched::leaf_keys, "[B] as `Batch.input_keys`.");
  bind_array(searched, "leaf_features", &Searched::leaf_features,
             "[B, planes, rows, columns] as the seat to move sees them.");
  bind_array(searched, "leaf_terms", &Searched::leaf_terms,
             "[B, terms] as the seat to move sees them.");
  bind_array(searched, "leaf_packed", &Searched::leaf_packed, "[B, bytes] as `Batch.packed`.");
  bind_array(searched, "node_games", &Searched::node_games,
             "[M] the game of each interior position, of which `record` says how many are kept.");
  bind_array(searched, "low", &Searched::low,
             "[M] what was proved to the seat to move: at least this, or -inf.");
  bind_array(searched, "high", &Searched::high, "[M] at most this, or inf.");
  bind_array(searched, "node_keys", &Searched::node_keys, "[M] as `Batch.input_keys`.");
  bind_array(searched, "node_features", &Searched::node_features,
             "[M, planes, rows, columns] as the seat to move sees them.");
  bind_array(searched, "node_terms", &Searched::node_terms,
             "[M, terms] as the seat to move sees them.");
  bind_array(searched, "node_packed", &Searched::node_packed, "[M, bytes] as `Batch.packed`.");
  searched.def_ro("positions", &Searched::positions, "Positions visited in all games.")
      .def_ro("evaluations", &Searched::evaluations, "Positions evaluated in all games.");
});

}  // namespace
}  // namespace tempo::bind
