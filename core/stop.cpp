#include "stop.h"

#include <ctime>

namespace tempo {

namespace {

constinit thread_local StopClock::time_point next_signals{};

}  // namespace

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

bool should_stop(StopClock::time_point now) {
  if (now >= next_signals) {
    next_signals = now + between_signals;
    if (const SignalHook hook = stop_state->signal_hook.load(std::memory_order_relaxed)) {
      if (std::exception_ptr error = hook()) throw Interrupted{error};
    }
  }
  return stop_state->all_work_ends.load(std::memory_order_relaxed) || StopScope::is_any_set(now);
}

void throw_if_stopped() {
  if (should_stop()) throw Stopped();
}

bool StopPoll::look() {
  const auto now = StopClock::now();
  const auto taken = now - last_;
  last_ = now;
  if (taken < std::chrono::microseconds(500)) {
    steps_ = std::min(2 * steps_, most_);
  } else if (taken > std::chrono::milliseconds(2)) {
    steps_ = std::max<std::int64_t>(steps_ / 4, 1);
  }
  left_ = steps_;
  if (thread_deadline_ > 0 && thread_seconds() >= thread_deadline_) return true;
  return now >= deadline_ || should_stop(now);
}

}  // namespace tempo
