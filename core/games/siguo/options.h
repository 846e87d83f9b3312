// The rule choices of Siguo. The defaults are siguo-rules/1.0; docs/games/siguo.md says where every
// other value has been seen.
#pragma once

#include <array>

#include "../../options.h"

namespace tempo::siguo {

inline constexpr std::string_view info_names[] = {"four_dark", "double_open", "all_open"};
inline constexpr std::string_view battle_reveal_names[] = {"none", "fighters", "everyone"};
inline constexpr std::string_view mine_hit_names[] = {"mine_stays", "both_gone"};
inline constexpr std::string_view bomb_flag_names[] = {"both_gone_owner_out", "forbidden"};
inline constexpr std::string_view flag_taker_names[] = {"any", "not_general", "sapper"};
inline constexpr std::string_view turn_order_names[] = {"ccw", "cw"};
inline constexpr std::string_view no_move_names[] = {"at_turn", "after_move"};
inline constexpr std::string_view arc_names[] = {"separate", "corner"};
inline constexpr std::string_view rail_names[] = {"lines", "unbent", "three_steps"};
inline constexpr std::string_view rail_exit_names[] = {"any", "camps_and_back"};
inline constexpr std::string_view hq_names[] = {"two", "one"};
inline constexpr std::string_view camp_names[] = {"everybody", "own"};
inline constexpr std::string_view flag_reveal_names[] = {"public", "none"};
inline constexpr std::string_view repetition_names[] = {"none", "shuttle"};
inline constexpr std::string_view first_names[] = {"S", "E", "N", "W"};
inline constexpr std::string_view deal_names[] = {"uniform", "sound", "learned"};

enum class Info : std::int16_t { FourDark, DoubleOpen, AllOpen };
enum class BattleReveal : std::int16_t { None, Fighters, Everyone };
enum class FlagTaker : std::int16_t { Any, NotGeneral, Sapper };
enum class Rail : std::int16_t { Lines, Unbent, ThreeSteps };
enum class Deal : std::int16_t { Uniform, Sound, Learned };

struct Options {
  std::int16_t info = 0;
  std::int16_t battle_reveal = 0;
  std::int16_t mine_hit = 0;
  std::int16_t bomb_flag = 0;
  std::int16_t flag_taker = 0;
  std::int16_t pass_limit = 0;
  std::int16_t turn_order = 0;
  std::int16_t no_move = 0;
  std::int16_t no_capture_draw = 70;
  std::int16_t max_plies = 2000;
  std::int16_t arc = 0;
  std::int16_t c5_stop = 1;
  std::int16_t rail_straight = 0;
  std::int16_t rail_exit = 0;
  std::int16_t hq = 0;
  std::int16_t camps = 0;
  std::int16_t flag_reveal = 0;
  std::int16_t repetition = 0;
  std::int16_t first = 0;
  std::int16_t deal = 0;

  static constexpr auto fields() {
    using O = Options;
    return std::to_array<OptionField<O>>({
        {"info", "whose ranks a seat sees besides its own", &O::info, 0, 2, info_names},
        {"battle_reveal", "who learns the ranks of a battle", &O::battle_reveal, 0, 2,
         battle_reveal_names},
        {"mine_hit", "what becomes of a mine that was hit", &O::mine_hit, 0, 1, mine_hit_names},
        {"bomb_flag", "whether a bomb may attack a headquarters", &O::bomb_flag, 0, 1,
         bomb_flag_names},
        {"flag_taker", "who may attack a headquarters", &O::flag_taker, 0, 2, flag_taker_names},
        {"pass_limit", "passes of each seat in a game", &O::pass_limit, 0, 100},
        {"turn_order", "direction of play, seen from above", &O::turn_order, 0, 1,
         turn_order_names},
        {"no_move", "when a seat without a move is out", &O::no_move, 0, 1, no_move_names},
        {"no_capture_draw", "plies without a loss that draw; 0: none", &O::no_capture_draw, 0,
         4000},
        {"max_plies", "plies after which the game is drawn", &O::max_plies, 1, 4000},
        {"arc", "corner curves: an edge of their own, or through the corner of the centre", &O::arc,
         0, 1, arc_names},
        {"c5_stop", "whether the middle station may be stopped at", &O::c5_stop, 0, 1, no_yes},
        {"rail_straight", "how pieces other than sappers run", &O::rail_straight, 0, 2, rail_names},
        {"rail_exit", "roads that may be taken from a railway station", &O::rail_exit, 0, 1,
         rail_exit_names},
        {"hq", "headquarters of an arm; one: it holds the flag and cannot be entered", &O::hq, 0, 1,
         hq_names},
        {"camps", "who may use a camp", &O::camps, 0, 1, camp_names},
        {"flag_reveal", "what the loss of the General shows", &O::flag_reveal, 0, 1,
         flag_reveal_names},
        {"repetition", "shuttle: no piece goes back and forth a fifth time", &O::repetition, 0, 1,
         repetition_names},
        {"first", "who moves first", &O::first, 0, 3, first_names},
        {"deal", "what a dealt start is drawn from", &O::deal, 0, 2, deal_names},
    });
  }
  friend bool operator==(const Options&, const Options&) = default;

  [[nodiscard]] bool one_headquarters() const { return hq == 1; }
  // Whether some kinds may not attack a headquarters.
  [[nodiscard]] bool guards_headquarters() const { return bomb_flag != 0 || flag_taker != 0; }
  // Which of the boards these rules are played on: index into `boards`.
  [[nodiscard]] int board() const { return arc + 2 * rail_straight + 6 * rail_exit; }
  [[nodiscard]] int step() const { return turn_order == 0 ? 1 : 3; }
};

}  // namespace tempo::siguo
