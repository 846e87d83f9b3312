// A reference to anything that can be called, for templates that would else be compiled once for
// each lambda. It must not outlive what it refers to.
#pragma once

namespace tempo {

template <class Signature>
class FunctionRef;

template <class Result, class... Args>
class FunctionRef<Result(Args...)> {
 public:
  template <class F>
  FunctionRef(const F& f)  // NOLINT(google-explicit-constructor): any lambda is one
      : of_(&f), call_([](const void* of, Args... args) -> Result {
          return (*static_cast<const F*>(of))(args...);
        }) {}

  Result operator()(Args... args) const { return call_(of_, args...); }

 private:
  const void* of_;
  Result (*call_)(const void* of, Args... args);
};

}  // namespace tempo
