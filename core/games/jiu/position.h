// A moment of a Jiu game: preparation or battle, possibly in the middle of a turn. Sources: Li, Lv,
// Wang, Wei, Wu, "A reinforcement learning model based on temporal difference algorithm" (IEEE
// Access 2019), completed by the rule book of the Amdo online platform (2020). docs/games/jiu.md
// lists every reading.
#pragma once

#include "../../game.h"
#include "board.h"
#include "options.h"
#include "shapes.h"

namespace tempo::jiu {

inline constexpr int white = 0;  // places first, o
inline constexpr int black = 1;  // moves first in battle, x

// What a move number means. With P points on the board, in this order:
//   step or flight  from * P + to
//   jump            P * P + from * 8 + direction
//   place           P * P + 8 * P + point
//   take            P * P + 9 * P + point
//   stop            P * P + 10 * P
enum class Kind : std::uint8_t { Step, Jump, Place, Take, Stop, None };
struct Action {
  Kind kind = Kind::None;
  Cell from = 0;
  Cell to = 0;  // where a stone arrives, or is placed or taken
  int direction = 0;
};

enum class Stage : std::uint8_t { Preparation, Battle };
// A turn begins with a displacement; a jump may be followed by others; squares are then paid for.
enum class Phase : std::uint8_t { Begin, Jumping, Taking };

// What numbers mean on a board of one size, worked out once.
struct Grid {
  Board field;
  std::array<Cell, max_size * max_size> cells{};  // by point
  std::uint64_t inverse = 0;                      // number * inverse >> 32 is number / points
};
inline constexpr auto grids = [] {  // by half the size
  std::array<Grid, max_size / 2 + 1> all{};
  for (int half = 1; half <= max_size / 2; ++half) {
    Grid& grid = all[static_cast<std::size_t>(half)];
    const int size = 2 * half;
    grid.field = Board::field(size);
    for (int point = 0; point < size * size; ++point) {
      grid.cells[static_cast<std::size_t>(point)] = cell_at(point / size, point % size);
    }
    grid.inverse = (std::uint64_t{1} << 32) / static_cast<std::uint64_t>(size * size) + 1;
  }
  return all;
}();

class Position {
 public:
  using Options = jiu::Options;
  using Moves = MoveList<3800>;  // 20 flying stones, 176 empty points, and jumps

  static constexpr std::string_view name = "jiu";
  static constexpr std::string_view rules_version = "jiu-rules/1.0";
  static constexpr std::string_view summary = "Tibetan Jiu: fill the board, then squares capture";
  static constexpr int seats = 2;
  // Those that keep the marked diagonal: identity, transposition, half turn, anti-transposition.
  static constexpr int symmetries = 4;
  static constexpr int quiescence_turns = 1;  // there is nearly always something to capture

  static constexpr std::string_view seat_name(Seat seat) { return index(seat) ? "black" : "white"; }
  static constexpr Team team_of(Seat seat) { return Team{static_cast<std::uint8_t>(seat)}; }
  static int move_numbers(const Options& options) {
    const int points = options.size() * options.size();
    return points * points + 10 * points + 1;
  }
  // Placements, two moves a quiet turn, and one for every stone that leaves.
  static int length_bound(const Options& options) {
    return 2 * options.size() * options.size() + 2 * options.max_battle_plies;
  }

  static Position start(const Options& options) { return Position(options); }
  static Position parse(std::string_view text, const Options& options);
  // A battle about to be fought from these stones, no ply played yet.
  static Position battle(const Board& whites, const Board& blacks, int turn,
                         const Options& options);

  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] int size() const { return options_.size(); }
  [[nodiscard]] Seat turn() const { return Seat{turn_}; }
  [[nodiscard]] Stage stage() const { return stage_; }
  [[nodiscard]] Phase phase() const { return phase_; }
  [[nodiscard]] bool is_over() const { return end_ != End::None; }
  [[nodiscard]] const Board& stones(int seat) const {
    return stones_[static_cast<std::size_t>(seat)];
  }
  [[nodiscard]] int count(int seat) const { return counts_[static_cast<std::size_t>(seat)]; }
  [[nodiscard]] const Board& field() const { return grid().field; }
  // Jumped stones that leave only at the end of the turn still block.
  [[nodiscard]] Board empty() const { return field() - (stones_[0] | stones_[1]); }
  [[nodiscard]] bool flies(int seat) const { return count(seat) <= options_.flying(); }
  [[nodiscard]] int plies() const { return plies_; }   // battle turns so far
  [[nodiscard]] int quiet() const { return quiet_; }   // battle turns since the last capture
  [[nodiscard]] int placed() const { return plies_; }  // stones placed, in preparation
  [[nodiscard]] Cell mover() const { return mover_; }  // the stone that moves in this turn
  [[nodiscard]] int due() const { return due_; }       // captures still to be taken
  [[nodiscard]] bool in_turn() const { return phase_ != Phase::Begin; }
  [[nodiscard]] Cell centre_end(int which) const;  // the two points of the marked diagonal

