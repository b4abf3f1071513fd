#pragma once
#include <string>

#include "base/error.hpp"

namespace hallmark::base {

/// A shared library that is loaded when it is first needed, and stays loaded. The loader spends
/// more time on the libraries that few commands need, and on those that these need in turn, than
/// the program takes to start without them.
class SharedLibrary {
 public:
  /// `name`: with its version, as the loader finds it: "libpq.so.5". Error: the loader's reason.
  static Result<SharedLibrary> load(const std::string& name);

  /// Sets `function` to the library's function of that name, and leaves the first name that the
  /// library lacks for `complete`.
  template <class Function>
  SharedLibrary& find(const char* name, Function*& function) {
    function = reinterpret_cast<Function*>(address_of(name));
    return *this;
  }

  /// Error: one of the functions is missing.
  Result<void> complete() const;

 private:
  SharedLibrary(void* handle, std::string name) : handle_(handle), name_(std::move(name)) {}
  void* address_of(const char* function);

  void* handle_;
  std::string name_;
  std::string missing_;  ///< the first function that was not found; empty: all were
};

}  // namespace hallmark::base
