// The expert's way of placing stones: defend before attack before connection, the order of the
// shape strategies of Li, Wu, Li (CAAI Transactions on Intelligent Systems 13(4), 2018), as far as
// their abstract tells. What each word means here is our own reading:
//
//   defend   enemy shapes that a stone on the point stops: three of a cell's four points, two of
//            the three points that wait around a cleared centre point, six of a Dalian's seven;
//            each of the three has a weight of its own
//   dalian   Dalians around a cleared centre point that it completes
//   triangle cells that then hold three own stones and an open point
//   square   cells that it completes; a square next to a hole is the other half of a Dalian
//   pair     own orthogonal neighbours
//   diagonal own diagonal neighbours
//   line     lines of three own stones with an open end
//   contact  orthogonal neighbours that are the enemy's
//   spoil    cells in which it stands beside two enemy stones with the last point open
//   distance what one step away from the middle costs
//
// The two centre points are cleared before the battle: their stones count for nothing, and the
// points themselves as open.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "placing.h"
#include "shapes.h"

namespace tempo::jiu {

struct ExpertWeights {
  static constexpr int count = 12;
  static constexpr std::array<std::string_view, count> names = {
      "defend square", "defend gate", "defend dalian", "dalian",  "triangle", "square",
      "pair",          "diagonal",    "line",          "contact", "spoil",    "distance"};

  double defend_square = 0;
  double defend_gate = 0;
  double defend_dalian = 0;
  double dalian = 0;
  double triangle = 0;
  double square = 0;
  double pair = 0;
  double diagonal = 0;
  double line = 0;
  double contact = 0;
  double spoil = 0;
  double distance = 0.1;
};

// Each weight exceeds all that the lesser ones can add up to (at most 4 diagonals, pairs, squares
// and triangles, 32 Dalians), so that the sum orders points as the list of counts does.
// Distance only breaks ties: across the whole board it is less than one point of any weight.
inline constexpr ExpertWeights by_priority = {20625, 20625, 20625, 625, 125, 25, 5, 1};
// The layout weights that the program JQ_Chess documents, in units of its pair: pair 100, line of
// three with an open side 200, square 1000, pre-square 200, and 200 for what the opponent has. It
// has none for a Dalian, which gets two squares, and none for a diagonal.
inline constexpr ExpertWeights by_score = {2, 2, 2, 20, 2, 10, 1, 0, 2};

class Expert {
 public:
  Expert(const Ground& ground, const ExpertWeights& weights) : ground_(ground), weights_(weights) {
    ground.centre.each([&](Cell hole) { add_dalians(hole); });
    remoteness_.resize(static_cast<std::size_t>(ground.count()));
    for (int point = 0; point < ground.count(); ++point) {
      remoteness_[static_cast<std::size_t>(point)] =
          weights.distance * std::sqrt(static_cast<double>(distance(ground.size, point))) / 2;
    }
  }

  [[nodiscard]] const Ground& ground() const { return ground_; }

  // [P] what each empty point of `allowed` is worth to the side to place, `never` elsewhere.
  void score(const Stones& stones, const Board& allowed, double* out) const {
    const Board own = stones.own - ground_.centre;
    const Board enemy = stones.enemy - ground_.centre;
    const Board filled = stones.own | stones.enemy;
    const Board empty = ground_.points - filled;
    const Board open = empty | ground_.centre;
    std::array<double, 256> worth{};
    const auto add = [&](double weight, const auto& points) {
      if (weight == 0) return;
      (points() & empty).each([&](Cell cell) { worth[cell] += weight; });
    };
    const ExpertWeights& w = weights_;
    each_corner([&]<int across, int along>() {
      add(w.defend_square, [&] { return closing<across, along>(enemy); });
      add(w.defend_gate, [&] { return third_stones<across, along>(enemy, ground_.centre); });
      add(w.triangle, [&] { return third_stones<across, along>(own, open); });
      add(w.spoil, [&] { return third_stones<across, along>(enemy, open); });
      add(w.square, [&] { return closing<across, along>(own); });
      add(w.diagonal, [&] { return own.seen<across + along>(); });
    });
    each_direction<4>([&]<int d>(std::integral_constant<int, d>) {
      add(w.pair, [&] { return own.seen<ways[d]>(); });
      add(w.contact, [&] { return enemy.seen<ways[d]>(); });
      add(w.line, [&] { return line_ends<d>(own, open); });
    });
    for (const Board& dalian : dalians_) {
      add(w.defend_dalian, [&] { return last_stone(dalian, enemy); });
      add(w.dalian, [&] { return last_stone(dalian, own); });
    }
    for (int point = 0; point < ground_.count(); ++point) {
      const Cell cell = ground_.cell(point);
      const bool may = empty.has(cell) && allowed.has(cell);
      out[point] = may ? worth[cell] - remoteness_[static_cast<std::size_t>(point)] : never;
    }
  }

