// Roads, railways and the lines along which pieces run. One Board for each choice of the options
// that change the network.
#pragma once

#include <vector>

#include "options.h"
#include "stations.h"

namespace tempo::siguo {

struct Edge {
  std::uint8_t a;
  std::uint8_t b;
};

// Of the south arm; the others are these plus 30 * seat.
inline constexpr Edge arm_roads[] = {
    {0, 6},   {1, 6},   {2, 6},   {2, 7},   {2, 8},   {3, 8},   {4, 8},   {5, 6},   {6, 7},
    {6, 10},  {6, 11},  {6, 12},  {7, 8},   {7, 12},  {8, 9},   {8, 12},  {8, 13},  {8, 14},
    {10, 11}, {10, 16}, {11, 12}, {11, 16}, {12, 13}, {12, 16}, {12, 17}, {12, 18}, {13, 14},
    {13, 18}, {14, 18}, {15, 16}, {16, 17}, {16, 20}, {16, 21}, {16, 22}, {17, 18}, {17, 22},
    {18, 19}, {18, 22}, {18, 23}, {18, 24}, {20, 25}, {21, 26}, {22, 27}, {23, 28}, {24, 29},
    {25, 26}, {26, 27}, {27, 28}, {28, 29}};
inline constexpr Edge arm_rails[] = {{0, 1},   {0, 5},   {1, 2},   {2, 3},   {3, 4},   {4, 9},
                                     {5, 10},  {9, 14},  {10, 15}, {14, 19}, {15, 20}, {19, 24},
                                     {20, 21}, {21, 22}, {22, 23}, {23, 24}};
inline constexpr Edge arcs[] = {{4, 30}, {34, 60}, {64, 90}, {0, 94}};
inline constexpr Edge centre_rails[] = {
    {0, 126},   {2, 127},   {4, 128},   {30, 128},  {32, 125},  {34, 122},  {60, 122},  {62, 121},
    {64, 120},  {90, 120},  {92, 123},  {94, 126},  {120, 121}, {120, 123}, {121, 122}, {121, 124},
    {122, 125}, {123, 124}, {123, 126}, {124, 125}, {124, 127}, {125, 128}, {126, 127}, {127, 128}};

using Line = std::vector<std::uint8_t>;

// A piece that is no sapper stays on one of these.
inline const std::vector<Line> straight_lines = {
    {0, 1, 2, 3, 4},
    {30, 31, 32, 33, 34},
    {60, 61, 62, 63, 64},
    {90, 91, 92, 93, 94},
    {20, 21, 22, 23, 24},
    {50, 51, 52, 53, 54},
    {80, 81, 82, 83, 84},
    {110, 111, 112, 113, 114},
    {20, 15, 10, 5, 0, 126, 123, 120, 64, 69, 74, 79, 84},
    {24, 19, 14, 9, 4, 128, 125, 122, 60, 65, 70, 75, 80},
    {110, 105, 100, 95, 90, 120, 121, 122, 34, 39, 44, 49, 54},
    {114, 109, 104, 99, 94, 126, 127, 128, 30, 35, 40, 45, 50},
    {2, 127, 124, 121, 62},
    {92, 123, 124, 125, 32}};
// Side column, arc, side column of the next seat; the arc is between the fifth and the sixth.
inline const std::vector<Line> curved_lines = {{24, 19, 14, 9, 4, 30, 35, 40, 45, 50},
                                               {54, 49, 44, 39, 34, 60, 65, 70, 75, 80},
                                               {84, 79, 74, 69, 64, 90, 95, 100, 105, 110},
                                               {114, 109, 104, 99, 94, 0, 5, 10, 15, 20}};
inline constexpr int most_lines = 18;
inline constexpr int longest_line = 13;

struct OnLine {
  std::uint8_t line;
  std::uint8_t position;
};

struct Board {
  std::array<Set, stations> road;
  std::array<Set, stations> rail;
  std::array<Set, stations> step;  // all that one edge leads to
  std::vector<Line> lines;
  // Of each station: the lines it is on, and how many they are.
  std::array<std::array<OnLine, 3>, stations> on_lines{};
  std::array<std::uint8_t, stations> line_count{};
  // before[line][i]: the stations of a line ahead of position i.
  std::array<std::array<Set, longest_line + 1>, most_lines> before{};

