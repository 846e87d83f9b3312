// The single Position that Python holds: the pure position with the past its rules need.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../game.h"
#include "guard.h"

namespace tempo::bind {

// What a seat is called, which may depend on the options.
template <Game P>
std::string_view seat_name(const typename P::Options& options, Seat seat) {
  if constexpr (requires { P::seat_name(options, seat); }) {
    return P::seat_name(options, seat);
  } else {
    return P::seat_name(seat);
  }
}

// The legal moves of a position, listed only when somebody wants more than their number or, where
// the game can say it at once, the n-th of them: a loop that plays random moves never pays for the
// list.
template <Game P>
class LegalMoves {
 public:
  LegalMoves(const P& position, bool none) : position_(position), none_(none) {}

  [[nodiscard]] const P& position() const { return position_; }
  [[nodiscard]] int size() const {
    if constexpr (QuickNth<P>) {
      if (!list_) return none_ ? 0 : position_.count_moves();
    }
    return list().size();
  }
  [[nodiscard]] Move operator[](int i) const {
    if constexpr (QuickNth<P>) {
      if (!list_) return position_.nth_move(i);
    }
    return list()[i];
  }
  [[nodiscard]] const typename P::Moves& list() const {
    if (!list_) {
      list_ = std::make_unique<typename P::Moves>();
      if (!none_) position_.legal_moves(*list_);
    }
    return *list_;
  }

 private:
  P position_;
  bool none_;                                        // the past has ended the game
  mutable std::unique_ptr<typename P::Moves> list_;  // small until it is needed
};

template <Game P>
struct Played {
  P position;
  History past;

  [[nodiscard]] std::optional<Outcome> outcome() const { return tempo::outcome(position, past); }

  [[nodiscard]] bool over_by_past() const {
    if constexpr (Remembers<P>) {
      return position.outcome_by_past(past).has_value();
    } else {
      return false;
    }
  }

  [[nodiscard]] bool is_over() const {
    if constexpr (QuickCount<P>) {
      return position.count_moves() == 0 || over_by_past();
    } else {
      return outcome().has_value();
    }
  }

  [[nodiscard]] LegalMoves<P> legal_moves() const { return {position, over_by_past()}; }

  [[nodiscard]] bool is_legal(Move move) const {
    return position.is_legal(move) && !over_by_past();
  }

  void require_legal(Move move) const {
    if (!position.is_legal(move)) throw IllegalMove(position.why_illegal(move));
    if (over_by_past()) {
      throw IllegalMove("the game is over: " + std::string(outcome()->reason) + " (" +
                        std::string(P::name) + ")");
    }
  }
};

// Text from outside, refused unless it is plain ASCII: no game's notation has anything else, and
// half a letter quoted in an error message could not be shown.
std::string_view plain(const Text& given);

// A number from outside as a Move that the rules may be asked about, at a position or a view.
[[noreturn]] void no_such_move(std::int64_t move, int numbers, std::string_view game);
template <Game P, class Place>
Move checked_move(const Place& place, std::int64_t move) {
  const int numbers = P::move_numbers(place.options());
  if (move >= 0 && move < numbers) return static_cast<Move>(move);
  no_such_move(move, numbers, P::name);
}

}  // namespace tempo::bind
