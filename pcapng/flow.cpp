#include "pcapng/flow.hpp"

#include <algorithm>

namespace hallmark::pcapng {
namespace {

/// The number of bytes that segmentation offload puts into one packet over loopback.
constexpr std::size_t most_in_segment = 32'768;

constexpr std::size_t index_of(Side side) { return side == Side::client ? 0 : 1; }

}  // namespace

TcpFlow::TcpFlow(Address client, Address server) : ends_{client, server} {
  make_alike(ends_[0], ends_[1]);
}

void TcpFlow::open(Writer& writer, Time at, std::string_view comment) {
  next_ = {0, 0};
  add(writer, Side::client, at, {.syn = true}, {}, comment);
  next_[0] = 1;
  add(writer, Side::server, at, {.syn = true, .ack = true}, {}, {});
  next_[1] = 1;
  add(writer, Side::client, at, {.ack = true}, {}, {});
}

void TcpFlow::send(Writer& writer, Side from, Time at, base::ByteView bytes,
                   std::string_view comment) {
  while (!bytes.empty()) {
    const std::size_t size = std::min(bytes.size(), most_in_segment);
    add(writer, from, at, {.ack = true, .psh = size == bytes.size()}, bytes.first(size), comment);
    next_of(from) += static_cast<std::uint32_t>(size);
    bytes = bytes.subspan(size);
    comment = {};
  }
}

void TcpFlow::skip(Side from, std::uint64_t length) {
  next_of(from) += static_cast<std::uint32_t>(length);
}

void TcpFlow::finish(Writer& writer, Side from, Time at, std::string_view comment) {
  bool& finished = finished_[index_of(from)];
  if (finished) return;
  finished = true;
  add(writer, from, at, {.ack = true, .fin = true}, {}, comment);
  ++next_of(from);
}

void TcpFlow::reset(Writer& writer, Side from, Time at, std::string_view comment) {
  add(writer, from, at, {.ack = true, .rst = true}, {}, comment);
}

void TcpFlow::add(Writer& writer, Side from, Time at, TcpHeader header, base::ByteView payload,
                  std::string_view comment) {
  const std::size_t own = index_of(from);
  header.sequence = next_[own];
  header.acknowledged = next_[1 - own];
  writer.add(at, tcp_frame(ends_[own], ends_[1 - own], header, payload), comment);
}

UdpFlow::UdpFlow(Address client, Address server) : ends_{client, server} {
  make_alike(ends_[0], ends_[1]);
}

void UdpFlow::send(Writer& writer, Side from, Time at, base::ByteView datagram,
                   std::string_view comment) {
  const std::size_t own = index_of(from);
  const auto shown = datagram.first(std::min(datagram.size(), most_payload));
  std::string said(comment);
  if (shown.size() < datagram.size()) said += " (the end of the datagram is not shown)";
  writer.add(at, udp_frame(ends_[own], ends_[1 - own], shown), said);
}

}  // namespace hallmark::pcapng
