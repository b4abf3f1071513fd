#pragma once
#include <boost/system/result.hpp>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace hallmark::stores {

enum class ErrorKind : std::uint8_t {
  usage,        ///< an address or an option is not what is allowed
  unreachable,  ///< no connection could be made
  denied,       ///< the store does not let us in, or not do this
  missing,      ///< no such file, database, table or column
  lost,         ///< a connection that stood broke, or the deadline passed: reconnect, and try again
  failed,       ///< the store refused for another reason, or what it said makes no sense
};

/// Why a store could not be read or written.
struct Error {
  ErrorKind kind = ErrorKind::failed;
  std::string message;  ///< one line, fit to be shown as it is

  /// The same may succeed after reconnecting.
  bool retryable() const { return kind == ErrorKind::lost; }
};

template <class T>
using Result = boost::system::result<T, Error>;

[[noreturn]] inline void throw_exception_from_error(const Error& error,
                                                    const boost::source_location&) {
  throw std::runtime_error(error.message);
}

}  // namespace hallmark::stores
