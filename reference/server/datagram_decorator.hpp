#pragma once

#include <cstddef>
#include <memory>

#include "reference/model/rates/rate_limiter.hpp"
#include "reference/session/datagram_session.hpp"

namespace hallmark::server {

/// Puts something around the parts of a server of datagrams. This one puts nothing there. Outlives
/// the server, which asks on its thread.
class DatagramDecorator {
 public:
  DatagramDecorator() = default;
  DatagramDecorator(const DatagramDecorator&) = delete;
  DatagramDecorator& operator=(const DatagramDecorator&) = delete;
  virtual ~DatagramDecorator() = default;

  /// Once, before anybody is served.
  virtual void around_limiter(model::RateLimiter& /*limiter*/) {}
  /// Around what answers datagrams, which outlives it; null: nothing.
  virtual std::unique_ptr<DatagramHandler> around_handler(DatagramHandler& /*inner*/) {
    return nullptr;
  }

  /// Datagrams have arrived and are about to be read.
  virtual void before_receiving() {}
  /// Returns the index of the datagram whose sender gets the reply to `datagram`, among those that
  /// were read together.
  virtual std::size_t recipient(std::size_t datagram, std::size_t /*received*/) { return datagram; }
  /// Returns how often that reply is sent: 0, 1, or 2 if it is the only one.
  virtual unsigned copies(std::size_t /*received*/) { return 1; }
};

}  // namespace hallmark::server
