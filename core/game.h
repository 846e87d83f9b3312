// What a game is. Everything above the rules (search, batches, learners, bindings) is written once,
// against the concepts of this file. A new game is a `Position` type that satisfies `Game`, and
// whichever optional concepts it needs: `Remembers` (repetition), `Hidden` (ranks a seat may not
// see), `Symmetric`, `Dealt`, `Noisy` (quiescence), `Ordered` (move ordering).
#pragma once

#include <array>
#include <cassert>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "history.h"
#include "options.h"
#include "random.h"

namespace tempo {

// A place at the table, a set of seats that win together, and what a seat plays. A move is one
// number below `move_numbers`; a turn that needs several decisions is several moves by the same
// seat.
enum class Seat : std::uint8_t {};
enum class Team : std::uint8_t {};
enum class Move : std::uint16_t {};

inline constexpr Move no_move{0xFFFF};
inline constexpr int max_seats = 4;

constexpr int index(Seat seat) { return static_cast<int>(seat); }
constexpr int index(Team team) { return static_cast<int>(team); }
constexpr int index(Move move) { return static_cast<int>(move); }

// One number per seat in [-1, 1], summing to zero over the seats of a game; seats that a game lacks
// stay 0. Nothing negates a score because a ply passed: a seat's value is read in that
// seat's entry.
using Scores = std::array<float, max_seats>;

// Why a game ended, and what each seat got. `reason` points at a string literal.
struct Outcome {
  std::string_view reason;
  Scores scores{};

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

// A fixed buffer of moves: no heap, no initialisation of unused entries.
template <int Capacity>
class MoveList {
 public:
  static constexpr int capacity = Capacity;

  MoveList() {
  }  // NOLINT(modernize-use-equals-default): `= default` would zero the buffer in value-init
  MoveList(const MoveList& other) { *this = other; }
  MoveList& operator=(const MoveList& other) {
    size_ = other.size_;
    for (int i = 0; i < size_; ++i) moves_[i] = other.moves_[i];
    return *this;
  }

  void clear() { size_ = 0; }
  void push(Move move) {
    assert(size_ < Capacity);
    moves_[size_++] = move;
  }
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  Move& operator[](int i) { return moves_[i]; }
  Move operator[](int i) const { return moves_[i]; }
  Move* begin() { return moves_; }
  Move* end() { return moves_ + size_; }
  [[nodiscard]] const Move* begin() const { return moves_; }
  [[nodiscard]] const Move* end() const { return moves_ + size_; }

