#pragma once

#include <array>
#include <string>
#include <tuple>
#include <variant>

#include "captures/event.hpp"

namespace hallmark::captures {

/// One end of a TCP connection, or of an exchange of datagrams.
struct Endpoint {
  std::array<std::uint8_t, 16> ip{};  ///< the first four bytes where it is IPv4; network order
  bool v6 = false;
  std::uint16_t port = 0;
  bool operator==(const Endpoint&) const = default;
  bool operator<(const Endpoint& other) const {
    return std::tie(ip, port, v6) < std::tie(other.ip, other.port, other.v6);
  }
};

/// "127.0.0.1:9000", "[::1]:9000".
std::string to_string(const Endpoint& endpoint);

/// A TCP segment as far as it was captured.
struct Segment {
  Endpoint from, to;
  std::uint32_t sequence = 0;
  std::uint32_t acknowledged = 0;
  bool syn = false, fin = false, rst = false, ack = false;
  ByteView payload;        ///< the bytes that were captured
  std::size_t length = 0;  ///< the length of the payload as it was sent
};

/// A UDP datagram as far as it was captured.
struct UdpDatagram {
  Endpoint from, to;
  ByteView payload;        ///< the bytes that were captured
  std::size_t length = 0;  ///< the length of the payload as it was sent
};

/// Why a frame is passed over.
enum class NoSegment : std::uint8_t {
  other,     ///< not IP, or not of the transport
  fragment,  ///< a fragment of an IP packet
  broken,    ///< cut by the capture, or malformed, before its payload
};

using FramePayload = std::variant<Segment, UdpDatagram, NoSegment>;

/// A transport that is looked for, by its number in IP headers.
enum class Carrier : std::uint8_t { tcp = 6, udp = 17 };

/// Returns true if frames of that link type (DLT_… of libpcap) can be read: Ethernet, loopback
/// (BSD, OpenBSD), raw IP, Linux cooked v1 and v2.
bool is_readable(int link_type);

/// The TCP segment or UDP datagram in a frame: IPv4 or IPv6 with extension headers, VLAN tags
/// passed over. `sent` is the length of the frame before the capture cut it. Precondition: a
/// readable link type.
FramePayload segment_in(int link_type, ByteView frame, std::size_t sent,
                        Carrier carrier = Carrier::tcp);

}  // namespace hallmark::captures
