// The battle engine of the paper's comparisons: one turn deep, by the values of its Tables 3 and 4
// (Li et al., IEEE Access 2019). The paper says only that the battle is played "by expert
// knowledge"; the formula is our reading, and the same engine serves every opening under
// comparison. A turn is worth
//
//   to the mover           its class        + shapes + live Dalian + 5 * stones it took
//   less, to the opponent  best reply class + shapes + live Dalian + 5 * most stones of a reply
//
//   class        Table 3: step 1, chain of n jumps 5n, a turn that makes a Dalian 10^4
//                (near_dalian.h says what that is)
//   shapes       Table 4, over the whole board, so that shapes left behind are lost: 2 a line of
//                three, 2 a cell of three stones and an empty point
//   live Dalian  10^4 if there is one: Table 4's value for the shape, counted once
//
// The best class and the most stones of a reply are looked for separately: the reply itself is not
// played. A turn that wins outranks all others, a turn that loses is outranked by all, a draw is
// worth 0, and going back to a position that has stood before no more than that. Replies are judged
// by steps along the lines, flights and chains; what other options allow or forbid (diagonal steps,
// bans, compulsory and extra captures) binds the turns that are played but not the replies that are
// feared. Equal turns: any, by the random stream.
//
// Stones for completed squares: of those in live Dalians the one in most of them; else of those in
// cells of three with an empty point the one in most; else, and between equals, the one with most
// neighbours of its colour; then the first in the order of the board. One after the other.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "../../stop.h"
#include "battle.h"
#include "near_dalian.h"

