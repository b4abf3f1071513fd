#include "captures/tests/packets.hpp"

#include <pcap/dlt.h>

#include <algorithm>

namespace hallmark::captures {
namespace {

using base::append;

void put(Bytes& out, std::uint64_t value, std::size_t width, bool big_endian) {
  for (std::size_t i = 0; i < width; ++i) {
    const std::size_t shift = big_endian ? width - 1 - i : i;
    out.push_back(static_cast<std::uint8_t>(value >> (8 * shift)));
  }
}

void put_network(Bytes& out, std::uint64_t value, std::size_t width) {
  put(out, value, width, true);
}

ByteView captured(const Frame& frame) {
  return ByteView(frame.bytes).first(frame.bytes.size() - frame.cut);
}

Bytes pcap_file(int link_type, const std::vector<Frame>& frames, bool nanoseconds,
                bool big_endian) {
  Bytes file;
  const auto put32 = [&](std::uint64_t value) { put(file, value, 4, big_endian); };
  put32(nanoseconds ? 0xa1b23c4d : 0xa1b2c3d4);
  put(file, 2, 2, big_endian);
  put(file, 4, 2, big_endian);
  for (const int value : {0, 0, 262'144, link_type}) put32(static_cast<std::uint64_t>(value));
  for (const Frame& frame : frames) {
    const auto ns = static_cast<std::uint64_t>(frame.at.count());
    put32(1'700'000'000 + ns / 1'000'000'000);
    put32(ns % 1'000'000'000 / (nanoseconds ? 1 : 1000));
    put32(captured(frame).size());
    put32(frame.bytes.size());
    append(file, captured(frame));
  }
  return file;
}

void put_block(Bytes& file, std::uint32_t type, Bytes body) {
  while (body.size() % 4 != 0) body.push_back(0);
  put(file, type, 4, false);
  put(file, body.size() + 12, 4, false);
  append(file, body);
  put(file, body.size() + 12, 4, false);
}

/// draft-ietf-opsawg-pcapng: a section, an interface with times in µs, enhanced packets.
Bytes pcapng_file(int link_type, const std::vector<Frame>& frames) {
  Bytes file;
  put_block(file, 0x0a0d0d0a, hex("4d3c2b1a 0100 0000 ffffffffffffffff"));
  Bytes interface;
  put(interface, static_cast<std::uint64_t>(link_type), 4, false);
  put(interface, 262'144, 4, false);
  put_block(file, 1, interface);
  for (const Frame& frame : frames) {
    Bytes packet;
    const std::uint64_t us =
        1'700'000'000'000'000 + static_cast<std::uint64_t>(frame.at.count()) / 1000;
    for (const std::uint64_t value : {std::uint64_t{0}, us >> 32, us & 0xffffffff}) {
      put(packet, value, 4, false);
    }
    put(packet, captured(frame).size(), 4, false);
    put(packet, frame.bytes.size(), 4, false);
    append(packet, captured(frame));
    put_block(file, 6, packet);
  }
  return file;
}

}  // namespace

Bytes tcp_segment(const TcpHeader& header, ByteView payload) {
  Bytes segment;
  put_network(segment, header.from_port, 2);
  put_network(segment, header.to_port, 2);
  put_network(segment, header.sequence, 4);
  put_network(segment, header.acknowledged, 4);
  append(segment, hex("80"));  // 32 bytes: a timestamp, as most stacks send it
  segment.push_back(header.flags);
  append(segment, hex("ffff 0000 0000 0101080a 00000000 00000000"));
  append(segment, payload);
  return segment;
}

Bytes udp_datagram(std::uint16_t from_port, std::uint16_t to_port, ByteView payload) {
  Bytes datagram;
  put_network(datagram, from_port, 2);
  put_network(datagram, to_port, 2);
  put_network(datagram, 8 + payload.size(), 2);
  append(datagram, hex("0000"));
  append(datagram, payload);
  return datagram;
}

Bytes in_ipv4(const Bytes& segment, bool forth, Carrier carrier) {
  Bytes packet = hex("4500");
  put_network(packet, 20 + segment.size(), 2);
  append(packet, hex("0000 4000 40"));
  packet.push_back(static_cast<std::uint8_t>(carrier));
  append(packet, hex("0000"));
  append(packet, hex(forth ? "0a000001 0a000002" : "0a000002 0a000001"));
  append(packet, segment);
  return packet;
}

Bytes in_ipv6(const Bytes& segment, bool forth, bool options, Carrier carrier) {
  Bytes packet = hex("60000000");
  put_network(packet, segment.size() + (options ? 8 : 0), 2);
  const auto next = static_cast<std::uint8_t>(carrier);
  packet.push_back(options ? 0 : next);
  packet.push_back(0x40);
  for (const bool first : {forth, !forth}) {
    append(packet, hex("fd00000000000000 00000000000000"));
    packet.push_back(first ? 1 : 2);
  }
  if (options) {
    packet.push_back(next);
    append(packet, hex("00 0104 00000000"));
  }
  append(packet, segment);
  return packet;
}

Bytes in_frame(int link_type, const Bytes& packet) {
  const bool v6 = packet[0] >> 4 == 6;
  const char* const ethertype = v6 ? "86dd" : "0800";
  Bytes frame;
  switch (link_type) {
    case DLT_EN10MB: append(frame, hex("020000000001 020000000002")); break;
    case DLT_LINUX_SLL: append(frame, hex("0000 0304 0006 000000000000 0000")); break;
    case DLT_LINUX_SLL2: {
      append(frame, hex(ethertype));
      append(frame, hex("0000 00000001 0304 00 06 0000000000000000"));
      break;
    }
    case DLT_NULL: append(frame, hex(v6 ? "1e000000" : "02000000")); break;
    case DLT_LOOP: append(frame, hex(v6 ? "0000001e" : "00000002")); break;
    default: break;
  }
  if (link_type == DLT_EN10MB || link_type == DLT_LINUX_SLL) append(frame, hex(ethertype));
  append(frame, packet);
  // Ethernet pads what is shorter than its least length.
  if (link_type == DLT_EN10MB && frame.size() < 60) frame.resize(60);
  return frame;
}

Bytes in_vlan_frame(const Bytes& packet) {
  Bytes frame = hex("020000000001 020000000002 88a8 0001 8100 0002 0800");
  append(frame, packet);
  return frame;
}

Bytes capture_file(Container container, int link_type, const std::vector<Frame>& frames) {
  if (container == Container::pcapng) return pcapng_file(link_type, frames);
  return pcap_file(link_type, frames, container == Container::pcap_ns,
                   container == Container::pcap_big_endian);
}

Session::Session() : Session(Options{.link_type = DLT_EN10MB}) {}

Session& Session::send(bool forth, const Bytes& payload, std::uint8_t flags) {
  const std::size_t side = forth ? 0 : 1;
  const std::uint32_t isn[] = {options_.client_isn, options_.server_isn};
  const std::uint16_t port[] = {options_.client_port, options_.server_port};
  const bool first = (flags & syn) != 0 && forth;
  const TcpHeader header{port[side], port[1 - side], isn[side] + sent_[side],
                         first ? 0 : isn[1 - side] + sent_[1 - side],
                         static_cast<std::uint8_t>(flags | (first ? 0 : ack))};
  const Bytes segment = tcp_segment(header, payload);
  const Bytes packet = options_.v6 ? in_ipv6(segment, forth) : in_ipv4(segment, forth);
  const Time at = std::chrono::milliseconds(frames_.size());
  frames_.push_back({in_frame(options_.link_type, packet), at});
  sent_[side] += static_cast<std::uint32_t>(payload.size());
  if ((flags & (syn | fin)) != 0) ++sent_[side];
  return *this;
}

Session& Session::handshake() { return client_flags(syn).server_flags(syn).client_flags(0); }

Session& Session::farewell() { return client_flags(fin).server_flags(fin).client_flags(0); }

Capture opened(const Bytes& file) {
  std::FILE* const stream = std::tmpfile();
  std::fwrite(file.data(), 1, file.size(), stream);
  std::rewind(stream);
  return *Capture::open(stream);
}

std::vector<std::string> told_of(int link_type, const std::vector<Frame>& frames,
                                 std::uint16_t port) {
  Told told;
  opened(capture_file(Container::pcap_ns, link_type, frames))
      .decode(deployed(), {.port = port}, told.sink());
  return told.lines();
}

std::vector<std::string> told_of(Session& session, std::uint16_t port) {
  return told_of(session.link_type(), session.frames(), port);
}

}  // namespace hallmark::captures
