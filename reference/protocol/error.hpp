#pragma once

#include <boost/system/result.hpp>
#include <stdexcept>
#include <string>

namespace hallmark::protocol {

/// What went wrong, as one line for people: what came, what was expected, what to do.
struct Error {
  std::string message;
};

template <class T>
using Result = boost::system::result<T, Error>;

/// Asking a failed result for its value is a mistake of the program.
[[noreturn]] inline void throw_exception_from_error(const Error& error,
                                                    const boost::source_location&) {
  throw std::logic_error(error.message);
}

}  // namespace hallmark::protocol
