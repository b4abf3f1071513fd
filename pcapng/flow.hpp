#pragma once

#include <array>

#include "pcapng/frames.hpp"
#include "pcapng/writer.hpp"

namespace hallmark::pcapng {

enum class Side : std::uint8_t { client, server };

/// A TCP connection, packet by packet, as a capture would show it: each side acknowledges all that
/// the other has sent before. The writer is named in each call, and may be another one for each.
class TcpFlow {
 public:
  /// Addresses of two families are made alike.
  TcpFlow(Address client, Address server);

  /// The handshake.
  void open(Writer& writer, Time at, std::string_view comment = {});
  /// Bytes, in as many packets as they need; the comment is on the first.
  void send(Writer& writer, Side from, Time at, base::ByteView bytes,
            std::string_view comment = {});
  /// Bytes that were sent and are not in the capture: readers see where they are missing.
  void skip(Side from, std::uint64_t length);
  /// The side sends nothing more.
  void finish(Writer& writer, Side from, Time at, std::string_view comment = {});
  void reset(Writer& writer, Side from, Time at, std::string_view comment = {});

 private:
  void add(Writer& writer, Side from, Time at, TcpHeader header, base::ByteView payload,
           std::string_view comment);
  std::uint32_t& next_of(Side side) { return next_[side == Side::client ? 0 : 1]; }

  std::array<Address, 2> ends_;
  std::array<std::uint32_t, 2> next_{1, 1};
  std::array<bool, 2> finished_{};
};

/// The same for datagrams. A datagram that no frame holds is cut, and its comment says so.
class UdpFlow {
 public:
  UdpFlow(Address client, Address server);

  void send(Writer& writer, Side from, Time at, base::ByteView datagram,
            std::string_view comment = {});

 private:
  std::array<Address, 2> ends_;
};

}  // namespace hallmark::pcapng
