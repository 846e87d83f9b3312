// What tempo._core shares with an extension that brings a game of its own, besides the types that
// nanobind shares between extensions.
#pragma once

#include <nanobind/nanobind.h>

#include "../stop.h"

namespace tempo::bind {

inline constexpr const char* shared_name = "tempo.shared";

struct Shared {
  StopState* stops;
  // Leaving Python and coming back, with the end of the program in view (stopping.cpp).
  PyThreadState* (*save_thread)();
  void (*restore_thread)(PyThreadState* state);
  PyGILState_STATE (*ensure_gil)();
};

// A digest of the headers that both are compiled with, in a file of the build (tempo-config.cmake).
extern const char* const headers;

}  // namespace tempo::bind
