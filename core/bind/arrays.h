// NumPy arrays out of the core, and checks of arrays coming in.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <initializer_list>
#include <string>

#include "../errors.h"

namespace tempo::bind {

namespace nb = nanobind;

template <class T>
using Array = nb::ndarray<nb::numpy, T>;
template <class T, int Dimensions>
using Input = nb::ndarray<const T, nb::ndim<Dimensions>, nb::c_contig, nb::device::cpu>;

// A fresh array owned by Python, uninitialised. Call with the GIL held.
template <class T>
Array<T> new_array(std::initializer_list<std::size_t> shape) {
  std::size_t count = 1;
  for (const std::size_t n : shape) count *= n;
  T* data = new T[count];
  const nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return Array<T>(data, shape, owner);
}

// Throws unless an incoming array has one entry per game.
template <class A>
void check_length(const A& array, int expected, const char* what) {
  if (array.shape(0) == static_cast<std::size_t>(expected)) return;
  throw ParseError(std::string(what) + " has " + std::to_string(array.shape(0)) +
                   " entries; expected one for each of " + std::to_string(expected) + " games");
}

}  // namespace tempo::bind
