#include "captures/segment.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <pcap/dlt.h>

#include <algorithm>
#include <optional>

namespace hallmark::captures {
namespace {

constexpr std::uint16_t ethertype_ipv4 = 0x0800;
constexpr std::uint16_t ethertype_ipv6 = 0x86dd;
constexpr std::uint16_t ethertype_vlan[] = {0x8100, 0x88a8, 0x9100};
constexpr int most_vlan_tags = 4;
constexpr int most_extension_headers = 8;
constexpr std::size_t udp_header = 8;
constexpr std::uint8_t next_fragment = 44;
constexpr std::uint8_t next_options[] = {0, 43, 60, 135};

using Found = FramePayload;

/// Network order. Preconditions of both: the bytes are there.
std::uint16_t load16(ByteView bytes, std::size_t at) {
  return static_cast<std::uint16_t>(bytes[at] << 8 | bytes[at + 1]);
}

std::uint32_t load32(ByteView bytes, std::size_t at) {
  return std::uint32_t{load16(bytes, at)} << 16 | load16(bytes, at + 2);
}

/// Bytes of a frame from some header on, and how many there were before the capture cut it.
struct Part {
  ByteView bytes;
  std::size_t sent;
  Carrier wanted;

  /// Returns the part behind the first `length` bytes, or nothing if the capture cut it within
  /// them.
  std::optional<Part> behind(std::size_t length) const {
    if (bytes.size() < length) return std::nullopt;
    return Part{bytes.subspan(length), sent - length, wanted};
  }
  /// Leaves out what is behind the length that a header gives: padding of the frame.
  Part first(std::size_t length) const {
    return {bytes.first(std::min(bytes.size(), length)), std::min(sent, length), wanted};
  }
  bool wants(std::uint8_t next) const { return next == static_cast<std::uint8_t>(wanted); }
};

/// Both ends of a packet, without their ports.
struct Ends {
  Endpoint from, to;
};

Found udp(const Part& part, const Ends& ends) {
  if (part.bytes.size() < udp_header) return NoSegment::broken;
  const std::size_t length = load16(part.bytes, 4);
  if (length < udp_header || length > part.sent) return NoSegment::broken;
  UdpDatagram datagram{ends.from, ends.to, {}, length - udp_header};
  datagram.from.port = load16(part.bytes, 0);
  datagram.to.port = load16(part.bytes, 2);
  datagram.payload = part.first(length).bytes.subspan(udp_header);
  return datagram;
}

Found tcp(const Part& part, const Ends& ends) {
  Segment segment;
  segment.from = ends.from;
  segment.to = ends.to;
  const ByteView bytes = part.bytes;
  if (bytes.size() < 20) return NoSegment::broken;
  const std::size_t header = std::size_t{bytes[12]} >> 4 << 2;
  if (header < 20 || header > part.sent) return NoSegment::broken;
  segment.from.port = load16(bytes, 0);
  segment.to.port = load16(bytes, 2);
  segment.sequence = load32(bytes, 4);
  segment.acknowledged = load32(bytes, 8);
  const std::uint8_t flags = bytes[13];
  segment.fin = (flags & 0x01) != 0;
  segment.syn = (flags & 0x02) != 0;
  segment.rst = (flags & 0x04) != 0;
  segment.ack = (flags & 0x10) != 0;
  segment.payload = bytes.subspan(std::min(header, bytes.size()));
  segment.length = part.sent - header;
  return segment;
}

Found wanted_in(const Part& part, const Ends& ends) {
  return part.wanted == Carrier::udp ? udp(part, ends) : tcp(part, ends);
}

Endpoint endpoint(ByteView ip) {
  Endpoint result;
  std::ranges::copy(ip, result.ip.begin());
  result.v6 = ip.size() == 16;
  return result;
}

Found ipv4(const Part& part) {
  const ByteView bytes = part.bytes;
  if (bytes.size() < 20) return NoSegment::broken;
  const std::size_t header = std::size_t{bytes[0] & 0x0fU} << 2;
  // Segmentation offload leaves a length of 0 for what is too long for the field.
  const std::size_t total = load16(bytes, 2) == 0 ? part.sent : load16(bytes, 2);
  if (header < 20 || total < header || total > part.sent) return NoSegment::broken;
  if (!part.wants(bytes[9])) return NoSegment::other;
  if ((load16(bytes, 6) & 0x3fff) != 0) return NoSegment::fragment;
  const auto payload = part.first(total).behind(header);
  if (!payload) return NoSegment::broken;
  return wanted_in(*payload, {endpoint(bytes.subspan(12, 4)), endpoint(bytes.subspan(16, 4))});
}

Found behind_extensions(Part part, std::uint8_t next, const Ends& ends) {
  for (int i = 0; i < most_extension_headers; ++i) {
    if (part.wants(next)) return wanted_in(part, ends);
    if (next == next_fragment) return NoSegment::fragment;
    if (std::ranges::find(next_options, next) == std::end(next_options)) return NoSegment::other;
    if (part.bytes.size() < 2) return NoSegment::broken;
    next = part.bytes[0];
    const auto rest = part.behind(8 + 8 * std::size_t{part.bytes[1]});
    if (!rest) return NoSegment::broken;
    part = *rest;
  }
  return NoSegment::other;
}

Found ipv6(const Part& part) {
  const ByteView bytes = part.bytes;
  if (bytes.size() < 40) return NoSegment::broken;
  const std::size_t payload = load16(bytes, 4) == 0 ? part.sent - 40 : load16(bytes, 4);
  if (payload > part.sent - 40) return NoSegment::broken;
  return behind_extensions(*part.first(40 + payload).behind(40), bytes[6],
                           {endpoint(bytes.subspan(8, 16)), endpoint(bytes.subspan(24, 16))});
}

Found ip(const Part& part) {
  if (part.bytes.empty()) return NoSegment::broken;
  switch (part.bytes[0] >> 4) {
    case 4: return ipv4(part);
    case 6: return ipv6(part);
    default: return NoSegment::other;
  }
}

/// Behind a header of that length, whose EtherType is at that place.
Found by_ethertype(Part part, std::size_t header, std::size_t type_at) {
  for (int i = 0; i <= most_vlan_tags; ++i) {
    const auto rest = part.behind(header);
    if (!rest) return NoSegment::broken;
    const std::uint16_t type = load16(part.bytes, type_at);
    if (type == ethertype_ipv4) return ipv4(*rest);
    if (type == ethertype_ipv6) return ipv6(*rest);
    if (std::ranges::find(ethertype_vlan, type) == std::end(ethertype_vlan)) break;
    part = *rest;
    header = 4;
    type_at = 2;
  }
  return NoSegment::other;
}

Found behind_header(const Part& part, std::size_t header) {
  const auto rest = part.behind(header);
  return rest ? ip(*rest) : NoSegment::broken;
}

}  // namespace

std::string to_string(const Endpoint& endpoint) {
  char text[INET6_ADDRSTRLEN] = {};
  inet_ntop(endpoint.v6 ? AF_INET6 : AF_INET, endpoint.ip.data(), text, sizeof text);
  return endpoint.v6 ? fmt::format("[{}]:{}", text, endpoint.port)
                     : fmt::format("{}:{}", text, endpoint.port);
}

bool is_readable(int link_type) {
  constexpr int readable[] = {DLT_EN10MB, DLT_NULL, DLT_LOOP,      DLT_RAW,
                              DLT_IPV4,   DLT_IPV6, DLT_LINUX_SLL, DLT_LINUX_SLL2};
  return std::ranges::find(readable, link_type) != std::end(readable);
}

FramePayload segment_in(int link_type, ByteView frame, std::size_t sent, Carrier carrier) {
  const Part part{frame, std::max(sent, frame.size()), carrier};
  switch (link_type) {
    case DLT_EN10MB: return by_ethertype(part, 14, 12);
    case DLT_LINUX_SLL: return by_ethertype(part, 16, 14);
    case DLT_LINUX_SLL2: return by_ethertype(part, 20, 0);
    // The address family in front is numbered differently by each system; IP says itself what it
    // is.
    case DLT_NULL:
    case DLT_LOOP: return behind_header(part, 4);
    default: return ip(part);
  }
}

}  // namespace hallmark::captures
