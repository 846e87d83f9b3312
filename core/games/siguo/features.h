// Siguo planes [21, 17, 17] on the drawn board, turned so that the seat sits at the bottom; row 0
// at the top. Made from the View alone:
//   0 own pieces, 1 those of the seat to the right, 2 the partner's, 3 those of the seat to the
//   left, 4 to 15 pieces known to be 9 8 7 6 5 4 3 2 1 B M F, 16 has moved, 17 ran as only a sapper
//   can, 18 outlived a battle, 19 flags that everyone knows, 20 quiet plies / the limit (all over).
#pragma once

#include <algorithm>

#include "../../game_features.h"
#include "rules.h"

namespace tempo {

template <>
struct Features<siguo::Position> {
  static constexpr int planes = 21;
  static constexpr std::array<int, 1> scaled{20};
  static constexpr int size = 17;
  static constexpr int area = size * size;

  static std::array<int, 3> shape(const siguo::Options&) { return {planes, size, size}; }

  static void write(const siguo::View& view, float* out) {
    const siguo::PublicState& state = view.public_state();
    const int own = index(view.seat());
    std::fill_n(out, planes * area, 0.0F);
    const auto put = [&](int plane, int station) {
      const auto [x, y] = siguo::place_of(siguo::turned(station, (4 - own) % 4));
      out[plane * area + size * y + x] = 1.0F;
    };
    std::array<bool, siguo::pieces> survivor{};
    for (int piece = 0; piece < siguo::pieces; ++piece)
      if (state.foe(piece) != siguo::none) survivor[siguo::at(state.foe(piece))] = true;
    for (int piece = 0; piece < siguo::pieces; ++piece) {
      if (!state.on_board(piece)) continue;
      const int station = state.station(piece);
      put((siguo::seat_of(piece) - own + 4) % 4, station);
      if (view.kind(piece) != siguo::Unknown) put(4 + view.kind(piece), station);
      if (state.has(piece, siguo::Moved)) put(16, station);
      if (state.has(piece, siguo::Ran)) put(17, station);
      if (survivor[siguo::at(piece)]) put(18, station);
    }
    for (int seat = 0; seat < 4; ++seat)
      if (state.in_play(seat) && state.public_flag(seat) != siguo::none)
        put(19, state.public_flag(seat));
    const int limit = view.options().no_capture_draw;
    const float quiet =
        limit > 0 ? static_cast<float>(state.quiet()) / static_cast<float>(limit) : 0.0F;
    std::fill_n(out + 20 * area, area, quiet);
  }
};

}  // namespace tempo
