#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace hallmark::reports {

/// A latency distribution in nanoseconds. Requests without a reply hide what is beyond the others:
/// that is nothing, never a number of the answered ones alone.
struct Quantiles {
  std::uint64_t count = 0;  ///< of those known
  std::uint64_t min = 0;
  std::optional<std::uint64_t> p50 = 0, p90 = 0, p99 = 0, p999 = 0, p9999 = 0, max = 0;
  std::optional<double> mean = 0;
  bool operator==(const Quantiles&) const = default;
};

/// Requests of a distribution of which only is known that they took longer than something.
struct Censored {
  std::uint64_t count = 0;
  std::uint64_t beyond_ns = 0;  ///< each took longer
  std::string reason;           ///< one line
  bool operator==(const Censored&) const = default;
};

/// One distribution with what is needed to merge it with those of other runs.
struct Latency {
  Quantiles quantiles;
  std::string
      histogram;  ///< HdrHistogram V2, zlib-compressed, base64; may be empty when count is 0
  std::optional<Censored> censored = {};  ///< why quantiles are unknown
  bool operator==(const Latency&) const = default;
};

}  // namespace hallmark::reports
