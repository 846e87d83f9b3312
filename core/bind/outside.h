// A game outside this repository, as an extension of its own: one header with its rules, and
//
//   #include <tempo/bind/outside.h>
//   TEMPO_GAME(_rules, mygame::Position)
//
// docs/cpp-games.md tells the rest. An extension that binds more than the game has an NB_MODULE of
// its own, which calls join_tempo first and then bind_game.
#pragma once

#include "game.h"

namespace tempo::bind {

// Takes over what tempo._core shares. Throws ImportError if both do not fit together.
void join_tempo(const nb::module_& extension);

}  // namespace tempo::bind

#define TEMPO_GAME(extension, ...)          \
  NB_MODULE(extension, m) {                 \
    tempo::bind::join_tempo(m);             \
    tempo::bind::bind_game<__VA_ARGS__>(m); \
  }
