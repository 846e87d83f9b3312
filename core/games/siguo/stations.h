// The 129 stations of the Siguo board: four arms of 6 x 5 and a centre of 3 x 3, and sets of them.
// A station is a number: 30 * seat + 5 * (row - 1) + (column - 1) on an arm, rows from the front
// and columns from the owner's left; 120 to 128 are C1 to C9, read like a page with north up.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "../../bits.h"

namespace tempo::siguo {

inline constexpr int stations = 129;
inline constexpr int arm_size = 30;
inline constexpr int centre_first = 120;
inline constexpr std::uint8_t none = 0xFF;  // no station, no piece
inline constexpr std::string_view seat_letters = "SENW";

constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }
constexpr bool is_centre(int station) { return station >= centre_first; }
constexpr int arm_of(int station) { return station / arm_size; }  // 4 for the centre
constexpr int offset_of(int station) { return station % arm_size; }
constexpr int row_of(int station) { return offset_of(station) / 5 + 1; }
constexpr int column_of(int station) { return offset_of(station) % 5 + 1; }
constexpr int station_at(int seat, int row, int column) {
  return arm_size * seat + 5 * (row - 1) + column - 1;
}

inline constexpr std::array<int, 5> camp_offsets{6, 8, 12, 16, 18};
inline constexpr std::array<int, 2> headquarters_offsets{26, 28};

constexpr bool is_camp(int station) {
  if (is_centre(station)) return false;
  for (const int camp : camp_offsets)
    if (offset_of(station) == camp) return true;
  return false;
}
constexpr bool is_headquarters(int station) {
  if (is_centre(station)) return false;
  return offset_of(station) == headquarters_offsets[0] ||
         offset_of(station) == headquarters_offsets[1];
}

inline std::string station_text(int station) {
  if (is_centre(station)) return "C" + std::to_string(station - centre_first + 1);
  return {seat_letters[at(arm_of(station))], static_cast<char>('0' + row_of(station)),
          static_cast<char>('0' + column_of(station))};
}

// The station that a text begins with, and how many letters it took: 0 when there is none.
struct StationRead {
  int station = none;
  std::size_t letters = 0;
};
inline StationRead read_station(std::string_view text) {
  const auto digit = [&](std::size_t i) { return text.size() > i ? text[i] - '0' : -1; };
  if (!text.empty() && text[0] == 'C') {
    if (digit(1) < 1 || digit(1) > 9) return {};
    return {centre_first + digit(1) - 1, 2};
  }
  const std::size_t seat = text.empty() ? std::string_view::npos : seat_letters.find(text[0]);
  if (seat == std::string_view::npos) return {};
  if (digit(1) < 1 || digit(1) > 6 || digit(2) < 1 || digit(2) > 5) return {};
  return {station_at(static_cast<int>(seat), digit(1), digit(2)), 3};
}

// Where a station is drawn: columns from the west, rows from the north, both 0 to 16.
struct Place {
  int x;
  int y;
};
constexpr Place place_of(int station) {
  if (is_centre(station)) {
    const int k = station - centre_first;
    return {6 + 2 * (k % 3), 6 + 2 * (k / 3)};
  }
  const int row = row_of(station);
  const int column = column_of(station);
  switch (arm_of(station)) {
    case 0:
      return {5 + column, 10 + row};
    case 1:
      return {10 + row, 11 - column};
    case 2:
      return {11 - column, 6 - row};
    default:
      return {6 - row, 5 + column};
  }
}

// The quarter turn that takes seat s to seat s + 1, applied `turns` times.
constexpr int turned(int station, int turns) {
  constexpr std::array<int, 9> centre{6, 3, 0, 7, 4, 1, 8, 5, 2};
  for (; turns > 0; --turns) {
    station = is_centre(station) ? centre_first + centre[at(station - centre_first)]
                                 : (station + arm_size) % centre_first;
  }
  return station;
}

// A set of stations.
class Set {
 public:
  constexpr Set() = default;
  static constexpr Set of(int station) {
    Set set;
    set.add(station);
    return set;
  }
  static constexpr Set all() {
    Set set;
    for (int i = 0; i < stations; ++i) set.add(i);
    return set;
  }

  constexpr void add(int i) { words_[at(i >> 6)] |= std::uint64_t{1} << (i & 63); }
  constexpr void flip(int i) { words_[at(i >> 6)] ^= std::uint64_t{1} << (i & 63); }
  [[nodiscard]] constexpr bool has(int i) const { return words_[at(i >> 6)] >> (i & 63) & 1; }
  [[nodiscard]] constexpr bool empty() const { return (words_[0] | words_[1] | words_[2]) == 0; }
  [[nodiscard]] constexpr int count() const {
    return std::popcount(words_[0]) + std::popcount(words_[1]) + std::popcount(words_[2]);
  }
  // The n-th station, ascending; there must be more than n.
  [[nodiscard]] int nth(int n) const {
    for (int word = 0;; ++word) {
      const int here = std::popcount(words_[at(word)]);
      if (n < here) return 64 * word + select_bit(words_[at(word)], n);
      n -= here;
    }
  }
  [[nodiscard]] constexpr int first() const {
    if (words_[0] != 0) return std::countr_zero(words_[0]);
    if (words_[1] != 0) return 64 + std::countr_zero(words_[1]);
    return 128 + std::countr_zero(words_[2]);
  }
  template <class Visit>
  constexpr void each(Visit&& visit) const {
    for (int word = 0; word < 3; ++word)
      for (std::uint64_t left = words_[at(word)]; left != 0; left &= left - 1)
        visit(64 * word + std::countr_zero(left));
  }

  constexpr Set& operator|=(const Set& o) {
    for (int i = 0; i < 3; ++i) words_[at(i)] |= o.words_[at(i)];
    return *this;
  }
  constexpr Set& operator&=(const Set& o) {
    for (int i = 0; i < 3; ++i) words_[at(i)] &= o.words_[at(i)];
    return *this;
  }
  constexpr Set& operator-=(const Set& o) {
    for (int i = 0; i < 3; ++i) words_[at(i)] &= ~o.words_[at(i)];
    return *this;
  }
  friend constexpr Set operator|(Set a, const Set& b) { return a |= b; }
  friend constexpr Set operator&(Set a, const Set& b) { return a &= b; }
  friend constexpr Set operator-(Set a, const Set& b) { return a -= b; }
  friend constexpr bool operator==(const Set&, const Set&) = default;

 private:
  std::array<std::uint64_t, 3> words_{};
};

template <class Is>
constexpr Set stations_that(Is is) {
  Set set;
  for (int i = 0; i < stations; ++i)
    if (is(i)) set.add(i);
  return set;
}
inline constexpr Set camps = stations_that(is_camp);
inline constexpr Set headquarters = stations_that(is_headquarters);
inline constexpr std::array<Set, 4> arm_camps = [] {
  std::array<Set, 4> own;
  for (int seat = 0; seat < 4; ++seat)
    own[at(seat)] = stations_that([=](int i) { return is_camp(i) && arm_of(i) == seat; });
  return own;
}();

}  // namespace tempo::siguo
