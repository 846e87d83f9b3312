// Binds tables of learnt values: read, updated, stored and loaded by arrays, the GIL released.
#include "value_table.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <cmath>
#include <optional>
#include <string>

#include "arrays.h"
#include "binding.h"

namespace tempo::bind {

namespace {

using namespace nb::literals;
using Keys = FlatInput<std::uint64_t>;
using Flags = FlatInput<bool>;

// A fresh array of the shape of another.
template <class T, class A>
Array<T> array_like(const A& other) {
  std::vector<std::size_t> shape(other.ndim());
  for (std::size_t i = 0; i < shape.size(); ++i) shape[i] = other.shape(i);
  T* data = new T[other.size()];
  const nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return Array<T>(data, shape.size(), shape.data(), owner);
}

template <class A, class B>
void check_same_shape(const A& keys, const B& others, const char* what) {
  bool same = keys.ndim() == others.ndim();
  for (std::size_t i = 0; same && i < keys.ndim(); ++i) same = keys.shape(i) == others.shape(i);
  if (!same) throw ParseError(std::string(what) + " must have the shape of the keys");
}

nb::tuple read(HeldTable& held, const Keys& keys, const std::optional<Flags>& wanted) {
  if (wanted) check_same_shape(keys, *wanted, "wanted");
  // NumPy lets a bool be a 2, which C++ does not: they are read as bytes.
  const auto* flags = wanted ? reinterpret_cast<const std::uint8_t*>(wanted->data()) : nullptr;
  auto values = array_like<float>(keys);
  auto visits = array_like<std::uint32_t>(keys);
  {
    const nb::gil_scoped_release release;
    held.alone([&] {
      held.table.read({keys.data(), keys.size()}, flags, values.data(), visits.data(), *held.pool);
    });
  }
  return nb::make_tuple(values, visits);
}

// Numbers for keys; what is not finite would spoil a value for good.
std::span<const std::uint64_t> checked(const Input<std::uint64_t, 1>& keys,
                                       const Input<double, 1>& numbers, const char* what) {
  check_same_shape(keys, numbers, what);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!std::isfinite(numbers.data()[i])) {
      throw ParseError(std::string(what) + " has a number that is not finite at " +
                       std::to_string(i));
    }
  }
  return {keys.data(), keys.size()};
}

void add(HeldTable& held, const Input<std::uint64_t, 1>& keys, const Input<double, 1>& deltas) {
  const nb::gil_scoped_release release;
  const auto all = checked(keys, deltas, "deltas");
  held.alone([&] { held.table.add(all, deltas.data()); });
}

void approach(HeldTable& held, const Input<std::uint64_t, 1>& keys, const Input<double, 1>& targets,
              double share) {
  if (!(share >= 0 && share <= 1)) {
    throw ParseError("a share of " + std::to_string(share) + "; expected 0 to 1");
  }
  const nb::gil_scoped_release release;
  const auto all = checked(keys, targets, "targets");
  held.alone([&] { held.table.approach(all, targets.data(), share); });
}

nb::tuple entries(HeldTable& held) {
  std::vector<ValueTable::Entry> sorted;
  {
    const nb::gil_scoped_release release;
    held.alone([&] { sorted = held.table.sorted(); });
  }
  auto keys = new_array<std::uint64_t>({sorted.size()});
  auto values = new_array<float>({sorted.size()});
  auto visits = new_array<std::uint32_t>({sorted.size()});
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    keys.data()[i] = sorted[i].key;
    values.data()[i] = sorted[i].value;
    visits.data()[i] = sorted[i].visits;
  }
  return nb::make_tuple(keys, values, visits);
}

void load(HeldTable& held, const Input<std::uint64_t, 1>& keys, const Input<float, 1>& values,
          const Input<std::uint32_t, 1>& visits) {
  check_same_shape(keys, values, "values");
  check_same_shape(keys, visits, "visits");
  const nb::gil_scoped_release release;
  ValueTable table;
  table.reserve(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const ValueTable::Entry entry{keys.data()[i], values.data()[i], visits.data()[i]};
    if (entry.visits == 0 || !std::isfinite(entry.value)) {
      throw ParseError("entry " + std::to_string(i) +
                       " of a table; expected a finite value and at least one visit");
    }
    table.put(entry);
  }
  if (table.size() != keys.size()) throw ParseError("a key twice; expected each one once");
  held.alone([&] { std::swap(held.table, table); });
}

const Binding bind_value_table("value_table", [](nb::module_& core) {
  auto m = core.def_submodule("tables", "Learnt values by key.");
  nb::class_<HeldTable>(m, "ValueTable",
                        "Values and visits by 64-bit key. Absent keys have value 0 and no visits. "
                        "`threads` read it; they never change it.")
      .def(nb::init<int>(), "threads"_a = 1)
      .def("__len__",
           [](HeldTable& held) { return held.alone.briefly([&] { return held.table.size(); }); })
      .def_prop_ro(
          "memory",
          [](HeldTable& held) { return held.alone.briefly([&] { return held.table.memory(); }); },
          "Bytes held.")
      .def("read", &read, "keys"_a, "wanted"_a = nb::none(),
           nb::sig("def read(self, keys: numpy.typing.NDArray[numpy.uint64], "
                   "wanted: numpy.typing.NDArray[numpy.bool_] | None = None) -> "
                   "tuple[numpy.typing.NDArray[numpy.float32], "
                   "numpy.typing.NDArray[numpy.uint32]]"),
           "Values and visits in the shape of the keys; 0 where a key is absent or not wanted.")
      .def("add", &add, "keys"_a, "deltas"_a,
           nb::sig("def add(self, keys: numpy.typing.NDArray[numpy.uint64], "
                   "deltas: numpy.typing.NDArray[numpy.float64]) -> None"),
           "Adds deltas [N] to the values of keys [N] and counts a visit, one after the other.")
      .def("approach", &approach, "keys"_a, "targets"_a, "share"_a,
           nb::sig("def approach(self, keys: numpy.typing.NDArray[numpy.uint64], "
                   "targets: numpy.typing.NDArray[numpy.float64], share: float) -> None"),
           "Moves values of keys [N] a share of the way to targets [N] and counts a visit, one "
           "after the other: a key that comes twice moves on from where it is.")
      .def("entries", &entries,
           nb::sig("def entries(self) -> tuple[numpy.typing.NDArray[numpy.uint64], "
                   "numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.uint32]]"),
           "Keys in ascending order, their values and visits.")
      .def("load", &load, "keys"_a, "values"_a, "visits"_a,
           nb::sig("def load(self, keys: numpy.typing.NDArray[numpy.uint64], "
                   "values: numpy.typing.NDArray[numpy.float32], "
                   "visits: numpy.typing.NDArray[numpy.uint32]) -> None"),
           "Holds what `entries` gave, and nothing else.");
});

}  // namespace
}  // namespace tempo::bind
