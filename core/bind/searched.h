// What Python sees of searches in all games of a batch.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "../errors.h"
#include "arrays.h"
#include "guard.h"

namespace tempo::bind {

// What positions are handed out as, besides their keys.
enum class SeenAs : std::uint8_t { Features, Terms, Keys, Packed };

inline SeenAs inputs_named(const Text& given, bool has_terms, bool has_packed,
                           std::string_view game) {
  const std::string name = given.string();
  if (name == "features") return SeenAs::Features;
  if (name == "keys") return SeenAs::Keys;
  if (name == "packed" && has_packed) return SeenAs::Packed;
  if (name == "packed") throw ParseError(std::string(game) + " has no packed inputs");
  if (name != "terms") {
    throw ParseError("inputs cannot be '" + name + "'; it takes features, terms, keys, packed");
  }
  if (has_terms) return SeenAs::Terms;
  throw ParseError(std::string(game) + " has no terms; inputs are features or keys");
}

// By game [B], and by interior position [M]. Arrays of inputs that nobody asked for have no rows.
struct Searched {
  Array<std::int32_t> moves{};
  Array<float> values{};
  Array<float> leaf_values{};
  Array<std::uint8_t> leaf_turns{};
  Array<float> leaf_signs{};
  Array<std::int32_t> leaf_plies{};
  Array<bool> evaluated{};
  Array<std::uint64_t> leaf_keys{};
  Array<float> leaf_features{};
  Array<float> leaf_terms{};
  Array<std::uint8_t> leaf_packed{};

  Array<std::int32_t> node_games{};
  Array<float> low{};
  Array<float> high{};
  Array<std::uint64_t> node_keys{};
  Array<float> node_features{};
  Array<float> node_terms{};
  Array<std::uint8_t> node_packed{};

  std::int64_t positions = 0;
  std::int64_t evaluations = 0;
};

}  // namespace tempo::bind
