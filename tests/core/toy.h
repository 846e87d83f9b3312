// Quarrel, a toy that no one plays: four seats in two teams, hidden ranks, turns of two moves, a
// dealt start. It exists so that the concepts of core/game.h are proven before a real game needs
// them, and it is small enough to be solved by brute force in the tests.
//
// Each seat holds `tokens` tokens whose ranks are a secret permutation of 1..tokens. A turn is two
// moves of one seat: choose an own token, then challenge a token of the other team. The lower rank
// dies, equal ranks both die; everyone sees who died, nobody sees a rank. Seats without tokens are
// skipped. The game ends when a team has no tokens left (+1, -1, or 0 for both), or after `turns`
// fights, with the difference of the counts as score.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "errors.h"
#include "game.h"

namespace tempo::toy {

struct Options {
  std::int16_t tokens = 3;
  std::int16_t turns = 11;  // every fight kills, so eleven fights end any game

  static constexpr std::array<OptionField<Options>, 2> fields() {
    return {{{"tokens", "tokens of each seat", &Options::tokens, 1, 3},
             {"turns", "fights until the tokens are counted", &Options::turns, 1, 11}}};
  }
  friend bool operator==(const Options&, const Options&) = default;
};

// A token is a number: seat * 3 + slot. Move numbers 0 to 2 choose an own slot; 3 + token
// challenges that token.
inline constexpr int slots = 3;
inline constexpr int all_tokens = 4 * slots;
inline constexpr std::int8_t none = -1;
inline constexpr std::string_view seat_letters = "nesw";

constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }
constexpr int seat_of(int token) { return token / slots; }
constexpr bool opposed(int token, int other) { return (seat_of(token) ^ seat_of(other)) & 1; }
inline std::string token_text(int token) {
  return std::string(1, seat_letters[at(seat_of(token))]) + std::to_string(token % slots + 1);
}

using Moves = MoveList<3 * slots>;
// By token; 0 where the rank is unknown or the options leave the slot unused.
using Ranks = std::array<std::int8_t, all_tokens>;

