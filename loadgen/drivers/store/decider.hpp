#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "loadgen/drivers/store/limiter.hpp"
#include "stores/store.hpp"

namespace hallmark::loadgen::store {

/// The outcome of one request.
struct Decided {
  enum class End : std::uint8_t {
    allowed,
    denied,
    gave_up,    ///< every attempt met with a conflict
    bad_state,  ///< the store does not hold a state of the limiter
    failed,     ///< the store failed: what was to be written may be there or not
  } end = End::failed;
  std::uint32_t conflicts = 0;
  std::int64_t now_ns = 0;  ///< of the last attempt: what the limiter decided by
  bool lost = false;        ///< of `failed`: the connection is of no use any more
  std::string why = {};     ///< of `bad_state` and `failed`: one line
};

/// Decides about one request of a key: reads its state, asks the limiter, writes what it says if
/// the state is still the same; after a conflict all of that again, at most `retries` times.
///
/// `clock` gives nanoseconds since the epoch, is read after the state, and never goes back: a state
/// that was read is older than the time by which it is judged, so the admissions of a key have
/// times in the order in which they were written, whoever wrote them.
Decided decide(stores::Connection& connection, const Limiter& limiter, const std::string& key,
               std::uint32_t retries, const std::function<std::int64_t()>& clock);

}  // namespace hallmark::loadgen::store
