// Tibetan Jiu: fill a board, take the two middle stones off, then step, jump, and capture by
// completing squares. By concern: board.h sets of points, options.h rule choices, shapes.h squares,
// gates and Dalians, position.h state, chain.h jumps, moves.h what is legal, play.h what it does
// and when it ends, order.h what a search tries first, text.h notation and soundness.
#pragma once

#include "moves.h"
#include "order.h"
#include "play.h"
#include "position.h"
#include "text.h"

static_assert(tempo::Game<tempo::jiu::Position>);
static_assert(tempo::Remembers<tempo::jiu::Position>);
static_assert(tempo::Symmetric<tempo::jiu::Position>);
static_assert(tempo::Noisy<tempo::jiu::Position>);
static_assert(tempo::Ordered<tempo::jiu::Position>);
static_assert(tempo::QuickRandom<tempo::jiu::Position>);
static_assert(tempo::QuickCount<tempo::jiu::Position>);
