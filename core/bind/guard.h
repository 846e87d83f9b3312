// What keeps the extension sound whatever Python does to it: several threads in one object, arrays
// that are written to while the core reads them, text that is no text.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "../errors.h"
#include "arrays.h"

namespace tempo::bind {

// Lets one thread at a time into an object; the others wait. Nobody waits with the GIL held, so
// that work inside may take it. (A search refuses instead, see OneAtATime: it lasts long, and the
// callback that it asks could wait for itself.)
class Alone {
 public:
  // Calls work() alone. Call with the GIL released.
  template <class Work>
  decltype(auto) operator()(const Work& work) {
    const std::lock_guard lock(mutex_);
    return work();
  }

  // The same with the GIL held, for what is quick; it is released only to wait.
  template <class Work>
  decltype(auto) briefly(const Work& work) {
    std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) {
      const nb::gil_scoped_release release;
      lock.lock();
    }
    return work();
  }

  // Calls work(), which only reads, together with others that do. Call with the GIL released.
  template <class Work>
  decltype(auto) reading(const Work& work) {
    const std::shared_lock lock(mutex_);
    return work();
  }

 private:
  std::shared_mutex mutex_;
};

// Lets one call at a time into a search. The GIL is released meanwhile, so another thread, or the
// callback that the search itself asks, could otherwise change a tree that is being walked.
class OneAtATime {
 public:
  template <class Work>
  decltype(auto) operator()(Work work) {
    if (running_.test_and_set()) {
      throw std::runtime_error("this search is already running; use one for each thread");
    }
    const Leave leave{running_};
    return work();
  }

 private:
  struct Leave {
    explicit Leave(std::atomic_flag& f) : flag(f) {}
    ~Leave() { flag.clear(); }
    Leave(const Leave&) = delete;
    Leave& operator=(const Leave&) = delete;
    std::atomic_flag& flag;
  };

  std::atomic_flag running_;
};

// An incoming array, copied before anything in it is checked: NumPy's memory may be written to by
// another thread at any time, and what was a sound index would be none when it is used.
template <class T, int Dimensions>
class Copied {
 public:
  Copied() = default;
  explicit Copied(const Input<T, Dimensions>& array)
      : values_(array.data(), array.data() + array.size()) {
    for (std::size_t i = 0; i < Dimensions; ++i) shape_[i] = array.shape(i);
  }

  [[nodiscard]] const T* data() const { return values_.data(); }
  [[nodiscard]] std::size_t size() const { return values_.size(); }
  [[nodiscard]] std::size_t shape(std::size_t i) const { return shape_[i]; }
  [[nodiscard]] auto begin() const { return values_.begin(); }
  [[nodiscard]] auto end() const { return values_.end(); }
  // NOLINTNEXTLINE(google-explicit-constructor): it is one
  operator std::span<const T>() const { return values_; }

 private:
  std::vector<T> values_;
  std::array<std::size_t, Dimensions> shape_{};
};

// Text from Python. A str may hold half a surrogate pair, which no encoding can write:
// reading it is then a ParseError.
class Text {
 public:
  Text() = default;
  explicit Text(nb::handle text) {
    Py_ssize_t size = 0;
    data_ = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (data_ == nullptr) PyErr_Clear();
    size_ = static_cast<std::size_t>(size);
  }

  [[nodiscard]] std::string_view view() const {
    if (data_ != nullptr) return {data_, size_};
    throw ParseError("this text holds a lone surrogate, which stands for no character");
  }
  [[nodiscard]] std::string string() const { return std::string(view()); }

 private:
  const char* data_ = nullptr;  // kept by the str itself
  std::size_t size_ = 0;
};

}  // namespace tempo::bind

namespace nanobind::detail {

template <class T, int Dimensions>
struct type_caster<tempo::bind::Copied<T, Dimensions>> {
  using Value = tempo::bind::Copied<T, Dimensions>;
  using Array = tempo::bind::Input<T, Dimensions>;
  template <class>
  using Cast = Value;
  static constexpr auto Name = make_caster<Array>::Name;

  bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
    return array_.from_python(source, flags, cleanup);
  }
  template <class>
  [[nodiscard]] bool can_cast() const noexcept {
    return true;
  }
  // Here, not in from_python: copying may find no memory.
  explicit operator Value() { return Value(array_.value); }

 private:
  make_caster<Array> array_;
};

template <>
struct type_caster<tempo::bind::Text> {
  NB_TYPE_CASTER(tempo::bind::Text, const_name("str"))

  bool from_python(handle source, std::uint32_t, cleanup_list*) noexcept {
    if (!PyUnicode_Check(source.ptr())) return false;
    value = tempo::bind::Text(source);
    return true;
  }
};

}  // namespace nanobind::detail
