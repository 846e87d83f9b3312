// The extension tempo._core: shared types, then what the other files of this room bind.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include "../errors.h"
#include "binding.h"
#include "played.h"
#include "search_types.h"
#include "stopping.h"

namespace nb = nanobind;

namespace {

// What the machine cannot give is a MemoryError in words; C++'s own texts name its insides.
void translate_resources(const std::exception_ptr& thrown, void*) {
  constexpr const char* no_memory = "there is not enough memory for this";
  try {
    std::rethrow_exception(thrown);
  } catch (const tempo::OutOfResources& error) {
    PyErr_SetString(PyExc_MemoryError, error.what());
  } catch (const std::bad_alloc&) {
    PyErr_SetString(PyExc_MemoryError, no_memory);
  } catch (const std::length_error&) {
    PyErr_SetString(PyExc_MemoryError, no_memory);
  }
}

}  // namespace

NB_MODULE(_core, m) {
  m.doc() = "Rules, features, searches and batches. Private: use tempo's own names.";
  nb::exception<tempo::ParseError>(m, "ParseError", PyExc_ValueError).doc() =
      "Text, options or arrays that do not mean anything.";
  nb::exception<tempo::IllegalMove>(m, "IllegalMove", PyExc_ValueError).doc() =
      "A move that is well formed but not legal in its position.";
  tempo::bind::bind_stopping(m);
  nb::register_exception_translator(translate_resources);
  nb::class_<tempo::bind::EndOfGame>(m, "Outcome", "Why a game ended and what each seat got.")
      .def_ro("reason", &tempo::bind::EndOfGame::reason)
      .def_prop_ro(
          "scores",
          [](const tempo::bind::EndOfGame& end) {
            nb::list list;
            for (const float score : end.scores) list.append(score);
            return nb::tuple(list);
          },
          nb::sig("def scores(self) -> tuple[float, ...]"), "One number per seat in [-1, 1].")
      .def(
          "__eq__",
          [](const tempo::bind::EndOfGame& a, const tempo::bind::EndOfGame& b) {
            return a.reason == b.reason && a.scores == b.scores;
          },
          nb::is_operator())
      .def("__repr__", [](const tempo::bind::EndOfGame& end) {
        std::string text = end.reason + " (";
        for (std::size_t i = 0; i < end.scores.size(); ++i) {
          text += (i ? ", " : "") + nb::cast<std::string>(nb::str(nb::float_(end.scores[i])));
        }
        return text + ")";
      });
  tempo::bind::bind_search_types(m);
  tempo::bind::Binding::bind_all(m);
}