 private:
  // The seven-stone patterns around a hole that the board has room for and that need no stone on a
  // centre point.
  void add_dalians(Cell hole) {
    each_dalian_pattern([&]<int d, int q, int w>() {
      const int vital = hole - ways[d];
      const Board stones = dalian_at<d, q, w>(static_cast<Cell>(vital)).stones;
      if (!(stones - ground_.points).any() && !(stones & ground_.centre).any()) {
        dalians_.push_back(stones);
      }
    });
  }

  // Points whose cell holds two of `side`'s stones and one point of `open`.
  template <int across, int along>
  static Board third_stones(const Board& side, const Board& open) {
    const Board a = side.seen<across>(), b = side.seen<along>(), c = side.seen<across + along>();
    return (a & b & open.seen<across + along>()) | (a & c & open.seen<along>()) |
           (b & c & open.seen<across>());
  }

  // Points that end a line of three in direction d (their two neighbours that way are own) or, for
  // the first two directions, stand in the middle of one; one point further must be open.
  template <int d>
  static Board line_ends(const Board& own, const Board& open) {
    constexpr int way = ways[d];
    Board found =
        own.seen<way>() & own.seen<2 * way>() & (open.seen<3 * way>() | open.seen<-way>());
    if constexpr (d < 2) {
      found |= own.seen<way>() & own.seen<-way>() & (open.seen<2 * way>() | open.seen<-2 * way>());
    }
    return found;
  }

  // The only point that `side` lacks of a pattern, if it lacks just one.
  static Board last_stone(const Board& pattern, const Board& side) {
    const Board missing = pattern - side;
    return missing.count() == 1 ? missing : Board{};
  }

  Ground ground_;
  ExpertWeights weights_;
  std::vector<Board> dalians_;
  std::vector<double> remoteness_;
};

// How the expert varies its play: drawn by temperature, and now and then any point at all.
struct Variety {
  double temperature = 0;
  double random_share = 0;  // of the first `random_until` placements
  int random_until = 0;
};

// Places stones in turn until the board is full, the two centre points first. `row` is filled, and
// `order` gets the points in the order in which they were.
inline void fill_board(const Expert& expert, const Options& options, const Variety& variety,
                       Random& random, std::uint8_t* row, std::int32_t* order) {
  const Ground& ground = expert.ground();
  std::array<Board, 2> sides = {stones_of(ground, row, 0).own, stones_of(ground, row, 1).own};
  std::vector<double> scores(static_cast<std::size_t>(ground.count()));
  int placed = (sides[0] | sides[1]).count();
  for (; placed < ground.count(); ++placed) {
    const int seat = (options.first_placer + placed) % 2;
    const Board empty = ground.points - (sides[0] | sides[1]);
    const Board allowed = placed < 2 ? ground.centre : ground.points;
    int point = 0;
    if (placed < variety.random_until && random.uniform() < variety.random_share) {
      const Board free = empty & allowed;
      point = ground.point(free.nth(static_cast<int>(random.below(free.count()))));
    } else {
      const auto own = static_cast<std::size_t>(seat);
      expert.score({sides[own], sides[1 - own]}, allowed, scores.data());
      point = pick(scores, ground.size, variety.temperature, random);
    }
    sides[static_cast<std::size_t>(seat)].add(ground.cell(point));
    row[point] = stone_of(seat);
    *order++ = point;
  }
}

}  // namespace tempo::jiu
