// Worker threads that share out the indices 0 .. count-1. Work items must not depend on each other:
// then the results are the same whatever the number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "../errors.h"
#include "../stop.h"

namespace tempo {

class Pool {
 public:
  static constexpr int most_threads = 1024;

  // `threads` counts the caller too: Pool(1) starts no thread at all.
  explicit Pool(int threads) {
    if (threads < 1 || threads > most_threads) {
      throw ParseError("threads must be 1 to " + std::to_string(most_threads) + ", not " +
                       std::to_string(threads));
    }
    workers_.reserve(static_cast<std::size_t>(threads) - 1);
    try {
      for (int i = 1; i < threads; ++i) workers_.emplace_back([this] { serve(); });
    } catch (const std::system_error&) {
      const int started = this->threads();
      finish();
      throw OutOfResources("this machine does not give " + std::to_string(threads) +
                           " threads now; it gave " + std::to_string(started));
    } catch (...) {
      finish();
      throw;
    }
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() { finish(); }

  [[nodiscard]] int threads() const { return static_cast<int>(workers_.size()) + 1; }

  // Calls work(i) for every i below count, in chunks taken in turn. Rethrows the exception of the
  // lowest chunk that failed, so that even errors do not depend on scheduling. Throws Stopped if
  // the caller is stopped before the last chunk is taken: then some items were never begun.
  template <class Work>
  void run(std::int64_t count, const Work& work, std::int64_t chunk = 16) {
    if (!is_alone(count, chunk)) return share_out(count, work, chunk, Ends::Early);
    StopPoll poll;
    for (std::int64_t begin = 0; begin < count; begin += chunk) {
      if (begin > 0) poll.check();
      const std::int64_t end = std::min(begin + chunk, count);
      for (std::int64_t i = begin; i < end; ++i) work(i);
    }
  }

  // The same for work that looks at Stops itself and ends soon with what it has: every item is
  // begun, and nothing is thrown for a Stop.
  template <class Work>
  void run_anytime(std::int64_t count, const Work& work, std::int64_t chunk = 16) {
    if (!is_alone(count, chunk)) return share_out(count, work, chunk, Ends::ByItself);
    for (std::int64_t i = 0; i < count; ++i) work(i);
  }

  // The same for quick work that must not be left half done: nothing ends it.
  template <class Work>
  void run_whole(std::int64_t count, const Work& work, std::int64_t chunk = 16) {
    if (!is_alone(count, chunk)) return share_out(count, work, chunk, Ends::Whole);
    for (std::int64_t i = 0; i < count; ++i) work(i);
  }

 private:
  // What becomes of work whose caller is stopped.
  enum class Ends : std::uint8_t { Early, ByItself, Whole };

  [[nodiscard]] bool is_alone(std::int64_t count, std::int64_t chunk) const {
    return workers_.empty() || count <= chunk;
  }

  void share_out(std::int64_t count, const std::function<void(std::int64_t)>& work,
                 std::int64_t chunk, Ends ends) {
    const std::lock_guard one_at_a_time(entry_);
    Stop all;  // ends the workers when the caller is interrupted
    const StopScope scope(all);
    {
      const std::lock_guard lock(mutex_);
      work_ = &work;
      count_ = count;
      chunk_ = chunk;
      ends_ = ends;
      stop_ = &all;
      scope_ = StopScope::current();
      next_ = 0;
      failed_at_ = count;
      error_ = nullptr;
      interrupted_ = nullptr;
      busy_ = static_cast<int>(workers_.size());
      ++round_;
    }
    wake_.notify_all();
    take_chunks();
    wait();
    work_ = nullptr;
    // Nothing of them is kept: the next to call may be another thread.
    const std::exception_ptr interrupted = std::exchange(interrupted_, nullptr);
    const std::exception_ptr error = std::exchange(error_, nullptr);
    if (interrupted) std::rethrow_exception(interrupted);
    if (error) std::rethrow_exception(error);
  }

  void finish() {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
    }
    wake_.notify_all();
    for (auto& worker : workers_) worker.join();
  }

  // Until the workers are done. The caller may be the thread that handles signals.
  void wait() {
    std::unique_lock lock(mutex_);
    while (!done_.wait_for(lock, between_signals, [this] { return busy_ == 0; })) {
      if (ends_ == Ends::Whole) continue;
      lock.unlock();
      try {
        static_cast<void>(should_stop());
      } catch (const Interrupted&) {
        interrupt();
      }
      lock.lock();
    }
  }

  // In the handler of an Interrupted, which only the caller meets.
  void interrupt() {
    interrupted_ = std::current_exception();
    stop_->set();
  }

  void take_chunks() {
    StopPoll poll;
    for (;;) {
      const std::int64_t begin = next_.fetch_add(chunk_);
      if (begin >= count_) return;
      try {
        if (ends_ == Ends::Early) poll.check();
        const std::int64_t end = std::min(begin + chunk_, count_);
        for (std::int64_t i = begin; i < end; ++i) (*work_)(i);
      } catch (const Interrupted&) {
        interrupt();
        return;
      } catch (const Stopped&) {
        note_error(begin);
        return;
      } catch (...) {
        note_error(begin);
      }
    }
  }

  void note_error(std::int64_t begin) {
    const std::lock_guard lock(mutex_);
    if (begin >= failed_at_) return;
    failed_at_ = begin;
    error_ = std::current_exception();
  }

  void serve() {
    std::uint64_t seen = 0;
    for (;;) {
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return closing_ || round_ != seen; });
        if (closing_) return;
        seen = round_;
      }
      {
        const StopInherited obeys(scope_);
        take_chunks();
      }
      const std::lock_guard lock(mutex_);
      if (--busy_ == 0) done_.notify_one();
    }
  }

  std::vector<std::thread> workers_;
  std::mutex entry_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  const std::function<void(std::int64_t)>* work_ = nullptr;
  std::int64_t count_ = 0;
  std::int64_t chunk_ = 1;
  Ends ends_ = Ends::Early;
  Stop* stop_ = nullptr;
  StopScope* scope_ = nullptr;  // what the caller obeys
  std::atomic<std::int64_t> next_ = 0;
  std::int64_t failed_at_ = 0;
  std::exception_ptr error_;
  std::exception_ptr interrupted_;
  int busy_ = 0;
  std::uint64_t round_ = 0;
  bool closing_ = false;
};

}  // namespace tempo
