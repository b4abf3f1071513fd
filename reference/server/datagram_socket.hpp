#pragma once
#include <cstdint>

#include "base/descriptor.hpp"
#include "base/endpoint.hpp"

namespace hallmark::server {

/// A UDP socket that is bound. Never blocks.
class DatagramSocket {
 public:
  /// Binds to an endpoint and asks for that much room for what has not been read.
  /// Error: one line with the endpoint and the reason.
  static base::Result<DatagramSocket> bind(const base::UdpEndpoint& endpoint,
                                           int receive_buffer_bytes);

  int descriptor() const { return descriptor_.get(); }
  /// The bound endpoint, with the port that the system chose.
  const base::UdpEndpoint& endpoint() const { return endpoint_; }
  /// Returns the buffer size that the system granted, in its own counting, which includes its
  /// overhead.
  int receive_buffer_bytes() const;
  /// Returns the number of datagrams that the system dropped since the socket was opened, for want
  /// of room.
  std::uint64_t dropped() const;

 private:
  explicit DatagramSocket(base::Descriptor descriptor) : descriptor_(std::move(descriptor)) {}

  base::Descriptor descriptor_;
  base::UdpEndpoint endpoint_;
};

}  // namespace hallmark::server