// What everyone sees: who died in a fight with whom, whose turn it is, which token it has chosen.
// The past needs no more than that, because a token dies once: foe[t] is the token that t met in
// the fight that killed it, and two tokens that died together are each other's foe.
class PublicState {
 public:
  explicit PublicState(const Options& options) : options_(options) { foe_.fill(none); }

  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] Seat turn() const { return Seat{static_cast<std::uint8_t>(turn_)}; }
  [[nodiscard]] int chosen() const { return chosen_; }  // a token, or none
  [[nodiscard]] int foe(int token) const { return foe_[at(token)]; }
  [[nodiscard]] bool exists(int token) const { return token % slots < options_.tokens; }
  [[nodiscard]] bool alive(int token) const { return exists(token) && foe(token) == none; }
  [[nodiscard]] bool died_together(int token) const {
    return foe(token) != none && foe(foe(token)) == token;
  }
  [[nodiscard]] int count(int seat) const {
    int tokens = 0;
    for (int slot = 0; slot < slots; ++slot) tokens += alive(seat * slots + slot);
    return tokens;
  }
  // A fight kills one token or two, so the dead tell how many there were.
  [[nodiscard]] int fights() const {
    int twice = 0;
    for (int t = 0; t < all_tokens; ++t)
      if (foe(t) != none) twice += died_together(t) ? 1 : 2;
    return twice / 2;
  }

  [[nodiscard]] std::optional<Outcome> outcome() const {
    const int north_south = count(0) + count(2);
    const int east_west = count(1) + count(3);
    if (north_south == 0 && east_west == 0) return Outcome{"nobody left", {}};
    if (north_south == 0) return Outcome{"team eliminated", scores(-1.0F)};
    if (east_west == 0) return Outcome{"team eliminated", scores(1.0F)};
    if (fights() < options_.turns) return std::nullopt;
    const auto difference = static_cast<float>(north_south - east_west);
    return Outcome{"turns spent", scores(difference / static_cast<float>(2 * options_.tokens))};
  }

  void legal_moves(Moves& moves) const {
    moves.clear();
    if (outcome()) return;
    for (int number = 0; number < slots + all_tokens; ++number)
      if (why_not(number).empty()) moves.push(Move{static_cast<std::uint16_t>(number)});
  }
  [[nodiscard]] std::string why_illegal(Move move) const {
    if (outcome()) return "the game is over";
    return std::string(why_not(index(move)));
  }

  // `move` is a choice, or a challenge whose result is `sign` = order of the two ranks.
  void play(Move move, int sign) {
    if (chosen_ == none) {
      chosen_ = static_cast<std::int8_t>(turn_ * slots + index(move));
      return;
    }
    const int target = index(move) - slots;
    if (sign <= 0) foe_[at(chosen_)] = static_cast<std::int8_t>(target);
    if (sign >= 0) foe_[at(target)] = chosen_;
    chosen_ = none;
    for (int step = 1; step <= 4; ++step) {
      const int seat = (turn_ + step) % 4;
      if (count(seat) == 0) continue;
      turn_ = static_cast<std::int8_t>(seat);
      return;
    }
  }

  // Whether ranks could have led here: every fight went to the higher one.
  [[nodiscard]] bool allows(const Ranks& ranks) const {
    for (int t = 0; t < all_tokens; ++t) {
      if (foe(t) == none) continue;
      const int gap = ranks[at(foe(t))] - ranks[at(t)];
      if (died_together(t) ? gap != 0 : gap <= 0) return false;
    }
    return true;
  }

  // Covers all of the public state, which is all that `==` compares.
  [[nodiscard]] std::uint64_t key() const {
    std::uint64_t key = bits(0, options_.tokens * 16 + options_.turns);
    for (int t = 0; t < all_tokens; ++t) key ^= bits(1 + t, foe(t));
    return key ^ bits(13, turn_) ^ bits(14, chosen_);
  }
  static std::uint64_t bits(int what, int value) {
    return split_mix(static_cast<std::uint64_t>(what * 1024 + value + 1) << 20);
  }

  [[nodiscard]] PublicState half_turn() const {
    PublicState turned = *this;
    for (int t = 0; t < all_tokens; ++t)
      turned.foe_[at(opposite(t))] = foe(t) == none ? none : opposite(foe(t));
    turned.turn_ = static_cast<std::int8_t>((turn_ + 2) % 4);
    turned.chosen_ = chosen_ == none ? none : opposite(chosen_);
    return turned;
  }
  static constexpr std::int8_t opposite(int token) {
    return static_cast<std::int8_t>((token + 2 * slots) % all_tokens);
  }

  // "12xe13/123/123/123 e 2": by seat the ranks ('?' where hidden), after a dead token 'x' and its
  // foe; the seat to move; the slot it has chosen, or '-'.
  [[nodiscard]] std::string text(const Ranks& ranks) const {
    std::string text;
    for (int t = 0; t < all_tokens; ++t) {
      if (t > 0 && t % slots == 0) text += '/';
      if (!exists(t)) continue;
      text += ranks[at(t)] == 0 ? '?' : static_cast<char>('0' + ranks[at(t)]);
      if (foe(t) != none) text += "x" + token_text(foe(t));
    }
    text += std::string(" ") + seat_letters[at(turn_)] + " ";
    return text + (chosen_ == none ? "-" : std::to_string(chosen_ % slots + 1));
  }
  void read(std::string_view text, Ranks& ranks);
  [[nodiscard]] std::string check(const Ranks& ranks) const;

  [[nodiscard]] std::string board(const Ranks& ranks) const {
    std::string lines;
    for (int seat = 0; seat < 4; ++seat) {
      lines += std::string(seat == turn_ ? "> " : "  ") + seat_letters[at(seat)];
      for (int t = seat * slots; t < (seat + 1) * slots; ++t) {
        if (!exists(t)) continue;
        const char rank = ranks[at(t)] == 0 ? '?' : static_cast<char>('0' + ranks[at(t)]);
        lines += std::string(t == chosen_ ? " *" : " ") + (alive(t) ? rank : 'x');
      }
      lines += '\n';
    }
    return lines;
  }

  friend bool operator==(const PublicState&, const PublicState&) = default;

 private:
  [[nodiscard]] static Scores scores(float north_south) {
    return {north_south, -north_south, north_south, -north_south};
  }
  [[nodiscard]] std::string_view why_not(int number) const {
    if (number >= slots + all_tokens) return "there is no such move; moves are 0 to 14";
    if (chosen_ == none) {
      if (number >= slots) return "first choose an own token";
      return alive(turn_ * slots + number) ? "" : "that token is not there any more";
    }
    if (number < slots) return "a token is chosen; now challenge one of the other team";
    const int target = number - slots;
    if (!opposed(target, chosen_)) return "that token is of the same team";
    return alive(target) ? "" : "that token is not there any more";
  }

  Options options_;
  std::array<std::int8_t, all_tokens> foe_{};
  std::int8_t turn_ = 0;
  std::int8_t chosen_ = none;
};

