#include <tempo/bind/outside.h>

#include "mygame.h"

TEMPO_GAME(_rules, tempo_mygame::Position)