  [[nodiscard]] Action action(Move move) const;
  [[nodiscard]] Move move_of(const Action& action) const;

  void legal_moves(Moves& moves) const;
  [[nodiscard]] int count_moves() const;
  [[nodiscard]] Move random_move(Random& random) const;
  [[nodiscard]] bool is_legal(Move move) const;
  void play(Move move);
  [[nodiscard]] std::optional<Outcome> outcome() const;

  // Turns that the rules ask about: can this seat, were it to move now, close a square; does it
  // have any turn.
  [[nodiscard]] bool has_gate(int seat) const;
  [[nodiscard]] bool has_turn(int seat) const;
  [[nodiscard]] bool has_fixed_shape(int seat) const;

  // Covers stones, turn, stage, the unfinished part of a turn, and the clocks once they are within
  // 20 of ending the game; not the options.
  [[nodiscard]] std::uint64_t key() const { return key_ ^ turn_key(); }
  [[nodiscard]] std::uint64_t scratch_key() const;
  [[nodiscard]] std::string check() const;

  [[nodiscard]] std::uint64_t repetition_key() const {
    return in_turn() ? key_ ^ part_key() : key_ ^ seat_keys[turn_];
  }
  // A quiet turn is one move, or two where captures may be declined.
  [[nodiscard]] int reversible_moves() const {
    return stage_ == Stage::Battle ? 2 * quiet_ + (in_turn() ? 1 : 0) : 0;
  }
  [[nodiscard]] std::uint8_t history_tag() const { return 0; }
  [[nodiscard]] std::optional<Outcome> outcome_by_past(const History& past) const;

  [[nodiscard]] Position transformed(int symmetry) const;
  [[nodiscard]] Move transformed_move(Move move, int symmetry) const;

  // Captures: jumps, moves that close a square, and everything inside a turn.
  void noisy_moves(Moves& moves) const;
  [[nodiscard]] int order_hint(Move move) const;
  void order_hints(const Moves& moves, int* hints) const;

  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string move_text(Move move) const;
  [[nodiscard]] Move parse_move(std::string_view text) const;
  [[nodiscard]] std::string why_illegal(Move move) const;
  [[nodiscard]] std::string board() const;
  [[nodiscard]] std::string point_text(Cell cell) const;
  [[nodiscard]] Cell point_cell(int point) const {
    return grid().cells[static_cast<std::size_t>(point)];
  }
  [[nodiscard]] int cell_point(Cell cell) const { return row_of(cell) * size() + column_of(cell); }

  friend bool operator==(const Position&, const Position&) = default;

 private:
  enum class End : std::uint8_t {
    None,
    Material,
    Shape,
    Reversal,
    Immobile,
    DoubleDalian,
    NoCapture,
    Length,
    NoTurn
  };

  explicit Position(const Options& options)
      : options_(options), turn_(static_cast<std::uint8_t>(options.first_placer)) {}

  [[nodiscard]] const Grid& grid() const { return grids[static_cast<std::size_t>(options_.half)]; }

  static constexpr auto stone_keys = [] {
    std::array<std::array<std::uint64_t, 256>, 2> keys{};
    std::uint64_t x = 0x4A6975;
    for (auto& seat : keys) {
      for (auto& key : seat) key = x = split_mix(x);
    }
    return keys;
  }();
  static constexpr std::array<std::uint64_t, 2> seat_keys = {0, split_mix(0x7475726E)};
  static constexpr std::uint64_t battle_key = split_mix(0x626174746C65);

  [[nodiscard]] int other() const { return 1 - turn_; }
  [[nodiscard]] std::uint64_t part_key() const;
  [[nodiscard]] std::uint64_t turn_key() const;
  void put(int seat, Cell cell);
  void lift(int seat, Cell cell);