inline void PublicState::read(std::string_view text, Ranks& ranks) {
  const auto fail = [&](const std::string& what) {
    return ParseError("quarrel position '" + std::string(text) + "': " + what);
  };
  std::size_t i = 0;
  const auto next = [&] { return i < text.size() ? text[i++] : '\0'; };
  const auto token = [&]() -> std::int8_t {
    const std::size_t seat = seat_letters.find(next());
    const int slot = next() - '1';
    if (seat == std::string_view::npos || slot < 0 || slot >= options_.tokens)
      throw fail("expected a token such as e1 before character " + std::to_string(i + 1));
    return static_cast<std::int8_t>(static_cast<int>(seat) * slots + slot);
  };
  for (int t = 0; t < all_tokens; ++t) {
    if (t > 0 && t % slots == 0 && next() != '/') throw fail("expected '/' between seats");
    if (!exists(t)) continue;
    const int rank = next() - '0';
    if (rank < 1 || rank > options_.tokens)
      throw fail("expected a rank from 1 to " + std::to_string(options_.tokens) + " at character " +
                 std::to_string(i));
    ranks[at(t)] = static_cast<std::int8_t>(rank);
    if (i < text.size() && text[i] == 'x') foe_[at(t)] = (++i, token());
  }
  if (next() != ' ') throw fail("expected ' ' after the last seat");
  const std::size_t seat = seat_letters.find(next());
  if (seat == std::string_view::npos) throw fail("the seat to move is one of n, e, s, w");
  turn_ = static_cast<std::int8_t>(seat);
  if (next() != ' ') throw fail("expected ' ' after the seat to move");
  const char slot = next();
  if (slot != '-' && (slot < '1' || slot >= '1' + options_.tokens))
    throw fail("the chosen token is '-' or a slot");
  if (slot != '-') chosen_ = static_cast<std::int8_t>(turn_ * slots + slot - '1');
  if (i != text.size()) throw fail("expected nothing more after the chosen token");
}

inline std::string PublicState::check(const Ranks& ranks) const {
  for (int seat = 0; seat < 4; ++seat) {
    int held = 0;
    for (int slot = 0; slot < options_.tokens; ++slot) held |= 1 << ranks[at(seat * slots + slot)];
    if (held != (2 << options_.tokens) - 2) return "the ranks of a seat are not a permutation";
  }
  for (int t = 0; t < all_tokens; ++t)
    if (foe(t) != none && !opposed(foe(t), t)) return token_text(t) + " died by its own team";
  if (!allows(ranks)) return "a fight went to the lower rank";
  if (fights() > options_.turns) return "more fights than turns";
  if (chosen_ != none && (outcome() || !alive(chosen_))) return "the chosen token cannot fight";
  if (!outcome() && count(turn_) == 0) return "the seat to move has no tokens";
  return "";
}

// What one seat knows: the public state and its own ranks.
class View {
 public:
  View(const PublicState& state, const Ranks& ranks, Seat seat) : state_(state), seat_(seat) {
    for (int t = index(seat) * slots; t < (index(seat) + 1) * slots; ++t)
      ranks_[at(t)] = ranks[at(t)];
  }

