#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace hallmark::loadgen::store {

/// A limiter's decision about one request.
struct Decision {
  bool allowed = false;
  std::optional<std::string> state = {};    ///< to be written; empty: nothing is
  std::chrono::milliseconds expires_in{0};  ///< with `state`; longer than 0
};

/// A rate limiter whose state is text in a store. Called by many threads at once.
class Limiter {
 public:
  virtual ~Limiter() = default;

  /// `state`: what the store holds, nothing when it holds none; `now_ns`: since the epoch.
  /// Error: one line; the state is none of this limiter's.
  virtual base::Result<Decision> decide(std::optional<std::string_view> state,
                                        std::int64_t now_ns) const = 0;
};

}  // namespace hallmark::loadgen::store
