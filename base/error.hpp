#pragma once
#include <boost/system/result.hpp>
#include <stdexcept>
#include <string>

namespace hallmark::base {

/// Why something was refused or could not be done, as one line for people: what is wrong with
/// what, what was expected, what to do.
struct Error {
  std::string message{};
};

/// A value, or the error in its place.
template <class T>
using Result = boost::system::result<T, Error>;

/// Called by Boost where a failed result is asked for its value: a mistake of the program.
[[noreturn]] inline void throw_exception_from_error(const Error& error,
                                                    const boost::source_location&) {
  throw std::logic_error(error.message);
}

}  // namespace hallmark::base
