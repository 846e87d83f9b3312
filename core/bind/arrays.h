// NumPy arrays out of the core, and checks of arrays coming in.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
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
inline bool is_readable(nb::handle object) {
  if (std::string_view(Py_TYPE(object.ptr())->tp_name) == "numpy.ndarray") return true;  // quick
  if (PyObject_CheckBuffer(object.ptr()) == 0 || nb::hasattr(object, "__dlpack__")) return true;
  Py_buffer view;
  if (PyObject_GetBuffer(object.ptr(), &view, PyBUF_RECORDS_RO) != 0) {
    PyErr_Clear();
    return false;
  }
  const bool sound = view.ndim == 0 || (view.shape != nullptr && view.strides != nullptr);
  PyBuffer_Release(&view);
  return sound;
}

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

// An incoming array whose kind is looked at here and not converted by the binding, which would
// turn 2.7 and 2^32 + 2 into a 2 without a word.
template <int Dimensions>
using AnyInput = Given<nb::ndarray<nb::ro, nb::ndim<Dimensions>, nb::c_contig, nb::device::cpu>>;

template <class T, class A>
const T* exactly(const A& array, const char* what, const char* kind) {
  if (array.dtype() == nb::dtype<T>()) return static_cast<const T*>(array.data());
  throw nb::type_error((std::string(what) + " must be an array of " + kind).c_str());
}

// Whole numbers of any width as 32 bits; what does not fit becomes the nearest that does.
inline std::vector<std::int32_t> whole_numbers(const AnyInput<1>& array, const char* what) {
  std::vector<std::int32_t> numbers(array.shape(0));
  const auto copy = [&]<class T>(const T* data) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const auto low = std::numeric_limits<std::int32_t>::min();
      const auto high = std::numeric_limits<std::int32_t>::max();
      numbers[i] = std::cmp_less(data[i], low)       ? low
                   : std::cmp_greater(data[i], high) ? high
                                                     : static_cast<std::int32_t>(data[i]);
    }
  };
  const auto try_kind = [&]<class T>(T) {
    if (array.dtype() != nb::dtype<T>()) return false;
    copy(static_cast<const T*>(array.data()));
    return true;
  };
  if (try_kind(std::int32_t{}) || try_kind(std::int64_t{}) || try_kind(std::uint16_t{}) ||
      try_kind(std::uint32_t{}) || try_kind(std::uint64_t{}) || try_kind(std::int16_t{}) ||
      try_kind(std::uint8_t{}) || try_kind(std::int8_t{})) {
    return numbers;
  }
  throw nb::type_error((std::string(what) + " must be an array of whole numbers").c_str());
}

// Throws unless all numbers of an incoming array are finite: weights that have diverged, say.
template <class A>
void require_finite(const A& array, const char* what) {
  for (std::size_t i = 0; i < array.size(); ++i) {
    if (!std::isfinite(array.data()[i])) {
      throw ParseError(std::string(what) + " must be finite numbers");
    }
  }
}

// Throws unless an incoming array has one entry per game.
template <class A>
void check_length(const A& array, int expected, const char* what) {
  if (array.shape(0) == static_cast<std::size_t>(expected)) return;
  throw ParseError(std::string(what) + " has " + std::to_string(array.shape(0)) +
                   " entries; expected one for each of " + std::to_string(expected) + " games");
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
