#pragma once
#include <boost/system/result.hpp>
#include <stdexcept>
#include <string>

namespace hallmark::proxy {

/// Why something was refused or could not be done: one line, fit to be shown as it is.
struct Error {
  std::string message;
};

template <class T>
using Result = boost::system::result<T, Error>;

[[noreturn]] inline void throw_exception_from_error(const Error& error,
                                                    const boost::source_location&) {
  throw std::runtime_error(error.message);
}

}  // namespace hallmark::proxy
