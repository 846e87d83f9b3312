// The budgets and switches of alpha-beta.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tempo {

// What strong engines add, each a number that is 0 where it is off. `aspiration`, `counters`,
// `continuation`, `malus` and `stands` keep the value of minimax; the rest leave it behind.
struct AlphaBetaSteps {
  int aspiration = 0;    // thousandths of a score: half the first window around the last value
  int late = 0;          // hundredths: late moves are reduced by base + late * ln depth * ln place,
  int late_base = 0;     // hundredths, likewise; both need `reduce`
  int verify = 0;        // from this depth on a null-move cut needs a search without passing
  int null_gain = 0;     // thousandths that a null move must be ahead by to go a ply less deep
  int malus = 0;         // quiet moves that did not refute lose history
  int continuation = 0;  // history by the one and two moves before
  int counters = 0;      // the move that last refuted the move before comes after the killers
  int probcut = 0;       // thousandths above the window that an unquiet move must prove to cut
  int internal = 0;      // from this depth on a node without a table move goes a ply less deep
  int recaptures = 0;    // taking back on the square of the last capture goes a ply deeper
  int evasions = 0;      // out of check, quiescence tries every move, for this many turns
  int stands = 0;        // evaluations, and values past the horizon, are kept in the table
  int ageing = 0;        // table entries lose worth with every search since they were written
  int follow = 0;        // inside a turn of several moves only this many are tried, the best first
};

// At least one of the three budgets is needed; 0 means without limit. With budgets of depth and
// positions alone, and one thread, the result depends on nothing but the input (and on earlier
// searches, if `keep`).
struct AlphaBetaSettings {
  int depth = 0;               // moves (whole turns, where they are long) below the root
  std::int64_t positions = 0;  // positions visited, the root included: never exceeded
  double seconds = 0;          // looked at about every millisecond
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
  bool widen = false;      // where a game lists only the most promising moves and all of them lose,
                           // search the others too before the position counts as lost
  AlphaBetaSteps steps = {};
  double soft_seconds = 0;   // begin no iteration after this time, less where the move is clear and
                             // more where the value falls; 0: until `seconds`
  bool thread_time = false;  // seconds are those of the thread's processor time
  int threads = 1;           // searching together through one table; more than one: not repeatable
};

// The steps by name, with a value to begin with.
struct StepName {
  const char* name;
  int AlphaBetaSteps::* step;
  int usual;
};
inline constexpr StepName step_names[] = {
    {"aspiration", &AlphaBetaSteps::aspiration, 20},
    {"late", &AlphaBetaSteps::late, 50},
    {"late_base", &AlphaBetaSteps::late_base, 50},
    {"verify", &AlphaBetaSteps::verify, 10},
    {"null_gain", &AlphaBetaSteps::null_gain, 100},
    {"malus", &AlphaBetaSteps::malus, 1},
    {"continuation", &AlphaBetaSteps::continuation, 1},
    {"counters", &AlphaBetaSteps::counters, 1},
    {"probcut", &AlphaBetaSteps::probcut, 100},
    {"internal", &AlphaBetaSteps::internal, 4},
    {"recaptures", &AlphaBetaSteps::recaptures, 1},
    {"evasions", &AlphaBetaSteps::evasions, 3},
    {"stands", &AlphaBetaSteps::stands, 1},
    {"ageing", &AlphaBetaSteps::ageing, 1},
    {"follow", &AlphaBetaSteps::follow, 20},
};

inline constexpr int most_depth = 100;

// Throws std::invalid_argument when settings make no sense. `forks`: the evaluator can be copied
// for other threads.
void require_sound(const AlphaBetaSettings& settings, bool forks);

}  // namespace tempo
