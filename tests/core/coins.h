// A game for tests of valued moves: coins lie in a row, two seats take one each in turn, and a coin
// is worth its number to the player who takes it. Nobody wins; what counts is what was taken.
#pragma once

#include <array>
#include <bit>
#include <optional>
#include <string>
#include <string_view>

#include "errors.h"
#include "game.h"
#include "search/move_values.h"

namespace tempo::coins {

struct Options {
  friend bool operator==(const Options&, const Options&) = default;
};

class Position {
 public:
  static constexpr int coins = 6;
  using Options = coins::Options;
  using Moves = MoveList<coins>;

  static constexpr std::string_view name = "coins";
  static constexpr std::string_view rules_version = "1";
  static constexpr std::string_view summary = "take what is worth most";
  static constexpr int seats = 2;
  static std::string_view seat_name(Seat seat) { return index(seat) == 0 ? "first" : "second"; }
  static constexpr Team team_of(Seat seat) { return Team{static_cast<std::uint8_t>(seat)}; }
  static int move_numbers(const Options&) { return coins; }
  static int length_bound(const Options&) { return coins; }

  static Position start(const Options&) { return {}; }
  [[nodiscard]] Options options() const { return {}; }
  [[nodiscard]] Seat turn() const {
    return Seat{static_cast<std::uint8_t>((coins - std::popcount(left_)) % 2)};
  }
  void legal_moves(Moves& moves) const {
    moves.clear();
    for (int i = 0; i < coins; ++i) {
      const auto move = Move{static_cast<std::uint16_t>(i)};
      if (is_legal(move)) moves.push(move);
    }
  }
  [[nodiscard]] bool is_legal(Move move) const {
    return index(move) < coins && (left_ >> index(move) & 1U) != 0;
  }
  void play(Move move) { left_ &= ~(1U << index(move)); }
  [[nodiscard]] std::optional<Outcome> outcome() const {
    return left_ == 0 ? std::optional(Outcome{"no coins are left", {}}) : std::nullopt;
  }
  [[nodiscard]] std::uint64_t key() const { return split_mix(left_); }
  [[nodiscard]] std::uint64_t scratch_key() const { return key(); }
  [[nodiscard]] std::string check() const { return {}; }
  [[nodiscard]] std::string text() const { return std::to_string(left_); }
  static Position parse(std::string_view text, const Options&) {
    Position position;
    position.left_ = static_cast<unsigned>(std::stoi(std::string(text)));
    return position;
  }
  [[nodiscard]] std::string move_text(Move move) const { return std::to_string(index(move)); }
  [[nodiscard]] Move parse_move(std::string_view text) const {
    return Move{static_cast<std::uint16_t>(std::stoi(std::string(text)))};
  }
  [[nodiscard]] std::string why_illegal(Move move) const {
    return is_legal(move) ? "" : "that coin is taken";
  }
  [[nodiscard]] std::string board() const { return text(); }
  friend bool operator==(const Position&, const Position&) = default;

 private:
  unsigned left_ = (1U << coins) - 1;  // a bit for each coin
};

}  // namespace tempo::coins

template <>
struct tempo::MoveValues<tempo::coins::Position> {
  static constexpr double won = 10;
  static double play(coins::Position& position, Move move) {
    position.play(move);
    return index(move);
  }
};
