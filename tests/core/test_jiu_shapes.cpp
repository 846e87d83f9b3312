// The shapes of Jiu: every placement of a Dalian, and what is found for a whole board at once
// against loops over points.
#include <doctest/doctest.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "games/jiu/rules.h"

namespace test_jiu_shapes {

using namespace tempo::jiu;
using tempo::Random;

constexpr std::uint64_t seed = 1959;

// A point as the rules speak of it, on or off the board.
struct Point {
  int row, column;
};
constexpr std::array<Point, 4> steps = {{{-1, 0}, {0, -1}, {0, 1}, {1, 0}}};  // as `ways`
constexpr std::array<Point, 4> diagonals = {{{-1, -1}, {-1, 1}, {1, -1}, {1, 1}}};

Point operator+(Point a, Point b) { return {a.row + b.row, a.column + b.column}; }
Point operator-(Point a, Point b) { return {a.row - b.row, a.column - b.column}; }
Point across(Point way) { return {way.column, way.row}; }
Cell cell(Point point) { return cell_at(point.row, point.column); }

// A board looked at point by point.
struct Slow {
  int size;
  Board own;
  Board free;

  [[nodiscard]] bool on(Point p) const {
    return p.row >= 0 && p.row < size && p.column >= 0 && p.column < size;
  }
  [[nodiscard]] bool has(Point p) const { return on(p) && own.has(cell(p)); }
  [[nodiscard]] bool is_empty(Point p) const { return on(p) && free.has(cell(p)); }
  template <class Visit>
  void each(const Visit& visit) const {
    for (int row = 0; row < size; ++row) {
      for (int column = 0; column < size; ++column) visit(Point{row, column});
    }
  }
  // The three companions of a point in one of its four cells.
  [[nodiscard]] static std::array<Point, 3> companions(Point p, Point diagonal) {
    return {p + Point{diagonal.row, 0}, p + Point{0, diagonal.column}, p + diagonal};
  }
  [[nodiscard]] bool closes(Point p, Point diagonal) const {
    for (const Point other : companions(p, diagonal)) {
      if (!has(other)) return false;
    }
    return true;
  }
  [[nodiscard]] int cells_closed(Point p) const {
    int count = 0;
    for (const Point diagonal : diagonals) count += closes(p, diagonal);
    return count;
  }
};

Board parse(std::string_view rows, char stone) {
  Board board;
  Point at{0, 0};
  for (const char letter : rows) {
    if (letter == '/') {
      at = {at.row + 1, 0};
      continue;
    }
    if (letter == stone) board.add(cell(at));
    ++at.column;
  }
  return board;
}

// Stones strewn in clumps, so that squares and Dalians occur.
Slow strewn(int size, Random& random) {
  Slow board{size, {}, {}};
  const std::uint32_t density = 2 + random.below(7U);
  board.each([&](Point p) {
    const bool near = board.has(p + Point{-1, 0}) || board.has(p + Point{0, -1});
    const std::uint32_t draw = random.below(10U);
    if (draw < density + (near ? 1U : 0U)) {
      board.own.add(cell(p));
    } else if (random.below(2U) == 0) {
      board.free.add(cell(p));
    }
  });
  return board;
}

// Every Dalian by its definition: a vital stone, a hole beside it, a square that holds the stone
// and not the hole, a cell that holds the hole and not the stone.
std::vector<Dalian> all_dalians(int size) {
  std::vector<Dalian> all;
  const Slow board{size, {}, {}};
  board.each([&](Point vital) {
    for (const Point way : steps) {
      const Point hole = vital + way;
      for (const int q : {-1, 1}) {
        for (const int w : {-1, 1}) {
          const Point side = across(way);
          const Point to_square{q * side.row, q * side.column};
          const Point to_waiting{w * side.row, w * side.column};
          const std::array<Point, 7> stones = {
              vital,      vital - way,       vital + to_square,       vital - way + to_square,
              hole + way, hole + to_waiting, hole + way + to_waiting,
          };
          Dalian dalian{{}, cell(vital), 0, q == w};
          bool fits = board.on(hole);
          for (const Point stone : stones) fits = fits && board.on(stone);
          if (!fits) continue;
          dalian.hole = cell(hole);
          for (const Point stone : stones) dalian.stones.add(cell(stone));
          all.push_back(dalian);
        }
      }
    }
  });
  return all;
}

std::vector<Dalian> found_dalians(const Board& own, const Board& holes) {
  std::vector<Dalian> found;
  each_dalian(own, holes, [&](const Dalian& dalian) { found.push_back(dalian); });
  return found;
}

bool same(const Dalian& a, const Dalian& b) {
  return a.stones == b.stones && a.vital == b.vital && a.hole == b.hole && a.flat == b.flat;
}

TEST_CASE("jiu: every placement of a Dalian is found, once, and no part of it is one") {
  // Flat mouths fill a box of 2 x 4, slant ones one of 3 x 4; eight patterns of each.
  for (const auto& [size, expected] : {std::pair{14, 2200}, {8, 8 * (7 * 5 + 6 * 5)}, {6, 216}}) {
    const std::vector<Dalian> all = all_dalians(size);
    CHECK(static_cast<int>(all.size()) == expected);
    int flat = 0;
    for (const Dalian& dalian : all) {
      flat += dalian.flat;
      REQUIRE(dalian.stones.count() == 7);
      const Board holes = Board::field(size) - dalian.stones;
      const std::vector<Dalian> found = found_dalians(dalian.stones, holes);
      REQUIRE(found.size() == 1);
      REQUIRE(same(found[0], dalian));
      REQUIRE(count_dalians(dalian.stones, holes) == 1);
      REQUIRE(has_dalian(dalian.stones, holes));
      REQUIRE(count_dalians(dalian.stones, holes - Board::of(dalian.hole)) == 0);  // blocked
      dalian.stones.each([&](Cell stone) {
        REQUIRE(in_dalian(dalian.stones, holes, stone));
        Board broken = dalian.stones;
        broken.remove(stone);
        REQUIRE_FALSE(has_dalian(broken, holes | Board::of(stone)));
      });
      // A shuttle: from the hole the vital stone makes the mirror image, and can go back.
      Board moved = dalian.stones;
      moved.remove(dalian.vital);
      REQUIRE(squares_at(moved, dalian.hole) == 1);
      moved.add(dalian.hole);
      const auto back = found_dalians(moved, Board::field(size) - moved);
      REQUIRE(back.size() == 1);
      REQUIRE(back[0].vital == dalian.hole);
      REQUIRE(back[0].hole == dalian.vital);
      REQUIRE(back[0].flat == dalian.flat);
    }
    CHECK(flat == 8 * (size - 1) * (size - 3));
  }
}

TEST_CASE("jiu: shapes of whole boards equal loops over their points") {
  INFO("seed " << seed);
  Random random(seed);
  int dalians_seen = 0;
  int squares_seen = 0;
  for (int round = 0; round < 400; ++round) {
    const Slow board = strewn(4 + 2 * (round % 6), random);
    const Board& own = board.own;
    int pairs = 0;
    int chains = 0;
    int contrasts = 0;
    int open_cells = 0;
    Board square_corners;
    Board square_points;
    Board holes;
    Board entered;
    board.each([&](Point p) {
      for (const Point way : {Point{0, 1}, Point{1, 0}}) {
        pairs += board.has(p) && board.has(p + way);
        chains += board.has(p) && board.has(p + way) && board.has(p + way + way);
      }
      const bool falling = board.has(p) && board.has(p + Point{1, 1});
      const bool rising = board.has(p + Point{0, 1}) && board.has(p + Point{1, 0});
      contrasts += falling != rising;
      if (board.has(p)) {
        if (board.closes(p, {1, 1})) square_corners.add(cell(p));
        if (board.cells_closed(p) > 0) square_points.add(cell(p));
        CHECK(squares_at(own, cell(p)) == board.cells_closed(p));
      } else if (board.is_empty(p)) {
        open_cells += board.cells_closed(p);
        if (board.cells_closed(p) > 0) holes.add(cell(p));
        for (const Point way : steps) {
          if (!board.has(p + way)) continue;
          Slow left = board;
          left.own.remove(cell(p + way));
          if (left.cells_closed(p) > 0) entered.add(cell(p));
        }
      }
    });
    CHECK(count_pairs(own) == pairs);
    CHECK(count_chains(own) == chains);
    CHECK(count_contrasts(own) == contrasts);
    CHECK(squares(own) == square_corners);
    CHECK(points_of_cells(square_corners) == square_points);
    CHECK(count_gates(own, board.free) == open_cells);
    CHECK(gates(own, board.free) == holes);
    CHECK(step_gates(own, board.free) == entered);
    int dalians = 0;
    Board in_some;
    for (const Dalian& dalian : all_dalians(board.size)) {
      if ((dalian.stones - own).any() || !board.free.has(dalian.hole)) continue;
      ++dalians;
      in_some |= dalian.stones;
    }
    CHECK(count_dalians(own, board.free) == dalians);
    CHECK(has_dalian(own, board.free) == (dalians > 0));
    own.each([&](Cell stone) { CHECK(in_dalian(own, board.free, stone) == in_some.has(stone)); });
    dalians_seen += dalians;
    squares_seen += square_corners.count();
  }
  CHECK(dalians_seen > 100);
  CHECK(squares_seen > 1000);
}

TEST_CASE("jiu: jumps of whole boards equal loops over their points") {
  INFO("seed " << seed);
  Random random(seed);
  for (int round = 0; round < 200; ++round) {
    const Slow board = strewn(4 + 2 * (round % 6), random);
    const Board enemy = Board::field(board.size) - (board.own | board.free);
    std::array<Board, 4> from;
    Board over;
    board.each([&](Point p) {
      for (std::size_t d = 0; d < 4; ++d) {
        const Point next = p + steps[d];
        const bool jumps = board.has(p) && board.on(next) && enemy.has(cell(next)) &&
                           board.is_empty(next + steps[d]);
        if (!jumps) continue;
        from[d].add(cell(p));
        over.add(cell(next));
      }
    });
    each_direction<4>([&]<int d>(std::integral_constant<int, d>) {
      CHECK(jumpers<d>(board.own, enemy, board.free) == from[d]);
    });
    CHECK(jumpable(board.own, enemy, board.free) == over);
  }
}

TEST_CASE("jiu: chains of a stone, and the rules that cut them short") {
  const Board field = Board::field(6);
  const Board enemy = parse("....../..o.../.o.o../..o.../....../......", 'o');
  const Chain start{{}, enemy, {}, {}, cell_at(1, 1), cell_at(1, 1), 0};
  const auto count = [&](const Options& options) {
    int chains = 0;
    int longest = 0;
    walk_chains(start, field, options, [&](const Chain& chain) {
      ++chains;
      longest = chain.jumps > longest ? chain.jumps : longest;
      CHECK(chain.enemy.count() + chain.jumps == enemy.count());
      return false;
    });
    return std::pair{chains, longest};
  };
  CHECK(count({}) == std::pair{8, 4});  // round the ring either way, home again
  Options none;
  none.chain_revisit = 1;
  CHECK(count(none) == std::pair{6, 3});
  Options held;
  held.jumped_removed = 1;
  CHECK(count(held) == std::pair{8, 4});
  int asked = 0;
  CHECK(walk_chains(start, field, {}, [&](const Chain&) { return ++asked == 3; }));
  CHECK(asked == 3);
}

TEST_CASE("jiu: two Dalians: far apart, facing, interlocked, entangled") {
  struct Case {
    const char* rows;
    bool any, lhasa, goldfish;
  };
  for (const Case& c : {
           // One, and one whose hole is filled.
           Case{"x.xx....../xxxx....../........../..........", false, false, false},
           Case{"x.xx..xoxx/xxxx..xxxx/........../..........", false, false, false},
           // Far apart.
           Case{"x.xx..x.xx/xxxx..xxxx/........../..........", true, false, false},
           // Facing each other in a box of 4 x 4.
           Case{"x.xx....../xxxx....../xxxx....../x.xx......", true, true, false},
           Case{"x.xx....../xxxx....../xxxx....../xx.x......", true, true, false},
           // Slant ones that share the rows between them.
           Case{"xx......../xx.x....../xxxx....../xx.x....../..xx......", true, false, true},
           // Two that need the same square.
           Case{"x.xx.x..../xxxxxx..../........../..........", false, false, false},
       }) {
    INFO(std::string(c.rows));
    const Board own = parse(c.rows, 'x');
    const Board holes = parse(c.rows, '.');
    CHECK(has_dalian(own, holes));
    CHECK(has_dalian_pair(own, holes, DalianPair::Any) == c.any);
    CHECK(has_dalian_pair(own, holes, DalianPair::Lhasa) == c.lhasa);
    CHECK(has_dalian_pair(own, holes, DalianPair::Goldfish) == c.goldfish);
  }
}

}  // namespace test_jiu_shapes