  [[nodiscard]] const PublicState& public_state() const { return state_; }
  [[nodiscard]] const Ranks& ranks() const { return ranks_; }  // own ones; 0 elsewhere
  [[nodiscard]] Options options() const { return state_.options(); }
  [[nodiscard]] Seat seat() const { return seat_; }
  [[nodiscard]] Seat turn() const { return state_.turn(); }
  void legal_moves(Moves& moves) const {
    moves.clear();
    if (turn() == seat_) state_.legal_moves(moves);
  }
  [[nodiscard]] std::optional<Outcome> outcome() const { return state_.outcome(); }
  [[nodiscard]] std::uint64_t key() const {
    std::uint64_t key = state_.key() ^ PublicState::bits(15, index(seat_));
    for (int t = 0; t < all_tokens; ++t) key ^= PublicState::bits(16 + t, ranks_[at(t)]);
    return key;
  }
  [[nodiscard]] std::string text() const { return state_.text(ranks_); }
  [[nodiscard]] std::string board() const { return state_.board(ranks_); }
  [[nodiscard]] std::string move_text(Move move) const;

  // Every assignment of ranks that the seat cannot rule out, in one fixed order.
  template <class Visit>
  void for_each_determinization(Visit&& visit) const {
    Ranks ranks = ranks_;
    visit_from(0, ranks, visit);
  }

  friend bool operator==(const View&, const View&) = default;

 private:
  template <class Visit>
  void visit_from(int seat, Ranks& ranks, Visit& visit) const {
    if (seat == 4) {
      if (state_.allows(ranks)) visit(ranks);
      return;
    }
    if (seat == index(seat_)) return visit_from(seat + 1, ranks, visit);
    const auto first = ranks.begin() + seat * slots;
    const auto last = first + options().tokens;
    for (auto r = first; r != last; ++r) *r = static_cast<std::int8_t>(r - first + 1);
    do {
      visit_from(seat + 1, ranks, visit);
    } while (std::next_permutation(first, last));
  }

  PublicState state_;
  Ranks ranks_{};
  Seat seat_;
};

class Position {
 public:
  using Options = toy::Options;
  using Moves = toy::Moves;
  using View = toy::View;

  static constexpr std::string_view name = "quarrel";
  static constexpr std::string_view rules_version = "quarrel-rules/1.0";
  static constexpr std::string_view summary = "a toy with hidden ranks and turns of two moves";
  static constexpr int seats = 4;
  static constexpr int symmetries = 2;  // the half turn swaps partners and keeps every score

  static std::string_view seat_name(Seat seat) {
    static constexpr std::array<std::string_view, 4> names{"north", "east", "south", "west"};
    return names[at(index(seat))];
  }
  static constexpr Team team_of(Seat seat) {
    return Team{static_cast<std::uint8_t>(index(seat) & 1)};
  }
  static int move_numbers(const Options&) { return slots + all_tokens; }
  static int length_bound(const Options& options) {
    return 2 * std::min<int>(options.turns, 4 * options.tokens - 1);
  }

  static Position start(const Options& options) {
    Ranks ranks{};
    for (int t = 0; t < all_tokens; ++t)
      if (t % slots < options.tokens) ranks[at(t)] = static_cast<std::int8_t>(t % slots + 1);
    return Position(PublicState(options), ranks);
  }
  static Position deal(const Options& options, Random& random) {
    Position position = start(options);
    for (int seat = 0; seat < 4; ++seat)
      for (int n = options.tokens; n > 1; --n)
        std::swap(position.ranks_[at(seat * slots + n - 1)],
                  position.ranks_[at(seat * slots + static_cast<int>(random.below(n)))]);
    position.key_ = position.scratch_key();
    return position;
  }
  // Uniform over all the determinizations that `view` leaves open.
  static Position sample(const View& view, Random& random) {
    int determinizations = 0;
    view.for_each_determinization([&](const Ranks&) { ++determinizations; });
    int left = static_cast<int>(random.below(determinizations));
    Ranks drawn{};
    view.for_each_determinization([&](const Ranks& ranks) {
      if (left-- == 0) drawn = ranks;
    });
    return Position(view.public_state(), drawn);
  }

