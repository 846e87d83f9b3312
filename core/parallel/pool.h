// Worker threads that share out the indices 0 .. count-1. Work items must not depend on each other:
// then the results are the same whatever the number of threads.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "../stop.h"

namespace tempo {

class Pool {
 public:
  // Calls something with every index from `begin` to below `end`.
  class Work {
   public:
    template <class F>
    Work(const F& f)  // NOLINT(google-explicit-constructor): any lambda is one
        : of_(&f), call_([](const void* of, std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) (*static_cast<const F*>(of))(i);
          }) {}
    void operator()(std::int64_t begin, std::int64_t end) const { call_(of_, begin, end); }

   private:
    const void* of_;
    void (*call_)(const void* of, std::int64_t begin, std::int64_t end);
  };

  static constexpr int most_threads = 1024;

  // `threads` counts the caller too: Pool(1) starts no thread at all.
  explicit Pool(int threads);
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() { finish(); }

  [[nodiscard]] int threads() const { return static_cast<int>(workers_.size()) + 1; }

  // Calls work(i) for every i below count, in chunks taken in turn. Rethrows the exception of the
  // lowest chunk that failed, so that even errors do not depend on scheduling. Throws Stopped if
  // the caller is stopped before the last chunk is taken: then some items were never begun.
  void run(std::int64_t count, Work work, std::int64_t chunk = 16);

  // The same for work that looks at Stops itself and ends soon with what it has: every item is
  // begun, and nothing is thrown for a Stop.
  void run_anytime(std::int64_t count, Work work, std::int64_t chunk = 16);

  // The same for quick work that must not be left half done: nothing ends it.
  void run_whole(std::int64_t count, Work work, std::int64_t chunk = 16);

 private:
  // What becomes of work whose caller is stopped.
  enum class Ends : std::uint8_t { Early, ByItself, Whole };

  void share_out(std::int64_t count, const Work& work, std::int64_t chunk, Ends ends);
  void finish();
  void wait();
  void interrupt();
  void take_chunks();
  void note_error(std::int64_t begin);
  void serve();

  std::vector<std::thread> workers_;
  std::mutex entry_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  const Work* work_ = nullptr;
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
