#pragma once
#include <cstddef>

#include "protocol/codec/byte_buffer.hpp"
#include "protocol/dialects.hpp"
#include "protocol/readings.hpp"
#include "reference/model/rates/rate_limiter.hpp"

namespace hallmark::server {

/// Answers datagrams one by one.
class DatagramHandler {
 public:
  DatagramHandler() = default;
  DatagramHandler(const DatagramHandler&) = delete;
  DatagramHandler& operator=(const DatagramHandler&) = delete;
  virtual ~DatagramHandler() = default;

  /// Appends the reply to `out` and returns its size; 0: silence. Changes take effect at `now`. If
  /// a datagram is longer than `most_bytes()`, it is enough to pass that many bytes.
  virtual std::size_t answer(base::ByteView datagram, model::Time now,
                             protocol::ByteBuffer& out) = 0;

  /// Returns the number of a datagram's bytes, from its first, that can make a difference.
  virtual std::size_t most_bytes() const = 0;
};

/// The protocol's half of a server of ratelimit-udp: the bytes of one datagram in, those of its
/// reply or nothing out. No socket, no clock, and nothing kept from one datagram to the next but
/// what the limiter keeps.
class DatagramSession final : public DatagramHandler {
 public:
  /// `limiter`, which behaves as `readings` say, and `readings` outlive it.
  DatagramSession(model::RateLimiter& limiter, const protocol::Readings& readings)
      : limiter_(limiter), readings_(readings) {}

  std::size_t answer(base::ByteView datagram, model::Time now, protocol::ByteBuffer& out) override;
  std::size_t most_bytes() const override;

 private:
  struct Request;

  std::size_t answer_over_limit(const Request& request, model::Time now, protocol::ByteBuffer& out);
  std::size_t answer_get_stats(const Request& request, model::Time now, protocol::ByteBuffer& out);
  std::size_t answer_get_size(const Request& request, protocol::ByteBuffer& out);
  std::size_t answer_ping(const Request& request, protocol::ByteBuffer& out);

  template <std::size_t operation>
  bool read(base::ByteView datagram, Request& request) const;
  template <std::size_t operation>
  bool read_with_key(base::ByteView datagram, Request& request) const;

  model::RateLimiter& limiter_;
  const protocol::Readings& readings_;
};

}  // namespace hallmark::server
