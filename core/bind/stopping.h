// Stop, and signals while the core works.
#pragma once

#include <nanobind/nanobind.h>

namespace tempo::bind {

void bind_stopping(nanobind::module_& core);

}  // namespace tempo::bind
