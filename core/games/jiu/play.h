// Playing a move of Jiu, the end of a turn, and the end of a game.
#pragma once

#include "moves.h"
#include "position.h"

namespace tempo::jiu {

inline void Position::play(Move move) {
  assert(is_legal(move));
  const Action what = action(move);
  switch (what.kind) {
    case Kind::Place:
      return place(what.to);
    case Kind::Step:
      return step(what.from, what.to);
    case Kind::Jump:
      return jump(what.from, what.direction);
    case Kind::Take:
      return take(what.to);
    case Kind::Stop:
      return phase_ == Phase::Jumping ? land() : end_turn();
    case Kind::None:
      break;
  }
}

inline void Position::place(Cell cell) {
  put(turn_, cell);
  ++plies_;
  turn_ = static_cast<std::uint8_t>(other());
  if (plies_ == size() * size()) begin_battle();
}

// The two stones of the marked diagonal leave; they are not captured.
inline void Position::begin_battle() {
  for (int end = 0; end < 2; ++end) {
    const Cell cell = centre_end(end);
    lift(stones(white).has(cell) ? white : black, cell);
  }
  stage_ = Stage::Battle;
  key_ ^= battle_key;
  plies_ = 0;
  turn_ = static_cast<std::uint8_t>(options_.battle_first);
  before_ = counts_[static_cast<std::size_t>(other())];
  judge(other(), false);
}

inline Position Position::battle(const Board& whites, const Board& blacks, int turn,
                                 const Options& options) {
  Position position(options);
  position.stage_ = Stage::Battle;
  position.key_ ^= battle_key;
  position.turn_ = static_cast<std::uint8_t>(turn);
  whites.each([&](Cell cell) { position.put(white, cell); });
  blacks.each([&](Cell cell) { position.put(black, cell); });
  position.before_ = position.counts_[static_cast<std::size_t>(position.other())];
  position.judge(position.other(), false);
  return position;
}

inline void Position::step(Cell from, Cell to) {
  lift(turn_, from);
  put(turn_, to);
  origin_ = from;
  mover_ = to;
  note_shuttle(from, to);
  land();
}

inline void Position::jump(Cell from, int direction) {
  const auto over = static_cast<Cell>(from + ways[static_cast<std::size_t>(direction)]);
  const auto to = static_cast<Cell>(over + ways[static_cast<std::size_t>(direction)]);
  if (jumps_ == 0) origin_ = from;
  lift(turn_, from);
  put(turn_, to);
  if (options_.jumped_removed == 0) {
    lift(other(), over);
  } else {
    held_.add(over);
  }
  if (options_.chain_revisit != 0) visited_.add(from);
  mover_ = to;
  ++jumps_;
  if (jumps_ == 1) note_shuttle(from, to);
  phase_ = Phase::Jumping;
  if (counts_every_landing()) due_ = static_cast<std::uint8_t>(due_ + squares_earned());
  for (int d = 0; d < jump_directions(); ++d) {
    if (can_jump_on(d)) return;
  }
  land();
}

// Squares that the moving stone completes where it stands.
inline int Position::squares_earned() const {
  const bool any = options_.square_count == static_cast<std::int16_t>(SquareCount::FinalAny);
  if (mover_ == origin_ && !any) return 0;  // back where it began: they stood before
  return squares_at(stones(turn_), mover_);
}

// Captures that only some rules grant: a whole line, a completed shuttle.
inline int Position::extra_earned() const {
  int extra = 0;
  if (options_.line_capture != 0) {
    bool row = true;
    bool column = true;
    for (int i = 0; i < size(); ++i) {
      row = row && stones(turn_).has(cell_at(row_of(mover_), i));
      column = column && stones(turn_).has(cell_at(i, column_of(mover_)));
    }
    extra += row || column ? 2 : 0;
  }
  if (options_.formation_bonus != 0) {
    int best = 0;
    each_dalian(stones(turn_), empty(), [&](const Dalian& dalian) {
      if (dalian.vital != mover_ || dalian.hole != origin_) return;
      Board back = stones(turn_);
      back.remove(mover_);
      const bool twice = squares_at(stones(turn_), mover_) > 1 || squares_at(back, origin_) > 1;
      best = twice ? 2 : best > 1 ? best : 1;
    });
    extra += best;
  }
  return extra;
}

// The displacement is over: what it earned falls due.
inline void Position::land() {
  if (held_.any()) {
    const Board leaving = held_;
    held_ = {};
    leaving.each([&](Cell cell) { lift(other(), cell); });
  }
  visited_ = {};
  const bool counted = counts_every_landing() && jumps_ > 0;
  const int earned = due_ + (counted ? 0 : squares_earned()) + extra_earned();
  const int left = count(other());
  due_ = static_cast<std::uint8_t>(earned < left ? earned : left);
  if (due_ == 0) return end_turn();
  phase_ = Phase::Taking;
  if (options_.square_targets != 0) {
    const Board& enemy = stones(other());
    const Board outside = enemy - points_of_cells(squares(enemy));
    held_ = outside.count() >= due_ ? outside : enemy;
  }
}

inline void Position::take(Cell cell) {
  lift(other(), cell);
  held_.remove(cell);
  if (--due_ == 0) end_turn();
}

// Black's traversals in a row of one edge.
inline void Position::note_shuttle(Cell from, Cell to) {
  if (options_.shuttle_limit == 0 || turn_ != black) return;
  const bool same =
      (from == edge_from_ && to == edge_to_) || (from == edge_to_ && to == edge_from_);
  trips_ = static_cast<std::uint8_t>(same && trips_ > 0 ? (trips_ < 6 ? trips_ + 1 : 6) : 1);
  edge_from_ = from;
  edge_to_ = to;
}

inline void Position::end_turn() {
  const int moved = turn_;
  const int left = count(other());
  quiet_ = static_cast<std::int16_t>(left < before_ ? 0 : quiet_ + 1);
  ++plies_;
  const int threshold = options_.threshold();
  const bool crossed = before_ > threshold && left <= threshold;
  phase_ = Phase::Begin;
  origin_ = mover_ = 0;
  jumps_ = due_ = 0;
  held_ = visited_ = {};
  turn_ = static_cast<std::uint8_t>(1 - moved);
  before_ = counts_[static_cast<std::size_t>(moved)];
  judge(moved, crossed);
}

inline bool Position::has_fixed_shape(int seat) const {
  const Board& own = stones(seat);
  const Board free = empty();
  switch (static_cast<ShapeSet>(options_.shape_set)) {
    case ShapeSet::Lhasa:
      return has_dalian_pair(own, free, DalianPair::Lhasa);
    case ShapeSet::Goldfish:
      return has_dalian_pair(own, free, DalianPair::Goldfish);
    case ShapeSet::Dalian:
      break;
  }
  return options_.shape_min > 1 ? has_dalian_pair(own, free, DalianPair::Any)
                                : has_dalian(own, free);
}

// Test 2 of the end of a turn: fixed shapes.
inline Position::End Position::judge_shape(int moved, bool crossed, int& winner) const {
  const auto check = static_cast<ShapeCheck>(options_.shape_check);
  const int weak = 1 - moved;
  const bool below = count(weak) <= options_.threshold();
  if (options_.literal_14 != 0 && count(weak) < size()) {
    const bool shape = has_fixed_shape(moved);
    winner = shape ? moved : weak;
    return shape ? End::Shape : End::Reversal;
  }
  const bool looks = check == ShapeCheck::AnyTime || (check == ShapeCheck::Threshold && below) ||
                     (check == ShapeCheck::CrossingOnly && crossed);
  if (!looks) return End::None;
  if (has_fixed_shape(moved)) {
    winner = moved;
    return has_gate(weak) ? End::None : End::Shape;
  }
  if (!crossed || !has_gate(weak)) return End::None;
  winner = weak;
  return End::Reversal;
}

// Whether the game is over now that `moved` has ended its turn (or the battle has begun). The
// order of the tests is part of the rules.
inline void Position::judge(int moved, bool crossed) {
  const int weak = 1 - moved;
  if (plies_ > 0) {
    if (count(weak) < options_.min_stones) return finish(End::Material, moved);
    int winner = moved;
    const End shape = judge_shape(moved, crossed, winner);
    if (shape != End::None) {
      crossed_ = crossed;
      return finish(shape, winner);
    }
    if (options_.early_double_dalian != 0 && count(moved) > count(weak) &&
        has_dalian_pair(stones(moved), empty(), DalianPair::Any) &&
        !has_dalian(stones(weak), empty()) && !has_gate(weak)) {
      return finish(End::DoubleDalian, moved);
    }
  }
  if (!has_turn(weak)) {
    switch (static_cast<NoTurn>(options_.no_legal_turn)) {
      case NoTurn::Loss:
        return finish(End::Immobile, moved);
      case NoTurn::Draw:
        return finish(End::NoTurn, -1);
      case NoTurn::Pass:
        if (!has_turn(moved)) return finish(End::NoTurn, -1);
        turn_ = static_cast<std::uint8_t>(moved);
        before_ = counts_[static_cast<std::size_t>(weak)];
        break;
    }
  }
  if (options_.no_capture_limit > 0 && quiet_ >= options_.no_capture_limit) {
    return finish(End::NoCapture, -1);
  }
  if (plies_ < options_.max_battle_plies) return;
  const int lead = count(white) - count(black);
  const int least =
      options_.limit_result == static_cast<std::int16_t>(LimitResult::Material5) ? 5 : 1;
  const bool draw = options_.limit_result == static_cast<std::int16_t>(LimitResult::Draw) ||
                    (lead < least && -lead < least);
  finish(End::Length, draw ? -1 : lead > 0 ? white : black);
}

inline std::optional<Outcome> Position::outcome() const {
  if (!is_over()) return std::nullopt;
  constexpr std::array<std::string_view, 9> reasons = {"",           "material", "shape",
                                                       "reversal",   "immobile", "double Dalian",
                                                       "no capture", "length",   "no legal turn"};
  Outcome outcome{reasons[static_cast<std::size_t>(end_)], {0, 0}};
  if (winner_ >= 0)
    outcome.scores = {winner_ == white ? 1.0F : -1.0F, winner_ == white ? -1.0F : 1.0F};
  return outcome;
}

// Repetition: the same stones with the same side to move, in battle and between turns. Captures
// make it impossible, so the past is searched back to the last one.
inline std::optional<Outcome> Position::outcome_by_past(const History& past) const {
  const auto rule = static_cast<Repetition>(options_.repetition);
  if (rule == Repetition::Off || stage_ == Stage::Preparation || in_turn() || quiet_ == 0) {
    return std::nullopt;
  }
  const int seen = past.count(repetition_key(), static_cast<std::size_t>(reversible_moves()));
  if (seen < (rule == Repetition::Two ? 1 : 2)) return std::nullopt;
  if (rule != Repetition::Forbid) return Outcome{"repetition", {0, 0}};
  // The seat that moved: the other one, unless that one has no turn and has just passed.
  const bool passes = options_.no_legal_turn == static_cast<std::int16_t>(NoTurn::Pass);
  const bool passed = passes && !has_turn(1 - turn_);
  const bool white_moved = (turn_ == black) != passed;
  return Outcome{"repetition", {white_moved ? -1.0F : 1.0F, white_moved ? 1.0F : -1.0F}};
}

inline Cell Position::transformed_cell(Cell cell, int symmetry) const {
  // Bit 0 transposes, bit 1 turns by half; both keep either diagonal of the centre.
  int row = row_of(cell);
  int column = column_of(cell);
  if ((symmetry & 1) != 0) std::swap(row, column);
  if ((symmetry & 2) != 0) {
    row = size() - 1 - row;
    column = size() - 1 - column;
  }
  return cell_at(row, column);
}

inline Board Position::transformed_board(const Board& board, int symmetry) const {
  Board result;
  board.each([&](Cell cell) { result.add(transformed_cell(cell, symmetry)); });
  return result;
}

inline Position Position::transformed(int symmetry) const {
  Position result = *this;
  for (Board& stones : result.stones_) stones = transformed_board(stones, symmetry);
  result.visited_ = transformed_board(visited_, symmetry);
  result.held_ = transformed_board(held_, symmetry);
  if (in_turn()) {
    result.origin_ = transformed_cell(origin_, symmetry);
    result.mover_ = transformed_cell(mover_, symmetry);
  }
  if (trips_ != 0) {
    result.edge_from_ = transformed_cell(edge_from_, symmetry);
    result.edge_to_ = transformed_cell(edge_to_, symmetry);
  }
  result.key_ = result.scratch_key() ^ result.turn_key();
  return result;
}

inline Move Position::transformed_move(Move move, int symmetry) const {
  Action what = action(move);
  if (what.kind == Kind::Jump) {
    if ((symmetry & 1) != 0) {
      constexpr std::array<int, directions> transposed = {1, 0, 3, 2, 4, 6, 5, 7};
      what.direction = transposed[static_cast<std::size_t>(what.direction)];
    }
    if ((symmetry & 2) != 0) what.direction = opposite(what.direction);
  }
  if (what.kind == Kind::Step || what.kind == Kind::Jump) {
    what.from = transformed_cell(what.from, symmetry);
  }
  if (what.kind != Kind::Stop && what.kind != Kind::Jump) {
    what.to = transformed_cell(what.to, symmetry);
  }
  return move_of(what);
}

}  // namespace tempo::jiu
