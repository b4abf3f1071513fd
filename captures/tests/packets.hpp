#pragma once

#include <string_view>
#include <vector>

#include "captures/capture.hpp"
#include "captures/segment.hpp"
#include "captures/tests/told.hpp"

/// Captures made by hand, byte for byte.
namespace hallmark::captures {

/// A frame of a capture.
struct Frame {
  Bytes bytes;
  Time at;
  std::size_t cut = 0;  ///< bytes at its end that the capture lacks
};

enum : std::uint8_t { fin = 0x01, syn = 0x02, rst = 0x04, ack = 0x10 };

struct TcpHeader {
  std::uint16_t from_port, to_port;
  std::uint32_t sequence, acknowledged;
  std::uint8_t flags;
};

Bytes tcp_segment(const TcpHeader& header, ByteView payload);
Bytes udp_datagram(std::uint16_t from_port, std::uint16_t to_port, ByteView payload);
/// Between 10.0.0.1 and 10.0.0.2; from the first where `forth`.
Bytes in_ipv4(const Bytes& segment, bool forth, Carrier carrier = Carrier::tcp);
/// Between fd00::1 and fd00::2, behind a hop-by-hop header where `options`.
Bytes in_ipv6(const Bytes& segment, bool forth, bool options = false,
              Carrier carrier = Carrier::tcp);
/// Behind the header of a link type (DLT_… of libpcap); `packet` is of IP.
Bytes in_frame(int link_type, const Bytes& packet);
Bytes in_vlan_frame(const Bytes& packet);

enum class Container { pcap, pcap_ns, pcap_big_endian, pcapng };

Bytes capture_file(Container container, int link_type, const std::vector<Frame>& frames);

/// The frames of a connection, each a millisecond after the one before; both sides acknowledge what
/// they have received with all that they send.
class Session {
 public:
  struct Options {
    int link_type;
    bool v6 = false;
    std::uint16_t client_port = 40'000;
    std::uint16_t server_port = 9000;
    std::uint32_t client_isn = 1000;
    std::uint32_t server_isn = 5000;
  };

  Session();
  explicit Session(Options options) : options_(options) {}

  Session& handshake();
  Session& client(std::string_view hex_text) { return send(true, hex(hex_text), 0); }
  Session& server(std::string_view hex_text) { return send(false, hex(hex_text), 0); }
  /// A segment without payload.
  Session& client_flags(std::uint8_t flags) { return send(true, {}, flags); }
  Session& server_flags(std::uint8_t flags) { return send(false, {}, flags); }
  Session& farewell();

  std::vector<Frame>& frames() { return frames_; }
  Frame& last() { return frames_.back(); }
  int link_type() const { return options_.link_type; }

 private:
  Session& send(bool forth, const Bytes& payload, std::uint8_t flags);

  Options options_;
  std::uint32_t sent_[2] = {};  ///< sequence numbers used, by the client and by the server
  std::vector<Frame> frames_;
};

/// Decodes a capture with these frames and returns its events as lines.
std::vector<std::string> told_of(int link_type, const std::vector<Frame>& frames,
                                 std::uint16_t port = 0);
std::vector<std::string> told_of(Session& session, std::uint16_t port = 0);

/// A capture in memory. Precondition: it can be opened.
Capture opened(const Bytes& file);

}  // namespace hallmark::captures
