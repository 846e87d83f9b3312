// Gomoku: the rules of the game, in position.h, and its notation, in text.h.
#pragma once

#include "position.h"
#include "text.h"

static_assert(tempo::Game<tempo::gomoku::Position>);
static_assert(tempo::Symmetric<tempo::gomoku::Position>);
static_assert(tempo::Ordered<tempo::gomoku::Position>);
static_assert(tempo::QuickRandom<tempo::gomoku::Position>);
static_assert(tempo::QuickNth<tempo::gomoku::Position>);
