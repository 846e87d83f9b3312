// The searched board of Gomoku as networks of line patterns see it (nets/lines.h).
#pragma once

#include "counted.h"
#include "features.h"

namespace tempo {

template <>
struct LineBoard<gomoku::Counted> {
  static constexpr std::string_view version = LineBoard<gomoku::Position>::version;

  static int size(const gomoku::Counted& counted) { return counted.position().size(); }
  static std::uint32_t row(const gomoku::Counted& counted, Seat seat, int y) {
    return LineBoard<gomoku::Position>::row(counted.position(), seat, y);
  }
};

}  // namespace tempo

static_assert(tempo::HasLines<tempo::gomoku::Position> && tempo::HasLines<tempo::gomoku::Counted>);
