// The legal moves of Jiu. Displacements come in a fixed order: steps by direction and origin, or
// flights by origin and target; then jumps by direction and origin.
#pragma once

#include "chain.h"
#include "position.h"

namespace tempo::jiu {

inline bool Position::bans_single_jump(int own, int enemy) const {
  const int flying = options_.flying();
  switch (static_cast<JumpBan>(options_.single_jump_ban)) {
    case JumpBan::Strong:
      return own > flying && enemy <= flying && flying > 0;
    case JumpBan::Both:
      return (own <= flying || enemy <= flying) && flying > 0;
    case JumpBan::Off:
      break;
  }
  return false;
}

inline bool Position::has_spent_edge(int seat) const { return trips_ >= 6 && seat == black; }

inline bool Position::is_spent_edge(int seat, Cell from, Cell to) const {
  if (!has_spent_edge(seat)) return false;
  return (from == edge_from_ && to == edge_to_) || (from == edge_to_ && to == edge_from_);
}

inline Position::Movers Position::steppers(int seat, const Board& empty) const {
  Movers movers{};
  each_direction<directions>([&]<int d>(std::integral_constant<int, d>) {
    if (d < 4 || options_.move_dirs != 0) movers[d] = steppers<d>(seat, empty);
  });
  return movers;
}

inline Position::Movers Position::all_jumpers(int seat, const Board& empty) const {
  Movers movers{};
  if (!may_jump(seat)) return movers;
  each_direction<directions>([&]<int d>(std::integral_constant<int, d>) {
    if (d < 4 || options_.jump_dirs != 0) {
      movers[d] = jumpers<d>(stones(seat), stones(1 - seat), empty);
    }
  });
  return movers;
}

// Whether a first jump can be followed by a second.
inline bool Position::jump_goes_on(int seat, Cell from, int direction) const {
  Chain chain{stones(seat), stones(1 - seat), {}, {}, from, from, 0};
  chain.own.remove(from);
  return goes_on(jumped(chain, options_, direction), field(), options_);
}

// Whether the moving stone can go on, in the middle of a chain. Cells off the board wrap round into
// the margin, which holds no stones.
inline bool Position::can_jump_on(int direction) const {
  if (direction >= jump_directions()) return false;
  const int way = ways[static_cast<std::size_t>(direction)];
  const auto over = static_cast<Cell>(mover_ + way);
  const auto to = static_cast<Cell>(over + way);
  return stones(other()).has(over) && !held_.has(over) && empty().has(to) && !visited_.has(to);
}

inline bool Position::may_stop() const {
  if (phase_ == Phase::Taking) return options_.square_capture != 0;
  const bool single = jumps_ == 1 && bans_single_jump(count(turn_), before_);
  return options_.chain_compulsory == 0 && !single;
}

// Rules that forbid displacements which the board would allow.
inline bool Position::has_filters() const {
  return options_.capture_compulsory != 0 || trips_ >= 6 || bans_single_jump(turn_);
}

inline bool Position::passes_filters(const Action& action) const {
  if (action.kind == Kind::Step) {
    return !is_spent_edge(turn_, action.from, action.to) && (earns(action) || !must_capture());
  }
  return !bans_single_jump(turn_) || jump_goes_on(turn_, action.from, action.direction);
}

// Whether a displacement completes a square, or takes a stone by a jump.
inline bool Position::earns(const Action& action) const {
  if (action.kind == Kind::Jump) return true;
  Position after = *this;
  after.lift(turn_, action.from);
  after.put(turn_, action.to);
  after.origin_ = action.from;
  after.mover_ = action.to;
  return after.squares_earned() + after.extra_earned() > 0;
}

inline bool Position::must_capture() const {
  if (options_.capture_compulsory == 0 || count(other()) == 0) return false;
  bool found = false;
  const Board free = empty();
  const Movers jumps = all_jumpers(turn_, free);
  const bool banned = bans_single_jump(turn_);
  for (std::size_t d = 0; d < directions; ++d) {
    jumps[d].each([&](Cell from) {
      found = found || !banned || jump_goes_on(turn_, from, static_cast<int>(d));
    });
  }
  if (found) return true;
  const bool plain =
      options_.formation_bonus == 0 && options_.line_capture == 0 && !has_spent_edge(turn_);
  if (flies(turn_) && plain) return count(turn_) > 3 && gates(stones(turn_), free).any();
  const auto look = [&](Cell from, Cell to) {
    found = found || (!is_spent_edge(turn_, from, to) && earns({Kind::Step, from, to, 0}));
  };
  if (flies(turn_)) {
    stones(turn_).each([&](Cell from) { free.each([&](Cell to) { look(from, to); }); });
    return found;
  }
  const Movers steps = steppers(turn_, free);
  for (std::size_t d = 0; d < directions; ++d) {
    steps[d].each([&](Cell from) { look(from, static_cast<Cell>(from + ways[d])); });
  }
  return found;
}

inline Position::Beginnings Position::beginnings() const {
  Beginnings all;
  all.free = empty();
  const auto add = [&](std::size_t i, const Board& from) {
    all.counts[i] = from.count();
    all.count += all.counts[i];
  };
  if (flies(turn_)) {
    all.count = all.flights = count(turn_) * all.free.count();
  } else {
    each_direction<directions>([&]<int d>(std::integral_constant<int, d>) {
      if (d < 4 || options_.move_dirs != 0) add(d, steppers<d>(turn_, all.free));
    });
  }
  if (!may_jump(turn_)) return all;
  each_direction<directions>([&]<int d>(std::integral_constant<int, d>) {
    if (d >= 4 && options_.jump_dirs == 0) return;
    add(directions + d, jumpers<d>(stones(turn_), stones(other()), all.free));
  });
  return all;
}

// The n-th of the list.
inline Move Position::nth(const Beginnings& all, int n) const {
  if (n < all.flights) {
    const int targets = all.free.count();
    return move_of({Kind::Step, stones(turn_).nth(n / targets), all.free.nth(n % targets), 0});
  }
  n -= all.flights;
  std::size_t which = 0;
  while (n >= all.counts[which]) n -= all.counts[which++];
  Move move = no_move;
  each_direction<directions>([&]<int d>(std::integral_constant<int, d>) {
    if (which == d) {
      const Cell from = steppers<d>(turn_, all.free).nth(n);
      move = move_of({Kind::Step, from, static_cast<Cell>(from + ways[d]), 0});
    } else if (which == directions + d) {
      const Cell from = jumpers<d>(stones(turn_), stones(other()), all.free).nth(n);
      move = move_of({Kind::Jump, from, 0, d});
    }
  });
  return move;
}

inline void Position::displacements(Moves& moves) const {
  const Board free = empty();
  const int points = size() * size();
  const auto push = [&](int number) { moves.push(Move{static_cast<std::uint16_t>(number)}); };
  if (flies(turn_)) {
    stones(turn_).each([&](Cell from) {
      const int first = cell_point(from) * points;
      free.each([&](Cell to) { push(first + cell_point(to)); });
    });
  } else {
    const Movers steps = steppers(turn_, free);
    for (std::size_t d = 0; d < directions; ++d) {
      const int way = row_of(static_cast<Cell>(ways[d] + 17)) * size() - size() +
                      column_of(static_cast<Cell>(ways[d] + 17)) - 1;
      steps[d].each([&](Cell from) {
        const int point = cell_point(from);
        push(point * points + point + way);
      });
    }
  }
  const Movers jumps = all_jumpers(turn_, free);
  for (std::size_t d = 0; d < directions; ++d) {
    jumps[d].each(
        [&](Cell from) { push(points * points + cell_point(from) * 8 + static_cast<int>(d)); });
  }
  if (!has_filters()) return;
  Moves kept;
  const bool capture = must_capture();
  for (const Move move : moves) {
    const Action what = action(move);
    const bool spent = what.kind == Kind::Step && is_spent_edge(turn_, what.from, what.to);
    const bool banned = what.kind == Kind::Jump && bans_single_jump(turn_) &&
                        !jump_goes_on(turn_, what.from, what.direction);
    if (!spent && !banned && (!capture || earns(what))) kept.push(move);
  }
  moves = kept;
}

// Where a stone may be placed: the two ends of the marked diagonal first.
inline Board Position::placements() const {
  if (placed() >= 2) return empty();
  return (Board::of(centre_end(0)) | Board::of(centre_end(1))) & empty();
}

// The stones that may be taken now. Any order will do: an order of the points would not survive
// the symmetries of the board.
inline Board Position::free_targets() const {
  return options_.square_targets == 0 ? stones(other()) : stones(other()) & held_;
}

// The moves inside a turn.
inline void Position::moves_on(Moves& moves) const {
  if (phase_ == Phase::Jumping) {
    for (int d = 0; d < jump_directions(); ++d) {
      if (can_jump_on(d)) moves.push(move_of({Kind::Jump, mover_, 0, d}));
    }
  } else {
    free_targets().each([&](Cell cell) { moves.push(move_of({Kind::Take, 0, cell, 0})); });
  }
  if (may_stop()) moves.push(move_of({Kind::Stop, 0, 0, 0}));
}

inline void Position::legal_moves(Moves& moves) const {
  moves.clear();
  if (is_over()) return;
  if (stage_ == Stage::Preparation) {
    placements().each([&](Cell cell) { moves.push(move_of({Kind::Place, 0, cell, 0})); });
  } else if (in_turn()) {
    moves_on(moves);
  } else {
    displacements(moves);
  }
}

inline int Position::count_moves() const {
  if (is_over()) return 0;
  if (stage_ == Stage::Preparation) return placements().count();
  if (phase_ == Phase::Taking) return free_targets().count() + (may_stop() ? 1 : 0);
  if (phase_ == Phase::Begin && !has_filters()) return beginnings().count;
  Moves moves;
  legal_moves(moves);
  return moves.size();
}

inline Move Position::random_move(Random& random) const {
  if (is_over()) return no_move;
  const auto draw = [&](int count) { return static_cast<int>(random.below(count)); };
  if (stage_ == Stage::Preparation) {
    const Board free = placements();
    return move_of({Kind::Place, 0, free.nth(draw(free.count())), 0});
  }
  if (phase_ == Phase::Taking && !may_stop()) {
    const Board free = free_targets();
    return move_of({Kind::Take, 0, free.nth(draw(free.count())), 0});
  }
  if (phase_ == Phase::Begin && !has_filters()) {
    const Beginnings all = beginnings();
    return nth(all, draw(all.count));
  }
  Moves moves;
  legal_moves(moves);
  return moves[draw(moves.size())];
}

inline bool Position::is_displacement(const Action& what) const {
  const Board free = empty();
  if (!stones(turn_).has(what.from)) return false;
  if (what.kind == Kind::Jump) {
    return all_jumpers(turn_, free)[static_cast<std::size_t>(what.direction)].has(what.from);
  }
  if (!free.has(what.to)) return false;
  if (flies(turn_)) return true;
  for (int d = 0; d < step_directions(); ++d) {
    if (what.from + ways[static_cast<std::size_t>(d)] == what.to) return true;
  }
  return false;
}

inline bool Position::is_legal(Move move) const {
  if (is_over()) return false;
  const Action what = action(move);
  switch (what.kind) {
    case Kind::Place:
      return stage_ == Stage::Preparation && placements().has(what.to);
    case Kind::Step:
      return stage_ == Stage::Battle && phase_ == Phase::Begin && is_displacement(what) &&
             (!has_filters() || passes_filters(what));
    case Kind::Jump:
      if (stage_ != Stage::Battle || phase_ == Phase::Taking) return false;
      if (phase_ == Phase::Jumping) return what.from == mover_ && can_jump_on(what.direction);
      return is_displacement(what) && (!has_filters() || passes_filters(what));
    case Kind::Take:
      return phase_ == Phase::Taking && free_targets().has(what.to);
    case Kind::Stop:
      return in_turn() && may_stop();
    case Kind::None:
      break;
  }
  return false;
}

inline bool Position::has_turn(int seat) const {
  const Board free = empty();
  if (flies(seat)) {
    if (count(seat) > 0 && free.any()) return true;
  } else if (has_step(seat, free)) {
    return true;
  }
  const bool banned = bans_single_jump(seat);
  const Movers jumps = all_jumpers(seat, free);
  for (std::size_t d = 0; d < directions; ++d) {
    bool found = jumps[d].any();
    if (found && banned) {
      found = false;
      jumps[d].each(
          [&](Cell from) { found = found || jump_goes_on(seat, from, static_cast<int>(d)); });
    }
    if (found) return true;
  }
  return false;
}

// Nearly always the first direction says yes.
inline bool Position::has_step(int seat, const Board& free) const {
  bool found = false;
  each_direction<directions>([&]<int d>(std::integral_constant<int, d>) {
    if (found || (d >= 4 && options_.move_dirs == 0)) return;
    const Board steps = steppers<d>(seat, free);
    found = steps.any();
    if (!found || !has_spent_edge(seat)) return;
    found = false;
    steps.each([&](Cell from) {
      found = found || !is_spent_edge(seat, from, static_cast<Cell>(from + ways[d]));
    });
  });
  return found;
}

// Whether a step or a flight completes a square.
inline bool Position::closes_without_jump(int seat) const {
  const Board& own = stones(seat);
  const Board free = empty();
  if (!has_spent_edge(seat)) {
    if (flies(seat)) return count(seat) > 3 && gates(own, free).any();
    if (options_.move_dirs == 0) return step_gates(own, free).any();
  }
  bool found = false;
  const auto look = [&](Cell from, Cell to) {
    if (found || is_spent_edge(seat, from, to)) return;
    Board moved = own;
    moved.remove(from);
    found = squares_at(moved, to) > 0;
  };
  if (flies(seat)) {
    own.each([&](Cell from) { free.each([&](Cell to) { look(from, to); }); });
    return found;
  }
  const Movers steps = steppers(seat, free);
  for (std::size_t d = 0; d < directions; ++d) {
    steps[d].each([&](Cell from) { look(from, static_cast<Cell>(from + ways[d])); });
  }
  return found;
}

// Whether a chain of jumps that may end completes a square, at its end or where squares count.
inline bool Position::closes_by_jumps(int seat) const {
  const Board& own = stones(seat);
  const Board free = empty();
  const bool banned = bans_single_jump(seat);
  const Movers jumps = all_jumpers(seat, free);
  Board starts;
  for (const Board& from : jumps) starts |= from;
  bool found = false;
  starts.each([&](Cell from) {
    if (found) return;
    Chain chain{own, stones(1 - seat), {}, {}, from, from, 0};
    chain.own.remove(from);
    found = walk_chains(chain, field(), options_, [&](const Chain& reached) {
      const bool on = goes_on(reached, field(), options_);
      const bool ends = !(banned && reached.jumps == 1) && !(options_.chain_compulsory != 0 && on);
      const bool every =
          options_.square_count == static_cast<std::int16_t>(SquareCount::EveryLanding);
      const bool counts = ends || (every && on);
      const bool fresh = reached.at != from ||
                         options_.square_count == static_cast<std::int16_t>(SquareCount::FinalAny);
      return counts && fresh && squares_at(reached.own, reached.at) > 0;
    });
  });
  return found;
}

inline bool Position::has_gate(int seat) const {
  if (options_.gate_test != 0) return gates(stones(seat), empty()).any();
  return closes_without_jump(seat) || closes_by_jumps(seat);
}

}  // namespace tempo::jiu