namespace tempo::jiu {

namespace paper {

inline constexpr int step_class = 1;
inline constexpr int jump_class = 5;  // for each jump
inline constexpr int dalian_class = 10'000;
inline constexpr int shape_worth = 2;
inline constexpr int stone_worth = 5;
inline constexpr int win_worth = 1'000'000;

struct Side {
  const Board& own;
  const Board& enemy;
  const Board& empty;
  const Board& field;
  const Options& options;
  bool flies;
};

inline Side side_of(const Position& position, int seat, const Board& empty, const Board& field) {
  return {position.stones(seat), position.stones(1 - seat), empty, field,
          position.options(),    position.flies(seat)};
}

struct Reach {
  int turn_class = 0;
  int taken = 0;
};

// Whether a chain that ended here has made a Dalian: with the stone, or around a point it emptied.
inline bool makes_dalian(const Side& side, const DalianChances& chances, const Chain& chain) {
  const Board emptied = (side.enemy - chain.enemy) | Board::of(chain.origin);
  if (side.empty.has(chain.at) && !chances.landings.has(chain.at) &&
      !(chances.fillers & emptied).any()) {
    return false;
  }
  Board own = chain.own;
  own.add(chain.at);
  bool found = false;
  each_dalian(own, side.field - (own | chain.enemy), [&](const Dalian& dalian) {
    found = found || dalian.stones.has(chain.at) || !side.empty.has(dalian.hole);
  });
  return found;
}

// Adds what the chains of one stone can do.
inline void look_at_chains(const Side& side, const DalianChances& chances, Cell from,
                           Reach& reach) {
  Chain chain{side.own, side.enemy, {}, {}, from, from, 0};
  chain.own.remove(from);
  walk_chains(chain, side.field, side.options, [&](const Chain& here) {
    const int closed = here.at == from ? 0 : squares_at(here.own, here.at);
    reach.taken = std::max(reach.taken, here.jumps + closed);
    const bool makes = reach.turn_class < dalian_class && makes_dalian(side, chances, here);
    reach.turn_class = std::max(reach.turn_class, makes ? dalian_class : jump_class * here.jumps);
    return false;
  });
}

inline bool may_jump(const Side& side) { return side.options.fly_jump != 0 || !side.flies; }

// Stones that have an empty point to step to.
inline Board steppers(const Side& side) {
  Board found;
  each_direction<directions>([&]<int d>(std::integral_constant<int, d>) {
    if (d < 4 || side.options.move_dirs != 0) found |= side.empty.seen<ways[d]>();
  });
  return found & side.own;
}

// The most squares that a flight completes: the flying stone is not one of those that wait.
inline int most_by_flight(const Board& own, const Board& gates) {
  int most = 0;
  gates.each([&](Cell to) {
    own.each([&](Cell from) {
      Board rest = own;
      rest.remove(from);
      most = std::max(most, squares_at(rest, to));
    });
  });
  return most;
}

inline Board jumping_stones(const Side& side) {
  Board found;
  if (!may_jump(side)) return found;
  each_direction<directions>([&]<int d>(std::integral_constant<int, d>) {
    if (d < 4 || side.options.jump_dirs != 0) {
      found |= jumpers<d>(side.own, side.enemy, side.empty);
    }
  });
  return found;
}

// Table 4.
inline int shapes_worth(const Board& own, const CellsAround& cells, const Board& vital) {
  return shape_worth * (count_chains(own) + cells.count_gates()) + (vital.any() ? dalian_class : 0);
}

// A turn that is over, and what it looked like before.
struct Finished {
  const Position& after;
  const Board& field;
  const Board& was_empty;
  int seat;
  Cell cell;  // where the moved stone stands
  int jumps;
  int taken;
};

// Table 3 for the turn itself.
inline int turn_class(const Finished& turn, const Board& own, const Board& empty, bool live) {
  bool makes = false;
  if (live) {
    each_dalian(own, empty, [&](const Dalian& dalian) {
      makes = makes || dalian.stones.has(turn.cell) || !turn.was_empty.has(dalian.hole);
    });
  }
  return makes ? dalian_class : turn.jumps > 0 ? jump_class * turn.jumps : step_class;
}

// What a turn is worth to its seat. Turns worth less than `floor` are of no interest: the answer is
// then anything below it, found as soon as that is certain.
inline int turn_worth(const Finished& turn, int floor) {
  const Position& after = turn.after;
  if (const auto end = after.outcome()) {
    const float score = end->scores[static_cast<std::size_t>(turn.seat)];
    return score > 0 ? win_worth : score < 0 ? -win_worth : 0;
  }
  const Board empty = turn.field - (after.stones(white) | after.stones(black));
  const Board& own = after.stones(turn.seat);
  const CellsAround own_cells(own, empty);
  const Board own_vital = own_cells.vital();
  int worth = shapes_worth(own, own_cells, own_vital) + stone_worth * turn.taken +
              turn_class(turn, own, empty, own_vital.any());
  if (worth < floor) return worth;

  const Side other = side_of(after, 1 - turn.seat, empty, turn.field);
  const CellsAround cells(other.own, empty);
  const Board vital = cells.vital();
  worth -= shapes_worth(other.own, cells, vital);
  if (worth < floor) return worth;
  const DalianChances chances = dalian_chances(cells, vital, other.own, other.flies);
  Reach reply;
  if (other.flies || steppers(other).any()) reply.turn_class = step_class;
  if (chances.by_step) reply.turn_class = dalian_class;
  reply.taken = other.flies ? most_by_flight(other.own, cells.gates()) : cells.most_by_step();
  if (worth - reply.turn_class - stone_worth * reply.taken < floor) return floor - 1;
  jumping_stones(other).each([&](Cell from) { look_at_chains(other, chances, from, reply); });
  return worth - reply.turn_class - stone_worth * reply.taken;
}

// The stone to take for a square, of those that may be taken.
inline Move best_capture(const Position& position) {
  const int enemy_seat = 1 - index(position.turn());
  const Board& enemy = position.stones(enemy_seat);
  const Board empty = position.empty();
  std::array<int, 256> worth{};
  each_dalian(enemy, empty, [&](const Dalian& dalian) {
    dalian.stones.each([&](Cell cell) { worth[cell] += 1024; });
  });
  each_corner([&]<int across, int along>() {
    const Board open = closing<across, along>(enemy) & empty;
    for (const int way : {across, along, across + along}) {
      open.each([&](Cell cell) { worth[static_cast<std::size_t>(cell + way)] += 32; });
    }
  });
  each_direction<4>([&]<int d>(std::integral_constant<int, d>) {
    (enemy & enemy.seen<ways[d]>()).each([&](Cell cell) { ++worth[cell]; });
  });
  Position::Moves moves;
  position.legal_moves(moves);
  Move best = no_move;
  int most = -1;
  for (const Move move : moves) {
    const Action what = position.action(move);
    if (what.kind != Kind::Take || worth[what.to] <= most) continue;
    most = worth[what.to];
    best = move;
  }
  return best;
}

// Walks through the turns of the seat to move: every displacement there is, its captures chosen by
// best_capture. A turn under way is continued.
template <class Visit>
class TurnWalk {
 public:
  TurnWalk(const Position& position, const Visit& visit)
      : visit_(visit),
        field_(position.field()),
        was_empty_(position.empty()),
        seat_(index(position.turn())),
        enemies_(position.count(1 - seat_)) {
    look(position, position.mover(), 0);
  }

