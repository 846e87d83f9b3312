// Rules of games written in Python, as the core holds them.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <tuple>
#include <vector>

#include "../games/foreign/rules.h"
#include "guard.h"

namespace tempo::bind {

// The rules of a class; the shape is that of its features, none if it has none. They live as long
// as the program.
const foreign::Rules* add_rules(const Text& spec, nb::callable start, nb::object parse,
                                int move_numbers, int length_bound,
                                const std::vector<Text>& seat_names,
                                std::optional<std::tuple<int, int, int>> shape, nb::object deal);

// At the end of the program: lets go of everything that Python keeps alive.
void forget_rules();

}  // namespace tempo::bind
