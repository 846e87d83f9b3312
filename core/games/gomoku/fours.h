// Victory by continuous fours (VCF): the seat to move makes nothing but fours, so that every reply
// is forced, until a five cannot be stopped. Depth first, with a table of positions in which that
// is known to fail.
//
// A forced reply may itself make a four. Then the attacker has to answer it, and goes on only if
// the answer is a four again; a defender who can complete five has refuted the line. Under the
// exactly-five rule an overline is no five, for either seat (see threats.h).
#pragma once

#include <cstdint>
#include <vector>

#include "../../search/verdict.h"
#include "../../stop.h"
#include "threats.h"

namespace tempo::gomoku {

class FourSearch {
 public:
  // The table holds `entries` failed positions, a power of two.
  explicit FourSearch(std::size_t entries = std::size_t{1} << 14) : failed_(entries, 0) {}

  // Looks for a win of the seat to move, in a position that is not over. Sets up at most
  // `positions` of them, and with `seconds` stops soon after that time.
  Verdict search(const Position& root, std::int64_t positions, double seconds = 0) {
    begin(positions, seconds);
    return attack(root);
  }
  // The same where the mover completes no five and the rest is known: where it makes fours, and
  // where the other completes five.
  Verdict search(const Position& root, const Points& fours, const Points& forced,
                 std::int64_t positions) {
    begin(positions, 0);
    return has_failed(root) ? Verdict::None : attack_forced(root, fours, forced);
  }

  // The attacker's moves and the forced replies in turn, the five at the end. Against an open four
  // or two fours at once the defender has no reply worth the name: one of the points is given.
  [[nodiscard]] const std::vector<Move>& line() const { return line_; }
  [[nodiscard]] std::int64_t visited() const { return visited_; }

  // Failures stay true for ever; forgetting them makes a search depend on its position alone.
  void forget() { failed_.assign(failed_.size(), 0); }

 private:
  // An attacking move and the one reply that stops its five.
  struct Four {
    Move move;
    Move reply;
  };

  static Move move_at(const Position& position, int x, int y) {
    return Move{static_cast<std::uint16_t>(y * position.size() + x)};
  }

  void begin(std::int64_t positions, double seconds) {
    most_ = positions;
    poll_.limit(seconds);
    visited_ = 0;
    line_.clear();
  }

  bool visit() {
    if (visited_ >= most_) return false;
    ++visited_;
    if (poll_()) most_ = visited_;
    return true;
  }

  Verdict attack(const Position& position) {
    if (has_failed(position)) return Verdict::None;
    const Seat seat = position.turn();
    Points fours;
    Points forced;
    Move five = no_move;
    with_threats(position, [&](const auto& finder) {
      const auto own = finder.fours_of(seat);
      own.five.each([&](int x, int y) { five = move_at(position, x, y); });
      fours = own.four;
      if (five == no_move) forced = finder.fours_of(other(seat)).five;
    });
    if (five != no_move) {
      line_.push_back(five);
      return Verdict::Win;
    }
    return attack_forced(position, fours, forced);
  }

  // After a four and the reply that stopped it: no five is left to the attacker, and the defender
  // completes five only through that reply.
  Verdict attack_after(const Position& position, Move reply) {
    if (has_failed(position)) return Verdict::None;
    const Seat seat = position.turn();
    const Points fours =
        with_threats(position, [&](const auto& finder) { return finder.fours_of(seat).four; });
    return attack_forced(position, fours, fives_with(position, other(seat), reply));
  }

  // Against a four of the defender there is only its stopping point, and only if that is a four
  // too.
  Verdict attack_forced(const Position& position, Points fours, const Points& forced) {
    if (const int threats = forced.count(); threats > 0) {
      fours = threats == 1 ? fours & forced : Points{};
    }
    return attack_with(position, fours);
  }

  Verdict attack_with(const Position& position, const Points& fours) {
    std::vector<Four> tries;
    Verdict verdict = Verdict::None;
    fours.each([&](int x, int y) {
      if (verdict != Verdict::None) return;
      if (!visit()) {
        verdict = Verdict::Unknown;
        return;
      }
      const Move move = move_at(position, x, y);
      const auto [first, last] = completions(position, move);
      if (first == last) {
        tries.push_back({move, first});
      } else {
        line_.insert(line_.end(), {move, first, last});
        verdict = Verdict::Win;
      }
    });
    if (verdict != Verdict::None) return verdict;
    for (const Four& four : tries) {
      if (!visit()) return Verdict::Unknown;
      Position next = position;
      next.play(four.move);
      next.play(four.reply);
      const std::size_t length = line_.size();
      line_.insert(line_.end(), {four.move, four.reply});
      const Verdict found = next.is_over() ? Verdict::None : attack_after(next, four.reply);
      if (found == Verdict::Win) return found;
      line_.resize(length);
      if (found == Verdict::Unknown) return found;
    }
    failed_[slot(position.key())] = position.key();
    return Verdict::None;
  }

  struct Completions {
    Move first;
    Move last;
  };
  // Where a four completes five: the same point twice if there is but one.
  static Completions completions(Position position, Move four) {
    const Seat seat = position.turn();
    position.play(four);
    Completions found{no_move, no_move};
    fives_with(position, seat, four).each([&](int x, int y) {
      found.last = move_at(position, x, y);
      if (found.first == no_move) found.first = found.last;
    });
    return found;
  }

  // Where a seat completes five, if it can do so only together with the stone it played last.
  static Points fives_with(const Position& position, Seat seat, Move stone) {
    if (position.options().rule == 0) {
      const int y = index(stone) / position.size();
      return fives_through(position, seat, index(stone) - y * position.size(), y);
    }
    return with_threats(position, [&](const auto& finder) { return finder.fours_of(seat).five; });
  }

  [[nodiscard]] bool has_failed(const Position& position) const {
    return failed_[slot(position.key())] == position.key();
  }
  [[nodiscard]] std::size_t slot(std::uint64_t key) const { return key & (failed_.size() - 1); }

  std::vector<std::uint64_t> failed_;  // keys; another's key simply takes the place
  std::vector<Move> line_;
  std::int64_t most_ = 0;
  std::int64_t visited_ = 0;
  StopPoll poll_;
};

}  // namespace tempo::gomoku