  // Moves
  [[nodiscard]] int step_directions() const { return options_.move_dirs == 0 ? 4 : 8; }
  [[nodiscard]] int jump_directions() const { return options_.jump_dirs == 0 ? 4 : 8; }
  [[nodiscard]] bool bans_single_jump(int own, int enemy) const;
  [[nodiscard]] bool bans_single_jump(int seat) const {
    return bans_single_jump(count(seat), count(1 - seat));
  }
  [[nodiscard]] bool may_jump(int seat) const { return options_.fly_jump != 0 || !flies(seat); }
  [[nodiscard]] bool is_spent_edge(int seat, Cell from, Cell to) const;
  // Own stones that can step or jump, by direction.
  using Movers = std::array<Board, directions>;
  template <int d>
  [[nodiscard]] Board steppers(int seat, const Board& empty) const {
    return stones(seat) & empty.seen<ways[d]>();
  }
  [[nodiscard]] Movers steppers(int seat, const Board& empty) const;
  [[nodiscard]] bool has_step(int seat, const Board& empty) const;
  [[nodiscard]] Movers all_jumpers(int seat, const Board& empty) const;
  [[nodiscard]] bool jump_goes_on(int seat, Cell from, int direction) const;
  [[nodiscard]] bool can_jump_on(int direction) const;
  [[nodiscard]] bool may_stop() const;
  [[nodiscard]] bool has_filters() const;
  [[nodiscard]] bool passes_filters(const Action& action) const;
  [[nodiscard]] Board free_targets() const;
  // What a turn may begin with where no filter applies, counted without a list: flights, or steps
  // by direction; then jumps by direction.
  struct Beginnings {
    Board free;
    std::array<int, 2 * directions> counts{};
    int flights = 0;
    int count = 0;
  };
  [[nodiscard]] Beginnings beginnings() const;
  [[nodiscard]] Move nth(const Beginnings& all, int n) const;
  void displacements(Moves& moves) const;
  [[nodiscard]] Board placements() const;
  void moves_on(Moves& moves) const;
  [[nodiscard]] bool is_displacement(const Action& action) const;
  [[nodiscard]] bool earns(const Action& action) const;
  [[nodiscard]] bool must_capture() const;
  [[nodiscard]] bool has_spent_edge(int seat) const;
  [[nodiscard]] bool closes_without_jump(int seat) const;
  [[nodiscard]] bool closes_by_jumps(int seat) const;
  void best_captures(Moves& moves) const;

  // Playing
  void place(Cell cell);
  void begin_battle();
  void step(Cell from, Cell to);
  void jump(Cell from, int direction);
  void land();
  void take(Cell cell);
  [[nodiscard]] bool counts_every_landing() const {
    return options_.square_count == static_cast<std::int16_t>(SquareCount::EveryLanding);
  }
  [[nodiscard]] int squares_earned() const;
  [[nodiscard]] int extra_earned() const;
  void note_shuttle(Cell from, Cell to);
  void end_turn();
  void judge(int moved, bool crossed);
  [[nodiscard]] End judge_shape(int moved, bool crossed, int& winner) const;
  void finish(End end, int winner) {
    end_ = end;
    winner_ = static_cast<std::int8_t>(winner);
  }
  [[nodiscard]] Cell transformed_cell(Cell cell, int symmetry) const;
  [[nodiscard]] Board transformed_board(const Board& board, int symmetry) const;
  [[nodiscard]] std::string where() const;
  [[nodiscard]] std::string part_text() const;
  [[nodiscard]] std::string list_text(const Board& points) const;
  [[nodiscard]] Cell parse_point(std::string_view text) const;
  [[nodiscard]] Board parse_list(std::string_view text) const;
  void parse_rows(std::string_view rows);
  void parse_part(std::span<const std::string_view> words);
  void parse_battle(std::span<const std::string_view> words);
  [[nodiscard]] std::string check_preparation() const;
  [[nodiscard]] std::string check_part() const;

  std::array<Board, 2> stones_{};
  // In a chain: points visited, or jumped stones that still stand; while taking: what may be taken.
  Board visited_{};
  Board held_{};
  std::uint64_t key_ = 0;
  Options options_;
  std::array<std::uint8_t, 2> counts_{};
  std::int16_t plies_ = 0;
  std::int16_t quiet_ = 0;
  std::uint8_t turn_;
  Stage stage_ = Stage::Preparation;
  Phase phase_ = Phase::Begin;
  Cell origin_ = 0;  // where the moving stone stood when the turn began
  Cell mover_ = 0;   // where it stands now
  std::uint8_t jumps_ = 0;
  std::uint8_t due_ = 0;
  std::uint8_t before_ = 0;  // enemy stones when the turn began
  bool crossed_ = false;     // of a finished game: the last turn took a side to the threshold
  End end_ = End::None;
  std::int8_t winner_ = -1;  // of a finished game; -1: drawn
  // Black's traversals in a row of one edge, where a limit is set.
  Cell edge_from_ = 0;
  Cell edge_to_ = 0;
  std::uint8_t trips_ = 0;
};

