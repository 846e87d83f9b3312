// The shapes of Jiu, found for all points of a board at once. Rules, rewards, evaluations and
// drawings all ask here. Nothing is kept up to date between moves: a shape costs a few shifts of
// four words, less than the bookkeeping of an incremental count.
//
// A unit cell is named by one of its points and the two ways, one along the row and one along the
// column, that lead from it into the cell.
#pragma once

#include <cstdint>
#include <utility>

#include "board.h"

namespace tempo::jiu {

// The four corners that a point can be of a unit cell: ways to the other points.
inline constexpr std::array<std::pair<int, int>, 4> corners = {
    {{1, stride}, {-1, stride}, {1, -stride}, {-1, -stride}}};

template <class Body>
constexpr void each_corner(const Body& body) {
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (body.template operator()<corners[i].first, corners[i].second>(), ...);
  }(std::make_index_sequence<4>{});
}

// Points (own or not) whose three companions in the cell (across, along) are all `own`.
template <int across, int along>
constexpr Board closing(const Board& own) {
  return own.template seen<across>() & own.template seen<along>() &
         own.template seen<across + along>();
}

// Squares: cells of four own stones, by their top left point.
constexpr Board squares(const Board& own) { return own & closing<1, stride>(own); }

// The points of a set of cells given by their top left points.
constexpr Board points_of_cells(const Board& cells) {
  const Board rows = cells | cells.seen<-1>();
  return rows | rows.seen<-stride>();
}

// Pairs, by their left or upper stone, and lines of three, by their first stone.
template <int way>
constexpr Board pairs(const Board& own) {
  return own & own.seen<way>();
}
template <int way>
constexpr Board chains(const Board& own) {
  return own & own.seen<way>() & own.seen<2 * way>();
}
constexpr int count_pairs(const Board& own) {
  return pairs<1>(own).count() + pairs<stride>(own).count();
}
constexpr int count_chains(const Board& own) {
  return chains<1>(own).count() + chains<stride>(own).count();
}

// Structural gates: points of `empty` that three own stones of a cell wait for; a point that
// several cells wait for counts in each.
constexpr Board gates(const Board& own, const Board& empty) {
  Board found;
  each_corner([&]<int across, int along>() { found |= closing<across, along>(own); });
  return found & empty;
}
constexpr int count_gates(const Board& own, const Board& empty) {
  int count = 0;
  each_corner(
      [&]<int across, int along>() { count += (closing<across, along>(own) & empty).count(); });
  return count;
}

// Contrasts: two own stones on a diagonal of a cell whose other two points are not both own.
constexpr int count_contrasts(const Board& own) {
  const Board falling = own & own.seen<stride + 1>();
  const Board rising = own.seen<1>() & own.seen<stride>();
  return (falling - rising).count() + (rising - falling).count();
}

// How many cells around `cell`, which holds an own stone, are squares.
constexpr int squares_at(const Board& own, Cell cell) {
  int count = 0;
  const auto has = [&](int at) { return at >= 0 && at < 256 && own.has(static_cast<Cell>(at)); };
  for (const auto& [across, along] : corners) {
    count += has(cell + across) && has(cell + along) && has(cell + across + along);
  }
  return count;
}

// Points of `empty` that a neighbouring own stone in direction d can enter, completing a square
// above or below (left or right of) its way. The two cells beside the mover's old point are spoilt
// by its leaving, so only the two on the far side count.
template <int d>
constexpr Board entries(const Board& own, const Board& empty) {
  return empty & own.seen<ways[d]>();
}
template <int d, int side>
constexpr Board far_cells(const Board& own) {
  constexpr int far = -ways[d];
  if constexpr (d == 1 || d == 2) {
    return closing<far, side * stride>(own);
  } else {
    return closing<side, far>(own);
  }
}

// Points that a step completes a square on.
constexpr Board step_gates(const Board& own, const Board& empty) {
  Board found;
  each_direction<4>([&]<int d>(std::integral_constant<int, d>) {
    found |= entries<d>(own, empty) & (far_cells<d, 1>(own) | far_cells<d, -1>(own));
  });
  return found;
}

// Stones of `own` that can jump an enemy in direction d.
template <int d>
constexpr Board jumpers(const Board& own, const Board& enemy, const Board& empty) {
  return own & enemy.seen<ways[d]>() & empty.seen<2 * ways[d]>();
}

// Enemy stones that some own stone can jump.
constexpr Board jumpable(const Board& own, const Board& enemy, const Board& empty) {
  Board found;
  each_direction<4>([&]<int d>(std::integral_constant<int, d>) {
    found |= enemy & own.seen<-ways[d]>() & empty.seen<ways[d]>();
  });
  return found;
}

