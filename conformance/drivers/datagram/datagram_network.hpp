#pragma once

#include "conformance/drivers/stream/network.hpp"

/// The seam between the cases of datagram dialects and the world, as
/// conformance/drivers/stream/network.hpp is for streams.
namespace hallmark::conformance {

enum class DatagramArrival : std::uint8_t {
  datagram,
  refused,  ///< nobody listens at the target's port
  timed_out,
};

/// A socket that sends to the target and receives from it alone. Closed when it is destroyed.
class DatagramLink {
 public:
  DatagramLink() = default;
  virtual ~DatagramLink() = default;
  DatagramLink(const DatagramLink&) = delete;
  DatagramLink& operator=(const DatagramLink&) = delete;

  /// One datagram. `refused`: it is too large for the path, or nobody listens.
  virtual Dispatch send(base::ByteView datagram) = 0;

  /// Sets `into` to the next datagram; waits for it at most until `until`.
  virtual DatagramArrival receive(base::Bytes& into, Time until) = 0;
};

using DatagramLinkResult = base::Expected<std::unique_ptr<DatagramLink>, std::string>;

class DatagramNetwork : public Seam {
 public:
  /// A socket with a port of its own. Errors: one line that says why there is none.
  virtual DatagramLinkResult open() = 0;
  virtual void wait_until(Time until) = 0;

  /// Returns the supervisor of a target that was started here, and is started afresh when it dies;
  /// null for any other target.
  virtual Supervisor* supervisor() { return nullptr; }
};

}  // namespace hallmark::conformance