inline Cell Position::centre_end(int which) const {
  const int half = options_.half;
  const int row = half - 1 + which;
  const int column = options_.diagonal == 0 ? row : size() - 1 - row;
  return cell_at(row, column);
}

inline Action Position::action(Move move) const {
  const int points = size() * size();
  int number = index(move);
  if (number < points * points) {
    const auto from = static_cast<int>(static_cast<std::uint64_t>(number) * grid().inverse >> 32);
    return {Kind::Step, point_cell(from), point_cell(number - from * points), 0};
  }
  number -= points * points;
  if (number < 8 * points) {
    const Cell from = point_cell(number / 8);
    const int direction = number % 8;
    return {Kind::Jump, from,
            static_cast<Cell>(from + 2 * ways[static_cast<std::size_t>(direction)]), direction};
  }
  number -= 8 * points;
  if (number < points) return {Kind::Place, 0, point_cell(number), 0};
  number -= points;
  if (number < points) return {Kind::Take, 0, point_cell(number), 0};
  return {number == points ? Kind::Stop : Kind::None, 0, 0, 0};
}

inline Move Position::move_of(const Action& action) const {
  const int points = size() * size();
  int number = 0;
  switch (action.kind) {
    case Kind::Step:
      number = cell_point(action.from) * points + cell_point(action.to);
      break;
    case Kind::Jump:
      number = points * points + cell_point(action.from) * 8 + action.direction;
      break;
    case Kind::Place:
      number = points * (points + 8) + cell_point(action.to);
      break;
    case Kind::Take:
      number = points * (points + 9) + cell_point(action.to);
      break;
    case Kind::Stop:
      number = points * (points + 10);
      break;
    case Kind::None:
      return no_move;
  }
  return Move{static_cast<std::uint16_t>(number)};
}

inline void Position::put(int seat, Cell cell) {
  stones_[static_cast<std::size_t>(seat)].add(cell);
  ++counts_[static_cast<std::size_t>(seat)];
  key_ ^= stone_keys[static_cast<std::size_t>(seat)][cell];
}

inline void Position::lift(int seat, Cell cell) {
  stones_[static_cast<std::size_t>(seat)].remove(cell);
  --counts_[static_cast<std::size_t>(seat)];
  key_ ^= stone_keys[static_cast<std::size_t>(seat)][cell];
}

inline std::uint64_t Position::part_key() const {
  std::uint64_t key = static_cast<std::uint64_t>(phase_) | std::uint64_t{origin_} << 8 |
                      std::uint64_t{mover_} << 16 | std::uint64_t{jumps_} << 24 |
                      std::uint64_t{due_} << 32 | std::uint64_t{before_} << 40;
  key = split_mix(key);
  // Only some rules hold points; the mix would cost every position a little.
  const auto fold = [&](const Board& board, std::uint64_t seed) {
    if (board.any()) board.each([&](Cell cell) { key ^= split_mix(seed + cell); });
  };
  fold(visited_, 0x7669736974);
  fold(held_, 0x68656C64);
  return key;
}

inline std::uint64_t Position::turn_key() const {
  std::uint64_t key = seat_keys[turn_];
  if (stage_ == Stage::Preparation) return key;
  if (in_turn()) key ^= part_key();
  if (options_.no_capture_limit > 0 && quiet_ + 20 >= options_.no_capture_limit) {
    key ^= split_mix(0x717569657400 + static_cast<std::uint64_t>(quiet_));
  }
  if (plies_ + 20 >= options_.max_battle_plies) {
    key ^= split_mix(0x706C69657300 + static_cast<std::uint64_t>(plies_));
  }
  if (trips_ != 0) {
    key ^= split_mix(0x6564676500000000 + edge_from_ * 65536ULL + edge_to_ * 256ULL + trips_);
  }
  return key;
}

inline std::uint64_t Position::scratch_key() const {
  std::uint64_t key = stage_ == Stage::Battle ? battle_key : 0;
  for (std::size_t seat = 0; seat < 2; ++seat) {
    stones_[seat].each([&](Cell cell) { key ^= stone_keys[seat][cell]; });
  }
  return key ^ turn_key();
}

}  // namespace tempo::jiu
