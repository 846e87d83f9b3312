// Binds Stop, and lets Python handle its signals while the core works.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "../errors.h"
#include "../search/result.h"
#include "../stop.h"
#include "shared.h"
#include "stopping.h"

// What nanobind's guards call, wrapped by the linker (CMakeLists.txt).
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
PyThreadState* __real_PyEval_SaveThread();
void __real_PyEval_RestoreThread(PyThreadState* state);
PyGILState_STATE __real_PyGILState_Ensure();
}

namespace tempo::bind {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

// Python runs signal handlers in its main thread only: that of the process.
bool is_main_thread() { return ::syscall(SYS_gettid) == ::getpid(); }

std::exception_ptr handle_signals() {
  if (!is_main_thread()) return nullptr;
  const nb::gil_scoped_acquire acquire;
  if (PyErr_CheckSignals() == 0) return nullptr;
  return std::make_exception_ptr(nb::python_error());
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Interrupted& interrupted) {
    try {
      std::rethrow_exception(interrupted.cause);
    } catch (nb::python_error& error) {
      error.restore();
    }
  }
}

// ---- the end of the program
//
// A thread that comes back from the core while the interpreter ends would be made to exit where it
// asks for the GIL, which C++ cannot survive: the destructor that asks must not throw. So before
// the end no thread is left on its way back: their work ends, and a thread that is late waits for
// ever.

std::atomic<bool> interpreter_ends = false;
std::atomic<int> threads_inside = 0;  // the core, on their way there or back

[[noreturn]] void wait_for_ever() {
  --threads_inside;
  for (;;) ::pause();
}

bool is_over_for_this_thread() { return interpreter_ends && !is_main_thread(); }

void end_all_work() { stop_state->all_work_ends = true; }

// Python has joined all threads but those that it calls daemons.
void end_interpreter() {
  end_all_work();
  interpreter_ends = true;
  if (nb::len(nb::module_::import_("sys").attr("_current_frames")()) > 1) {
    nb::set_leak_warnings(false);  // daemons keep what they have
  }
  PyThreadState* state = __real_PyEval_SaveThread();
  const auto latest = deadline_after(1);
  while (threads_inside > 0 && StopClock::now() < latest) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  __real_PyEval_RestoreThread(state);
}

// A Stop that a thread has entered. The scope outlives the Python object if it must.
struct Entered {
  explicit Entered(std::shared_ptr<Stop> s) : stop(std::move(s)), scope(*stop) {}
  std::shared_ptr<Stop> stop;
  StopScope scope;
};
thread_local std::vector<std::unique_ptr<Entered>> entered;

class SharedStop {
 public:
  explicit SharedStop(std::optional<double> seconds) {
    if (seconds && !(*seconds >= 0)) throw ParseError("seconds must be 0 or more, or None");
    const bool ends = seconds && *seconds <= longest_seconds;
    stop_ = ends ? std::make_shared<Stop>(deadline_after(*seconds)) : std::make_shared<Stop>();
  }

  void set() const { stop_->set(); }
  [[nodiscard]] bool is_set() const { return stop_->is_set(); }
  void enter() const { entered.push_back(std::make_unique<Entered>(stop_)); }
  void leave() const {
    for (auto it = entered.end(); it != entered.begin();) {
      if ((*--it)->stop != stop_) continue;
      entered.erase(it);
      return;
    }
    throw ParseError("this thread has not entered the Stop that it leaves");
  }

 private:
  std::shared_ptr<Stop> stop_;
};

}  // namespace
}  // namespace tempo::bind

extern "C" {
PyThreadState* __wrap_PyEval_SaveThread() {
  ++tempo::bind::threads_inside;
  PyThreadState* state = __real_PyEval_SaveThread();
  if (tempo::bind::is_over_for_this_thread()) tempo::bind::wait_for_ever();
  return state;
}
void __wrap_PyEval_RestoreThread(PyThreadState* state) {
  if (tempo::bind::is_over_for_this_thread()) tempo::bind::wait_for_ever();
  __real_PyEval_RestoreThread(state);
  --tempo::bind::threads_inside;
}
PyGILState_STATE __wrap_PyGILState_Ensure() {
  if (tempo::bind::is_over_for_this_thread()) tempo::bind::wait_for_ever();
  return __real_PyGILState_Ensure();
}
}

namespace tempo::bind {

void bind_stopping(nb::module_& m) {
  nb::object error = nb::steal(
      PyErr_NewExceptionWithDoc("tempo._core.TempoError",
                                "A request that cannot be carried out, with the reason in one "
                                "sentence.",
                                PyExc_Exception, nullptr));
  m.attr("TempoError") = error;
  nb::exception<Stopped>(m, "Stopped", error.ptr()).doc() =
      "Work was stopped before it had a result.";
  nb::register_exception_translator(translate);
  stop_state->signal_hook = handle_signals;
  static const Shared shared{stop_state, __wrap_PyEval_SaveThread, __wrap_PyEval_RestoreThread,
                             __wrap_PyGILState_Ensure};
  m.attr("shared") = nb::capsule(&shared, shared_name);
  m.attr("headers") = headers;

  nb::class_<SharedStop>(m, "Stop",
                         "Ends work early. In a `with` block, everything that the thread does "
                         "obeys; any thread may set it.")
      .def(nb::init<std::optional<double>>(), "seconds"_a = nb::none(),
           "With `seconds`, it is set so long after it was made.")
      .def("set", &SharedStop::set, "From any thread: the work ends within 50 ms.")
      .def_prop_ro("is_set", &SharedStop::is_set, "Asked to stop, or past its deadline.")
      .def(
          "__enter__",
          [](nb::object self) {
            nb::cast<const SharedStop&>(self).enter();
            return self;
          },
          nb::sig("def __enter__(self) -> Stop"))
      .def(
          "__exit__", [](const SharedStop& stop, const nb::args&) { stop.leave(); },
          nb::sig("def __exit__(self, *error: object) -> None"));
  m.def("end_all_work", &end_all_work,
        "Before the program ends: whatever any thread does in the core ends, for good.");
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&end_interpreter));
  m.def(
      "stopped", [] { return StopScope::is_any_set(StopClock::now()); },
      "Whether a Stop that this thread obeys is set.");
}

}  // namespace tempo::bind
// NOLINTEND(bugprone-reserved-identifier)
