// Alpha-beta over any game: principal-variation search (Marsland, Campbell 1982) with
// iterative deepening, a transposition table, killers and history, and quiescence where the game
// names its unquiet moves.
//
// A value belongs to the team that moves at its node. After a move the search asks who moves next:
// the window turns round only when that is the other team, so turns of several moves, seats that
// drop out and partners across the table need nothing special. In a game of more than two teams all
// others play against the team at the root (the paranoid search of Sturtevant and Korf, 2000).
//
// Values that an earlier occurrence of a position brought about are never stored in the table. The
// reverse is not seen: a stored value may be used where the path to it would have allowed a
// repetition (docs/decisions/0004).
#pragma once

#include "alpha_beta_class.h"
#include "alpha_beta_cuts.h"
#include "alpha_beta_deepen.h"
#include "alpha_beta_quiescence.h"
#include "alpha_beta_search.h"
