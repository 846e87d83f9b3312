// Every file of this room registers what it binds: no list of games names it.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace tempo::bind {

namespace nb = nanobind;

// A part of the extension, one `const Binding` in a file. Parts are bound in the order of their
// names: `gomoku_critic` finds what `gomoku` has bound.
class Binding {
 public:
  using Bind = void (*)(nb::module_& core);

  Binding(std::string_view name, Bind bind) noexcept : name_(name), bind_(bind), next_(last) {
    last = this;
  }
  Binding(const Binding&) = delete;
  Binding& operator=(const Binding&) = delete;

  static void bind_all(nb::module_& core) {
    std::vector<const Binding*> all;
    for (const Binding* each = last; each != nullptr; each = each->next_) all.push_back(each);
    std::ranges::sort(all, {}, &Binding::name_);
    for (const Binding* each : all) each->bind_(core);
  }

 private:
  static inline const Binding* last = nullptr;

  std::string_view name_;
  Bind bind_;
  const Binding* next_;
};

}  // namespace tempo::bind
