#pragma once
#include <stdexcept>
#include <string>

#include "base/expected.hpp"

namespace hallmark::base {

/// Why something was refused or could not be done, as one line for people: what is wrong with
/// what, what was expected, what to do.
struct Error {
  std::string message{};
};

[[noreturn]] inline void throw_error(const Error& error) { throw std::logic_error(error.message); }

/// A value, or the error in its place.
template <class T>
using Result = Expected<T, Error>;

}  // namespace hallmark::base
