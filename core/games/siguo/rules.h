// Siguo, four-player military chess: two teams of two, ranks known to their owners alone. By
// concern: stations.h the stations, board.h roads and railways, pieces.h kinds and battles,
// deployment.h how armies are set up, options.h rule choices, public_state.h what everyone sees,
// position.h the whole position and a seat's view of it, play.h moves and ends, text.h and
// soundness.h writing, puzzle.h and determinizations.h the positions that a view leaves open.
#pragma once

#include "determinization_draws.h"
#include "play.h"
#include "position.h"
#include "soundness.h"
#include "text.h"

static_assert(tempo::Game<tempo::siguo::Position>);
static_assert(tempo::Hidden<tempo::siguo::Position>);
static_assert(tempo::Dealt<tempo::siguo::Position>);
static_assert(tempo::Symmetric<tempo::siguo::Position>);
static_assert(tempo::QuickRandom<tempo::siguo::Position>);
static_assert(tempo::QuickNth<tempo::siguo::Position>);
