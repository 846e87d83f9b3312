// The terms of the evaluation of shogi: material, hands, where pieces stand (on the board, seen
// from their own king and from the other), and what is attacked around the kings. Every term is
// what the mover has less what the other has, each seen from its own side and mirrored onto one
// wing, so that both sides and both wings share one weight.
//
// A position has some hundred and fifty of these terms out of almost two thousand: they are visited
// one by one (`each`), and nobody who only wants their sum writes them all down.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "../../nets/linear.h"
#include "evaluation.h"

namespace tempo {

namespace shogi {
template <class Board>
class Searched;  // a plain position to its terms (searched.h)
}  // namespace shogi

template <class Board>
struct Terms<shogi::PositionOf<Board>>
    : VisitedTerms<Terms<shogi::PositionOf<Board>>, shogi::PositionOf<Board>> {
  using P = shogi::PositionOf<Board>;
  using Square = shogi::Square;
  using Colour = shogi::Colour;
  using At = shogi::Grid<Board>;
  using Set = typename Board::Set;

  static constexpr int kinds = shogi::all_kinds;
  static constexpr int reach = std::min(Board::size - 1, 4);  // distances beyond count as this
  static constexpr int held = 6;                              // pieces of a kind in hand, likewise
  static constexpr int around = 8;                            // squares next to a king

  // Where each group of terms begins.
  static constexpr int spots = (reach + 1) * (2 * reach + 1);  // seen from a king
  static constexpr int files = (Board::size + 1) / 2;          // on one wing
  static constexpr int places = Board::size * files;
  static constexpr int material = 1;
  static constexpr int hand = material + kinds;
  static constexpr int place = hand + shogi::hand_kinds * held;
  static constexpr int own_king = place + kinds * places;
  static constexpr int other_king = own_king + kinds * spots;
  static constexpr int hits = other_king + kinds * spots;
  static constexpr int holes = hits + around;
  static constexpr int flights = holes + around;
  static constexpr int count = flights + around;

  static constexpr float half = 8.0F;  // pawns: a bishop
  // Terms of where a piece stands are this small, so that learners that step equally far along
  // every term learn what pieces are worth before they learn where each belongs.
  static constexpr float fine = 0.125F;

  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

  static const inline std::vector<std::string> names = [] {
    const auto number = [](int n) { return std::to_string(n); };
    std::vector<std::string> all(count);
    all[0] = "turn";
    for (int k = 0; k < kinds; ++k) {
      const std::string kind(shogi::kind_name(static_cast<shogi::Kind>(k)));
      all[at(material + k)] = kind;
      for (int i = 0; k < shogi::hand_kinds && i < held; ++i) {
        all[at(hand + k * held + i)] = kind + " in hand, " + number(i + 1);
      }
      for (int i = 0; i < places; ++i) {
        all[at(place + k * places + i)] = kind + " on rank " + number(i / files + 1) + ", file " +
                                          number(i % files + 1) + " from the edge";
      }
      for (int i = 0; i < spots; ++i) {
        const std::string spot =
            number(reach - i / (reach + 1)) + " ahead, " + number(i % (reach + 1)) + " aside of ";
        all[at(own_king + k * spots + i)] = kind + " " + spot + "the own king";
        all[at(other_king + k * spots + i)] = kind + " " + spot + "the other king";
      }
    }
    for (int i = 0; i < around; ++i) {
      const std::string squares = number(i + 1) + " squares next to the other king ";
      all[at(hits + i)] = squares + "attacked";
      all[at(holes + i)] = squares + "attacked and not guarded";
      all[at(flights + i)] = squares + "free to fly to";
    }
    return all;
  }();

  // A count of material and nothing else.
  static const inline std::vector<float> hand_tuned = [] {
    std::vector<float> all(count);
    for (int k = 0; k < kinds; ++k) {
      all[at(material + k)] = static_cast<float>(shogi::worth::on_board[at(k)]) / 100;
      for (int i = 0; k < shogi::hand_kinds && i < held; ++i) {
        all[at(hand + k * held + i)] = static_cast<float>(shogi::worth::in_hand[at(k)]) / 100;
      }
    }
    return all;
  }();

  // Calls `term(number, value)` for every term that the position has; what is named twice adds up.
  template <class Term>
  static void each(const P& position, const Term& term) {
    const auto& men = position.pieces();
    const Colour us = position.colour();
    term(0, 1.0F);
    for (int k = 0; k < shogi::hand_kinds; ++k) {
      hold(k, men.hands[us][k], 1.0F, term);
      hold(k, men.hands[shogi::other(us)][k], -1.0F, term);
    }
    if (us == shogi::black) {
      side<shogi::black>(men, 1.0F, term);
      side<shogi::white>(men, -1.0F, term);
    } else {
      side<shogi::white>(men, 1.0F, term);
      side<shogi::black>(men, -1.0F, term);
    }
    kings(men, us, term);
  }

 private:
  // Squares as a side sees them, its own camp at the bottom.
  template <Colour side>
  static constexpr Square seen(Square square) {
    return side == shogi::black ? square : At::squares - 1 - square;
  }

  static constexpr auto place_of = [] {
    std::array<std::uint8_t, at(At::squares)> all{};
    for (Square s = 0; s < At::squares; ++s) {
      const int file = std::min(At::column_of(s), Board::size - 1 - At::column_of(s));
      all[at(s)] = static_cast<std::uint8_t>(At::rank_of(s) * files + file);
    }
    return all;
  }();
  static constexpr auto spot_of = [] {  // [king][square]
    std::array<std::array<std::uint8_t, at(At::squares)>, at(At::squares)> all{};
    for (Square k = 0; k < At::squares; ++k) {
      for (Square s = 0; s < At::squares; ++s) {
        const int aside = At::column_of(s) - At::column_of(k);
        const int below = std::clamp(At::rank_of(s) - At::rank_of(k), -reach, reach);
        const int away = std::min(aside < 0 ? -aside : aside, reach);
        all[at(k)][at(s)] = static_cast<std::uint8_t>((below + reach) * (reach + 1) + away);
      }
    }
    return all;
  }();

  template <class Term>
  static void hold(int kind, int number, float sign, const Term& term) {
    for (int i = 0; i < number; ++i) term(hand + kind * held + std::min(i, held - 1), sign);
  }

  template <Colour us, class Term>
  static void side(const shogi::Pieces<Board>& men, float sign, const Term& term) {
    const Square own = seen<us>(men.king_of(us));
    const Square theirs = seen<us>(men.king_of(shogi::other(us)));
    const auto& from_own = spot_of[at(own)];
    const auto& from_theirs = spot_of[at(theirs)];
    term(place + shogi::king * places + place_of[at(own)], sign * fine);
    term(other_king + shogi::king * spots + from_theirs[at(own)], sign * fine);
    const auto pieces = [&](int kind, Set set) {
      while (set != 0) {
        const auto s = at(seen<us>(shogi::take_first(set)));
        term(material + kind, sign);
        term(place + kind * places + place_of[s], sign * fine);
        term(own_king + kind * spots + from_own[s], sign * fine);
        term(other_king + kind * spots + from_theirs[s], sign * fine);
      }
    };
    for (int k = 0; k < shogi::hand_kinds; ++k) {
      const auto kind = static_cast<shogi::Kind>(k);
      const Set all = men.kinds[k] & men.sides[us];
      pieces(k, all & ~men.promoted);
      if (shogi::can_promote(kind)) pieces(shogi::promoted(kind), all & men.promoted);
    }
  }

  // What is attacked next to each king by anything but the other king, what of that nothing but
  // the king himself guards, and where he could go.
  template <class Term>
  static void kings(const shogi::Pieces<Board>& men, Colour us, const Term& term) {
    using Reach = shogi::Attacks<Board>;
    shogi::Pieces<Board> kingless = men;
    kingless.kings[0] = kingless.kings[1] = At::nowhere;
    const Set occupied = men.occupied();
    const std::array<Set, 2> attacked = {
        Reach::template attacked<shogi::black>(kingless, occupied),
        Reach::template attacked<shogi::white>(kingless, occupied)};
    for (const Colour by : {shogi::black, shogi::white}) {
      const Colour of = shogi::other(by);
      const float sign = by == us ? 1.0F : -1.0F;
      const Set next = Reach::king(men.king_of(of));
      const Set hit = next & attacked[at(by)];
      const auto steps = [&](int first, int number) {
        for (int i = 0; i < number; ++i) term(first + i, sign);
      };
      steps(hits, shogi::count(hit));
      steps(holes, shogi::count(hit & ~attacked[at(of)]));
      steps(flights, shogi::count(next & ~attacked[at(by)] & ~men.sides[of]));
    }
  }
};

template <class Board>
struct Terms<shogi::Searched<Board>> : Terms<shogi::PositionOf<Board>> {};

}  // namespace tempo