 private:
  void look(const Position& position, Cell cell, int jumps) {
    if (position.phase() == Phase::Taking) return pay(position, cell, jumps);
    Position::Moves moves;
    position.legal_moves(moves);
    for (const Move move : moves) {
      if (found_ && poll_()) stopped_ = true;
      if (stopped_) return;
      const Action what = position.action(move);
      Position next = position;
      next.play(move);
      moves_.push_back(move);
      follow(next, what.kind == Kind::Stop ? cell : what.to,
             jumps + (what.kind == Kind::Jump ? 1 : 0));
      moves_.pop_back();
    }
  }

  void pay(const Position& position, Cell cell, int jumps) {
    Position next = position;
    const std::size_t begin = moves_.size();
    while (next.in_turn()) {
      moves_.push_back(best_capture(next));
      next.play(moves_.back());
    }
    follow(next, cell, jumps);
    moves_.resize(begin);
  }

  void follow(const Position& next, Cell cell, int jumps) {
    if (next.in_turn()) return look(next, cell, jumps);
    found_ = true;
    visit_(Finished{next, field_, was_empty_, seat_, cell, jumps, enemies_ - next.count(1 - seat_)},
           moves_);
  }

  const Visit& visit_;
  Board field_;
  Board was_empty_;
  int seat_;
  int enemies_;  // when the turn began
  Turn moves_;
  StopPoll poll_{64};
  bool found_ = false;
  bool stopped_ = false;
};

// Calls visit(finished turn, its moves) for every turn; when stopped, for one at least.
template <class Visit>
void each_turn(const Position& position, const Visit& visit) {
  TurnWalk<Visit>(position, visit);
}

// Worth less than any turn.
inline constexpr int no_floor = -2 * win_worth;

// What a turn is worth where a position that has stood before counts as a draw.
inline int turn_worth(const Finished& turn, const History& past, int floor) {
  const int worth = turn_worth(turn, floor);
  const Position& after = turn.after;
  if (worth <= 0 || after.is_over() || after.quiet() == 0) return worth;
  const auto reach = static_cast<std::size_t>(after.reversible_moves());
  return past.count(after.repetition_key(), reach) > 0 ? 0 : worth;
}

}  // namespace paper

class PaperBattle final : public BattleEngine {
 public:
  void choose(const Position& position, const History& past, Random& random, Turn& turn) override {
    int best = paper::no_floor;
    std::uint32_t equals = 0;
    paper::each_turn(position, [&](const paper::Finished& finished, const Turn& moves) {
      const int worth = paper::turn_worth(finished, past, best);
      if (worth < best) return;
      equals = worth == best ? equals + 1 : 1;
      best = worth;
      if (equals == 1 || random.below(equals) == 0) turn = moves;
    });
  }
};

}  // namespace tempo::jiu
