// Games whose rules lie outside the core: written in Python, or part of another library. Such a
// game implements two interfaces, `Rules` and `State`, and has all searches and batches by the
// `Position` of position.h, which is a handle to a State.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../game.h"

namespace tempo::foreign {

inline constexpr int most_moves = 1024;           // legal at one moment
inline constexpr int most_move_numbers = 0xFFFF;  // as many as a Move can tell apart

class State;

// Of a text, the same in every process (FNV-1a).
constexpr std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const char letter : text) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001B3ULL;
  }
  return hash;
}

// Holds a state; the last holder discards it.
class Handle {
 public:
  Handle() = default;
  explicit Handle(const State* fresh) : state_(fresh) {}  // which counts its first holder already
  Handle(const Handle& other);
  Handle(Handle&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  Handle& operator=(const Handle& other) { return *this = Handle(other); }
  Handle& operator=(Handle&& other) noexcept {
    std::swap(state_, other.state_);
    return *this;
  }
  ~Handle();

  [[nodiscard]] const State* get() const { return state_; }
  [[nodiscard]] const State* operator->() const { return state_; }

 private:
  const State* state_ = nullptr;
};

// What stays for all games under the same rules. Lives as long as the program.
class Rules {
 public:
  Rules() = default;
  Rules(const Rules&) = delete;
  Rules& operator=(const Rules&) = delete;
  virtual ~Rules() = default;

  std::string spec;  // name and options, as `tempo.load` takes them
  int move_numbers = 0;
  int length_bound = 0;
  std::vector<std::string> seat_names;  // as many as there are seats
  std::array<int, 3> shape{};           // of the features
  bool open_moves = false;  // in games that hide something: every seat sees what others play

  [[nodiscard]] virtual Handle start() const = 0;
  [[nodiscard]] virtual Handle deal(Random&) const { return start(); }  // drawn at random
  [[nodiscard]] virtual Handle parse(std::string_view text) const = 0;  // throws ParseError
};

// One moment of a game, never changed. Any thread may ask it anything; what it cannot answer it
// throws. Whose turn it is and how the game ended are known from the beginning: asking for these
// never fails, so that no search is left half done.
class State {
 public:
  explicit State(const Rules& rules) : rules_(&rules) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  virtual ~State() = default;

  [[nodiscard]] const Rules& rules() const { return *rules_; }
  [[nodiscard]] Seat turn() const { return turn_; }
  [[nodiscard]] const std::optional<Outcome>& outcome() const { return outcome_; }

  [[nodiscard]] virtual std::span<const Move> moves() const = 0;
  // Plays a legal move: `held`, a handle to this state, then holds the one after it.
  virtual void play(Handle& held, Move move) const = 0;
  [[nodiscard]] virtual std::uint64_t key() const = 0;
  [[nodiscard]] virtual std::uint64_t scratch_key() const = 0;
  [[nodiscard]] virtual std::string text() const = 0;
  [[nodiscard]] virtual std::string move_text(Move move) const = 0;
  [[nodiscard]] virtual std::string board() const = 0;
  virtual void features(Seat seat, float* out) const = 0;
  // A guess at the scores of a game that goes on.
  [[nodiscard]] virtual Scores evaluation() const = 0;

  // What a seat knows in one line and in several, what everybody knows, and a state that looks the
  // same to a seat. Where nothing is hidden, everybody knows all.
  [[nodiscard]] virtual std::string view_text(Seat) const { return text(); }
  [[nodiscard]] virtual std::string view_board(Seat) const { return board(); }
  [[nodiscard]] virtual std::string public_text() const { return text(); }
  [[nodiscard]] virtual Handle sample(Seat, Random&) const {
    holders_.fetch_add(1, std::memory_order_relaxed);
    return Handle(this);
  }

 protected:
  Seat turn_{};
  std::optional<Outcome> outcome_;  // its reason lives as long as the rules

 private:
  friend class Handle;

  const Rules* rules_;
  mutable std::atomic<std::uint32_t> holders_ = 1;
};

inline Handle::Handle(const Handle& other) : state_(other.state_) {
  if (state_ != nullptr) state_->holders_.fetch_add(1, std::memory_order_relaxed);
}
inline Handle::~Handle() {
  if (state_ == nullptr) return;
  if (state_->holders_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete state_;
}

}  // namespace tempo::foreign
