// The position of a game whose rules lie outside the core and whose seats know less than the whole.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "position.h"

namespace tempo::foreign {

// The same rules, of a game that hides something.
struct HiddenOptions : Options {
  static constexpr std::array<OptionField<HiddenOptions>, 0> fields() { return {}; }
  friend bool operator==(const HiddenOptions&, const HiddenOptions&) = default;
};

inline std::string game_spec(std::string_view, const HiddenOptions& options) {
  return options.chosen().spec;
}

// What a seat knows of a state, and nothing else of it.
class View {
 public:
  View(Handle state, Seat seat) : state_(std::move(state)), seat_(seat) {}

  [[nodiscard]] HiddenOptions options() const { return {{&state_->rules()}}; }
  [[nodiscard]] Seat seat() const { return seat_; }
  [[nodiscard]] Seat turn() const { return state_->turn(); }
  [[nodiscard]] std::optional<Outcome> outcome() const { return state_->outcome(); }
  void legal_moves(Position::Moves& moves) const {
    moves.clear();
    if (turn() != seat_) return;
    for (const Move move : state_->moves()) moves.push(move);
  }
  [[nodiscard]] std::uint64_t key() const {
    return split_mix(hash_of(text()) + 4 * static_cast<std::uint64_t>(index(turn())) +
                     static_cast<std::uint64_t>(index(seat_)));
  }
  [[nodiscard]] std::string text() const { return state_->view_text(seat_); }
  [[nodiscard]] std::string board() const { return state_->view_board(seat_); }
  // What another seat plays is told only where moves are open.
  [[nodiscard]] std::string move_text(Move move) const {
    const auto moves = state_->moves();
    const bool is_legal = std::find(moves.begin(), moves.end(), move) != moves.end();
    const bool is_known = turn() == seat_ || state_->rules().open_moves;
    return is_legal && is_known ? state_->move_text(move) : "?";
  }
  void features(float* out) const { state_->features(seat_, out); }
  [[nodiscard]] Handle sample(Random& random) const { return state_->sample(seat_, random); }

  friend bool operator==(const View& a, const View& b) {
    return a.seat_ == b.seat_ && a.turn() == b.turn() && a.options() == b.options() &&
           a.text() == b.text();
  }

 private:
  Handle state_;
  Seat seat_;
};

class HiddenPosition : public Position {
 public:
  using Options = HiddenOptions;
  using View = foreign::View;

  static HiddenPosition start(const Options& options) { return Position::start(options); }
  static HiddenPosition deal(const Options& options, Random& random) {
    return Position::deal(options, random);
  }
  static HiddenPosition parse(std::string_view text, const Options& options) {
    return Position::parse(text, options);
  }
  static HiddenPosition sample(const View& view, Random& random) {
    return HiddenPosition(view.sample(random));
  }

  [[nodiscard]] Options options() const { return {Position::options()}; }
  [[nodiscard]] View view(Seat seat) const { return {handle(), seat}; }
  // What everybody may know, in a line.
  [[nodiscard]] std::string public_text() const { return state().public_text(); }

 private:
  explicit HiddenPosition(Handle state) : Position(std::move(state)) {}
  HiddenPosition(Position position) : Position(std::move(position)) {}  // NOLINT: of a static call
};

// What the game itself guesses, of the determinization that a search looks at.
struct HiddenOwnEvaluator {
  static constexpr bool prefers_batches = false;
  void operator()(std::span<const HiddenPosition> positions, std::span<Scores> values) const {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      values[i] = positions[i].state().evaluation();
    }
  }
};

}  // namespace tempo::foreign

template <>
struct tempo::Features<tempo::foreign::HiddenPosition> {
  static std::array<int, 3> shape(const foreign::HiddenOptions& options) {
    return options.chosen().shape;
  }
  static void write(const foreign::View& view, float* out) { view.features(out); }
};

template <>
struct tempo::StaticEvaluatorOf<tempo::foreign::HiddenPosition>
    : std::type_identity<tempo::foreign::HiddenOwnEvaluator> {};
