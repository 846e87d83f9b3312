// Threats of a whole Gomoku board at once: where a seat completes five, makes a four, makes a four
// that cannot be stopped, or makes an open three. Bit x of word y is the point (x, y), and each
// step below treats all windows of a direction together, several rows side by side where the
// compiler finds wide registers. Nothing is carried from position to position.
//
// Under the exactly-five rule a window whose neighbour in line is an own stone can never become
// five, so it counts for nothing: every four found here can be completed to exactly five.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "rules.h"

// Compiled twice where the loader can choose when the program starts: with AVX2 the search is a
// quarter faster. What it finds is the same. Sanitizers do not bear such functions.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__AVX2__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define TEMPO_WIDE [[gnu::target_clones("avx2", "default"), gnu::flatten]]
#else
#define TEMPO_WIDE
#endif

namespace tempo::gomoku {

constexpr Seat other(Seat seat) { return Seat{static_cast<std::uint8_t>(1 - index(seat))}; }

// A set of points.
struct Points {
  std::array<std::uint32_t, 20> rows{};

  [[nodiscard]] bool any() const {
    std::uint32_t all = 0;
    for (const std::uint32_t row : rows) all |= row;
    return all != 0;
  }
  [[nodiscard]] int count() const {
    int ones = 0;
    for (const std::uint32_t row : rows) ones += std::popcount(row);
    return ones;
  }
  [[nodiscard]] bool has(int x, int y) const {
    return (rows[static_cast<std::size_t>(y)] >> x & 1U) != 0;
  }
  void remove(int x, int y) { rows[static_cast<std::size_t>(y)] &= ~(1U << x); }
  // Calls `visit(x, y)` for every point, in the order of legal moves.
  template <class Visit>
  void each(const Visit& visit) const {
    for (std::size_t y = 0; y < rows.size(); ++y) {
      for (std::uint32_t bits = rows[y]; bits != 0; bits &= bits - 1) {
        visit(std::countr_zero(bits), static_cast<int>(y));
      }
    }
  }
  friend Points operator&(Points a, const Points& b) {
    for (std::size_t y = 0; y < a.rows.size(); ++y) a.rows[y] &= b.rows[y];
    return a;
  }
  friend Points operator|(Points a, const Points& b) {
    for (std::size_t y = 0; y < a.rows.size(); ++y) a.rows[y] |= b.rows[y];
    return a;
  }
  friend bool operator==(const Points&, const Points&) = default;
};

// What one seat could do if it were its turn. All points are empty ones.
struct Threats {
  Points five;     // completes five
  Points four;     // then one more point completes five
  Points winning;  // then two points do: an open four, or fours in two directions
  Points three;    // makes an open three: then a further point makes an open four
  Points stops;    // where an open four that could be made next can be spoilt
};

// The same, and where lines cross: the points that make one thing in one direction and another in
// another. A two is a stone of its own more in a row of six with empty ends that held one.
struct Shapes : Threats {
  Points three_three;
  Points three_two;
  Points four_two;
};

// Finds the threats of both seats on a board of at most `rows_` rows.
template <std::size_t rows_>
class ThreatFinder {
 public:
  explicit ThreatFinder(const Position& position)
      : size_(position.size()), exactly_five_(position.options().rule == 1) {
    const std::uint32_t whole = (1U << size_) - 1;
    for (int y = 0; y < size_; ++y) {
      const auto at = static_cast<std::size_t>(y) + pad;
      stones_[0][at] = position.row(Seat{0}, y) >> Position::margin;
      stones_[1][at] = position.row(Seat{1}, y) >> Position::margin;
      empty_[at] = whole & ~(stones_[0][at] | stones_[1][at]);
    }
  }

  TEMPO_WIDE [[nodiscard]] Threats of(Seat seat) const {
    Found found;
    scan_all(seat, found);
    return threats(found);
  }
  TEMPO_WIDE [[nodiscard]] Shapes shapes_of(Seat seat) const {
    FoundShapes found;
    scan_all(seat, found);
    return {threats(found), points(found.three_three), points(found.three_two),
            points(found.four_two)};
  }

  // Where a seat completes five, and where it makes a four: all that a sequence of fours asks.
  struct Fours {
    Points five;
    Points four;
  };
  TEMPO_WIDE [[nodiscard]] Fours fours_of(Seat seat) const {
    Words five{};
    Words four{};
    const Plane& own = stones_[static_cast<std::size_t>(index(seat))];
    Plane open;
    for (std::size_t i = 0; i < open.size(); ++i) open[i] = own[i] | empty_[i];
    const auto add = [&]<int up, int right>() {
      const FiveWindows windows = five_windows<up, right>(own, open);
      const Words at_five = spread<up, right, 0, 4>(windows.four);
      const Words at_four = spread<up, right, 0, 4>(windows.three);
      for (std::size_t y = 0; y < rows_; ++y) {
        five[y] |= at_five[y];
        four[y] |= at_four[y];
      }
    };
    add.template operator()<0, 1>();
    add.template operator()<1, 0>();
    add.template operator()<1, 1>();
    add.template operator()<1, -1>();
    return {points(five), points(four)};
  }

