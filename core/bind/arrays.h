// NumPy arrays out of the core, and checks of arrays coming in.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "../errors.h"

namespace tempo::bind {

namespace nb = nanobind;

template <class T>
using Array = nb::ndarray<nb::numpy, T>;

// An incoming array. The binding asks objects without __dlpack__ for their buffer and follows its
// strides, which NumPy's scalars of dates do not give: they are refused here.
template <class Base>
struct Given : Base {
  using Base::Base;
  explicit Given(const Base& array) : Base(array) {}
};
bool is_readable(nb::handle object);

template <class T, int Dimensions>
using Input = Given<nb::ndarray<const T, nb::ndim<Dimensions>, nb::c_contig, nb::device::cpu>>;
// The same of any number of dimensions.
template <class T>
using FlatInput = Given<nb::ndarray<const T, nb::c_contig, nb::device::cpu>>;

// A fresh array owned by Python, uninitialised. Call with the GIL held.
template <class T>
Array<T> new_array(std::initializer_list<std::size_t> shape) {
  std::size_t count = 1;
  for (const std::size_t n : shape) count *= n;
  T* data = new T[count];
  const nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return Array<T>(data, shape, owner);
}
// In arrays.cpp, for all files of this room.
extern template Array<bool> new_array(std::initializer_list<std::size_t>);
extern template Array<double> new_array(std::initializer_list<std::size_t>);
extern template Array<float> new_array(std::initializer_list<std::size_t>);
extern template Array<std::int32_t> new_array(std::initializer_list<std::size_t>);
extern template Array<std::int64_t> new_array(std::initializer_list<std::size_t>);
extern template Array<std::uint16_t> new_array(std::initializer_list<std::size_t>);
extern template Array<std::uint64_t> new_array(std::initializer_list<std::size_t>);
extern template Array<std::uint8_t> new_array(std::initializer_list<std::size_t>);

// For the features of one position: planes, rows, columns.
Array<float> feature_array(const std::array<int, 3>& shape);

// An incoming array whose kind is looked at here and not converted by the binding, which would
// turn 2.7 and 2^32 + 2 into a 2 without a word.
template <int Dimensions>
using AnyInput = Given<nb::ndarray<nb::ro, nb::ndim<Dimensions>, nb::c_contig, nb::device::cpu>>;

[[noreturn]] void wrong_kind(const char* what, const char* kind);  // throws nb::type_error
template <class T, class A>
const T* exactly(const A& array, const char* what, const char* kind) {
  if (array.dtype() != nb::dtype<T>()) wrong_kind(what, kind);
  return static_cast<const T*>(array.data());
}

// Whole numbers of any width as 32 bits; what does not fit becomes the nearest that does.
std::vector<std::int32_t> whole_numbers(const AnyInput<1>& array, const char* what);

// Throws unless all numbers of an incoming array are finite: weights that have diverged, say.
template <class A>
void require_finite(const A& array, const char* what) {
  const auto finite = [](auto x) { return std::isfinite(x); };
  if (std::all_of(array.data(), array.data() + array.size(), finite)) return;
  throw ParseError(std::string(what) + " must be finite numbers");
}

// Throws unless an incoming array has one entry per game.
void check_length(std::size_t entries, int expected, const char* what);
template <class A>
void check_length(const A& array, int expected, const char* what) {
  check_length(array.shape(0), expected, what);
}

}  // namespace tempo::bind

template <class Base>
struct nanobind::detail::type_caster<tempo::bind::Given<Base>> {
  NB_TYPE_CASTER(tempo::bind::Given<Base>, make_caster<Base>::Name)

  bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
    make_caster<Base> caster;
    if (!tempo::bind::is_readable(source) || !caster.from_python(source, flags, cleanup)) {
      return false;
    }
    value = Value(caster.value);
    return true;
  }
};
