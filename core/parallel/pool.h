// Worker threads that share out the indices 0 .. count-1. Work items must not depend on each other:
// then the results are the same whatever the number of threads.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tempo {

class Pool {
 public:
  // `threads` counts the caller too: Pool(1) starts no thread at all.
  explicit Pool(int threads) {
    for (int i = 1; i < threads; ++i) workers_.emplace_back([this] { serve(); });
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    wake_.notify_all();
    for (auto& worker : workers_) worker.join();
  }

  [[nodiscard]] int threads() const { return static_cast<int>(workers_.size()) + 1; }

  // Calls work(i) for every i below count, in chunks taken in turn. Rethrows the exception of the
  // lowest chunk that failed, so that even errors do not depend on scheduling.
  void run(std::int64_t count, const std::function<void(std::int64_t)>& work,
           std::int64_t chunk = 16) {
    if (workers_.empty() || count <= chunk) {
      for (std::int64_t i = 0; i < count; ++i) work(i);
      return;
    }
    const std::lock_guard one_at_a_time(entry_);
    {
      const std::lock_guard lock(mutex_);
      work_ = &work;
      count_ = count;
      chunk_ = chunk;
      next_ = 0;
      failed_at_ = count;
      error_ = nullptr;
      busy_ = static_cast<int>(workers_.size());
      ++round_;
    }
    wake_.notify_all();
    take_chunks();
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return busy_ == 0; });
    work_ = nullptr;
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void take_chunks() {
    for (;;) {
      const std::int64_t begin = next_.fetch_add(chunk_);
      if (begin >= count_) return;
      try {
        const std::int64_t end = begin + chunk_ < count_ ? begin + chunk_ : count_;
        for (std::int64_t i = begin; i < end; ++i) (*work_)(i);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (begin < failed_at_) {
          failed_at_ = begin;
          error_ = std::current_exception();
        }
      }
    }
  }

  void serve() {
    std::uint64_t seen = 0;
    for (;;) {
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return stop_ || round_ != seen; });
        if (stop_) return;
        seen = round_;
      }
      take_chunks();
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
  std::atomic<std::int64_t> next_ = 0;
  std::int64_t failed_at_ = 0;
  std::exception_ptr error_;
  int busy_ = 0;
  std::uint64_t round_ = 0;
  bool stop_ = false;
};

}  // namespace tempo
