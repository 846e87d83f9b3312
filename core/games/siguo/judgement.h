// How well a team stands in a whole position: a sum over the pieces on the board, each counting by
// its kind and by where it stands as its owner sees it, turned into a score between -1 and 1.
// Hand-tuned are the worths of pieces alone; the rest is learnt from results (training_games.h).
//
// A piece has three terms: its kind, its kind in a zone of the board, and its kind on a station.
// The finer ones have smaller values, so that a learner that steps equally far along every term
// learns what pieces are worth before it learns where each belongs.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "duels.h"

namespace tempo::siguo {

class Judgement {
 public:
  static constexpr int zones = 13;  // the centre; front, middle and rear of each arm
  static constexpr int by_zone = kinds;
  static constexpr int by_station = by_zone + kinds * zones;
  static constexpr int turn_term = by_station + kinds * stations;
  static constexpr int terms = turn_term + 1;
  static constexpr float zone_value = 0.5F;
  static constexpr float station_value = 0.25F;

  static int zone_of(int place) {
    return is_centre(place) ? 0 : 1 + 3 * arm_of(place) + (row_of(place) - 1) / 2;
  }

  // Worths of pieces as the rules of thumb have them; 4 Generals are worth a score of 0.8 or so.
  static std::vector<float> hand_tuned() {
    static constexpr float sureness = 0.5F;
    std::vector<float> weights(at(terms));
    for (int kind = 0; kind < kinds; ++kind) weights[at(kind)] = sureness * piece_worths[at(kind)];
    return weights;
  }

  explicit Judgement(std::span<const float> weights) : turn_(weights[turn_term]) {
    for (int seat = 0; seat < 4; ++seat)
      for (int kind = 0; kind < kinds; ++kind)
        for (int station = 0; station < stations; ++station) {
          const int place = turned(station, (4 - seat) % 4);
          const float sum = weights[at(kind)] +
                            zone_value * weights[at(by_zone + zones * kind + zone_of(place))] +
                            station_value * weights[at(by_station + stations * kind + place)];
          table_[at(seat)][at(kind)][at(station)] = seat % 2 == 0 ? sum : -sum;
        }
  }

  // The score that seat 0 and its partner may expect, from -1 to 1; exact when the game is over.
  [[nodiscard]] float value(const Position& position) const {
    if (const auto outcome = position.outcome()) return outcome->scores[0];
    return std::tanh(sum(position) / 2);
  }
  // The logarithm of the odds that they win.
  [[nodiscard]] float sum(const Position& position) const {
    const PublicState& state = position.public_state();
    float sum = state.turn() % 2 == 0 ? turn_ : -turn_;
    for (int seat = 0; seat < 4; ++seat)
      state.stations_of(seat).each([&](int station) {
        sum += table_[at(seat)][position.kind(state.occupant(station))][at(station)];
      });
    return sum;
  }

  // Visits the terms of a position as (number, value), for the team of seat 0.
  template <class Visit>
  static void each_term(const Position& position, Visit&& visit) {
    const PublicState& state = position.public_state();
    visit(turn_term, state.turn() % 2 == 0 ? 1.0F : -1.0F);
    for (int seat = 0; seat < 4; ++seat) {
      const float sign = seat % 2 == 0 ? 1.0F : -1.0F;
      state.stations_of(seat).each([&](int station) {
        const int kind = position.kind(state.occupant(station));
        const int place = turned(station, (4 - seat) % 4);
        visit(kind, sign);
        visit(by_zone + zones * kind + zone_of(place), sign * zone_value);
        visit(by_station + stations * kind + place, sign * station_value);
      });
    }
  }

 private:
  std::array<std::array<std::array<float, stations>, kinds>, 4> table_{};  // by seat
  float turn_;
};

}  // namespace tempo::siguo