  explicit Board(int which) {
    const bool corner_arcs = which % 2 != 0;
    const auto straight = static_cast<Rail>(which / 2 % 3);
    const bool few_exits = which / 6 != 0;
    add_edges(corner_arcs, few_exits);
    add_lines(corner_arcs, straight);
  }

  // Stations that a run from `station` passes, the first occupied ones at both ends included, as
  // the occupied positions of each line tell; `station` itself among them.
  [[nodiscard]] Set runs(int station, const std::array<std::uint16_t, most_lines>& taken) const {
    Set reach;
    for (int i = 0; i < line_count[at(station)]; ++i) {
      const auto [line, position] = on_lines[at(station)][at(i)];
      const unsigned all = taken[line];
      const unsigned lower = all & ((1U << position) - 1);
      const unsigned upper = all >> (position + 1);
      const int low = lower == 0 ? 0 : std::bit_width(lower) - 1;
      const int high = upper == 0 ? static_cast<int>(lines[line].size())
                                  : position + 2 + std::countr_zero(upper);
      reach |= before[line][at(high)] - before[line][at(low)];
    }
    return reach;
  }

  // Railway stations that a path over empty ones leads to, of `most` edges at most.
  [[nodiscard]] Set flood(int from, const Set& empty, int most) const {
    Set reached = rail[at(from)];
    Set frontier = (reached & empty) - Set::of(from);
    for (; most > 1 && !frontier.empty(); --most) {
      Set next;
      frontier.each([&](int station) { next |= rail[at(station)]; });
      frontier = (next & empty) - reached - Set::of(from);
      reached |= next;
    }
    return reached - Set::of(from);
  }

 private:
  void join(std::array<Set, stations>& kind, Edge edge, int shift) {
    const int a = edge.a + shift;
    const int b = edge.b + shift;
    kind[at(a)].add(b);
    kind[at(b)].add(a);
  }

  void add_edges(bool corner_arcs, bool few_exits) {
    for (int seat = 0; seat < 4; ++seat) {
      for (const Edge edge : arm_roads) join(road, edge, arm_size * seat);
      for (const Edge edge : arm_rails) join(rail, edge, arm_size * seat);
    }
    for (const Edge edge : centre_rails) join(rail, edge, 0);
    if (!corner_arcs)
      for (const Edge edge : arcs) join(rail, edge, 0);
    const Set back = stations_that([](int i) { return !is_centre(i) && row_of(i) == 6; });
    for (int i = 0; i < stations; ++i) {
      if (few_exits && !rail[at(i)].empty()) road[at(i)] &= camps | back;
      step[at(i)] = road[at(i)] | rail[at(i)];
    }
  }

  void add_lines(bool corner_arcs, Rail straight) {
    if (straight == Rail::ThreeSteps) return;
    lines = straight_lines;
    if (straight == Rail::Lines) {
      for (Line curve : curved_lines) {
        constexpr std::array<std::uint8_t, 4> corners{128, 122, 120, 126};
        const int seat = arm_of(curve.front());
        if (corner_arcs) curve.insert(curve.begin() + 5, corners[at(seat)]);
        lines.push_back(curve);
      }
    }
    for (int line = 0; line < static_cast<int>(lines.size()); ++line) {
      Set so_far;
      int position = 0;
      for (const std::uint8_t station : lines[at(line)]) {
        before[at(line)][at(position)] = so_far;
        so_far.add(station);
        // With arcs through the corners a corner of the centre is on three lines, like a column.
        on_lines[station][line_count[station]++] = {static_cast<std::uint8_t>(line),
                                                    static_cast<std::uint8_t>(position)};
        ++position;
      }
      before[at(line)][at(position)] = so_far;
    }
  }
};

inline constexpr int board_kinds = 12;
inline const std::vector<Board> boards = [] {
  std::vector<Board> all;
  for (int which = 0; which < board_kinds; ++which) all.emplace_back(which);
  return all;
}();

}  // namespace tempo::siguo
