// A game as a table of functions. What is the same for all games and not hot (trees, batches, the
// border to Python) is written against the table and compiled once, not once for each game.
// Positions are given by their addresses; only the game itself knows what lies there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "function_ref.h"
#include "game.h"
#include "stop.h"

namespace tempo {

struct AnyGame {
  std::string_view name;
  int seats;
  int teams;
  std::array<std::uint8_t, max_seats> team;  // of each seat
  bool is_handle;                            // positions answer one question at a time
  bool remembers;
  std::size_t size;       // of a position, in bytes
  std::size_t list_size;  // of a list of moves
  int most_moves;
  bool is_plain;  // a position is copied as bytes

  void (*copy)(void* room, const void* from);  // into room where no position is
  void (*assign)(void* to, const void* from);
  void (*destroy)(void* position);
  bool (*equal)(const void* a, const void* b);

  int (*move_numbers)(const void* position);
  Seat (*turn)(const void* position);
  std::span<const Move> (*legal_moves)(const void* position, void* room);  // of `list_size` bytes
  void (*play)(void* position, Move move);
  void (*advance)(void* position, History& past, Move move);  // in a game that goes forward only
  void (*remember)(const void* position, History& past);
  int (*reversible_moves)(const void* position);  // 0 if the game does not remember
  std::optional<Outcome> (*outcome)(const void* position, const History& past);
  std::optional<Outcome> (*end_by_past)(const void* position, const History& past);
  std::string (*move_text)(const void* position, Move move);
  bool (*is_legal)(const void* position, Move move);
  std::string (*why_illegal)(const void* position, Move move);
  // Uniform random moves until the game is over or `limit` are made (0: no limit), counted in
  // `made`.
  void (*playout)(void* position, History& past, Random& random, int limit, int& made);
  void (*deal)(void* position, Random& random);  // a start of the same game; null if none is dealt

  // What the seat to move may know: its key, its moves, and in a hidden game (null in others)
  // positions drawn from its view.
  std::uint64_t (*input_key)(const void* position);
  std::span<const Move> (*known_moves)(const void* position, void* room);
  void (*draw)(const void* position, Random& random, int count, FunctionRef<void(const void*)> use);

  [[nodiscard]] Team team_of(Seat seat) const {
    return Team{team[static_cast<std::size_t>(index(seat))]};
  }
  // The scores of a zero-sum game from what it is worth to the team of a seat: the other teams
  // share what that team does not get.
  [[nodiscard]] Scores scores_by_team_of(Seat seat, float value) const {
    const float others = -value / static_cast<float>(teams - 1);
    Scores scores{};
    for (std::size_t s = 0; s < static_cast<std::size_t>(seats); ++s) {
      scores[s] = Team{team[s]} == team_of(seat) ? value : others;
    }
    return scores;
  }
  [[nodiscard]] int useful_threads(int threads) const {
    return is_handle && threads > 1 ? 1 : threads;
  }
  void set(void* to, const void* from) const {
    if (is_plain) {
      std::memcpy(to, from, size);
    } else {
      assign(to, from);
    }
  }
};

template <Game P>
const P& as(const void* position) {
  return *static_cast<const P*>(position);
}
template <Game P>
P& as(void* position) {
  return *static_cast<P*>(position);
}

template <Game P>
void playout(void* at, History& past, Random& random, int limit, int& made) {
  P& position = as<P>(at);
  for (int n = 0; limit == 0 || n < limit;) {
    if constexpr (Remembers<P>) {
      if (position.outcome_by_past(past)) break;
    }
    const Move move = random_move(position, random);
    if (move == no_move) break;
    play(position, past, move);
    ++made;
    if (++n % 1024 == 0) throw_if_stopped();
  }
}

template <Game P>
constexpr AnyGame make_any_game() {
  static_assert(alignof(P) <= alignof(std::max_align_t));
  static_assert(std::is_trivially_destructible_v<typename P::Moves>);
  AnyGame game{};
  game.name = P::name;
  game.seats = P::seats;
  game.teams = teams_of<P>();
  for (std::size_t s = 0; s < static_cast<std::size_t>(P::seats); ++s) {
    game.team[s] = static_cast<std::uint8_t>(P::team_of(Seat{static_cast<std::uint8_t>(s)}));
  }
  if constexpr (requires { requires P::is_handle; }) game.is_handle = true;
  game.remembers = Remembers<P>;
  game.size = sizeof(P);
  game.list_size = sizeof(typename P::Moves);
  game.most_moves = P::Moves::capacity;
  game.is_plain = std::is_trivially_copyable_v<P>;
  game.copy = [](void* room, const void* from) { new (room) P(as<P>(from)); };
  game.assign = [](void* to, const void* from) { as<P>(to) = as<P>(from); };
  game.destroy = [](void* position) { as<P>(position).~P(); };
  game.equal = [](const void* a, const void* b) { return as<P>(a) == as<P>(b); };
  game.move_numbers = [](const void* at) { return P::move_numbers(as<P>(at).options()); };
  game.turn = [](const void* at) { return as<P>(at).turn(); };
  game.legal_moves = [](const void* at, void* room) {
    auto* list = new (room) typename P::Moves;
    as<P>(at).legal_moves(*list);
    return std::span<const Move>(list->begin(), static_cast<std::size_t>(list->size()));
  };
  game.play = [](void* at, Move move) { as<P>(at).play(move); };
  game.advance = [](void* at, History& past, Move move) { tempo::play(as<P>(at), past, move); };
  game.remember = [](const void* at, History& past) { tempo::remember(as<P>(at), past); };
  game.reversible_moves = [](const void* at) {
    if constexpr (Remembers<P>) return as<P>(at).reversible_moves();
    return 0;
  };
  game.outcome = [](const void* at, const History& past) {
    return tempo::outcome(as<P>(at), past);
  };
  game.end_by_past = [](const void* at, const History& past) -> std::optional<Outcome> {
    if constexpr (Remembers<P>) return as<P>(at).outcome_by_past(past);
    return std::nullopt;
  };
  game.move_text = [](const void* at, Move move) { return as<P>(at).move_text(move); };
  game.is_legal = [](const void* at, Move move) { return as<P>(at).is_legal(move); };
  game.why_illegal = [](const void* at, Move move) { return as<P>(at).why_illegal(move); };
  game.playout = &playout<P>;
  if constexpr (Dealt<P>) {
    game.deal = [](void* at, Random& random) { as<P>(at) = P::deal(as<P>(at).options(), random); };
  }
  if constexpr (Hidden<P>) {
    game.input_key = [](const void* at) { return as<P>(at).view(as<P>(at).turn()).key(); };
    game.known_moves = [](const void* at, void* room) {
      auto* list = new (room) typename P::Moves;
      as<P>(at).view(as<P>(at).turn()).legal_moves(*list);
      return std::span<const Move>(list->begin(), static_cast<std::size_t>(list->size()));
    };
    game.draw = [](const void* at, Random& random, int count, FunctionRef<void(const void*)> use) {
      const auto view = as<P>(at).view(as<P>(at).turn());
      for (int k = 0; k < count; ++k) {
        const P drawn = P::sample(view, random);
        use(&drawn);
      }
    };
  } else {
    game.input_key = [](const void* at) { return as<P>(at).key(); };
    game.known_moves = game.legal_moves;
  }
  return game;
}

template <Game P>
inline constexpr AnyGame any_game = make_any_game<P>();

// Room for the list of a position's moves.
class MoveRoom {
 public:
  explicit MoveRoom(const AnyGame& game) {
    if (game.list_size > sizeof own_) {
      more_ = std::make_unique_for_overwrite<std::byte[]>(game.list_size);
    }
  }
  MoveRoom(const MoveRoom&) = delete;
  MoveRoom& operator=(const MoveRoom&) = delete;
  [[nodiscard]] void* get() { return more_ ? more_.get() : own_; }

