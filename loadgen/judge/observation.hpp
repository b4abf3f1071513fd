#pragma once
#include <cstdint>

#include "base/bytes.hpp"
#include "oracle/record_history.hpp"

namespace hallmark::loadgen {

/// The outcome of one request on a watched key. Times are nanoseconds from the start of the run.
struct Observation {
  std::uint64_t index = 0;  ///< of the request in the run
  std::uint32_t part = 0;
  std::uint32_t key = 0;
  std::uint32_t client = 0;  ///< a socket of a connection: what is in flight on it has an order
  std::int64_t sent_ns = 0;
  std::int64_t received_ns = oracle::never_ns;  ///< never: the reply is lost, or came too late
  bool success = false;
  std::uint64_t told = 0;  ///< a quota, or the writer of a value
  base::Bytes reply = {};
};

}  // namespace hallmark::loadgen
