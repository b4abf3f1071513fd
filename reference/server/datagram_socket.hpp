#pragma once
#include <cstdint>

#include "base/error.hpp"
#include "reference/server/endpoint.hpp"

namespace hallmark::server {

/// A UDP socket that is bound. Never blocks.
class DatagramSocket {
 public:
  /// Binds to an endpoint of kind udp and asks for that much room for what has not been read.
  /// Error: one line with the endpoint and the reason.
  static base::Result<DatagramSocket> bind(const Endpoint& endpoint, int receive_buffer_bytes);

  DatagramSocket(DatagramSocket&& other) noexcept;
  DatagramSocket& operator=(DatagramSocket&&) = delete;
  ~DatagramSocket();

  int descriptor() const { return descriptor_; }
  /// With the port that the system chose.
  const Endpoint& endpoint() const { return endpoint_; }
  /// What the system granted, in its own counting, which includes its overhead.
  int receive_buffer_bytes() const;
  /// Datagrams that the system threw away since the socket was opened, for want of room.
  std::uint64_t dropped() const;

 private:
  explicit DatagramSocket(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
  Endpoint endpoint_;
};

}  // namespace hallmark::server
