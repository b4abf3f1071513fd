#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/bytes.hpp"

/// Ethernet frames as they could have carried bytes that went over a socket: headers are made up,
/// lengths and checksums are right (RFC 791, 8200, 9293, 768).
namespace hallmark::pcapng {

/// One end of a conversation.
struct Address {
  std::array<std::uint8_t, 16> ip{};  ///< in network order; an IPv4 one in the first four bytes
  bool v6 = false;
  std::uint16_t port = 0;
  friend bool operator==(const Address&, const Address&) = default;
};

/// 127.0.0.1, or an address of 127.0.0.0/8 that `host` counts up from there: ends without an
/// address of their own, such as those of Unix sockets, get these.
Address loopback(std::uint16_t port, std::uint32_t host = 0);

/// The same ends as IPv6, where one of them is and the other is not: an IPv4 address then is an
/// IPv4-mapped one. Both ends of a frame have to be of one family.
void make_alike(Address& a, Address& b);

struct TcpHeader {
  std::uint32_t sequence = 0;
  std::uint32_t acknowledged = 0;
  bool syn = false, ack = false, fin = false, rst = false, psh = false;
};

/// The most bytes of payload that a frame of either transport takes.
inline constexpr std::size_t most_payload = 65'535 - 60;

/// Preconditions: both addresses are of one family, the payload has at most `most_payload` bytes.
base::Bytes tcp_frame(const Address& from, const Address& to, const TcpHeader& header,
                      base::ByteView payload);
base::Bytes udp_frame(const Address& from, const Address& to, base::ByteView payload);

}  // namespace hallmark::pcapng