// A Dalian: the vital stone s beside the hole e; a square that holds s and not e; three stones that
// wait for e in a cell without s. Named by the direction d from s to e and the sides on which the
// square (q) and the waiting cell (w) lie: equal sides are the flat mouth, opposite sides the slant
// one. Sixteen oriented patterns in all. Gives the vital stones.
template <int d, int q, int w>
constexpr Board vital_stones(const Board& own, const Board& holes) {
  const Board waiting = holes & far_cells<opposite(d), w>(own);
  return own & far_cells<d, q>(own) & waiting.template seen<ways[d]>();
}

// Calls `body.operator()<d, q, w>()` for the sixteen patterns.
template <class Body>
constexpr void each_dalian_pattern(const Body& body) {
  each_direction<4>([&]<int d>(std::integral_constant<int, d>) {
    body.template operator()<d, 1, 1>();
    body.template operator()<d, 1, -1>();
    body.template operator()<d, -1, 1>();
    body.template operator()<d, -1, -1>();
  });
}

constexpr int count_dalians(const Board& own, const Board& holes) {
  int count = 0;
  each_dalian_pattern(
      [&]<int d, int q, int w>() { count += vital_stones<d, q, w>(own, holes).count(); });
  return count;
}
constexpr bool has_dalian(const Board& own, const Board& holes) {
  // Most boards have no square beside a gate, and this says so early.
  const Board waiting = gates(own, holes);
  if (!waiting.any() || !squares(own).any()) return false;
  return count_dalians(own, holes) > 0;
}

struct Dalian {
  Board stones;  // seven, the vital one among them
  Cell vital = 0;
  Cell hole = 0;
  bool flat = false;
};

template <int d, int q, int w>
constexpr Dalian dalian_at(Cell vital) {
  constexpr int side = d == 1 || d == 2 ? stride : 1;
  const auto hole = static_cast<Cell>(vital + ways[d]);
  Dalian dalian{{}, vital, hole, q == w};
  for (const int at : {0, -ways[d], q * side, q * side - ways[d]}) {
    dalian.stones.add(static_cast<Cell>(vital + at));
  }
  for (const int at : {ways[d], w * side, w * side + ways[d]}) {
    dalian.stones.add(static_cast<Cell>(hole + at));
  }
  return dalian;
}

// Calls `visit(dalian)` for every live Dalian.
template <class Visit>
constexpr void each_dalian(const Board& own, const Board& holes, const Visit& visit) {
  each_dalian_pattern([&]<int d, int q, int w>() {
    vital_stones<d, q, w>(own, holes).each([&](Cell vital) { visit(dalian_at<d, q, w>(vital)); });
  });
}

// Whether a stone is one of the seven of a live Dalian.
constexpr bool in_dalian(const Board& own, const Board& holes, Cell stone) {
  bool found = false;
  if (has_dalian(own, holes)) {
    each_dalian(own, holes, [&](const Dalian& dalian) { found |= dalian.stones.has(stone); });
  }
  return found;
}

// Two live Dalians without a common stone, with different holes.
enum class DalianPair : std::uint8_t { Any, Lhasa, Goldfish };

constexpr bool are_apart(const Dalian& a, const Dalian& b) {
  return a.hole != b.hole && !(a.stones & b.stones).any();
}

struct Box {
  int top = max_size, left = max_size, bottom = -1, right = -1;

  constexpr void cover(const Board& points) {
    points.each([&](Cell cell) {
      top = row_of(cell) < top ? row_of(cell) : top;
      bottom = row_of(cell) > bottom ? row_of(cell) : bottom;
      left = column_of(cell) < left ? column_of(cell) : left;
      right = column_of(cell) > right ? column_of(cell) : right;
    });
  }
  [[nodiscard]] constexpr bool meets(const Box& other) const {
    return top <= other.bottom && other.top <= bottom && left <= other.right && other.left <= right;
  }
};

// Lhasa: two facing Dalians that fill a 4x4 box; Goldfish: two interlocked ones that do not.
constexpr bool is_pair(const Dalian& a, const Dalian& b, DalianPair kind) {
  if (!are_apart(a, b)) return false;
  if (kind == DalianPair::Any) return true;
  Box both;
  both.cover(a.stones | b.stones);
  const bool lhasa = both.bottom - both.top == 3 && both.right - both.left == 3;
  if (kind == DalianPair::Lhasa) return lhasa;
  Box first;
  Box second;
  first.cover(a.stones);
  second.cover(b.stones);
  return !lhasa && first.meets(second);
}

constexpr bool has_dalian_pair(const Board& own, const Board& holes, DalianPair kind) {
  if (count_dalians(own, holes) < 2) return false;
  bool found = false;
  each_dalian(own, holes, [&](const Dalian& a) {
    each_dalian(own, holes, [&](const Dalian& b) { found = found || is_pair(a, b, kind); });
  });
  return found;
}

}  // namespace tempo::jiu
