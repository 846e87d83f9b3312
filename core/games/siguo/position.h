// A moment of Siguo, whole (Position) and as one seat may know it (View).
#pragma once

#include "public_state.h"
#include "setups.h"

namespace tempo::siguo {

class View;

class Position {
 public:
  using Options = siguo::Options;
  using Moves = siguo::Moves;
  using View = siguo::View;

  static constexpr std::string_view name = "siguo";
  static constexpr std::string_view rules_version = "siguo-rules/1.0";
  static constexpr std::string_view summary =
      "four-player military chess: two teams, hidden ranks, take the flags";
  static constexpr int seats = 4;
  static constexpr int symmetries = 2;  // the half turn swaps partners and keeps every score

  static std::string_view seat_name(Seat seat) {
    static constexpr std::array<std::string_view, 4> names{"south", "east", "north", "west"};
    return names[at(tempo::index(seat))];
  }
  static constexpr Team team_of(Seat seat) {
    return Team{static_cast<std::uint8_t>(tempo::index(seat) & 1)};
  }
  static int move_numbers(const Options& options) {
    return pass_number + (options.pass_limit > 0 ? 1 : 0);
  }
  static int length_bound(const Options& options) { return options.max_plies; }

  static Position start(const Options& options);
  static Position deal(const Options& options, Random& random);
  static Position of_deployments(const Options& options, const Kinds& kinds_of) {
    return {PublicState(options), kinds_of};
  }
  // A determinization of the view, each as likely as the next (determinizations.h).
  static Position sample(const View& view, Random& random);
  // The view with kinds that fit it, such as Determinizations draws, for many of one view.
  static Position of_view(const View& view, const Kinds& kinds_of);

  [[nodiscard]] const PublicState& public_state() const { return state_; }
  [[nodiscard]] const Options& options() const { return state_.options(); }
  [[nodiscard]] const Kinds& all_kinds() const { return kinds_; }
  [[nodiscard]] Kind kind(int piece) const { return kinds_[at(piece)]; }
  [[nodiscard]] Seat turn() const { return Seat{static_cast<std::uint8_t>(state_.turn())}; }
  [[nodiscard]] std::optional<Outcome> outcome() const { return state_.outcome(); }
  [[nodiscard]] View view(Seat seat) const;

  void legal_moves(Moves& moves) const;
  [[nodiscard]] int count_moves() const;
  [[nodiscard]] Move nth_move(int n) const;
  [[nodiscard]] Move random_move(Random& random) const;
  [[nodiscard]] bool has_move(int seat) const;  // a piece to move; passing does not count
  [[nodiscard]] bool is_legal(Move move) const { return fault(move) == nullptr; }
  [[nodiscard]] std::string why_illegal(Move move) const;
  void play(Move move);
  // At the table and out of turn: a seat gives up (or its clock has run out).
  void resign(Seat seat);

  // `key` covers all but the options.
  [[nodiscard]] std::uint64_t key() const { return state_.key() ^ kinds_key_; }
  [[nodiscard]] std::uint64_t scratch_key() const { return Position(state_, kinds_).key(); }
  [[nodiscard]] std::string check() const;

  [[nodiscard]] std::string text() const { return state_.text(kinds_); }
  static Position parse(std::string_view text, const Options& options);
  [[nodiscard]] std::string move_text(Move move) const { return state_.move_text(move); }
  // The move with its result and notes, as records have it: S51xW55- !S62.
  [[nodiscard]] std::string noted_text(Move move) const;
  [[nodiscard]] Move parse_move(std::string_view text) const;
  [[nodiscard]] std::string board() const { return state_.board_text(kinds_); }

  [[nodiscard]] Position transformed(int symmetry) const {
    if (symmetry == 0) return *this;
    Kinds turned{};
    for (int piece = 0; piece < pieces; ++piece)
      turned[at((piece + 2 * slots) % pieces)] = kinds_[at(piece)];
    return {state_.half_turn(), turned};
  }
  [[nodiscard]] Move transformed_move(Move move, int symmetry) const {
    if (symmetry == 0 || move == pass_move) return move;
    return move_of(turned(from_of(move), 2), turned(to_of(move), 2));
  }

  friend bool operator==(const Position&, const Position&) = default;

 private:
  Position(const PublicState& state, const Kinds& kinds_of) : state_(state), kinds_(kinds_of) {
    state_.settle();
    for (int i = 0; i < pieces; ++i)
      kinds_key_ ^= split_mix(static_cast<std::uint64_t>(1000 + i) << 8 | kinds_[at(i)]);
  }

  [[nodiscard]] bool can_move(int piece, int station) const {
    return (movable & set_of(kinds_[at(piece)])) != 0 && !headquarters_of(options()).has(station);
  }
  // Visits every piece of a seat that may move and its targets, until told to stop.
  template <class Visit>
  void each_mover(int seat, Visit&& visit) const;
  [[nodiscard]] const char* fault(Move move) const;  // null when legal
  int attack(int attacker, int defender, int to);
  void pass_on(int from_seat);
  void put_out(int seat, End end);
  void put_out_stuck(int seat);
  [[nodiscard]] int flag_station(int seat) const;

