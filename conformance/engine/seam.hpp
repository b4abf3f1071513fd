#pragma once

#include <cstdint>
#include <string_view>

#include "base/bytes.hpp"

namespace hallmark::conformance {

/// Numbers that a case takes from what the threads of a run share. All but the serial are 0 as long
/// as nothing went wrong.
enum class Shared : std::uint8_t {
  serial,                ///< of requests; no two of the run have the same
  curtailed,             ///< ns; by how much the next wait in vain is shorter than a deadline
  exhausted,             ///< 1: nothing is left for waits in vain
  stopped,               ///< 1: the run is to end
  curtailed_deliveries,  ///< as `curtailed`, of waits for deliveries
  slowness,      ///< ns; by how much longer than usual a silence has to be to look like a hang
  started_here,  ///< 1: the target is a process that can be started afresh
  afresh,        ///< 1: it was started afresh when this part began
};

inline constexpr std::size_t shared_numbers = 8;

/// What a run tells those that keep it or play it again (conformance/record), beside bytes and
/// time: enough that each of its parts goes the same way again. To all others it means nothing.
class Seam {
 public:
  Seam() = default;
  virtual ~Seam() = default;
  Seam(const Seam&) = delete;
  Seam& operator=(const Seam&) = delete;

  /// What follows on this thread, until the next call, is the part of that name: a case, mostly.
  virtual void begin_part(std::string_view /*name*/) {}

  /// A number as it is now; played again, as it was then.
  virtual std::uint64_t shared(Shared /*what*/, std::uint64_t current) { return current; }

  /// What came is taken for a message of that name.
  virtual void judged(std::string_view /*message*/, base::ByteView /*bytes*/) {}
};

}  // namespace hallmark::conformance
