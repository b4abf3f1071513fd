#pragma once
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/error.hpp"

namespace hallmark::stores {

enum class ErrorKind : std::uint8_t {
  usage,        ///< an address or an option is not what is allowed
  unreachable,  ///< no connection could be made
  starved,      ///< this machine has no port, descriptor or memory left for a connection
  denied,       ///< the store does not let us in, or not do this
  missing,      ///< no such file, database, table or column
  lost,         ///< a connection that stood broke, or the deadline passed: reconnect, and try again
  failed,       ///< the store refused for another reason, or what it said makes no sense
};

/// Why a store could not be read or written.
struct Error : base::Error {
  ErrorKind kind = ErrorKind::failed;

  Error() = default;
  Error(ErrorKind its_kind, std::string its_message)
      : base::Error{std::move(its_message)}, kind(its_kind) {}

  /// The same may succeed after reconnecting.
  bool retryable() const { return kind == ErrorKind::lost; }
};

/// `starved` or `unreachable`: why a library could not connect, by its message. The libraries name
/// an error of the system by its words (strerror), not by its number.
ErrorKind kind_of_failed_connect(std::string_view message);

template <class T>
using Result = base::Expected<T, Error>;

}  // namespace hallmark::stores
