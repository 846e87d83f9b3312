// A static evaluation of shogi: material alone, in whole hundredths of a pawn. The numbers are
// ours, set by hand and not tuned; a piece in hand is worth a little more than on the board,
// because it may come down anywhere.
#pragma once

#include <array>
#include <span>

#include "../../evaluator.h"
#include "rules.h"

namespace tempo::shogi {

namespace worth {

// In the order of the kinds: pawn to king, then the promoted ones.
inline constexpr std::array<int, all_kinds> on_board = {100, 300, 350, 500, 550, 800,  1000,
                                                        0,   450, 450, 480, 530, 1050, 1300};
inline constexpr std::array<int, hand_kinds> in_hand = {115, 330, 380, 540, 600, 900, 1100};

}  // namespace worth

template <class Board>
class StaticEvaluator {
 public:
  static constexpr bool prefers_batches = false;

  // In hundredths of a pawn, for the side to move.
  static int advantage(const PositionOf<Board>& position) {
    const auto& men = position.pieces();
    int sum = 0;
    for (std::size_t kind = 0; kind < hand_kinds; ++kind) {
      const auto plain = men.kinds[kind] & ~men.promoted;
      const auto great = men.kinds[kind] & men.promoted;
      sum += worth::on_board[kind] * balance(men, plain);
      if (can_promote(static_cast<Kind>(kind))) {
        const auto now = static_cast<std::size_t>(promoted(static_cast<Kind>(kind)));
        sum += worth::on_board[now] * balance(men, great);
      }
      sum += worth::in_hand[kind] * (men.hands[black][kind] - men.hands[white][kind]);
    }
    return position.colour() == black ? sum : -sum;
  }

  // 800 hundredths, a bishop, are half a win.
  void operator()(std::span<const PositionOf<Board>> positions, std::span<Scores> values) const {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const float mover = squash(advantage(positions[i]), 800);
      values[i] = team_scores<PositionOf<Board>>(positions[i].colour() == black ? mover : -mover);
    }
  }

 private:
  static int balance(const Pieces<Board>& men, typename Board::Set set) {
    return count(set & men.sides[black]) - count(set & men.sides[white]);
  }
};

}  // namespace tempo::shogi

template <class Board>
struct tempo::StaticEvaluatorOf<tempo::shogi::PositionOf<Board>>
    : std::type_identity<tempo::shogi::StaticEvaluator<Board>> {};