 private:
  int size_ = 0;
  Move moves_[Capacity];
};

// A value without heap; or, for games whose rules lie outside the core, a handle that counts.
template <class P>
concept Plain = std::is_trivially_copyable_v<P> || requires { requires P::is_handle; };

// A game at one moment, nothing hidden: a small value, copied instead of undone. It comes only from
// a start, a played move or a checked parse, so every existing Position is sound.
template <class P>
concept Game = std::copyable<P> && std::equality_comparable<P> && Plain<P> &&
               requires(P p, const P c, const typename P::Options& options,
                        typename P::Moves& moves, Move move, Seat seat, std::string_view text) {
                 // Who it is. `rules_version` moves only when behaviour moves.
                 { P::name } -> std::convertible_to<std::string_view>;
                 { P::rules_version } -> std::convertible_to<std::string_view>;
                 { P::summary } -> std::convertible_to<std::string_view>;
                 { P::seats } -> std::convertible_to<int>;
                 { P::seat_name(seat) } -> std::convertible_to<std::string_view>;
                 { P::team_of(seat) } -> std::same_as<Team>;
                 { P::move_numbers(options) } -> std::same_as<int>;  // every move is below this
                 { P::length_bound(options) } -> std::same_as<int>;  // no game is longer, in moves

                 // Playing. `legal_moves` fills the list in one fixed order, and leaves it empty
                 // exactly when the game is over. `play` asserts legality; the checked door is at
                 // the border.
                 { P::start(options) } -> std::same_as<P>;
                 { c.options() } -> std::convertible_to<typename P::Options>;
                 { c.turn() } -> std::same_as<Seat>;  // after the end: unspecified but in range
                 { c.legal_moves(moves) } -> std::same_as<void>;
                 { c.is_legal(move) } -> std::same_as<bool>;  // for every number, listed or not
                 { p.play(move) } -> std::same_as<void>;
                 { c.outcome() } -> std::same_as<std::optional<Outcome>>;

                 // Identity. `key` covers all that `==` covers unless the game says otherwise
                 // beside it.
                 { c.key() } -> std::same_as<std::uint64_t>;
                 {
                   c.scratch_key()
                 } -> std::same_as<std::uint64_t>;  // the same, recomputed: for tests
                 {
                   c.check()
                 } -> std::same_as<std::string>;  // what is unsound; empty when nothing is

                 // Text: parsing undoes printing. Parse throws ParseError or IllegalMove, saying
                 // what, where and what would have been right.
                 { c.text() } -> std::same_as<std::string>;
                 { P::parse(text, options) } -> std::same_as<P>;
                 { c.move_text(move) } -> std::same_as<std::string>;
                 { c.parse_move(text) } -> std::same_as<Move>;
                 { c.why_illegal(move) } -> std::same_as<std::string>;
                 { c.board() } -> std::same_as<std::string>;  // several lines, to be printed
               };

// Games in which an equal position seen before matters (chess, shogi, Jiu). The position stays
// pure; the past is a `History`, kept by the game or the search.
template <class P>
concept Remembers = Game<P> && requires(const P c, const History& past) {
  // How many moves back an equal position can lie at most: 0 right after an irreversible move.
  { c.reversible_moves() } -> std::same_as<int>;
  // What a later repetition test must know of this position besides its key (shogi: side to move in
  // check).
  { c.history_tag() } -> std::same_as<std::uint8_t>;
  // The key under which repetitions are counted (chess: without the clocks).
  { c.repetition_key() } -> std::same_as<std::uint64_t>;
  // The end that only the past brings about (repetition), for a position that is not over by
  // itself; `past` holds the positions before this one. Looks back no further than
  // reversible_moves().
  { c.outcome_by_past(past) } -> std::same_as<std::optional<Outcome>>;
};

// Games with hidden information: what a seat may know, and a determinization drawn from that. A
// View answers what its seat may ask: turn, legal moves (its own), outcome, text; and nothing else
// reaches an agent of that seat.
template <class P>
concept Hidden = Game<P> && requires(const P c, Seat seat, const typename P::View view,
                                     typename P::Moves& moves, Random& random, Move move) {
  { c.view(seat) } -> std::same_as<typename P::View>;
  { P::sample(view, random) } -> std::same_as<P>;  // view(sample(v)) == v
  { view.options() } -> std::convertible_to<typename P::Options>;
  { view.seat() } -> std::same_as<Seat>;
  { view.turn() } -> std::same_as<Seat>;
  { view.legal_moves(moves) } -> std::same_as<void>;  // empty when it is not this seat's turn
  { view.outcome() } -> std::same_as<std::optional<Outcome>>;
  { view.key() } -> std::same_as<std::uint64_t>;
  { view.text() } -> std::same_as<std::string>;
  { view.board() } -> std::same_as<std::string>;
  { view.move_text(move) } -> std::same_as<std::string>;
  { view == view } -> std::same_as<bool>;
};

// Games whose start is dealt at random (Siguo deployments).
template <class P>
concept Dealt = Game<P> && requires(const typename P::Options& options, Random& random) {
  { P::deal(options, random) } -> std::same_as<P>;
};

// Games that map to themselves. Symmetry 0 is the identity.
template <class P>
concept Symmetric = Game<P> && requires(const P c, Move move, int symmetry) {
  { P::symmetries } -> std::convertible_to<int>;
  { c.transformed(symmetry) } -> std::same_as<P>;
  { c.transformed_move(move, symmetry) } -> std::same_as<Move>;
};

// Games that can name their unquiet moves (captures, promotions): alpha-beta then goes on past its
// horizon.
template <class P>
concept Noisy = Game<P> && requires(const P c, typename P::Moves& moves) {
  { c.noisy_moves(moves) } -> std::same_as<void>;  // a subset of the legal moves
};

// Games that can guess which moves to try first: larger is earlier.
template <class P>
concept Ordered = Game<P> && requires(const P c, Move move) {
  { c.order_hint(move) } -> std::same_as<int>;
};

// Games that guess for all moves of a position at once, where that is much cheaper.
template <class P>
concept OrderedTogether = Ordered<P> && requires(const P c, const typename P::Moves& moves) {
  { c.order_hints(moves, static_cast<int*>(nullptr)) } -> std::same_as<void>;  // one for each move
};

// Games that draw a uniform legal move faster than by listing them. Must equal
// `list[random.below(size)]`, and draw nothing from `random` when the game is over.
template <class P>
concept QuickRandom = Game<P> && requires(const P c, Random& random) {
  { c.random_move(random) } -> std::same_as<Move>;  // no_move when the game is over
};

// Games that count their legal moves faster than by listing them, for perft's last ply.
template <class P>
concept QuickCount = Game<P> && requires(const P c) {
  { c.count_moves() } -> std::same_as<int>;
};

// Games that can say the n-th legal move without listing the others.
template <class P>
concept QuickNth = QuickCount<P> && requires(const P c, int n) {
  { c.nth_move(n) } -> std::same_as<Move>;  // of a game that goes on, n below count_moves()
};

// The number of threads that are of use: one, where positions answer one question at a time.
template <Game P>
constexpr int useful_threads(int threads) {
  if constexpr (requires { requires P::is_handle; }) return threads < 1 ? threads : 1;
  return threads;
}

template <Game P>
constexpr int teams_of() {
  int teams = 0;
  for (int seat = 0; seat < P::seats; ++seat) {
    const int team = index(P::team_of(Seat{static_cast<std::uint8_t>(seat)}));
    teams = team + 1 > teams ? team + 1 : teams;
  }
  return teams;
}

// The outcome of a position with the past that led to it: the one to use wherever a game goes on.
template <Game P>
std::optional<Outcome> outcome(const P& position, const History& past) {
  auto found = position.outcome();
  if constexpr (Remembers<P>) {
    if (!found) found = position.outcome_by_past(past);
  }
  return found;
}

// Notes a position about to be left. Searches pair this with `past.pop()`: outcome(past) looks no
// further back than reversible_moves(), so older entries do no harm.
template <Game P>
void remember(const P& position, History& past) {
  if constexpr (Remembers<P>) past.push(position.repetition_key(), position.history_tag());
}

// Plays a move in a game that goes forward only, keeping the past as short as it can be.
template <Game P>
void play(P& position, History& past, Move move) {
  remember(position, past);
  position.play(move);
  if constexpr (Remembers<P>) {
    if (position.reversible_moves() == 0) past.clear();
  }
}

// A uniform legal move of a position that is not over by its own; no_move when it is.
template <Game P>
Move random_move(const P& position, Random& random) {
  if constexpr (QuickRandom<P>) {
    return position.random_move(random);
  } else {
    typename P::Moves moves;
    position.legal_moves(moves);
    return moves.empty() ? no_move : moves[static_cast<int>(random.below(moves.size()))];
  }
}

}  // namespace tempo
