// The test game as a Python extension, bound by the same template as the real games.
#include "../core/toy.h"

#include "../core/toy_features.h"
#include "bind/game.h"

NB_MODULE(_toy, m) {
  // Outcome and the exceptions are registered by the package's own extension.
  nanobind::module_::import_("tempo._core");
  tempo::bind::bind_game<tempo::toy::Position>(m);
}
