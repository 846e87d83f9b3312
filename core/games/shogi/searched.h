// A position of shogi as alpha-beta searches it: past the horizon it lists only captures that do
// not lose material, and it tries captures that do after all quiet moves. The plain position stays
// as it is for playouts and other uses that want every capture.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "checks.h"
#include "rules.h"

namespace tempo::shogi {

// What the other side's piece is worth to the side that takes it, in pawns: it is gone there and in
// hand here. By kind, nothing included; for counting exchanges only.
inline constexpr std::array<int, all_kinds + 1> prizes = {2,  6,  7,  10, 11, 17, 21, 60,
                                                          11, 11, 11, 11, 22, 25, 0};

// Which legal moves of a position give check.
template <class Board>
class ForeseenChecks {
 public:
  explicit ForeseenChecks(const PositionOf<Board>& position)
      : men_(position.pieces()),
        sets_(position.colour() == black ? CheckSets<Board>(CheckSquares<Board, black>(men_))
                                         : CheckSets<Board>(CheckSquares<Board, white>(men_))) {}

  [[nodiscard]] bool gives_check(Move move) const {
    using Plain = PositionOf<Board>;
    const Square to = Plain::to_of(move);
    if (Plain::is_drop(move)) return has(sets_.by_kind[Plain::dropped_kind(move)], to);
    const Square from = Plain::from_of(move);
    const Kind moved = men_.kind_at(from);
    const Kind arrives = Plain::promotes(move) ? promoted(moved) : moved;
    return sets_.of(from, arrives, Grid<Board>::bit(to)) != 0;
  }

 private:
  const Pieces<Board>& men_;
  CheckSets<Board> sets_;
};

template <class Board>
class Searched : public PositionOf<Board> {
 public:
  using Plain = PositionOf<Board>;
  using Options = typename Plain::Options;
  using Moves = typename Plain::Moves;

  explicit Searched(const Plain& position) : Plain(position) {}
  static Searched start(const Options& options = {}) { return Searched(Plain::start(options)); }
  static Searched parse(std::string_view text, const Options& options = {}) {
    return Searched(Plain::parse(text, options));
  }
  [[nodiscard]] Searched passed() const { return Searched(Plain::passed()); }

  static constexpr bool quick_key = true;
  // What moves, and where to.
  static constexpr int move_classes = all_kinds * Plain::squares;
  [[nodiscard]] int class_of(Move move) const {
    return this->moved_kind(move) * Plain::squares + Plain::to_of(move);
  }
  [[nodiscard]] ForeseenChecks<Board> check_test() const { return ForeseenChecks<Board>(*this); }

  // Captures that do not lose material, and promotions of pawns, bishops and rooks to where they
  // are not simply taken.
  void noisy_moves(Moves& moves) const {
    Moves all;
    Plain::noisy_moves(all);
    moves.clear();
    for (const Move move : all) {
      if (!loses_material(move)) moves.push(move);
    }
  }

  // Most valuable victim first; what loses material last.
  void order_hints(const Moves& moves, int* hints) const {
    for (int i = 0; i < moves.size(); ++i) {
      hints[i] = this->order_hint(moves[i]);
      if (hints[i] > 0 && loses_material(moves[i])) hints[i] -= losing;
    }
  }

  // Whether the exchanges that a capture or promotion begins on its square lose material, each side
  // taking with its least piece as long as that pays.
  [[nodiscard]] bool loses_material(Move move) const;

 private:
  using Men = Pieces<Board>;
  using At = Grid<Board>;
  using Set = typename Board::Set;

  static constexpr int losing = 4096;  // more than history gives

  static int prize(Kind kind) { return prizes[static_cast<std::size_t>(kind)]; }
  [[nodiscard]] Set attackers(Colour side, Square square, Set occupied) const {
    using Reach = Attacks<Board>;
    const Men& men = this->pieces();
    const Set found = side == black ? Reach::template attackers<black>(men, square, occupied)
                                    : Reach::template attackers<white>(men, square, occupied);
    return found & occupied;
  }
  // Takes the least piece out of a set.
  [[nodiscard]] Square least(Set set, Kind& kind) const {
    Square best = At::nowhere;
    kind = no_kind;
    int cheapest = 1000;
    while (set != 0) {
      const Square square = take_first(set);
      const Kind here = this->pieces().kind_at(square);
      if (prize(here) >= cheapest) continue;
      cheapest = prize(here);
      best = square;
      kind = here;
    }
    return best;
  }
};

template <class Board>
bool Searched<Board>::loses_material(Move move) const {
  if (Plain::is_drop(move)) return false;
  const Men& men = this->pieces();
  const Square to = Plain::to_of(move);
  const Square from = Plain::from_of(move);
  const Kind moved = men.kind_at(from);
  Kind standing = Plain::promotes(move) ? promoted(moved) : moved;
  int won = prize(men.kind_at(to)) + (prize(standing) - prize(moved)) / 2;
  if (won >= prize(standing)) return false;  // even if it is taken for nothing
  // won: the balance for the side that took last, were it to end here. A side may stop.
  Set occupied = men.occupied() & ~At::bit(from);
  Colour side = other(this->colour());
  std::array<int, 40> balance;
  std::size_t depth = 0;
  balance[0] = won;
  while (depth + 1 < balance.size()) {
    Kind taker;
    const Set all = attackers(side, to, occupied);
    if (all == 0) break;
    const Square at = least(all, taker);
    if (taker == king && attackers(other(side), to, occupied & ~At::bit(at)) != 0) break;
    ++depth;
    balance[depth] = prize(standing) - balance[depth - 1];
    if (balance[depth] < 0 && -balance[depth - 1] < 0) break;  // neither side would go on
    standing = taker;
    occupied &= ~At::bit(at);
    side = other(side);
  }
  for (; depth > 0; --depth) {
    balance[depth - 1] = -std::max(-balance[depth - 1], balance[depth]);
  }
  return balance[0] < 0;
}

}  // namespace tempo::shogi

static_assert(tempo::Game<tempo::shogi::Searched<tempo::shogi::Full>>);
static_assert(tempo::OrderedTogether<tempo::shogi::Searched<tempo::shogi::Full>>);
static_assert(tempo::Noisy<tempo::shogi::Searched<tempo::shogi::Full>>);
