// Ending work before it is done. Work on a thread can be made to obey a Stop; another
// thread sets it, or its deadline passes, and every loop of the core that the work is in ends
// within a few milliseconds. A search gives its best move so far, as if its time were up. Work
// without a partial result throws Stopped.
//
// Loops ask a StopPoll, which costs a decrement and looks about once in a millisecond. A look also
// lets the program handle its signals (Ctrl-C): the core knows nothing of them but a hook.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <stdexcept>

namespace tempo {

using StopClock = std::chrono::steady_clock;

// Work was ended before it had a result.
struct Stopped : std::runtime_error {
  Stopped() : std::runtime_error("stopped before the work was done") {}
};

// The handler of a signal raised an error: it goes to the caller through all work, searches
// included.
struct Interrupted {
  std::exception_ptr cause;
};

inline StopClock::time_point deadline_after(double seconds) {
  return StopClock::now() +
         std::chrono::duration_cast<StopClock::duration>(std::chrono::duration<double>(seconds));
}

// Seconds of processor time that this thread has had.
double thread_seconds();

// While one lives, budgets of time on this thread count its processor time instead of the time on
// the wall: on a busy machine a search is then given what it would have on an idle one.
class ThreadTime {
 public:
  explicit ThreadTime(bool on = true) : before_(counts_) { counts_ = on || counts_; }
  ThreadTime(const ThreadTime&) = delete;
  ThreadTime& operator=(const ThreadTime&) = delete;
  ~ThreadTime() { counts_ = before_; }

  [[nodiscard]] static bool counts() { return counts_; }
  // Seconds since some moment, of whichever time budgets count.
  [[nodiscard]] static double now() {
    if (counts_) return thread_seconds();
    return std::chrono::duration<double>(StopClock::now().time_since_epoch()).count();
  }

 private:
  static inline constinit thread_local bool counts_ = false;
  bool before_;
};

class Stop {
 public:
  Stop() = default;
  explicit Stop(StopClock::time_point deadline) : deadline_(deadline) {}

  void set() { set_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool is_set(StopClock::time_point now) const {
    return set_.load(std::memory_order_relaxed) || now >= deadline_;
  }
  [[nodiscard]] bool is_set() const { return is_set(StopClock::now()); }

 private:
  std::atomic<bool> set_ = false;
  StopClock::time_point deadline_ = StopClock::time_point::max();
};

// Runs the handlers of signals that came, if this thread is the one to do so; the error that one
// raised, or null. Called a few dozen times a second at most.
using SignalHook = std::exception_ptr (*)();

inline constexpr auto between_signals = std::chrono::milliseconds(20);

class StopScope;
inline constinit thread_local StopScope* own_innermost = nullptr;

// What all work of the program looks at. An extension with a game of its own takes over that of
// tempo._core (core/bind/outside.h): a Stop or Ctrl-C reaches it too.
struct StopState {
  std::atomic<bool> all_work_ends = false;  // of all threads, for good: before the program ends
  std::atomic<SignalHook> signal_hook = nullptr;
  StopScope*& (*innermost)() = []() -> StopScope*& { return own_innermost; };  // of this thread
};
inline constinit StopState own_stop_state{};
inline constinit StopState* stop_state = &own_stop_state;

// Makes this thread obey a Stop as well as those it obeys already, for as long as the scope lives.
class StopScope {
 public:
  explicit StopScope(const Stop& stop) : stop_(&stop), outer_(innermost()) { innermost() = this; }
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;
  // Scopes usually end in the order reversed; coroutines may end them in another.
  ~StopScope() {
    for (StopScope** link = &innermost(); *link != nullptr; link = &(*link)->outer_) {
      if (*link != this) continue;
      *link = outer_;
      return;
    }
  }

  [[nodiscard]] static StopScope* current() { return innermost(); }
  [[nodiscard]] static bool is_any_set(StopClock::time_point now) {
    for (const StopScope* scope = innermost(); scope != nullptr; scope = scope->outer_) {
      if (scope->stop_->is_set(now)) return true;
    }
    return false;
  }

 private:
  friend class StopInherited;

  static StopScope*& innermost() { return stop_state->innermost(); }

  const Stop* stop_;
  StopScope* outer_;
};

// Makes a worker thread obey what the thread obeys that it works for, and that waits meanwhile.
class StopInherited {
 public:
  explicit StopInherited(StopScope* scope) : before_(StopScope::innermost()) {
    StopScope::innermost() = scope;
  }
  StopInherited(const StopInherited&) = delete;
  StopInherited& operator=(const StopInherited&) = delete;
  ~StopInherited() { StopScope::innermost() = before_; }

 private:
  StopScope* before_;
};

// Whether the work of this thread is to end. Throws Interrupted.
bool should_stop(StopClock::time_point now);
inline bool should_stop() { return should_stop(StopClock::now()); }

// For work without a partial result, at its end and wherever a moment does not matter.
void throw_if_stopped();

// Asked at every step of a loop, tells whether to end: stopped, or past a time budget of its own.
// Looks after as many steps as take about a millisecond, of which it learns from the steps before;
// so one that lives longer than a loop looks less often in short ones.
class StopPoll {
 public:
  // `first`: steps before the first look. `most`: steps between looks, however quick they were;
  // few where the next may take a thousand times as long.
  explicit StopPoll(std::int64_t first = 1, std::int64_t most = 256)
      : left_(first), steps_(first), most_(most) {}

  // From now on a time budget, 0 for none.
  void limit(double seconds) {
    const bool on_wall = seconds > 0 && !ThreadTime::counts();
    deadline_ = on_wall ? deadline_after(seconds) : StopClock::time_point::max();
    thread_deadline_ = seconds > 0 && !on_wall ? thread_seconds() + seconds : 0;
    if (seconds > 0) left_ = 1;
  }
  void limit(StopClock::time_point deadline) {
    deadline_ = deadline;
    left_ = 1;
  }

  [[nodiscard]] bool operator()(std::int64_t steps = 1) {
    left_ -= steps;
    if (left_ > 0) [[likely]]
      return false;
    return look();
  }
  // For work without a partial result.
  void check() {
    if ((*this)()) throw Stopped();
  }
  // Looks at once.
  [[nodiscard]] bool look();

 private:
  std::int64_t left_;
  std::int64_t steps_;
  std::int64_t most_;
  StopClock::time_point last_{};
  StopClock::time_point deadline_ = StopClock::time_point::max();
  double thread_deadline_ = 0;  // in processor time; 0: none
};

}  // namespace tempo