 private:
  alignas(std::max_align_t) std::byte own_[2080];  // 1,024 moves and their number
  std::unique_ptr<std::byte[]> more_;
};

// A position of some game, or none yet.
class AnyPosition {
 public:
  explicit AnyPosition(const AnyGame& game)
      : game_(&game), room_(std::make_unique_for_overwrite<std::byte[]>(game.size)) {}
  AnyPosition(AnyPosition&& other) noexcept
      : game_(other.game_),
        room_(std::move(other.room_)),
        full_(std::exchange(other.full_, false)) {}
  AnyPosition& operator=(AnyPosition&& other) noexcept {
    std::swap(game_, other.game_);
    std::swap(room_, other.room_);
    std::swap(full_, other.full_);
    return *this;
  }
  AnyPosition(const AnyPosition&) = delete;
  AnyPosition& operator=(const AnyPosition&) = delete;
  ~AnyPosition() { reset(); }

  [[nodiscard]] bool has_value() const { return full_; }
  [[nodiscard]] void* get() { return room_.get(); }
  [[nodiscard]] const void* get() const { return room_.get(); }
  void set(const void* position) {
    if (full_ || game_->is_plain) {
      game_->set(get(), position);
    } else {
      game_->copy(get(), position);
    }
    full_ = true;
  }
  void reset() {
    if (full_ && !game_->is_plain) game_->destroy(get());
    full_ = false;
  }

 private:
  const AnyGame* game_;
  std::unique_ptr<std::byte[]> room_;
  bool full_ = false;
};

// Positions of one game, side by side as an array of them.
class AnyPositions {
 public:
  explicit AnyPositions(const AnyGame& game) : game_(&game) {}
  AnyPositions(AnyPositions&& other) noexcept
      : game_(other.game_),
        room_(std::move(other.room_)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  AnyPositions& operator=(AnyPositions&& other) noexcept {
    std::swap(game_, other.game_);
    std::swap(room_, other.room_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  AnyPositions(const AnyPositions&) = delete;
  AnyPositions& operator=(const AnyPositions&) = delete;
  ~AnyPositions() { clear(); }

  [[nodiscard]] const AnyGame& game() const { return *game_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] const void* data() const { return room_.get(); }
  [[nodiscard]] void* operator[](std::size_t i) { return room_.get() + i * game_->size; }
  [[nodiscard]] const void* operator[](std::size_t i) const {
    return room_.get() + i * game_->size;
  }
  void push_back(const void* position) {
    reserve(size_ + 1);
    game_->copy((*this)[size_], position);
    ++size_;
  }
  void reserve(std::size_t count);
  void clear() { drop_last(size_); }

 private:
  void drop_last(std::size_t count) {
    while (count-- > 0) game_->destroy((*this)[--size_]);
  }

  const AnyGame* game_;
  std::unique_ptr<std::byte[]> room_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace tempo
