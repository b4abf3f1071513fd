#pragma once

#include <cstdint>
#include <string_view>

#include "base/bytes.hpp"

namespace hallmark::conformance {

/// Nanoseconds of a clock that never goes back; its zero means nothing.
using Time = std::uint64_t;

/// Numbers that a case takes from what the threads of a run share. All but the serial are 0 as long
/// as nothing went wrong.
enum class Shared : std::uint8_t {
  serial,                ///< serial number of a request; no two of the run have the same
  curtailed,             ///< ns; by how much the next wait in vain is shorter than a deadline
  hopeless,              ///< 1: nothing is left for waits in vain, and nothing was ever answered
  stopped,               ///< 1: the run is to end
  curtailed_deliveries,  ///< like `curtailed`, for waits for deliveries
  curtailed_farewells,   ///< like `curtailed`, for the end of a connection that may go on
  slowness,  ///< ns; by how much longer than usual a silence has to be to look like a hang
  lost,      ///< why nothing more is asked of the target: a `Loss`
  beside,    ///< number of other cases that are being played
  untidy,    ///< 1: what a case leaves behind is not removed any more
  waits,     ///< 1: while part of a request is there, the target answers nobody
  apart,     ///< 1: requests are answered one by one only
  halves,    ///< number of requests of which a part was sent, and whose rest waits for others
};

inline constexpr std::size_t shared_numbers = 13;

/// The clock of a run, and what the run tells those that keep it or play it again
/// (conformance/record), beside bytes: enough that each of its parts goes the same way again. To
/// all others that means nothing.
class Seam {
 public:
  Seam() = default;
  virtual ~Seam() = default;
  Seam(const Seam&) = delete;
  Seam& operator=(const Seam&) = delete;

  virtual Time now() const = 0;

  /// This thread plays the part of that name, mostly a case, from here until the next call.
  virtual void begin_part(std::string_view /*name*/) {}

  /// Returns the number as it is now or, when the run is played again, as it was then.
  virtual std::uint64_t shared(Shared /*what*/, std::uint64_t current) { return current; }

  /// Returns whether the run is to end. `now`: it was interrupted, or its time is over.
  bool is_over(bool now) { return shared(Shared::stopped, now ? 1 : 0) != 0; }

  /// The bytes that came are taken for a message of that name.
  virtual void judged(std::string_view /*message*/, base::ByteView /*bytes*/) {}
};

}  // namespace hallmark::conformance
