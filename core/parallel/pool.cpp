#include "pool.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

#include "../errors.h"

namespace tempo {

namespace {

// Of chunks: games that are over take no time, and the next that is not takes a playout's.
StopPoll poll_of_chunks() { return StopPoll(1, 16); }

}  // namespace

Pool::Pool(int threads) {
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

void Pool::run(std::int64_t count, Work work, std::int64_t chunk) {
  if (!workers_.empty() && count > chunk) return share_out(count, work, chunk, Ends::Early);
  StopPoll poll = poll_of_chunks();
  for (std::int64_t begin = 0; begin < count; begin += chunk) {
    if (begin > 0) poll.check();
    work(begin, std::min(begin + chunk, count));
  }
}

void Pool::run_anytime(std::int64_t count, Work work, std::int64_t chunk) {
  if (!workers_.empty() && count > chunk) return share_out(count, work, chunk, Ends::ByItself);
  work(0, count);
}

void Pool::run_whole(std::int64_t count, Work work, std::int64_t chunk) {
  if (!workers_.empty() && count > chunk) return share_out(count, work, chunk, Ends::Whole);
  work(0, count);
}

void Pool::share_out(std::int64_t count, const Work& work, std::int64_t chunk, Ends ends) {
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

void Pool::finish() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  wake_.notify_all();
  for (auto& worker : workers_) worker.join();
}

// Until the workers are done. The caller may be the thread that handles signals.
void Pool::wait() {
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
void Pool::interrupt() {
  interrupted_ = std::current_exception();
  stop_->set();
}

void Pool::take_chunks() {
  StopPoll poll = poll_of_chunks();
  for (;;) {
    const std::int64_t begin = next_.fetch_add(chunk_);
    if (begin >= count_) return;
    try {
      if (ends_ == Ends::Early) poll.check();
      (*work_)(begin, std::min(begin + chunk_, count_));
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

void Pool::note_error(std::int64_t begin) {
  const std::lock_guard lock(mutex_);
  if (begin >= failed_at_) return;
  failed_at_ = begin;
  error_ = std::current_exception();
}

void Pool::serve() {
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

}  // namespace tempo
