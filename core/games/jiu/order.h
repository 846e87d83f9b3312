// What a search of Jiu tries first, and what it still looks at past its horizon.
#pragma once

#include <algorithm>

#include "moves.h"
#include "play.h"
#include "position.h"

namespace tempo::jiu {

// The worth of each enemy stone as a capture, by the order strong players give: stones of a live
// Dalian, of a gate, stones that jump, stones whose leaving opens a square of one's own.
class CaptureOrder {
 public:
  CaptureOrder(const Board& own, const Board& enemy, const Board& empty) {
    each_dalian(enemy, empty, [&](const Dalian& dalian) {
      dalian_ |= dalian.stones;
      vital_.add(dalian.vital);
    });
    each_direction<4>([&]<int d>(std::integral_constant<int, d>) {
      gate_ |= gate_stones<d, 1>(enemy, empty) | gate_stones<d, -1>(enemy, empty);
      jumper_ |= jumpers<d>(enemy, own, empty);
      blocker_ |= entries<d>(own, enemy) & (far_cells<d, 1>(own) | far_cells<d, -1>(own));
      // Behind an own stone with another enemy in front: its point would become a landing.
      stopper_ |= enemy & own.seen<ways[d]>() & enemy.seen<2 * ways[d]>();
    });
    square_ = points_of_cells(squares(enemy));
  }

  [[nodiscard]] int operator()(Cell cell) const {
    return 400 * dalian_.has(cell) + 50 * vital_.has(cell) + 200 * gate_.has(cell) +
           150 * jumper_.has(cell) + 120 * blocker_.has(cell) + 40 * square_.has(cell) -
           60 * stopper_.has(cell);
  }

 private:
  // The three stones that wait for a neighbour's step, for a mover in direction d.
  template <int d, int side>
  static Board gate_stones(const Board& own, const Board& empty) {
    constexpr int far = -ways[d];
    constexpr int aside = d == 1 || d == 2 ? side * stride : side;
    const Board holes = entries<d>(own, empty) & far_cells<d, side>(own);
    return holes.seen<-far>() | holes.seen<-aside>() | holes.seen<-far - aside>();
  }

  Board dalian_, vital_, gate_, jumper_, blocker_, stopper_, square_;
};

// Hints for the moves of a list that legal_moves or noisy_moves filled: squares first, two before
// one, then jumps, then steps into an enemy gate.
inline void Position::order_hints(const Moves& moves, int* hints) const {
  const Board& own = stones(turn_);
  const Board free = empty();
  if (phase_ == Phase::Taking) {
    const CaptureOrder worth(own, stones(other()), free);
    for (int i = 0; i < moves.size(); ++i) {
      const Action what = action(moves[i]);
      hints[i] = what.kind == Kind::Take ? 1000 + worth(what.to) : 0;
    }
    return;
  }
  if (stage_ == Stage::Preparation) {
    for (int i = 0; i < moves.size(); ++i) hints[i] = order_hint(moves[i]);
    return;
  }
  const Board threats = step_gates(stones(other()), free);
  for (int i = 0; i < moves.size(); ++i) {
    const Action what = action(moves[i]);
    if (what.kind == Kind::Stop) {
      hints[i] = 1;
      continue;
    }
    Board rest = own;
    rest.remove(what.from);
    const int closed = squares_at(rest, what.to);
    const int taken = closed + (what.kind == Kind::Jump ? 1 : 0);
    // A shuttle: the point left behind can be closed again.
    const bool shuttle = closed > 0 && squares_at(rest, what.from) > 0;
    hints[i] = 1000 * taken + 500 * shuttle + (threats.has(what.to) ? 100 : 0);
  }
}

inline int Position::order_hint(Move move) const {
  const Action what = action(move);
  if (what.kind == Kind::Place) {
    const int from_centre =
        std::abs(2 * row_of(what.to) + 1 - size()) + std::abs(2 * column_of(what.to) + 1 - size());
    return -from_centre;
  }
  Moves one;
  one.push(move);
  int hint = 0;
  order_hints(one, &hint);
  return hint;
}

// Past the horizon a turn in progress continues with its jumps and its best captures, and a new
// turn is tried if it captures.
inline void Position::noisy_moves(Moves& moves) const {
  moves.clear();
  if (is_over() || stage_ == Stage::Preparation) return;
  if (phase_ == Phase::Taking) return best_captures(moves);
  Moves all;
  legal_moves(all);
  if (phase_ == Phase::Jumping) {
    moves = all;
    return;
  }
  const Board closing_points = gates(stones(turn_), empty());
  for (const Move move : all) {
    const Action what = action(move);
    if (what.kind == Kind::Jump || (closing_points.has(what.to) && earns(what))) moves.push(move);
  }
}

// The captures most worth taking: enough for a quiet end of a turn, and never none.
inline void Position::best_captures(Moves& moves) const {
  constexpr int kept = 2;
  const CaptureOrder worth(stones(turn_), stones(other()), empty());
  std::array<Cell, kept> best{};
  std::array<int, kept> value{};
  value.fill(-1'000'000);
  free_targets().each([&](Cell cell) {
    const int here = worth(cell);
    for (std::size_t i = 0; i < kept; ++i) {
      if (here <= value[i]) continue;
      for (std::size_t k = kept - 1; k > i; --k) best[k] = best[k - 1], value[k] = value[k - 1];
      best[i] = cell;
      value[i] = here;
      break;
    }
  });
  for (std::size_t i = 0; i < kept; ++i) {
    if (value[i] > -1'000'000) moves.push(move_of({Kind::Take, 0, best[i], 0}));
  }
}

}  // namespace tempo::jiu