  PublicState state_;
  Kinds kinds_;
  std::uint64_t kinds_key_ = 0;
};

// All that a seat may know: the public state, its own kinds, and those that the options open to it.
class View {
 public:
  View(const PublicState& state, const Kinds& kinds_of, Seat seat);

  [[nodiscard]] const PublicState& public_state() const { return state_; }
  [[nodiscard]] const Kinds& all_kinds() const { return kinds_; }  // Unknown where hidden
  [[nodiscard]] Kind kind(int piece) const { return kinds_[at(piece)]; }
  [[nodiscard]] const Options& options() const { return state_.options(); }
  [[nodiscard]] Seat seat() const { return seat_; }
  [[nodiscard]] Seat turn() const { return Seat{static_cast<std::uint8_t>(state_.turn())}; }
  [[nodiscard]] std::optional<Outcome> outcome() const { return state_.outcome(); }
  void legal_moves(Moves& moves) const;
  [[nodiscard]] std::uint64_t key() const {
    std::uint64_t key = state_.key() ^ split_mix(static_cast<std::uint64_t>(tempo::index(seat_)));
    for (int i = 0; i < pieces; ++i)
      key ^= split_mix(static_cast<std::uint64_t>(2000 + i) << 8 | kinds_[at(i)]);
    return key;
  }
  [[nodiscard]] std::string text() const { return state_.text(kinds_); }
  [[nodiscard]] std::string board() const { return state_.board_text(kinds_); }
  [[nodiscard]] std::string move_text(Move move) const { return state_.move_text(move); }

  friend bool operator==(const View&, const View&) = default;

 private:
  [[nodiscard]] bool may_know(int piece) const;

  PublicState state_;
  Kinds kinds_;
  Seat seat_;
};

inline Position Position::start(const Options& options) {
  Kinds kinds_of{};
  for (int seat = 0; seat < 4; ++seat) {
    const Deployment own = read_deployment(sound_deployments[seat % 2]);
    std::copy(own.begin(), own.end(), kinds_of.begin() + slots * seat);
  }
  return of_deployments(options, kinds_of);
}

inline Position Position::deal(const Options& options, Random& random) {
  Kinds kinds_of{};
  const bool one = options.one_headquarters();
  const auto draw = [&] {
    const auto from = static_cast<Deal>(options.deal);
    if (from == Deal::Learned) return draw_learned(one, random);
    if (from == Deal::Uniform || one) return draw_deployment(one, random);
    return read_deployment(
        sound_deployments[random.below(static_cast<int>(std::size(sound_deployments)))]);
  };
  for (int seat = 0; seat < 4; ++seat) {
    const Deployment own = draw();
    std::copy(own.begin(), own.end(), kinds_of.begin() + slots * seat);
  }
  return of_deployments(options, kinds_of);
}

inline Position Position::of_view(const View& view, const Kinds& kinds_of) {
  return {view.public_state(), kinds_of};
}

inline View Position::view(Seat seat) const { return {state_, kinds_, seat}; }

inline View::View(const PublicState& state, const Kinds& kinds_of, Seat seat)
    : state_(state), kinds_(kinds_of), seat_(seat) {
  for (int piece = 0; piece < pieces; ++piece)
    if (!may_know(piece)) kinds_[at(piece)] = Unknown;
}

inline bool View::may_know(int piece) const {
  const int own = tempo::index(seat_);
  const int owner = seat_of(piece);
  const auto info = static_cast<Info>(options().info);
  if (owner == own || info == Info::AllOpen) return true;
  if (info == Info::DoubleOpen && owner == (own ^ 2)) return true;
  const auto shown = static_cast<BattleReveal>(options().battle_reveal);
  if (shown == BattleReveal::None) return false;
  const auto counts = [&](int one, int other) {
    return state_.foe(one) == other &&
           (shown == BattleReveal::Everyone || seat_of(one) == own || seat_of(other) == own);
  };
  for (int other = 0; other < pieces; ++other)
    if (counts(piece, other) || counts(other, piece)) return true;
  return false;
}

inline void View::legal_moves(Moves& moves) const {
  moves.clear();
  if (turn() != seat_ || state_.end() != End::None) return;
  const Set open = state_.open_to(tempo::index(seat_));
  (state_.stations_of(tempo::index(seat_)) - headquarters_of(options())).each([&](int from) {
    const Kind own = kinds_[at(state_.occupant(from))];
    if ((movable & set_of(own)) == 0) return;
    state_.targets(from, own, open).each([&](int to) { moves.push(move_of(from, to)); });
  });
  if (state_.can_pass(tempo::index(seat_))) moves.push(pass_move);
}

}  // namespace tempo::siguo
