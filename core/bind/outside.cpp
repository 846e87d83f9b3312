// Joins an extension with a game of its own to tempo._core. Not a part of tempo._core itself.
#include "outside.h"

#include <string>

#include "shared.h"

// What nanobind's guards call, wrapped by the linker (tempo-config.cmake).
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
PyThreadState* __real_PyEval_SaveThread();
void __real_PyEval_RestoreThread(PyThreadState* state);
PyGILState_STATE __real_PyGILState_Ensure();
}

namespace tempo::bind {
namespace {

const Shared* shared = nullptr;

}  // namespace

void join_tempo(const nb::module_& extension) {
  const auto refuse = [&](const char* why) {
    return nb::import_error((nb::cast<std::string>(extension.attr("__name__")) + why).c_str());
  };
  const nb::module_ core = nb::module_::import_("tempo._core");
  if (nb::cast<std::string>(nb::getattr(core, "headers", nb::str(""))) != headers) {
    throw refuse(" was built for another version of tempo; build it again");
  }
  if (!nb::type<EndOfGame>().is_valid()) {
    throw refuse(" was built with another compiler or nanobind than tempo; build it as tempo was");
  }
  shared = static_cast<const Shared*>(nb::cast<nb::capsule>(core.attr("shared")).data(shared_name));
  stop_state = shared->stops;
}

}  // namespace tempo::bind

extern "C" {
PyThreadState* __wrap_PyEval_SaveThread() {
  return tempo::bind::shared ? tempo::bind::shared->save_thread() : __real_PyEval_SaveThread();
}
void __wrap_PyEval_RestoreThread(PyThreadState* state) {
  if (tempo::bind::shared == nullptr) return __real_PyEval_RestoreThread(state);
  tempo::bind::shared->restore_thread(state);
}
PyGILState_STATE __wrap_PyGILState_Ensure() {
  return tempo::bind::shared ? tempo::bind::shared->ensure_gil() : __real_PyGILState_Ensure();
}
}
// NOLINTEND(bugprone-reserved-identifier)
