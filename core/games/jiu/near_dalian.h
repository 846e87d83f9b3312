// What a side has and threatens, for all its stones at once: gates, a live Dalian, and whether a
// displacement can make one.
//
// To make a Dalian is to leave a live one that the moved stone belongs to, or whose hole the turn
// has emptied. A step or flight from f to n does that in one of two ways:
//   * n is the one stone of seven that was missing, f is none of the six, and the hole is empty or
//     is f itself;
//   * all seven stood already, and f is the stone that filled the hole.
// A player with a live Dalian can make one: the vital stone goes back and forth.
#pragma once

#include <array>

#include "shapes.h"

namespace tempo::jiu {

// The points beside a point, up, left, right and down; some may lie in the margin.
constexpr Board beside(Cell cell) {
  const Board here = Board::of(cell);
  return here.seen<1>() | here.seen<-1>() | here.seen<stride>() | here.seen<-stride>();
}

// The cells around every point, by corner: each is shifted together once and asked about often.
class CellsAround {
 public:
  constexpr CellsAround(const Board& own, const Board& empty) : own_(own), empty_(empty) {
    each_corner([&]<int across, int along>() {
      closed_[corner(across, along)] = closing<across, along>(own);
    });
  }

  [[nodiscard]] constexpr const Board& own() const { return own_; }
  [[nodiscard]] constexpr const Board& empty() const { return empty_; }

  // Points whose three companions are own, in the cell that far_cells<d, side> speaks of.
  template <int d, int side>
  [[nodiscard]] constexpr const Board& closed() const {
    return closed_[far_corner<d, side>()];
  }
  [[nodiscard]] constexpr Board gates() const { return empty_ & any_closed(); }
  [[nodiscard]] constexpr int count_gates() const {
    int count = 0;
    for (const Board& closed : closed_) count += (closed & empty_).count();
    return count;
  }

  // The most squares that a step completes.
  [[nodiscard]] constexpr int most_by_step() const {
    const Board waiting = gates();
    if (!waiting.any()) return 0;
    Board one;
    Board two;
    each_direction<4>([&]<int d>(std::integral_constant<int, d>) {
      const Board here = entries<d>(own_, waiting);
      one |= here & (closed<d, 1>() | closed<d, -1>());
      two |= here & closed<d, 1>() & closed<d, -1>();
    });
    return two.any() ? 2 : one.any() ? 1 : 0;
  }

  // The vital stones of live Dalians. The square and the waiting cell may lie on either side,
  // independently, so that the sides can be joined before they are shifted.
  [[nodiscard]] constexpr Board vital() const {
    Board found;
    const Board waiting = gates();
    if (!waiting.any()) return found;
    each_direction<4>([&]<int d>(std::integral_constant<int, d>) {
      found |=
          either<d>(closed_) & (either<opposite(d)>(closed_) & waiting).template seen<ways[d]>();
    });
    return found & own_;
  }

  // Calls `visit(dalian)` for the patterns of which one stone is missing, from an empty point, or
  // none; whatever stands on the hole. `visit` returns true to end the search.
  template <class Visit>
  constexpr void each_near_dalian(const Visit& visit) const {
    if (!any_closed().any()) return;  // either the square or the waiting cell lacks nothing
    const Cells open = open_cells();
    bool ended = false;
    each_direction<4>([&]<int d>(std::integral_constant<int, d>) {
      if (ended) return;
      const Board square = either<d>(closed_);
      const Board waiting = either<opposite(d)>(closed_).template seen<ways[d]>();
      const Board nearly = either<opposite(d)>(open).template seen<ways[d]>();
      const Board vital = (own_ & square & (waiting | nearly)) |
                          (((own_ & either<d>(open)) | (empty_ & square)) & waiting);
      vital.each([&](Cell cell) { ended = ended || visit_sides<d>(cell, open, visit); });
    });
  }

 private:
  static constexpr std::size_t corner(int across, int along) {
    return static_cast<std::size_t>((across < 0 ? 1 : 0) + (along < 0 ? 2 : 0));
  }
  template <int d, int side>
  static constexpr std::size_t far_corner() {
    if constexpr (d == 1 || d == 2) {
      return corner(-ways[d], side);
    } else {
      return corner(side, -ways[d]);
    }
  }
  [[nodiscard]] constexpr Board any_closed() const {
    return closed_[0] | closed_[1] | closed_[2] | closed_[3];
  }

  // One board for each corner, on one side of the way d or on either.
  using Cells = std::array<Board, 4>;
  template <int d>
  static constexpr Board either(const Cells& cells) {
    return cells[far_corner<d, 1>()] | cells[far_corner<d, -1>()];
  }

  // Points of whose three companions two are own and one is empty.
  [[nodiscard]] constexpr Cells open_cells() const {
    Cells open;
    each_corner([&]<int across, int along>() {
      const Board a = own_.seen<across>(), b = own_.seen<along>(), c = own_.seen<across + along>();
      open[corner(across, along)] = (a & b & empty_.seen<across + along>()) |
                                    (a & c & empty_.seen<along>()) |
                                    (b & c & empty_.seen<across>());
    });
    return open;
  }

  template <int d, class Visit>
  constexpr bool visit_sides(Cell vital, const Cells& open, const Visit& visit) const {
    bool ended = false;
    const auto look = [&]<int q, int w>() {
      if (ended) return;
      const auto hole = static_cast<Cell>(vital + ways[d]);
      const int lacking =
          !own_.has(vital) + !closed<d, q>().has(vital) + !closed<opposite(d), w>().has(hole);
      const bool square = closed<d, q>().has(vital) || open[far_corner<d, q>()].has(vital);
      const bool waits =
          closed<opposite(d), w>().has(hole) || open[far_corner<opposite(d), w>()].has(hole);
      if (lacking < 2 && square && waits) ended = visit(dalian_at<d, q, w>(vital));
    };
    look.template operator()<1, 1>();
    look.template operator()<1, -1>();
    look.template operator()<-1, 1>();
    look.template operator()<-1, -1>();
    return ended;
  }

  const Board& own_;
  const Board& empty_;
  Cells closed_;
};

// What the stones `movers` can do towards a Dalian; `vital` are the vital stones of live ones.
struct DalianChances {
  bool by_step = false;  // or by a flight
  // While by_step is false, where a jump could still make one: on a point that completes a pattern,
  // or off a point that fills a hole.
  Board landings;
  Board fillers;
};

constexpr DalianChances dalian_chances(const CellsAround& cells, const Board& vital,
                                       const Board& movers, bool flies) {
  const Board& own = cells.own();
  const Board& empty = cells.empty();
  DalianChances chances;
  chances.by_step = (vital & movers).any();
  if (chances.by_step) return chances;
  cells.each_near_dalian([&](const Dalian& dalian) {
    const Board missing = dalian.stones - own;
    if (!missing.any()) {
      if (empty.has(dalian.hole)) return false;
      chances.fillers.add(dalian.hole);
      chances.by_step =
          movers.has(dalian.hole) && (flies ? empty.any() : (beside(dalian.hole) & empty).any());
      return chances.by_step;
    }
    const Cell to = missing.first();
    chances.landings.add(to);
    const Board from = (movers & (flies ? own : beside(to))) - dalian.stones;
    chances.by_step = empty.has(dalian.hole) ? from.any() : from.has(dalian.hole);
    return chances.by_step;
  });
  return chances;
}

}  // namespace tempo::jiu
