// What the files that bind endings share.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../games/chess/endings/family.h"
#include "../games/chess/rules.h"
#include "arrays.h"
#include "guard.h"
#include "played.h"

namespace tempo::bind {

using endings::Family;
using endings::Number;
using At = Played<chess::Position>;

inline std::size_t at(Number number) { return static_cast<std::size_t>(number); }

inline Number checked(const Family& family, Number number) {
  if (number >= 0 && number < family.dead()) return number;
  throw ParseError("the family of " + family.material().name() + " has the positions 0 to " +
                   std::to_string(family.dead() - 1) + ", not " + std::to_string(number));
}

inline chess::Colour checked_side(int seat) {
  if (seat == 0 || seat == 1) return static_cast<chess::Colour>(seat);
  throw ParseError("chess has seats 0 and 1, not " + std::to_string(seat));
}

// Hands values over to Python without copying them.
template <class T>
Array<T> handed_over(std::vector<T>&& vector) {
  auto* kept = new std::vector<T>(std::move(vector));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Array<T>(kept->data(), {kept->size()}, owner);
}

template <class T>
Array<T> handed_over(std::unique_ptr<T[]>&& values, std::size_t count) {
  const nb::capsule owner(values.get(), [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return Array<T>(values.release(), {count}, owner);
}

void bind_tables(nb::module_& endings);

}  // namespace tempo::bind
