// The budgets and switches of alpha-beta.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tempo {

// At least one of the three budgets is needed; 0 means without limit. With budgets of depth and
// positions alone the result depends on nothing but the input (and on earlier searches, if `keep`).
struct AlphaBetaSettings {
  int depth = 0;               // moves (whole turns, where they are long) below the root
  std::int64_t positions = 0;  // positions visited, the root included: never exceeded
  double seconds = 0;          // wall time, looked at about every millisecond
  std::size_t table_bytes = std::size_t{16} << 20;  // 0: no table
  bool keep = false;          // use table and history of earlier searches of the same game
  bool quiescence = true;     // search on through unquiet moves, where the game names them
  bool extend_checks = true;  // search one move deeper out of check, where the game knows check
  bool equal_depth = false;   // take from the table only what was searched just as deep: then
                              // the value is exactly that of plain minimax
  bool exact_root = false;    // a true value for every root move, not only for the best
  int quiescence_turns = 0;   // turns searched on past the horizon; 0: as the game says
  bool reduce = false;        // search late moves less deep first, and again only if they surprise
  std::size_t record = 0;     // interior positions kept for learning, with their bounds
  // For games with very many moves. All three leave the value of minimax behind.
  bool null_move = false;  // cut off where even passing is good enough, where the game can pass
  bool steep = false;      // with `reduce`: the later a move and the deeper the search, the more
  double margin = 0;       // near the horizon, leave out quiet moves that come late, or after which
                           // the evaluation would have to change by more than this for each move
                           // to go; 0: leave out none
};

// Throws std::invalid_argument when settings make no sense.
void require_sound(const AlphaBetaSettings& settings);

}  // namespace tempo
