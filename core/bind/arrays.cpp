#include "arrays.h"

#include <atomic>
#include <limits>
#include <string_view>
#include <utility>

namespace tempo::bind {

template Array<bool> new_array(std::initializer_list<std::size_t>);
template Array<double> new_array(std::initializer_list<std::size_t>);
template Array<float> new_array(std::initializer_list<std::size_t>);
template Array<std::int32_t> new_array(std::initializer_list<std::size_t>);
template Array<std::int64_t> new_array(std::initializer_list<std::size_t>);
template Array<std::uint16_t> new_array(std::initializer_list<std::size_t>);
template Array<std::uint64_t> new_array(std::initializer_list<std::size_t>);
template Array<std::uint8_t> new_array(std::initializer_list<std::size_t>);

Array<float> feature_array(const std::array<int, 3>& shape) {
  const auto size = [](int n) { return static_cast<std::size_t>(n); };
  return new_array<float>({size(shape[0]), size(shape[1]), size(shape[2])});
}

namespace {

// Quick from the second time on: the stable ABI has no names of types at hand.
bool is_of_numpy(nb::handle object) {
  static std::atomic<PyTypeObject*> known = nullptr;
  PyTypeObject* type = Py_TYPE(object.ptr());
  if (type == known) return true;
  if (std::string_view(nb::type_name(object.type()).c_str()) != "numpy.ndarray") return false;
  known = type;
  return true;
}

}  // namespace

bool is_readable(nb::handle object) {
  if (is_of_numpy(object)) return true;
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

void wrong_kind(const char* what, const char* kind) {
  throw nb::type_error((std::string(what) + " must be an array of " + kind).c_str());
}

std::vector<std::int32_t> whole_numbers(const AnyInput<1>& array, const char* what) {
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
  wrong_kind(what, "whole numbers");
}

void check_length(std::size_t entries, int expected, const char* what) {
  if (entries == static_cast<std::size_t>(expected)) return;
  throw ParseError(std::string(what) + " has " + std::to_string(entries) +
                   " entries; expected one for each of " + std::to_string(expected) + " games");
}

}  // namespace tempo::bind
