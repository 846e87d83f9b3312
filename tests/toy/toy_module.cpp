// The test game as a Python extension, bound as a game outside the repository is.
#include "../core/toy.h"

#include "../core/toy_features.h"
#include "bind/outside.h"

TEMPO_GAME(_toy, tempo::toy::Position)
