#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/bytes.hpp"
#include "base/expected.hpp"
#include "conformance/engine/seam.hpp"

/// The one seam between conformance cases and the world: bytes and time come through here and
/// nowhere else, so that every case also runs against a simulated target in simulated time.
namespace hallmark::conformance {

enum class Arrival : std::uint8_t { bytes, closed, reset, timed_out };

enum class Dispatch : std::uint8_t { sent, refused, timed_out };

/// A stream connection to the target. Closed when it is destroyed.
class Link {
 public:
  Link() = default;
  virtual ~Link() = default;
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  /// Hands all `bytes` over before `until`. `refused`: the target no longer takes any.
  virtual Dispatch send(base::ByteView bytes, Time until) = 0;

  /// Hands over what the target takes at once, without reading anything of what it sends; how many
  /// bytes those were.
  virtual std::size_t offer(base::ByteView bytes) = 0;

  /// Appends what arrives next, some bytes at a time, to `into`; waits for it at most until
  /// `until`.
  virtual Arrival receive(base::Bytes& into, Time until) = 0;

  /// Says that nothing more will be sent; what the target sends still arrives.
  virtual void finish_sending() = 0;

  /// Ends the connection at once, as a process that dies does: what was not read is lost. Nothing
  /// else is called afterwards.
  virtual void reset() = 0;
};

class Supervisor;

using LinkResult = base::Expected<std::unique_ptr<Link>, std::string>;

class Network : public Seam {
 public:
  /// A new connection to the target. Errors: one line that says why there is none.
  virtual LinkResult connect(Time until) = 0;
  virtual void wait_until(Time until) = 0;

  /// Returns the supervisor of a target that was started here, and is started afresh when it dies;
  /// null for any other target.
  virtual Supervisor* supervisor() { return nullptr; }
};

}  // namespace hallmark::conformance
