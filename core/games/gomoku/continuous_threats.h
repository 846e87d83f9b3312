// Victory by continuous threats (VCT): every move of the attacker makes a four or an open three,
// and the defender tries every reply that can hold against it. Proof-number search decides.
//
// Which replies can hold: against fours, the points that complete them. Against an open three, the
// points where the coming open four can be spoilt, and fours of his own; after any other reply the
// open four is made, and he has no four with which to come first. A five always comes first.
#pragma once

#include <cstdint>

#include "../../search/proof_number.h"
#include "threats.h"

namespace tempo::gomoku {

struct ThreatAttack {
  using Node = Position;
  using Moves = Position::Moves;
  using Holding = NoHolding;

  Seat attacker{0};

  void attacks(const Position& position, Moves& moves) const {
    moves.clear();
    if (!position.is_over()) push(position, tries(seen(position)), moves);
  }
  void defences(const Position& position, Moves& moves) const {
    moves.clear();
    if (!position.is_over()) push(position, replies(seen(position)), moves);
  }
  void play(Position& position, Move move) const { position.play(move); }
  [[nodiscard]] std::uint64_t key(const Position& position) const { return position.key(); }
  [[nodiscard]] NoHolding holding(const Position&) const { return {}; }
  static bool covers(NoHolding, NoHolding) { return true; }

  [[nodiscard]] ProofResult before_attack(const Position& position) const {
    if (position.is_over()) return ProofResult::failure();
    const Both both = seen(position);
    if (both.own.five.any()) return ProofResult::win(1);
    if (!both.others.five.any() && both.own.winning.any()) return ProofResult::win(3);
    return tries(both).any() ? ProofResult{} : ProofResult::failure();
  }
  [[nodiscard]] ProofResult before_defence(const Position& position) const {
    if (position.is_over()) return won(position) ? ProofResult::win(0) : ProofResult::failure();
    const Both both = seen(position);
    if (both.others.five.any()) return ProofResult::failure();
    const int fives = both.own.five.count();
    if (fives > 1) return ProofResult::win(2);
    const int ways = fives == 1 ? 1 : replies(both).count();
    return {{static_cast<std::uint32_t>(ways), 1}, 0, on_nothing};
  }

 private:
  struct Both {
    Threats own;     // the attacker's
    Threats others;  // the defender's
  };
  [[nodiscard]] Both seen(const Position& position) const {
    return with_threats(position, [&](const auto& finder) {
      return Both{finder.of(attacker), finder.of(other(attacker))};
    });
  }
  [[nodiscard]] bool won(const Position& position) const {
    const auto outcome = position.outcome();
    return outcome && outcome->scores[static_cast<std::size_t>(index(attacker))] > 0;
  }

  // A five; else whatever threatens. A five that the defender threatens must be stopped as well;
  // that alone will do while an open three of the attacker still stands.
  [[nodiscard]] static Points tries(const Both& both) {
    if (both.own.five.any()) return both.own.five;
    const Points threats = both.own.four | both.own.three;
    if (!both.others.five.any()) return threats;
    if (both.others.five.count() > 1) return {};
    return both.own.stops.any() ? both.others.five : threats & both.others.five;
  }
  [[nodiscard]] static Points replies(const Both& both) {
    if (both.others.five.any()) return both.others.five;
    if (both.own.five.any()) return both.own.five;
    return both.own.stops | both.others.four;
  }

  static void push(const Position& position, const Points& points, Moves& moves) {
    points.each([&](int x, int y) {
      moves.push(Move{static_cast<std::uint16_t>(y * position.size() + x)});
    });
  }
};
static_assert(Attack<ThreatAttack>);

}  // namespace tempo::gomoku
