// The 130 inputs of the paper's network, of which it prints no list. Two kinds are the 129 stations
// as a seat sees them, itself at the south, and one more. A station holds what its piece is worth,
// expected by what the seat believes: own and allied pieces count for it, others against it.
//   stations  the worths proposed with siguo-rules/1.0, a partner's pieces three quarters; last 1
//   ranks     the rank, 9 counting 1, all partners alike; last 1 if the own team is to move, else
//   -1
// The others are what a player might count in place of stations (summary.h).
// The expected state after a move is what these numbers become, averaged over how a battle may end.
#pragma once

#include "evaluation.h"
#include "running_belief.h"

namespace tempo::siguo {

inline constexpr int inputs = stations + 1;
using Inputs = std::array<float, inputs>;

enum class InputKind : std::uint8_t { Stations, Ranks, Summary, SummarySapper };
inline constexpr std::array<std::string_view, 4> input_kind_names{"stations", "ranks", "summary",
                                                                  "summary-sapper"};
constexpr bool is_summary(InputKind kind) { return kind >= InputKind::Summary; }

class Encoder {
 public:
  explicit Encoder(InputKind kind) : kind_(kind) {
    // No rank: a bomb is as good as a colonel, a mine a lieutenant colonel, a flag is all.
    constexpr Chances ranks{9, 8, 7, 6, 5, 4, 3, 2, 1, 5, 4, 9};
    for (std::size_t k = 0; k < kinds; ++k)
      worths_[k] = kind == InputKind::Ranks ? ranks[k] / 9 : static_cast<float>(worths[k]) / 100;
  }

  [[nodiscard]] InputKind kind() const { return kind_; }
  [[nodiscard]] float worth(Kind kind) const { return worths_[kind]; }
  [[nodiscard]] float expected(const Chances& chances) const {
    float sum = 0;
    for (std::size_t k = 0; k < kinds; ++k) sum += chances[k] * worths_[k];
    return sum;
  }
  // What a seat's pieces count for another.
  [[nodiscard]] float sign(int own, int seat) const {
    if (seat == own) return 1;
    if (((seat ^ own) & 1) != 0) return -1;
    return kind_ == InputKind::Ranks ? 1.0F : 0.75F;
  }
  // Where a station lies for a seat.
  static int place(int station, int own) { return places[at(own)][at(station)]; }

  void write(const View& view, const RunningBelief& belief, Inputs& out) const {
    const PublicState& state = view.public_state();
    const int own = tempo::index(view.seat());
    out.fill(0);
    for (int piece = 0; piece < pieces; ++piece) {
      if (!state.on_board(piece)) continue;
      out[at(place(state.station(piece), own))] =
          sign(own, seat_of(piece)) * expected(belief.chances(piece));
    }
    out[stations] = last(own, state.turn());
  }

  // What a move of the seat to move makes of its inputs: `from` is emptied, `to` takes a value, and
  // every piece of `owner` fades to `keeps` of what it was.
  struct Change {
    int from = none;
    int to = none;
    float value = 0;
    int owner = none;
    float keeps = 1;
  };
  [[nodiscard]] Change change(const View& view, const RunningBelief& belief, Move move) const {
    if (move == pass_move) return {};
    const PublicState& state = view.public_state();
    const int own = tempo::index(view.seat());
    const Kind attacker = view.kind(state.occupant(from_of(move)));
    Change made{place(from_of(move), own), place(to_of(move), own), worths_[attacker], none, 1};
    const int target = state.occupant(to_of(move));
    if (target == none) return made;
    const Chances& chances = belief.chances(target);
    float value = 0;
    for (int k = 0; k < kinds; ++k) {
      const auto defender = static_cast<Kind>(k);
      const Battle result = battle(attacker, defender, view.options().mine_hit != 0);
      if (result == Battle::Wins) value += chances[at(k)] * worths_[attacker];
      if (result == Battle::Loses) value -= chances[at(k)] * worths_[at(k)];
    }
    made.value = value;
    if (chances[Flag] > 0) {
      made.owner = seat_of(target);
      made.keeps = 1 - chances[Flag];
    }
    return made;
  }
  // The last input after the seat to move has moved.
  [[nodiscard]] float last_after(const View& view) const {
    const PublicState& state = view.public_state();
    int next = state.next_seat(state.turn());
    while (!state.in_play(next)) next = state.next_seat(next);
    return last(tempo::index(view.seat()), next);
  }

  void apply(const View& view, const Change& change, Inputs& x) const {
    x[stations] = last_after(view);
    if (change.from == none) return;
    if (change.owner != none)
      view.public_state().stations_of(change.owner).each([&](int station) {
        x[at(place(station, tempo::index(view.seat())))] *= change.keeps;
      });
    x[at(change.from)] = 0;
    x[at(change.to)] = change.value;
  }

 private:
  static constexpr std::array<std::array<std::uint8_t, stations>, 4> places = [] {
    std::array<std::array<std::uint8_t, stations>, 4> all{};
    for (int own = 0; own < 4; ++own)
      for (int station = 0; station < stations; ++station)
        all[at(own)][at(station)] = static_cast<std::uint8_t>(turned(station, (4 - own) % 4));
    return all;
  }();

  [[nodiscard]] float last(int own, int turn) const {
    return kind_ != InputKind::Ranks || ((turn ^ own) & 1) == 0 ? 1.0F : -1.0F;
  }

  InputKind kind_;
  Chances worths_{};
};

}  // namespace tempo::siguo
