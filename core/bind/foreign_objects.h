// Asks objects of Python, with the GIL held: attributes by name, methods, texts.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "../random.h"
#include "guard.h"

namespace tempo::bind {

// The names of attributes, made once and never given back.
struct Names {
  static PyObject* kept(const char* name) { return PyUnicode_InternFromString(name); }

  PyObject* turn = kept("turn");
  PyObject* legal_moves = kept("legal_moves");
  PyObject* outcome = kept("outcome");
  PyObject* reason = kept("reason");
  PyObject* play = kept("play");
  PyObject* text = kept("text");
  PyObject* key = kept("key");
  PyObject* board = kept("board");
  PyObject* move_text = kept("move_text");
  PyObject* features = kept("features");
  PyObject* evaluation = kept("evaluation");
  PyObject* view = kept("view");
  PyObject* view_board = kept("view_board");
  PyObject* public_text = kept("public_text");
  PyObject* sample = kept("sample");
  PyObject* open_moves = kept("open_moves");
};
inline const Names& names() {
  static const Names all;
  return all;
}

inline nb::object checked(PyObject* fresh) {
  if (fresh == nullptr) nb::raise_python_error();
  return nb::steal(fresh);
}
inline nb::object ask(nb::handle object, PyObject* name) {
  return checked(PyObject_GetAttr(object.ptr(), name));
}
inline nb::object call(nb::handle object, PyObject* name, long argument) {
  const nb::object number = checked(PyLong_FromLong(argument));
  PyObject* arguments[] = {object.ptr(), number.ptr()};
  return checked(
      PyObject_VectorcallMethod(name, arguments, 2 | PY_VECTORCALL_ARGUMENTS_OFFSET, nullptr));
}
inline nb::object call_with(PyObject* callable, const nb::object& argument) {
  PyObject* arguments[] = {argument.ptr()};
  return checked(PyObject_Vectorcall(callable, arguments, 1, nullptr));
}
// Python's own generator of random numbers, on a stream of its own.
inline nb::object generator(Random& random) {
  return nb::module_::import_("random").attr("Random")(random.next());
}
inline std::string ascii(nb::handle text, const char* what) {
  if (nb::isinstance<nb::str>(text)) {
    const std::string_view letters = Text(text).view();
    if (std::all_of(letters.begin(), letters.end(), [](char c) { return c > 0; })) {
      return std::string(letters);
    }
  }
  throw ParseError(std::string(what) + " is plain ASCII text, not " + nb::repr(text).c_str());
}

}  // namespace tempo::bind
