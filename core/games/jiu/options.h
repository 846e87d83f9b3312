// The rule choices of Jiu. The defaults are the reading of Li et al. (2019) completed by the rule
// book of the Amdo platform (2020); docs/games/jiu.md names the source of every other value.
#pragma once

#include <array>

#include "../../options.h"

namespace tempo::jiu {

inline constexpr std::string_view size_names[] = {"4", "6", "8", "10", "12", "14"};
inline constexpr std::string_view diagonal_names[] = {"main", "anti"};
inline constexpr std::string_view white_black[] = {"white", "black"};
inline constexpr std::string_view direction_names[] = {"orthogonal", "eight"};
inline constexpr std::string_view removal_names[] = {"immediately", "end_of_turn"};
inline constexpr std::string_view revisit_names[] = {"any", "none"};
inline constexpr std::string_view square_count_names[] = {"final_new", "every_landing",
                                                          "final_any"};
inline constexpr std::string_view square_capture_names[] = {"exact", "optional"};
inline constexpr std::string_view square_target_names[] = {"any", "outside_squares"};
inline constexpr std::string_view bonus_names[] = {"none", "jq"};
inline constexpr std::string_view off_on[] = {"off", "on"};
inline constexpr std::string_view ban_names[] = {"off", "strong", "both"};
inline constexpr std::string_view shape_check_names[] = {"threshold", "off", "crossing_only",
                                                         "any_time"};
inline constexpr std::string_view shape_set_names[] = {"dalian", "lhasa", "goldfish"};
inline constexpr std::string_view gate_names[] = {"mobility", "structural"};
inline constexpr std::string_view no_turn_names[] = {"loss", "pass", "draw"};
inline constexpr std::string_view repetition_names[] = {"three", "two", "forbid", "off"};
inline constexpr std::string_view limit_names[] = {"material5", "draw", "material1"};

enum class SquareCount : std::int16_t { FinalNew, EveryLanding, FinalAny };
enum class JumpBan : std::int16_t { Off, Strong, Both };
enum class ShapeCheck : std::int16_t { Threshold, Off, CrossingOnly, AnyTime };
enum class ShapeSet : std::int16_t { Dalian, Lhasa, Goldfish };
enum class NoTurn : std::int16_t { Loss, Pass, Draw };
enum class Repetition : std::int16_t { Three, Two, Forbid, Off };
enum class LimitResult : std::int16_t { Material5, Draw, Material1 };

struct Options {
  std::int16_t half = 7;  // of the size, which must be even
  std::int16_t diagonal = 0;
  std::int16_t first_placer = 0;
  std::int16_t battle_first = 1;
  std::int16_t move_dirs = 0;
  std::int16_t jump_dirs = 0;
  std::int16_t capture_compulsory = 0;
  std::int16_t chain_compulsory = 0;
  std::int16_t jumped_removed = 0;
  std::int16_t chain_revisit = 0;
  std::int16_t square_count = 0;
  std::int16_t square_capture = 0;
  std::int16_t square_targets = 0;
  std::int16_t formation_bonus = 0;
  std::int16_t line_capture = 0;
  std::int16_t fly_threshold = -1;
  std::int16_t fly_jump = 1;
  std::int16_t single_jump_ban = 0;
  std::int16_t min_stones = 4;
  std::int16_t shape_check = 0;
  std::int16_t shape_min = 1;
  std::int16_t shape_set = 0;
  std::int16_t gate_test = 0;
  std::int16_t literal_14 = 0;
  std::int16_t early_double_dalian = 0;
  std::int16_t no_legal_turn = 0;
  std::int16_t repetition = 0;
  std::int16_t shuttle_limit = 0;
  std::int16_t no_capture_limit = 100;
  std::int16_t max_battle_plies = 1000;
  std::int16_t limit_result = 0;

  static constexpr auto fields() {
    using O = Options;
    return std::to_array<OptionField<O>>({
        {"size", "points on a side", &O::half, 2, 7, size_names},
        {"diagonal", "which central points are filled first", &O::diagonal, 0, 1, diagonal_names},
        {"first_placer", "who places first", &O::first_placer, 0, 1, white_black},
        {"battle_first", "who moves first in battle", &O::battle_first, 0, 1, white_black},
        {"move_dirs", "directions of a step", &O::move_dirs, 0, 1, direction_names},
        {"jump_dirs", "directions of a jump", &O::jump_dirs, 0, 1, direction_names},
        {"capture_compulsory", "a player who can capture must", &O::capture_compulsory, 0, 1,
         no_yes},
        {"chain_compulsory", "a chain must go on while it can", &O::chain_compulsory, 0, 1, no_yes},
        {"jumped_removed", "when jumped stones leave", &O::jumped_removed, 0, 1, removal_names},
        {"chain_revisit", "points a chain may visit again", &O::chain_revisit, 0, 1, revisit_names},
        {"square_count", "which squares earn captures", &O::square_count, 0, 2, square_count_names},
        {"square_capture", "whether earned captures must be taken", &O::square_capture, 0, 1,
         square_capture_names},
        {"square_targets", "stones that may be taken", &O::square_targets, 0, 1,
         square_target_names},
        {"formation_bonus", "extra captures for a Dalian", &O::formation_bonus, 0, 1, bonus_names},
        {"line_capture", "two extra captures for a whole line", &O::line_capture, 0, 1, off_on},
        {"fly_threshold", "stones at which a side flies; -1: size, 0: never", &O::fly_threshold, -1,
         20},
        {"fly_jump", "a flying side may jump", &O::fly_jump, 0, 1, no_yes},
        {"single_jump_ban", "who may not jump just once when a side flies", &O::single_jump_ban, 0,
         2, ban_names},
        {"min_stones", "fewer stones lose; 0: never", &O::min_stones, 0, 10},
        {"shape_check", "when a fixed shape wins", &O::shape_check, 0, 3, shape_check_names},
        {"shape_min", "Dalians that make a fixed shape", &O::shape_min, 1, 2},
        {"shape_set", "what a fixed shape is", &O::shape_set, 0, 2, shape_set_names},
        {"gate_test", "what a gate is", &O::gate_test, 0, 1, gate_names},
        {"literal_14", "the game always ends below the threshold", &O::literal_14, 0, 1, no_yes},
        {"early_double_dalian", "a double Dalian wins at once", &O::early_double_dalian, 0, 1,
         no_yes},
        {"no_legal_turn", "what becomes of a side without a turn", &O::no_legal_turn, 0, 2,
         no_turn_names},
        {"repetition", "occurrences that draw, or lose", &O::repetition, 0, 3, repetition_names},
        {"shuttle_limit", "Black's round trips on one edge end at three", &O::shuttle_limit, 0, 1,
         off_on},
        {"no_capture_limit", "quiet plies that draw; 0: none", &O::no_capture_limit, 0, 1000},
        {"max_battle_plies", "plies after which a battle ends", &O::max_battle_plies, 1, 2000},
        {"limit_result", "lead that wins at that limit", &O::limit_result, 0, 2, limit_names},
    });
  }
  friend bool operator==(const Options&, const Options&) = default;

  [[nodiscard]] int size() const { return 2 * half; }
  // Stones at or below which a side flies.
  [[nodiscard]] int flying() const { return fly_threshold < 0 ? size() : fly_threshold; }
  // Stones at or below which fixed shapes are looked at.
  [[nodiscard]] int threshold() const { return flying() > 0 ? flying() : size(); }
};

}  // namespace tempo::jiu