 private:
  static constexpr std::size_t pad = 6;  // empty rows on both sides: windows are read past edges
  using Plane = std::array<std::uint32_t, rows_ + 2 * pad>;
  using Words = std::array<std::uint32_t, rows_>;

  struct Found {
    Words five{}, four{}, winning{}, three{}, stops{};
  };
  struct FoundShapes : Found {
    Words two{}, three_three{}, three_two{}, four_two{};
  };
  struct FiveWindows {
    Plane four{}, three{};  // windows, by their first point, with that many own stones
  };
  struct SixWindows {
    Plane three{}, two{}, one{};  // with empty ends, and that many own stones among the middle four
  };

  // Moves every point k steps back along a direction: bit x of row y becomes what lies k steps on.
  template <int up, int right, int k>
  static std::uint32_t look(const Plane& plane, std::size_t y) {
    constexpr int across = right * k;
    const std::uint32_t row = plane[y + static_cast<std::size_t>(static_cast<int>(pad) + k * up)];
    if constexpr (across >= 0) {
      return row >> across;
    } else {
      return row << -across;
    }
  }

  template <int up, int right>
  [[nodiscard]] FiveWindows five_windows(const Plane& own, const Plane& open) const {
    FiveWindows found;
    const std::uint32_t flanks = exactly_five_ ? ~0U : 0U;
    for (std::size_t y = 0; y < rows_; ++y) {
      const std::uint32_t a = look<up, right, 0>(own, y), b = look<up, right, 1>(own, y),
                          c = look<up, right, 2>(own, y), d = look<up, right, 3>(own, y),
                          e = look<up, right, 4>(own, y);
      const std::uint32_t flanked =
          flanks & (look<up, right, -1>(own, y) | look<up, right, 5>(own, y));
      const std::uint32_t free = look<up, right, 0>(open, y) & look<up, right, 1>(open, y) &
                                 look<up, right, 2>(open, y) & look<up, right, 3>(open, y) &
                                 look<up, right, 4>(open, y) & ~flanked;
      // The five bits added up: a number of three bits.
      const std::uint32_t odd = a ^ b ^ c;
      const std::uint32_t carry = (a & b) | (a & c) | (b & c);
      const std::uint32_t carry_more = (odd & d) | (odd & e) | (d & e);
      const std::uint32_t one = odd ^ d ^ e;
      const std::uint32_t two = carry ^ carry_more;
      const std::uint32_t four = carry & carry_more;
      found.four[y + pad] = free & four & ~one;
      found.three[y + pad] = free & two & one;
    }
    return found;
  }

  template <int up, int right>
  [[nodiscard]] SixWindows six_windows(const Plane& own, const Plane& open) const {
    SixWindows found;
    const std::uint32_t flanks = exactly_five_ ? ~0U : 0U;
    for (std::size_t y = 0; y < rows_; ++y) {
      const std::uint32_t b = look<up, right, 1>(own, y), c = look<up, right, 2>(own, y),
                          d = look<up, right, 3>(own, y), e = look<up, right, 4>(own, y);
      const std::uint32_t flanked =
          flanks & (look<up, right, -1>(own, y) | look<up, right, 6>(own, y));
      const std::uint32_t free = look<up, right, 0>(empty_, y) & look<up, right, 1>(open, y) &
                                 look<up, right, 2>(open, y) & look<up, right, 3>(open, y) &
                                 look<up, right, 4>(open, y) & look<up, right, 5>(empty_, y) &
                                 ~flanked;
      const std::uint32_t odd = b ^ c ^ d ^ e;
      const std::uint32_t pair = (b & c) | (d & e);
      const std::uint32_t both = b & c & d & e;
      const std::uint32_t cross = (b | c) & (d | e);
      found.three[y + pad] = free & odd & pair;
      found.two[y + pad] = free & ~odd & (pair | cross) & ~both;
      found.one[y + pad] = free & odd & ~pair;
    }
    return found;
  }

  // All points from the `first` to the `last` of the windows marked at their beginnings.
  template <int up, int right, int first, int last>
  static Words spread(const Plane& windows) {
    Words points;
    for (std::size_t y = 0; y < rows_; ++y) {
      std::uint32_t here = look<up, right, -last>(windows, y);
      if constexpr (first <= 0 && 0 < last) here |= look<up, right, 0>(windows, y);
      if constexpr (first <= 1 && 1 < last) here |= look<up, right, -1>(windows, y);
      if constexpr (first <= 2 && 2 < last) here |= look<up, right, -2>(windows, y);
      if constexpr (first <= 3 && 3 < last) here |= look<up, right, -3>(windows, y);
      if constexpr (first <= 4 && 4 < last) here |= look<up, right, -4>(windows, y);
      points[y] = here;
    }
    return points;
  }

  template <class What>
  void scan_all(Seat seat, What& found) const {
    const Plane& own = stones_[static_cast<std::size_t>(index(seat))];
    Plane open;
    for (std::size_t i = 0; i < open.size(); ++i) open[i] = own[i] | empty_[i];
    scan<0, 1>(own, open, found);
    scan<1, 0>(own, open, found);
    scan<1, 1>(own, open, found);
    scan<1, -1>(own, open, found);
  }

