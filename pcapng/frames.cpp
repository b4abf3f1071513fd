#include "pcapng/frames.hpp"

#include <algorithm>

namespace hallmark::pcapng {
namespace {

using base::Bytes;
using base::ByteView;

constexpr std::uint8_t protocol_tcp = 6;
constexpr std::uint8_t protocol_udp = 17;
constexpr std::uint8_t hop_limit = 64;
constexpr std::size_t tcp_header_size = 20;
constexpr std::size_t udp_header_size = 8;

void put_16(Bytes& to, std::size_t number) {
  to.push_back(static_cast<std::uint8_t>(number >> 8));
  to.push_back(static_cast<std::uint8_t>(number));
}

void put_32(Bytes& to, std::uint32_t number) {
  put_16(to, number >> 16);
  put_16(to, number & 0xffff);
}

void set_16(Bytes& in, std::size_t at, std::uint16_t number) {
  in[at] = static_cast<std::uint8_t>(number >> 8);
  in[at + 1] = static_cast<std::uint8_t>(number);
}

/// The sum of the Internet checksum (RFC 1071), not yet folded.
std::uint64_t sum_of(ByteView bytes) {
  std::uint64_t sum = 0;
  std::size_t i = 0;
  for (; i + 1 < bytes.size(); i += 2) sum += std::uint64_t{bytes[i]} << 8 | bytes[i + 1];
  if (i < bytes.size()) sum += std::uint64_t{bytes[i]} << 8;
  return sum;
}

std::uint16_t folded(std::uint64_t sum) {
  while (sum >> 16 != 0) sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<std::uint16_t>(~sum);
}

ByteView ip_of(const Address& address) { return ByteView(address.ip).first(address.v6 ? 16 : 4); }

/// Addresses made up from the port, so that readers tell both ends apart.
void put_ethernet(Bytes& frame, const Address& from, const Address& to) {
  for (const Address* end : {&to, &from}) {
    frame.insert(frame.end(), {0x02, 0x48, 0x4d, 0x00});  // locally administered
    put_16(frame, end->port);
  }
  put_16(frame, from.v6 ? 0x86dd : 0x0800);
}

void put_ip(Bytes& frame, const Address& from, const Address& to, std::uint8_t protocol,
            std::size_t length) {
  if (from.v6) {
    put_32(frame, 0x60000000);
    put_16(frame, length);
    frame.insert(frame.end(), {protocol, hop_limit});
    base::append(frame, ip_of(from));
    base::append(frame, ip_of(to));
    return;
  }
  const std::size_t begin = frame.size();
  frame.insert(frame.end(), {0x45, 0});
  put_16(frame, length + 20);
  put_32(frame, 0x00004000);  // no identification, do not fragment
  frame.insert(frame.end(), {hop_limit, protocol, 0, 0});
  base::append(frame, ip_of(from));
  base::append(frame, ip_of(to));
  set_16(frame, begin + 10, folded(sum_of(ByteView(frame).subspan(begin))));
}

/// The checksum of a segment, which reaches over the addresses as well.
std::uint16_t checksum_of(const Address& from, const Address& to, std::uint8_t protocol,
                          ByteView segment) {
  return folded(sum_of(ip_of(from)) + sum_of(ip_of(to)) + protocol + segment.size() +
                sum_of(segment));
}

std::uint8_t flags_of(const TcpHeader& header) {
  return static_cast<std::uint8_t>((header.fin ? 0x01 : 0) | (header.syn ? 0x02 : 0) |
                                   (header.rst ? 0x04 : 0) | (header.psh ? 0x08 : 0) |
                                   (header.ack ? 0x10 : 0));
}

}  // namespace

Address loopback(std::uint16_t port, std::uint32_t host) {
  Address address;
  const std::uint32_t number = 0x7f000001 + host % 0x00fffffe;
  for (std::size_t i = 0; i < 4; ++i)
    address.ip[i] = static_cast<std::uint8_t>(number >> (8 * (3 - i)));
  address.port = port;
  return address;
}

void make_alike(Address& a, Address& b) {
  if (a.v6 == b.v6) return;
  Address& mapped = a.v6 ? b : a;
  std::copy_backward(mapped.ip.begin(), mapped.ip.begin() + 4, mapped.ip.end());
  std::fill(mapped.ip.begin(), mapped.ip.begin() + 10, std::uint8_t{0});
  std::fill(mapped.ip.begin() + 10, mapped.ip.begin() + 12, std::uint8_t{0xff});
  mapped.v6 = true;
}

Bytes tcp_frame(const Address& from, const Address& to, const TcpHeader& header, ByteView payload) {
  Bytes frame;
  frame.reserve(14 + 40 + tcp_header_size + payload.size());
  put_ethernet(frame, from, to);
  put_ip(frame, from, to, protocol_tcp, tcp_header_size + payload.size());
  const std::size_t begin = frame.size();
  put_16(frame, from.port);
  put_16(frame, to.port);
  put_32(frame, header.sequence);
  put_32(frame, header.ack ? header.acknowledged : 0);
  frame.insert(frame.end(), {0x50, flags_of(header), 0xff, 0xff, 0, 0, 0, 0});
  base::append(frame, payload);
  set_16(frame, begin + 16, checksum_of(from, to, protocol_tcp, ByteView(frame).subspan(begin)));
  return frame;
}

Bytes udp_frame(const Address& from, const Address& to, ByteView payload) {
  Bytes frame;
  frame.reserve(14 + 40 + udp_header_size + payload.size());
  put_ethernet(frame, from, to);
  put_ip(frame, from, to, protocol_udp, udp_header_size + payload.size());
  const std::size_t begin = frame.size();
  put_16(frame, from.port);
  put_16(frame, to.port);
  put_16(frame, udp_header_size + payload.size());
  put_16(frame, 0);
  base::append(frame, payload);
  const std::uint16_t checksum =
      checksum_of(from, to, protocol_udp, ByteView(frame).subspan(begin));
  // 0 would say that there is none.
  set_16(frame, begin + 6, checksum == 0 ? 0xffff : checksum);
  return frame;
}

}  // namespace hallmark::pcapng
