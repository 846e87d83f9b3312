// The position of a game whose rules lie outside the core, as searches and batches want it.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "../../evaluator.h"
#include "../../game.h"
#include "../../game_features.h"
#include "rules.h"

namespace tempo::foreign {

// Which game it is. Without rules it is none, and all that comes of it refuses every question.
template <int Seats>
struct OptionsFor {
  const Rules* rules = nullptr;

  static constexpr std::array<OptionField<OptionsFor>, 0> fields() { return {}; }
  [[nodiscard]] const Rules& chosen() const {
    if (rules != nullptr) return *rules;
    throw ParseError("no game is chosen; tempo.load chooses one");
  }
  friend bool operator==(const OptionsFor&, const OptionsFor&) = default;
};

// Found in place of the general one, which knows one name for all that a type of position plays.
template <int Seats>
std::string game_spec(std::string_view, const OptionsFor<Seats>& options) {
  return options.chosen().spec;
}

// A position of a game for two to four seats, each of which plays for itself.
template <int Seats>
class PositionFor {
 public:
  using Options = OptionsFor<Seats>;
  using Moves = MoveList<most_moves>;

  static constexpr bool is_handle = true;
  static constexpr std::string_view name = "this game";  // as sentences about any of them say
  static constexpr std::string_view rules_version = "foreign-rules/1.0";
  static constexpr std::string_view summary = "a game whose rules lie outside the core";
  static constexpr int seats = Seats;

  static constexpr std::string_view seat_name(Seat seat) {
    constexpr std::array<std::string_view, max_seats> names = {"first", "second", "third",
                                                               "fourth"};
    return names[static_cast<std::size_t>(index(seat))];
  }
  static std::string_view seat_name(const Options& options, Seat seat) {
    return options.chosen().seat_names[static_cast<std::size_t>(index(seat))];
  }
  static constexpr Team team_of(Seat seat) { return Team{static_cast<std::uint8_t>(seat)}; }
  static int move_numbers(const Options& options) { return options.chosen().move_numbers; }
  static int length_bound(const Options& options) { return options.chosen().length_bound; }

  static PositionFor start(const Options& options) {
    return options.rules == nullptr ? PositionFor() : PositionFor(options.rules->start());
  }
  static PositionFor deal(const Options& options, Random& random) {
    return PositionFor(options.chosen().deal(random));
  }
  static PositionFor parse(std::string_view text, const Options& options) {
    return PositionFor(options.chosen().parse(text));
  }

  [[nodiscard]] Options options() const { return {&state().rules()}; }
  [[nodiscard]] Seat turn() const { return state().turn(); }
  [[nodiscard]] std::optional<Outcome> outcome() const { return state().outcome(); }
  void legal_moves(Moves& moves) const {
    moves.clear();
    for (const Move move : listed()) moves.push(move);
  }
  [[nodiscard]] bool is_legal(Move move) const {
    const auto all = listed();
    return std::find(all.begin(), all.end(), move) != all.end();
  }
  void play(Move move) { state().play(state_, move); }

  [[nodiscard]] int count_moves() const { return static_cast<int>(listed().size()); }
  [[nodiscard]] Move nth_move(int n) const { return listed()[static_cast<std::size_t>(n)]; }
  [[nodiscard]] Move random_move(Random& random) const {
    const auto all = listed();
    return all.empty() ? no_move : all[random.below(static_cast<std::uint32_t>(all.size()))];
  }

  [[nodiscard]] std::uint64_t key() const { return state().key(); }
  [[nodiscard]] std::uint64_t scratch_key() const { return state().scratch_key(); }
  [[nodiscard]] std::string check() const {
    std::vector<Move> moves(listed().begin(), listed().end());
    std::sort(moves.begin(), moves.end());
    const auto twice = std::adjacent_find(moves.begin(), moves.end());
    return twice == moves.end() ? "" : "move " + std::to_string(index(*twice)) + " is listed twice";
  }

  [[nodiscard]] std::string text() const { return state().text(); }
  [[nodiscard]] std::string board() const { return state().board(); }
  [[nodiscard]] std::string move_text(Move move) const { return state().move_text(move); }
  // A move is written as it is printed.
  [[nodiscard]] Move parse_move(std::string_view text) const {
    const std::string quoted = "'" + std::string(text.substr(0, 40)) + "'";
    if (state().outcome()) throw IllegalMove(quoted + " is no move: the game is over");
    std::string some;
    for (const Move move : listed()) {
      const std::string known = move_text(move);
      if (known == text) return move;
      if (some.size() < 60) some += (some.empty() ? "" : ", ") + known;
    }
    throw IllegalMove(quoted + " is no legal move; there are " + some);
  }
  [[nodiscard]] std::string why_illegal(Move move) const {
    const std::string which = "move " + std::to_string(index(move));
    if (state().outcome()) return which + ": the game is over";
    return which + " is not legal in '" + text() + "'";
  }

  [[nodiscard]] const State& state() const {
    if (state_.get() != nullptr) return *state_.get();
    throw ParseError("this position is of no game; tempo.load chooses one");
  }

  friend bool operator==(const PositionFor& a, const PositionFor& b) {
    if (a.state_.get() == b.state_.get()) return true;
    return &a.state().rules() == &b.state().rules() && a.key() == b.key() && a.text() == b.text();
  }

 protected:
  PositionFor() = default;
  explicit PositionFor(Handle state) : state_(std::move(state)) {}
  [[nodiscard]] const Handle& handle() const {
    static_cast<void>(state());
    return state_;
  }

 private:
  [[nodiscard]] std::span<const Move> listed() const { return state().moves(); }

  Handle state_;
};

using Options = OptionsFor<2>;
using Position = PositionFor<2>;

// What the game itself guesses.
template <int Seats>
struct OwnEvaluator {
  static constexpr bool prefers_batches = false;
  void operator()(std::span<const PositionFor<Seats>> positions, std::span<Scores> values) const {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      values[i] = positions[i].state().evaluation();
    }
  }
};

}  // namespace tempo::foreign

template <int Seats>
struct tempo::Features<tempo::foreign::PositionFor<Seats>> {
  static std::array<int, 3> shape(const foreign::OptionsFor<Seats>& options) {
    return options.chosen().shape;
  }
  static void write(const foreign::PositionFor<Seats>& position, Seat seat, float* out) {
    position.state().features(seat, out);
  }
};

template <int Seats>
struct tempo::StaticEvaluatorOf<tempo::foreign::PositionFor<Seats>>
    : std::type_identity<tempo::foreign::OwnEvaluator<Seats>> {};