  // A direction, after those before it: what is found already crosses what is found now.
  template <int up, int right, class What>
  void scan(const Plane& own, const Plane& open, What& found) const {
    const FiveWindows fives = five_windows<up, right>(own, open);
    const SixWindows sixes = six_windows<up, right>(own, open);
    const Words at_five = spread<up, right, 0, 4>(fives.four);
    const Words at_four = spread<up, right, 0, 4>(fives.three);
    const Words at_open_four = spread<up, right, 1, 4>(sixes.three);
    const Words at_stop = spread<up, right, 0, 5>(sixes.three);
    const Words at_three = spread<up, right, 1, 4>(sixes.two);
    if constexpr (std::is_same_v<What, FoundShapes>) {
      const Words at_two = spread<up, right, 1, 4>(sixes.one);
      for (std::size_t y = 0; y < rows_; ++y) {
        found.three_three[y] |= found.three[y] & at_three[y];
        found.three_two[y] |= (found.three[y] & at_two[y]) | (found.two[y] & at_three[y]);
        found.four_two[y] |= (found.four[y] & at_two[y]) | (found.two[y] & at_four[y]);
        found.two[y] |= at_two[y];
      }
    }
    for (std::size_t y = 0; y < rows_; ++y) {
      found.winning[y] |= at_open_four[y] | (found.four[y] & at_four[y]);
      found.five[y] |= at_five[y];
      found.four[y] |= at_four[y];
      found.three[y] |= at_three[y];
      found.stops[y] |= at_stop[y];
    }
  }

  [[nodiscard]] Threats threats(const Found& found) const {
    return {points(found.five), points(found.four), points(found.winning), points(found.three),
            points(found.stops)};
  }
  [[nodiscard]] Points points(const Words& words) const {
    Points points;
    for (std::size_t y = 0; y < rows_; ++y) points.rows[y] = words[y] & empty_[y + pad];
    return points;
  }

  int size_;
  bool exactly_five_;
  std::array<Plane, 2> stones_{};
  Plane empty_{};
};

// Sixteen rows fill wide registers exactly, and most boards have no more.
template <class Use>
auto with_threats(const Position& position, const Use& use) {
  return position.size() <= 16 ? use(ThreatFinder<16>(position)) : use(ThreatFinder<20>(position));
}

inline Threats threats_of(const Position& position, Seat seat) {
  return with_threats(position, [&](const auto& finder) { return finder.of(seat); });
}

// Nine points in a line, the fifth of them a given one, as bits.
struct NinePoints {
  std::uint32_t row = 0, column = 0, rising = 0, falling = 0;

  NinePoints(const Position& position, Seat seat, int x, int y) {
    const auto at = static_cast<unsigned>(x);
    for (unsigned k = 0; k < 9; ++k) {
      const std::uint32_t bits = position.row(seat, y - 4 + static_cast<int>(k));
      column |= (bits >> (at + 4) & 1U) << k;
      rising |= (bits >> (at + k) & 1U) << k;
      falling |= (bits >> (at + 8 - k) & 1U) << k;
    }
    row = position.row(seat, y) >> at & 0x1FFU;
  }
};
static_assert(Position::margin == 4);

// The points, of nine in a line, that make five of four own stones: by the own stones.
inline constexpr auto gaps_of_fours = [] {
  std::array<std::uint16_t, 512> gaps{};
  for (unsigned nine = 0; nine < gaps.size(); ++nine) {
    for (unsigned first = 0; first < 5; ++first) {
      const unsigned gap = ~(nine >> first) & 31U;
      if (std::popcount(gap) == 1) {
        gaps[nine] = static_cast<std::uint16_t>(gaps[nine] | gap << first);
      }
    }
  }
  return gaps;
}();

// Where a seat completes five together with a stone that stands at (x, y), free-style: much cheaper
// than to look at the whole board.
inline Points fives_through(const Position& position, Seat seat, int x, int y) {
  const NinePoints own(position, seat, x, y);
  const NinePoints taken(position, other(seat), x, y);
  Points found;
  const auto add = [&](std::uint32_t stones, std::uint32_t spoilt, int right, int up) {
    for (std::uint32_t bits = gaps_of_fours[stones] & ~spoilt; bits != 0; bits &= bits - 1) {
      const int k = std::countr_zero(bits) - 4;
      const int to_x = x + k * right;
      const int to_y = y + k * up;
      if (to_x < 0 || to_y < 0 || to_x >= position.size() || to_y >= position.size()) continue;
      found.rows[static_cast<std::size_t>(to_y)] |= 1U << to_x;
    }
  };
  add(own.row, taken.row, 1, 0);
  add(own.column, taken.column, 0, 1);
  add(own.rising, taken.rising, 1, 1);
  add(own.falling, taken.falling, -1, 1);
  return found;
}

}  // namespace tempo::gomoku

#undef TEMPO_WIDE