  [[nodiscard]] Options options() const { return state_.options(); }
  [[nodiscard]] const PublicState& public_state() const { return state_; }
  [[nodiscard]] int rank(int token) const { return ranks_[at(token)]; }
  [[nodiscard]] Seat turn() const { return state_.turn(); }
  void legal_moves(Moves& moves) const { state_.legal_moves(moves); }
  [[nodiscard]] bool is_legal(Move move) const { return why_illegal(move).empty(); }
  [[nodiscard]] std::string why_illegal(Move move) const { return state_.why_illegal(move); }
  void play(Move move) {
    assert(is_legal(move));
    const int token = state_.chosen();
    const int sign = token == none ? 0 : rank(token) - rank(index(move) - slots);
    key_ ^= state_.key();
    state_.play(move, sign);
    key_ ^= state_.key();
  }
  [[nodiscard]] std::optional<Outcome> outcome() const { return state_.outcome(); }
  [[nodiscard]] View view(Seat seat) const { return View(state_, ranks_, seat); }

  [[nodiscard]] std::uint64_t key() const { return key_; }
  [[nodiscard]] std::uint64_t scratch_key() const {
    std::uint64_t key = state_.key();
    for (int t = 0; t < all_tokens; ++t) key ^= PublicState::bits(16 + t, rank(t));
    return key;
  }
  [[nodiscard]] std::string check() const {
    if (key_ != scratch_key()) return "the key is stale";
    return state_.check(ranks_);
  }

  [[nodiscard]] std::string text() const { return state_.text(ranks_); }
  static Position parse(std::string_view text, const Options& options) {
    PublicState state(options);
    Ranks ranks{};
    state.read(text, ranks);
    Position position(state, ranks);
    if (const std::string fault = position.check(); !fault.empty())
      throw ParseError("quarrel position '" + std::string(text) + "': " + fault);
    return position;
  }
  // "2" chooses the own token in slot 2; "xe1" challenges east's first token.
  [[nodiscard]] std::string move_text(Move move) const {
    if (index(move) < slots) return std::to_string(index(move) + 1);
    return "x" + token_text(index(move) - slots);
  }
  [[nodiscard]] Move parse_move(std::string_view text) const {
    for (int number = 0; number < slots + all_tokens; ++number) {
      const auto move = Move{static_cast<std::uint16_t>(number)};
      if (move_text(move) != text) continue;
      if (const std::string why = why_illegal(move); !why.empty())
        throw IllegalMove(std::string(text) + ": " + why + " (quarrel)");
      return move;
    }
    throw ParseError("quarrel move '" + std::string(text) + "'; write a slot (2) or xe1");
  }
  [[nodiscard]] std::string board() const { return state_.board(ranks_); }

  [[nodiscard]] Position transformed(int symmetry) const {
    if (symmetry == 0) return *this;
    Ranks turned{};
    for (int t = 0; t < all_tokens; ++t) turned[at(PublicState::opposite(t))] = ranks_[at(t)];
    return Position(state_.half_turn(), turned);
  }
  [[nodiscard]] Move transformed_move(Move move, int symmetry) const {
    if (symmetry == 0 || index(move) < slots) return move;
    return Move{static_cast<std::uint16_t>(slots + PublicState::opposite(index(move) - slots))};
  }

  friend bool operator==(const Position&, const Position&) = default;

 private:
  Position(const PublicState& state, const Ranks& ranks) : state_(state), ranks_(ranks) {
    key_ = scratch_key();
  }

  PublicState state_;
  Ranks ranks_;
  std::uint64_t key_ = 0;
};

inline std::string View::move_text(Move move) const {
  return Position::start(options()).move_text(move);
}

// What team 0 gets when every seat sees everything and plays best, by trying everything.
using Solved = std::map<std::uint64_t, float>;
inline float solve(const Position& position, Solved& solved) {
  if (const auto outcome = position.outcome()) return outcome->scores[0];
  if (const auto known = solved.find(position.key()); known != solved.end()) return known->second;
  const bool first_team = index(Position::team_of(position.turn())) == 0;
  float best = first_team ? -2.0F : 2.0F;
  Moves moves;
  position.legal_moves(moves);
  for (const Move move : moves) {
    Position next = position;
    next.play(move);
    const float value = solve(next, solved);
    best = first_team ? std::max(best, value) : std::min(best, value);
  }
  return solved[position.key()] = best;
}

static_assert(Game<Position> && Hidden<Position> && Dealt<Position> && Symmetric<Position>);

}  // namespace tempo::toy
