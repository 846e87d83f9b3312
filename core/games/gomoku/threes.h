// Victory by continuous threats (VCT): the attacker makes nothing but fours and open threes, and
// every reply that could help is tried, by proof numbers (../../search/proof_number.h).
//
// A four leaves the defender one point. An open three leaves the points that spoil the open four to
// come, and the defender's own fours; a defender who could make an open four himself need not
// answer a three at all. These lists are exact, so that a win found is a win; a failure says only
// that threats of these kinds do not win.
#pragma once

#include <cstdint>

#include "../../search/proof_number.h"
#include "threats.h"

namespace tempo::gomoku {

class ThreatAttack {
 public:
  using Node = Position;
  using Moves = Position::Moves;
  using Holding = NoHolding;

  // Whose threats they are. What was found for one seat says nothing about the other.
  void set_attacker(Seat seat) { attacker_ = seat; }
  // Positions whose threats were looked at, so far.
  [[nodiscard]] std::int64_t looked() const { return looked_; }

  void attacks(const Position& position, Moves& moves) const {
    moves.clear();
    const Sides at = look(position);
    if (at.own.five.any()) return push(position, at.own.five, moves);
    if (at.enemy.five.any()) return push(position, at.enemy.five, moves);
    if (at.own.winning.any()) return push(position, at.own.winning, moves);
    push(position, tries(at), moves);
  }
  void defences(const Position& position, Moves& moves) const {
    moves.clear();
    push(position, answers(look(position)), moves);
  }
  void play(Position& position, Move move) const { position.play(move); }

  [[nodiscard]] std::uint64_t key(const Position& position) const {
    return position.key() ^ (index(attacker_) == 0 ? 0 : 0x9E3779B97F4A7C15U);
  }
  [[nodiscard]] static Holding holding(const Position&) { return {}; }
  static bool covers(Holding, Holding) { return true; }

  // The attacker is to move.
  [[nodiscard]] ProofResult before_attack(const Position& position) const {
    if (position.is_over()) return ProofResult::failure();
    const Sides at = look(position);
    if (at.own.five.any()) return ProofResult::win(1);
    if (at.enemy.five.any()) {
      // The stopping point has to be a threat of its own.
      const Points stop = at.enemy.five;
      const bool goes_on = stop.count() == 1 && (stop & (at.own.four | at.own.three)).any();
      return goes_on ? ProofResult{{1, 1}} : ProofResult::failure();
    }
    if (at.own.winning.any()) return ProofResult::win(3);
    const int count = tries(at).count();
    if (count == 0) return ProofResult::failure();
    return {{1, static_cast<std::uint32_t>(count)}};
  }
  // The defender is to move, after a threat or what was taken for one.
  [[nodiscard]] ProofResult before_defence(const Position& position) const {
    if (position.is_over()) {
      const auto end = position.outcome();
      const bool won = end->scores[static_cast<std::size_t>(index(attacker_))] > 0;
      return won ? ProofResult::win(0) : ProofResult::failure();
    }
    const Sides at = look(position);
    if (at.own.five.any()) return ProofResult::failure();
    const int fives = at.enemy.five.count();
    if (fives > 1) return ProofResult::win(2);
    if (fives == 0 && (at.own.winning.any() || !at.enemy.winning.any())) {
      return ProofResult::failure();
    }
    const int count = answers(at).count();
    return {{static_cast<std::uint32_t>(count), 1}};
  }

 private:
  // As the seat to move sees them.
  struct Sides {
    Threats own;
    Threats enemy;
  };

  [[nodiscard]] Sides look(const Position& position) const {
    ++looked_;
    return with_threats(position, [&](const auto& finder) {
      const Seat seat = position.turn();
      return Sides{finder.of(seat), finder.of(other(seat))};
    });
  }
  // Against an open four to come, a three has to stop it besides.
  static Points tries(const Sides& at) {
    if (!at.enemy.winning.any()) return at.own.four | at.own.three;
    return at.own.four | (at.own.three & (at.enemy.stops | at.enemy.four));
  }
  static Points answers(const Sides& at) {
    if (at.enemy.five.any()) return at.enemy.five;
    return at.enemy.stops | at.enemy.four | at.own.four;
  }
  static void push(const Position& position, const Points& points, Moves& moves) {
    points.each([&](int x, int y) {
      moves.push(Move{static_cast<std::uint16_t>(y * position.size() + x)});
    });
  }

  Seat attacker_{};
  mutable std::int64_t looked_ = 0;
};
static_assert(Attack<ThreatAttack>);

// The search with its table, which serves both seats.
class ThreatSearch {
 public:
  explicit ThreatSearch(std::size_t entries = std::size_t{1} << 16)
      : search_(ThreatAttack(), entries) {}

  // Looks for a win of the seat to move, in a position that is not over; `expanded` positions at
  // most are looked into.
  Verdict search(const Position& root, std::int64_t expanded, double seconds = 0) {
    search_.attack().set_attacker(root.turn());
    const std::int64_t before = search_.attack().looked();
    const bool hopeless = search_.attack().before_attack(root).is_failure();
    const Verdict verdict = hopeless ? Verdict::None : search_.search(root, expanded, seconds);
    length_ = verdict == Verdict::Win ? search_.length() : 0;
    visited_ = search_.attack().looked() - before;
    return verdict;
  }
  // Moves of the win found: an upper bound of the shortest.
  [[nodiscard]] int length() const { return length_; }
  std::vector<Move> line() { return search_.line(); }
  // Positions that the last search looked at.
  [[nodiscard]] std::int64_t visited() const { return visited_; }
  void forget() { search_.forget(); }

 private:
  ProofSearch<ThreatAttack> search_;
  int length_ = 0;
  std::int64_t visited_ = 0;
};

}  // namespace tempo::gomoku
